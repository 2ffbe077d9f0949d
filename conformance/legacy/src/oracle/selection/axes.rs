//! Axes confused: what comes out where sequences are taken along another axis, wholly or by half.
//!
//! An implementation may walk all tensors along the wrong axis, or start at the right sequences and then take only the
//! size or only the stride of the input's wrong one. Many places of such a walk stay unwritten, or hold what no
//! element of the right sequence is, so these guesses come before such symptoms are told of.

use std::{cell::OnceCell, rc::Rc};

use dml_spec::{layout, model::NumberClass};

use super::{Selection, rank};
use crate::oracle::{
    Guess, Lanes, Seen,
    guess::{Elements, key},
};
use dml_case::{
    number::{Number, decode, is_nan},
    tensor::Shape,
};

/// All of them, the neighbours of the axis first: an axis off by one is the likeliest.
pub(super) fn all<'a>(s: Selection<'a>, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
    let rank = s.input.shape.sizes.len();
    let mut axes: Vec<usize> = (0..rank).filter(|axis| *axis != s.axis).collect();
    axes.sort_by_key(|axis| axis.abs_diff(s.axis));
    // Along axes of one element all comes out the same.
    let mut single = false;
    axes.retain(|axis| s.input.shape.sizes.get(*axis) != Some(&1) || !std::mem::replace(&mut single, true));
    let mut guesses: Vec<Guess> = axes.into_iter().flat_map(|axis| whole(s, axis, seen)).collect();
    guesses.extend(halves(s, seen));
    guesses
}

/// Elements in the order of the direction along an axis, with their indices, in the places of the input.
type Sorted = Vec<(u64, u64)>;

/// All tensors taken along another axis: every element at its coordinates, one behind the other, or where the strides
/// lead without a look at the sizes. What does not fit is left unwritten.
fn whole<'a>(s: Selection<'a>, axis: usize, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
    let sorted: Rc<OnceCell<Option<Sorted>>> = Rc::default();
    type Placing = fn(&Selection, Lanes, &Sorted) -> Option<Elements>;
    let placings: [Placing; 3] = [
        |s, _, sorted| Some(in_place(s, sorted)),
        |s, lanes, sorted| Some(in_a_row(s, lanes, sorted)),
        unchecked,
    ];
    let guess = |placing: Placing| {
        let sorted = Rc::clone(&sorted);
        Guess {
            class: "axis-confused",
            says: format!("the sequences are taken along axis {axis} instead of {}", s.axis),
            partial: true,
            gives: Box::new(move || {
                let lanes = Lanes::along(&s.input.shape.sizes, axis)?;
                let sorted = sorted.get_or_init(|| may_be(&s, lanes, seen).then(|| sort(&s, lanes)).flatten());
                placing(&s, lanes, sorted.as_ref()?)
            }),
        }
    };
    placings.map(guess).into()
}

/// Whether the first element is the one that these lanes have there, or unwritten: a look before all are sorted.
fn may_be(s: &Selection, lanes: Lanes, seen: &Seen) -> bool {
    let number = |index: &usize| {
        let bits = s.input.elements.get(lanes.place(0, *index)).copied().unwrap_or(0);
        decode(&s.input.shape.ty, bits)
    };
    let best = (0..lanes.size).min_by(|a, b| rank(number(a), number(b), s.decreasing));
    let given = best.and_then(|index| Some((*s.input.elements.get(lanes.place(0, index))?, index as u64)));
    let first = |output: usize| seen.outputs.get(output).and_then(|elements| elements.first()).copied();
    let there = given == first(0).zip(first(1)) || seen.is_untouched(0, 0) || seen.is_untouched(1, 0);
    // Strides along axes of one element can lead anywhere, the first place included.
    let packed = |shape: &Shape| layout::packed_strides(&shape.sizes).is_some_and(|packed| packed == shape.strides);
    there || !s.outputs.iter().all(packed)
}

fn sort(s: &Selection, lanes: Lanes) -> Option<Sorted> {
    let keys = s.input.numbers();
    let mut sorted = vec![(0, 0); keys.len()];
    let mut order = Vec::new();
    for lane in 0..lanes.count() {
        s.order(&keys, lanes, lane, &mut order);
        for (slot, (_, index)) in order.iter().enumerate() {
            let element = *s.input.elements.get(lanes.place(lane, *index))?;
            *sorted.get_mut(lanes.place(lane, slot))? = (element, *index as u64);
        }
    }
    Some(sorted)
}

fn split(found: &[Option<(u64, u64)>]) -> Elements {
    let pick = |part: fn((u64, u64)) -> u64| found.iter().map(|pair| pair.map(part)).collect();
    vec![pick(|pair| pair.0), pick(|pair| pair.1)]
}

