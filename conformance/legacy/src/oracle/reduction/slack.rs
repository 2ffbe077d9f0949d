//! How far a result may be off: bounds of the rounding errors that any order of operations in the tensor's own type
//! makes, and nothing where no operation can round.
//!
//! With unit roundoff u, a sum of n terms in any order is off by at most γ(n-1) times the sum of the magnitudes, and a
//! product by γ(n-1) times itself, where γ(k) = ku / (1 - ku) (Higham, Accuracy and Stability of Numerical Algorithms,
//! 2nd edition, sections 3.1 and 4.2). The other functions are as exact as the Vulkan specification demands of shaders
//! ("Precision and Operation of SPIR-V Instructions"): roots through an inverse root of 2 ULP and a division of 2.5,
//! logarithms of 3 ULP or near 1 an absolute error, exponentials of 3 + 2|x| ULP (1 + 2|x| in half precision). Twice
//! that is granted where functions to base e go through base 2. Results below the normal numbers may become zero.
//!
//! What is granted is finite for finite elements, however large they are: what comes of leaving the range of the type on
//! the way is told apart, by [`super::range`].

use super::{Function, function::product};
use crate::oracle::{
    elementary::{exp, ln, ln_1p, log2},
    rounding,
};
use dml_case::number::{power_of_two, quantum};

/// What a data type can hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    /// Half the distance from 1 to the next number.
    unit: f64,
    /// Smallest normal number.
    pub(super) normal: f64,
    /// Greatest finite number.
    pub(super) greatest: f64,
    /// Absolute error of a logarithm of numbers near 1.
    near_one: f64,
    /// Units in the last place of an exponential of 0.
    exponential: f64,
}

impl Precision {
    /// That of floats of this many bits.
    pub(super) fn of(bits: u32) -> Self {
        match bits {
            16 => Self {
                unit: power_of_two(-11),
                normal: power_of_two(-14),
                greatest: 65504.0,
                near_one: power_of_two(-7),
                exponential: 1.0,
            },
            32 => Self {
                unit: power_of_two(-24),
                normal: power_of_two(-126),
                greatest: f64::from(f32::MAX),
                near_one: power_of_two(-21),
                exponential: 3.0,
            },
            _ => Self {
                unit: power_of_two(-53),
                normal: f64::MIN_POSITIVE,
                greatest: f64::MAX,
                near_one: power_of_two(-50),
                exponential: 3.0,
            },
        }
    }

    /// γ(k).
    fn gamma(&self, k: usize) -> f64 {
        rounding::gamma(self.unit, k as f64)
    }

    /// Error of a sum of n terms relative to the sum of their magnitudes.
    pub(super) fn of_terms(&self, n: usize) -> f64 {
        rounding::of_additions(self.unit, n as f64)
    }

    /// Whether these terms can be summed in any order without rounding: all are multiples of one normal number, and
    /// together no more of them than the mantissa counts.
    fn sums_exactly(&self, terms: impl Iterator<Item = f64> + Clone) -> bool {
        let lowest = terms.clone().map(quantum).fold(f64::INFINITY, f64::min);
        let all: f64 = terms.map(f64::abs).sum();
        all == 0.0 || (lowest >= self.normal && all / lowest <= 1.0 / self.unit && all <= self.greatest)
    }

    /// Error of a sum of these terms in any order, without that of rounding the result once more.
    fn of_sum(&self, terms: impl Iterator<Item = f64> + Clone) -> f64 {
        if self.sums_exactly(terms.clone()) {
            return 0.0;
        }
        let (all, n) = (terms.clone().map(f64::abs).sum::<f64>(), terms.count());
        self.of_terms(n) * all + n as f64 * self.normal
    }

    /// Error of a product in any order.
    fn of_product(&self, set: impl Iterator<Item = f64> + Clone) -> f64 {
        let product = product(set.clone());
        let leaves = self.leaves(set.clone());
        let digits: u32 = set.clone().map(significant_bits).sum();
        if !leaves.above && !leaves.below && f64::from(digits) <= -log2(self.unit) {
            return 0.0;
        }
        // What becomes a denormal number on the way is rounded to zero, or to as much as twice itself.
        let below = if leaves.below { product.abs() + self.normal } else { 0.0 };
        let held = product.is_finite() && (product != 0.0 || set.clone().any(|x| x == 0.0));
        if held {
            self.gamma(set.count()) * product.abs() + below
        } else {
            f64::INFINITY
        }
    }

    /// Where products of some of the factors can lie.
    pub(super) fn leaves(&self, factors: impl Iterator<Item = f64>) -> Leaves {
        let logs = factors.filter(|x| *x != 0.0).map(|x| log2(x.abs()));
        let (up, down) = logs.fold((0.0, 0.0), |(up, down): (f64, f64), log| {
            (up + log.max(0.0), down + log.min(0.0))
        });
        Leaves {
            above: up >= log2(self.greatest),
            below: down <= log2(self.normal),
        }
    }

