//! The oracle of operators that select along an axis.

use super::{CLASSES, Selection};
use crate::oracle::{Call, ComputingFault, Guess, Mismatch, OnnxForm, Oracle, Seen};
use dml_case::number::Number;

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
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let selection = self.selection(call);
        selection.map_or_else(Vec::new, |selection| selection.select_plain())
    }

    fn ordered_by(&self, call: &Call, keys: &[Vec<Number>]) -> Option<Vec<Vec<u64>>> {
        Some(self.selection(call)?.select(keys.first()?))
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        self.selection(call)
            .map_or_else(Vec::new, |selection| super::check(&selection, outputs))
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        self.selection(call)
            .map_or_else(Vec::new, |selection| super::exposes(&selection))
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        Some(OnnxForm {
            op_type: "TopK",
            opset: 11,
            attributes: vec![
                ("axis", call.uint("Axis")?.into()),
                ("largest", i64::from((self.decreasing)(call)?)),
                ("sorted", 1),
            ],
            lists: vec![("K", vec![call.uint("K")?.into()])],
            gives: vec![None, Some("INT64")],
        })
    }

    fn may_be_ordered(&self, call: &Call, seen: &Seen) -> bool {
        self.selection(call)
            .is_some_and(|selection| super::in_range(&selection, seen))
    }

    fn faults(&self) -> Vec<ComputingFault> {
        super::faults(self.decreasing)
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
        self.selection(call)
            .map_or_else(Vec::new, |selection| super::guesses(selection, seen))
    }
}
