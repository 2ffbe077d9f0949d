//! The property checker: every named element is looked at beside all others of its set.

use super::Extreme;
use crate::oracle::{Mismatch, reduction};
use dml_case::number::{Number, mask};

/// Classes from the most telling to the least.
const PRIORITY: &[&str] = &["index-out-of-range", "not-extreme", "tie-not-first", "tie-not-last"];

impl Extreme<'_> {
    /// Which promises the indices break; see [`crate::oracle::Oracle::check`].
    pub(in crate::oracle) fn check(&self, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let found = match outputs {
            [found] if found.len() == self.sets.count() => found,
            _ => return vec![missing()],
        };
        let mut broken = self.broken(found, self.largest, self.last);
        if broken.is_empty() {
            return broken;
        }
        let other = self
            .narrowed(found)
            .or_else(|| self.turned(found, &broken))
            .or_else(|| self.counted(found));
        if let Some(other) = other {
            return vec![other];
        }
        // Where an extreme is named everywhere, the ties alone are wrong and nothing else needs explaining.
        if broken.iter().all(is_tie) {
            broken.iter_mut().for_each(|mismatch| mismatch.whole = true);
        }
        broken
    }

    /// The broken promises one by one.
    fn broken(&self, found: &[u64], largest: bool, last: bool) -> Vec<Mismatch> {
        let mut broken: Vec<Mismatch> = Vec::new();
        for (at, (set, bits)) in self.sets.iter().zip(found).enumerate() {
            if let Some((class, message)) = self.wrong(at, set, *bits, largest, last)
                && broken.iter().all(|known| known.class != class)
            {
                broken.push(Mismatch {
                    class,
                    output: 0,
                    at: at as u64,
                    message,
                    whole: false,
                });
            }
        }
        broken.sort_by_key(|mismatch| PRIORITY.iter().position(|class| *class == mismatch.class));
        broken
    }

    /// What is wrong with one output.
    fn wrong(&self, at: usize, set: &[usize], bits: u64, largest: bool, last: bool) -> Option<(&'static str, String)> {
        let Some(index) = self.index(bits) else {
            let (raw, size) = (dml_case::number::decode(&self.output.ty, bits), set.len());
            let message = format!(
                "index {raw} lies outside the {size} elements of the set {}",
                self.name(at)
            );
            return Some(("index-out-of-range", message));
        };
        let named = self.number(*set.get(index)?);
        let mut tie = None;
        for (other, number) in set.iter().map(|place| self.number(*place)).enumerate() {
            if beyond(number, named, largest) {
                let than = if largest { "larger" } else { "smaller" };
                let message = format!(
                    "{named} at {index} is named, but {number} at {other} of the set {} is {than}",
                    self.name(at)
                );
                return Some(("not-extreme", message));
            }
            let equal = number.order(named).is_some_and(std::cmp::Ordering::is_eq);
            if equal && (if last { other > index } else { other < index }) {
                tie = tie.or(Some((other, number)));
            }
        }
        let (other, number) = tie?;
        let (class, which) = if last {
            ("tie-not-last", "last")
        } else {
            ("tie-not-first", "first")
        };
        let message = format!(
            "of equal elements {number} of the set {}, the one at {index} is named and not the {which}, as {other} shows",
            self.name(at)
        );
        Some((class, message))
    }

    /// Whether the indices are those of the other extreme, or of the other end of ties.
    fn turned(&self, found: &[u64], broken: &[Mismatch]) -> Option<Mismatch> {
        let first = broken.first()?;
        let turned = |class, message: String| Mismatch {
            class,
            message,
            whole: true,
            ..first.clone()
        };
        // Where an extreme is named, it is not the other one that was looked for.
        if first.class == "not-extreme" && self.broken(found, !self.largest, self.last).iter().all(is_tie) {
            let (done, asked) = if self.largest {
                ("smallest", "largest")
            } else {
                ("largest", "smallest")
            };
            let message = format!("the {done} elements are named instead of the {asked}");
            return Some(turned("extreme-flipped", message));
        }
        if self.broken(found, self.largest, !self.last).is_empty() {
            let (done, asked) = if self.last {
                ("first", "last")
            } else {
                ("last", "first")
            };
            let message = format!("of equal elements the {done} is named instead of the {asked}");
            // Without a direction nothing is flipped.
            let class = if self.directed {
                "direction-flipped"
            } else {
                "tie-not-first"
            };
            return Some(turned(class, message));
        }
        None
    }

    /// Whether of the right indices the low bits alone are left, and some of those. Without any they may as well be those
    /// of the other extreme.
    fn narrowed(&self, found: &[u64]) -> Option<Mismatch> {
        let right = self.indices(self.numbers);
        let bits = [8, 16].into_iter().find(|bits| {
            let mut pairs = right.iter().zip(found);
            pairs.all(|(right, found)| right & mask(*bits) == *found)
        })?;
        let (at, index) = right
            .iter()
            .zip(found)
            .enumerate()
            .find_map(|(at, (right, found))| (right != found && *found != 0).then_some((at, right)))?;
        let message = format!(
            "of the indices the low {bits} bits are left: {} of {index}",
            index & mask(bits)
        );
        Some(Mismatch {
            class: "index-width",
            output: 0,
            at: at as u64,
            message,
            whole: true,
        })
    }

    /// Whether the right elements are named by indices that count otherwise.
    fn counted(&self, found: &[u64]) -> Option<Mismatch> {
        let shape = &self.input.shape;
        let coordinates = |place: usize| shape.coordinates(place as u64);
        let offset = |_: usize, place: usize| -> u64 {
            let at = coordinates(place);
            at.iter()
                .zip(&shape.strides)
                .map(|(c, s)| u64::from(*c) * u64::from(*s))
                .sum()
        };
        // The first axis counts fastest.
        let column_major = |_: usize, place: usize| -> u64 {
            let at = coordinates(place);
            let reduced = (0..at.len()).filter(|d| self.axes.iter().any(|axis| *axis as usize == *d));
            let along = reduced.map(|d| (u64::from(at[d]), u64::from(shape.sizes[d])));
            along
                .fold((0, 1), |(index, step), (c, size)| (index + c * step, step * size))
                .0
        };
        let place = |_: usize, place: usize| place as u64;
        let first_axis = |_: usize, place: usize| along(self.axes.iter().min(), &coordinates(place));
        let last_axis = |_: usize, place: usize| along(self.axes.iter().max(), &coordinates(place));
        type Reading<'a> = (&'static str, &'a str, &'a dyn Fn(usize, usize) -> u64);
        let readings: [Reading; 5] = [
            (
                "index-column-major",
                "count along the first reduced axis first",
                &column_major,
            ),
            ("index-of-tensor", "count elements from the start of the tensor", &place),
            (
                "index-of-tensor",
                "count elements from the start of the buffer",
                &offset,
            ),
            ("index-of-tensor", "count along the last reduced axis alone", &last_axis),
            (
                "index-of-tensor",
                "count along the first reduced axis alone",
                &first_axis,
            ),
        ];
        for (class, how, reading) in readings {
            if self.tell(self.numbers, &self.sets, reading) == found {
                let right = self.indices(self.numbers);
                let at = right.iter().zip(found).position(|(a, b)| a != b)?;
                let message = format!("the indices {how}: {} instead of {}", found.get(at)?, right.get(at)?);
                return Some(Mismatch {
                    class,
                    output: 0,
                    at: at as u64,
                    message,
                    whole: true,
                });
            }
        }
        None
    }

    /// Classes of the checker that wrong indices could show.
    pub(in crate::oracle) fn exposes(&self) -> Vec<&'static str> {
        let mut classes = Vec::new();
        let mut add = |class, can: bool| {
            if can && !classes.contains(&class) {
                classes.push(class);
            }
        };
        let long = self
            .axes
            .iter()
            .filter(|axis| self.input.shape.sizes.get(**axis as usize) > Some(&1));
        let (several, sets) = (long.count() > 1, self.sets.count());
        add("index-out-of-range", self.sets.size() > 1);
        add("index-of-tensor", sets > 1 && self.sets.size() > 1);
        for set in self.sets.iter() {
            let numbers = || set.iter().map(|place| self.number(*place));
            let Some(top) = numbers().reduce(|a, b| if beyond(b, a, self.largest) { b } else { a }) else {
                continue;
            };
            let (equal, all) = (
                numbers()
                    .filter(|n| n.order(top).is_some_and(std::cmp::Ordering::is_eq))
                    .count(),
                set.len(),
            );
            add("not-extreme", equal < all);
            add(if self.last { "tie-not-last" } else { "tie-not-first" }, equal > 1);
            add("index-column-major", several && equal < all);
        }
        classes
    }
}

/// The coordinate along an axis.
fn along(axis: Option<&u32>, at: &[u32]) -> u64 {
    axis.and_then(|axis| at.get(*axis as usize))
        .copied()
        .unwrap_or(0)
        .into()
}

fn is_tie(mismatch: &Mismatch) -> bool {
    mismatch.class.starts_with("tie-")
}

/// Whether `a` lies beyond `b` on the side that is looked for.
fn beyond(a: Number, b: Number, largest: bool) -> bool {
    a.order(b)
        .is_some_and(|order| if largest { order.is_gt() } else { order.is_lt() })
}

fn missing() -> Mismatch {
    Mismatch {
        class: "not-extreme",
        output: 0,
        at: 0,
        message: "the outputs are not one index for each set".to_owned(),
        whole: true,
    }
}

/// Indices of tensors that are reduced along other axes, told by [`guesses`](super::guesses).
pub(super) fn other_axes(extreme: &Extreme) -> Vec<Vec<u32>> {
    reduction::other_axes(&extreme.input.shape.sizes, extreme.axes)
}
