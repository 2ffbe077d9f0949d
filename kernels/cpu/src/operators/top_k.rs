//! TOP_K: the K largest elements of every sequence along an axis, and their indices.

use dml_ops::top_k::TopK;

use crate::{KernelError, selection::Selection};

/// Selects from `inputs[0]` into `outputs[0]` (values) and `outputs[1]` (indices).
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &TopK, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let selection = Selection {
        input: &op.input_tensor,
        values: &op.output_value_tensor,
        indices: &op.output_index_tensor,
        axis: op.axis,
        k: op.k,
        largest: true,
    };
    selection.execute(inputs, outputs)
}

#[cfg(test)]
#[path = "top_k/tests.rs"]
mod tests;
