//! Common features of the failures of a group: the judged cases of a run in tables, one for each operator and mode.

use std::collections::BTreeMap;

use crate::shared::{Table, features};
use dml_case::id::CaseId;

/// What fewer failures share is a coincidence too easily.
pub(crate) const LEAST: u64 = dml_case::condition::LEAST as u64;

/// Maximum number of passing cases that are kept: enough to compare with failures, few enough for constant memory.
const PASSES: usize = 1 << 17;

/// The judged cases of a run. Cases that only judge a descriptor say nothing about results, and the other way round, so
/// each mode of an operator has a table of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    tables: BTreeMap<(String, bool), Table>,
    /// Passing cases, including those that were not kept.
    passes: usize,
}

impl Patterns {
    /// Adds a case, with the number of the list of clauses that it may violate if it failed. A case that neither failed nor passed is ignored:
    /// it cannot show what failures share and passes lack.
    pub(crate) fn add(&mut self, id: &CaseId, executes: bool, outcome: &str, blamed: Option<usize>) {
        if blamed.is_none() && outcome != "pass" {
            return;
        }
        if blamed.is_none() {
            self.passes += 1;
            if self.passes > PASSES {
                return;
            }
        }
        let place = (id.operator().to_owned(), executes);
        self.tables.entry(place).or_default().add(features(id), blamed);
    }

    /// What the failures of these lists share and the passes lack, in words; `None` if that is nothing clear.
    pub(crate) fn of(&self, is_of: &dyn Fn(usize) -> bool) -> Option<String> {
        let found = self.tables.values().filter_map(|table| table.summarise(is_of));
        let summary = found.max_by_key(|summary| summary.inside.failed)?;
        let clear = summary.inside.failed >= LEAST && summary.inside.failed * 3 >= summary.inside.total() * 2;
        let all = self.passes <= PASSES;
        clear.then(|| format!("{summary}{}", if all { "" } else { " of the cases compared" }))
    }
}
