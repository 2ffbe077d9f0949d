//! Value patterns: what stands in the inputs. Patterns run along lanes, the sequences of an axis.

use std::ops::Range;

use dml_spec::{
    model::{DataType, NumberClass},
    patterns::VALUES as NAMES,
};

use super::random::Random;
use crate::number::{encode_float, encode_int, mantissa_bits, mask};

/// The pattern that ids leave out.
pub const DEFAULT: &str = NAMES[0];

/// A pattern: fills one lane of `n` elements around the `k`-th; `false` where it means nothing for the type.
type Fill = fn(&mut Lane<'_>) -> bool;

/// Name and generator of every pattern.
const PATTERNS: &[(&str, Fill)] = &[
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

/// One sequence to fill.
struct Lane<'a> {
    ty: &'a DataType,
    k: usize,
    random: &'a mut Random,
    out: Vec<u64>,
}

/// How a tensor falls into sequences: `outer` × `length` × `inner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Elements before the axis.
    pub outer: usize,
    /// Elements along the axis.
    pub length: usize,
    /// Elements behind the axis.
    pub inner: usize,
    /// How many are selected.
    pub k: usize,
}

/// Elements in row-major order; `None` where the pattern is unknown or means nothing for the type.
pub fn fill(pattern: &str, ty: &DataType, lanes: Lanes, random: &mut Random) -> Option<Vec<u64>> {
    let (_, fill) = PATTERNS.iter().find(|(name, _)| *name == pattern)?;
    let Lanes {
        outer,
        length,
        inner,
        k,
    } = lanes;
    let mut elements = vec![0; outer * length * inner];
    let mut lane = Lane {
        ty,
        k,
        random,
        out: vec![0; length],
    };
    for o in 0..outer {
        for i in 0..inner {
            if !fill(&mut lane) {
                return None;
            }
            for (j, bits) in lane.out.iter().enumerate() {
                elements[(o * length + j) * inner + i] = *bits;
            }
        }
    }
    Some(elements)
}

/// How many ordinary values a type has: finite, normal, without -0.
fn ordinary_count(ty: &DataType) -> u128 {
    match ty.class {
        NumberClass::Float => 2 * u128::from(normals(ty)) + 1,
        _ => 1u128 << ty.bits,
    }
}

fn normals(ty: &DataType) -> u64 {
    let mantissa = mantissa_bits(ty.bits);
    ((1u64 << (ty.bits - 1 - mantissa)) - 2) << mantissa
}

/// The `index`-th ordinary value in ascending order.
fn ordinary(ty: &DataType, index: u128) -> u64 {
    match ty.class {
        NumberClass::Signed => (index as u64).wrapping_sub(1 << (ty.bits - 1)) & mask(ty.bits),
        NumberClass::Float => {
            let (count, smallest) = (normals(ty), 1u64 << mantissa_bits(ty.bits));
            let sign = 1u64 << (ty.bits - 1);
            match (index as u64).cmp(&count) {
                std::cmp::Ordering::Less => sign | (count - 1 - index as u64 + smallest),
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => index as u64 - count - 1 + smallest,
            }
        }
        _ => index as u64,
    }
}

/// The `rank`-th of `n` values spread evenly over the type, ascending; distinct where the type has as many.
fn spread(ty: &DataType, rank: usize, n: usize) -> u64 {
    let (rank, n) = (rank as u128, n.max(1) as u128);
    let count = ordinary_count(ty);
    // Split so that 64-bit counts times long lanes stay within 128 bits.
    ordinary(ty, (count / n) * rank + (count % n) * rank / n)
}

impl Lane<'_> {
    fn any_ordinary(&mut self) -> u64 {
        let count = ordinary_count(self.ty);
        let index = (u128::from(self.random.bits()) * count) >> 64;
        ordinary(self.ty, index)
    }

    fn permutation(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.out.len()).collect();
        self.random.shuffle(&mut order);
        order
    }

    fn pick(&mut self, from: &[u64]) -> u64 {
        from[self.random.below(from.len() as u64) as usize]
    }

    fn is_float(&self) -> bool {
        self.ty.class == NumberClass::Float
    }

    fn fill_from(&mut self, choices: &[u64]) -> bool {
        for i in 0..self.out.len() {
            self.out[i] = self.pick(choices);
        }
        true
    }
}

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

