//! The oracle of operators that select along an axis.

use super::Selection;
use crate::oracle::{Call, ComputingFault, Oracle};

/// An operator with an `Axis` and a `K`.
pub(in crate::oracle) struct OfSelection {
    /// Whether the largest elements of a call come first; `None` where it does not say.
    pub(in crate::oracle) decreasing: fn(&Call) -> Option<bool>,
}

impl OfSelection {
    fn selection<'a>(&self, call: &'a Call<'a>) -> Option<Selection<'a>> {
        Selection::of(call, call.uint("Axis")?, call.uint("K")?, (self.decreasing)(call)?)
    }
}

impl Oracle for OfSelection {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let selection = self.selection(call);
        selection.map_or_else(Vec::new, |selection| selection.select_plain())
    }

    fn faults(&self) -> Vec<ComputingFault> {
        super::faults(self.decreasing)
    }
}
