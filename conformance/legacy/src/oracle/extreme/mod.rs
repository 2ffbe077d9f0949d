//! What operators share that look for the largest or smallest element of every set of a reduction. The naive
//! computation stands here; the property checker uses none of it.

mod faults;
mod guesses;
mod open;
mod oracle;
mod properties;

use std::cmp::Ordering;

pub(super) use faults::{Asks, Search, all as faults};
pub(super) use guesses::all as guesses;
pub(super) use oracle::OfExtreme;

use super::{Call, Input, Numbers, OnnxForm, reduction::Sets};
use dml_case::{
    number::{Number, decode, encode_int},
    tensor::Shape,
};

/// Classes that the checker and the guesses name.
pub(super) const CLASSES: &[&str] = &[
    "axis-confused",
    "direction-flipped",
    "element-skipped",
    "extreme-flipped",
    "index-column-major",
    "index-of-tensor",
    "index-out-of-range",
    "index-width",
    "not-extreme",
    "tie-not-first",
    "tie-not-last",
];

/// A call that looks for extremes and whose shapes fit together.
#[derive(Clone, Debug)]
pub(super) struct Extreme<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
    /// The reduced axes as they are named.
    axes: &'a [u32],
    sets: Sets,
    numbers: Numbers<'a>,
    largest: bool,
    /// Whether the last of equal elements counts, not the first.
    last: bool,
    /// Whether the call says which of them counts.
    directed: bool,
}

impl<'a> Extreme<'a> {
    /// What the call looks for along `axes`.
    pub(super) fn of(call: &'a Call<'a>, axes: &'a [u32], largest: bool, last: bool) -> Option<Self> {
        let (input, [output]) = (call.inputs.first()?, call.outputs.as_slice()) else {
            return None;
        };
        let sets = Sets::of(&input.shape.sizes, axes)?;
        let fits = output.elements() == sets.count() as u64 && input.elements.len() == sets.count() * sets.size();
        (fits && sets.size() > 0).then_some(Self {
            input,
            output,
            axes,
            sets,
            numbers: Numbers::Of(input),
            largest,
            last,
            directed: call.uint("AxisDirection").is_some(),
        })
    }

    /// The outputs if elements were compared by `keys`, one an element of the input.
    pub(super) fn indices<'k>(&self, keys: impl Into<Numbers<'k>>) -> Vec<u64> {
        self.tell(keys.into(), &self.sets, |index, _| index as u64)
    }

    /// The bits of the extremes themselves, compared by `keys`.
    pub(super) fn elements<'k>(&self, keys: impl Into<Numbers<'k>>) -> Vec<u64> {
        let bits = |place: usize| self.input.elements.get(place).copied().unwrap_or(0);
        let chosen = self.chosen(keys.into(), &self.sets);
        chosen.into_iter().map(|(_, place)| bits(place)).collect()
    }

    /// The numbers of the input.
    pub(super) fn numbers(&self) -> Numbers<'a> {
        self.numbers
    }

    /// The call in ONNX, whose operator of this type takes one axis.
    pub(super) fn onnx(&self, op_type: &'static str) -> Option<OnnxForm> {
        let [axis] = self.axes else { return None };
        Some(OnnxForm {
            op_type,
            opset: 13,
            attributes: vec![
                ("axis", i64::from(*axis)),
                ("keepdims", 1),
                ("select_last_index", i64::from(self.last)),
            ],
            lists: Vec::new(),
            gives: vec![Some("INT64")],
        })
    }

    /// Index and place of every set's extreme.
    fn chosen(&self, keys: Numbers, sets: &Sets) -> Vec<(usize, usize)> {
        let key = |place: usize| keys.get(place).unwrap_or(Number::Int(0));
        let choose = |set: &[usize]| {
            let mut best = (0, set.first().copied().unwrap_or(0));
            for (index, place) in set.iter().copied().enumerate() {
                let order = rank(key(place), key(best.1), self.largest);
                if order == Ordering::Less || (self.last && order == Ordering::Equal) {
                    best = (index, place);
                }
            }
            best
        };
        sets.iter().map(choose).collect()
    }

    /// What an implementation would write that tells of each extreme, given its index and place, in another way.
    fn tell(&self, keys: Numbers, sets: &Sets, tell: impl Fn(usize, usize) -> u64) -> Vec<u64> {
        let encode = |told: u64| encode_int(&self.output.ty, i128::from(told));
        let chosen = self.chosen(keys, sets);
        chosen
            .into_iter()
            .map(|(index, place)| encode(tell(index, place)))
            .collect()
    }

    /// The index that an output holds, if it is one.
    fn index(&self, bits: u64) -> Option<usize> {
        match decode(&self.output.ty, bits) {
            Number::Int(n) => usize::try_from(n).ok().filter(|index| *index < self.sets.size()),
            Number::Float(_) => None,
        }
    }

    /// The number at a place.
    fn number(&self, place: usize) -> Number {
        self.numbers.get(place).unwrap_or(Number::Int(0))
    }

    /// A set in words: the coordinates of its elements with `*` for the reduced axes.
    fn name(&self, output: usize) -> String {
        let first = self.sets.get(output).first().copied().unwrap_or(0);
        let at = self.input.shape.coordinates(first as u64);
        let reduced = |d: usize| self.axes.iter().any(|axis| *axis as usize == d);
        let star = |(d, c): (usize, &u32)| if reduced(d) { "*".to_owned() } else { c.to_string() };
        format!("[{}]", at.iter().enumerate().map(star).collect::<Vec<_>>().join(","))
    }
}

/// What comes first; NaN comes last, so that the order is total whatever the elements are.
fn rank(a: Number, b: Number, largest: bool) -> Ordering {
    match (a.order(b), largest) {
        (Some(order), false) => order,
        (Some(order), true) => order.reverse(),
        (None, _) => a.is_nan().cmp(&b.is_nan()),
    }
}
