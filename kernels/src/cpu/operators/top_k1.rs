//! TOP_K1: the K largest or smallest elements of every sequence along an axis, and their indices.
//!
//! An element becomes an unsigned key in whose order the wanted elements come first; key and index together form one
//! integer, a candidate. Candidates are all different, so ties ascend by index and an unstable sort gives one answer.
//! Keys only choose: what is written are the input's own bytes, so the sign of zero and NaN payloads survive.

use std::cell::Cell;

use dml_ops::{AxisDirection, DataType, top_k1::TopK1};
use dml_spec::TensorDesc;

use crate::cpu::{
    KernelError,
    view::{self, Layout},
};

/// Selects from `inputs[0]` into `outputs[0]` (values) and `outputs[1]` (indices).
///
/// # Errors
/// Where tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &TopK1, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let run = match DataType(given(&op.input_tensor)?.data_type) {
        DataType::FLOAT32 => run::<4, Float, u64>,
        DataType::FLOAT16 => run::<2, Float, u64>,
        DataType::UINT64 => run::<8, Unsigned, u128>,
        DataType::UINT32 => run::<4, Unsigned, u64>,
        DataType::UINT16 => run::<2, Unsigned, u64>,
        DataType::UINT8 => run::<1, Unsigned, u64>,
        DataType::INT64 => run::<8, Signed, u128>,
        DataType::INT32 => run::<4, Signed, u64>,
        DataType::INT16 => run::<2, Signed, u64>,
        DataType::INT8 => run::<1, Signed, u64>,
        DataType(other) => return Err(KernelError::DataType(other)),
    };
    match (inputs, outputs) {
        ([input], [values, indices]) => run(op, input, values, indices),
        (inputs, outputs) => Err(KernelError::Buffers {
            inputs: inputs.len(),
            outputs: outputs.len(),
        }),
    }
}

