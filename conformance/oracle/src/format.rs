//! What a floating point type can hold, and how far apart its numbers are.

use dml_case::number::{exponent, power_of_two};
use dml_spec::model::{DataType, NumberClass};

/// A binary floating point format whose numbers all fit binary64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Bits of an element.
    pub bits: u32,
    /// Digits of the mantissa, the first one with it.
    digits: i32,
    /// Exponent of the smallest normal number.
    least_exponent: i32,
    /// Half the distance from 1 to the next number: what rounding to nearest loses at most, relatively.
    pub unit: f64,
    /// The smallest normal number.
    pub normal: f64,
    /// The greatest finite number.
    pub greatest: f64,
    /// Whether a denormal may become zero: Direct3D lets that happen to single precision alone.
    pub flushes: bool,
}

impl Format {
    /// The same format; denormals are not flushed to zero.
    pub(crate) fn keeping_denormals(self) -> Self {
        Self { flushes: false, ..self }
    }

    /// FLOAT16.
    pub fn half() -> Self {
        Self::new(16, 11, -14, 65504.0, false)
    }

    /// FLOAT32.
    pub fn single() -> Self {
        Self::new(32, 24, -126, f64::from(f32::MAX), true)
    }

    /// FLOAT64.
    pub fn double() -> Self {
        Self::new(64, 53, -1022, f64::MAX, false)
    }

    /// That of a data type; `None` if it is not floating point.
    pub fn of(ty: &DataType) -> Option<Self> {
        match (ty.class, ty.bits) {
            (NumberClass::Float, 16) => Some(Self::half()),
            (NumberClass::Float, 32) => Some(Self::single()),
            (NumberClass::Float, 64) => Some(Self::double()),
            _ => None,
        }
    }

    fn new(bits: u32, digits: i32, least_exponent: i32, greatest: f64, flushes: bool) -> Self {
        Self {
            bits,
            digits,
            least_exponent,
            unit: power_of_two(-digits),
            normal: power_of_two(least_exponent),
            greatest,
            flushes,
        }
    }

    /// Distance between the numbers around `x`, of those further from zero.
    #[inline]
    pub fn step(&self, x: f64) -> f64 {
        if !x.is_finite() {
            return 0.0;
        }
        power_of_two(self.step_exponent(x))
    }

    #[inline]
    fn step_exponent(&self, x: f64) -> i32 {
        exponent(x).max(self.least_exponent) - self.digits + 1
    }

    /// Whether the format has this number; infinities and NaN are numbers of every format.
    #[inline]
    pub fn holds(&self, x: f64) -> bool {
        match self.bits {
            64 => true,
            32 => f64::from(x as f32) == x || x.is_nan(),
            _ => self.below(x) == x || !x.is_finite(),
        }
    }

    /// The greatest number of the format that is not above `x`.
    #[inline]
    pub fn below(&self, x: f64) -> f64 {
        if self.bits == 64 || !x.is_finite() {
            return x;
        }
        if self.bits == 32 {
            // The conversion rounds to nearest; what it rounded up is the number above.
            let near = x as f32;
            return f64::from(if f64::from(near) > x { near.next_down() } else { near });
        }
        if x > self.greatest {
            return self.greatest;
        }
        let exponent = self.step_exponent(x);
        let floor = floor(x * power_of_two(-exponent)) * power_of_two(exponent);
        if floor < -self.greatest {
            f64::NEG_INFINITY
        } else {
            floor
        }
    }

    /// The smallest number of the format that is not below `x`.
    #[inline]
    pub fn above(&self, x: f64) -> f64 {
        -self.below(-x)
    }

    /// The nearest number of the format, ties to even.
    #[inline]
    pub fn nearest(&self, x: f64) -> f64 {
        match self.bits {
            64 => x,
            32 => f64::from(x as f32),
            _ if !x.is_finite() => x,
            _ => {
                let exponent = self.step_exponent(x);
                let rounded = round(x * power_of_two(-exponent)) * power_of_two(exponent);
                if rounded.abs() > self.greatest {
                    f64::INFINITY.copysign(x)
                } else {
                    rounded
                }
            }
        }
    }

    /// The magnitude of an argument whose exponential lies beyond all numbers of the format.
    pub fn exponential_limit(&self) -> f64 {
        f64::from(self.digits - self.least_exponent) * std::f64::consts::LN_2
    }

    /// Whether a finite number other than zero is below the normal numbers.
    #[inline]
    pub fn is_denormal(&self, x: f64) -> bool {
        x != 0.0 && x.abs() < self.normal
    }

