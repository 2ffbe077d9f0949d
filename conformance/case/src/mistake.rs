//! The mistake that explains failures: which small change of the specification gives what a backend gave.

use std::ops::Range;

use dml_spec::{meaning::Place, model::Text};

/// What explains the failures of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The operator.
    pub operator: Text,
    /// The clause that the cases violate; empty if they violate none.
    pub clause: Text,
    /// The kind of the mistake, such as `tie-order`.
    pub kind: &'static str,
    /// What a backend with this mistake does: lower case, no final period.
    pub sentence: String,
    /// The expression of the specification that it changes, if it changes one.
    pub place: Option<(Place, Range<usize>)>,
    /// Failing cases that were compared; it gives what the backend gave in all of them.
    pub failing: usize,
    /// Passing cases that were compared.
    pub passing: usize,
    /// Passing cases in which it would give something else: the backend makes the mistake under some condition.
    pub refuting: usize,
    /// Further mistakes that fit as well, by their sentences.
    pub others: Vec<String>,
}