fn given(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, KernelError> {
    tensor.as_ref().ok_or(KernelError::Absent)
}

/// `execute` for elements of `W` bytes in the order `O`, with candidates `C` wide enough for both.
fn run<const W: usize, O: Order, C: Candidate>(
    op: &TopK1,
    input: &[u8],
    values: &mut [u8],
    indices: &mut [u8],
) -> Result<(), KernelError> {
    let index_tensor = given(&op.output_index_tensor)?;
    let write_index = match DataType(index_tensor.data_type) {
        DataType::UINT32 => view::write::<4>,
        DataType::UINT64 => view::write::<8>,
        DataType(other) => return Err(KernelError::DataType(other)),
    };
    let index_width = if index_tensor.data_type == DataType::UINT64.0 {
        8
    } else {
        4
    };
    let from = Layout::new(given(&op.input_tensor)?, W, input.len())?;
    let to = Layout::new(given(&op.output_value_tensor)?, W, values.len())?;
    let index_to = Layout::new(index_tensor, index_width, indices.len())?;

    let (axis, k) = (op.axis as usize, op.k as usize);
    let starts = view::sequences([&from, &to, &index_to], axis)?;
    if k == 0 || k > from.size(axis) || k != to.size(axis) || k != index_to.size(axis) {
        return Err(KernelError::Sizes);
    }
    let flip = if op.axis_direction == AxisDirection::INCREASING {
        0
    } else {
        all_ones::<W>()
    };
    let (size, stride) = (from.size(axis), from.stride(axis));
    C::with_scratch(|best| {
        for [start, value_at, index_at] in starts {
            let element = |index: usize| view::read::<W>(input, start + index * stride);
            if stride == 1 {
                let sequence = input.get(start * W..).unwrap_or_default().chunks_exact(W).take(size);
                select(
                    sequence.map(|element| O::key::<W>(view::first::<W>(element)) ^ flip),
                    k,
                    best,
                );
            } else {
                select((0..size).map(|index| O::key::<W>(element(index)) ^ flip), k, best);
            }
            for (place, candidate) in best.iter().enumerate() {
                let index = candidate.index();
                view::write::<W>(values, value_at + place * to.stride(axis), element(index as usize));
                write_index(indices, index_at + place * index_to.stride(axis), index.into());
            }
        }
    });
    Ok(())
}

/// Sequences up to this long are sorted whole.
const SHORT: usize = 32;

/// Leaves the first `k` candidates of a sequence in `best`, in order.
///
/// Only elements that come before the `k`-th best so far are kept, and every `k` or more of them the list is cut back
/// to `k`: one pass, linear time, memory in proportion to `k` alone.
fn select<C: Candidate>(keys: impl Iterator<Item = u64>, k: usize, best: &mut Vec<C>) {
    let room = (2 * k).max(64);
    best.clear();
    let mut bar = C::BEYOND;
    for (key, index) in keys.zip(0..) {
        let candidate = C::new(key, index);
        if candidate >= bar {
            continue;
        }
        if best.len() == room {
            let (_, kth, _) = best.select_nth_unstable(k - 1);
            bar = *kth;
            best.truncate(k);
        }
        best.push(candidate);
    }
    if best.len() > k.max(SHORT) {
        best.select_nth_unstable(k - 1);
        best.truncate(k);
    }
    best.sort_unstable();
    best.truncate(k);
}

/// Maps elements to keys: unsigned integers of the same width, in ascending order of the elements.
trait Order {
    /// Key of an element of `W` bytes, from its bits.
    fn key<const W: usize>(bits: u64) -> u64;
}

/// IEEE 754 floating point: both zeros share a key, and NaNs lie beyond the infinity of their sign.
enum Float {}

/// Two's complement.
enum Signed {}

/// Unsigned integers.
enum Unsigned {}

impl Order for Float {
    #[inline]
    fn key<const W: usize>(bits: u64) -> u64 {
        let magnitude = bits & !sign_bit::<W>();
        if bits == magnitude {
            sign_bit::<W>() + magnitude
        } else {
            sign_bit::<W>() - magnitude
        }
    }
}

impl Order for Signed {
    #[inline]
    fn key<const W: usize>(bits: u64) -> u64 {
        bits ^ sign_bit::<W>()
    }
}

impl Order for Unsigned {
    #[inline]
    fn key<const W: usize>(bits: u64) -> u64 {
        bits
    }
}

/// The highest bit of an element of `W` bytes.
const fn sign_bit<const W: usize>() -> u64 {
    1 << (8 * W - 1)
}

/// Every bit of an element of `W` bytes.
const fn all_ones<const W: usize>() -> u64 {
    u64::MAX >> (64 - 8 * W)
}

/// Key above, index below: ordered by key, then by index, and no two of a sequence are equal.
trait Candidate: Copy + Ord + 'static {
    /// Above every candidate: an axis has at most `u32::MAX` elements, so no index is `u32::MAX`.
    const BEYOND: Self;

    fn new(key: u64, index: u32) -> Self;

    fn index(self) -> u32;

    /// Lends a vector that earlier calls on this thread may have grown: most calls are too small to pay for one.
    fn with_scratch(work: impl FnOnce(&mut Vec<Self>));
}

/// Candidates that a thread keeps room for between calls.
const KEEP: usize = 1 << 16;

macro_rules! candidate {
    ($integer:ty) => {
        impl Candidate for $integer {
            const BEYOND: Self = Self::MAX;

            #[inline]
            fn new(key: u64, index: u32) -> Self {
                Self::from(key) << (Self::BITS / 2) | Self::from(index)
            }

            #[inline]
            fn index(self) -> u32 {
                // The index is the low half; what lies above it is dropped on purpose.
                self as u32
            }

            fn with_scratch(work: impl FnOnce(&mut Vec<Self>)) {
                thread_local!(static SCRATCH: Cell<Vec<$integer>> = const { Cell::new(Vec::new()) });
                let mut scratch = SCRATCH.take();
                work(&mut scratch);
                scratch.clear();
                scratch.shrink_to(KEEP);
                SCRATCH.set(scratch);
            }
        }
    };
}

candidate!(u64); // keys of up to 32 bits
candidate!(u128);

#[cfg(test)]
#[path = "top_k1/tests.rs"]
mod tests;
