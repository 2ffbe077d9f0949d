//! What came back from a run.

use dml_spec::answer::Buffer;

use crate::output::Output;
use dml_case::poison::Initial;
use dml_oracle::Acceptance;

/// An element that is not what it should be: the number of its output, and its place in row-major order.
pub(super) type Wrong = (usize, u64);

/// What came back from a run, and what it is compared with.
pub(super) struct Evidence<'a> {
    pub(super) outputs: &'a [Output<'a>],
    pub(super) buffers: &'a [Buffer],
    /// What the outputs held at first.
    pub(super) initial: &'a [Initial<'a>],
    /// What each output may be.
    pub(super) acceptances: &'a [Acceptance],
    /// Half precision was allowed.
    pub(super) half_precision: bool,
}
