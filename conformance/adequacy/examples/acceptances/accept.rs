//! What one element of an output may be, whoever says so.

use dml_case::number::{encode_float, is_nan, mantissa_bits, mask};
use dml_spec::model::{DataType, NumberClass};

/// What an element may be. Bits are those of the output's type; a NaN stands for every NaN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Accept {
    /// These bits.
    Exact(u64),
    /// One of the numbers between two ends, or what the flags allow beside them.
    Interval {
        /// The value that was computed; within the ends.
        reference: u64,
        /// The least number, in the order of [`place`]: no NaN, perhaps an infinity.
        lo: u64,
        /// The greatest number.
        hi: u64,
        /// What else it may be.
        special: Special,
    },
    /// One of these; the value that was computed comes first.
    Set(Vec<u64>),
    /// Anything.
    Open,
}

/// What an element may be wherever its interval lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Special {
    /// NaN.
    pub(crate) nan: bool,
    /// Positive infinity.
    pub(crate) above: bool,
    /// Negative infinity.
    pub(crate) below: bool,
}

impl Accept {
    /// The value that was computed, if there is one.
    pub(crate) fn reference(&self) -> Option<u64> {
        match self {
            Self::Exact(bits) | Self::Interval { reference: bits, .. } => Some(*bits),
            Self::Set(members) => members.first().copied(),
            Self::Open => None,
        }
    }

    /// Whether an element of this type may hold these bits.
    pub(crate) fn accepts(&self, ty: &DataType, bits: u64) -> bool {
        let is = |member: &u64| *member == bits || (is_nan(ty, *member) && is_nan(ty, bits));
        match self {
            Self::Exact(one) => is(one),
            Self::Set(members) => members.iter().any(is),
            Self::Open => true,
            Self::Interval { special, .. } if is_nan(ty, bits) => special.nan,
            Self::Interval { lo, hi, special, .. } => {
                (place(ty, *lo)..=place(ty, *hi)).contains(&place(ty, bits))
                    || (special.above && bits == infinity(ty))
                    || (special.below && bits == infinity(ty) | sign(ty))
            }
        }
    }

    /// The same said in one way: one NaN, no interval or set that holds a single element.
    pub(crate) fn normal(self, ty: &DataType) -> Self {
        let one = |bits| if is_nan(ty, bits) { nan(ty) } else { bits };
        match self {
            Self::Exact(bits) => Self::Exact(one(bits)),
            Self::Interval { lo, hi, special, .. } if lo == hi && special == Special::default() => Self::Exact(lo),
            Self::Set(members) => {
                let mut found: Vec<u64> = Vec::new();
                for bits in members.into_iter().map(one) {
                    if !found.contains(&bits) {
                        found.push(bits);
                    }
                }
                match found[..] {
                    [bits] => Self::Exact(bits),
                    _ => Self::Set(found),
                }
            }
            other => other,
        }
    }
}

/// The place of a number among those of its type, in ascending order: -0 lies just below +0, infinities at the ends. NaN
/// has none.
pub(crate) fn place(ty: &DataType, bits: u64) -> i128 {
    match ty.class {
        NumberClass::Float if bits & sign(ty) != 0 => -1 - i128::from(bits & mask(ty.bits - 1)),
        NumberClass::Signed => {
            let shift = 64 - ty.bits.clamp(1, 64);
            i128::from(((bits << shift) as i64) >> shift)
        }
        _ => i128::from(bits & mask(ty.bits)),
    }
}

/// The number at a place; `None` if the type has no such number.
pub(crate) fn at_place(ty: &DataType, place: i128) -> Option<u64> {
    let (least, greatest) = places(ty);
    if !(least..=greatest).contains(&place) {
        return None;
    }
    Some(match ty.class {
        NumberClass::Float if place < 0 => (-1 - place) as u64 | sign(ty),
        NumberClass::Signed => place as u64 & mask(ty.bits),
        _ => place as u64,
    })
}

/// The places of the least and of the greatest number of a type.
pub(crate) fn places(ty: &DataType) -> (i128, i128) {
    match ty.class {
        NumberClass::Float => (-1 - i128::from(infinity(ty)), i128::from(infinity(ty))),
        NumberClass::Signed => (-(1 << (ty.bits - 1)), (1 << (ty.bits - 1)) - 1),
        _ => (0, i128::from(mask(ty.bits))),
    }
}

/// Positive infinity of a floating point type.
pub(crate) fn infinity(ty: &DataType) -> u64 {
    mask(ty.bits - 1) & !mask(mantissa_bits(ty.bits))
}

/// The sign of a floating point type.
pub(crate) fn sign(ty: &DataType) -> u64 {
    1 << (ty.bits - 1)
}

/// The NaN that stands for all.
pub(crate) fn nan(ty: &DataType) -> u64 {
    encode_float(ty, f64::NAN)
}
