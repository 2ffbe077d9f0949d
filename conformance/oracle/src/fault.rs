//! What an evaluation says where it has no value.

use std::ops::Range;

use dml_spec::meaning::Node;

use super::column::Value;

/// Why a meaning has no value: a mistake of the specification, or of what was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// The part of the text that has no value.
    pub span: Range<usize>,
}

/// A value, or why there is none.
pub(crate) type Eval<T = Value> = Result<T, Fault>;

/// A part of a text that has no value.
pub(crate) fn fault<T>(node: &Node, message: impl Into<String>) -> Eval<T> {
    Err(Fault {
        message: message.into(),
        span: node.span.clone(),
    })
}
