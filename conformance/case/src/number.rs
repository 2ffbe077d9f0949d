//! Elements as numbers: the exact value of the bits of a data type.

use std::cmp::Ordering;

use dml_spec::model::{DataType, NumberClass};

/// The exact value of an element. Half and single precision fit a double; 64-bit integers fit 128 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// A floating point number.
    Float(f64),
}

impl Number {
    /// Order by value: -0 equals +0. `None` if either is NaN.
    pub fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b),
            (Self::Int(_), Self::Float(b)) => self.double().partial_cmp(&b),
            (Self::Float(a), Self::Int(_)) => a.partial_cmp(&other.double()),
        }
    }

    /// Whether it is neither NaN nor infinite.
    pub fn is_finite(self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float(x) => x.is_finite(),
        }
    }

    /// Its nearest double.
    #[inline]
    pub fn double(self) -> f64 {
        match self {
            // Most fit 64 bits, which processors convert to doubles themselves, with the same rounding.
            Self::Int(n) => i64::try_from(n).map_or(n as f64, |n| n as f64),
            Self::Float(x) => x,
        }
    }

    /// The number, with -0 below +0.
    pub fn with_signed_zeros(self) -> Self {
        match self {
            Self::Float(x) if x == 0.0 && x.is_sign_negative() => Self::Float(-f64::from_bits(1)),
            other => other,
        }
    }

    /// Whether it is NaN.
    #[inline]
    pub fn is_nan(self) -> bool {
        matches!(self, Self::Float(x) if x.is_nan())
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            // An exponent if there would be rows of zeros.
            Self::Float(x) if x.is_finite() && *x != 0.0 && !(1e-5..1e16).contains(&x.abs()) => write!(f, "{x:e}"),
            Self::Float(x) => write!(f, "{x}"),
        }
    }
}

/// The value of `bits`, the low bits of an element of type `ty`.
#[inline]
pub fn decode(ty: &DataType, bits: u64) -> Number {
    match (ty.class, ty.bits) {
        (NumberClass::Float, 16) => Number::Float(half_to_double(bits as u16)),
        (NumberClass::Float, 32) => Number::Float(f64::from(f32::from_bits(bits as u32))),
        (NumberClass::Float, _) => Number::Float(f64::from_bits(bits)),
        (NumberClass::Signed, width) => {
            let shift = 64 - width.clamp(1, 64);
            Number::Int(i128::from(((bits << shift) as i64) >> shift))
        }
        (_, width) => Number::Int(i128::from(bits & mask(width))),
    }
}

/// The bits of a whole number, wrapped to the type's width; floats get the nearest value.
pub fn encode_int(ty: &DataType, value: i128) -> u64 {
    match ty.class {
        NumberClass::Float => encode_float(ty, Number::Int(value).double()),
        _ => value as u64 & mask(ty.bits),
    }
}

/// The bits of a floating point number, rounded to nearest even; whole-number types saturate.
#[inline]
pub fn encode_float(ty: &DataType, value: f64) -> u64 {
    match (ty.class, ty.bits) {
        // Any NaN of an operation becomes this one, because NaNs differ between machines.
        (NumberClass::Float, width) if value.is_nan() => {
            let exponent = mask(width - 1) & !mask(mantissa_bits(width));
            exponent | 1 << (mantissa_bits(width) - 1)
        }
        (NumberClass::Float, 16) => u64::from(double_to_half(value)),
        (NumberClass::Float, 32) => u64::from((value as f32).to_bits()),
        (NumberClass::Float, _) => value.to_bits(),
        (NumberClass::Signed, width) => {
            let limit = 1i128 << (width.clamp(1, 64) - 1);
            (value as i128).clamp(-limit, limit - 1) as u64 & mask(width)
        }
        (_, width) => (value as i128).clamp(0, i128::from(mask(width))) as u64,
    }
}

/// The bits of many floating point numbers, as [`encode_float`] has them.
pub fn encode_floats(ty: &DataType, values: &[f64]) -> Vec<u64> {
    let single = |x: &f64| match x.is_nan() {
        true => encode_float(ty, f64::NAN),
        false => u64::from((*x as f32).to_bits()),
    };
    match (ty.class, ty.bits) {
        (NumberClass::Float, 32) => values.iter().map(single).collect(),
        _ => values.iter().map(|x| encode_float(ty, *x)).collect(),
    }
}

/// The exponent of the greatest power of two at or below the magnitude of a normal number; logarithms round, and not
/// alike on every machine.
#[inline]
pub fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// The greatest power of two that divides a finite number: the value of its lowest bit. Infinite for 0.
#[inline]
pub fn quantum(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return f64::INFINITY;
    }
    let (bits, exponent) = (x.to_bits(), x.to_bits() >> 52 & 0x7ff);
    let mantissa = bits & mask(52) | u64::from(exponent != 0) << 52;
    power_of_two(exponent.max(1) as i32 - 1075 + mantissa.trailing_zeros() as i32)
}

