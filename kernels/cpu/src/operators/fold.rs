//! FOLD: patches of a sliding window, summed where they overlap.
//!
//! Every element of the input is added to the element of the output that it came from. Sums of FLOAT16 are kept in single
//! precision until all are there; those of whole numbers wrap around in the end.

use std::{iter, ops::AddAssign};

use dml_ops::{Dims, fold::Fold};

use crate::{
    KernelError,
    number::{self, Number, Type},
    view::{Layout, require_tensor},
};

/// One spatial dimension of the window.
#[derive(Clone, Copy)]
struct Axis {
    /// Elements of the window.
    window: usize,
    /// Distance between windows.
    stride: usize,
    /// Distance between elements of a window.
    dilation: usize,
    /// Elements of padding before the first.
    before: usize,
    /// Places of the window.
    blocks: usize,
    /// Elements of the output.
    size: usize,
}

/// Sums the patches of `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Fold, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let ([input], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    let ty = Type::of(require_tensor(&op.output_tensor)?.data_type)?;
    match ty {
        Type::Unsigned(_) | Type::Signed(_) => {
            let whole = |number| if let Number::Whole(n) = number { n } else { 0 };
            run::<i128>(op, ty, input, output, whole, Number::Whole)
        }
        Type::Double => run::<f64>(op, ty, input, output, real, Number::Real),
        Type::Half | Type::Single => {
            let single = |number| real(number) as f32;
            run::<f32>(op, ty, input, output, single, |sum| Number::Real(sum.into()))
        }
    }
}

fn real(number: Number) -> f64 {
    match number {
        Number::Real(x) => x,
        Number::Whole(n) => n as f64,
    }
}

/// Adds in the arithmetic of `S`.
fn run<S: Copy + Default + AddAssign>(
    op: &Fold,
    ty: Type,
    input: &[u8],
    output: &mut [u8],
    read: impl Fn(Number) -> S,
    result: impl Fn(S) -> Number,
) -> Result<(), KernelError> {
    let (input_tensor, output_tensor) = (require_tensor(&op.input_tensor)?, require_tensor(&op.output_tensor)?);
    let from = Layout::new(input_tensor, ty.width(), input.len())?;
    let to = Layout::new(output_tensor, ty.width(), output.len())?;
    let axes = axes(op, &to)?;
    let patch: usize = axes.iter().map(|axis| axis.window).product();
    let blocks: usize = axes.iter().map(|axis| axis.blocks).product();
    let fits = from.rank() == 3
        && from.size(0) == to.size(0)
        && from.size(1) == to.size(1) * patch
        && from.size(2) == blocks
        && patch > 0;
    if !fits {
        return Err(KernelError::Sizes);
    }
    let area: usize = axes.iter().map(|axis| axis.size).product();
    // Runtimes accept further dimensions, of which the page knows nothing: no sum differs along these.
    let further: usize = (axes.len() + 2..to.rank()).map(|d| to.size(d)).product();
    let mut sums = vec![S::default(); to.size(0) * to.size(1) * area];
    for batch in 0..from.size(0) {
        for row in 0..from.size(1) {
            let (channel, within) = (row / patch, row % patch);
            let plane = (batch * to.size(1) + channel) * area;
            for block in 0..blocks {
                let Some(place) = locate(&axes, within, block) else {
                    continue;
                };
                let at = batch * from.stride(0) + row * from.stride(1) + block * from.stride(2);
                if let Some(sum) = sums.get_mut(plane + place) {
                    *sum += read(ty.number(number::read(ty, input, at)));
                }
            }
        }
    }
    let repeated = sums.into_iter().flat_map(|sum| iter::repeat_n(sum, further));
    for ([target], sum) in to.elements().zip(repeated) {
        number::write(ty, output, target, ty.bits(result(sum)));
    }
    Ok(())
}

/// The spatial dimensions: those of the output that follow batch and channel, as many as the operator has.
fn axes(op: &Fold, to: &Layout) -> Result<Vec<Axis>, KernelError> {
    let count = op.dimension_count as usize;
    if to.rank() < count + 2 {
        return Err(KernelError::Rank(to.rank()));
    }
    let entry = |list: &Option<Dims>, d: usize| {
        let found = list.as_ref().and_then(|list| list.get(d).copied());
        found.map(|n| n as usize).ok_or(KernelError::Absent)
    };
    let axis = |d: usize| {
        let (window, stride) = (entry(&op.window_sizes, d)?, entry(&op.strides, d)?);
        let (dilation, before) = (entry(&op.dilations, d)?, entry(&op.start_padding, d)?);
        let size = to.size(d + 2);
        let padded = size + before + entry(&op.end_padding, d)?;
        let reach = dilation * window.saturating_sub(1) + 1;
        let room = padded
            .checked_sub(reach)
            .filter(|_| stride > 0)
            .ok_or(KernelError::Sizes)?;
        Ok(Axis {
            window,
            stride,
            dilation,
            before,
            blocks: room / stride + 1,
            size,
        })
    };
    (0..count).map(axis).collect()
}

/// The place in a plane of the output of the element `within` a window at its place `block`; `None` if it lies in the
/// padding.
fn locate(axes: &[Axis], mut within: usize, mut block: usize) -> Option<usize> {
    let (mut place, mut step) = (0, 1);
    for axis in axes.iter().rev() {
        let (inner, start) = (within % axis.window, block % axis.blocks);
        within /= axis.window;
        block /= axis.blocks;
        let at = (start * axis.stride + inner * axis.dilation).checked_sub(axis.before)?;
        if at >= axis.size {
            return None;
        }
        place += at * step;
        step *= axis.size;
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use dml_ops::{DataType, TensorDesc};

    use super::*;

    #[test]
    fn overlapping_patches_are_summed() {
        let list = |numbers: [u32; 1]| Some(Dims::from_slice(&numbers));
        let op = Fold {
            input_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, &[1, 2, 4])),
            output_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, &[1, 1, 3])),
            dimension_count: 1,
            window_sizes: list([2]),
            strides: list([1]),
            dilations: list([1]),
            start_padding: list([1]),
            end_padding: list([1]),
        };
        let numbers: Vec<f32> = vec![1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0];
        let input: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut out = [0; 12];
        execute(&op, &[&input], &mut [&mut out]).unwrap();
        let found: Vec<f32> = out
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        assert_eq!(found, [12.0, 23.0, 34.0]);
        // Along a further dimension, which runtimes accept, sums are the same.
        let op = Fold {
            output_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, &[1, 1, 3, 2])),
            ..op
        };
        let mut twice = [0; 24];
        execute(&op, &[&input], &mut [&mut twice]).unwrap();
        let both: Vec<u8> = out.chunks_exact(4).flat_map(|sum| [sum, sum].concat()).collect();
        assert_eq!(twice[..], both[..]);
    }
}
