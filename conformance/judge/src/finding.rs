//! A mistake that explains wrong outputs.

use dml_legacy::oracle::Mismatch;

/// A mistake that explains wrong outputs, or a symptom of one.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) class: &'static str,
    pub(super) message: String,
    /// Output and element that shows it; `None` if any differing one does.
    pub(super) place: Option<(usize, u64)>,
}

impl From<Mismatch> for Finding {
    fn from(mismatch: Mismatch) -> Self {
        Self {
            class: mismatch.class,
            message: mismatch.message,
            place: Some((mismatch.output, mismatch.at)),
        }
    }
}
