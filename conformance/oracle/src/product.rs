//! Products of many factors in any order, with what leaves the range on the way.

use dml_case::number::{exponent, power_of_two};

use super::orders::{Orders, Partial};
use super::real::{ANY_ZERO, Arithmetic, INFINITIES, MAY_BE_INFINITE, MAY_BE_NAN, PENDING, Real};

/// A product of reals in any order.
///
/// It is exact if its factors have so few significant bits that every partial product is representable. Else it is off
/// by γ(n - 1) of itself, of which the last rounding is left to what follows, and by what falls below the normal numbers
/// on the way. Its sign is that of its factors, whatever the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    count: f64,
    /// Product of the factors' magnitudes.
    value: Scaled,
    /// Products of the least and of the greatest magnitudes that the factors may have.
    least: Scaled,
    most: Scaled,
    /// Bits that the mantissas of exact factors need, all in all.
    digits: u32,
    /// Binary logarithms of the greatest and of the least product of some of the factors.
    up: f64,
    down: f64,
    negative: bool,
    /// A factor may have either sign.
    either_sign: bool,
    exact: bool,
    /// Infinities are those of a product that is positive otherwise.
    flags: u16,
    orders: Orders,
    open: u16,
}

impl Default for Product {
    fn default() -> Self {
        Self {
            count: 0.0,
            value: Scaled::ONE,
            least: Scaled::ONE,
            most: Scaled::ONE,
            digits: 0,
            up: 0.0,
            down: 0.0,
            negative: false,
            either_sign: false,
            exact: true,
            flags: 0,
            orders: Orders::default(),
            open: 0,
        }
    }
}

/// What may become of partial products.
struct Way {
    /// How far logarithms of partial products may be off, by their roundings and by those of the logarithms.
    slack: f64,
    /// One may lie beyond the greatest number, which a clause grants.
    overflows: bool,
    /// One may lie beyond the greatest number.
    above: bool,
    /// One may fall below the normal numbers.
    below: bool,
    /// One may become zero, or a factor be zero.
    vanishes: bool,
}

impl Product {
    /// Multiplies by a factor.
    pub(crate) fn multiply(&mut self, factor: Real, arithmetic: &Arithmetic) {
        let factor = factor.settled(&arithmetic.format);
        let x = factor.value;
        self.count += 1.0;
        if self.open == 0 {
            self.open = factor.open;
        }
        let (mut least, mut most) = (x.abs(), x.abs());
        if !factor.is_exact() {
            self.exact = false;
            let (low, high) = (factor.lo.abs(), factor.hi.abs());
            let holds_zero = factor.lo <= 0.0 && factor.hi >= 0.0;
            (least, most) = (if holds_zero { 0.0 } else { low.min(high) }, low.max(high));
            self.either_sign |= factor.lo < 0.0 && factor.hi > 0.0;
        }
        let negative = if x == 0.0 && factor.lo < factor.hi {
            factor.hi <= 0.0
        } else {
            x.is_sign_negative()
        };
        self.negative ^= negative;
        let magnitude = if negative { Real::neg(factor) } else { factor };
        self.flags |= magnitude.flags & (MAY_BE_NAN | INFINITIES);
        self.digits += significant_bits(x);
        self.up += if most > 1.0 { libm::log2(most) } else { 0.0 };
        self.down += if least < 1.0 && most > 0.0 {
            libm::log2(least)
        } else {
            0.0
        };
        self.orders.add(least, most, &factor);
        self.value.multiply(x.abs());
        self.least.multiply(least);
        self.most.multiply(most);
    }

    /// The product, as one interval.
    pub(crate) fn total(&self, arithmetic: &Arithmetic) -> Real {
        match self.outcomes(arithmetic) {
            (one, Some(other)) => Real::hull(one, other),
            (one, None) => one,
        }
    }

    /// What the product may come to: an interval, and zero if that lies apart from it.
    pub(crate) fn outcomes(&self, arithmetic: &Arithmetic) -> (Real, Option<Real>) {
        if self.open != 0 {
            return (Real::open(self.open - 1), None);
        }
        let value = self.value.number();
        if self.count <= 1.0 && self.exact || value.is_nan() {
            return (self.signed(Real::exact(value)), None);
        }
        let way = self.way(arithmetic);
        if self.most.is_zero() {
            // Nothing but an infinity beside the factor that is zero makes anything else of it.
            let infinite = way.overflows || self.flags & (INFINITIES | MAY_BE_NAN) != 0;
            let flags = if infinite { MAY_BE_NAN } else { 0 };
            return (self.signed(Real::exact(value).with(ANY_ZERO | flags)), None);
        }
        if self.value.fraction.is_infinite() {
            let vanishes = self.least.fraction.is_nan() || way.vanishes && arithmetic.grants();
            let nan = if vanishes { MAY_BE_NAN } else { 0 };
            return (self.signed(Real::exact(value).with(nan | self.flags)), None);
        }
        let short = f64::from(self.digits) <= -libm::log2(arithmetic.format.unit);
        let within = !way.above && !way.below;
        if self.exact && within && short {
            return (self.signed(Real::exact(value).with(ANY_ZERO)), None);
        }
        let by_errors = || self.by_errors(&way, arithmetic);
        let magnitude = match within {
            true => by_errors(),
            false => self.orders.outcome(arithmetic).unwrap_or_else(by_errors),
        };
        self.of_magnitude(magnitude, value, &way, arithmetic)
    }