/// The outputs are the input's first K places along the right axis.
fn in_place(s: &Selection, sorted: &Sorted) -> Elements {
    let source = |at: usize| {
        let (lane, slot) = s.out.locate(at);
        sorted.get(s.lanes.place(lane, slot)).copied()
    };
    split(&(0..s.out.count() * s.out.size).map(source).collect::<Vec<_>>())
}

/// Sequences of K elements stand one behind the other.
fn in_a_row(s: &Selection, lanes: Lanes, sorted: &Sorted) -> Elements {
    let short = Lanes {
        size: s.out.size.min(lanes.size),
        ..lanes
    };
    let source = |at: usize| {
        let (lane, slot) = short.locate(at);
        let place = (lane < short.count()).then(|| lanes.place(lane, slot))?;
        sorted.get(place).copied()
    };
    split(&(0..s.out.count() * s.out.size).map(source).collect::<Vec<_>>())
}

/// Every output is written at the offsets that the input's coordinates have in it, inside its sizes or not; the last
/// write counts.
fn unchecked(s: &Selection, lanes: Lanes, sorted: &Sorted) -> Option<Elements> {
    let short = s.out.size.min(lanes.size);
    let offset = |shape: &Shape, place: usize| -> usize {
        let at = s.input.shape.coordinates(place as u64);
        at.iter()
            .zip(&shape.strides)
            .map(|(c, s)| *c as usize * *s as usize)
            .sum()
    };
    let write = |(output, shape): (usize, &Shape)| {
        let mut buffer = vec![None; usize::try_from(shape.total_bytes).ok()? / shape.width().max(1)];
        for lane in 0..lanes.count() {
            for place in (0..short).map(|slot| lanes.place(lane, slot)) {
                let (value, index) = *sorted.get(place)?;
                if let Some(there) = buffer.get_mut(offset(shape, place)) {
                    *there = Some(if output == 0 { value } else { index });
                }
            }
        }
        let mut elements = Vec::new();
        shape.for_each_offset(|offset| elements.push(buffer.get(offset).copied().flatten()));
        Some(elements)
    };
    s.outputs.iter().enumerate().map(write).collect()
}

/// A walk through the input's buffer that starts at the right sequence and goes on wrongly.
#[derive(Clone, Copy)]
struct Walk {
    size: usize,
    stride: usize,
    /// Elements behind the end of the buffer are zero; they take no part where not.
    zeros: bool,
    /// See [`key`].
    by_bits: bool,
}

/// Right sequences of which the input's size, stride, or both are another axis'.
fn halves<'a>(s: Selection<'a>, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
    let shape = &s.input.shape;
    let of = |axis: usize| -> Option<(usize, usize)> {
        Some((*shape.sizes.get(axis)? as usize, *shape.strides.get(axis)? as usize))
    };
    let Some((size, stride)) = of(s.axis) else {
        return Vec::new();
    };
    // Behind the last axis a tensor is one element wide.
    let mut axes: Vec<usize> = (0..=shape.sizes.len()).filter(|axis| *axis != s.axis).collect();
    axes.sort_by_key(|axis| axis.abs_diff(s.axis));
    let (mut known, mut guesses) = (vec![(size, stride)], Vec::new());
    for axis in axes {
        let (its_size, its_stride) = of(axis).unwrap_or((1, 0));
        let both = format!(
            "the input's sequences are taken along axis {axis} instead of {}",
            s.axis
        );
        let one = |what| {
            format!(
                "the input's sequences have the {what} of axis {axis} instead of {}",
                s.axis
            )
        };
        let walks = [
            (its_size, its_stride, both),
            (size, its_stride, one("stride")),
            (its_size, stride, one("size")),
        ];
        for (size, stride, says) in walks {
            if !known.contains(&(size, stride)) {
                known.push((size, stride));
                guesses.extend(walks_of(s, seen, size, stride, "axis-confused", &says));
            }
        }
    }
    guesses.extend(packed_steps(s, seen, known));
    guesses
}

/// Right sequences whose elements are taken to lie as they would without strides: side by side, or as in a packed
/// tensor. `known` are the sizes and strides that were guessed before.
fn packed_steps<'a>(s: Selection<'a>, seen: &'a Seen<'a>, mut known: Vec<(usize, usize)>) -> Vec<Guess<'a>> {
    let (sizes, axis) = (&s.input.shape.sizes, s.axis);
    let packed = layout::packed_strides(sizes).and_then(|packed| packed.get(axis).copied());
    let mut guesses = Vec::new();
    for (stride, how) in [(Some(1), "side by side"), (packed, "as in a packed tensor")] {
        let Some((stride, size)) = stride.zip(sizes.get(axis)) else {
            continue;
        };
        let walk = (*size as usize, stride as usize);
        if !known.contains(&walk) {
            known.push(walk);
            let says = format!("the elements of the input's sequences are taken to lie {how}");
            guesses.extend(walks_of(s, seen, walk.0, walk.1, "strides-ignored", &says));
        }
    }
    guesses
}

