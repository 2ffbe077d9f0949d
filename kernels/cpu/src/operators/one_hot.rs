//! ONE_HOT: sequences of one value, except for the place that an index names.

use dml_ops::one_hot::OneHot;

use crate::{
    KernelError,
    copying::{by_width, index_reader, width},
    view::{self, Layout, require_tensor},
};

/// Fills `outputs[0]` with the values of `inputs[1]` by the indices of `inputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &OneHot, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let width = width(require_tensor(&op.output_tensor)?)?;
    match (inputs, outputs) {
        ([indices, values], [output]) => by_width!(width, run(op, indices, values, output)),
        (inputs, outputs) => Err(KernelError::buffers(inputs, outputs)),
    }
}

fn run<const W: usize>(op: &OneHot, indices: &[u8], values: &[u8], output: &mut [u8]) -> Result<(), KernelError> {
    let (index_tensor, value_tensor) = (require_tensor(&op.indices_tensor)?, require_tensor(&op.values_tensor)?);
    if width(value_tensor)? != W {
        return Err(KernelError::DataType(value_tensor.data_type));
    }
    let read_index = index_reader(index_tensor)?;
    let index = Layout::new(index_tensor, width(index_tensor)?, indices.len())?;
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;
    let mut pair = Layout::new(value_tensor, W, values.len())?.elements();
    let (Some([off]), Some([on])) = (pair.next(), pair.next()) else {
        return Err(KernelError::Sizes);
    };
    let (off, on) = (view::read::<W>(values, off), view::read::<W>(values, on));

    let axis = op.axis as usize;
    let starts = view::sequences([&index, &to], axis)?;
    if index.size(axis) != 1 {
        return Err(KernelError::Sizes);
    }
    let (size, stride) = (to.size(axis), to.stride(axis));
    for [place, start] in starts {
        let hot = locate(read_index(indices, place), size);
        for i in 0..size {
            let bits = if hot == Some(i) { on } else { off };
            view::write::<W>(output, start + i * stride, bits);
        }
    }
    Ok(())
}

/// The element of a sequence of this size that an index names: negative ones count from the end. What lies beyond
/// either end names none.
fn locate(index: i64, size: usize) -> Option<usize> {
    match usize::try_from(index) {
        Ok(index) => Some(index).filter(|index| *index < size),
        Err(_) => size.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

#[cfg(test)]
#[path = "one_hot/tests.rs"]
mod tests;
