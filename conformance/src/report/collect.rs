//! What a report remembers of a run: counts, groups of failures, whom the backend follows.

use std::collections::BTreeMap;

use super::pattern::Patterns;
use crate::{
    outcome::{Follows, Outcome},
    run::Record,
};

/// Most failing ids of a group that are kept.
const KEPT: usize = 1000;

/// The clause that a failure is grouped by; empty where none is blamed.
pub(super) fn blamed(record: &Record) -> String {
    let diagnosis = record.judged.diagnosis.as_ref();
    diagnosis
        .and_then(|d| d.clauses.first())
        .map(ToString::to_string)
        .unwrap_or_default()
}

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

/// Failures that blame one clause first.
#[derive(Clone, Debug)]
pub struct Group {
    /// The clause that is blamed; empty where none is.
    pub clause: String,
    /// Classes of the failures, such as `tie-order`, and how many each has.
    pub classes: BTreeMap<&'static str, u64>,
    /// How many.
    pub count: u64,
    /// The case with the fewest elements, and what went wrong in it.
    pub smallest: Record,
    /// Ids of failing cases, up to a bound.
    pub ids: Vec<String>,
}

/// What a report remembers.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Counts per operator, family and level.
    pub table: BTreeMap<String, BTreeMap<String, BTreeMap<String, Cell>>>,
    /// Families of each operator in the order of the plan.
    pub families: BTreeMap<String, Vec<String>>,
    /// Failures by clause.
    pub groups: BTreeMap<String, Group>,
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
        self.patterns.add(record);
        if record.judged.outcome.is_failure() {
            self.group(record);
        }
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

    fn group(&mut self, record: &Record) {
        let diagnosis = record.judged.diagnosis.as_ref();
        let clause = blamed(record);
        let class = diagnosis.map_or(record.judged.outcome.word(), |d| d.class);
        let group = self.groups.entry(clause.clone()).or_insert_with(|| Group {
            clause,
            classes: BTreeMap::new(),
            count: 0,
            smallest: record.clone(),
            ids: Vec::new(),
        });
        group.count += 1;
        *group.classes.entry(class).or_default() += 1;
        if record.elements < group.smallest.elements {
            group.smallest = record.clone();
        }
        if group.ids.len() < KEPT {
            group.ids.push(record.id.to_string());
        }
    }

    /// Groups of failures, the largest first.
    pub fn failures(&self) -> Vec<&Group> {
        let mut groups: Vec<&Group> = self.groups.values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        groups
    }
}
