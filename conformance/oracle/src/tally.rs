//! Sums of many terms in any order, with what their roundings may come to.

use dml_case::number::quantum;

use super::column::Value;
use super::real::{
    ANY_ZERO, Arithmetic, MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, PENDING, Real, two_sum,
};

/// What a sum comes to, before its bound.
pub(crate) enum Sums {
    /// Reals, for each outer point.
    Tallies(Vec<Tally>),
    /// Whole numbers, or any other value.
    Value(Value),
}

/// A sum of reals in any order.
///
/// It is exact if all its partial results are representable: all terms are multiples of a quantum, and the sum of their
/// magnitudes is not more of these than the mantissa counts. Else it is off by γ(n - 1) of the sum of the magnitudes
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2), of which the last rounding is
/// left to what follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    count: f64,
    sum: f64,
    /// What additions in binary64 lost.
    lost: f64,
    magnitude: f64,
    /// The greatest power of two that divides every term.
    quantum: f64,
    /// How far the terms themselves may be off, below and above.
    below: f64,
    above: f64,
    exact: bool,
    /// No term may be negative.
    positive: bool,
    /// No term may be positive.
    negative: bool,
    /// A term is infinite or NaN.
    infinite: bool,
    flags: u16,
    open: u16,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            count: 0.0,
            sum: 0.0,
            lost: 0.0,
            magnitude: 0.0,
            quantum: f64::INFINITY,
            below: 0.0,
            above: 0.0,
            exact: true,
            positive: true,
            negative: true,
            infinite: false,
            flags: 0,
            open: 0,
        }
    }
}

impl Tally {
    /// Adds a number that every implementation has.
    #[inline]
    pub(crate) fn add_exact(&mut self, x: f64) {
        if x == 0.0 && self.count > 0.0 {
            // Adding nothing rounds nothing.
            return;
        }
        self.count += 1.0;
        let (sum, lost) = two_sum(self.sum, x);
        self.sum = sum;
        self.lost += lost;
        self.magnitude += x.abs();
        self.infinite |= !x.is_finite();
        self.positive &= x >= 0.0;
        self.negative &= x <= 0.0;
        // A coarse quantum is enough as long as it divides: whole numbers need no look at their bits.
        if self.quantum > 1.0 || x.trunc() != x {
            self.quantum = self.quantum.min(quantum(x));
        }
    }

    /// Adds a term.
    #[inline]
    pub(crate) fn add(&mut self, term: Real, arithmetic: &Arithmetic) {
        if term.is_exact() {
            return self.add_exact(term.value);
        }
        let term = term.settled(&arithmetic.format);
        self.add_exact(term.value);
        self.exact = false;
        self.positive &= term.lo >= 0.0;
        self.negative &= term.hi <= 0.0;
        self.below += term.value - term.lo;
        self.above += term.hi - term.value;
        self.flags |= term.flags & (MAY_BE_NAN | MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE);
        if self.open == 0 {
            self.open = term.open;
        }
    }

    /// The sum is open.
    pub(crate) fn taint(&mut self, open: u16) {
        self.open = open;
    }

    /// Adds the terms of another sum.
    pub(crate) fn merge(&mut self, other: &Self, negative: bool) {
        let (positive_terms, negative_terms) = match negative {
            true => (other.negative, other.positive),
            false => (other.positive, other.negative),
        };
        let sign = if negative { -1.0 } else { 1.0 };
        let (sum, lost) = two_sum(self.sum, sign * other.sum);
        self.sum = sum;
        self.lost += lost + sign * other.lost;
        self.count += other.count;
        self.magnitude += other.magnitude;
        self.quantum = self.quantum.min(other.quantum);
        let (below, above) = if negative {
            (other.above, other.below)
        } else {
            (other.below, other.above)
        };
        self.below += below;
        self.above += above;
        self.exact &= other.exact;
        self.positive &= positive_terms;
        self.negative &= negative_terms;
        self.infinite |= other.infinite;
        let infinities = MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE;
        let flags = match (negative, other.flags & infinities) {
            (true, MAY_BE_INFINITE) => MAY_BE_NEGATIVE_INFINITE,
            (true, MAY_BE_NEGATIVE_INFINITE) => MAY_BE_INFINITE,
            (_, flags) => flags,
        };
        self.flags |= other.flags & MAY_BE_NAN | flags;
        if self.open == 0 {
            self.open = other.open;
        }
    }

