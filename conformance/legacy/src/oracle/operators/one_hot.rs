//! ONE_HOT: sequences of one value, but for the place that an index names.

#[path = "one_hot/faults.rs"]
mod faults;

use std::collections::BTreeSet;

use dml_spec::Dims;

use crate::oracle::{
    Call, ComputingFault, Guess, Input, Lanes, Mismatch, Oracle, Seen,
    copying::{comma, place},
    guess::{fixed, halved_index, low_bits},
    selection::near,
};
use dml_case::{
    number::{Number, decode, is_nan, mask},
    tensor::Shape,
};

/// The oracle.
pub(super) static ORACLE: OneHot = OneHot;

/// See the module.
pub(super) struct OneHot;

/// Classes from the most telling to the least.
const PRIORITY: &[&str] = &[
    "value-changed",
    "precision",
    "other-value",
    "on-off-swapped",
    "past-end-index",
    "negative-index",
    "on-misplaced",
    "on-missing",
    "on-repeated",
];

/// A call whose tensors there are.
#[derive(Clone, Copy)]
struct Parts<'a> {
    indices: &'a Input<'a>,
    values: &'a Input<'a>,
    output: &'a Shape,
    axis: usize,
    lanes: Lanes,
    off: u64,
    on: u64,
}

fn parts<'a>(call: &'a Call<'a>) -> Option<Parts<'a>> {
    let ([indices, values], [output]) = (call.inputs.as_slice(), call.outputs.as_slice()) else {
        return None;
    };
    let axis = usize::try_from(call.uint("Axis")?).ok()?;
    let lanes = Lanes::along(&output.sizes, axis)?;
    // In row-major order the 1st element along the last dimension that has several is the 1st of all.
    let (off, on) = (*values.elements.first()?, *values.elements.get(1)?);
    (indices.elements.len() == lanes.count()).then_some(Parts {
        indices,
        values,
        output,
        axis,
        lanes,
        off,
        on,
    })
}

