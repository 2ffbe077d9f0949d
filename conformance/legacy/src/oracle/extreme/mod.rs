//! What operators share that look for the largest or smallest element of every set of a reduction. The naive
//! computation stands here.

mod faults;
mod oracle;

use std::cmp::Ordering;

pub(super) use faults::{Asks, Search, all as faults};
pub(super) use oracle::OfExtreme;

use super::{Call, Input, Numbers, reduction::Sets};
use dml_case::{
    number::{Number, encode_int},
    tensor::Shape,
};

/// A call that looks for extremes and whose shapes fit together.
#[derive(Clone, Debug)]
pub(super) struct Extreme<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
    sets: Sets,
    numbers: Numbers<'a>,
    largest: bool,
    /// Whether the last of equal elements counts, not the first.
    last: bool,
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
            sets,
            numbers: Numbers::Of(input),
            largest,
            last,
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
}

/// What comes first; NaN comes last, so that the order is total whatever the elements are.
fn rank(a: Number, b: Number, largest: bool) -> Ordering {
    match (a.order(b), largest) {
        (Some(order), false) => order,
        (Some(order), true) => order.reverse(),
        (None, _) => a.is_nan().cmp(&b.is_nan()),
    }
}
