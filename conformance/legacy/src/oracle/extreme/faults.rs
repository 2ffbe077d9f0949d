//! Wrong searches for an extreme, for the zoo: each is written here once more, without the oracle.

use std::{cmp::Ordering, sync::Arc};

use crate::oracle::{
    Call, ComputingFault, Right,
    reduction::{
        Sets,
        faults::{CUTS, cut},
    },
};
use dml_case::number::{Number, decode};

/// A set of a reduction: places of its elements in the input and the elements.
type Set<'a> = &'a [(usize, Number)];

/// What a call looks for.
#[derive(Clone, Copy)]
pub(in crate::oracle) struct Search {
    /// The largest element or the smallest.
    pub(in crate::oracle) largest: bool,
    /// Whether the last of equal elements counts.
    pub(in crate::oracle) last: bool,
}

impl Search {
    /// Whether the first of two elements wins.
    fn wins(self, a: Number, b: Number) -> bool {
        let order = a.order(b).unwrap_or(Ordering::Equal);
        (if self.largest { order } else { order.reverse() }) == Ordering::Greater
    }
}

/// What a call looks for; `None` where it looks for no extreme.
pub(in crate::oracle) type Asks = Arc<dyn Fn(&Call) -> Option<Search> + Send + Sync>;

/// All of them.
pub(in crate::oracle) fn all(asks: Asks) -> Vec<ComputingFault> {
    let index = |name, says, right, of: fn(Set, Search, usize) -> Option<usize>| index(&asks, name, says, right, of);
    let symptom = || Right::Symptom(&[]);
    let skipped = || Right::Symptom(&[]);
    let mut all = vec![
        index(
            "other-extreme",
            "the other extreme is looked for",
            symptom(),
            |set, search, _| {
                let other = Search {
                    largest: !search.largest,
                    ..search
                };
                chosen(set, other)
            },
        ),
        index(
            "last-of-set-skipped",
            "the last element of every set takes no part",
            skipped(),
            |set, search, _| {
                chosen(
                    set.split_last()
                        .map_or(set, |(_, rest)| if rest.is_empty() { set } else { rest }),
                    search,
                )
            },
        ),
        index(
            "first-of-set-skipped",
            "the first element of every set takes no part",
            skipped(),
            |set, search, _| {
                let rest = set.split_first().map_or(set, |(_, rest)| rest);
                chosen(rest, search).map(|index| index + 1).or(Some(0))
            },
        ),
        index(
            "set-tail-lost",
            "what does not fill a vector of 4 takes no part",
            skipped(),
            |set, search, _| {
                chosen(
                    set.get(..set.len() / 4 * 4)
                        .filter(|part| !part.is_empty())
                        .unwrap_or(set),
                    search,
                )
            },
        ),
        index(
            "ties-first-always",
            "of equal elements the first always counts",
            symptom(),
            |set, search, _| chosen(set, Search { last: false, ..search }),
        ),
        index(
            "ties-last-always",
            "of equal elements the last always counts",
            symptom(),
            |set, search, _| chosen(set, Search { last: true, ..search }),
        ),
        index(
            "ties-flipped",
            "of equal elements the other one counts",
            symptom(),
            |set, search, _| {
                chosen(
                    set,
                    Search {
                        last: !search.last,
                        ..search
                    },
                )
            },
        ),
        indices(
            &asks,
            "other-tie-over-axes",
            "of equal elements the other one counts where several axes are reduced",
            symptom(),
            |set, search, _, axes| {
                let last = search.last != (axes > 1);
                chosen(set, Search { last, ..search })
            },
        ),
        index(
            "index-of-tensor",
            "the index counts the elements of the whole tensor",
            Right::Named(&["index-of-tensor"]),
            |set, search, _| {
                chosen(set, search)
                    .and_then(|index| set.get(index))
                    .map(|(place, _)| *place)
            },
        ),
        index(
            "index-from-one",
            "the index counts from 1",
            symptom(),
            |set, search, _| chosen(set, search).map(|index| index + 1),
        ),
        index(
            "index-from-the-end",
            "the index counts from the end of the set",
            symptom(),
            |set, search, _| chosen(set, search).map(|index| set.len() - 1 - index),
        ),
        index("index-always-zero", "the index is always 0", symptom(), |_, _, _| {
            Some(0)
        }),
        index(
            "neighbours-only",
            "only neighbours are compared",
            symptom(),
            |set, search, _| {
                set.windows(2)
                    .position(|pair| !search.wins(pair[1].1, pair[0].1))
                    .or_else(|| set.len().checked_sub(1))
            },
        ),
        index(
            "last-merge-missing",
            "only the first half of a set is looked at",
            skipped(),
            |set, search, _| chosen(set.get(..set.len().div_ceil(2)).unwrap_or(set), search),
        ),
        index(
            "start-value-zero",
            "the search starts from 0 instead of the first element",
            symptom(),
            |set, search, _| {
                let beats = |(_, n): &(usize, Number)| search.wins(*n, zero(*n));
                if set.iter().any(beats) {
                    chosen(set, search)
                } else {
                    Some(0)
                }
            },
        ),
        index(
            "odd-sets-unwritten",
            "every second set is never written",
            Right::Named(&["unwritten"]),
            |set, search, number| {
                if number % 2 == 1 { None } else { chosen(set, search) }
            },
        ),
        index(
            "first-set-for-all",
            "all indices are those of even sets",
            symptom(),
            |set, search, number| {
                let index = chosen(set, search)?;
                Some(if number % 2 == 1 { set.len() - 1 - index } else { index })
            },
        ),
        index(
            "index-of-sixteen-bits",
            "indices have 16 bits",
            symptom(),
            |set, search, _| chosen(set, search).map(|index| index & 0xffff),
        ),
    ];
    all.extend(CUTS.map(|most| {
        let (name, says) = cut(most);
        indices(&asks, name, says, skipped(), move |set, search, _, _| {
            chosen(set.get(..most).unwrap_or(set), search)
        })
    }));
    all.extend([256, 1024].map(|block| {
        let name = format!("ends-of-blocks-of-{block}-skipped");
        let says = format!("the last element of every block of {block} takes no part");
        indices(&asks, name, says, skipped(), move |set, search, _, _| {
            let places: Vec<usize> = (0..set.len()).filter(|at| at % block != block - 1).collect();
            let rest: Vec<_> = places.iter().filter_map(|at| set.get(*at).copied()).collect();
            chosen(&rest, search).and_then(|at| places.get(at).copied())
        })
    }));
    all
}