    /// Error of the logarithm of a sum that is itself off by `error`.
    fn of_logarithm(&self, sum: f64, error: f64) -> f64 {
        let relative = error / sum.abs();
        if sum <= 0.0 {
            // Where rounding decides whether there is a logarithm at all, anything may come out.
            return if error > 0.0 { f64::INFINITY } else { 0.0 };
        }
        if relative.is_nan() || relative >= 0.5 {
            return f64::INFINITY;
        }
        let near_one = if (0.25..4.0).contains(&sum) {
            2.0 * self.near_one
        } else {
            0.0
        };
        -ln_1p(-relative) + near_one + 14.0 * self.unit * ln(sum).abs()
    }
}

/// Whether products on the way can leave the range of the normal numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaves {
    pub(super) above: bool,
    pub(super) below: bool,
}

/// How many bits the mantissa of a number needs.
fn significant_bits(x: f64) -> u32 {
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    if x == 0.0 || mantissa == 0 {
        // A power of two changes no mantissa.
        0
    } else {
        53 - mantissa.trailing_zeros()
    }
}

/// How far the function's result for a set of floats of this many bits may be off.
pub(in crate::oracle) fn slack(function: Function, bits: u32, set: impl Iterator<Item = f64> + Clone) -> f64 {
    let p = Precision::of(bits);
    let calculates = !matches!(function, Function::Max | Function::Min);
    if calculates && set.clone().any(f64::is_infinite) {
        return f64::INFINITY;
    }
    let result = function.of_floats(set.clone()).abs();
    let error = error(&p, function, set, result);
    // Where rounding decides whether the result is an infinity, it may be that or the greatest number.
    if error > 0.0 && (result - p.greatest).abs() <= error + 2.0 * p.unit * p.greatest {
        f64::INFINITY
    } else {
        error
    }
}

fn error(p: &Precision, function: Function, set: impl Iterator<Item = f64> + Clone, result: f64) -> f64 {
    // The result is rounded, and so is the reference.
    let rounded = |error: f64| {
        if error == 0.0 {
            0.0
        } else {
            error + 2.0 * p.unit * result
        }
    };
    match function {
        Function::Max | Function::Min => 0.0,
        Function::Sum => rounded(p.of_sum(set)),
        Function::L1 => rounded(p.of_sum(set.map(f64::abs))),
        Function::SumSquare => rounded(squares(p, set)),
        Function::Average => average(p, set, result),
        Function::L2 => {
            let error = squares(p, set.clone());
            let sum: f64 = set.map(|x| x * x).sum();
            let root = (sum + error).sqrt() - (sum - error).max(0.0).sqrt();
            root + 10.0 * p.unit * result
        }
        Function::LogSum => {
            let error = p.of_sum(set.clone());
            let off = p.of_logarithm(set.sum(), error);
            // Where anything may come out, the reference itself may be no number.
            if error > 0.0 && off.is_finite() {
                off + 2.0 * p.unit * result
            } else {
                off
            }
        }
        Function::LogSumExp => log_sum_exp(p, set),
        Function::Multiply => rounded(p.of_product(set)),
    }
}

/// Error of a sum of squares, each of which may round or become zero.
fn squares(p: &Precision, set: impl Iterator<Item = f64> + Clone) -> f64 {
    let squares = set.map(|x| x * x);
    let fits = squares.clone().all(|x| x == 0.0 || x >= p.normal);
    if fits && p.sums_exactly(squares.clone()) {
        return 0.0;
    }
    let (all, n) = (squares.clone().sum::<f64>(), squares.count());
    (p.of_terms(n) + p.gamma(2)) * all + 2.0 * n as f64 * p.normal
}

/// Error of an average: of the sum, of the division or of a multiplication by a rounded reciprocal, before the sum or
/// behind it.
fn average(p: &Precision, set: impl Iterator<Item = f64> + Clone, result: f64) -> f64 {
    let (n, all) = (set.clone().count(), set.clone().map(f64::abs).sum::<f64>());
    if n == 1 {
        return 0.0;
    }
    let (sum, mean) = (p.of_sum(set), all / n as f64);
    let below = if mean == 0.0 { 0.0 } else { p.normal };
    sum / n as f64 + p.gamma(3) * mean + 2.0 * p.unit * result + below
}

/// Exponentials of a set in the tensor's own type: their sum, its error, the largest magnitude of an element.
pub(super) fn exponentials(p: &Precision, set: impl Iterator<Item = f64> + Clone) -> (f64, f64, f64) {
    let (mut sum, mut error, mut farthest) = (0f64, 0f64, 0f64);
    for x in set.clone() {
        let power = exp(x);
        sum += power;
        error += power * 4.0 * p.unit * (p.exponential + 2.0 * x.abs()) + p.normal;
        farthest = farthest.max(x.abs());
    }
    (sum, error + p.of_terms(set.count()) * sum, farthest)
}

/// What the formula comes to, taken as it is written, where the sum of exponentials leaves the range of the type: the
/// logarithm of infinity, or of zero. `None` where it does not.
pub(super) fn beyond(p: &Precision, sum: f64, error: f64) -> Option<f64> {
    // Half of the smallest denormal number becomes zero.
    let vanishes = sum < p.normal * p.unit;
    if sum + error > p.greatest {
        Some(f64::INFINITY)
    } else {
        vanishes.then_some(f64::NEG_INFINITY)
    }
}

