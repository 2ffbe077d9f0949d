//! Differences between the planned cases and the stored outcomes of two specifications, as data from the caller; and
//! which operators such differences can affect.

use std::collections::BTreeSet;

use dml_spec::{
    Catalog,
    model::{Clause, List, Operator},
};
use serde::Serialize;

/// Cases of one operator that differ, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OperatorCases {
    /// The operator.
    pub operator: String,
    /// Ids of the new plan alone.
    pub appear: Vec<String>,
    /// Ids of the old plan alone.
    pub disappear: Vec<String>,
    /// Ids of both with other expectations, or other inputs.
    pub change: Vec<ChangedCase>,
}

/// A case of both plans that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedCase {
    /// Id of the case.
    pub id: String,
    /// What was expected.
    pub old: String,
    /// The new expectation; the same if only inputs or given outputs differ.
    pub new: String,
}

/// Outcomes of a stored run that are in doubt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunChanges {
    /// Path as the user gave it.
    pub file: String,
    /// Cases of the file.
    pub cases: usize,
    /// Outcomes in doubt, in the order of the file.
    pub stale: Vec<StaleOutcome>,
    /// What is wrong with the file, although it can be read.
    #[serde(skip)]
    pub damage: Vec<String>,
}

/// A stored outcome whose case does not exist any more or expects something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaleOutcome {
    /// Id of the case.
    pub id: String,
    /// What was stored.
    pub outcome: String,
    /// What was expected then.
    pub old: String,
    /// The new expectation; empty if the case does not exist any more.
    pub new: String,
}

/// Operators of which any case may differ, because what their cases depend on differs.
pub fn find_affected_operators(old: &Catalog, new: &Catalog) -> BTreeSet<String> {
    let names = |catalog: &Catalog| {
        catalog
            .operators
            .iter()
            .map(|o| o.name.to_string())
            .collect::<BTreeSet<_>>()
    };
    let all: BTreeSet<String> = names(old).union(&names(new)).cloned().collect();
    let shared = |catalog: &Catalog| Catalog {
        operators: List::default(),
        sources: List::default(),
        tensor_clauses: catalog.tensor_clauses.iter().map(reduce_clause).collect(),
        ..catalog.clone()
    };
    if shared(old) != shared(new) {
        return all;
    }
    let reduced = |catalog: &Catalog, name: &str| catalog.operator(name).map(reduce_operator);
    let mut found: BTreeSet<String> = all
        .iter()
        .filter(|name| reduced(old, name) != reduced(new, name))
        .cloned()
        .collect();
    // Operators that contain others are planned with their rules.
    for operator in old.operators.iter().chain(new.operators.iter()) {
        if operator
            .cases
            .nested
            .iter()
            .any(|nested| found.contains(&*nested.operator))
        {
            found.insert(operator.name.to_string());
        }
    }
    found
}

/// An operator without parts that cases do not depend on: words, places and days.
fn reduce_operator(operator: &Operator) -> Operator {
    let mut reduced = operator.clone();
    reduced.file = Default::default();
    reduced.says = Default::default();
    reduced.sources = List::default();
    reduced.clauses = operator.clauses.iter().map(reduce_clause).collect();
    for table in reduced.support.to_mut() {
        table.source = None;
        table.rows.to_mut().iter_mut().for_each(|row| row.source = None);
    }
    reduced
        .fields
        .to_mut()
        .iter_mut()
        .for_each(|f| f.says = Default::default());
    reduced.examples.to_mut().iter_mut().for_each(|e| e.source = None);
    for family in reduced.cases.families.to_mut() {
        family.says = Default::default();
        family.catches = List::default();
    }
    reduced
}

/// A clause without parts that cases do not depend on.
fn reduce_clause(clause: &Clause) -> Clause {
    let mut clause = clause.clone();
    clause.says = Default::default();
    clause.source = None;
    clause.history = List::default();
    for seen in clause.observed.to_mut() {
        seen.says = Default::default();
        seen.date = Default::default();
        seen.runtime = Default::default();
    }
    clause
}
