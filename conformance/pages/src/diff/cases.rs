//! Differences between the planned cases and the stored outcomes of two specifications, as data from the caller; and
//! which operators such differences can affect.

use std::collections::BTreeSet;

use dml_spec::Catalog;
use serde::Serialize;

use super::{
    Section,
    things::{self, Thing},
};

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
    let operators = || old.operators.iter().chain(new.operators.iter());
    let mut found: BTreeSet<String> = operators().map(|operator| operator.name.to_string()).collect();
    let shared = |catalog: &Catalog| reduce_things(things::describe_shared(catalog));
    if old.enums != new.enums || shared(old) != shared(new) {
        return found;
    }
    let own = |catalog: &Catalog, name: &str| catalog.operator(name).map(things::describe_operator).map(reduce_things);
    found.retain(|name| own(old, name) != own(new, name));
    // Operators that contain others are planned with their rules.
    for operator in operators() {
        let nested = &operator.cases.nested;
        if nested.iter().any(|nested| found.contains(&*nested.operator)) {
            found.insert(operator.name.to_string());
        }
    }
    found
}

/// Leaves out what cases do not depend on: words, places and days.
fn reduce_things(mut things: Vec<Thing>) -> Vec<Thing> {
    things.retain(|thing| {
        !matches!(
            thing.section,
            Section::Sources | Section::Mistakes | Section::Ledger | Section::Superseded
        )
    });
    for thing in &mut things {
        let is_prose = |name: &str| ["says", "source", "history", "catches"].contains(&name);
        thing.properties.retain(|(name, _)| !is_prose(name));
    }
    things
}
