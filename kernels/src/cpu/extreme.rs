//! Extremes: the largest or smallest element of every set of a reduction, as itself or as its index.
//!
//! Elements are compared by unsigned keys in one pass; which of equal elements counts is a matter of whether a key has
//! to be above the best one so far or may equal it.

use dml_ops::DataType;
use dml_spec::TensorDesc;

use super::{
    KernelError, given,
    order::{Float, Order, Signed, Unsigned, all_ones},
    reduction::Reduction,
    view::{self, Layout},
};

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme<'a> {
    /// Elements to look through.
    pub(super) input: &'a Option<TensorDesc>,
    /// One element for each set.
    pub(super) output: &'a Option<TensorDesc>,
    /// The reduced axes.
    pub(super) axes: &'a [u32],
    /// Whether it is the largest element or the smallest.
    pub(super) largest: bool,
}

/// What is written of the element that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    /// A copy of the first such element.
    Element,
    /// The index of the first such element within its set.
    First,
    /// The index of the last such element within its set.
    Last,
}

impl Extreme<'_> {
    /// Looks through `inputs[0]` and writes to `outputs[0]`.
    ///
    /// # Errors
    /// Where tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
    pub(super) fn execute(&self, tell: Tell, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
        let run = match DataType(given(self.input)?.data_type) {
            DataType::FLOAT32 => run::<4, Float>,
            DataType::FLOAT16 => run::<2, Float>,
            DataType::UINT64 => run::<8, Unsigned>,
            DataType::UINT32 => run::<4, Unsigned>,
            DataType::UINT16 => run::<2, Unsigned>,
            DataType::UINT8 => run::<1, Unsigned>,
            DataType::INT64 => run::<8, Signed>,
            DataType::INT32 => run::<4, Signed>,
            DataType::INT16 => run::<2, Signed>,
            DataType::INT8 => run::<1, Signed>,
            DataType(other) => return Err(KernelError::DataType(other)),
        };
        match (inputs, outputs) {
            ([input], [output]) => run(self, tell, input, output),
            (inputs, outputs) => Err(KernelError::Buffers {
                inputs: inputs.len(),
                outputs: outputs.len(),
            }),
        }
    }
}

/// `execute` for elements of `W` bytes in the order `O`.
fn run<const W: usize, O: Order>(
    extreme: &Extreme,
    tell: Tell,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), KernelError> {
    let to = given(extreme.output)?;
    let (width, write): (_, fn(&mut [u8], usize, u64)) = match (tell, DataType(to.data_type)) {
        (Tell::Element, _) => (W, view::write::<W>),
        (_, DataType::UINT32 | DataType::INT32) => (4, view::write::<4>),
        (_, DataType::UINT64 | DataType::INT64) => (8, view::write::<8>),
        (_, DataType(other)) => return Err(KernelError::DataType(other)),
    };
    let from = Layout::new(given(extreme.input)?, W, input.len())?;
    let to = Layout::new(to, width, output.len())?;
    let reduction = Reduction::new(&from, &to, extreme.axes)?;
    let flip = if extreme.largest { 0 } else { all_ones::<W>() };
    for (start, at) in reduction.sets() {
        let mut best: Option<(u64, u64, usize)> = None;
        for (index, [offset]) in (0u64..).zip(reduction.set()) {
            let place = start + offset;
            let key = O::key::<W>(view::read::<W>(input, place)) ^ flip;
            let better = match best {
                None => true,
                Some((held, ..)) if tell == Tell::Last => key >= held,
                Some((held, ..)) => key > held,
            };
            if better {
                best = Some((key, index, place));
            }
        }
        if let Some((_, index, place)) = best {
            let found = if tell == Tell::Element {
                view::read::<W>(input, place)
            } else {
                index
            };
            write(output, at, found);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
