//! Mistakes that implementations of selections make, and the outputs they lead to.

use std::{cell::OnceCell, collections::BTreeSet, rc::Rc};

use super::{Selection, axes, rank};
use crate::oracle::{
    Guess, Lanes, Seen,
    guess::{Elements, fixed},
    reduction::tails,
};
use dml_case::number::Number;

/// All of them, the most likely first.
pub(in crate::oracle) fn all<'a>(s: Selection<'a>, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
    let orders = Orders::new(s, seen);
    let mut guesses = axes::all(s, seen);
    if in_range(&s, seen) {
        guesses.extend(skipped(&orders, seen));
        guesses.extend([
            reversed_ties(orders.clone()),
            shifted(orders.clone()),
            once(orders),
            signed_zeros(s),
        ]);
    }
    guesses
}

/// Whether the indices that were written are some of each sequence, each once, as in any order of its elements.
pub(in crate::oracle) fn in_range(s: &Selection, seen: &Seen) -> bool {
    let Some(indices) = seen.outputs.get(1) else {
        return false;
    };
    let mut owner = vec![usize::MAX; s.lanes.size];
    let mut sound = |lane: usize, slot: usize| {
        let at = s.out.place(lane, slot);
        let index = indices.get(at).and_then(|index| usize::try_from(*index).ok());
        let owner = index.and_then(|index| owner.get_mut(index));
        owner.is_some_and(|owner| std::mem::replace(owner, lane) != lane) || seen.is_untouched(1, at)
    };
    (0..s.out.count()).all(|lane| (0..s.out.size).all(|slot| sound(lane, slot)))
}

/// The right order of every lane, sorted once where a guess comes so far.
#[derive(Clone)]
struct Orders<'a> {
    selection: Selection<'a>,
    seen: &'a Seen<'a>,
    keys: Rc<OnceCell<Vec<Number>>>,
    sorted: Rc<[OnceCell<Vec<usize>>]>,
}

impl<'a> Orders<'a> {
    fn new(selection: Selection<'a>, seen: &'a Seen<'a>) -> Self {
        let lanes = 0..selection.lanes.count();
        Self {
            selection,
            seen,
            keys: Rc::default(),
            sorted: lanes.map(|_| OnceCell::new()).collect(),
        }
    }

    /// The selection with every lane's order changed first; slots beyond its end are left open. `None` as soon as a
    /// lane is not what was seen.
    fn changed(&self, change: impl Fn(usize, &mut Vec<usize>)) -> Option<Elements> {
        let s = &self.selection;
        let mut outputs = vec![vec![None; s.out.count() * s.out.size]; 2];
        let [values, indices] = self.seen.outputs else {
            return None;
        };
        for (lane, sorted) in self.sorted.iter().enumerate() {
            let mut order = sorted.get_or_init(|| self.sort(lane)).clone();
            change(lane, &mut order);
            for (slot, index) in order.into_iter().take(s.out.size).enumerate() {
                let at = s.out.place(lane, slot);
                let (bits, index) = (s.bits(lane, index), index as u64);
                if values.get(at) != Some(&bits) || indices.get(at) != Some(&index) {
                    return None;
                }
                outputs[0][at] = Some(bits);
                outputs[1][at] = Some(index);
            }
        }
        Some(outputs)
    }

    fn sort(&self, lane: usize) -> Vec<usize> {
        let (s, mut order) = (&self.selection, Vec::new());
        let keys = self.keys.get_or_init(|| s.input.numbers());
        s.order(keys, s.lanes, lane, &mut order);
        order.into_iter().map(|(_, index)| index).collect()
    }
}

/// Some indices take no part in any sequence: the last one, the first one, a whole tail, or one that is never seen.
fn skipped<'a>(orders: &Orders<'a>, seen: &Seen<'a>) -> Vec<Guess<'a>> {
    let Lanes { size, .. } = orders.selection.lanes;
    let indices = |outputs: &[Vec<u64>]| -> BTreeSet<u64> { outputs.get(1).into_iter().flatten().copied().collect() };
    let (actual, expected) = (indices(seen.outputs), indices(seen.expected));
    let missing: Vec<u64> = expected.difference(&actual).copied().collect();
    let mut guesses = Vec::new();
    let mut add = |says: String, takes_part: Box<dyn Fn(usize) -> bool + 'a>| {
        let orders = orders.clone();
        let gives = move || orders.changed(|_, order| order.retain(|index| takes_part(*index)));
        guesses.push(Guess::new("element-skipped", says, gives));
    };
    for end in tails(size) {
        if missing.iter().any(|index| *index >= end as u64) {
            let what = if end + 1 == size {
                "the last element of every sequence takes".to_owned()
            } else {
                format!("elements from index {end} on of every sequence take")
            };
            add(format!("{what} no part"), Box::new(move |index| index < end));
        }
    }
    match missing.as_slice() {
        [0] => add(
            "the first element of every sequence takes no part".to_owned(),
            Box::new(|index| index != 0),
        ),
        [only] if orders.selection.lanes.count() > 1 => {
            let only = *only;
            add(
                format!("element {only} of every sequence takes no part"),
                Box::new(move |index| index as u64 != only),
            );
        }
        _ => {}
    }
    guesses
}

/// The order starts one element too late.
fn shifted(orders: Orders) -> Guess {
    let says = "the first element of the order is passed over and the selection starts with the second";
    let gives = move || orders.changed(|_, order| drop(order.drain(..order.len().min(1))));
    Guess::new("not-selected", says, gives)
}

/// Of equal elements only one is taken.
fn once(orders: Orders) -> Guess {
    let says = "of equal elements only the first is selected";
    Guess::new("element-skipped", says, move || {
        let s = &orders.selection;
        let same = |lane, a, b| rank(s.number(lane, a), s.number(lane, b), false).is_eq();
        orders.changed(|lane, order| order.dedup_by(|a, b| same(lane, *a, *b)))
    })
}

/// Of equal elements the last comes first.
fn reversed_ties(orders: Orders) -> Guess {
    let says = "equal elements stand by descending index, and of those at the K-th place the last are selected";
    Guess::new("tie-order", says, move || {
        let s = &orders.selection;
        let same = |lane, a, b| rank(s.number(lane, a), s.number(lane, b), false).is_eq();
        let reverse = |lane, order: &mut Vec<usize>| {
            let runs = order.chunk_by_mut(|a, b| same(lane, *a, *b));
            runs.for_each(<[usize]>::reverse);
        };
        orders.changed(reverse)
    })
}

/// Zeros are ordered by their sign.
fn signed_zeros(s: Selection) -> Guess {
    Guess::new(
        "tie-order",
        "-0 is ordered below +0, although the two are equal",
        move || {
            let keys: Vec<Number> = s.input.numbers().into_iter().map(Number::with_signed_zeros).collect();
            Some(fixed(s.select(&keys)))
        },
    )
}
