//! Counts the answers of libraries by clause and cell, and says whether text and libraries agree.

use std::{collections::BTreeMap, fmt};

use dml_case::{outcome::Outcome, record::Record};
use dml_plan::{planner::Planner, target::Target};
use dml_spec::model::{Clause, ClauseKind, Operator, Status, type_cell_id};

use super::{Answers, Question, questions::find_clause};

/// The answers of one library about one clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Descriptors that break it or that it leaves open, and how many of them were refused.
    pub broken: (u64, u64),
    /// How many of those break nothing else.
    pub alone: u64,
    /// Descriptors that keep it, and how many of them were refused.
    pub kept: (u64, u64),
    /// Unexpected answers among those that break it.
    pub wrong: u64,
    /// Descriptors that break it and that the library could not be asked about.
    pub unasked: u64,
}

impl Tally {
    /// Whether every descriptor that breaks it also breaks something else.
    pub fn is_coupled(&self) -> bool {
        self.broken.0 > 0 && self.alone == 0
    }

    fn count(&mut self, question: &Question, target: &Target, record: &Record) {
        let is_open = question
            .case
            .verdict
            .clauses()
            .iter()
            .any(|id| *id == target.0.as_str());
        let is_broken = question.broken.contains(target) || is_open;
        let Some(refused) = Answers::refused(question, record) else {
            let is_skip = record.outcome == Outcome::Skip;
            self.unasked += u64::from(is_broken && is_skip);
            return;
        };
        if is_broken {
            self.broken.0 += 1;
            self.broken.1 += u64::from(refused);
            self.alone += u64::from(question.broken.len() <= 1);
            self.wrong += u64::from(refused != question.case.verdict.is_rejection());
        } else if question.is_normative() || !refused {
            // A refusal that contradicts an observation counts for the observed clause only.
            self.kept.0 += 1;
            self.kept.1 += u64::from(refused);
        }
    }
}

impl fmt::Display for Tally {
    /// `+accepted/kept -refused/broken`; a star if no descriptor breaks it alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kept, broken) = (self.kept, self.broken);
        if kept.0 > 0 {
            write!(f, "+{}/{}", kept.0 - kept.1, kept.0)?;
        }
        if broken.0 > 0 {
            let gap = if kept.0 > 0 { " " } else { "" };
            let coupled = if self.is_coupled() { "*" } else { "" };
            write!(f, "{gap}-{}/{}{coupled}", broken.1, broken.0)?;
        }
        Ok(())
    }
}

/// Whether text and libraries agree on a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Every library does what the text says.
    Agrees,
    /// Some library does not.
    Disagrees,
    /// The clause says that runtimes differ from the text, and they do as it says.
    Disputed,
    /// The text is silent, and the libraries do what was observed.
    Observed,
    /// Some library refuses some valid descriptors and accepts similar ones.
    InPart,
    /// No descriptor that breaks it can be passed to a library.
    NotExpressible,
    /// No library was asked about a descriptor that breaks it.
    NotAsked,
}

impl Agreement {
    /// All values, in the order of the sums.
    pub const ALL: [Self; 7] = [
        Self::Agrees,
        Self::Disagrees,
        Self::Disputed,
        Self::Observed,
        Self::InPart,
        Self::NotExpressible,
        Self::NotAsked,
    ];

    /// The word in tables and sums.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Disagrees => "DISAGREES",
            Self::Disputed => "disputed",
            Self::Observed => "observed",
            Self::InPart => "in part",
            Self::NotExpressible => "not expressible",
            Self::NotAsked => "not asked",
        }
    }
}

/// One clause or cell, with the answers of the libraries of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The clause or cell, and for tensor clauses the tensor.
    pub target: Target,
    /// Status of the clause.
    pub status: Status,
    /// What the text says of descriptors that break it: `rejects`, `accepts`, or `silent`. For a cell that the table
    /// allows, what it says of descriptors in that cell.
    pub text: &'static str,
    /// A tally for each library, in their order.
    pub tallies: Vec<Tally>,
    /// Whether they agree with the text.
    pub agreement: Agreement,
}

impl Row {
    /// Whether a library contradicts the text.
    pub fn disagrees(&self) -> bool {
        matches!(self.status, Status::Normative | Status::ByExample)
            && matches!(self.agreement, Agreement::Disagrees | Agreement::InPart)
    }
}

/// An unexpected answer, or no verdict.
#[derive(Clone, Debug)]
pub struct Unexpected<'a> {
    /// Name of the library.
    pub library: &'a str,
    /// The question.
    pub question: &'a Question,
    /// What came of it.
    pub record: &'a Record,
    /// Whether the expected verdict rests on the text.
    pub normative: bool,
}

