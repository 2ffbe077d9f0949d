//! CUMULATIVE_SUMMATION: walks every sequence along an axis once, in the given direction, and writes the running sum.
//!
//! Whole numbers are added modulo the range of their type, which is the same for signed and unsigned ones. Floating
//! point tallies are kept in single precision.

use dml_ops::{AxisDirection, DataType, TensorDesc, cumulative_summation::CumulativeSummation};
use half::f16;

use crate::{
    KernelError,
    view::{self, Layout},
};

/// Sums from `inputs[0]` into `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(
    op: &CumulativeSummation,
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
) -> Result<(), KernelError> {
    let ([input], [output]) = (inputs, &mut *outputs) else {
        return Err(KernelError::buffers(inputs, outputs));
    };
    match DataType(given(&op.input_tensor)?.data_type) {
        DataType::FLOAT32 => run::<4, f32>(
            op,
            input,
            output,
            |bits, sum| sum + f32::from_bits(bits as u32),
            |sum| u64::from(sum.to_bits()),
        ),
        DataType::FLOAT16 => run::<2, f32>(
            op,
            input,
            output,
            |bits, sum| sum + f16::from_bits(bits as u16).to_f32(),
            |sum| u64::from(f16::from_f32(sum).to_bits()),
        ),
        DataType::INT32 | DataType::UINT32 => {
            run::<4, u64>(op, input, output, |bits, sum| sum.wrapping_add(bits), |sum| sum)
        }
        DataType::INT64 | DataType::UINT64 => {
            run::<8, u64>(op, input, output, |bits, sum| sum.wrapping_add(bits), |sum| sum)
        }
        DataType(other) => Err(KernelError::DataType(other)),
    }
}

fn given(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, KernelError> {
    tensor.as_ref().ok_or(KernelError::Absent)
}

/// `execute` for elements of `W` bytes with tallies of type `T`: how an element is added, and the bits of a tally.
fn run<const W: usize, T: Copy + Default>(
    op: &CumulativeSummation,
    input: &[u8],
    output: &mut [u8],
    add: impl Fn(u64, T) -> T,
    bits: impl Fn(T) -> u64,
) -> Result<(), KernelError> {
    let from = Layout::new(given(&op.input_tensor)?, W, input.len())?;
    let to = Layout::new(given(&op.output_tensor)?, W, output.len())?;
    let axis = op.axis as usize;
    let starts = view::sequences([&from, &to], axis)?;
    let size = from.size(axis);
    if to.size(axis) != size {
        return Err(KernelError::Sizes);
    }
    let backwards = op.axis_direction == AxisDirection::DECREASING;
    let exclusive = op.has_exclusive_sum != 0;
    for [read_at, write_at] in starts {
        let mut sum = T::default();
        for step in 0..size {
            let index = if backwards { size - 1 - step } else { step };
            let before = sum;
            sum = add(view::read::<W>(input, read_at + index * from.stride(axis)), sum);
            let tally = if exclusive { before } else { sum };
            view::write::<W>(output, write_at + index * to.stride(axis), bits(tally));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(
        data_type: DataType,
        bits: u32,
        sizes: &[u32],
        axis: u32,
        decreasing: bool,
        exclusive: bool,
    ) -> CumulativeSummation {
        let tensor = Some(TensorDesc::packed(data_type.0, bits, sizes));
        CumulativeSummation {
            input_tensor: tensor.clone(),
            output_tensor: tensor,
            axis,
            axis_direction: if decreasing {
                AxisDirection::DECREASING
            } else {
                AxisDirection::INCREASING
            },
            has_exclusive_sum: u32::from(exclusive),
        }
    }

    fn sums(op: &CumulativeSummation, input: &[u32]) -> Vec<u32> {
        let bytes: Vec<u8> = input.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut out = vec![0xcd; bytes.len()];
        execute(op, &[&bytes], &mut [&mut out]).unwrap();
        out.chunks_exact(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn tallies_run_either_way() {
        let input = [2, 1, 3, 5, 3, 8];
        let of =
            |axis, decreasing, exclusive| sums(&op(DataType::UINT32, 32, &[2, 3], axis, decreasing, exclusive), &input);
        assert_eq!(of(1, false, false), [2, 3, 6, 5, 8, 16]);
        assert_eq!(of(1, false, true), [0, 2, 3, 0, 5, 8]);
        assert_eq!(of(1, true, false), [6, 4, 3, 16, 11, 8]);
        assert_eq!(of(1, true, true), [4, 3, 0, 11, 8, 0]);
        assert_eq!(of(0, false, false), [2, 1, 3, 7, 4, 11]);
    }

    #[test]
    fn whole_numbers_wrap() {
        let op = op(DataType::INT32, 32, &[3], 0, false, false);
        assert_eq!(
            sums(&op, &[i32::MAX as u32, 1, 1]),
            [i32::MAX as u32, 1 << 31, (1 << 31) + 1]
        );
    }

    #[test]
    fn halves_are_rounded_once_an_element() {
        let op = op(DataType::FLOAT16, 16, &[3], 0, false, false);
        let input: Vec<u8> = [2048f32, 1.0, 1.0]
            .iter()
            .flat_map(|x| f16::from_f32(*x).to_le_bytes())
            .collect();
        let mut out = vec![0; 6];
        execute(&op, &[&input], &mut [&mut out]).unwrap();
        let last = f16::from_le_bytes([out[4], out[5]]).to_f32();
        assert_eq!(last, 2050.0);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mut wrong = op(DataType::UINT32, 32, &[2, 3], 2, false, false);
        assert_eq!(
            execute(&wrong, &[&[0; 24]], &mut [&mut [0; 24]]),
            Err(KernelError::Axis { axis: 2, rank: 2 })
        );
        wrong.axis = 0;
        wrong.output_tensor = Some(TensorDesc::packed(DataType::UINT32.0, 32, &[3, 3]));
        assert_eq!(
            execute(&wrong, &[&[0; 24]], &mut [&mut [0; 36]]),
            Err(KernelError::Sizes)
        );
        assert!(execute(&wrong, &[], &mut []).is_err());
    }
}
