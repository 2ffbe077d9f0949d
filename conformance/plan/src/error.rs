//! Why an id or a descriptor leads to no case.

/// An id that leads to no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BuildError(pub String);
