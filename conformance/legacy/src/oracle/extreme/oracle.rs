//! The oracle of operators that give the index of an extreme.

use std::sync::Arc;

use super::{Extreme, Search};
use crate::oracle::{Call, ComputingFault, Oracle};

/// An operator with `Axes` and an `AxisDirection` that says which of equal elements counts.
pub(in crate::oracle) struct OfExtreme {
    /// Whether it is the largest element or the smallest.
    pub(in crate::oracle) largest: bool,
}

impl OfExtreme {
    fn extreme<'a>(&self, call: &'a Call<'a>) -> Option<Extreme<'a>> {
        let axes = call.uints("Axes").unwrap_or_default();
        // `DML_AXIS_DIRECTION_DECREASING` is 1.
        Extreme::of(call, axes, self.largest, call.uint("AxisDirection")? == 1)
    }
}

impl Oracle for OfExtreme {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let indices = |extreme: Extreme| vec![extreme.indices(extreme.numbers())];
        self.extreme(call).map(indices).unwrap_or_default()
    }

    fn faults(&self) -> Vec<ComputingFault> {
        let largest = self.largest;
        super::faults(Arc::new(move |call| {
            let last = call.uint("AxisDirection")? == 1;
            Some(Search { largest, last })
        }))
    }
}