    /// The sum.
    pub(crate) fn total(&self, arithmetic: &Arithmetic) -> Real {
        let format = &arithmetic.format;
        let value = if self.sum.is_infinite() {
            self.sum
        } else {
            self.sum + self.lost
        };
        if self.open != 0 {
            return Real {
                open: self.open,
                ..Real::exact(0.0)
            };
        }
        if !self.magnitude.is_finite() && !self.infinite && self.count > 1.0 {
            return self.beyond_binary64(arithmetic);
        }
        if self.count == 0.0 || !value.is_finite() && self.exact {
            return Real::exact(if self.count == 0.0 { 0.0 } else { self.sum });
        }
        let held = self.magnitude == 0.0
            || (self.magnitude / self.quantum <= 1.0 / format.unit
                && self.magnitude <= format.greatest
                && (self.quantum >= format.normal || !format.flushes && format.holds(self.quantum)));
        if self.exact && (held || self.count == 1.0) {
            return Real::exact(value).with(if self.count == 1.0 && value != 0.0 { 0 } else { ANY_ZERO });
        }
        let sums = if self.exact && held { 0.0 } else { self.count - 2.0 };
        self.rounded(value, sums.max(0.0), 0.0, arithmetic)
    }

    /// A sum of finite terms that binary64 has no number for on the way: nothing, if they have both signs, is known of it.
    fn beyond_binary64(&self, arithmetic: &Arithmetic) -> Real {
        let greatest = arithmetic.format.greatest;
        if self.positive || self.negative {
            return Real::exact(if self.positive {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            });
        }
        if self.count == 2.0 && self.exact && self.sum.is_finite() && self.lost == 0.0 {
            return Real::exact(self.sum).with(ANY_ZERO);
        }
        let value = if self.sum.is_nan() {
            0.0
        } else {
            self.sum.clamp(-greatest, greatest)
        };
        let real = Real {
            lo: -greatest,
            hi: greatest,
            ..Real::exact(value)
        };
        let left = if arithmetic.grants() {
            MAY_BE_NAN | MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE
        } else {
            0
        };
        real.with(ANY_ZERO | self.flags | left)
    }

    /// The sum with these roundings on the way, and these of each term.
    fn rounded(&self, value: f64, sums: f64, terms: f64, arithmetic: &Arithmetic) -> Real {
        let format = &arithmetic.format;
        let growth = format.of_additions(sums) + format.gamma(terms);
        // Sums of denormals that are kept are exact.
        let vanishing = if format.flushes {
            (sums + terms) * format.normal
        } else {
            0.0
        };
        // What binary64 itself loses.
        let own = value.abs() * 2f64.powi(-52) + self.magnitude * self.count * 2f64.powi(-100);
        let error = growth * self.magnitude + vanishing + own;
        let mut real = Real::around(
            value,
            self.below * (1.0 + growth) + error,
            self.above * (1.0 + growth) + error,
        )
        .with(PENDING | ANY_ZERO | self.flags);
        if self.positive {
            // What has left binary64 is no small number.
            let least = if value == f64::INFINITY { format.greatest } else { 0.0 };
            real.lo = real.lo.max(least);
        }
        if arithmetic.grants() {
            real.flags |= self.leaves(format.greatest, 1.0 + growth);
        }
        if real.flags & MAY_BE_INFINITE != 0 && real.flags & MAY_BE_NEGATIVE_INFINITE != 0 {
            real.flags |= MAY_BE_NAN;
        }
        real
    }

