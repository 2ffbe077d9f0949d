//! The oracle of operators that give the index of an extreme.

use std::sync::Arc;

use super::{CLASSES, Extreme, Search};
use crate::oracle::{Call, ComputingFault, Guess, Mismatch, OnnxForm, Oracle, Seen};
use dml_case::number::Number;

/// An operator with `Axes` and an `AxisDirection` that says which of equal elements counts.
pub(in crate::oracle) struct OfExtreme {
    /// Whether it is the largest element or the smallest.
    pub(in crate::oracle) largest: bool,
    /// What ONNX calls it.
    pub(in crate::oracle) onnx: &'static str,
}

impl OfExtreme {
    fn extreme<'a>(&self, call: &'a Call<'a>) -> Option<Extreme<'a>> {
        let axes = call.uints("Axes").unwrap_or_default();
        // `DML_AXIS_DIRECTION_DECREASING` is 1.
        Extreme::of(call, axes, self.largest, call.uint("AxisDirection")? == 1)
    }
}

impl Oracle for OfExtreme {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let indices = |extreme: Extreme| vec![extreme.indices(extreme.numbers())];
        self.extreme(call).map(indices).unwrap_or_default()
    }

    fn ordered_by(&self, call: &Call, keys: &[Vec<Number>]) -> Option<Vec<Vec<u64>>> {
        Some(vec![self.extreme(call)?.indices(keys.first()?)])
    }

    fn faults(&self) -> Vec<ComputingFault> {
        let largest = self.largest;
        super::faults(Arc::new(move |call| {
            let last = call.uint("AxisDirection")? == 1;
            Some(Search { largest, last })
        }))
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        self.extreme(call)
            .map_or_else(Vec::new, |extreme| extreme.check(outputs))
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        self.extreme(call).map_or_else(Vec::new, |extreme| extreme.exposes())
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        self.extreme(call)?.onnx(self.onnx)
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, _: &'a Seen<'a>) -> Vec<Guess<'a>> {
        self.extreme(call)
            .map_or_else(Vec::new, |of| super::guesses(of, |of, keys| of.indices(keys)))
    }
}
