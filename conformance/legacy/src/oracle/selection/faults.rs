//! Wrong selections for the zoo: each is written here once more, without the oracle.

use std::cmp::Ordering;

use dml_spec::model::{DataType, NumberClass};

use crate::oracle::{Call, ComputingFault, Lane, Right, guess::Elements, lanes};
use dml_case::{
    number::{Number, decode, encode_float},
    random::Random,
};

/// Whether the largest elements of a call come first.
type Decreasing = fn(&Call) -> Option<bool>;

/// An index of an element with the element.
type Ranked = (usize, Number);

/// All of them.
pub(in crate::oracle) fn all(decreasing: Decreasing) -> Vec<ComputingFault> {
    let mut all = ties(decreasing);
    all.extend(skipping(decreasing));
    all.extend(CUTS.map(|(most, name, says)| {
        ordering(name, says, Right::Symptom(&[]), decreasing, move |all, down, _| {
            all.truncate(most);
            stable(all, down);
        })
    }));
    all.extend(slots(decreasing));
    all.extend(indices());
    all.push(pads(decreasing));
    all.extend(axes(decreasing));
    all
}

/// Where a selection may stop too early: elements that take part, name, and the mistake in words.
const CUTS: [(usize, &str, &str); 7] = [
    (64, "lane-over-64-cut", "elements from index 64 on take no part"),
    (128, "lane-over-128-cut", "elements from index 128 on take no part"),
    (256, "lane-over-256-cut", "elements from index 256 on take no part"),
    (512, "lane-over-512-cut", "elements from index 512 on take no part"),
    (1024, "lane-over-1024-cut", "elements from index 1024 on take no part"),
    (2048, "lane-over-2048-cut", "elements from index 2048 on take no part"),
    (4096, "lane-over-4096-cut", "elements from index 4096 on take no part"),
];

fn axis(call: &Call) -> Option<usize> {
    call.uint("Axis").and_then(|axis| usize::try_from(axis).ok())
}

/// A fault of the order: `sort` puts all elements of a lane, which come by ascending index, into an order; the first K
/// are written.
fn ordering(
    name: &'static str,
    says: &'static str,
    right: Right,
    decreasing: Decreasing,
    sort: impl Fn(&mut Vec<Ranked>, bool, usize) + Send + Sync + 'static,
) -> ComputingFault {
    of_type(name, says, right, decreasing, move |_, all, decreasing, k| {
        sort(all, decreasing, k)
    })
}

/// The same, where the data type of the elements matters.
fn of_type(
    name: &'static str,
    says: &'static str,
    right: Right,
    decreasing: Decreasing,
    sort: impl Fn(&DataType, &mut Vec<Ranked>, bool, usize) + Send + Sync + 'static,
) -> ComputingFault {
    lanes(name, says, right, axis, move |call, lane, outputs| {
        let (Some(decreasing), Some(input)) = (decreasing(call), call.inputs.first()) else {
            return;
        };
        let mut order = elements(call, lane);
        sort(&input.shape.ty, &mut order, decreasing, lane.output.size);
        put(call, lane, &order, outputs);
    })
}

fn elements(call: &Call, lane: Lane) -> Vec<Ranked> {
    let Some(input) = call.inputs.first() else {
        return Vec::new();
    };
    let at = |index: usize| {
        input
            .elements
            .get(lane.input.place(lane.number, index))
            .copied()
            .unwrap_or(0)
    };
    (0..lane.input.size)
        .map(|index| (index, decode(&input.shape.ty, at(index))))
        .collect()
}

/// Writes the first K of an order; slots behind its end are left unwritten.
fn put(call: &Call, lane: Lane, order: &[Ranked], outputs: &mut Elements) {
    let [values, indices, ..] = outputs.as_mut_slice() else {
        return;
    };
    let read = lane.number % lane.input.count().max(1);
    let bits = |index: usize| {
        let elements = &call.inputs.first()?.elements;
        elements.get(lane.input.place(read, index)).copied()
    };
    for slot in 0..lane.output.size {
        let at = lane.output.place(lane.number, slot);
        if let (Some(value), Some(index)) = (values.get_mut(at), indices.get_mut(at)) {
            let chosen = order.get(slot).map(|(index, _)| *index);
            *value = chosen.and_then(bits);
            *index = chosen.map(|index| index as u64);
        }
    }
}

/// What comes first; NaN comes last.
fn first(a: Number, b: Number, decreasing: bool) -> Ordering {
    match (a.order(b), decreasing) {
        (Some(order), false) => order,
        (Some(order), true) => order.reverse(),
        (None, _) => a.is_nan().cmp(&b.is_nan()),
    }
}

