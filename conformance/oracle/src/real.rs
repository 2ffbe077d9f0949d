//! Real numbers with a bound on how far a right implementation may be off.
//!
//! A number is known by its value in binary64 and by an interval that holds what every right implementation comes to.
//! The rounding of the last operation is not in the interval yet ([`PENDING`]): an operation in the output's own type
//! is rounded once, by the cast, and whatever goes on is rounded first ([`Real::settled`]).

use crate::format::Format;

/// The last operation has not been rounded yet.
pub(crate) const PENDING: u16 = 1;
/// It may be NaN.
pub(crate) const MAY_BE_NAN: u16 = 2;
/// It may be positive infinity.
pub(crate) const MAY_BE_INFINITE: u16 = 4;
/// It may be negative infinity.
pub(crate) const MAY_BE_NEGATIVE_INFINITE: u16 = 8;
/// The sign of a zero is not determined.
pub(crate) const ANY_ZERO: u16 = 16;
/// It is its value or zero, and nothing between: a denormal of a format that flushes.
pub(crate) const VANISHES: u16 = 32;

/// The clause of an element that a mutant cannot compute: it may be anything.
pub(crate) const WILDCARD: u16 = u16::MAX - 2;

pub(crate) const INFINITIES: u16 = MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE;

/// A real number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Real {
    /// Its value, from binary64.
    pub(crate) value: f64,
    /// The least that it may be.
    pub(crate) lo: f64,
    /// The most that it may be.
    pub(crate) hi: f64,
    /// What else holds of it.
    pub(crate) flags: u16,
    /// 1 + the number of the clause that leaves it open; 0 if it is judged.
    pub(crate) open: u16,
    /// 1 + the place of its alternatives in the arena; 0 if there is one outcome.
    pub(crate) outcomes: u32,
}

/// The arithmetic of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arithmetic {
    /// The format that results are rounded to.
    pub(crate) format: Format,
    /// A clause grants that leaving the range on the way gives an infinity or NaN.
    pub(crate) granted: bool,
    /// Computation in half precision is allowed: what leaves FLOAT16's range on the way is granted too.
    pub(crate) half: bool,
    /// Whole numbers are reckoned modulo 2^n, so that 128 bits never overflow.
    pub(crate) wraps: bool,
}

impl Arithmetic {
    /// Whether leaving the range on the way may give an infinity or NaN.
    #[inline]
    pub(crate) fn grants(&self) -> bool {
        self.granted || self.half && self.format.bits == 16
    }
}

impl Real {
    /// A number that every implementation has.
    #[inline]
    pub(crate) fn exact(value: f64) -> Self {
        Self {
            value,
            lo: value,
            hi: value,
            flags: 0,
            open: 0,
            outcomes: 0,
        }
    }

    /// A number off by at most this on either side, rounding included.
    pub(crate) fn around(value: f64, below: f64, above: f64) -> Self {
        Self {
            lo: value - below,
            hi: value + above,
            ..Self::exact(value)
        }
    }

    /// A denormal that may be taken for zero: one or the other, and nothing between.
    pub(crate) fn vanishing(value: f64) -> Self {
        Self {
            lo: value.min(0.0),
            hi: value.max(0.0),
            ..Self::exact(value)
        }
        .with(VANISHES)
    }

    /// An element that the clause leaves open.
    pub(crate) fn open(clause: u16) -> Self {
        Self {
            open: clause + 1,
            ..Self::exact(0.0)
        }
    }

    /// Whether every implementation has exactly this number.
    #[inline]
    pub(crate) fn is_exact(&self) -> bool {
        self.flags & !ANY_ZERO == 0
            && self.open == 0
            && self.outcomes == 0
            && (self.lo == self.hi || self.value.is_nan())
    }

