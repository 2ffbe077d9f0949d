//! TOP_K1: the K largest or smallest elements of every sequence along an axis, and their indices.

use dml_ops::{AxisDirection, top_k1::TopK1};

use crate::{KernelError, selection::Selection};

/// Selects from `inputs[0]` into `outputs[0]` (values) and `outputs[1]` (indices).
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &TopK1, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let selection = Selection {
        input: &op.input_tensor,
        values: &op.output_value_tensor,
        indices: &op.output_index_tensor,
        axis: op.axis,
        k: op.k,
        largest: op.axis_direction != AxisDirection::INCREASING,
    };
    selection.execute(inputs, outputs)
}

#[cfg(test)]
#[path = "top_k1/tests.rs"]
mod tests;