/// Counts the answers of the libraries of one table, by clause and cell.
pub fn tally_clauses(suite: &Planner, operator: &Operator, questions: &[Question], answers: &[Answers]) -> Vec<Row> {
    let mut tallies: BTreeMap<&Target, Vec<Tally>> = BTreeMap::new();
    for (at, library) in answers.iter().enumerate() {
        for (question, record) in questions.iter().zip(&library.records) {
            for target in question.broken.iter().chain(&question.kept) {
                let all = tallies
                    .entry(target)
                    .or_insert_with(|| vec![Tally::default(); answers.len()]);
                if let Some(tally) = all.get_mut(at) {
                    tally.count(question, target, record);
                }
            }
        }
    }
    let row = |(target, tallies): (&Target, Vec<Tally>)| {
        let clause = find_clause(suite, operator, &target.0);
        let status = match clause {
            Some(clause) => clause.status,
            None if is_known_to_differ(operator, &target.0) => Status::Disputed,
            None => Status::Normative,
        };
        Row {
            target: target.clone(),
            status,
            text: text_verdict(clause, &tallies),
            agreement: agreement(clause, status, &tallies),
            tallies,
        }
    };
    tallies.into_iter().map(row).collect()
}

/// `clause` is `None` for a cell.
fn agreement(clause: Option<&Clause>, status: Status, tallies: &[Tally]) -> Agreement {
    if clause.is_none() && status == Status::Disputed {
        return Agreement::Disputed;
    }
    let asked = |tally: &Tally| tally.broken.0 + tally.kept.0 > 0;
    let broken = |tally: &Tally| tally.broken.0 > 0;
    // If no descriptor that keeps it is accepted, the clause itself is wrong.
    let wrong = |tally: &Tally| tally.wrong > 0 || (tally.kept.0 > 0 && tally.kept.1 == tally.kept.0);
    let is_constraint = clause.is_some_and(|clause| clause.kind == ClauseKind::Constraint);
    if tallies.iter().any(wrong) {
        return Agreement::Disagrees;
    }
    if !tallies.iter().any(asked) || (is_constraint && !tallies.iter().any(broken)) {
        return match tallies.iter().any(|tally| tally.unasked > 0) {
            true => Agreement::NotExpressible,
            false => Agreement::NotAsked,
        };
    }
    match status {
        _ if tallies.iter().any(|tally| tally.kept.1 > 0) => Agreement::InPart,
        Status::Disputed => Agreement::Disputed,
        Status::Observed | Status::Open => Agreement::Observed,
        Status::Normative | Status::ByExample => Agreement::Agrees,
    }
}

fn text_verdict(clause: Option<&Clause>, tallies: &[Tally]) -> &'static str {
    match clause {
        Some(clause) if matches!(clause.status, Status::Observed | Status::Open) => "silent",
        // The rule always holds: only runtimes refuse more.
        Some(clause) if clause.rule.as_deref() == Some("true") => "accepts",
        None if tallies.iter().all(|tally| tally.broken.0 == 0) => "accepts",
        _ => "rejects",
    }
}

/// Whether some releases are known to judge this cell differently from the table.
fn is_known_to_differ(operator: &Operator, id: &str) -> bool {
    operator.support.iter().any(|table| {
        table.rows.iter().any(|row| {
            let mut types = table.differs.iter().flat_map(|difference| difference.types.iter());
            types.any(|name| {
                table.differs_in(&row.tensor, name) && type_cell_id(&operator.name, table.level, row, name) == id
            })
        })
    })
}

/// The unexpected answers of the libraries of one table, but for known differences between releases.
pub fn find_unexpected<'a>(
    operator: &Operator,
    questions: &'a [Question],
    answers: &'a [Answers],
) -> Vec<Unexpected<'a>> {
    let mut found = Vec::new();
    for library in answers {
        for (question, record) in questions.iter().zip(&library.records) {
            let is_rejection = question.case.verdict.is_rejection();
            let is_crash = record.outcome == Outcome::Crash;
            let is_unexpected = match Answers::refused(question, record) {
                Some(refused) => {
                    let mut broken = question.broken.iter();
                    let is_known =
                        !question.broken.is_empty() && broken.all(|(id, _)| is_known_to_differ(operator, id));
                    refused != is_rejection && !is_known
                }
                None => record.outcome != Outcome::Skip,
            };
            if is_unexpected {
                found.push(Unexpected {
                    library: &library.name,
                    question,
                    record,
                    // A library may crash on a descriptor that it need not accept.
                    normative: question.is_normative() && !(is_crash && is_rejection),
                });
            }
        }
    }
    found
}
