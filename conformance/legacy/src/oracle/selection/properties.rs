//! The property checker: what the guarantees promise, tested element by element, without sorting anything.

use super::Selection;
use crate::oracle::Mismatch;
use dml_case::number::{Number, decode, is_nan};

const VALUES: usize = 0;
const INDICES: usize = 1;

/// Classes from the most telling to the least: a wrong index makes nonsense of any order, a wrong selection of the
/// order within it, and ties only matter where everything else is right.
const PRIORITY: &[&str] = &[
    "index-out-of-range",
    "index-duplicate",
    "value-changed",
    "precision",
    "value-index-disagree",
    "not-selected",
    "not-sorted",
    "tie-order",
    "tie-boundary",
];

/// Which promises the outputs break; see [`crate::oracle::Oracle::check`].
pub(in crate::oracle) fn check(selection: &Selection, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
    let mut found = parts(selection, outputs);
    if found.is_empty() {
        return found;
    }
    // Where the right values stand in the right order, the ties alone are wrong and nothing else needs explaining.
    if found.iter().all(|mismatch| mismatch.class.starts_with("tie-")) {
        found.iter_mut().for_each(|mismatch| mismatch.whole = true);
        return found;
    }
    let other = flipped(selection, outputs, &found).or_else(|| of_tensor(selection, outputs));
    other.map_or(found, |mismatch| vec![mismatch])
}

/// The broken promises one by one, without looking for what they have in common.
fn parts(selection: &Selection, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
    let elements = selection.out.count() * selection.out.size;
    let [values, indices] = outputs else {
        return vec![missing(VALUES, outputs.len())];
    };
    if let Some(output) = [values, indices].iter().position(|o| o.len() != elements) {
        return vec![missing(output, outputs[output].len())];
    }
    let mut checker = Checker {
        selection,
        values,
        indices,
        owner: vec![usize::MAX; selection.lanes.size],
        found: Vec::new(),
    };
    for lane in 0..selection.out.count() {
        checker.lane(lane);
    }
    let priority = |m: &Mismatch| PRIORITY.iter().position(|class| *class == m.class);
    checker.found.sort_by_key(priority);
    checker.found
}

fn missing(output: usize, length: usize) -> Mismatch {
    let message = format!("found {length} elements, which is not what the selection has");
    Mismatch {
        class: "not-selected",
        output,
        at: 0,
        message,
        whole: true,
    }
}

struct Checker<'a> {
    selection: &'a Selection<'a>,
    values: &'a [u64],
    indices: &'a [u64],
    /// Lane that last selected each index.
    owner: Vec<usize>,
    found: Vec<Mismatch>,
}

impl Checker<'_> {
    fn report(&mut self, class: &'static str, output: usize, at: usize, message: impl FnOnce() -> String) {
        if self.found.iter().all(|m| m.class != class) {
            self.found.push(Mismatch {
                class,
                output,
                at: at as u64,
                message: message(),
                whole: false,
            });
        }
    }

    fn lane(&mut self, lane: usize) {
        let Some(chosen) = self.indices_of(lane) else { return };
        self.order(lane, &chosen);
        self.completeness(lane, &chosen);
    }

    /// The lane's indices, if all of them can be: within the lane and different. Compares the values on the way.
    fn indices_of(&mut self, lane: usize) -> Option<Vec<usize>> {
        let s = self.selection;
        let mut chosen = Vec::with_capacity(s.out.size);
        let mut sound = true;
        for slot in 0..s.out.size {
            let at = s.out.place(lane, slot);
            let raw = self.indices[at];
            let Some(index) = usize::try_from(raw).ok().filter(|i| *i < s.lanes.size) else {
                let size = s.lanes.size;
                self.report("index-out-of-range", INDICES, at, || {
                    format!(
                        "index {raw} lies outside the {size} elements of the sequence {}",
                        s.name(lane)
                    )
                });
                sound = false;
                continue;
            };
            if std::mem::replace(&mut self.owner[index], lane) == lane {
                self.report("index-duplicate", INDICES, at, || {
                    format!("index {index} stands twice in the sequence {}", s.name(lane))
                });
                sound = false;
            }
            self.value(lane, at, index);
            chosen.push(index);
        }
        sound.then_some(chosen)
    }

    /// The value must be a copy of the element its index names, up to the payload of NaN.
    fn value(&mut self, lane: usize, at: usize, index: usize) {
        let (s, ty) = (self.selection, &self.selection.input.shape.ty);
        let (value, element) = (self.values[at], s.bits(lane, index));
        if value == element || (is_nan(ty, value) && is_nan(ty, element)) {
            return;
        }
        let (written, named) = (decode(ty, value), decode(ty, element));
        let class = match (0..s.lanes.size).any(|i| s.bits(lane, i) == value) {
            true => "value-index-disagree",
            false if near(written, named) => "precision",
            false => "value-changed",
        };
        let what = || {
            format!(
                "value {written} is not the element {named} that index {index} names in the sequence {}",
                s.name(lane)
            )
        };
        self.report(class, VALUES, at, what);
    }

    /// Neighbours must stand in the order of the direction, equal ones by ascending index.
    fn order(&mut self, lane: usize, chosen: &[usize]) {
        let s = self.selection;
        for (slot, pair) in chosen.windows(2).enumerate() {
            let &[first, second] = pair else { continue };
            let (a, b) = (s.number(lane, first), s.number(lane, second));
            let at = s.out.place(lane, slot + 1);
            if precedes(b, a, s.decreasing) {
                self.report("not-sorted", VALUES, at, || {
                    format!("{b} stands behind {a} in the sequence {}", s.name(lane))
                });
            } else if !precedes(a, b, s.decreasing) && second < first && a.order(b).is_some() {
                let what = || {
                    format!(
                        "equal elements stand by descending index: {a} at {first} before {b} at {second} in the sequence {}",
                        s.name(lane)
                    )
                };
                self.report("tie-order", INDICES, at, what);
            }
        }
    }

    /// Nothing left out may precede what was selected; of what equals the last selected, the lowest indices count.
    fn completeness(&mut self, lane: usize, chosen: &[usize]) {
        let s = self.selection;
        let mut last: Option<(usize, usize, Number)> = None;
        for (slot, index) in chosen.iter().enumerate() {
            let number = s.number(lane, *index);
            let later = last.is_none_or(|(_, held, worst)| {
                precedes(worst, number, s.decreasing) || (!precedes(number, worst, s.decreasing) && held < *index)
            });
            last = if later { Some((slot, *index, number)) } else { last };
        }
        let Some((slot, index, worst)) = last else { return };
        let at = s.out.place(lane, slot);
        for left in (0..s.lanes.size).filter(|i| self.owner[*i] != lane).collect::<Vec<_>>() {
            let number = s.number(lane, left);
            if precedes(number, worst, s.decreasing) {
                let what = || {
                    format!(
                        "{number} at {left} is left out, but {worst} at {index} is selected in the sequence {}",
                        s.name(lane)
                    )
                };
                self.report("not-selected", INDICES, at, what);
            } else if left < index && number.order(worst).is_some_and(|o| o.is_eq()) {
                let what = || {
                    format!(
                        "of equal elements {number}, the one at {left} is left out and the one at {index} selected in the sequence {}",
                        s.name(lane)
                    )
                };
                self.report("tie-boundary", INDICES, at, what);
            }
        }
    }
}

