//! What a library's answers come to, by descriptor.

use std::{collections::BTreeSet, fmt, iter::Sum};

use dml_case::{case::Case, clause, outcome::Outcome, record::Record};
use dml_plan::planner::Planner;
use dml_spec::model::{Operator, SupportTable};

use super::{Answers, is_known_to_differ, is_normative, is_rejected, telling::Telling};

/// What an answer about one descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// What the text says.
    AsWritten,
    /// What was observed of runtimes where the text is silent or says otherwise.
    AsObserved,
    /// About cells that this release judges otherwise, or a rule between two levels: it says nothing.
    Aside,
    /// Neither.
    Unexpected,
    /// The process ended, on a descriptor that need not be accepted.
    Crashed,
    /// There is none.
    None,
}

/// Judges answers about a table of an operator.
pub(super) struct Judge {
    /// Cells that some release is known to judge otherwise.
    differing: BTreeSet<String>,
}

impl Judge {
    pub(super) fn new(suite: &Planner, operator: &Operator, table: &SupportTable) -> Self {
        let cells = clause::table_cells(&suite.catalog, operator, table);
        let differing = cells.iter().filter(|cell| is_known_to_differ(table, cell));
        Self {
            differing: differing.map(clause::cell_id).collect(),
        }
    }

    pub(super) fn answer(&self, telling: &Telling<'_>, case: &Case, record: &Record) -> Answer {
        if !telling.of(case) {
            return Answer::Aside;
        }
        let Some(rejected) = is_rejected(case, record) else {
            return match record.outcome {
                Outcome::Skip => Answer::None,
                Outcome::Crash if case.verdict.is_rejection() => Answer::Crashed,
                _ => Answer::Unexpected,
            };
        };
        let broken = case.verdict.clauses();
        if rejected == case.verdict.is_rejection() {
            return if is_normative(case) {
                Answer::AsWritten
            } else {
                Answer::AsObserved
            };
        }
        let is_known = !broken.is_empty() && broken.iter().all(|id| self.differing.contains(&**id));
        if is_known { Answer::Aside } else { Answer::Unexpected }
    }
}

/// How many descriptors a library answered in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// As the text says.
    pub as_written: u64,
    /// As was observed where the text is silent or says otherwise.
    pub as_observed: u64,
    /// Otherwise.
    pub otherwise: u64,
    /// By the end of the process, on what need not be accepted.
    pub crashed: u64,
    /// About what this release is known to judge otherwise.
    pub aside: u64,
    /// Not at all: it could not be passed.
    pub unasked: u64,
}

impl Count {
    /// Counts the answers of one library about a table.
    pub fn of(suite: &Planner, operator: &Operator, table: &SupportTable, cases: &[Case], library: &Answers) -> Self {
        let judge = Judge::new(suite, operator, table);
        let telling = Telling::new(suite, operator, table, library);
        let mut count = Self::default();
        for (case, record) in cases.iter().zip(&library.records) {
            *match judge.answer(&telling, case, record) {
                Answer::AsWritten => &mut count.as_written,
                Answer::AsObserved => &mut count.as_observed,
                Answer::Unexpected => &mut count.otherwise,
                Answer::Crashed => &mut count.crashed,
                Answer::Aside => &mut count.aside,
                Answer::None => &mut count.unasked,
            } += 1;
        }
        count
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            as_written: sum.as_written + one.as_written,
            as_observed: sum.as_observed + one.as_observed,
            otherwise: sum.otherwise + one.otherwise,
            crashed: sum.crashed + one.crashed,
            aside: sum.aside + one.aside,
            unasked: sum.unasked + one.unasked,
        })
    }
}

impl fmt::Display for Count {
    /// Cells of a row of a table in Markdown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            self.as_written,
            self.as_observed,
            self.otherwise,
            self.crashed,
            self.aside,
            self.unasked,
        ];
        let texts = numbers.map(|number| number.to_string());
        f.write_str(&texts.join(" | "))
    }
}