fn zero(like: Number) -> Number {
    match like {
        Number::Int(_) => Number::Int(0),
        Number::Float(_) => Number::Float(0.0),
    }
}

/// Index in a set of the element that wins, of equal ones the last or the first.
fn chosen(set: Set, search: Search) -> Option<usize> {
    let mut best: Option<(usize, Number)> = None;
    for (index, (_, number)) in set.iter().enumerate() {
        let better =
            best.is_none_or(|(_, known)| search.wins(*number, known) || (search.last && !search.wins(known, *number)));
        if better {
            best = Some((index, *number));
        }
    }
    best.map(|(index, _)| index)
}

/// A fault that gives another index of a set: from its elements, what is looked for, and its number.
fn index(
    asks: &Asks,
    name: &'static str,
    says: &'static str,
    right: Right,
    of: fn(Set, Search, usize) -> Option<usize>,
) -> ComputingFault {
    indices(asks, name, says, right, move |set, search, at, _| of(set, search, at))
}

/// The same, from the number of reduced axes as well.
fn indices(
    asks: &Asks,
    name: impl Into<String>,
    says: impl Into<String>,
    right: Right,
    of: impl Fn(Set, Search, usize, usize) -> Option<usize> + Send + Sync + 'static,
) -> ComputingFault {
    let asks = Arc::clone(asks);
    ComputingFault::new(name, says, right, move |call: &Call, right| {
        let (search, input) = (asks(call)?, call.inputs.first()?);
        let axes = call.uints("Axes").unwrap_or_default();
        let sets = Sets::of(&input.shape.sizes, axes)?;
        let number = |place: &usize| {
            let bits = input.elements.get(*place).copied().unwrap_or(0);
            (*place, decode(&input.shape.ty, bits))
        };
        let given = sets.iter().enumerate().map(|(at, places)| {
            let set: Vec<(usize, Number)> = places.iter().map(number).collect();
            of(&set, search, at, axes.len()).map(|index| index as u64)
        });
        let given: Vec<Option<u64>> = given.collect();
        (right.len() == 1).then_some(vec![given])
    })
}