    fn way(&self, arithmetic: &Arithmetic) -> Way {
        let format = &arithmetic.format;
        let slack = self.count * (2.0 * format.unit + 2f64.powi(-40));
        let vanishing = if format.flushes {
            format.normal
        } else {
            0.5 * format.step(0.0)
        };
        let above = self.up + slack >= libm::log2(format.greatest);
        Way {
            slack,
            overflows: above && arithmetic.grants(),
            above,
            below: self.down - slack <= libm::log2(format.normal),
            vanishes: self.down - slack <= libm::log2(vanishing),
        }
    }

    /// The magnitude by the errors of all multiplications, however many there are.
    ///
    /// A partial product below the normal numbers loses at most half of the smallest denormal, or is lost if denormals
    /// become zero; factors outside of it magnify that by the product of all factors above 1 at most. Rounding at most
    /// doubles it, since less than half of the smallest denormal is rounded down, so that n - 1 multiplications gain a
    /// factor of 2^(n - 1) at most; and what was below the normal numbers once comes to no more than the smallest of these
    /// times all factors above 1.
    fn by_errors(&self, way: &Way, arithmetic: &Arithmetic) -> Partial {
        let format = &arithmetic.format;
        // What binary64 itself loses is with it.
        let growth = format.gamma((self.count - 2.0).max(0.0)) + self.count * 2f64.powi(-50);
        let (least, most) = (self.least.number(), self.most.number());
        let (mut lo, mut hi) = (least * (1.0 - growth).max(0.0), most * (1.0 + growth));
        if way.below {
            let half_a_step = 0.5 * format.step(0.0);
            let magnified = libm::exp2(self.up + way.slack) * (self.count - 1.0).max(1.0);
            let lost = magnified * if format.flushes { format.normal } else { half_a_step };
            lo = if lost < lo { lo - lost } else { 0.0 };
            let doubled = hi * libm::exp2((self.count - 1.0).min(1000.0));
            let gained = doubled.min(libm::exp2(self.up + way.slack) * format.normal);
            // What is gained leads to no infinity that is not granted.
            hi = hi.max(gained.min(format.greatest));
        }
        Partial {
            lo,
            hi,
            zero: lo == 0.0,
            infinite: way.overflows,
            nan: way.overflows && way.vanishes,
        }
    }

    fn of_magnitude(&self, of: Partial, value: f64, way: &Way, arithmetic: &Arithmetic) -> (Real, Option<Real>) {
        let format = &arithmetic.format;
        // A zero that is close to the interval is not worth being told apart from it.
        let apart = of.zero && of.lo > format.normal;
        let lo = if of.zero && !apart { 0.0 } else { of.lo.min(value) };
        let mut real = Real {
            lo,
            hi: of.hi.max(value),
            ..Real::exact(value)
        }
        .with(PENDING | ANY_ZERO | self.flags);
        real.flags |= if of.infinite { MAY_BE_INFINITE } else { 0 };
        let beside_zero = self.flags & INFINITIES != 0 && way.vanishes;
        real.flags |= if of.nan || beside_zero { MAY_BE_NAN } else { 0 };
        if value.is_infinite() {
            // Beyond binary64, and so beyond every format: no cast rounds it.
            real.lo = format.nearest(real.lo);
            real.flags &= !(PENDING | MAY_BE_INFINITE);
        }
        (self.signed(real), apart.then(|| Real::exact(0.0).with(ANY_ZERO)))
    }

    /// The product whose magnitude this is.
    fn signed(&self, mut magnitude: Real) -> Real {
        if self.either_sign && !self.most.is_zero() {
            magnitude.lo = -magnitude.hi;
            let infinite = magnitude.flags & INFINITIES != 0 || magnitude.value.is_infinite();
            magnitude.flags |= if infinite { INFINITIES } else { 0 };
        }
        if self.negative { Real::neg(magnitude) } else { magnitude }
    }
}

/// A magnitude of any size.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    fraction: f64,
    exponent: i64,
}

impl Scaled {
    const ONE: Self = Self {
        fraction: 1.0,
        exponent: 0,
    };

    #[inline]
    fn multiply(&mut self, x: f64) {
        self.fraction *= x;
        if self.fraction != 0.0 && self.fraction.is_finite() {
            let own = exponent(self.fraction);
            self.fraction *= power_of_two(-own);
            self.exponent += i64::from(own);
        }
    }

    fn is_zero(&self) -> bool {
        self.fraction == 0.0
    }

    /// The nearest number of binary64.
    fn number(&self) -> f64 {
        if self.fraction == 0.0 || !self.fraction.is_finite() {
            return self.fraction;
        }
        // In two steps, so that what is denormal rounds once.
        let exponent = i32::try_from(self.exponent.clamp(-2200, 2200)).unwrap_or(0);
        self.fraction * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2)
    }
}

/// How many bits the mantissa of a number needs; a power of two changes none.
fn significant_bits(x: f64) -> u32 {
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    if x == 0.0 || mantissa == 0 {
        0
    } else {
        53 - mantissa.trailing_zeros()
    }
}

#[cfg(test)]
mod tests;