    /// The sum times a factor, or divided by it. Unless the factor is a power of two it may stand at each term as well,
    /// as a product with the factor or its rounded inverse: two more roundings a term.
    pub(crate) fn scaled(&self, factor: Real, divides: bool, arithmetic: &Arithmetic) -> Real {
        let total = self.total(arithmetic);
        let open = if total.open != 0 { total.open } else { factor.open };
        if open != 0 {
            return Real {
                open,
                ..Real::exact(0.0)
            };
        }
        let whole = if divides {
            Real::div(total, factor, arithmetic)
        } else {
            Real::mul(total, factor, arithmetic)
        };
        let power = factor.is_exact() && super::real::is_power_of_two(factor.value);
        let beyond = !whole.value.is_finite() || !self.magnitude.is_finite();
        if power || self.count <= 1.0 || self.magnitude == 0.0 || beyond {
            return whole;
        }
        let sums = (self.count - 2.0).max(0.0);
        let termwise = self.rounded(self.sum + self.lost, sums, 2.0, arithmetic);
        let by = if divides { 1.0 / factor.value } else { factor.value };
        let (a, b) = (termwise.lo * by, termwise.hi * by);
        // Denormals that are kept: so is half of the smallest one, lost or gained at each term and at the inverse.
        let kept = if arithmetic.format.flushes {
            0.0
        } else {
            0.5 * arithmetic.format.step(0.0)
        };
        let kept = kept * (self.count + if divides { self.magnitude } else { 0.0 });
        let termwise = Real {
            value: whole.value,
            lo: (a.min(b) - kept).next_down(),
            hi: (a.max(b) + kept).next_up(),
            ..termwise
        };
        Real::hull(whole.settled(&arithmetic.format), termwise.settled(&arithmetic.format))
    }

    /// Partial sums lie between the sum of the negative terms and that of the positive ones.
    fn leaves(&self, greatest: f64, growth: f64) -> u16 {
        let leaves = |sign: f64| (self.magnitude + sign * self.sum) * 0.5 * growth > greatest;
        let up = if leaves(1.0) { MAY_BE_INFINITE } else { 0 };
        let down = if leaves(-1.0) { MAY_BE_NEGATIVE_INFINITE } else { 0 };
        up | down
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    fn single(granted: bool) -> Arithmetic {
        Arithmetic {
            format: Format::single(),
            granted,
            half: false,
            wraps: false,
        }
    }

    fn sum(terms: &[f64], granted: bool) -> Real {
        let mut tally = Tally::default();
        terms.iter().for_each(|x| tally.add_exact(*x));
        tally.total(&single(granted))
    }

    #[test]
    fn a_sum_is_exact_if_every_partial_sum_is() {
        assert!(sum(&[2047.0, 2.0, -8.0], false).is_exact());
        assert!(sum(&[16_777_215.0, 1.0], false).is_exact());
        assert!(!sum(&[16_777_216.0, 1.0], false).is_exact());
        assert!(sum(&[], false).is_exact() && sum(&[0.1], false).is_exact());
        assert!(sum(&[f64::INFINITY, 1.0], false).is_exact());
    }

    #[test]
    fn the_bound_counts_every_addition_but_the_last() {
        let three = sum(&[0.1, 0.1, 0.1], false);
        assert!(three.flags & PENDING != 0 && three.hi - three.value > 0.3 * 2f64.powi(-24));
        assert!(three.hi - three.value < 0.31 * 2f64.powi(-24));
        let two = sum(&[0.1, 0.2], false);
        assert!(two.hi - two.lo < 1e-15, "one rounding, which is the last");
    }

    #[test]
    fn leaving_the_range_counts_where_it_is_granted() {
        let most = f64::from(f32::MAX);
        assert_eq!(sum(&[most, most, -most], false).flags & MAY_BE_INFINITE, 0);
        let both = sum(&[most, most, -most, -most, 0.5], true);
        assert!(both.flags & MAY_BE_NAN != 0);
    }
}
