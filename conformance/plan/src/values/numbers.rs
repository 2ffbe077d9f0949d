//! Patterns of numbers for arithmetic: magnitudes chosen so that sums, products and exponentials stay in range.

use dml_spec::model::NumberClass;

use crate::values::{Lane, patterns::Fill};
use dml_case::number::{encode_float, encode_int, greatest_finite, power_of_two};

/// Name and generator of every pattern.
pub(super) const PATTERNS: &[(&str, Fill)] = &[
    ("small-integers", small_integers),
    ("unit", unit),
    ("positive", positive),
    ("wide", wide),
    ("cancelling", cancelling),
    ("powers", powers),
    ("nearly-ones", nearly_ones),
    ("below-zero", below_zero),
    ("long-products", long_products),
    ("long-sums", long_sums),
    ("fractions", fractions),
    ("nearly-whole", nearly_whole),
    ("integer-limits", integer_limits),
    ("half-denormals", half_denormals),
    ("exp-hard", exp_hard),
];

/// Whole numbers of at most 8, whose sums and products of a few are exact in every type.
fn small_integers(lane: &mut Lane<'_>) -> bool {
    let low = if lane.ty.class == NumberClass::Unsigned { 0 } else { -8 };
    whole(lane, low, 8);
    true
}

fn whole(lane: &mut Lane<'_>, low: i128, high: i128) {
    for i in 0..lane.out.len() {
        let step = i128::from(lane.random.below((high - low + 1) as u64));
        lane.out[i] = encode_int(lane.ty, low + step);
    }
}

/// Fills the lane of a floating point type.
fn floats(lane: &mut Lane<'_>, mut value: impl FnMut(&mut Lane<'_>) -> f64) -> bool {
    if !lane.is_float() {
        return false;
    }
    for i in 0..lane.out.len() {
        let x = value(lane);
        lane.out[i] = encode_float(lane.ty, x);
    }
    true
}

/// Evenly from `[0, 1)`, in steps of 2^-32.
fn fraction(lane: &mut Lane<'_>) -> f64 {
    (lane.random.bits() >> 32) as f64 / 4294967296.0
}

fn sign(lane: &mut Lane<'_>) -> f64 {
    if lane.random.below(2) == 0 { 1.0 } else { -1.0 }
}

/// Floats from `[-1, 1)`, integers of at most 100.
fn unit(lane: &mut Lane<'_>) -> bool {
    match lane.ty.class {
        NumberClass::Float => floats(lane, |lane| 2.0 * fraction(lane) - 1.0),
        class => {
            whole(lane, if class == NumberClass::Unsigned { 0 } else { -100 }, 100);
            true
        }
    }
}

/// From 2^-6 to 4: logarithms and roots exist, and products of a few stay in range.
fn positive(lane: &mut Lane<'_>) -> bool {
    match lane.ty.class {
        NumberClass::Float => floats(lane, |lane| 0.015625 + fraction(lane) * 3.984375),
        _ => {
            whole(lane, 1, 4);
            true
        }
    }
}

/// Both signs and twenty-one exponents around 1.
fn wide(lane: &mut Lane<'_>) -> bool {
    floats(lane, |lane| {
        let exponent = lane.random.below(21) as i32 - 10;
        sign(lane) * (1.0 + fraction(lane)) * power_of_two(exponent)
    })
}

/// Large numbers that cancel out, with small ones between them.
fn cancelling(lane: &mut Lane<'_>) -> bool {
    if lane.ty.class == NumberClass::Unsigned {
        return false;
    }
    let large = if lane.ty.bits <= 8 { 48.0 } else { 1024.0 };
    let n = lane.out.len();
    let mut last = 0.0;
    for i in 0..n {
        let x = match i % 3 {
            0 => {
                last = large + lane.random.below(8) as f64;
                last
            }
            1 => -last,
            _ if lane.is_float() => fraction(lane) - 0.5,
            _ => lane.random.below(7) as f64 - 3.0,
        };
        lane.out[i] = encode_float(lane.ty, x);
    }
    true
}

