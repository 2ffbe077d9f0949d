//! GATHER: elements taken along an axis by their indices.
//!
//! Each dimension of the output belongs to one of the input or to one of the indices, so one walk over the output
//! covers both: the sizes are the output's, and a dimension that a tensor does not have gets stride 0 in it.

use dml_ops::gather::Gather;

use crate::{
    KernelError,
    copying::{by_width, index_reader, width},
    view::{self, Layout, require_tensor},
};

/// Takes from `inputs[0]` by `inputs[1]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Gather, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let width = width(require_tensor(&op.output_tensor)?)?;
    match (inputs, outputs) {
        ([input, indices], [output]) => by_width!(width, run(op, input, indices, output)),
        (inputs, outputs) => Err(KernelError::buffers(inputs, outputs)),
    }
}

fn run<const W: usize>(op: &Gather, input: &[u8], indices: &[u8], output: &mut [u8]) -> Result<(), KernelError> {
    let (input_tensor, index_tensor) = (require_tensor(&op.input_tensor)?, require_tensor(&op.indices_tensor)?);
    if width(input_tensor)? != W {
        return Err(KernelError::DataType(input_tensor.data_type));
    }
    let read_index = index_reader(index_tensor)?;
    let from = Layout::new(input_tensor, W, input.len())?;
    let index = Layout::new(index_tensor, width(index_tensor)?, indices.len())?;
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;

    let (axis, dims, rank) = (op.axis as usize, op.index_dimensions as usize, to.rank());
    if axis >= rank || dims > axis + 1 || dims > rank || from.rank() != rank || index.rank() != rank {
        return Err(KernelError::Sizes);
    }
    let roles = |d| role(d, axis, dims, rank);
    let fits = |d| match roles(d) {
        Role::Input(dimension) => to.size(d) == from.size(dimension),
        Role::Index(dimension) => to.size(d) == index.size(dimension),
        Role::Nothing => to.size(d) == 1,
    };
    if !(0..rank).all(fits) {
        return Err(KernelError::Sizes);
    }
    let by_input = to.with_strides(|d| match roles(d) {
        Role::Input(dimension) => from.stride(dimension),
        _ => 0,
    });
    let by_index = to.with_strides(|d| match roles(d) {
        Role::Index(dimension) => index.stride(dimension),
        _ => 0,
    });
    let (size, stride) = (from.size(axis), from.stride(axis));
    for [source, place, target] in view::together([&by_input, &by_index, &to])? {
        let element = locate(read_index(indices, place), size);
        view::write::<W>(output, target, view::read::<W>(input, source + element * stride));
    }
    Ok(())
}

/// The element along an axis of this size that an index takes: negative ones count from the end, and what lies beyond
/// either end is clamped.
fn locate(index: i64, size: usize) -> usize {
    let last = size.saturating_sub(1);
    match usize::try_from(index) {
        Ok(index) => index.min(last),
        Err(_) => {
            let back = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
            size.saturating_sub(back).min(last)
        }
    }
}

/// The source of a dimension of the output.
enum Role {
    /// A dimension of the input.
    Input(usize),
    /// A dimension of the indices.
    Index(usize),
    /// Neither: there is one element.
    Nothing,
}

/// What dimension `d` of the output runs through. Input and indices put together have `rank + dims - 1` dimensions, of
/// which the output has the last `rank`.
fn role(d: usize, axis: usize, dims: usize, rank: usize) -> Role {
    if d > axis {
        return Role::Input(d);
    }
    match (d + dims).checked_sub(1) {
        None => Role::Nothing,
        Some(place) if place < axis => Role::Input(place),
        Some(place) => Role::Index(rank - dims + (place - axis)),
    }
}

#[cfg(test)]
#[path = "gather/tests.rs"]
mod tests;