    /// Whether it is a number within its bound and nothing else: judged, and neither perhaps infinite or NaN nor one of several.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.flags & !(PENDING | ANY_ZERO) == 0 && self.open == 0 && self.outcomes == 0
    }

    /// Whether it is one number, within its bound: not one of several, and no denormal that may be zero.
    pub(crate) fn has_one_outcome(&self) -> bool {
        self.outcomes == 0 && self.flags & VANISHES == 0
    }

    #[inline]
    pub(crate) fn with(mut self, flags: u16) -> Self {
        self.flags |= flags;
        self
    }

    /// The same, if the rounding of the last operation is in the interval: to nearest, or not at all where it is fused
    /// with the next one.
    #[inline(always)]
    pub(crate) fn settled(mut self, format: &Format) -> Self {
        if self.flags & PENDING != 0 {
            self.flags &= !PENDING;
            let (lo, hi) = (format.nearest(self.lo), format.nearest(self.hi));
            // What leaves the range on the way counts only where a clause grants it.
            self.lo = if lo < self.lo && lo.is_finite() { lo } else { self.lo };
            self.hi = if hi > self.hi && hi.is_finite() { hi } else { self.hi };
            self.flush(format);
        }
        self
    }

    /// A result below the normal numbers may have become zero.
    #[inline]
    pub(crate) fn flush(&mut self, format: &Format) {
        if format.flushes && self.lo < format.normal && self.hi > -format.normal && (self.lo != 0.0 || self.hi != 0.0) {
            self.lo = self.lo.min(0.0);
            self.hi = self.hi.max(0.0);
        }
    }

    fn carry(mut self, a: &Self, b: &Self) -> Self {
        self.flags |= (a.flags | b.flags) & MAY_BE_NAN;
        self.open = if a.open != 0 { a.open } else { b.open };
        self
    }

    /// Marks what leaving the range gives, if that is granted.
    pub(crate) fn ranged(mut self, arithmetic: &Arithmetic) -> Self {
        if arithmetic.grants() {
            if self.hi > arithmetic.format.greatest && arithmetic.format.nearest(self.hi).is_infinite() {
                self.flags |= MAY_BE_INFINITE;
            }
            if self.lo < -arithmetic.format.greatest && arithmetic.format.nearest(self.lo).is_infinite() {
                self.flags |= MAY_BE_NEGATIVE_INFINITE;
            }
        }
        self
    }

    /// The result of an operation whose exact result lies in this interval.
    fn pending(value: f64, lo: f64, hi: f64, arithmetic: &Arithmetic) -> Self {
        let known = lo == hi && arithmetic.format.gives_exactly(lo);
        Self {
            lo,
            hi,
            ..Self::exact(value)
        }
        .with(if known { ANY_ZERO } else { PENDING | ANY_ZERO })
        .ranged(arithmetic)
    }

    /// `a + b`.
    #[inline]
    pub(crate) fn add(a: Self, b: Self, arithmetic: &Arithmetic) -> Self {
        let format = &arithmetic.format;
        let (a, b) = (a.settled(format), b.settled(format));
        let (sum, error) = two_sum(a.value, b.value);
        let plain = a.is_exact() && b.is_exact();
        if plain && !sum.is_finite() {
            return Self::exact(sum);
        }
        if plain && error == 0.0 && format.gives_exactly(sum) {
            return Self::exact(sum).with(ANY_ZERO);
        }
        let result = if plain {
            Self::pending(sum, down(sum, error), up(sum, error), arithmetic)
        } else {
            let ((lo, below), (hi, above)) = (two_sum(a.lo, b.lo), two_sum(a.hi, b.hi));
            Self::pending(sum, down(lo, below), up(hi, above), arithmetic)
        };
        let mut result = result.carry(&a, &b);
        let sure = a.infinity() | b.infinity();
        let infinities = (a.flags | b.flags) & INFINITIES | sure;
        result.flags |= infinities;
        if sure != 0 {
            // Beside an infinity no number matters, and an infinity of the other sign alone.
            let certain = match sure {
                MAY_BE_INFINITE => f64::INFINITY,
                MAY_BE_NEGATIVE_INFINITE => f64::NEG_INFINITY,
                _ => f64::NAN,
            };
            result = Self::exact(certain).carry(&a, &b);
        }
        if infinities == INFINITIES {
            result.flags |= MAY_BE_NAN;
        }
        result
    }

    /// The infinity that it surely is, as a flag; 0 if it is none.
    pub(crate) fn infinity(&self) -> u16 {
        if self.lo == f64::INFINITY {
            MAY_BE_INFINITE
        } else if self.hi == f64::NEG_INFINITY {
            MAY_BE_NEGATIVE_INFINITE
        } else {
            0
        }
    }

    /// `a · b`.
    #[inline]
    pub(crate) fn mul(a: Self, b: Self, arithmetic: &Arithmetic) -> Self {
        let format = &arithmetic.format;
        let (a, b) = (a.settled(format), b.settled(format));
        let product = a.value * b.value;
        if a.is_exact() && b.is_exact() {
            let error = product_error(a.value, b.value, product);
            if !(product.is_finite() || a.value.is_finite() && b.value.is_finite()) {
                return Self::exact(product);
            }
            if error == 0.0 && format.gives_exactly(product) {
                return Self::exact(product).with(ANY_ZERO);
            }
            return Self::pending(product, down(product, error), up(product, error), arithmetic);
        }
        let ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi].map(|x| if x.is_nan() { 0.0 } else { x });
        let (lo, hi) = hull(&ends);
        let (lo, hi) = outward(lo, hi);
        let mut result = Self::pending(product, lo, hi, arithmetic).carry(&a, &b);
        result.flags |= infinite_product(&a, &b);
        result
    }

    /// `a / b`: exact by a power of two, else off by 2.5 units in the last place for divisors up to 2^126 (Vulkan,
    /// "Precision and Operation of SPIR-V Instructions", OpFDiv).
    #[inline(always)]
    pub(crate) fn div(a: Self, b: Self, arithmetic: &Arithmetic) -> Self {
        let format = &arithmetic.format;
        let (a, b) = (a.settled(format), b.settled(format));
        match Self::positive_quotient(&a, &b, arithmetic) {
            Some(quotient) => quotient,
            None => Self::any_quotient(a, b, arithmetic),
        }
    }

    /// What [`Real::any_quotient`] gives for most numbers: those that are surely positive and have a normal quotient.
    #[inline(always)]
    fn positive_quotient(a: &Self, b: &Self, arithmetic: &Arithmetic) -> Option<Self> {
        let format = &arithmetic.format;
        let positive = a.is_plain() && b.is_plain() && a.lo > 0.0 && b.lo > 0.0;
        let common = b.hi * format.normal <= 1.0 && !(b.lo == b.hi && is_power_of_two(b.value)) && !arithmetic.grants();
        let (lo, hi) = (a.lo / b.hi, a.hi / b.lo);
        if !(positive && common && lo >= 2.0 * format.normal && hi < format.greatest) {
            return None;
        }
        let (lo, hi) = (lo.next_down(), hi.next_up());
        let quotient = Self {
            lo: lo - 2.5 * format.step(lo),
            hi: hi + 2.5 * format.step(hi),
            ..Self::exact(a.value / b.value)
        };
        Some(quotient.with(ANY_ZERO))
    }

    fn any_quotient(a: Self, b: Self, arithmetic: &Arithmetic) -> Self {
        let format = &arithmetic.format;
        let quotient = a.value / b.value;
        let plain = a.is_exact() && b.is_exact();
        if plain && (!quotient.is_finite() || a.value == 0.0 || a.value.is_infinite() || b.value.is_infinite()) {
            return Self::exact(quotient).with(ANY_ZERO);
        }
        if a.is_exact() && a.value == 0.0 && (b.lo > 0.0 || b.hi < 0.0) {
            return Self::exact(quotient).with(ANY_ZERO).carry(&a, &b);
        }
        let by_power = b.lo == b.hi && is_power_of_two(b.value);
        if plain && by_power && format.gives_exactly(quotient) {
            return Self::exact(quotient);
        }
        if b.lo <= 0.0 && b.hi >= 0.0 {
            // The divisor may be zero: anything may come out.
            let all = Self {
                lo: f64::NEG_INFINITY,
                hi: f64::INFINITY,
                ..Self::exact(quotient)
            };
            return all.with(INFINITIES | MAY_BE_NAN).carry(&a, &b);
        }
        let (lo, hi) = if a.lo >= 0.0 && b.lo > 0.0 && b.hi < f64::INFINITY {
            (a.lo / b.hi, a.hi / b.lo)
        } else {
            let ends = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
            hull(&ends.map(|x| if x.is_nan() { 0.0 } else { x }))
        };
        let (lo, hi) = outward(lo, hi);
        let mut result = if by_power {
            Self::pending(quotient, lo, hi, arithmetic)
        } else {
            // The inverse of a greater divisor is a denormal, which single precision may take for zero.
            let beyond = format.bits <= 32 && b.lo.abs().max(b.hi.abs()) * format.normal > 1.0;
            let units = match (beyond, format.flushes) {
                (false, _) => 2.5,
                (true, true) => 4.0,
                (true, false) => 8.0,
            };
            let vanishes = beyond && format.flushes;
            let (lo, hi) = (lo - units * format.step(lo), hi + units * format.step(hi));
            let mut result = Self {
                lo: if vanishes { lo.min(0.0) } else { lo },
                hi: if vanishes { hi.max(0.0) } else { hi },
                ..Self::exact(quotient)
            };
            result.keep_sign(&a, &b);
            result.flush(format);
            result.with(ANY_ZERO).ranged(arithmetic)
        };
        result = result.carry(&a, &b);
        if b.flags & INFINITIES != 0 {
            // By an infinity a number comes to zero, and an infinity to NaN.
            (result.lo, result.hi) = (result.lo.min(0.0), result.hi.max(0.0));
            result.flags |= if a.flags & INFINITIES != 0 { MAY_BE_NAN } else { 0 };
        }
        let divisor = Self {
            flags: b.flags & !INFINITIES,
            ..b
        };
        result.flags |= infinite_product(&a, &divisor);
        result
    }

    /// A quotient of numbers whose signs are known has a known sign.
    fn keep_sign(&mut self, a: &Self, b: &Self) {
        let sign = |x: &Self| {
            if x.lo >= 0.0 {
                1
            } else if x.hi <= 0.0 {
                -1
            } else {
                0
            }
        };
        match sign(a) * sign(b) {
            1 => self.lo = self.lo.max(0.0),
            -1 => self.hi = self.hi.min(0.0),
            _ => {}
        }
    }

    /// `-a`.
    #[inline]
    pub(crate) fn neg(a: Self) -> Self {
        let swapped = match a.flags & INFINITIES {
            MAY_BE_INFINITE => MAY_BE_NEGATIVE_INFINITE,
            MAY_BE_NEGATIVE_INFINITE => MAY_BE_INFINITE,
            both => both,
        };
        Self {
            value: -a.value,
            lo: -a.hi,
            hi: -a.lo,
            flags: a.flags & !INFINITIES | swapped,
            ..a
        }
    }

    /// `|a|`.
    pub(crate) fn abs(a: Self) -> Self {
        let infinite = if a.flags & INFINITIES != 0 { MAY_BE_INFINITE } else { 0 };
        let (lo, hi) = if a.lo >= 0.0 {
            (a.lo, a.hi)
        } else if a.hi <= 0.0 {
            (-a.hi, -a.lo)
        } else {
            (0.0, a.hi.max(-a.lo))
        };
        Self {
            value: a.value.abs(),
            lo: lo.abs(),
            hi: hi.abs(),
            flags: a.flags & !INFINITIES | infinite,
            ..a
        }
    }

    /// The greater of two, of equal ones the first.
    pub(crate) fn max(a: Self, b: Self, format: &Format) -> Self {
        let (a, b) = (a.settled(format), b.settled(format));
        if a.value.is_nan() || b.value.is_nan() {
            let other = if a.value.is_nan() { b } else { a };
            return other.with(MAY_BE_NAN).carry(&a, &b);
        }
        if a.is_exact() && b.is_exact() {
            let chosen = if b.value > a.value { b } else { a };
            let zeros = a.value == 0.0 && b.value == 0.0 && a.value.is_sign_negative() != b.value.is_sign_negative();
            return if zeros { chosen.with(ANY_ZERO) } else { chosen };
        }
        let (either, both) = (a.flags | b.flags, a.flags & b.flags);
        let mut result = Self {
            value: a.value.max(b.value),
            lo: a.lo.max(b.lo),
            hi: a.hi.max(b.hi),
            flags: either & (MAY_BE_INFINITE | ANY_ZERO) | both & MAY_BE_NEGATIVE_INFINITE,
            open: 0,
            outcomes: 0,
        };
        // Where one is negative infinity, the other is the greater.
        for (x, other) in [(&a, &b), (&b, &a)] {
            if x.flags & MAY_BE_NEGATIVE_INFINITE != 0 {
                result.lo = result.lo.min(other.lo);
            }
        }
        result.flags |= (if b.value > a.value { b.flags } else { a.flags }) & VANISHES;
        result.carry(&a, &b)
    }

    /// The smaller of two, of equal ones the first.
    pub(crate) fn min(a: Self, b: Self, format: &Format) -> Self {
        Self::neg(Self::max(Self::neg(a), Self::neg(b), format))
    }

    /// The smallest interval around both.
    pub(crate) fn hull(a: Self, b: Self) -> Self {
        let nan = |x: &Self| if x.value.is_nan() { MAY_BE_NAN } else { 0 };
        let (first, second) = if a.value.is_nan() { (b, a) } else { (a, b) };
        let mut result = Self {
            lo: first.lo.min(second.lo),
            hi: first.hi.max(second.hi),
            flags: first.flags | second.flags | nan(&a) | nan(&b),
            ..first
        };
        if a.value != b.value {
            result.flags &= !VANISHES;
        }
        result.open = if a.open != 0 { a.open } else { b.open };
        result
    }
}