/// A power of two as a double: 0 below the least denormal number, infinity beyond the greatest number.
#[inline]
pub fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// The low `width` bits set.
#[inline]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Whether the bits are a NaN of this type.
#[inline]
pub fn is_nan(ty: &DataType, bits: u64) -> bool {
    ty.class == NumberClass::Float && bits & mask(ty.bits - 1) > infinity(ty)
}

/// Whether the bits are an infinity of this type.
pub fn is_infinite(ty: &DataType, bits: u64) -> bool {
    ty.class == NumberClass::Float && bits & mask(ty.bits - 1) == infinity(ty)
}

/// The bits of positive infinity: the exponent full, the mantissa empty.
fn infinity(ty: &DataType) -> u64 {
    mask(ty.bits - 1) & !mask(mantissa_bits(ty.bits))
}

/// The greatest finite number of a floating point type.
pub fn greatest_finite(ty: &DataType) -> f64 {
    let infinity = encode_float(ty, f64::INFINITY);
    decode(ty, infinity - 1).double()
}

/// Whether the bits are the negative zero of this type.
pub fn is_negative_zero(ty: &DataType, bits: u64) -> bool {
    ty.class == NumberClass::Float && bits & mask(ty.bits) == 1 << (ty.bits - 1)
}

/// Whether the bits are a denormal of this type.
pub fn is_denormal(ty: &DataType, bits: u64) -> bool {
    if ty.class != NumberClass::Float {
        return false;
    }
    let mantissa = mantissa_bits(ty.bits);
    let magnitude = bits & mask(ty.bits - 1);
    magnitude != 0 && magnitude >> mantissa == 0
}

/// Which special numbers occur among elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Specials {
    /// Some element is NaN.
    pub nan: bool,
    /// Some element is an infinity.
    pub infinity: bool,
    /// Some element is -0.
    pub negative_zero: bool,
    /// Some element is a denormal number.
    pub denormal: bool,
}

impl Specials {
    /// Those among elements of this type; whole numbers are not special.
    pub fn of(ty: &DataType, elements: &[u64]) -> Self {
        if ty.class != NumberClass::Float {
            return Self::default();
        }
        let (sign, infinity, normal) = (1 << (ty.bits - 1), infinity(ty), 1 << mantissa_bits(ty.bits));
        let mut found = [false; 4];
        // Every element is handled in the same way, so that the loop has no branch.
        for bits in elements {
            let magnitude = bits & mask(ty.bits - 1);
            found[0] |= magnitude > infinity;
            found[1] |= magnitude == infinity;
            found[2] |= bits & mask(ty.bits) == sign;
            found[3] |= magnitude.wrapping_sub(1) < normal - 1;
        }
        let [nan, infinity, negative_zero, denormal] = found;
        Self {
            nan,
            infinity,
            negative_zero,
            denormal,
        }
    }
}

/// Bits of the mantissa of a float of this width.
#[inline]
pub fn mantissa_bits(width: u32) -> u32 {
    match width {
        16 => 10,
        32 => 23,
        _ => 52,
    }
}

fn half_to_double(half: u16) -> f64 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (half >> 10 & 0x1f, half & 0x3ff);
    match exponent {
        // Steps of 2^-24.
        0 => sign * f64::from(mantissa) / 16_777_216.0,
        31 if mantissa == 0 => sign * f64::INFINITY,
        31 => f64::NAN.copysign(sign),
        // The same number with the exponent and the mantissa of a double.
        _ => sign * f64::from_bits(u64::from(exponent + 1008) << 52 | u64::from(mantissa) << 42),
    }
}

fn double_to_half(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // The scale is that of the last mantissa bit, so that rounding to a whole number rounds to half precision.
    let exponent = exponent(magnitude).max(-14) - 10;
    let unit = power_of_two(exponent);
    let steps = (magnitude / unit).round_ties_even() as u32;
    let base = if exponent == -24 {
        0
    } else {
        (exponent + 24) as u32 * 1024
    };
    sign | (base + steps) as u16
}

