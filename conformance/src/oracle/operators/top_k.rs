//! TOP_K: the K largest elements of every sequence, largest first, ties by ascending index.

use crate::{
    export::OnnxForm,
    number::Number,
    oracle::{Call, Guess, Input, Mismatch, Oracle, Seen, selection, selection::Selection},
};

/// The oracle.
pub(super) static ORACLE: TopK = TopK;

/// See the module.
pub(super) struct TopK;

fn selection<'a>(call: &'a Call<'a>) -> Option<Selection<'a>> {
    Selection::of(call, call.uint("Axis")?, call.uint("K")?, true)
}

impl Oracle for TopK {
    fn classes(&self) -> &'static [&'static str] {
        selection::CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let keys: Vec<_> = call.inputs.iter().map(Input::numbers).collect();
        self.ordered_by(call, &keys).unwrap_or_default()
    }

    fn ordered_by(&self, call: &Call, keys: &[Vec<Number>]) -> Option<Vec<Vec<u64>>> {
        Some(selection(call)?.select(keys.first()?))
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        selection(call).map_or_else(Vec::new, |selection| selection::check(&selection, outputs))
    }

    fn holds(&self, property: &str, call: &Call, outputs: &[Vec<u64>]) -> Option<Vec<Mismatch>> {
        let property = selection::property(property)?;
        Some(
            selection(call)
                .and_then(|selection| property(&selection, outputs))
                .into_iter()
                .collect(),
        )
    }

    fn does(&self, behaviour: &str, call: &Call, outputs: &[Vec<u64>]) -> Option<bool> {
        selection::does(&selection(call)?, behaviour, outputs)
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        selection(call).map_or_else(Vec::new, |selection| selection::exposes(&selection))
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        Some(OnnxForm {
            op_type: "TopK",
            opset: 11,
            attributes: vec![("axis", call.uint("Axis")?.into()), ("largest", 1), ("sorted", 1)],
            lists: vec![("K", vec![call.uint("K")?.into()])],
            gives: vec![None, Some("INT64")],
        })
    }

    fn may_be_ordered(&self, call: &Call, seen: &Seen) -> bool {
        selection(call).is_some_and(|selection| selection::in_range(&selection, seen))
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
        selection(call).map_or_else(Vec::new, |selection| selection::guesses(selection, seen))
    }
}

#[cfg(test)]
#[path = "top_k/tests.rs"]
mod tests;
