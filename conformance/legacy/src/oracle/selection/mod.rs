//! What selecting operators share: outputs that hold the first K elements of every lane of an input, and their
//! indices. The naive computation stands here.

mod faults;
mod oracle;

pub(super) use faults::all as faults;
pub(super) use oracle::OfSelection;

use super::{Call, Input, Lanes};
use dml_case::number::{Number, decode};

/// A selecting call whose shapes fit together.
#[derive(Clone, Copy)]
pub(super) struct Selection<'a> {
    input: &'a Input<'a>,
    /// Lanes of the input.
    lanes: Lanes,
    /// Lanes of both outputs; their size is K.
    out: Lanes,
    decreasing: bool,
}

impl<'a> Selection<'a> {
    /// The selection a call makes: values and indices of the first `k` elements along `axis`.
    pub(super) fn of(call: &'a Call<'a>, axis: u32, k: u32, decreasing: bool) -> Option<Self> {
        let input = call.inputs.first()?;
        let (axis, k) = (usize::try_from(axis).ok()?, usize::try_from(k).ok()?);
        let lanes = Lanes::along(&input.shape.sizes, axis)?;
        let out = Lanes { size: k, ..lanes };
        let fits = call
            .outputs
            .iter()
            .all(|shape| Lanes::along(&shape.sizes, axis) == Some(out));
        let there = input.elements.len() == lanes.count() * lanes.size && (1..=lanes.size).contains(&k);
        (fits && there && call.outputs.len() == 2).then_some(Self {
            input,
            lanes,
            out,
            decreasing,
        })
    }

    /// Values and indices, elements ordered by what they are.
    fn select_plain(&self) -> Vec<Vec<u64>> {
        let (elements, ty) = (&self.input.elements, &self.input.shape.ty);
        let key = |place: usize| {
            let number = decode(ty, elements.get(place).copied().unwrap_or(0));
            place_in_order(number, self.decreasing)
        };
        self.select_with(|lane, order| {
            order.extend((0..self.lanes.size).map(|index| (key(self.lanes.place(lane, index)), index)));
            // What is not selected need not be in order.
            let (selected, _, _) = order.select_nth_unstable(self.out.size - 1);
            selected.sort_unstable();
        })
    }

    /// Values and indices, where `fill` puts a lane's keys and indices into an empty list, those that are selected first
    /// and in order.
    fn select_with<K>(&self, mut fill: impl FnMut(usize, &mut Vec<(K, usize)>)) -> Vec<Vec<u64>> {
        let mut values = vec![0; self.out.count() * self.out.size];
        let mut indices = values.clone();
        let mut order = Vec::with_capacity(self.lanes.size);
        for lane in 0..self.lanes.count() {
            order.clear();
            fill(lane, &mut order);
            for (slot, (_, index)) in order.iter().take(self.out.size).enumerate() {
                let place = self.out.place(lane, slot);
                values[place] = self.bits(lane, *index);
                indices[place] = *index as u64;
            }
        }
        vec![values, indices]
    }

    /// Bits of an element of a lane.
    #[inline]
    fn bits(&self, lane: usize, index: usize) -> u64 {
        self.input
            .elements
            .get(self.lanes.place(lane, index))
            .copied()
            .unwrap_or(0)
    }
}

/// A whole number that orders numbers of one data type. NaN comes last, so that the order is total.
fn place_in_order(number: Number, decreasing: bool) -> i128 {
    let ascending = match number {
        Number::Int(n) => n,
        Number::Float(x) if x.is_nan() => return i128::MAX,
        // The bits of a positive double ascend as it does.
        Number::Float(x) if x < 0.0 => -i128::from((-x).to_bits()),
        Number::Float(x) => i128::from(x.abs().to_bits()),
    };
    if decreasing { -ascending } else { ascending }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    /// What comes first; NaN comes last, so that the order is total whatever the elements are.
    fn rank(a: Number, b: Number, decreasing: bool) -> Ordering {
        match (a.order(b), decreasing) {
            (Some(order), false) => order,
            (Some(order), true) => order.reverse(),
            (None, _) => a.is_nan().cmp(&b.is_nan()),
        }
    }

    #[test]
    fn places_order_numbers_as_their_ranks_do() {
        let floats = [
            f64::NEG_INFINITY,
            -1.5,
            -f64::from_bits(1),
            -0.0,
            0.0,
            f64::from_bits(1),
            2.0,
            f64::INFINITY,
        ];
        let floats = floats.into_iter().chain([f64::NAN, -f64::NAN]).map(Number::Float);
        let whole = [i128::from(i64::MIN), -1, 0, 1, i128::from(u64::MAX)].map(Number::Int);
        for numbers in [floats.collect::<Vec<_>>(), whole.to_vec()] {
            for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
                for decreasing in [false, true] {
                    let place = |number| place_in_order(number, decreasing);
                    assert_eq!(place(a).cmp(&place(b)), rank(a, b, decreasing), "{a} {b} {decreasing}");
                }
            }
        }
    }
}
