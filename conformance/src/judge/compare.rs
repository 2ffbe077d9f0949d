//! Comparing elements: bit for bit, in units in the last place, or by distance.

use dml_spec::model::{Compare, DataType, NumberClass};

use crate::number::{Number, decode, is_nan, mask};

/// Whether `actual` is close enough to `expected`. NaN equals NaN whatever its payload.
pub fn same(compare: &Compare, ty: &DataType, expected: u64, actual: u64) -> bool {
    if expected == actual {
        return true;
    }
    match (is_nan(ty, expected), is_nan(ty, actual)) {
        (true, true) => return true,
        (false, false) => {}
        _ => return false,
    }
    match compare {
        Compare::Exact => false,
        Compare::Ulp(n) => ulps(ty, expected, actual) <= u128::from(*n),
        Compare::Abs(x) => distance(decode(ty, expected), decode(ty, actual)) <= *x,
    }
}

/// How many representable numbers lie between two; -0 and +0 are one.
fn ulps(ty: &DataType, a: u64, b: u64) -> u128 {
    place(ty, a).abs_diff(place(ty, b))
}

/// A number's place among the representable ones, 0 at zero.
fn place(ty: &DataType, bits: u64) -> i128 {
    match decode(ty, bits) {
        Number::Int(n) => n,
        Number::Float(_) if ty.class == NumberClass::Float => {
            let magnitude = i128::from(bits & mask(ty.bits - 1));
            if bits >> (ty.bits - 1) & 1 == 1 {
                -magnitude
            } else {
                magnitude
            }
        }
        Number::Float(x) => x as i128,
    }
}

fn distance(a: Number, b: Number) -> f64 {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.abs_diff(b) as f64,
        (Number::Float(a), Number::Float(b)) if a == b => 0.0,
        (Number::Float(a), Number::Float(b)) => (a - b).abs(),
        (Number::Int(a), Number::Float(b)) | (Number::Float(b), Number::Int(a)) => (a as f64 - b).abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::ty;

    #[test]
    fn exact_means_every_bit_but_the_payload_of_nan() {
        let single = ty(NumberClass::Float, 32);
        assert!(same(&Compare::Exact, &single, 0x7fc0_0000, 0xffc0_0001));
        assert!(!same(&Compare::Exact, &single, 0, 0x8000_0000));
        assert!(!same(&Compare::Ulp(u32::MAX), &single, 0, 0x7fc0_0000));
    }

    #[test]
    fn units_in_the_last_place_cross_zero_and_powers_of_two() {
        let half = ty(NumberClass::Float, 16);
        assert!(same(&Compare::Ulp(0), &half, 0, 0x8000));
        assert!(same(&Compare::Ulp(2), &half, 0x0001, 0x8001));
        assert!(!same(&Compare::Ulp(1), &half, 0x0001, 0x8001));
        assert!(same(&Compare::Ulp(1), &half, 0x3bff, 0x3c00));
        assert!(same(&Compare::Ulp(1), &ty(NumberClass::Signed, 64), u64::MAX, 0));
        assert!(!same(&Compare::Ulp(1), &ty(NumberClass::Unsigned, 64), u64::MAX, 0));
    }

    #[test]
    fn distances_are_absolute() {
        let single = ty(NumberClass::Float, 32);
        let bits = |x: f32| u64::from(x.to_bits());
        assert!(same(&Compare::Abs(0.5), &single, bits(1.0), bits(1.5)));
        assert!(!same(&Compare::Abs(0.5), &single, bits(1.0), bits(1.75)));
        assert!(!same(&Compare::Abs(1e30), &single, bits(f32::INFINITY), bits(1.0)));
        assert!(same(&Compare::Abs(3.0), &ty(NumberClass::Signed, 8), 0xff, 2));
    }
}
