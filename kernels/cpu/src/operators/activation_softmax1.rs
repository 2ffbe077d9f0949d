//! ACTIVATION_SOFTMAX1: three passes over every group, for its greatest element, the sum of the exponentials of the
//! differences from it, and the shares.

use dml_ops::{DataType, TensorDesc, activation_softmax1::ActivationSoftmax1};
use half::f16;

use crate::{
    KernelError,
    view::{self, Layout, MAX_RANK},
};

/// Shares of `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &ActivationSoftmax1, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let ([input], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    match DataType(given(&op.input_tensor)?.data_type) {
        DataType::FLOAT32 => run::<4>(
            op,
            input,
            output,
            |bits| f32::from_bits(bits as u32),
            |x| x.to_bits().into(),
        ),
        DataType::FLOAT16 => run::<2>(
            op,
            input,
            output,
            |bits| f16::from_bits(bits as u16).to_f32(),
            |x| f16::from_f32(x).to_bits().into(),
        ),
        DataType(other) => Err(KernelError::DataType(other)),
    }
}

fn given(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, KernelError> {
    tensor.as_ref().ok_or(KernelError::Absent)
}

/// `execute` for elements of `W` bytes, with what their bits mean.
fn run<const W: usize>(
    op: &ActivationSoftmax1,
    input: &[u8],
    output: &mut [u8],
    number: impl Fn(u64) -> f32,
    bits: impl Fn(f32) -> u64,
) -> Result<(), KernelError> {
    let from = Layout::new(given(&op.input_tensor)?, W, input.len())?;
    let to = Layout::new(given(&op.output_tensor)?, W, output.len())?;
    view::together([&from, &to])?;
    let mut shared = [false; MAX_RANK];
    for axis in op.axes.as_deref().unwrap_or_default().iter().map(|axis| *axis as usize) {
        match shared.get_mut(axis) {
            Some(shared) if axis < from.rank() => *shared = true,
            _ => {
                return Err(KernelError::Axis {
                    axis,
                    rank: from.rank(),
                });
            }
        }
    }
    let within = |axis: usize| shared.get(axis).copied().unwrap_or(false);
    let (starts, out_starts) = (from.keep_axes(|axis| !within(axis)), to.keep_axes(|axis| !within(axis)));
    let (group, out_group) = (from.keep_axes(within), to.keep_axes(within));
    for [start, out_start] in view::together([&starts, &out_starts])? {
        let element = |at: usize| number(view::read::<W>(input, start + at));
        let greatest = group
            .elements()
            .map(|[at]| element(at))
            .fold(f32::NEG_INFINITY, greater);
        let weight = |at: usize| (element(at) - greatest).exp();
        let total: f32 = group.elements().map(|[at]| weight(at)).sum();
        for [at, out] in view::together([&group, &out_group])? {
            view::write::<W>(output, out_start + out, bits(weight(at) / total));
        }
    }
    Ok(())
}

/// The greater one; NaN counts as the greatest, so that a group with one becomes NaN.
fn greater(a: f32, b: f32) -> f32 {
    if b > a || b.is_nan() { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(sizes: &[u32], axes: &[u32], input: &[f32]) -> Vec<f32> {
        let tensor = Some(TensorDesc::packed(DataType::FLOAT32.0, 32, sizes));
        let op = ActivationSoftmax1 {
            input_tensor: tensor.clone(),
            output_tensor: tensor,
            axis_count: axes.len() as u32,
            axes: Some(axes.iter().copied().collect()),
        };
        let bytes: Vec<u8> = input.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut out = vec![0; bytes.len()];
        execute(&op, &[&bytes], &mut [&mut out]).unwrap();
        out.chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn equal_elements_share_alike() {
        assert_eq!(shares(&[2, 2], &[1], &[1e30, 1e30, 7.0, 7.0]), [0.5; 4]);
        assert_eq!(shares(&[2, 2], &[0, 1], &[5.0; 4]), [0.25; 4]);
        assert_eq!(shares(&[2, 2], &[1, 0], &[5.0; 4]), [0.25; 4]);
    }

    #[test]
    fn shares_are_in_proportion_to_exponentials() {
        let found = shares(&[3], &[0], &[0.0, std::f32::consts::LN_2, -500.0]);
        assert!(
            (found[0] - 1.0 / 3.0).abs() < 1e-6 && (found[1] - 2.0 / 3.0).abs() < 1e-6,
            "{found:?}"
        );
        assert_eq!(found[2], 0.0);
    }

    #[test]
    fn groups_run_along_their_axes() {
        let input = [0.0, 1.0, 0.0, 1.0];
        assert_eq!(shares(&[2, 2], &[0], &input), [0.5; 4]);
        let rows = shares(&[2, 2], &[1], &input);
        assert_eq!(rows[..2], rows[2..]);
        assert!(rows[1] > 0.7);
    }
}
