//! ACTIVATION_IDENTITY: copies every element.

use dml_ops::activation_identity::ActivationIdentity;

use crate::{KernelError, elements};

/// Copies `inputs[0]` to `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &ActivationIdentity, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    elements::map((&op.input_tensor, &op.output_tensor), inputs, outputs, |_, number| {
        number
    })
}