fn walks_of<'a>(
    s: Selection<'a>,
    seen: &'a Seen<'a>,
    size: usize,
    stride: usize,
    class: &'static str,
    says: &str,
) -> Vec<Guess<'a>> {
    // What lies behind the buffer and how NaN is ordered only matters where the walk meets either.
    let shape = &s.input.shape;
    let others = shape.sizes.iter().zip(&shape.strides).enumerate();
    let ends = others
        .filter(|(d, _)| *d != s.axis)
        .map(|(_, (n, s))| (*n as usize - 1) * *s as usize);
    let end = ends.sum::<usize>() + size.saturating_sub(1) * stride;
    let beyond = (end + 1) * shape.width() > s.input.bytes.len();
    let nan = holds_nan(&s);
    let kinds = [(true, false), (false, false), (true, true), (false, true)];
    let kinds = kinds
        .into_iter()
        .filter(|(zeros, by_bits)| (*zeros || beyond) && (!by_bits || nan));
    let guess = |(zeros, by_bits)| {
        let walk = Walk {
            size,
            stride,
            zeros,
            by_bits,
        };
        Guess::new(class, says, move || walk.through(&s, seen))
    };
    kinds.map(guess).collect()
}

/// Whether any bytes of the buffer, gaps included, are NaN.
fn holds_nan(s: &Selection) -> bool {
    let ty = &s.input.shape.ty;
    let elements = s.input.bytes.chunks_exact(s.input.shape.width().max(1));
    ty.class == NumberClass::Float && elements.map(bits).any(|bits| is_nan(ty, bits))
}

/// The bits of an element.
fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

/// Key, bits and index of an element that a walk meets.
type Met = (Number, u64, u64);

impl Walk {
    /// What it selects; `None` as soon as that is not what was seen.
    fn through(self, s: &Selection, seen: &Seen) -> Option<Elements> {
        let ([values, indices], elements) = (seen.outputs, s.out.count() * s.out.size) else {
            return None;
        };
        let mut outputs = vec![vec![None; elements]; 2];
        let mut order: Vec<Met> = Vec::with_capacity(self.size);
        for lane in 0..s.out.count() {
            self.sequence(s, lane, &mut order);
            let first = order.iter().min_by(|a, b| rank(a.0, b.0, s.decreasing));
            let at = s.out.place(lane, 0);
            if first.is_some_and(|(_, bits, index)| values.get(at) != Some(bits) || indices.get(at) != Some(index)) {
                return None;
            }
            let before = |a: &Met, b: &Met| rank(a.0, b.0, s.decreasing).then(a.2.cmp(&b.2));
            if s.out.size < order.len() {
                order.select_nth_unstable_by(s.out.size, before);
                order.truncate(s.out.size);
            }
            order.sort_unstable_by(before);
            for slot in 0..s.out.size {
                let at = s.out.place(lane, slot);
                let given = order.get(slot).map(|(_, bits, index)| (*bits, *index));
                let found = (*values.get(at)?, *indices.get(at)?);
                let unwritten = given.is_none() && seen.is_untouched(0, at) && seen.is_untouched(1, at);
                if given != Some(found) && !unwritten {
                    return None;
                }
                outputs[0][at] = given.map(|(bits, _)| bits);
                outputs[1][at] = given.map(|(_, index)| index);
            }
        }
        Some(outputs)
    }

    /// The elements it meets, with their keys and indices.
    fn sequence(self, s: &Selection, lane: usize, order: &mut Vec<Met>) {
        let (shape, bytes) = (&s.input.shape, &s.input.bytes);
        let width = shape.width();
        let at = shape.coordinates(s.lanes.place(lane, 0) as u64);
        let start: usize = at
            .iter()
            .zip(&shape.strides)
            .map(|(c, s)| *c as usize * *s as usize)
            .sum();
        let element = |offset: usize| bytes.get(offset * width..(offset + 1) * width).map(bits);
        order.clear();
        for index in 0..self.size {
            let Some(bits) = element(start + index * self.stride).or(self.zeros.then_some(0)) else {
                continue;
            };
            order.push((key(&shape.ty, bits, self.by_bits), bits, index as u64));
        }
    }
}
