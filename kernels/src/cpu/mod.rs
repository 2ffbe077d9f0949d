//! The CPU backend: plain Rust, any layout, validated by the generated validators.
//!
//! A kernel is one file in `operators/`, named after its operator, with `pub(super) fn execute(&Op, &[&[u8]],
//! &mut [&mut [u8]]) -> Result<(), KernelError>`. The build script finds it.

mod best;
mod candidate;
mod columns;
mod copying;
pub mod elements;
mod extreme;
mod few;
pub mod number;
mod order;
mod radix;
mod reduction;
mod scan;
mod selection;
mod threads;
pub mod view;
mod wide;

use std::num::NonZeroUsize;

use dml_ops::{Backend, FieldMismatch, Operator, Simple, Stopped};
use dml_spec::{Descriptor, FeatureLevel, TensorDesc};

pub use threads::with_threads;

include!(concat!(env!("OUT_DIR"), "/cpu_operators.rs"));

/// The backend: feature level 6.4, descriptors of every operator judged by the generated validators, also of those that
/// have no kernel. Each session keeps to the thread that polls it, as whoever runs many cases has sessions on all threads;
/// [`execute`] itself takes what [`with_threads`] allows.
pub fn backend() -> impl Backend {
    let operators = dml_ops::OPERATORS.iter().map(|operator| operator.name);
    let level = FeatureLevel::new(6, 4);
    Simple::new(
        "cpu",
        env!("CARGO_PKG_VERSION"),
        level,
        operators,
        |descriptor, inputs, outputs| {
            with_threads(NonZeroUsize::MIN, || execute(descriptor, inputs, outputs)).map_err(Stopped::from)
        },
    )
}

/// What keeps a kernel from running. No valid descriptor with buffers of its sizes leads here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// There is no kernel for the operator.
    #[error("no kernel for operator `{0}`")]
    Operator(String),
    /// The descriptor does not have the operator's fields.
    #[error(transparent)]
    Fields(#[from] FieldMismatch),
    /// A tensor that the operator needs is null.
    #[error("a tensor is null that the operator needs")]
    Absent,
    /// The operator does not work on this data type.
    #[error("data type {0} is not supported")]
    DataType(u32),
    /// A number of dimensions outside 1 to 8.
    #[error("found {0} dimensions, expected 1 to 8")]
    Rank(usize),
    /// The axis is no dimension.
    #[error("axis {axis} is outside the tensor's {rank} dimensions")]
    Axis {
        /// The axis.
        axis: usize,
        /// Number of dimensions.
        rank: usize,
    },
    /// Sizes or strides make no layout.
    #[error("sizes and strides make no layout")]
    Layout,
    /// Tensors whose sizes have to agree do not.
    #[error("the tensors' sizes do not agree")]
    Sizes,
    /// A buffer ends before its tensor does.
    #[error("found a buffer of {length} bytes, expected at least {needed}")]
    Buffer {
        /// Bytes up to the end of the furthest element.
        needed: usize,
        /// Bytes there are.
        length: usize,
    },
    /// Buffers do not match the operator's tensors.
    #[error("found {inputs} input and {outputs} output buffers, not those of the operator")]
    Buffers {
        /// Input buffers given.
        inputs: usize,
        /// Output buffers given.
        outputs: usize,
    },
}

impl From<KernelError> for Stopped {
    fn from(error: KernelError) -> Self {
        match error {
            KernelError::Operator(_) => Self::Skipped("unsupported".to_owned()),
            error => Self::Failed(error.to_string()),
        }
    }
}

/// The tensor, which valid descriptors have.
fn given(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, KernelError> {
    tensor.as_ref().ok_or(KernelError::Absent)
}

#[cfg(test)]
mod tests;
