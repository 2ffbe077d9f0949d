//! ACTIVATION_RELU: every element below zero becomes zero.

use dml_ops::activation_relu::ActivationRelu;

use crate::{KernelError, elements, number::Number};

/// Activates `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &ActivationRelu, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    elements::map(
        (&op.input_tensor, &op.output_tensor),
        inputs,
        outputs,
        |_, number| match number {
            Number::Real(x) if x < 0.0 => Number::Real(0.0),
            Number::Whole(n) => Number::Whole(n.max(0)),
            other => other,
        },
    )
}