fn stable(order: &mut [Ranked], decreasing: bool) {
    order.sort_by(|a, b| first(a.1, b.1, decreasing));
}

fn ties(decreasing: Decreasing) -> Vec<ComputingFault> {
    let order = || Right::Named(&["tie-order", "tie-boundary"]);
    vec![
        ordering(
            "highest-index-first",
            "of equal elements the last comes first",
            order(),
            decreasing,
            |all, down, _| {
                all.reverse();
                stable(all, down);
            },
        ),
        ordering(
            "ties-right-only-decreasing",
            "increasing, of equal elements the last comes first",
            order(),
            decreasing,
            |all, down, _| {
                if !down {
                    all.reverse();
                }
                stable(all, down);
            },
        ),
        ordering(
            "ties-right-only-increasing",
            "decreasing, of equal elements the last comes first",
            order(),
            decreasing,
            |all, down, _| {
                if down {
                    all.reverse();
                }
                stable(all, down);
            },
        ),
        ordering(
            "unstable-ties",
            "equal elements come in no particular order",
            order(),
            decreasing,
            |all, down, _| {
                Random::of(all.len() as u64).shuffle(all);
                stable(all, down);
            },
        ),
        ordering(
            "highest-index-for-one",
            "where K is 1, of equal elements the last is selected",
            order(),
            decreasing,
            |all, down, k| {
                if k == 1 {
                    all.reverse();
                }
                stable(all, down);
            },
        ),
        ordering(
            "highest-index-over-16",
            "where K is above 16, of equal elements the last comes first",
            order(),
            decreasing,
            |all, down, k| {
                if k > 16 {
                    all.reverse();
                }
                stable(all, down);
            },
        ),
        of_type(
            "half-minus-zero-below-plus-zero",
            "-0 of FLOAT16 is ordered below +0",
            order(),
            decreasing,
            |ty, all, down, _| {
                let key = |n: Number| if ty.bits == 16 { n.with_signed_zeros() } else { n };
                all.sort_by(|a, b| first(key(a.1), key(b.1), down));
            },
        ),
        ordering(
            "ties-by-low-16-bits",
            "of equal elements comes first the one whose index has the lower low 16 bits",
            order(),
            decreasing,
            |all, down, _| {
                all.sort_by_key(|(index, _)| index & 0xffff);
                stable(all, down);
            },
        ),
        ordering(
            "boundary-tie-wrong",
            "of the elements that equal the K-th the last are selected, and stand by ascending index",
            Right::Named(&["tie-boundary"]),
            decreasing,
            |all, down, k| {
                stable(all, down);
                let Some(last) = k.checked_sub(1).and_then(|last| all.get(last)).copied() else {
                    return;
                };
                let (inside, rest): (Vec<Ranked>, Vec<Ranked>) = all
                    .iter()
                    .partition(|element| first(element.1, last.1, down) == Ordering::Less);
                let equal: Vec<Ranked> = rest
                    .into_iter()
                    .filter(|element| first(element.1, last.1, down) == Ordering::Equal)
                    .collect();
                let from = equal.len().saturating_sub(k - inside.len());
                *all = inside.into_iter().chain(equal.into_iter().skip(from)).collect();
            },
        ),
        ordering(
            "minus-zero-below-plus-zero",
            "-0 is ordered below +0",
            order(),
            decreasing,
            |all, down, _| {
                let key = |n: Number| n.with_signed_zeros();
                all.sort_by(|a, b| first(key(a.1), key(b.1), down));
            },
        ),
    ]
}

fn skipping(decreasing: Decreasing) -> Vec<ComputingFault> {
    let skipped = || Right::Named(&["element-skipped", "unwritten"]);
    vec![
        ordering(
            "duplicates-skipped",
            "of equal elements only the first is selected",
            skipped(),
            decreasing,
            |all, down, _| {
                stable(all, down);
                all.dedup_by(|b, a| first(a.1, b.1, down) == Ordering::Equal);
            },
        ),
        ordering(
            "last-of-lane-skipped",
            "the last element of every sequence takes no part",
            skipped(),
            decreasing,
            |all, down, _| {
                all.pop();
                stable(all, down);
            },
        ),
        ordering(
            "first-of-lane-skipped",
            "the first element of every sequence takes no part",
            skipped(),
            decreasing,
            |all, down, _| {
                all.drain(..all.len().min(1));
                stable(all, down);
            },
        ),
        ordering(
            "lane-tail-lost",
            "what does not fill a vector of 4 takes no part",
            skipped(),
            decreasing,
            |all, down, _| {
                all.truncate(all.len() / 4 * 4);
                stable(all, down);
            },
        ),
        ordering(
            "best-passed-over",
            "the selection starts with the second best",
            Right::Symptom(&[]),
            decreasing,
            |all, down, _| {
                stable(all, down);
                all.drain(..all.len().min(1));
            },
        ),
        ordering(
            "infinity-dropped",
            "infinities take no part",
            // Where too few are left, nothing is written to the last places.
            Right::Symptom(&["unwritten"]),
            decreasing,
            |all, down, _| {
                all.retain(|(_, n)| n.is_finite());
                stable(all, down);
            },
        ),
    ]
}

