//! What a fault breaks: a clause on a tensor.

use std::collections::BTreeSet;

use dml_spec::{FeatureLevel, program::Violation};

/// A clause on a tensor; no tensor for clauses of the whole operator.
pub type Target = (String, Option<String>);

/// The targets that violations break.
pub fn broken_targets(violations: &[Violation]) -> BTreeSet<Target> {
    violations
        .iter()
        .map(|v| (v.clause.to_string(), v.tensor.as_ref().map(ToString::to_string)))
        .collect()
}

/// Whether a clause id names a support cell: `TOP_K1/5.0/…`.
pub fn is_cell(clause: &str) -> bool {
    clause
        .split('/')
        .nth(1)
        .is_some_and(|part| part.parse::<FeatureLevel>().is_ok())
}

/// A target in words.
pub fn spell_target(target: &Target) -> String {
    match &target.1 {
        Some(tensor) if target.0.starts_with("TENSOR/") => format!("{} on {tensor}", target.0),
        _ => target.0.clone(),
    }
}
