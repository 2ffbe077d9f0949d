//! Rounding: what a floating point type can hold, and how far one operation on it may be off.

use dml_spec::model::{DataType, NumberClass};

use super::elementary::exp;
use crate::compare::Also;
use dml_case::number::{decode, encode_float, mantissa_bits, mask, power_of_two};

/// Whether the type is a floating point one.
pub(super) fn is_float(ty: &DataType) -> bool {
    ty.class == NumberClass::Float
}

/// Half a unit in the last place of 1: the relative error of rounding to nearest.
pub(super) fn roundoff(ty: &DataType) -> f64 {
    power_of_two(-(mantissa_bits(ty.bits) as i32) - 1)
}

/// The smallest normal number of a floating point type.
pub fn smallest_normal(ty: &DataType) -> f64 {
    power_of_two(match ty.bits {
        16 => -14,
        32 => -126,
        _ => -1022,
    })
}

/// The greatest finite number of a floating point type.
pub(super) fn greatest(ty: &DataType) -> f64 {
    match ty.bits {
        16 => 65504.0,
        32 => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}

/// Least and greatest number of a type of whole numbers.
pub(super) fn limits(ty: &DataType) -> (i128, i128) {
    let range = 1i128 << ty.bits.clamp(1, 64);
    if ty.class == NumberClass::Signed {
        (-range / 2, range / 2 - 1)
    } else {
        (0, range - 1)
    }
}

/// Distance between the numbers of the type around `x`, that of the numbers further from zero.
pub(super) fn step(ty: &DataType, x: f64) -> f64 {
    let magnitude = x.abs().max(smallest_normal(ty));
    if !magnitude.is_finite() {
        return 0.0;
    }
    // The power of two at or below the magnitude: its bits without the mantissa.
    let power = f64::from_bits(magnitude.to_bits() & !mask(52));
    power * 2.0 * roundoff(ty)
}

/// What arithmetic of the type may lose by taking a result below the smallest normal number for 0: D3D lets that happen
/// to single precision alone.
pub(super) fn flushed(ty: &DataType) -> f64 {
    if ty.bits == 32 { smallest_normal(ty) } else { 0.0 }
}

/// The number of the type that is nearest to `x`.
pub(super) fn nearest(ty: &DataType, x: f64) -> f64 {
    decode(ty, encode_float(ty, x)).double()
}

/// Bound of the relative error of so many operations that are each off by at most `unit`: γ(k) = ku / (1 - ku), and
/// (1 + u)^k - 1 where that says little.
pub(super) fn gamma(unit: f64, operations: f64) -> f64 {
    let ku = operations * unit;
    if ku < 0.5 { ku / (1.0 - ku) } else { exp(ku) - 1.0 }
}

/// Error of so many additions relative to the sum of the magnitudes. No addition is off by more than its smaller
/// operand, so even where every one stagnates, a sum of partial sums is not off by more than three times that.
pub(super) fn of_additions(unit: f64, additions: f64) -> f64 {
    gamma(unit, additions).min(3.0)
}

/// What a sum may be some of whose parts lie above the range of the type, or below it: an infinity, or NaN where
/// infinities of both signs can meet.
pub(super) fn beyond(ty: &DataType, above: bool, below: bool) -> Option<Also> {
    let infinity = |x: f64| Some(Also::Is(encode_float(ty, x)));
    match (above, below) {
        (false, false) => None,
        (true, false) => infinity(f64::INFINITY),
        (false, true) => infinity(f64::NEG_INFINITY),
        (true, true) => Some(Also::NonFinite),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::tests::ty;

    #[test]
    fn steps_grow_at_powers_of_two() {
        let (half, single) = (ty(NumberClass::Float, 16), ty(NumberClass::Float, 32));
        assert_eq!(step(&half, 1.0), 2f64.powi(-10));
        assert_eq!(step(&half, -1.999), 2f64.powi(-10));
        assert_eq!(step(&half, 2.0), 2f64.powi(-9));
        assert_eq!(step(&half, 0.0), 2f64.powi(-24));
        assert_eq!(step(&single, 3.0), 2f64.powi(-22));
        assert_eq!(step(&single, f64::INFINITY), 0.0);
    }

    #[test]
    fn errors_of_long_sums_stay_finite() {
        let unit = 2f64.powi(-11);
        assert_eq!(gamma(unit, 1.0), unit / (1.0 - unit));
        assert!(gamma(unit, 2047.0) < 1.72 && of_additions(unit, 2047.0) == gamma(unit, 2047.0));
        assert_eq!(of_additions(unit, 1e9), 3.0);
    }

    #[test]
    fn limits_are_those_of_the_type() {
        assert_eq!(limits(&ty(NumberClass::Signed, 8)), (-128, 127));
        assert_eq!(limits(&ty(NumberClass::Unsigned, 64)), (0, i128::from(u64::MAX)));
        assert_eq!(greatest(&ty(NumberClass::Float, 16)), 65504.0);
        assert_eq!(nearest(&ty(NumberClass::Float, 16), 2049.0), 2048.0);
    }
}
