//! ACTIVATION_LINEAR: scales and shifts every element.

use dml_ops::activation_linear::ActivationLinear;

use crate::{KernelError, elements};

/// Activates `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &ActivationLinear, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let tensors = (&op.input_tensor, &op.output_tensor);
    elements::map_single(tensors, inputs, outputs, |x| op.alpha * x + op.beta)
}
