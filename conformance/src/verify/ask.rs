//! Runs creation cases on a library, and reads what it did from the records.

use dml_case::{outcome::Outcome, record::Record};
use dml_ops::{Backend, Unavailable};
use dml_plan::planner::Planner;
use dml_run::engine::{Resolved, Run, Settings};
use dml_spec::FeatureLevel;

use super::Question;

/// Cases that are run together.
const BATCH: usize = 64;

/// What a library did with the questions about its table.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Its release or file.
    pub name: String,
    /// Its highest feature level.
    pub level: FeatureLevel,
    /// A record for each question, in their order.
    pub records: Vec<Record>,
}

impl Answers {
    /// Whether the library refused the descriptor; `None` if it gave no verdict.
    pub fn refused(question: &Question, record: &Record) -> Option<bool> {
        let expected = question.case.verdict.is_rejection();
        let class = record.class.as_deref();
        match (record.outcome, class) {
            (Outcome::Pass, _) => Some(expected),
            (Outcome::Fail, Some("wrongly-accepted")) => Some(false),
            (Outcome::Fail, Some("wrongly-rejected")) => Some(true),
            _ => None,
        }
    }

    /// How many descriptors the library was asked about, accepted and rejected, as a line.
    pub fn sum(&self, questions: &[Question]) -> String {
        let pairs = questions.iter().zip(&self.records);
        let verdicts: Vec<bool> = pairs
            .filter_map(|(question, record)| Self::refused(question, record))
            .collect();
        let (asked, rejected) = (verdicts.len(), verdicts.iter().filter(|refused| **refused).count());
        let (name, level, accepted) = (&self.name, self.level, asked - rejected);
        format!("{name} (level {level}): {asked} descriptors asked, {accepted} accepted, {rejected} rejected")
    }
}

/// Runs the cases of the questions in one supervised session. `progress` gets the number of answers so far.
///
/// # Errors
/// The backend cannot be opened, or does not come back after a loss.
pub fn ask_library(
    suite: &Planner,
    backend: &dyn Backend,
    questions: &[Question],
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Record>, Unavailable> {
    let run = Run {
        suite,
        backend,
        selection: &Resolved::default(),
        settings: &Settings::default(),
        lock: None,
    };
    run.probe(|probe| {
        let mut records = Vec::with_capacity(questions.len());
        for batch in questions.chunks(BATCH) {
            records.extend(probe.run(batch.iter().map(|question| question.case.clone()).collect())?);
            progress(records.len());
        }
        Ok(records)
    })?
}
