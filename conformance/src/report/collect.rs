//! What a report remembers of a run: counts, groups of failures, whom the backend follows.

use std::collections::BTreeMap;

use super::{
    groups::{Group, Suspicions},
    pattern::Patterns,
};
use crate::{
    outcome::{Follows, Outcome},
    run::Record,
};

/// Counts of one cell of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// All cases.
    pub cases: u64,
    /// As expected.
    pub pass: u64,
    /// Not conformant.
    pub fail: u64,
    /// Ran, but nobody defines the result.
    pub unspecified: u64,
    /// Not judged.
    pub skip: u64,
}

/// What a report remembers.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Counts per operator, family and level.
    pub table: BTreeMap<String, BTreeMap<String, BTreeMap<String, Cell>>>,
    /// Families of each operator in the order of the plan.
    pub families: BTreeMap<String, Vec<String>>,
    /// Failures by what may explain them.
    suspicions: Suspicions,
    /// Per clause on which text and runtimes differ: how many cases follow whom.
    pub follows: BTreeMap<String, BTreeMap<Follows, u64>>,
    /// What failures share.
    pub patterns: Patterns,
    /// Remarks, with the first case and how many have it.
    pub warnings: BTreeMap<String, (String, u64)>,
}

impl Collected {
    /// Takes a case in.
    pub fn add(&mut self, record: &Record) {
        self.count(record);
        let suspicion = self.suspicions.add(record);
        self.patterns.add(record, suspicion);
        for (clause, follows) in &record.judged.follows {
            *self
                .follows
                .entry(clause.to_string())
                .or_default()
                .entry(*follows)
                .or_default() += 1;
        }
        for warning in &record.judged.warnings {
            self.warnings
                .entry(warning.clone())
                .or_insert_with(|| (record.id.to_string(), 0))
                .1 += 1;
        }
    }

    fn count(&mut self, record: &Record) {
        let id = &record.id;
        let families = self.families.entry(id.operator().to_owned()).or_default();
        if !families.iter().any(|family| family == id.family()) {
            families.push(id.family().to_owned());
        }
        let rows = self.table.entry(id.operator().to_owned()).or_default();
        let cell = rows
            .entry(id.family().to_owned())
            .or_default()
            .entry(id.level().to_string())
            .or_default();
        cell.cases += 1;
        match &record.judged.outcome {
            Outcome::Pass | Outcome::XFail => cell.pass += 1,
            Outcome::Unspecified => cell.unspecified += 1,
            Outcome::Skip(_) => cell.skip += 1,
            _ => cell.fail += 1,
        }
    }

    /// Groups of failures. Each case counts for the explanation that fits most cases of the run, the largest group
    /// comes first, and cases that the backend gave up on come last: what it computed wrongly says more.
    pub fn failures(&self) -> Vec<Group> {
        self.suspicions.groups()
    }
}
