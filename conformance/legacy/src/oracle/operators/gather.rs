//! GATHER: elements taken along an axis by their indices.

#[path = "gather/faults.rs"]
mod faults;

use crate::oracle::{Call, ComputingFault, Input, Lanes, Oracle};
use dml_case::number::{Number, decode};

/// The oracle.
pub(super) static ORACLE: Gather = Gather;

/// See the module.
pub(super) struct Gather;

/// A call whose tensors there are.
#[derive(Clone, Copy)]
struct Parts<'a> {
    input: &'a Input<'a>,
    indices: &'a Input<'a>,
    axis: usize,
    /// Elements along the axis.
    size: i128,
    /// Elements of the output.
    elements: usize,
}

fn parts<'a>(call: &'a Call<'a>) -> Option<Parts<'a>> {
    let [input, indices] = call.inputs.as_slice() else {
        return None;
    };
    let axis = usize::try_from(call.uint("Axis")?).ok()?;
    let elements = usize::try_from(call.outputs.first()?.elements()).ok()?;
    Some(Parts {
        elements,
        input,
        indices,
        axis,
        size: i128::from(*input.shape.sizes.get(axis)?),
    })
}

impl Parts<'_> {
    /// An index as it is written.
    fn written(&self, at: usize) -> Option<i128> {
        match decode(&self.indices.shape.ty, *self.indices.elements.get(at)?) {
            Number::Int(index) => Some(index),
            Number::Float(_) => None,
        }
    }

    /// The element along the axis that an index means; it may lie beyond either end.
    fn meant(&self, index: i128) -> i128 {
        if index < 0 { index + self.size } else { index }
    }

    /// The output if `take` said which element along the axis an index takes; `None` leaves it open. The axis is cut
    /// out of the flat input, and the flat indices take its place: where dimensions of one element are cropped or
    /// added makes no difference to that.
    fn gathered(&self, take: impl Fn(usize) -> Option<i128>) -> Option<Vec<Option<u64>>> {
        // Along another axis there may be far more elements.
        if !self.has_room() {
            return None;
        }
        let lanes = Lanes::along(&self.input.shape.sizes, self.axis)?;
        let count = self.indices.elements.len();
        let mut output = Vec::with_capacity(self.elements);
        for outer in 0..lanes.outer {
            for at in 0..count {
                let index = take(at)
                    .and_then(|index| usize::try_from(index).ok())
                    .filter(|i| *i < lanes.size);
                for inner in 0..lanes.inner {
                    let from = |index: usize| (outer * lanes.size + index) * lanes.inner + inner;
                    output.push(index.and_then(|index| self.input.elements.get(from(index)).copied()));
                }
            }
        }
        Some(output)
    }

    /// Whether every element of the concatenation has its place in the output.
    fn has_room(&self) -> bool {
        let lanes = Lanes::along(&self.input.shape.sizes, self.axis);
        let places = |l: Lanes| l.outer.checked_mul(self.indices.elements.len())?.checked_mul(l.inner);
        lanes.and_then(places) == Some(self.elements)
    }

    fn clamped(&self, index: i128) -> i128 {
        index.clamp(0, self.size - 1)
    }
}

impl Oracle for Gather {
    /// Invalid indices take the nearest element.
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let output = parts(call).and_then(|p| p.gathered(|at| Some(p.clamped(p.meant(p.written(at)?)))));
        let output = output.and_then(|output| output.into_iter().collect());
        output.into_iter().collect()
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}