/// Whether `a` must stand before `b`.
fn precedes(a: Number, b: Number, decreasing: bool) -> bool {
    a.order(b)
        .is_some_and(|order| if decreasing { order.is_gt() } else { order.is_lt() })
}

/// Whether one number may be the other after digits were lost.
pub(in crate::oracle) fn near(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a != b && (a - b).abs() <= a.abs().max(b.abs()) >> 10,
        (Number::Float(a), Number::Float(b)) => a != b && (a - b).abs() <= a.abs().max(b.abs()) / 128.0,
        _ => false,
    }
}

/// Whether the outputs are, up to ties, what the other direction gives.
fn flipped(selection: &Selection, outputs: &[Vec<u64>], found: &[Mismatch]) -> Option<Mismatch> {
    let first = found
        .iter()
        .find(|m| ["not-selected", "not-sorted"].contains(&m.class))?;
    let other = Selection {
        decreasing: !selection.decreasing,
        ..*selection
    };
    let ties_only = parts(&other, outputs).iter().all(|m| m.class.starts_with("tie-"));
    let (done, asked) = if selection.decreasing {
        ("smallest", "largest")
    } else {
        ("largest", "smallest")
    };
    let message = format!("the {done} elements are selected instead of the {asked}");
    ties_only.then(|| Mismatch {
        class: "direction-flipped",
        output: VALUES,
        message,
        whole: true,
        ..first.clone()
    })
}

/// Whether the indices are right, but count from the start of the tensor or in steps of its layout.
fn of_tensor(selection: &Selection, outputs: &[Vec<u64>]) -> Option<Mismatch> {
    let s = selection;
    let [values, indices] = outputs else { return None };
    let shape = &s.input.shape;
    let stride = u64::from(*shape.strides.get(s.axis)?);
    let base = |lane| -> u64 {
        let at = shape.coordinates(s.lanes.place(lane, 0) as u64);
        at.iter()
            .zip(&shape.strides)
            .map(|(c, stride)| u64::from(*c) * u64::from(*stride))
            .sum()
    };
    let steps = |raw: u64, step: u64| (step > 0 && raw.is_multiple_of(step)).then(|| raw / step);
    let in_order = |raw: u64, lane: usize| {
        let (owner, index) = s.lanes.locate(usize::try_from(raw).ok()?);
        (owner == lane).then_some(index as u64)
    };
    let in_buffer = |raw: u64, lane: usize| steps(raw.checked_sub(base(lane))?, stride);
    let in_steps = |raw: u64, _: usize| steps(raw, s.lanes.inner as u64);
    let in_strides = |raw: u64, _: usize| steps(raw, stride);
    type Reading<'a> = (&'a str, &'a dyn Fn(u64, usize) -> Option<u64>);
    let readings: [Reading; 4] = [
        ("counts elements from the start of the tensor", &in_order),
        ("counts elements from the start of the buffer", &in_buffer),
        (
            "counts every element of the tensor between two of the sequence",
            &in_steps,
        ),
        (
            "counts every element of the buffer between two of the sequence",
            &in_strides,
        ),
    ];
    for (how, read) in readings {
        let place = |at: usize| s.out.locate(at).0;
        let local: Option<Vec<u64>> = indices
            .iter()
            .enumerate()
            .map(|(at, raw)| read(*raw, place(at)))
            .collect();
        let Some(local) = local.filter(|local| local != indices) else {
            continue;
        };
        let at = indices
            .iter()
            .zip(&local)
            .position(|(raw, local)| raw != local)
            .unwrap_or(0);
        let (raw, index) = (indices.get(at)?, *local.get(at)?);
        let message = format!("index {raw} {how}; in its sequence {} it is {index}", s.name(place(at)));
        if parts(s, &[values.clone(), local]).is_empty() {
            return Some(Mismatch {
                class: "index-of-tensor",
                output: INDICES,
                at: at as u64,
                message,
                whole: true,
            });
        }
    }
    None
}
