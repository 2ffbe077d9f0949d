//! JOIN: tensors one after another along an axis.
//!
//! Every input is walked together with its part of the output: the same sizes with the output's strides, from the first
//! element after the inputs before it.

use dml_ops::join::Join;

use crate::{
    KernelError,
    copying::{by_width, width},
    view::{self, Layout, require_tensor},
};

/// Joins `inputs` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Join, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let width = width(require_tensor(&op.output_tensor)?)?;
    match outputs {
        [output] => by_width!(width, run(op, inputs, output)),
        outputs => Err(KernelError::buffers(inputs, outputs)),
    }
}

fn run<const W: usize>(op: &Join, inputs: &[&[u8]], output: &mut [u8]) -> Result<(), KernelError> {
    let tensors = op.input_tensors.as_deref().ok_or(KernelError::Absent)?;
    if tensors.len() != inputs.len() {
        let (inputs, outputs) = (inputs.len(), 1);
        return Err(KernelError::Buffers { inputs, outputs });
    }
    let axis = op.axis as usize;
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;
    let mut begin = 0;
    for (tensor, input) in tensors.iter().zip(inputs) {
        if width(tensor)? != W {
            return Err(KernelError::DataType(tensor.data_type));
        }
        let from = Layout::new(tensor, W, input.len())?;
        let starts = view::sequences([&from, &to], axis)?;
        let size = from.size(axis);
        if size > to.size(axis) - begin {
            return Err(KernelError::Sizes);
        }
        for [source, target] in starts {
            for i in 0..size {
                let bits = view::read::<W>(input, source + i * from.stride(axis));
                view::write::<W>(output, target + (begin + i) * to.stride(axis), bits);
            }
        }
        begin += size;
    }
    if begin == to.size(axis) {
        Ok(())
    } else {
        Err(KernelError::Sizes)
    }
}

#[cfg(test)]
#[path = "join/tests.rs"]
mod tests;
