//! Value patterns: the elements of inputs. Patterns run along lanes, the sequences of an axis.

mod indices;
mod numbers;
mod patterns;

use dml_spec::{
    model::{DataType, NumberClass},
    patterns::{INDICES, VALUES as NAMES},
};

pub use crate::values::indices::fill_indices;
use crate::values::patterns::PATTERNS;
use dml_case::number::{mantissa_bits, mask};
use dml_case::random::Random;

/// The pattern that ids leave out, unless an operator has another.
pub const DEFAULT: &str = NAMES[0];

/// The pattern of inputs that hold indices, unless a key chooses another.
pub const DEFAULT_INDICES: &str = INDICES[0];

/// Whether a pattern is one of indices.
pub fn is_of_indices(pattern: &str) -> bool {
    INDICES.contains(&pattern)
}

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
    /// Elements after the axis.
    pub inner: usize,
    /// How many are selected.
    pub k: usize,
}

/// Elements in row-major order; `None` if the pattern is unknown or does not apply to the type.
pub fn fill(pattern: &str, ty: &DataType, lanes: Lanes, random: &mut Random) -> Option<Vec<u64>> {
    let mut all = PATTERNS.iter().chain(numbers::PATTERNS);
    let (_, fill) = all.find(|(name, _)| *name == pattern)?;
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

/// How many elements a sequence needs for a pattern to show.
pub fn least_length(pattern: &str) -> u64 {
    match pattern {
        "runs" | "two-values" | "tie-at-k" | "ascending" | "descending" | "organ-pipe" | "shuffled" => 3,
        _ => 2,
    }
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

/// The `rank`-th of `n` values spread evenly over the type, ascending; distinct if the type has as many.
fn spread(ty: &DataType, rank: usize, n: usize) -> u64 {
    let (rank, n) = (rank as u64, n.max(1) as u64);
    // Everything fits 64 bits except a count of 2^64, so one less is divided.
    let last = (ordinary_count(ty) - 1) as u64;
    let (quotient, rest) = match (u128::from(last / n), last % n + 1) {
        (quotient, rest) if rest == n => (quotient + 1, 0),
        parts => parts,
    };
    // Split so that large counts times long lanes stay within 128 bits, and what is left within 64: no lane has 2^32
    // elements.
    ordinary(ty, quotient * u128::from(rank) + u128::from(rest * rank / n))
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use dml_spec::FeatureLevel;

    use crate::values::*;
    use dml_case::number::{Number, decode, is_denormal, is_nan, is_negative_zero};

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
    fn spread_values_are_those_of_exact_division() {
        for ty in types() {
            let count = ordinary_count(&ty);
            for n in [1, 2, 3, 5, 7, 64, 1000, 65_536, 1 << 26] {
                for rank in [0, 1, n / 3, n / 2, n - 1].into_iter().filter(|rank| *rank < n) {
                    let (r, n) = (rank as u128, n as u128);
                    let exact = (count / n) * r + (count % n) * r / n;
                    assert_eq!(spread(&ty, rank, n as usize), ordinary(&ty, exact), "{ty:?} {rank} {n}");
                }
            }
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
