//! ONE_HOT: sequences of one value, but for the place that an index names.

#[path = "one_hot/faults.rs"]
mod faults;

use crate::oracle::{Call, ComputingFault, Input, Lanes, Oracle};
use dml_case::number::{Number, decode};

/// The oracle.
pub(super) static ORACLE: OneHot = OneHot;

/// See the module.
pub(super) struct OneHot;

/// A call whose tensors there are.
#[derive(Clone, Copy)]
struct Parts<'a> {
    indices: &'a Input<'a>,
    lanes: Lanes,
    off: u64,
    on: u64,
}

fn parts<'a>(call: &'a Call<'a>) -> Option<Parts<'a>> {
    let ([indices, values], [output]) = (call.inputs.as_slice(), call.outputs.as_slice()) else {
        return None;
    };
    let axis = usize::try_from(call.uint("Axis")?).ok()?;
    let lanes = Lanes::along(&output.sizes, axis)?;
    // In row-major order the 1st element along the last dimension that has several is the 1st of all.
    let (off, on) = (*values.elements.first()?, *values.elements.get(1)?);
    (indices.elements.len() == lanes.count()).then_some(Parts {
        indices,
        lanes,
        off,
        on,
    })
}

impl Parts<'_> {
    fn size(&self) -> i128 {
        self.lanes.size as i128
    }

    /// The index of a sequence as it is written.
    fn written(&self, lane: usize) -> i128 {
        let bits = self.indices.elements.get(lane).copied().unwrap_or(0);
        match decode(&self.indices.shape.ty, bits) {
            Number::Int(index) => index,
            Number::Float(_) => 0,
        }
    }

    /// The place that an index means; it may lie beyond either end.
    fn meant(&self, index: i128) -> i128 {
        if index < 0 { index + self.size() } else { index }
    }

    /// The output if the on value stood at `at` of each sequence, from its number and index; nowhere if that lies
    /// outside of it.
    fn hot(&self, at: impl Fn(usize, i128) -> i128) -> Vec<Vec<u64>> {
        let mut output = vec![self.off; self.lanes.count() * self.lanes.size];
        for lane in 0..self.lanes.count() {
            let index = usize::try_from(at(lane, self.written(lane))).ok();
            if let Some(index) = index.filter(|index| *index < self.lanes.size) {
                output[self.lanes.place(lane, index)] = self.on;
            }
        }
        vec![output]
    }
}

impl Oracle for OneHot {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        parts(call).map_or_else(Vec::new, |p| p.hot(|_, index| p.meant(index)))
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}