/// An infinite factor makes an infinite product, by the other's sign, or NaN beside a zero.
fn infinite_product(a: &Real, b: &Real) -> u16 {
    let one = |x: &Real, y: &Real| {
        if x.flags & INFINITIES == 0 {
            0
        } else if y.lo > 0.0 {
            x.flags & INFINITIES
        } else if y.hi < 0.0 {
            Real::neg(*x).flags & INFINITIES
        } else {
            INFINITIES | MAY_BE_NAN
        }
    };
    one(a, b) | one(b, a)
}

/// The sum rounded to binary64, and what rounding lost: exact (Knuth).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// What rounding a product to binary64 lost; infinite where that cannot be said (Dekker).
#[inline]
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    // Numbers of single precision have exact products.
    if f64::from(a as f32) == a && f64::from(b as f32) == b {
        return 0.0;
    }
    let split = |x: f64| {
        let high = x * 134_217_729.0;
        let high = high - (high - x);
        (high, x - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    let safe = product == 0.0 || (1e-280..1e280).contains(&product.abs());
    if error.is_finite() && safe {
        error
    } else {
        f64::INFINITY
    }
}

/// The least that a result may be that binary64 rounded to `x` with this error.
#[inline]
fn down(x: f64, error: f64) -> f64 {
    if error >= 0.0 && error.is_finite() {
        x
    } else {
        x.next_down()
    }
}

/// The most that it may be.
#[inline]
fn up(x: f64, error: f64) -> f64 {
    if error <= 0.0 && error.is_finite() {
        x
    } else {
        x.next_up()
    }
}

fn hull(ends: &[f64; 4]) -> (f64, f64) {
    ends.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| {
        (lo.min(*x), hi.max(*x))
    })
}