impl Parts<'_> {
    fn size(&self) -> i128 {
        self.lanes.size as i128
    }

    /// The index of a sequence as it is written.
    fn written(&self, lane: usize) -> i128 {
        let bits = self.indices.elements.get(lane).copied().unwrap_or(0);
        match decode(&self.indices.shape.ty, bits) {
            Number::Int(index) => index,
            Number::Float(_) => 0,
        }
    }

    /// The place that an index means; it may lie beyond either end.
    fn meant(&self, index: i128) -> i128 {
        if index < 0 { index + self.size() } else { index }
    }

    /// The output if the on value stood at `at` of each sequence, from its number and index; nowhere if that lies
    /// outside of it.
    fn hot(&self, at: impl Fn(usize, i128) -> i128) -> Vec<Vec<u64>> {
        let mut output = vec![self.off; self.lanes.count() * self.lanes.size];
        for lane in 0..self.lanes.count() {
            let index = usize::try_from(at(lane, self.written(lane))).ok();
            if let Some(index) = index.filter(|index| *index < self.lanes.size) {
                output[self.lanes.place(lane, index)] = self.on;
            }
        }
        vec![output]
    }

    /// The index for the sequence of an element, found by its coordinates, and the element's place in the sequence.
    fn index_at(&self, coordinates: &[u32]) -> Option<(i128, i128)> {
        let mut first: Dims = Dims::from_slice(coordinates);
        let here = i128::from(std::mem::take(first.get_mut(self.axis)?));
        Some((self.written(place(&self.indices.shape.sizes, &first)?), here))
    }

    /// Which value belongs at the coordinates; `None` where nobody says.
    fn expected(&self, coordinates: &[u32]) -> Option<u64> {
        let (index, here) = self.index_at(coordinates)?;
        let before_start = index < -self.size();
        (!before_start).then(|| {
            if here == index || here == index + self.size() {
                self.on
            } else {
                self.off
            }
        })
    }

    fn is(&self, bits: u64, value: u64) -> bool {
        let ty = &self.output.ty;
        bits == value || (is_nan(ty, bits) && is_nan(ty, value))
    }

    /// The class of a wrong element of an output whose elements stand in row-major order.
    fn class(&self, output: &[u64], coordinates: &[u32], bits: u64, expected: u64) -> &'static str {
        if !self.is(bits, self.on) && !self.is(bits, self.off) {
            let (actual, wanted) = (decode(&self.output.ty, bits), decode(&self.output.ty, expected));
            return match self.values.elements.contains(&bits) {
                true => "other-value",
                false if near(actual, wanted) => "precision",
                false => "value-changed",
            };
        }
        let Some((index, _)) = self.index_at(coordinates) else {
            return "on-missing";
        };
        if index < 0 {
            return "negative-index";
        }
        if index >= self.size() {
            return "past-end-index";
        }
        let at = |index: i128| {
            let mut there: Dims = Dims::from_slice(coordinates);
            *there.get_mut(self.axis)? = u32::try_from(index).ok()?;
            output.get(place(&self.output.sizes, &there)?).copied()
        };
        let right = at(index).is_some_and(|bits| self.is(bits, self.on));
        let wrong = (0..self.size()).any(|i| i != index && at(i).is_some_and(|bits| self.is(bits, self.on)));
        match (right, wrong) {
            (true, _) => "on-repeated",
            (false, true) => "on-misplaced",
            (false, false) => "on-missing",
        }
    }

    fn check(&self, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let mut found: Vec<Mismatch> = Vec::new();
        let ([output], count) = (outputs, self.output.elements()) else {
            return vec![wrong_count(outputs.len(), "outputs")];
        };
        if output.len() as u64 != count {
            return vec![wrong_count(output.len(), "elements")];
        }
        let mut swapped = self.on != self.off;
        // Where one of the two should stand everywhere, the other one is no sign of that.
        let mut both = [false; 2];
        for (at, bits) in output.iter().enumerate() {
            let coordinates = self.output.coordinates(at as u64);
            let Some(expected) = self.expected(&coordinates) else {
                continue;
            };
            swapped &= *bits == self.on ^ self.off ^ expected;
            both[usize::from(expected == self.on)] = true;
            if self.is(*bits, expected) {
                continue;
            }
            let class = self.class(output, &coordinates, *bits, expected);
            if found.iter().all(|m| m.class != class) {
                let (actual, wanted) = (decode(&self.output.ty, *bits), decode(&self.output.ty, expected));
                let index = self.index_at(&coordinates).map_or(0, |(index, _)| index);
                let (here, size) = (comma(&coordinates), self.size());
                let message = format!(
                    "{actual} stands at [{here}] for {wanted}: the index of this sequence of {size} is {index}"
                );
                found.push(mismatch(class, at, message));
            }
        }
        if swapped && both == [true; 2] && !found.is_empty() {
            let at = found.iter().map(|m| m.at).min().unwrap_or(0);
            let message = "every element is the on value where it should be the off value, and the other way round";
            return vec![Mismatch {
                whole: true,
                ..mismatch("on-off-swapped", at as usize, message.to_owned())
            }];
        }
        found.sort_by_key(|m| PRIORITY.iter().position(|class| *class == m.class));
        found
    }

    /// The 64-bit index of a sequence if indices were read as 32-bit words, one behind the other.
    fn half(&self, lane: usize) -> i128 {
        let bits = self.indices.elements.get(lane / 2).copied().unwrap_or(0);
        let word = (bits >> (32 * (lane as u64 % 2))) & mask(32);
        i128::from(word as u32 as i32)
    }

    /// The values in another place: the first along the first dimension that has several.
    fn along_first(&self) -> Option<u64> {
        let sizes = &self.values.shape.sizes;
        let first = sizes.iter().position(|n| *n > 1)?;
        let mut at = Dims::from_elem(0, sizes.len());
        at[first] = 1;
        self.values.elements.get(place(sizes, &at)?).copied()
    }
}

fn mismatch(class: &'static str, at: usize, message: String) -> Mismatch {
    Mismatch {
        class,
        output: 0,
        at: at as u64,
        message,
        whole: false,
    }
}

fn wrong_count(count: usize, what: &str) -> Mismatch {
    Mismatch {
        whole: true,
        ..mismatch(
            "on-missing",
            0,
            format!("found {count} {what}, which is not what the operator gives"),
        )
    }
}

