//! SLICE1: elements copied at regular steps, forwards or backwards, from a window of a tensor.
//!
//! Dimension by dimension, the outermost first: in each the place to read moves by its stride within the window and
//! that within the buffer, forwards or backwards.

use dml_ops::slice1::Slice1;

use crate::{
    KernelError,
    copying::{by_width, width},
    view::{self, Layout, MAX_RANK, require_tensor},
};

/// Copies from `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Slice1, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let width = width(require_tensor(&op.output_tensor)?)?;
    match (inputs, outputs) {
        ([input], [output]) => by_width!(width, run(op, input, output)),
        (inputs, outputs) => Err(KernelError::buffers(inputs, outputs)),
    }
}

fn run<const W: usize>(op: &Slice1, input: &[u8], output: &mut [u8]) -> Result<(), KernelError> {
    let input_tensor = require_tensor(&op.input_tensor)?;
    if width(input_tensor)? != W {
        return Err(KernelError::DataType(input_tensor.data_type));
    }
    let from = Layout::new(input_tensor, W, input.len())?;
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;
    let rank = to.rank();
    if from.rank() != rank {
        return Err(KernelError::Sizes);
    }
    let mut dimensions = [Dimension::default(); MAX_RANK];
    let mut start = 0i64;
    for (d, dimension) in dimensions.iter_mut().enumerate().take(rank) {
        let (made, first) = Dimension::new(op, d, &from, &to).ok_or(KernelError::Sizes)?;
        *dimension = made;
        start += first;
    }
    let copy = Copy::<W> {
        input,
        dimensions: &dimensions[..rank],
    };
    copy.dimension(0, start, 0, output);
    Ok(())
}

/// How to copy along one dimension: how many elements, and from one to the next in both buffers.
#[derive(Clone, Copy, Default)]
struct Dimension {
    count: usize,
    read: i64,
    write: usize,
}

impl Dimension {
    /// The dimension `d`, and how far its first element lies from the start of the input. `None` if the lists are
    /// too short, the window leaves the input, or the output has more elements than the window, counted in 32 bits.
    fn new(op: &Slice1, d: usize, from: &Layout, to: &Layout) -> Option<(Self, i64)> {
        let offset = i64::from(*op.input_window_offsets.as_deref()?.get(d)?);
        let size = i64::from(*op.input_window_sizes.as_deref()?.get(d)?);
        let step = i64::from(*op.input_window_strides.as_deref()?.get(d)?);
        let (count, length) = (i64::try_from(to.size(d)).ok()?, i64::try_from(from.size(d)).ok()?);
        let inside = size > 0 && offset + size <= length && step != 0;
        // Steps are counted in 32 bits, as the validator does. What lies outside the input then reads as zero.
        let reach = step.abs().checked_mul(count - 1)? % (1 << 32);
        if !inside || reach >= size {
            return None;
        }
        let first = if step < 0 { offset + size - 1 } else { offset };
        let stride = i64::try_from(from.stride(d)).ok()?;
        let made = Self {
            count: to.size(d),
            // The stride of a single element leads nowhere and may be too large to multiply.
            read: if count > 1 { step.checked_mul(stride)? } else { 0 },
            write: to.stride(d),
        };
        Some((made, first.checked_mul(stride)?))
    }
}

struct Copy<'a, const W: usize> {
    input: &'a [u8],
    dimensions: &'a [Dimension],
}

impl<const W: usize> Copy<'_, W> {
    /// Copies dimension `d` and all after it, from one offset to the other.
    fn dimension(&self, d: usize, from: i64, to: usize, output: &mut [u8]) {
        let Some(dimension) = self.dimensions.get(d) else {
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            return view::write::<W>(output, to, view::read::<W>(self.input, from));
        };
        let (mut from, mut to) = (from, to);
        for _ in 0..dimension.count {
            self.dimension(d + 1, from, to, output);
            from = from.wrapping_add(dimension.read);
            to = to.wrapping_add(dimension.write);
        }
    }
}

#[cfg(test)]
#[path = "slice1/tests.rs"]
mod tests;
