//! The plan: which cases there are. A pure function of specification, tier and seed.

use std::ops::ControlFlow;

use dml_spec::{FeatureLevel, model::Tier};

use crate::{case::Case, id::CaseId, suite::Suite};

/// The unit of planning and of the lock: operator × table level × family × data type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// Index of the operator in the catalog.
    pub operator: usize,
    /// Table level.
    pub level: FeatureLevel,
    /// Index of the family in the operator.
    pub family: usize,
    /// Data type name of the first key that sets one.
    pub data_type: String,
}

/// All buckets in the order of the plan; every one may hold cases at some tier.
pub fn buckets(suite: &Suite) -> Vec<Bucket> {
    let _ = suite;
    Vec::new()
}

/// Builds the cases of a bucket in order, smoke first; stops early when `visit` breaks.
pub fn for_each_case(
    suite: &Suite,
    bucket: &Bucket,
    tier: Tier,
    seed: u64,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let _ = (suite, bucket, tier, seed, visit);
    ControlFlow::Continue(())
}

/// The case of an id.
///
/// # Errors
/// Where the id names no operator, level, family or key, or a value makes no sense: what and where.
pub fn build(suite: &Suite, id: &CaseId) -> Result<Case, BuildError> {
    let _ = suite;
    Err(BuildError(format!("{id}: not planned")))
}

/// An id that leads to no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BuildError(pub String);
