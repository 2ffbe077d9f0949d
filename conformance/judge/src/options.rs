//! How to judge.

use dml_spec::answer::Info;

use dml_case::outcome::Basis;

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Whose word counts on observed and disputed clauses.
    pub basis: Basis,
    /// Wrong clauses in a rejection fail the case.
    pub strict_reasons: bool,
    /// FLOAT16 tensors may be computed in half precision: what that comes to is accepted as well.
    pub half_precision: bool,
    /// What the backend reports about itself.
    pub info: &'a Info,
}
