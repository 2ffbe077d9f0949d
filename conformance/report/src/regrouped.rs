//! Groups the failures of a run. Those of a stored run are grouped again: what explains most of them is not known from
//! its parts.

use crate::results::GroupLine;
use crate::{groups::Suspicions, pattern::Patterns};
use dml_case::{case::Mode, record::Record};

/// The failures of a run, and what they share.
#[derive(Clone, Debug, Default)]
pub struct Regrouped {
    pub(super) suspicions: Suspicions,
    pub(super) patterns: Patterns,
}

impl Regrouped {
    /// Takes a case in. What its line does not say comes from the plan: whether it executes, and how many elements it
    /// has.
    pub fn add(&mut self, record: &Record) {
        let suspicion = record.outcome.is_failure().then(|| self.suspicions.add(record));
        let executes = record.mode == Mode::Execute;
        self.patterns
            .add(&record.id, executes, record.outcome.word(), suspicion.flatten());
    }

    /// The groups.
    pub fn groups(&self) -> Vec<GroupLine> {
        self.suspicions.lines(&self.patterns)
    }
}
