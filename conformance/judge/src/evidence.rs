//! What came back from a run.

use dml_spec::answer::Buffer;

use crate::output::Output;
use dml_case::poison::Initial;
use dml_legacy::compare::Tolerance;

/// What came back from a run, and what it is compared with.
pub(super) struct Evidence<'a> {
    pub(super) outputs: &'a [Output<'a>],
    pub(super) buffers: &'a [Buffer],
    /// What the outputs held at first.
    pub(super) initial: &'a [Initial<'a>],
    /// How each output is compared.
    pub(super) tolerances: &'a [Tolerance<'a>],
    /// Half precision was allowed.
    pub(super) half_precision: bool,
}

impl Evidence<'_> {
    /// Whether no byte of any output was written, which explains all differences.
    pub(super) fn is_untouched(&self) -> bool {
        let untouched = |(buffer, initial): (&Buffer, &Initial)| {
            let mut bytes = buffer.tensor().iter().enumerate();
            bytes.all(|(at, byte)| initial.byte(at) == Some(*byte))
        };
        self.buffers.iter().zip(self.initial).all(untouched)
    }
}
