//! What functions make of a set, in the plainest way: double precision from the first element to the last, whole
//! numbers in 128 bits.

use crate::oracle::elementary::{exp, ln};
use dml_case::number::power_of_two;

/// A function of a set. Those that name an element by its index are extremes, not functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::oracle) enum Function {
    Average,
    L1,
    L2,
    LogSum,
    LogSumExp,
    Max,
    Min,
    Multiply,
    Sum,
    SumSquare,
}

impl Function {
    /// What it makes of floats.
    pub(in crate::oracle) fn of_floats(self, set: impl Iterator<Item = f64> + Clone) -> f64 {
        match self {
            Self::Average => set.clone().sum::<f64>() / set.count() as f64,
            Self::L1 => set.map(f64::abs).sum(),
            Self::L2 => set.map(|x| x * x).sum::<f64>().sqrt(),
            Self::LogSum => ln(set.sum()),
            Self::LogSumExp => {
                // Relative to the largest element nothing overflows that the result does not.
                let top = set.clone().fold(f64::NEG_INFINITY, f64::max);
                let shift = if top.is_finite() { top } else { 0.0 };
                shift + ln(set.map(|x| exp(x - shift)).sum())
            }
            Self::Max => set.reduce(|a, b| if b > a { b } else { a }).unwrap_or(f64::NAN),
            Self::Min => set.reduce(|a, b| if b < a { b } else { a }).unwrap_or(f64::NAN),
            Self::Multiply => product(set),
            // An empty sum of floats is -0.
            Self::Sum => set.sum::<f64>() + 0.0,
            Self::SumSquare => set.map(|x| x * x).sum(),
        }
    }

    /// What it makes of whole numbers, before it is cut to the width of their type; `None` where it takes none.
    pub(in crate::oracle) fn of_integers(self, set: impl Iterator<Item = i128>) -> Option<i128> {
        Some(match self {
            Self::L1 => set.map(i128::abs).sum(),
            Self::Max => set.max()?,
            Self::Min => set.min()?,
            Self::Multiply => set.fold(1, i128::wrapping_mul),
            Self::Sum => set.sum(),
            Self::SumSquare => set.fold(0, |sum, n| sum.wrapping_add(n.wrapping_mul(n))),
            Self::Average | Self::L2 | Self::LogSum | Self::LogSumExp => return None,
        })
    }
}

/// A product, whose exponent is counted apart: on the way nothing leaves the range that the result does not.
pub(super) fn product(set: impl Iterator<Item = f64>) -> f64 {
    let (mut fraction, mut exponent) = (1.0_f64, 0_i32);
    for factor in set {
        fraction *= factor;
        if fraction != 0.0 && fraction.is_finite() {
            let own = ((fraction.to_bits() >> 52) & 0x7ff) as i32 - 1023;
            fraction *= power_of_two(-own);
            exponent = exponent.saturating_add(own);
        }
    }
    if fraction == 0.0 {
        return fraction;
    }
    // In two steps, so that what is denormal rounds once.
    let half = exponent.clamp(-2200, 2200) / 2;
    fraction * power_of_two(half) * power_of_two(exponent.clamp(-2200, 2200) - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_whole_set_whatever_lies_on_the_way() {
        let of = |set: &[f64]| product(set.iter().copied());
        assert_eq!(of(&[]), 1.0);
        let (up, down) = (2f64.powi(1000), 2f64.powi(-1000));
        assert_eq!(of(&[up, up, -3.0, down, down]), -3.0);
        assert_eq!(of(&[down, down, down, up, up, up, 5.0]), 5.0);
        assert_eq!(of(&[1e300, 1e300, -2.0, 0.0]), 0.0);
        assert!(of(&[1e300, 1e300, -2.0, 0.0]).is_sign_negative());
        assert_eq!(of(&[1e-200, -1e-200, 1e-200]), 0.0);
        assert_eq!(of(&[1e200, -1e200, 1e200]), f64::NEG_INFINITY);
        assert_eq!(of(&[f64::INFINITY, -2.0, 1e-300]), f64::NEG_INFINITY);
        assert!(of(&[f64::INFINITY, 0.0]).is_nan() && of(&[f64::NAN, 1.0]).is_nan());
        let few = [1.1, -2.3, 0.7, 9.9, 1e-3];
        assert_eq!(of(&few), few.iter().product::<f64>());
    }
}
