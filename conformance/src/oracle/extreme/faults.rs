//! Wrong searches for an extreme, for the zoo: each is written here once more, without the oracle.

use std::cmp::Ordering;

use crate::{
    number::{Number, decode},
    oracle::{Call, reduction::Sets},
    zoo::{Fault, Right},
};

/// A set of a reduction: places of its elements in the input and the elements.
type Set<'a> = &'a [(usize, Number)];

/// All of them; `axes` are the reduced axes of a call, `best` tells which of two elements wins.
pub(in crate::oracle) fn all(largest: bool) -> Vec<Fault> {
    let wins = move |a: Number, b: Number| {
        let order = a.order(b).unwrap_or(Ordering::Equal);
        (if largest { order } else { order.reverse() }) == Ordering::Greater
    };
    let symptom = || Right::Symptom(&[]);
    let skipped = || Right::Symptom(&[]);
    vec![
        index(
            "other-extreme",
            "the other extreme is looked for",
            symptom(),
            move |set, last, _| chosen(set, last, |a, b| wins(b, a)),
        ),
        index(
            "last-of-set-skipped",
            "the last element of every set takes no part",
            skipped(),
            move |set, last, _| {
                chosen(
                    set.split_last()
                        .map_or(set, |(_, rest)| if rest.is_empty() { set } else { rest }),
                    last,
                    wins,
                )
            },
        ),
        index(
            "first-of-set-skipped",
            "the first element of every set takes no part",
            skipped(),
            move |set, last, _| {
                let rest = set.split_first().map_or(set, |(_, rest)| rest);
                chosen(rest, last, wins).map(|index| index + 1).or(Some(0))
            },
        ),
        index(
            "set-over-256-cut",
            "elements from the 257th of a set on take no part",
            skipped(),
            move |set, last, _| chosen(set.get(..256).unwrap_or(set), last, wins),
        ),
        index(
            "set-over-1024-cut",
            "elements from the 1025th of a set on take no part",
            skipped(),
            move |set, last, _| chosen(set.get(..1024).unwrap_or(set), last, wins),
        ),
        index(
            "set-tail-lost",
            "what does not fill a vector of 4 takes no part",
            skipped(),
            move |set, last, _| {
                chosen(
                    set.get(..set.len() / 4 * 4)
                        .filter(|part| !part.is_empty())
                        .unwrap_or(set),
                    last,
                    wins,
                )
            },
        ),
        index(
            "ties-first-always",
            "of equal elements the first always counts",
            symptom(),
            move |set, _, _| chosen(set, false, wins),
        ),
        index(
            "ties-last-always",
            "of equal elements the last always counts",
            symptom(),
            move |set, _, _| chosen(set, true, wins),
        ),
        index(
            "ties-flipped",
            "of equal elements the other one counts",
            symptom(),
            move |set, last, _| chosen(set, !last, wins),
        ),
        index(
            "index-of-tensor",
            "the index counts the elements of the whole tensor",
            Right::Named(&["index-of-tensor"]),
            move |set, last, _| {
                chosen(set, last, wins)
                    .and_then(|index| set.get(index))
                    .map(|(place, _)| *place)
            },
        ),
        index(
            "index-from-one",
            "the index counts from 1",
            symptom(),
            move |set, last, _| chosen(set, last, wins).map(|index| index + 1),
        ),
        index(
            "index-from-the-end",
            "the index counts from the end of the set",
            symptom(),
            move |set, last, _| chosen(set, last, wins).map(|index| set.len() - 1 - index),
        ),
        index("index-always-zero", "the index is always 0", symptom(), |_, _, _| {
            Some(0)
        }),
        index(
            "neighbours-only",
            "only neighbours are compared",
            symptom(),
            move |set, _, _| {
                set.windows(2)
                    .position(|pair| !wins(pair[1].1, pair[0].1))
                    .or_else(|| set.len().checked_sub(1))
            },
        ),
        index(
            "last-merge-missing",
            "only the first half of a set is looked at",
            skipped(),
            move |set, last, _| chosen(set.get(..set.len().div_ceil(2)).unwrap_or(set), last, wins),
        ),
        index(
            "start-value-zero",
            "the search starts from 0 instead of the first element",
            symptom(),
            move |set, last, _| {
                let beats = |(_, n): &(usize, Number)| wins(*n, zero(*n));
                if set.iter().any(beats) {
                    chosen(set, last, wins)
                } else {
                    Some(0)
                }
            },
        ),
        index(
            "odd-sets-unwritten",
            "every second set is never written",
            Right::Named(&["unwritten"]),
            move |set, last, number| {
                if number % 2 == 1 { None } else { chosen(set, last, wins) }
            },
        ),
        index(
            "first-set-for-all",
            "all indices are those of even sets",
            symptom(),
            move |set, last, number| {
                let index = chosen(set, last, wins)?;
                Some(if number % 2 == 1 { set.len() - 1 - index } else { index })
            },
        ),
    ]
}

fn zero(like: Number) -> Number {
    match like {
        Number::Int(_) => Number::Int(0),
        Number::Float(_) => Number::Float(0.0),
    }
}

/// Index in a set of the element that wins, of equal ones the last or the first.
fn chosen(set: Set, last: bool, wins: impl Fn(Number, Number) -> bool) -> Option<usize> {
    let mut best: Option<(usize, Number)> = None;
    for (index, (_, number)) in set.iter().enumerate() {
        let better = best.is_none_or(|(_, known)| wins(*number, known) || (last && !wins(known, *number)));
        if better {
            best = Some((index, *number));
        }
    }
    best.map(|(index, _)| index)
}

/// A fault that gives another index of a set: from its elements, whether the last of equal ones counts, and its number.
fn index(
    name: &'static str,
    says: &'static str,
    right: Right,
    of: impl Fn(Set, bool, usize) -> Option<usize> + Send + Sync + 'static,
) -> Fault {
    Fault::computing(name, says, right, move |call: &Call, right| {
        let input = call.inputs.first()?;
        let sets = Sets::of(&input.shape.sizes, call.uints("Axes").unwrap_or_default())?;
        let last = call.uint("AxisDirection")? == 1;
        let number = |place: &usize| {
            (
                *place,
                decode(&input.shape.ty, input.elements.get(*place).copied().unwrap_or(0)),
            )
        };
        let given = sets.iter().enumerate().map(|(at, places)| {
            let set: Vec<(usize, Number)> = places.iter().map(number).collect();
            of(&set, last, at).map(|index| index as u64)
        });
        let given: Vec<Option<u64>> = given.collect();
        (right.len() == 1).then_some(vec![given])
    })
}
