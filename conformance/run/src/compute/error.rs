//! Why there is no expected output.

use dml_case::nearest::excerpt;
use dml_oracle::Fault;
use dml_spec::{FeatureLevel, program::Violation};

use crate::{json::JsonError, npz::NpzError};

/// Why there is no expected output.
#[derive(Debug, thiserror::Error)]
pub enum ComputeError {
    /// The file is not what it should be.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The archive does not have the inputs.
    #[error(transparent)]
    Npz(#[from] NpzError),
    /// The operator has no meaning.
    #[error("{} has no meaning: the specification does not say as data what it computes", excerpt(.0))]
    NoMeaning(String),
    /// The descriptor is invalid.
    #[error("the descriptor of {operator} is invalid at level {level}: {}", ids(violations))]
    Refused {
        /// The operator.
        operator: String,
        /// The feature level.
        level: FeatureLevel,
        /// What it violates.
        violations: Vec<Violation>,
    },
    /// A tensor is too large, or has no elements.
    #[error("{0}")]
    Tensor(String),
    /// The meaning has no value for the descriptor.
    #[error("{0}")]
    Fault(Fault),
}

fn ids(violations: &[Violation]) -> String {
    let ids = violations.iter().map(|violation| match &violation.tensor {
        Some(tensor) => format!("{} on {tensor}", violation.clause),
        None => violation.clause.to_string(),
    });
    ids.collect::<Vec<_>>().join(", ")
}
