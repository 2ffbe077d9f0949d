//! ACTIVATION_LEAKY_RELU: scales every element below zero.

use dml_ops::activation_leaky_relu::ActivationLeakyRelu;

use crate::{KernelError, elements};

/// Activates `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(
    op: &ActivationLeakyRelu,
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
) -> Result<(), KernelError> {
    let tensors = (&op.input_tensor, &op.output_tensor);
    elements::map_single(tensors, inputs, outputs, |x| if x < 0.0 { op.alpha * x } else { x })
}