/// Sequences are filled up to a multiple of 4 by the infinity that comes last, which beats those of the sequence.
fn pads(decreasing: Decreasing) -> ComputingFault {
    lanes(
        "padding-selected",
        "elements that fill a sequence up to a multiple of 4 come before infinities that come last",
        Right::Symptom(&["precision"]),
        axis,
        move |call, lane, outputs| {
            let (Some(down), Some(input)) = (decreasing(call), call.inputs.first()) else {
                return;
            };
            let ty = &input.shape.ty;
            let size = lane.input.size;
            if ty.class != NumberClass::Float || size % 4 == 0 {
                return;
            }
            let worst = if down { f64::NEG_INFINITY } else { f64::INFINITY };
            let mut order = elements(call, lane);
            stable(&mut order, down);
            let real = order.iter().take_while(|(_, n)| *n != Number::Float(worst)).count();
            let pads = (size..size.next_multiple_of(4)).map(|index| (index, Number::Float(worst)));
            order.splice(real..real, pads);
            let [values, indices, ..] = outputs.as_mut_slice() else {
                return;
            };
            for (slot, (index, n)) in order.iter().enumerate().take(lane.output.size).skip(real) {
                let at = lane.output.place(lane.number, slot);
                if let (Some(value), Some(slot)) = (values.get_mut(at), indices.get_mut(at)) {
                    (*value, *slot) = (Some(encode_float(ty, n.double())), Some(*index as u64));
                }
            }
        },
    )
}

fn slots(decreasing: Decreasing) -> Vec<ComputingFault> {
    let sorted = || Right::Named(&["not-sorted"]);
    vec![
        ordering(
            "k-minus-one",
            "one element too few is selected",
            Right::Named(&["unwritten"]),
            decreasing,
            |all, down, k| {
                stable(all, down);
                all.truncate(k - k.min(1));
            },
        ),
        ordering(
            "k-even",
            "an odd K is rounded down",
            Right::Named(&["unwritten"]),
            decreasing,
            |all, down, k| {
                stable(all, down);
                all.truncate(k & !1);
            },
        ),
        lanes(
            "k-plus-one",
            "one element too many is selected, and written over the next sequence's first",
            Right::Symptom(&[]),
            axis,
            move |call, lane, outputs| {
                let Some(decreasing) = decreasing(call) else { return };
                // Sequences are finished from the last to the first, so that what is too much stays.
                let (before, lanes) = (lane.number.checked_sub(lane.input.inner), lane.input);
                let Some(number) = before else { return };
                let mut order = elements(call, Lane { number, ..lane });
                stable(&mut order, decreasing);
                let Some((index, _)) = order.get(lane.output.size).copied() else {
                    return;
                };
                let at = lane.output.place(lane.number, 0);
                let bits = call
                    .inputs
                    .first()
                    .and_then(|input| input.elements.get(lanes.place(number, index)).copied());
                if let [values, indices, ..] = outputs.as_mut_slice()
                    && let (Some(value), Some(slot)) = (values.get_mut(at), indices.get_mut(at))
                {
                    (*value, *slot) = (bits, Some(index as u64));
                }
            },
        ),
        ordering(
            "selected-unsorted",
            "the right elements stand by ascending index",
            sorted(),
            decreasing,
            |all, down, k| {
                stable(all, down);
                all.truncate(k);
                all.sort_by_key(|(index, _)| *index);
            },
        ),
        ordering(
            "worst-first",
            "the right elements stand from the worst to the best",
            sorted(),
            decreasing,
            |all, down, k| {
                stable(all, down);
                all.truncate(k);
                all.reverse();
            },
        ),
        ordering(
            "last-merge-missing",
            "two halves of a sequence are sorted and not merged",
            Right::Symptom(&[]),
            decreasing,
            |all, down, _| {
                let half = all.len().div_ceil(2);
                let (left, right) = all.split_at_mut(half);
                stable(left, down);
                stable(right, down);
            },
        ),
        ordering(
            "last-compare-missing",
            "the last two selected elements are not compared",
            sorted(),
            decreasing,
            |all, down, k| {
                stable(all, down);
                if let (Some(a), Some(b)) = (k.checked_sub(2), k.checked_sub(1))
                    && b < all.len()
                {
                    all.swap(a, b);
                }
            },
        ),
    ]
}

