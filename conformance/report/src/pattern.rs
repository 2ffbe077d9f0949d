//! What failures of a group share: the judged cases of a run in tables, one an operator and mode.

use std::collections::BTreeMap;

use dml_spec::model::Text;

use crate::shared::{Table, features};
use dml_case::id::CaseId;

/// Passing cases that are kept: enough to tell what failures share, few enough that memory stays flat.
const PASSES: usize = 1 << 17;

/// The judged cases of a run. Cases that only judge a descriptor say nothing of results, and the other way round, so
/// each mode of an operator has a table of its own.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    tables: BTreeMap<(String, bool), Table>,
    /// Passing cases, also those that were not kept.
    passes: usize,
}

impl Patterns {
    /// Takes a case in, with the number of what it is suspected of where it failed. What neither failed nor passed
    /// says nothing: a case that no clause decides lacks nothing that failures share.
    pub fn add(&mut self, id: &CaseId, executes: bool, outcome: &str, suspicion: Option<usize>) {
        let blame = suspicion.map(name);
        if blame.is_none() && outcome != "pass" {
            return;
        }
        if blame.is_none() {
            self.passes += 1;
            if self.passes > PASSES {
                return;
            }
        }
        let place = (id.operator().to_owned(), executes);
        self.tables
            .entry(place)
            .or_default()
            .add(features(id), blame.as_slice());
    }

    /// What the failures of a group share and the passes lack, in words; `None` if that is nothing clear. The group
    /// is given by its suspicions.
    pub fn of(&self, suspicions: &[usize]) -> Option<String> {
        let names: Vec<Text> = suspicions.iter().copied().map(name).collect();
        let found = self.tables.values().filter_map(|table| table.summarise_any(&names));
        let summary = found.max_by_key(|summary| summary.inside.failed)?;
        let clear = summary.inside.failed * 3 >= summary.inside.total() * 2;
        let all = self.passes <= PASSES;
        clear.then(|| format!("{summary}{}", if all { "" } else { " of the cases compared" }))
    }
}

/// What stands for a suspicion in the tables.
fn name(suspicion: usize) -> Text {
    Text::Owned(suspicion.to_string())
}