/// A type of numbers that no catalog has, for tests.
pub fn ty(class: NumberClass, bits: u32) -> DataType {
    DataType {
        name: "T".into(),
        value: 0,
        bits,
        class,
        introduced: dml_spec::FeatureLevel::new(1, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_those_of_the_bits() {
        for (x, wanted) in [(1.0, 0), (-2.0, 1), (2.0f64.next_down(), 0), (f64::MIN_POSITIVE, -1022)] {
            assert_eq!(exponent(x), wanted, "{x}");
        }
        assert_eq!(exponent(f64::INFINITY), 1024);
    }

    #[test]
    fn powers_of_two_are_exact() {
        for at in -1080..1030i32 {
            // Halved and doubled one by one, which rounds nowhere but at the ends.
            let by: f64 = if at < 0 { 0.5 } else { 2.0 };
            let wanted = (0..at.abs()).fold(1.0, |power: f64, _| power * by);
            assert_eq!(power_of_two(at), wanted, "{at}");
        }
    }

    #[test]
    fn lowest_bits_are_found() {
        assert_eq!(
            [1.0, -3.0, 0.75, 6.0, 2f64.powi(-149), f64::from_bits(1), 0.0].map(quantum),
            [1.0, 1.0, 0.25, 2.0, 2f64.powi(-149), f64::from_bits(1), f64::INFINITY]
        );
    }

    #[test]
    fn special_numbers_are_those_of_each_element() {
        for width in [16, 32, 64] {
            let ty = ty(NumberClass::Float, width);
            let (top, normal) = (infinity(&ty), 1u64 << mantissa_bits(width));
            let edges = [0, 1, normal - 1, normal, top - 1, top, top + 1, mask(width - 1)];
            let signed = edges.iter().flat_map(|bits| [*bits, *bits | 1 << (width - 1)]);
            for bits in signed {
                let wanted = Specials {
                    nan: is_nan(&ty, bits),
                    infinity: is_infinite(&ty, bits),
                    negative_zero: is_negative_zero(&ty, bits),
                    denormal: is_denormal(&ty, bits),
                };
                assert_eq!(Specials::of(&ty, &[normal, bits, 0]), wanted, "{bits:x}");
            }
        }
        let whole = ty(NumberClass::Unsigned, 32);
        assert_eq!(
            Specials::of(&whole, &[1, 0x8000_0000, 0x7fc0_0000]),
            Specials::default()
        );
    }

    #[test]
    fn there_is_one_nan() {
        for (width, bits) in [(16, 0x7e00), (32, 0x7fc0_0000), (64, 0x7ff8 << 48)] {
            for nan in [f64::NAN, -f64::NAN, f64::from_bits(0x7ff0_0000_2000_0000)] {
                assert_eq!(encode_float(&ty(NumberClass::Float, width), nan), bits, "{width}");
            }
        }
    }

    #[test]
    fn every_half_survives_the_round_trip() {
        let half = ty(NumberClass::Float, 16);
        for bits in 0..=u16::MAX {
            let value = half_to_double(bits);
            if value.is_nan() {
                assert!(is_nan(&half, encode_float(&half, value)));
            } else {
                assert_eq!(double_to_half(value), bits, "{value}");
            }
        }
        assert_eq!(double_to_half(1.0 + 2f64.powi(-11)), 0x3c00, "ties to even");
        assert_eq!(double_to_half(1.0 + 3.0 * 2f64.powi(-11)), 0x3c02);
        assert_eq!(double_to_half(65519.99), 0x7bff);
    }

    #[test]
    fn integers_keep_their_sign() {
        assert_eq!(decode(&ty(NumberClass::Signed, 8), 0x80), Number::Int(-128));
        assert_eq!(decode(&ty(NumberClass::Unsigned, 8), 0x80), Number::Int(128));
        assert_eq!(decode(&ty(NumberClass::Signed, 64), u64::MAX), Number::Int(-1));
        assert_eq!(
            decode(&ty(NumberClass::Unsigned, 64), u64::MAX),
            Number::Int(i128::from(u64::MAX))
        );
        assert_eq!(encode_int(&ty(NumberClass::Signed, 16), -1), 0xffff);
        assert_eq!(encode_float(&ty(NumberClass::Signed, 8), -1e9), 0x80);
    }

    #[test]
    fn specials_are_those_of_the_number() {
        let half = ty(NumberClass::Float, 16);
        for bits in 0..=u64::from(u16::MAX) {
            let number = decode(&half, bits);
            assert_eq!(is_nan(&half, bits), number.is_nan(), "{bits:#x}");
            assert_eq!(is_infinite(&half, bits), number.double().is_infinite(), "{bits:#x}");
        }
        for width in [32, 64] {
            let ty = ty(NumberClass::Float, width);
            let infinity = infinity(&ty);
            for bits in [infinity - 1, infinity, infinity + 1, mask(width - 1)] {
                for bits in [bits, bits | 1 << (width - 1)] {
                    let number = decode(&ty, bits);
                    assert_eq!(is_nan(&ty, bits), number.is_nan(), "{bits:#x}");
                    assert_eq!(is_infinite(&ty, bits), number.double().is_infinite(), "{bits:#x}");
                }
            }
        }
    }

    #[test]
    fn special_values_are_recognised() {
        let single = ty(NumberClass::Float, 32);
        assert!(is_negative_zero(&single, 0x8000_0000) && !is_negative_zero(&single, 0));
        assert!(is_denormal(&single, 1) && is_denormal(&single, 0x807f_ffff) && !is_denormal(&single, 0x0080_0000));
        assert!(!is_denormal(&single, 0) && !is_denormal(&ty(NumberClass::Unsigned, 32), 1));
    }
}
