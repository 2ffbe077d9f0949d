//! What a library's answers come to, by descriptor.

use std::{collections::BTreeSet, iter::Sum};

use dml_case::{case::Case, clause, outcome::Outcome, record::Record};
use dml_plan::planner::Planner;
use dml_spec::model::{Operator, SupportTable};

use super::{Answers, clauses, is_known_to_differ, is_normative, is_rejected, telling::Telling};

/// What an answer about one descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answered {
    /// What the text says.
    AsWritten,
    /// What was observed of runtimes where the text is silent or says otherwise.
    AsObserved,
    /// Neither.
    Otherwise,
    /// The process ended, on a descriptor that need not be accepted.
    Crashed,
    /// About cells that this release judges otherwise, or a rule between two levels: it says nothing.
    Aside,
    /// There is none: it could not be passed.
    NotAsked,
}

impl Answered {
    /// All of them, with their words.
    pub const WORDS: [(Self, &str); 6] = [
        (Self::AsWritten, "as written"),
        (Self::AsObserved, "as observed"),
        (Self::Otherwise, "otherwise"),
        (Self::Crashed, "crashed"),
        (Self::Aside, "aside"),
        (Self::NotAsked, "not asked"),
    ];
}

/// Judges the answers of one library about a table of an operator.
pub struct Judge<'a> {
    telling: Telling<'a>,
    /// Cells that some release is known to judge otherwise, and clauses that this library does.
    differing: BTreeSet<String>,
}

impl<'a> Judge<'a> {
    /// Judges what this library answers.
    pub fn new(suite: &'a Planner, operator: &'a Operator, table: &SupportTable, library: &Answers) -> Self {
        let cells = clause::table_cells(&suite.catalog, operator, table);
        let differing = cells.iter().filter(|cell| is_known_to_differ(table, cell));
        let others = clauses(suite, operator).filter(|clause| clause.is_differing(&library.name));
        Self {
            telling: Telling::new(suite, operator, table, library),
            differing: differing
                .map(clause::cell_id)
                .chain(others.map(|clause| clause.id.to_string()))
                .collect(),
        }
    }

    /// What an answer is.
    pub fn judge(&self, case: &Case, record: &Record) -> Answered {
        if !self.telling.of(case) {
            return Answered::Aside;
        }
        let Some(rejected) = is_rejected(case, record) else {
            return match record.outcome {
                Outcome::Skip => Answered::NotAsked,
                Outcome::Crash if case.verdict.is_rejection() => Answered::Crashed,
                _ => Answered::Otherwise,
            };
        };
        if rejected == case.verdict.is_rejection() {
            return match is_normative(case) {
                true => Answered::AsWritten,
                false => Answered::AsObserved,
            };
        }
        let broken = case.verdict.clauses();
        let is_known = !broken.is_empty() && broken.iter().all(|id| self.differing.contains(&**id));
        if is_known { Answered::Aside } else { Answered::Otherwise }
    }
}

/// How many descriptors a library answered in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count([u64; Answered::WORDS.len()]);

impl Count {
    /// How many answers were this.
    pub fn of(&self, answered: Answered) -> u64 {
        self.0.get(answered as usize).copied().unwrap_or_default()
    }
}

impl FromIterator<Answered> for Count {
    fn from_iter<T: IntoIterator<Item = Answered>>(all: T) -> Self {
        let mut count = Self::default();
        for answered in all {
            count.0.iter_mut().skip(answered as usize).take(1).for_each(|n| *n += 1);
        }
        count
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, one| {
            sum.0.iter_mut().zip(one.0).for_each(|(sum, n)| *sum += n);
            sum
        })
    }
}