/// Powers of two near 1, whose products are exact.
fn powers(lane: &mut Lane<'_>) -> bool {
    match lane.ty.class {
        NumberClass::Float => {
            let choices = [1.0, 1.0, -1.0, 2.0, 0.5].map(|x| encode_float(lane.ty, x));
            lane.fill_from(&choices)
        }
        class => {
            let least = if class == NumberClass::Unsigned { 1 } else { -1 };
            let choices = [1, 1, 1, 2, least].map(|n| encode_int(lane.ty, n));
            lane.fill_from(&choices)
        }
    }
}

/// Ones except two elements, one of them the last: a product that stops early loses a factor. The first float is 1.1,
/// so that products of any length need the full precision; the others are exact.
fn nearly_ones(lane: &mut Lane<'_>) -> bool {
    let (one, two) = (encode_int(lane.ty, 1), encode_int(lane.ty, 2));
    let other = if lane.ty.class == NumberClass::Unsigned { 2 } else { -1 };
    let place = lane.random.below(lane.out.len() as u64) as usize;
    lane.out.fill(one);
    if let Some(first) = lane.out.first_mut().filter(|_| lane.ty.class == NumberClass::Float) {
        *first = encode_float(lane.ty, 1.1);
    }
    lane.out[place] = encode_int(lane.ty, other);
    if let Some(last) = lane.out.last_mut() {
        *last = two;
    }
    true
}

/// From -4 to -2^-6: below zero the bits of floats and what they stand for go opposite ways.
fn below_zero(lane: &mut Lane<'_>) -> bool {
    match lane.ty.class {
        NumberClass::Float => floats(lane, |lane| -0.015625 - fraction(lane) * 3.984375),
        NumberClass::Signed => {
            whole(lane, -100, -1);
            true
        }
        _ => false,
    }
}

/// Odd numbers of four digits, of nine in 64 bits: products of two fit an integer and not a float of the same width.
fn long_products(lane: &mut Lane<'_>) -> bool {
    if lane.ty.bits < 16 {
        return false;
    }
    let is_wide = lane.ty.bits == 64 && lane.ty.class != NumberClass::Float;
    let half: u64 = if is_wide { 1 << 26 } else { 1 << 11 };
    odd(
        lane,
        2 * i128::from(half) + 1,
        half,
        lane.ty.class != NumberClass::Unsigned,
    );
    true
}

/// Odd numbers of which some hundred have a sum that an integer holds and a float of the same width does not.
fn long_sums(lane: &mut Lane<'_>) -> bool {
    let least = match (lane.ty.class, lane.ty.bits) {
        (_, 64) => 1 << 50,
        (_, 32) => 1 << 21,
        (NumberClass::Float, _) => 1 << 8,
        _ => return false,
    };
    odd(lane, least + 1, 128, false);
    true
}

/// Odd numbers from `least` on, `many` different ones; half of them below zero if `signed`.
fn odd(lane: &mut Lane<'_>, least: i128, many: u64, signed: bool) {
    for i in 0..lane.out.len() {
        let odd = least + 2 * i128::from(lane.random.below(many));
        let negative = signed && lane.random.below(2) == 0;
        lane.out[i] = encode_int(lane.ty, if negative { -odd } else { odd });
    }
}

/// Whole numbers and a quarter, a half or three quarters.
fn fractions(lane: &mut Lane<'_>) -> bool {
    floats(lane, |lane| {
        let quarters = lane.random.below(4) as f64 / 4.0;
        sign(lane) * (lane.random.below(100) as f64 + quarters)
    })
}

/// Floats right below and above whole numbers, and these.
fn nearly_whole(lane: &mut Lane<'_>) -> bool {
    if !lane.is_float() {
        return false;
    }
    for i in 0..lane.out.len() {
        let number = sign(lane) * (1 + lane.random.below(100)) as f64;
        let bits = encode_float(lane.ty, number);
        lane.out[i] = lane.pick(&[bits - 1, bits - 1, bits, bits + 1]);
    }
    true
}