/// Distinct values, but for those around the K-th largest and the K-th smallest, which are equal.
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

/// Zeros of both signs; `every` third, say, where other values stand between them.
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use dml_spec::FeatureLevel;

    use super::*;
    use crate::number::{Number, decode, is_denormal, is_nan, is_negative_zero};

    fn types() -> Vec<DataType> {
        let make = |class, bits| DataType {
            name: Cow::Borrowed("T"),
            value: 0,
            bits,
            class,
            introduced: FeatureLevel::new(1, 0),
        };
        let mut all = vec![
            make(NumberClass::Float, 16),
            make(NumberClass::Float, 32),
            make(NumberClass::Float, 64),
        ];
        for bits in [8, 16, 32, 64] {
            all.extend([make(NumberClass::Signed, bits), make(NumberClass::Unsigned, bits)]);
        }
        all
    }

    fn lane(pattern: &str, ty: &DataType, n: usize, k: usize) -> Option<Vec<u64>> {
        fill(
            pattern,
            ty,
            Lanes {
                outer: 1,
                length: n,
                inner: 1,
                k,
            },
            &mut Random::new(pattern, 1),
        )
    }

    fn numbers(ty: &DataType, lane: &[u64]) -> Vec<Number> {
        lane.iter().map(|bits| decode(ty, *bits)).collect()
    }

    #[test]
    fn spread_values_ascend_and_are_ordinary() {
        for ty in types() {
            let n = 200;
            let bits: Vec<u64> = (0..n).map(|r| spread(&ty, r, n)).collect();
            let values = numbers(&ty, &bits);
            assert!(
                values
                    .windows(2)
                    .all(|w| w[0].order(w[1]) == Some(std::cmp::Ordering::Less)),
                "{ty:?} {values:?}"
            );
            let odd = |b: &u64| is_nan(&ty, *b) || is_negative_zero(&ty, *b) || is_denormal(&ty, *b);
            assert!(!bits.iter().any(odd), "{ty:?}");
        }
    }

    #[test]
    fn tie_at_k_straddles_the_boundary_from_both_ends() {
        for ty in types() {
            let (n, k) = (33, 5);
            let mut values = numbers(&ty, &lane("tie-at-k", &ty, n, k).unwrap());
            values.sort_by(|a, b| a.order(*b).unwrap());
            assert_eq!(values[k - 1], values[k], "{ty:?}");
            assert_eq!(values[n - k - 1], values[n - k], "{ty:?}");
            assert_ne!(values[0], values[1]);
        }
    }

    #[test]
    fn only_the_named_patterns_hold_special_values() {
        for ty in types() {
            for (name, _) in PATTERNS {
                let Some(bits) = lane(name, &ty, 64, 7) else {
                    assert_ne!(ty.class, NumberClass::Float, "{name}");
                    continue;
                };
                let has = |test: fn(&DataType, u64) -> bool| bits.iter().any(|b| test(&ty, *b));
                assert_eq!(has(is_nan), name.starts_with("nan"), "{name} {ty:?}");
                assert_eq!(has(is_denormal), *name == "denormals", "{name} {ty:?}");
                assert_eq!(has(is_negative_zero), name.starts_with("zeros"), "{name} {ty:?}");
                assert!(bits.iter().all(|b| *b <= mask(ty.bits)), "{name} {ty:?}");
            }
        }
    }

    #[test]
    fn every_name_has_a_pattern() {
        let names: Vec<&str> = PATTERNS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, NAMES);
    }

    #[test]
    fn lanes_run_along_the_axis() {
        let ty = &types()[4];
        let elements = fill(
            "ascending",
            ty,
            Lanes {
                outer: 2,
                length: 3,
                inner: 2,
                k: 1,
            },
            &mut Random::new("", 0),
        );
        let values = numbers(ty, &elements.unwrap());
        for (o, i) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let at = |j: usize| values[(o * 3 + j) * 2 + i];
            assert_eq!(at(0).order(at(1)), Some(std::cmp::Ordering::Less));
            assert_eq!(at(1).order(at(2)), Some(std::cmp::Ordering::Less));
        }
    }
}