impl Oracle for OneHot {
    fn classes(&self) -> &'static [&'static str] {
        &[
            "axis-confused",
            "index-shifted",
            "index-width",
            "negative-index",
            "on-misplaced",
            "on-missing",
            "on-off-swapped",
            "on-repeated",
            "other-value",
            "past-end-index",
            "precision",
            "value-changed",
        ]
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        parts(call).map_or_else(Vec::new, |p| p.hot(|_, index| p.meant(index)))
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        parts(call).map_or_else(Vec::new, |p| p.check(outputs))
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        let Some(p) = parts(call) else { return Vec::new() };
        let mut classes = BTreeSet::new();
        let differ = !p.is(p.on, p.off);
        let long = p.lanes.size > 1;
        for lane in (0..p.lanes.count()).filter(|_| differ) {
            match p.written(lane) {
                index if index < -p.size() => {}
                index if index < 0 => drop(classes.insert("negative-index")),
                index if index >= p.size() => drop(classes.insert("past-end-index")),
                _ => {
                    classes.insert("on-missing");
                    classes.extend(["on-misplaced", "on-repeated"].into_iter().filter(|_| long));
                    // Counted from the start of the tensor, every index but the first sequence's is another one.
                    classes.extend((lane > 0).then_some("index-shifted"));
                }
            }
        }
        let other = |bits: &u64| !p.is(*bits, p.on) && !p.is(*bits, p.off);
        let places = (0..p.lanes.count())
            .filter(|lane| (0..p.size()).contains(&p.meant(p.written(*lane))))
            .count();
        let both = places > 0 && places < p.lanes.count() * p.lanes.size;
        classes.extend((differ && both).then_some("on-off-swapped"));
        classes.extend(p.values.elements.iter().any(other).then_some("other-value"));
        // A buffer of zeros is what many a mistake leaves.
        classes.extend((p.on != 0 || p.off != 0).then_some("value-changed"));
        classes.into_iter().collect()
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, _: &'a Seen<'a>) -> Vec<Guess<'a>> {
        let Some(p) = parts(call) else { return Vec::new() };
        let mut guesses = Vec::new();
        type Read = fn(&Parts, usize, i128) -> i128;
        let mut add = |class, says: &str, read: Read| {
            let gives = move || Some(fixed(p.hot(|lane, index| read(&p, lane, index))));
            guesses.push(Guess::new(class, says, gives));
        };
        add(
            "past-end-index",
            "an index past the end sets the last element",
            |p, _, index| p.meant(index).min(p.size() - 1),
        );
        add(
            "past-end-index",
            "an index past the end is taken modulo the size",
            |p, _, index| p.meant(index).rem_euclid(p.size()),
        );
        add("past-end-index", "indices are cut off to 32 bits", |p, _, index| {
            p.meant(i128::from(index as i32))
        });
        add("negative-index", "negative indices are ignored", |_, _, index| index);
        add(
            "negative-index",
            "negative indices set the first element",
            |_, _, index| index.max(0),
        );
        add(
            "negative-index",
            "negative indices count from the last element but one",
            |p, _, index| {
                if index < 0 { p.size() - 1 + index } else { index }
            },
        );
        add("negative-index", "the sign of indices is dropped", |_, _, index| {
            index.abs()
        });
        add("index-shifted", "indices count from 1", |p, _, index| {
            p.meant(index) - 1
        });
        add("index-shifted", "every index sets the next element", |p, _, index| {
            p.meant(index) + 1
        });
        add(
            "index-shifted",
            "indices count from the start of the tensor",
            |p, lane, index| {
                (0..p.size())
                    .find(|i| p.lanes.place(lane, *i as usize) as i128 == index)
                    .unwrap_or(-1)
            },
        );
        add("index-width", "of indices the low 8 bits count", |p, _, index| {
            p.meant(low_bits(index, 8))
        });
        add("index-width", "of indices the low 16 bits count", |p, _, index| {
            p.meant(low_bits(index, 16))
        });
        add("index-width", "indices are rounded to FLOAT16", |p, _, index| {
            p.meant(halved_index(index))
        });
        if p.indices.shape.ty.bits == 64 {
            add(
                "index-width",
                "64-bit indices are read as pairs of 32-bit ones",
                |p, lane, _| p.meant(p.half(lane)),
            );
        }
        for other in (0..p.output.sizes.len()).filter(|other| *other != p.axis) {
            let says = format!("sequences run along axis {other} instead of {}", p.axis);
            guesses.push(Guess::new("axis-confused", says, move || {
                let lanes = Lanes::along(&p.output.sizes, other)?;
                let p = Parts {
                    axis: other,
                    lanes,
                    ..p
                };
                Some(fixed(p.hot(|_, index| p.meant(index))))
            }));
        }
        let mut pair = |says: &str, off: Option<u64>, on: Option<u64>| {
            guesses.push(Guess::new("other-value", says, move || {
                let p = Parts {
                    off: off?,
                    on: on?,
                    ..p
                };
                Some(fixed(p.hot(|_, index| p.meant(index))))
            }));
        };
        let values = &p.values.elements;
        pair(
            "the on value is the last of the values",
            Some(p.off),
            values.last().copied(),
        );
        pair(
            "the on value is the next along the first dimension with several",
            Some(p.off),
            p.along_first(),
        );
        pair("both values are the first one", Some(p.off), Some(p.off));
        pair(
            "the values are those behind the first one",
            Some(p.on),
            values.get(2).copied(),
        );
        guesses
    }
}