/// Error of the logarithm of a sum of exponentials, taken as it is written or relative to the largest element. Where
/// the sum leaves the range of the type only the second way leads to a number.
fn log_sum_exp(p: &Precision, set: impl Iterator<Item = f64> + Clone) -> f64 {
    let (sum, error, farthest) = exponentials(p, set.clone());
    let written = p.of_logarithm(sum, error) + 4.0 * p.unit * (farthest + ln(sum).abs()) + 2.0 * p.near_one;
    match beyond(p, sum, error) {
        None => written,
        Some(_) if written.is_finite() => written.max(relative(p, set)),
        Some(_) => relative(p, set),
    }
}

/// The same relative to the largest element: differences round, their exponentials lie between 0 and 1, the logarithm of
/// their sum is added to the largest element.
fn relative(p: &Precision, set: impl Iterator<Item = f64> + Clone) -> f64 {
    let top = set.clone().fold(f64::NEG_INFINITY, f64::max);
    if !top.is_finite() {
        return f64::INFINITY;
    }
    let below = set.map(|x| x - top);
    let (sum, error, _) = exponentials(p, below);
    p.of_logarithm(sum, error) + 4.0 * p.unit * (top.abs() + ln(sum).abs()) + 2.0 * p.near_one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(function: Function, bits: u32, set: &[f64]) -> f64 {
        slack(function, bits, set.iter().copied())
    }

    #[test]
    fn nothing_is_granted_where_nothing_rounds() {
        assert_eq!(of(Function::Sum, 16, &[1.0, 2.0, -8.0, 0.5]), 0.0);
        assert_eq!(of(Function::Sum, 16, &[2047.0, 1.0]), 0.0);
        assert!(of(Function::Sum, 16, &[2047.0, 2.0]) > 0.0, "2049 is no half");
        assert_eq!(of(Function::Sum, 32, &[2047.0, 2.0]), 0.0);
        assert_eq!(of(Function::SumSquare, 16, &[8.0, -8.0, 3.0]), 0.0);
        assert_eq!(of(Function::Multiply, 16, &[2.0, -0.5, 4.0, 3.0]), 0.0);
        assert!(of(Function::Multiply, 16, &[1.0 + 2f64.powi(-10), 1.0 + 2f64.powi(-10)]) > 0.0);
        assert_eq!(of(Function::Average, 16, &[3.5]), 0.0);
        assert_eq!(of(Function::Max, 32, &[0.1, 0.2]), 0.0);
    }

    #[test]
    fn bounds_grow_with_what_is_added() {
        let few = of(Function::Sum, 32, &[0.1, 0.2]);
        let many = of(Function::Sum, 32, &[0.1; 100]);
        assert!(
            few > 0.0 && few < 1e-7 && many > 10.0 * few && many < 1e-3,
            "{few} {many}"
        );
        assert!(of(Function::Sum, 16, &[60000.1, 60000.0]) < 256.0);
        assert!(of(Function::Sum, 16, &[0.1; 5000]) < 1600.0);
        assert!(of(Function::Multiply, 16, &[300.1, 300.0, 0.1]) < 32.0);
        assert_eq!(
            of(Function::Sum, 16, &[32760.0, 32757.0]),
            f64::INFINITY,
            "65504, or infinity"
        );
        assert_eq!(of(Function::Sum, 32, &[f64::INFINITY, 1.0]), f64::INFINITY);
        assert_eq!(of(Function::Max, 32, &[f64::INFINITY, 1.0]), 0.0);
        assert!(of(Function::L2, 16, &[300.0, 300.0]) < 4.0);
        assert!(of(Function::Average, 16, &[60000.0, 60001.0]) < 256.0);
        assert!(of(Function::LogSumExp, 16, &[12.0]) < 0.25);
        assert!(of(Function::LogSumExp, 32, &[800.0, 799.5]) < 1e-3);
        assert!(of(Function::LogSumExp, 32, &[-800.0, -799.5]) < 1e-3);
        assert!(of(Function::LogSumExp, 32, &[12.0, 3.0]) < 1e-4);
        assert!(of(Function::L2, 32, &[3.0, 4.0]) < 1e-5);
    }

    #[test]
    fn anything_goes_where_rounding_decides_whether_there_is_a_logarithm() {
        let most = f64::from(f32::MAX);
        // Summed as they stand, the first two are lost and the last is not.
        let of = |set: &[f64]| of(Function::LogSum, 32, set);
        assert_eq!(of(&[1.0, 2.0, -most, most, -2.0]), f64::INFINITY);
        assert_eq!(of(&[-3.0, 1.0]), 0.0, "there is none, however it is summed");
        assert!(of(&[0.1, 0.2]).is_finite());
    }

    #[test]
    fn significant_bits_are_counted() {
        assert_eq!([1.0, 3.0, 0.75, 5.0, 0.0].map(significant_bits), [0, 2, 2, 3, 0]);
    }
}