/// Around the limits of every integer type that the type holds, of FLOAT16, and of FLOAT32 if the type has a larger range.
fn integer_limits(lane: &mut Lane<'_>) -> bool {
    let mut choices: Vec<u64> = [0, 1].map(|n| encode_int(lane.ty, n)).to_vec();
    for bits in [8, 16, 32, 64] {
        let (signed, unsigned) = (1i128 << (bits - 1), 1i128 << bits);
        for border in [-signed, signed, unsigned] {
            // The last needs one bit more than a signed type of half the range has.
            let near = [
                border - 1,
                border,
                border + 1,
                border - border / 4,
                border - (border >> 23),
            ];
            choices.extend(
                near.into_iter()
                    .filter(|n| holds(lane, *n))
                    .map(|n| encode_int(lane.ty, n)),
            );
        }
    }
    // What FLOAT16 holds at most, and not far below.
    for border in [65504, 65503, 65472, 60001] {
        let both = [border, -border].into_iter().filter(|n| holds(lane, *n));
        choices.extend(both.map(|n| encode_int(lane.ty, n)));
    }
    let single = f64::from(f32::MAX);
    if greatest_finite(lane.ty) > single {
        let below = [1.0, 0.99, 0.6, 0.3]
            .into_iter()
            .flat_map(|part| [single * part, -single * part]);
        choices.extend(below.map(|x| encode_float(lane.ty, x)));
    }
    lane.fill_from(&choices)
}

/// Denormal numbers of FLOAT16, its smallest normal numbers, and values halfway between two.
fn half_denormals(lane: &mut Lane<'_>) -> bool {
    floats(lane, |lane| {
        let halves = match lane.random.below(4) {
            0 => 2 << lane.random.below(12),
            1 => 1 + lane.random.below(4096),
            _ => 2 * (1 + lane.random.below(2048)),
        };
        sign(lane) * halves as f64 * power_of_two(-25)
    })
}

fn holds(lane: &Lane<'_>, n: i128) -> bool {
    match lane.ty.whole_numbers() {
        Some((least, greatest)) => (least..=greatest).contains(&n),
        None => (n as f64).abs() <= greatest_finite(lane.ty),
    }
}

/// Numbers that are hard for exponentials: large ones side by side, and some far below them.
fn exp_hard(lane: &mut Lane<'_>) -> bool {
    let top = 50.0 + lane.random.below(900) as f64;
    floats(lane, |lane| match lane.random.below(4) {
        0 => top,
        1 => top - fraction(lane),
        2 => top - lane.random.below(20) as f64,
        _ => -top,
    })
}

#[cfg(test)]
mod tests {
    use crate::values::numbers::*;
    use crate::values::{Lanes, fill};
    use dml_case::{
        number::{Number, decode, ty},
        random::Random,
    };

    #[test]
    fn every_name_has_a_pattern() {
        let names: Vec<&str> = PATTERNS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, dml_spec::patterns::NUMBERS);
    }

    #[test]
    fn numbers_are_finite_and_of_the_size_they_promise() {
        for (class, bits) in [
            (NumberClass::Float, 16),
            (NumberClass::Float, 32),
            (NumberClass::Signed, 8),
            (NumberClass::Unsigned, 64),
        ] {
            let ty = ty(class, bits);
            for (name, _) in PATTERNS {
                let lanes = Lanes {
                    outer: 2,
                    length: 33,
                    inner: 1,
                    k: 1,
                };
                let Some(bits) = fill(name, &ty, lanes, &mut Random::new(name, 1)) else {
                    assert_ne!(class, NumberClass::Float, "{name}");
                    continue;
                };
                let numbers: Vec<Number> = bits.iter().map(|bits| decode(&ty, *bits)).collect();
                assert!(numbers.iter().all(|n| n.is_finite()), "{name} {ty:?}");
                let most = numbers.iter().map(|n| n.double().abs()).fold(0.0, f64::max);
                let limit = match *name {
                    "small-integers" => 8.0,
                    "powers" | "nearly-ones" => 2.0,
                    "positive" => 4.0,
                    "long-products" if ty.bits < 64 => 8192.0,
                    "unit" if class == NumberClass::Float => 1.0,
                    "unit" => 100.0,
                    _ => f64::MAX,
                };
                assert!(most <= limit && most > 0.0, "{name} {ty:?} {most}");
                assert!(*name != "positive" || numbers.iter().all(|n| n.double() > 0.0));
            }
        }
    }
}
