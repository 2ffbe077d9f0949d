//! What failures of a group share: the judged cases of a run in tables, one an operator and mode.

use std::{borrow::Cow, collections::BTreeMap};

use dml_spec::model::Text;

use super::collect::blamed;
use crate::{
    case::Mode,
    judge::summary::{Table, features},
    outcome::Outcome,
    run::Record,
};

/// Passing cases that are kept: enough to tell what failures share, few enough that memory stays flat.
const PASSES: usize = 1 << 17;

/// The judged cases of a run. Cases that only judge a descriptor say nothing of results, and the other way round, so
/// each mode of an operator has a table of its own.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    tables: BTreeMap<(String, bool), Table>,
    passes: usize,
}

impl Patterns {
    /// Takes a case in. Skipped ones say nothing.
    pub fn add(&mut self, record: &Record) {
        if matches!(record.judged.outcome, Outcome::Skip(_)) {
            return;
        }
        let blame: Option<Text> = record.judged.outcome.is_failure().then(|| Cow::Owned(blamed(record)));
        if blame.is_none() && record.judged.outcome != Outcome::Pass {
            return; // a case that no clause decides lacks nothing that failures share
        }
        if blame.is_none() {
            if self.passes == PASSES {
                return;
            }
            self.passes += 1;
        }
        let place = (record.id.operator().to_owned(), record.mode == Mode::Execute);
        self.tables
            .entry(place)
            .or_default()
            .add(features(&record.id), blame.as_slice());
    }

    /// What the failures of a group share and the passes lack, in words.
    pub fn of(&self, clause: &str) -> Option<String> {
        let mut found = self.tables.values().filter_map(|table| table.summarise(clause));
        found
            .find(|summary| summary.inside.failed > 0)
            .map(|summary| summary.to_string())
    }
}