fn indices() -> Vec<ComputingFault> {
    let of = |name, says, right, change: fn(&Lane, usize, u64) -> u64| {
        lanes(name, says, right, axis, move |_, lane, outputs| {
            let Some(indices) = outputs.get_mut(1) else { return };
            for slot in 0..lane.output.size {
                if let Some(Some(index)) = indices.get_mut(lane.output.place(lane.number, slot)) {
                    *index = change(&lane, slot, *index);
                }
            }
        })
    };
    vec![
        of(
            "index-of-tensor",
            "indices count the elements of the whole tensor",
            Right::Named(&["index-of-tensor"]),
            |lane, _, index| lane.input.place(lane.number, usize::try_from(index).unwrap_or(0)) as u64,
        ),
        of(
            "index-from-one",
            "indices count from 1",
            Right::Symptom(&[]),
            |_, _, index| index + 1,
        ),
        of(
            "index-of-16-bits",
            "indices are kept in 16 bits",
            Right::Symptom(&[]),
            |_, _, index| index & 0xffff,
        ),
        of(
            "index-from-the-end",
            "indices count from the end of the sequence",
            Right::Symptom(&[]),
            |lane, _, index| (lane.input.size as u64).saturating_sub(1).saturating_sub(index),
        ),
        of(
            "index-is-slot",
            "indices are those of the slots",
            Right::Symptom(&[]),
            |_, slot, _| slot as u64,
        ),
        lanes(
            "index-width-ignored",
            "64-bit indices are written as pairs of 32-bit ones",
            Right::Symptom(&["unwritten", "precision"]),
            axis,
            |call, lane, outputs| {
                if call.outputs.get(1).is_none_or(|shape| shape.ty.bits != 64) || lane.number > 0 {
                    return;
                }
                let Some(indices) = outputs.get_mut(1) else { return };
                let written: Vec<u64> = indices.iter().map(|index| index.unwrap_or(0)).collect();
                for (at, slot) in indices.iter_mut().enumerate() {
                    let pair = written.get(2 * at).zip(written.get(2 * at + 1).or(Some(&0)));
                    *slot = pair.map(|(low, high)| low | high << 32);
                }
            },
        ),
    ]
}

/// Sequences along another axis, written where those of the right one belong.
fn axes(decreasing: Decreasing) -> Vec<ComputingFault> {
    let along = |name, says, other: fn(usize, usize) -> Option<usize>| {
        ComputingFault::new(name, says, Right::Symptom(&[]), move |call, right| {
            let own = axis(call)?;
            let sizes = &call.inputs.first()?.shape.sizes;
            let other = other(own, sizes.len()).filter(|other| *other != own && *other < sizes.len())?;
            let input = crate::oracle::Lanes::along(sizes, other)?;
            let output = crate::oracle::Lanes::along(&call.outputs.first()?.sizes, own)?;
            let mut outputs = crate::oracle::guess::fixed(right.to_vec());
            for number in 0..output.count() {
                let lane = Lane { input, output, number };
                let mut order = elements(
                    call,
                    Lane {
                        number: number % input.count().max(1),
                        ..lane
                    },
                );
                stable(&mut order, decreasing(call)?);
                let last = order.last().copied();
                order.resize(output.size.max(order.len()), last?);
                put(call, Lane { number, ..lane }, &order, &mut outputs);
            }
            Some(outputs)
        })
    };
    vec![
        along(
            "axis-from-the-end",
            "the axis is counted from the last one",
            |axis, rank| rank.checked_sub(1 + axis),
        ),
        along("axis-plus-one", "the axis after the right one is taken", |axis, _| {
            Some(axis + 1)
        }),
        along("axis-minus-one", "the axis before the right one is taken", |axis, _| {
            axis.checked_sub(1)
        }),
        along("axis-always-last", "the last axis is taken", |_, rank| {
            rank.checked_sub(1)
        }),
        along("axis-always-first", "the first axis is taken", |_, _| Some(0)),
    ]
}
