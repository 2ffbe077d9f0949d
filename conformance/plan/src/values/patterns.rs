//! The patterns by name, each filling one lane.

use std::ops::Range;

use dml_spec::model::NumberClass;

use crate::values::{DEFAULT, Lane, ordinary, ordinary_count, spread};
use dml_case::number::{encode_float, encode_int, mantissa_bits, mask};

/// A pattern: fills one lane of `n` elements around the `k`-th; `false` if it does not apply to the type.
pub(super) type Fill = fn(&mut Lane<'_>) -> bool;

/// Name and generator of every pattern.
pub(super) const PATTERNS: &[(&str, Fill)] = &[
    (DEFAULT, random),
    ("constant", constant),
    ("runs", runs),
    ("two-values", two_values),
    ("tie-at-k", tie_at_k),
    ("ascending", |lane| ordered(lane, |i, _| i)),
    ("descending", |lane| ordered(lane, |i, n| n - 1 - i)),
    ("organ-pipe", |lane| {
        ordered(lane, |i, n| (2 * i).min(2 * (n - 1 - i) + 1))
    }),
    ("shuffled", shuffled),
    ("limits", limits),
    ("infinities", infinities),
    ("denormals", denormals),
    ("sign-boundary", sign_boundary),
    ("near-equal", near_equal),
    ("zeros", |lane| zeros(lane, 1)),
    ("zeros-among", |lane| zeros(lane, 3)),
    ("nan-one", |lane| nans(lane, Nan::One)),
    ("nan-all", |lane| nans(lane, Nan::All)),
    ("nan-payloads", |lane| nans(lane, Nan::Payloads)),
];

fn random(lane: &mut Lane<'_>) -> bool {
    for i in 0..lane.out.len() {
        lane.out[i] = lane.any_ordinary();
    }
    true
}

fn constant(lane: &mut Lane<'_>) -> bool {
    let value = lane.any_ordinary();
    lane.out.fill(value);
    true
}

fn runs(lane: &mut Lane<'_>) -> bool {
    let n = lane.out.len();
    let mut at = 0;
    while at < n {
        let length = 1 + lane.random.below(4) as usize;
        let rank = lane.random.below(5) as usize;
        let value = spread(lane.ty, rank, 5);
        let end = (at + length).min(n);
        lane.out[at..end].fill(value);
        at = end;
    }
    true
}

fn two_values(lane: &mut Lane<'_>) -> bool {
    let pair = [spread(lane.ty, 1, 3), spread(lane.ty, 2, 3)];
    lane.fill_from(&pair)
}

/// Distinct values, except those around the K-th largest and the K-th smallest, which are equal.
fn tie_at_k(lane: &mut Lane<'_>) -> bool {
    let (n, k) = (lane.out.len(), lane.k);
    let order = lane.permutation();
    let around = |boundary: usize| -> Range<usize> { boundary.saturating_sub(2)..(boundary + 2).min(n) };
    let (low, high) = (around(k), around(n.saturating_sub(k)));
    for (place, rank) in order.into_iter().enumerate() {
        let merged = if low.contains(&rank) {
            low.start
        } else if high.contains(&rank) {
            high.start
        } else {
            rank
        };
        lane.out[place] = spread(lane.ty, merged, n);
    }
    true
}

fn ordered(lane: &mut Lane<'_>, rank: impl Fn(usize, usize) -> usize) -> bool {
    let n = lane.out.len();
    for i in 0..n {
        lane.out[i] = spread(lane.ty, rank(i, n).min(n - 1), n);
    }
    true
}

fn shuffled(lane: &mut Lane<'_>) -> bool {
    let n = lane.out.len();
    for (place, rank) in lane.permutation().into_iter().enumerate() {
        lane.out[place] = spread(lane.ty, rank, n);
    }
    true
}

fn limits(lane: &mut Lane<'_>) -> bool {
    let ty = lane.ty;
    let last = ordinary_count(ty) - 1;
    let mut choices: Vec<u64> = [0, 1, 2, last - 2, last - 1, last].map(|i| ordinary(ty, i)).to_vec();
    choices.extend([0, 1, 2].map(|n| encode_int(ty, n)));
    if ty.class != NumberClass::Unsigned {
        choices.extend([-1, -2].map(|n| encode_int(ty, n)));
    }
    lane.fill_from(&choices)
}

fn infinities(lane: &mut Lane<'_>) -> bool {
    let last = ordinary_count(lane.ty) - 1;
    let infinite = [f64::INFINITY, f64::NEG_INFINITY].map(|x| encode_float(lane.ty, x));
    let choices = [
        infinite[0],
        infinite[1],
        ordinary(lane.ty, 0),
        ordinary(lane.ty, last),
        0,
    ];
    lane.is_float() && lane.fill_from(&choices)
}

fn denormals(lane: &mut Lane<'_>) -> bool {
    if !lane.is_float() {
        return false;
    }
    let (largest, sign) = (mask(mantissa_bits(lane.ty.bits)), 1u64 << (lane.ty.bits - 1));
    for i in 0..lane.out.len() {
        let magnitude = 1 + lane.random.below(largest);
        let side = if lane.random.below(2) == 0 { 0 } else { sign };
        lane.out[i] = match lane.random.below(4) {
            0 => 0,
            1 => side | (largest + 1),
            _ => side | magnitude,
        };
    }
    // At least one denormal, so that the pattern means what its name says.
    let first = lane.random.below(lane.out.len() as u64) as usize;
    lane.out[first] = 1;
    true
}

/// Values on either side of the borders between the signed and the unsigned reading of every width.
fn sign_boundary(lane: &mut Lane<'_>) -> bool {
    let ty = lane.ty;
    let mut choices = vec![encode_int(ty, 0), encode_int(ty, 1)];
    if lane.is_float() {
        let smallest = 1u64 << mantissa_bits(ty.bits);
        choices.extend([smallest, smallest | 1 << (ty.bits - 1), encode_int(ty, -1)]);
    } else {
        for width in [8, 16, 32, 64].into_iter().filter(|w| *w <= ty.bits) {
            let border = 1u64 << (width - 1);
            choices.extend([border - 1, border, border + 1, mask(width), mask(width) - 1].map(|v| v & mask(ty.bits)));
        }
    }
    lane.fill_from(&choices)
}

/// Values that a narrower type, or rounding, would merge.
fn near_equal(lane: &mut Lane<'_>) -> bool {
    let ty = lane.ty;
    let mut choices = Vec::new();
    if lane.is_float() {
        let anchors = [encode_int(ty, 1), encode_int(ty, 2047), encode_float(ty, -1.5)];
        choices.extend(anchors.iter().flat_map(|a| (0..4).map(move |step| a + step)));
    } else {
        for shift in [8, 11, 16, 24, 32, 53].into_iter().filter(|s| *s < ty.bits) {
            choices.extend([0u64, 1, 2].map(|step| (1u64 << shift) + step));
        }
        choices.extend([5u64, 6, 7].map(|step| (step + (3u64 << (ty.bits - 3))) & mask(ty.bits)));
        choices.extend([1u64, 2].map(|high| (high << (ty.bits / 2)) | 1));
    }
    lane.fill_from(&choices)
}

/// Zeros of both signs; about one element in `every` has another value.
fn zeros(lane: &mut Lane<'_>, every: u64) -> bool {
    if !lane.is_float() {
        return false;
    }
    let negative = 1u64 << (lane.ty.bits - 1);
    let others = [encode_int(lane.ty, 1), encode_int(lane.ty, -1)];
    for i in 0..lane.out.len() {
        lane.out[i] = if every > 1 && lane.random.below(every) == 0 {
            lane.pick(&others)
        } else {
            lane.pick(&[0, negative])
        };
    }
    let first = lane.random.below(lane.out.len() as u64) as usize;
    lane.out[first] = negative;
    true
}

enum Nan {
    One,
    All,
    Payloads,
}

fn nans(lane: &mut Lane<'_>, how: Nan) -> bool {
    if !lane.is_float() {
        return false;
    }
    let infinity = encode_float(lane.ty, f64::INFINITY);
    let quiet = infinity | 1 << (mantissa_bits(lane.ty.bits) - 1);
    let sign = 1u64 << (lane.ty.bits - 1);
    random(lane);
    let n = lane.out.len() as u64;
    match how {
        Nan::One => {
            let place = lane.random.below(n) as usize;
            lane.out[place] = quiet;
        }
        Nan::All => lane.out.fill(quiet),
        Nan::Payloads => {
            for i in 0..lane.out.len() {
                let payload = 1 + lane.random.below(mask(mantissa_bits(lane.ty.bits)));
                match lane.random.below(3) {
                    0 => lane.out[i] = infinity | payload,
                    1 => lane.out[i] = infinity | payload | sign,
                    _ => {}
                }
            }
            lane.out[0] = infinity | sign | 1;
        }
    }
    true
}
