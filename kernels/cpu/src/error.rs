//! Why a kernel did not run.

use dml_ops::{FieldMismatch, Stopped};

/// An error of a kernel. A valid descriptor with buffers of its sizes causes none.
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
    /// The axis is not a dimension.
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

impl KernelError {
    /// These buffers do not match the operator's tensors.
    pub(crate) fn buffers(inputs: &[&[u8]], outputs: &[&mut [u8]]) -> Self {
        Self::Buffers {
            inputs: inputs.len(),
            outputs: outputs.len(),
        }
    }
}

impl From<KernelError> for Stopped {
    fn from(error: KernelError) -> Self {
        match error {
            KernelError::Operator(_) => Self::Skipped("unsupported".to_owned()),
            error => Self::Failed(error.to_string()),
        }
    }
}
