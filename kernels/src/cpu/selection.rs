//! Selections: the first K elements of every sequence along an axis in an order of their values, and their indices.
//!
//! An element becomes an unsigned key in whose order the wanted elements come first; key and index together form one
//! integer, a candidate. Candidates are all different, so ties ascend by index and an unstable sort gives one answer.
//! Keys only choose: what is written are the input's own bytes, so the sign of zero and NaN payloads survive.

use std::cell::Cell;

use dml_ops::DataType;
use dml_spec::TensorDesc;

use super::{
    KernelError, given,
    order::{Float, Order, Signed, Unsigned, all_ones},
    view::{self, Layout},
};

/// What is selected, and into which tensors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection<'a> {
    /// Elements to select from.
    pub(super) input: &'a Option<TensorDesc>,
    /// The selected elements.
    pub(super) values: &'a Option<TensorDesc>,
    /// Their indices.
    pub(super) indices: &'a Option<TensorDesc>,
    /// Dimension that the sequences run along.
    pub(super) axis: u32,
    /// How many elements are selected.
    pub(super) k: u32,
    /// Whether the largest elements come first.
    pub(super) largest: bool,
}

impl Selection<'_> {
    /// Selects from `inputs[0]` into `outputs[0]` (values) and `outputs[1]` (indices).
    ///
    /// # Errors
    /// Where tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
    pub(super) fn execute(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
        let run = match DataType(given(self.input)?.data_type) {
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
            ([input], [values, indices]) => run(self, input, values, indices),
            (inputs, outputs) => Err(KernelError::Buffers {
                inputs: inputs.len(),
                outputs: outputs.len(),
            }),
        }
    }
}

/// `execute` for elements of `W` bytes in the order `O`, with candidates `C` wide enough for both.
fn run<const W: usize, O: Order, C: Candidate>(
    selection: &Selection,
    input: &[u8],
    values: &mut [u8],
    indices: &mut [u8],
) -> Result<(), KernelError> {
    let index_tensor = given(selection.indices)?;
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
    let from = Layout::new(given(selection.input)?, W, input.len())?;
    let to = Layout::new(given(selection.values)?, W, values.len())?;
    let index_to = Layout::new(index_tensor, index_width, indices.len())?;

    let (axis, k) = (selection.axis as usize, selection.k as usize);
    let starts = view::sequences([&from, &to, &index_to], axis)?;
    if k == 0 || k > from.size(axis) || k != to.size(axis) || k != index_to.size(axis) {
        return Err(KernelError::Sizes);
    }
    let flip = if selection.largest { all_ones::<W>() } else { 0 };
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