    /// Whether an operation with this exact result gives it: the format has it, and it is no denormal that may become zero.
    #[inline]
    pub fn gives_exactly(&self, x: f64) -> bool {
        self.holds(x) && !(self.flushes && self.is_denormal(x))
    }

    /// Bound of the relative error of so many roundings: γ(k) = ku / (1 - ku) (Higham, Accuracy and Stability of
    /// Numerical Algorithms, 2nd edition, section 3.1), and (1 + u)^k - 1 if that says little.
    #[inline]
    pub fn gamma(&self, roundings: f64) -> f64 {
        let ku = roundings * self.unit;
        if ku < 0.5 { ku / (1.0 - ku) } else { libm::exp(ku) - 1.0 }
    }

    /// Error of so many additions relative to the sum of the magnitudes. No addition is off by more than its smaller
    /// operand, so that even if every one stagnates, the sum is not off by more than three times that.
    #[inline]
    pub fn of_additions(&self, additions: f64) -> f64 {
        self.gamma(additions).min(3.0)
    }

    /// The same of terms of one sign, upwards, of which there are so many: γ, or n^(1 / (p - 1)) - 1 if that is less.
    ///
    /// An addition of a to a smaller b is off by at most b, and by uX times b where X = (a + b) / b: b grows by no more
    /// than 1 + min(1, uX), which is at most X^(1/p). On the way from a term t to the sum R, the X of such additions come
    /// to no more than R / t, so that R is at most the sum of all t (R / t)^(1/p), and with Hölder's inequality at most
    /// n^(1 / (p - 1)) times the sum of the terms.
    pub fn of_additions_of_one_sign(&self, additions: f64, terms: f64) -> f64 {
        let gamma = self.gamma(additions);
        if gamma < 0.5 {
            // With as few terms, the other bound is greater.
            return gamma;
        }
        let stagnant = libm::exp2(libm::log2(terms.max(1.0)) / f64::from(self.digits - 1)) - 1.0;
        gamma.min(stagnant)
    }
}

/// The greatest whole number that is not above a number of less than 2^51: most processors have to be asked for more than
/// they surely know.
#[inline]
fn floor(x: f64) -> f64 {
    let whole = x as i64 as f64;
    if whole == x {
        x
    } else if whole > x {
        whole - 1.0
    } else {
        whole
    }
}

/// The nearest whole number, ties to even, of a number of less than 2^51.
#[inline]
fn round(x: f64) -> f64 {
    // Beside 1.5 · 2^52 there are no fractions.
    const UNIT: f64 = 6_755_399_441_055_744.0;
    ((x + UNIT) - UNIT).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_enclose_a_number() {
        for format in [Format::half(), Format::single()] {
            for x in [0.1, -0.1, 1.0, 65503.5, 1e-7, -6e-8, 3e-42, 2049.0, -65519.0] {
                let (below, above) = (format.below(x), format.above(x));
                assert!(below <= x && x <= above, "{x} in {}", format.bits);
                assert!(format.holds(below) && format.holds(above), "{x} in {}", format.bits);
                let apart = above - below;
                assert!(apart <= format.step(x) || apart.is_infinite(), "{x} in {}", format.bits);
                let nearest = format.nearest(x);
                assert!(nearest == below || nearest == above);
            }
        }
        let half = Format::half();
        assert_eq!((half.below(1e6), half.above(1e6)), (65504.0, f64::INFINITY));
        assert_eq!((half.nearest(65519.9), half.nearest(65520.0)), (65504.0, f64::INFINITY));
        assert_eq!(
            (half.below(2049.0), half.above(2049.0), half.nearest(2049.0)),
            (2048.0, 2050.0, 2048.0)
        );
        assert!(half.holds(power_of_two(-24)) && !half.holds(power_of_two(-25)));
        assert!(Format::single().holds(f64::NAN) && Format::single().holds(f64::NEG_INFINITY));
    }

    #[test]
    fn whole_numbers_are_those_of_the_library() {
        let numbers = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 1023.5, 2047.0, 2047.25, 2047.5];
        for x in numbers.into_iter().flat_map(|x| [x, -x]) {
            assert_eq!(floor(x).to_bits(), x.floor().to_bits(), "floor of {x}");
            assert_eq!(round(x).to_bits(), x.round_ties_even().to_bits(), "round of {x}");
        }
    }

    #[test]
    fn bounds_of_roundings_stay_finite() {
        let half = Format::half();
        assert_eq!(half.gamma(1.0), half.unit / (1.0 - half.unit));
        assert_eq!(half.of_additions(1e9), 3.0);
    }
}
