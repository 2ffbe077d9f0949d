//! Sums of many terms in any order, with what their roundings may come to.

use dml_case::number::{exponent, power_of_two, quantum};

use super::column::Value;
use super::format::Format;
use super::real::{
    ANY_ZERO, Arithmetic, INFINITIES, MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, PENDING, Real, two_sum,
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
    /// The greatest power of two that divides every term, of a sum that is exact so far.
    quantum: f64,
    /// The least that the magnitude of the largest term may be.
    largest: f64,
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
            largest: 0.0,
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
        if x.abs() > self.largest {
            self.largest = x.abs();
        }
        self.infinite |= !x.is_finite();
        self.positive &= x >= 0.0;
        self.negative &= x <= 0.0;
        // Nobody asks for the quantum of terms that are off. A coarse one is enough as long as it divides: whole numbers
        // need no look at their bits.
        if self.exact && (self.quantum > 1.0 || x.trunc() != x) {
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
        let one_sign = term.lo >= 0.0 || term.hi <= 0.0;
        let least = if one_sign {
            term.lo.abs().min(term.hi.abs())
        } else {
            0.0
        };
        let largest = self.largest.max(least);
        self.exact = false;
        self.add_exact(term.value);
        self.largest = largest;
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
        self.largest = self.largest.max(other.largest);
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
        if self.is_surely_infinite() {
            return Real::exact(self.sum);
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

    /// Whether some term is an infinity for sure, and no other has another sign: then it does not matter how far these are off.
    fn is_surely_infinite(&self) -> bool {
        let is_sure = self.flags & (MAY_BE_NAN | INFINITIES) == 0 && self.below.is_finite() && self.above.is_finite();
        self.infinite && self.sum.is_infinite() && is_sure && (self.positive || self.negative)
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
        let one_sign = self.positive || self.negative;
        let additions = if one_sign {
            format.of_additions_of_one_sign(sums, self.count)
        } else {
            format.of_additions(sums)
        };
        let growth = additions + format.gamma(terms);
        // Sums of denormals that are kept are exact.
        let vanishing = if format.flushes {
            (sums + terms) * format.normal
        } else {
            0.0
        };
        // What binary64 itself loses.
        let own = value.abs() * 2f64.powi(-52) + self.magnitude * self.count * 2f64.powi(-100);
        let error = growth * self.magnitude + own;
        // What vanishes only loses: of terms of one sign, nothing is gained by it.
        let lost = if self.negative { 0.0 } else { vanishing };
        let gained = if self.positive { 0.0 } else { vanishing };
        let mut real = Real::around(
            value,
            self.below * (1.0 + growth) + error + lost,
            self.above * (1.0 + growth) + error + gained,
        )
        .with(PENDING | ANY_ZERO | self.flags);
        if one_sign && value.is_finite() {
            let least = self.least(value, sums, terms, vanishing + own, format);
            if self.positive {
                real.lo = real.lo.max(least);
            } else {
                real.hi = real.hi.min(-least);
            }
        } else if self.positive {
            // What has left binary64 is no small number.
            real.lo = real.lo.max(format.greatest);
        }
        if arithmetic.grants() {
            real.flags |= self.leaves(format.greatest, 1.0 + growth);
        }
        if real.flags & MAY_BE_INFINITE != 0 && real.flags & MAY_BE_NEGATIVE_INFINITE != 0 {
            real.flags |= MAY_BE_NAN;
        }
        real
    }

    /// The least magnitude of a sum of terms of one sign, before its last rounding: the greatest of three bounds.
    ///
    /// No partial sum is greater than the sum R itself, so that each rounding loses at most u times the power of two
    /// below R: all terms come to no more than R and k of these. Rounding is monotone, so that no partial sum is less than
    /// a term in it. And if all are multiples of a quantum q, partial sums are exact up to 2^p q: the sum is, or one of
    /// them has reached that.
    fn least(&self, value: f64, sums: f64, terms: f64, lost: f64, format: &Format) -> f64 {
        let off = if self.positive { self.below } else { self.above };
        let of_terms = 1.0 - format.gamma(terms);
        let kept = (value.abs() - off) * of_terms - lost;
        let (losses, first) = (sums * format.unit, kept / (1.0 + sums * format.unit));
        let by_errors = if first > 0.0 {
            let power = power_of_two(exponent(first));
            // A little less, for what binary64 itself loses.
            (kept - losses * power).max(first).min(2.0 * power) * (1.0 - 2f64.powi(-48))
        } else {
            0.0
        };
        // A term below the normal numbers may become zero, as may one that a factor makes as small.
        let kept = !format.flushes || terms == 0.0 && self.largest >= format.normal;
        let by_term = if kept { self.largest * of_terms } else { 0.0 };
        let counts = self.quantum / format.unit;
        let counted = self.exact && terms == 0.0 && counts <= format.greatest;
        let counted = counted && (self.quantum >= format.normal || !format.flushes);
        let by_count = if counted { counts.min(value.abs()) } else { 0.0 };
        by_errors.max(by_term).max(by_count)
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
        let by = if divides { 1.0 / factor.value } else { factor.value };
        let smallest = arithmetic.format.step(0.0);
        let power = factor.is_exact() && super::real::is_power_of_two(factor.value);
        // Each term keeps its bits, unless it becomes a denormal.
        let least = if arithmetic.format.flushes {
            arithmetic.format.normal
        } else {
            smallest
        };
        let shifts = power && self.exact && self.quantum * by.abs() >= least;
        let beyond = !whole.value.is_finite() || !self.magnitude.is_finite();
        if shifts || self.count <= 1.0 || self.magnitude == 0.0 || beyond {
            return whole;
        }
        let sums = (self.count - 2.0).max(0.0);
        let termwise = self.rounded(self.sum + self.lost, sums, if power { 0.0 } else { 2.0 }, arithmetic);
        let (a, b) = (termwise.lo * by, termwise.hi * by);
        // Denormals that are kept: so is half of the smallest one, lost or gained at each term and at the inverse.
        let flushes = arithmetic.format.flushes;
        let kept = if flushes { 0.0 } else { 0.5 * smallest };
        let kept = kept * (self.count + if divides { self.magnitude } else { 0.0 });
        // Those that are flushed are lost: each term, and each partial sum.
        let flushed = if flushes {
            2.0 * self.count * arithmetic.format.normal
        } else {
            0.0
        };
        let (is_positive, is_negative) = (
            self.positive && by > 0.0 || self.negative && by < 0.0,
            self.positive && by < 0.0 || self.negative && by > 0.0,
        );
        let (least, most) = (a.min(b), a.max(b));
        let lo = (least - kept - if is_negative { 0.0 } else { flushed }).next_down();
        let hi = (most + kept + if is_positive { 0.0 } else { flushed }).next_up();
        let termwise = Real {
            value: whole.value,
            // What cannot be negative stays so, and what cannot be positive.
            lo: if least >= 0.0 { lo.max(0.0) } else { lo },
            hi: if most <= 0.0 { hi.min(0.0) } else { hi },
            ..termwise
        };
        Real::hull(whole.settled(&arithmetic.format), termwise.settled(&arithmetic.format))
    }

    /// The same sum with a factor, or a divisor, at each of its terms, to which others may be added: for each term two
    /// more roundings, or those of a division, unless the factor is a power of two.
    pub(crate) fn times(&self, factor: Real, divides: bool, arithmetic: &Arithmetic) -> Self {
        let format = &arithmetic.format;
        let factor = factor.settled(format);
        let power = factor.is_exact() && super::real::is_power_of_two(factor.value);
        let by = if divides { 1.0 / factor.value } else { factor.value };
        let off = if divides {
            (1.0 / factor.lo - by).abs().max((1.0 / factor.hi - by).abs())
        } else {
            (factor.value - factor.lo).max(factor.hi - factor.value)
        };
        let roundings = match (power, divides) {
            (true, _) => 0.0,
            (false, false) => 2.0,
            (false, true) => 6.0,
        };
        let error = self.magnitude * (off + (by.abs() + off) * format.gamma(roundings));
        let error = error
            + match (self.keeps(by, format), format.flushes) {
                (true, _) => 0.0,
                (false, true) => self.count * format.normal,
                // Half of the smallest denormal at each term and, times the terms, at the inverse.
                (false, false) => 0.5 * format.step(0.0) * (self.count + if divides { self.magnitude } else { 0.0 }),
            };
        let (below, above) = if by < 0.0 {
            (self.above, self.below)
        } else {
            (self.below, self.above)
        };
        let mut scaled = Self {
            sum: 0.0,
            lost: 0.0,
            count: 0.0,
            ..Self::default()
        };
        scaled.merge(self, by < 0.0);
        scaled.sum = self.sum * by;
        scaled.lost = self.lost * by;
        scaled.magnitude = self.magnitude * by.abs();
        scaled.quantum = if power { self.quantum * by.abs() } else { 0.0 };
        scaled.largest = self.largest * (by.abs() - off).max(0.0) * (1.0 - format.gamma(roundings));
        scaled.exact = self.exact && power;
        scaled.below = below * (by.abs() + off) + error;
        scaled.above = above * (by.abs() + off) + error;
        let known_sign = factor.lo > 0.0 || factor.hi < 0.0;
        scaled.positive &= known_sign || self.magnitude == 0.0;
        scaled.negative &= known_sign || self.magnitude == 0.0;
        scaled.infinite |= !by.is_finite();
        scaled.flags |= self.infinite_first(factor, arithmetic);
        scaled.flags |= factor.flags & MAY_BE_NAN | self.by_infinity(factor);
        if scaled.open == 0 {
            scaled.open = factor.open;
        }
        scaled
    }

    /// What a factor makes of infinities, where the sum is taken first and has left the range: by 0 it is NaN.
    fn infinite_first(&self, factor: Real, arithmetic: &Arithmetic) -> u16 {
        let mut infinities = self.flags & (MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE);
        if arithmetic.grants() {
            infinities |= self.leaves(arithmetic.format.greatest, 1.0 + arithmetic.format.gamma(self.count));
        }
        let sum = Real::exact(0.0).with(infinities);
        if infinities == 0 || factor.lo > 0.0 {
            infinities
        } else if factor.hi < 0.0 {
            Real::neg(sum).flags & (MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE)
        } else {
            MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE | MAY_BE_NAN
        }
    }

    /// What an infinite factor makes of terms: infinities of their signs, and NaN of a zero or of both signs.
    fn by_infinity(&self, factor: Real) -> u16 {
        let infinities = factor.flags & INFINITIES | factor.infinity();
        match (infinities, self.positive, self.negative) {
            (0, ..) => 0,
            (_, true, false) => infinities | MAY_BE_NAN,
            (_, false, true) => Real::neg(Real::exact(0.0).with(infinities)).flags | MAY_BE_NAN,
            _ => INFINITIES | MAY_BE_NAN,
        }
    }

    /// Whether terms times this stay normal numbers.
    fn keeps(&self, by: f64, format: &Format) -> bool {
        self.exact && self.quantum * by.abs() >= format.normal
    }

    /// Partial sums lie between the sum of the negative terms and that of the positive ones.
    fn leaves(&self, greatest: f64, growth: f64) -> u16 {
        // Of terms of both signs, binary64 may have lost the smaller ones.
        let is_mixed = !self.positive && !self.negative && self.magnitude.is_finite();
        let lost = if is_mixed { self.magnitude * 2f64.powi(-50) } else { 0.0 };
        let leaves = |sign: f64| (self.magnitude + sign * self.sum) * 0.5 * growth > greatest || lost > greatest;
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
    fn an_infinity_does_not_care_how_far_other_terms_of_its_sign_are_off() {
        let of = |infinity: f64, other: f64| {
            let mut tally = Tally::default();
            tally.add_exact(infinity);
            tally.add(Real::around(other, 0.25, 0.25), &single(true));
            tally.total(&single(true))
        };
        assert_eq!(of(f64::INFINITY, 1.5), Real::exact(f64::INFINITY));
        assert_eq!(of(f64::NEG_INFINITY, -1.5), Real::exact(f64::NEG_INFINITY));
        assert!(
            !of(f64::INFINITY, -1.5).is_exact(),
            "of two signs the sum may be NaN on the way"
        );
        let mut perhaps = Tally::default();
        perhaps.add_exact(f64::INFINITY);
        perhaps.add(
            Real::around(1.5, 0.25, 0.25).with(MAY_BE_NEGATIVE_INFINITE),
            &single(true),
        );
        assert!(!perhaps.total(&single(true)).is_exact());
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

    /// A sum of numbers in an order and association by chance, each partial sum rounded to nearest.
    fn added_by_chance(mut parts: Vec<f64>, format: &Format, next: &mut dyn FnMut(usize) -> usize) -> f64 {
        // One sum that grows, or any two.
        let grows = next(2) == 0;
        while parts.len() > 2 {
            let a = parts.swap_remove(next(parts.len()));
            let at = if grows { parts.len() - 1 } else { next(parts.len()) };
            parts[at] = format.nearest(parts[at] + a);
            let last = parts.len() - 1;
            if grows {
                parts.swap(at, last);
            }
        }
        // The last rounding is left to what follows.
        parts.iter().sum()
    }

    #[test]
    fn sums_of_one_sign_hold_what_any_order_gives() {
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below as u64) as usize
        };
        let half = Arithmetic {
            format: Format::half(),
            half: true,
            ..single(false)
        };
        for round in 0..400 {
            let count = [3, 70, 900, 4000][round % 4];
            let (sign, spread) = ([1.0, -1.0][round / 4 % 2], next(4) as i32);
            let mut term = || {
                let exponent = next(2 * spread as usize + 1) as i32 - spread - 4;
                half.format
                    .nearest(sign * (1.0 + next(1024) as f64 / 1024.0) * power_of_two(exponent))
            };
            let one = term();
            let terms: Vec<f64> = (0..count).map(|_| if spread == 0 { one } else { term() }).collect();
            let mut tally = Tally::default();
            terms.iter().for_each(|x| tally.add_exact(*x));
            let real = tally.total(&half);
            for _ in 0..3 {
                let sum = added_by_chance(terms.clone(), &half.format, &mut next);
                assert!(
                    real.lo <= sum && sum <= real.hi,
                    "{count} terms, {sum} beyond {}..{}",
                    real.lo,
                    real.hi
                );
            }
            assert!(real.lo * real.hi > 0.0, "{count} terms: {}..{}", real.lo, real.hi);
        }
    }
}