/// One step of binary64 further on either side; an end at 0 stays.
fn outward(lo: f64, hi: f64) -> (f64, f64) {
    let lo = if lo == 0.0 { lo } else { lo.next_down() };
    let hi = if hi == 0.0 { hi } else { hi.next_up() };
    (lo, hi)
}

/// Whether a number other than zero changes no mantissa.
#[inline]
pub(crate) fn is_power_of_two(x: f64) -> bool {
    x != 0.0 && x.is_finite() && x.to_bits() & ((1 << 52) - 1) == 0 && x.abs() >= f64::MIN_POSITIVE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arithmetic(format: Format) -> Arithmetic {
        Arithmetic {
            format,
            granted: false,
            half: false,
            wraps: false,
        }
    }

    #[test]
    fn quotients_of_positive_numbers_are_those_of_all() {
        let numbers = [
            1.0,
            1.5,
            3.0,
            0.1,
            1e-3,
            255.9,
            6e4,
            1e-30,
            3e38,
            1e300,
            2f64.powi(-14),
            6.2e-5,
        ];
        let bounds = [0.0, 1e-12, 1e-7, 1e-3, 0.4, 2.0];
        let all: Vec<Real> = numbers
            .iter()
            .flat_map(|x| bounds.map(|bound| Real::around(*x, x * bound, 2.0 * x * bound)))
            .collect();
        for format in [Format::half(), Format::single(), Format::double()] {
            let arithmetic = arithmetic(format);
            let mut found = 0;
            for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                if let Some(quotient) = Real::positive_quotient(a, b, &arithmetic) {
                    assert_eq!(quotient, Real::any_quotient(*a, *b, &arithmetic), "{a:?} / {b:?}");
                    found += 1;
                }
            }
            assert!(found > 1000, "{found} in {} bits", format.bits);
        }
    }

    #[test]
    fn the_inverse_of_a_great_divisor_may_be_zero() {
        let single = arithmetic(Format::single());
        let quotient = |divisor: f64| Real::div(Real::exact(2f64.powi(127)), Real::exact(divisor), &single);
        let (within, beyond) = (quotient(1.5 * 2f64.powi(125)), quotient(1.5 * 2f64.powi(126)));
        assert!(within.lo > 2.0 && within.hi < 3.0, "{within:?}");
        assert!(beyond.lo == 0.0 && beyond.hi > 4.0 / 3.0, "{beyond:?}");
    }
}
