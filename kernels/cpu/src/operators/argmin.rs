//! ARGMIN: the index of the smallest element of every set of elements that differ in the reduced axes only.

use dml_ops::{AxisDirection, argmin::Argmin};

use crate::{
    KernelError,
    extreme::{Extreme, Tell},
};

/// Reduces `inputs[0]` and writes indices to `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Argmin, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let extreme = Extreme {
        input: &op.input_tensor,
        output: &op.output_tensor,
        axes: op.axes.as_deref().unwrap_or_default(),
        largest: false,
    };
    let tell = if op.axis_direction == AxisDirection::INCREASING {
        Tell::First
    } else {
        Tell::Last
    };
    extreme.execute(tell, inputs, outputs)
}
