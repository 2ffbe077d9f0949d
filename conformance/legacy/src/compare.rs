//! Comparing elements: bit for bit, in units in the last place, by distance, or within what the oracle allows.

use dml_spec::model::{Compare, DataType, NumberClass};

use dml_case::number::{Number, decode, is_nan, mask};

/// Further accepted values of an element, if a second way to compute it leads to another result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    /// This element, as bits.
    Is(u64),
    /// An infinity of either sign, or NaN.
    NonFinite,
}

impl Also {
    /// Whether an element of this type is accepted.
    pub fn accepts(self, ty: &DataType, actual: u64) -> bool {
        match (self, decode(ty, actual)) {
            (Self::Is(bits), _) => bits == actual,
            (Self::NonFinite, Number::Float(x)) => !x.is_finite(),
            (Self::NonFinite, Number::Int(_)) => false,
        }
    }
}

/// What elements may be, said by someone else.
pub trait Within: std::fmt::Debug + Sync {
    /// Whether the element at this place may have these bits.
    fn accepts(&self, at: usize, expected: u64, actual: u64) -> bool;
    /// Whether it may be anything.
    fn is_open(&self, at: usize) -> bool;
    /// The error of an accepted element, as [`Tolerance::error`] has it.
    fn error(&self, at: usize, expected: u64, actual: u64) -> Option<(f64, f64)>;
}

/// How the elements of one output are compared.
#[derive(Clone, Debug)]
pub struct Tolerance<'a> {
    compare: &'a Compare,
    ty: DataType,
    /// The error allowed for each element, if the comparison is a bound.
    slack: &'a [f64],
    /// What an element may be all the same.
    also: &'a [Option<Also>],
    /// Who says what elements may be, in the place of all that.
    within: Option<&'a dyn Within>,
}

impl<'a> Tolerance<'a> {
    /// For an output of this type; `slack` is what the oracle allows, used if the comparison is a bound.
    pub fn new(compare: &'a Compare, ty: &DataType, slack: &'a [f64]) -> Self {
        Self {
            compare,
            ty: ty.clone(),
            slack,
            also: &[],
            within: None,
        }
    }

    /// As `within` says.
    pub fn within(ty: &DataType, within: &'a dyn Within) -> Self {
        Self {
            within: Some(within),
            ..Self::new(&Compare::Exact, ty, &[])
        }
    }

    /// The same, with further accepted elements.
    #[must_use]
    pub fn or(self, also: &'a [Option<Also>]) -> Self {
        Self { also, ..self }
    }

    /// Whether the element at this place of the row-major order is close enough.
    #[inline]
    pub fn accepts(&self, at: usize, expected: u64, actual: u64) -> bool {
        if let Some(within) = self.within {
            return within.accepts(at, expected, actual);
        }
        self.is_near(at, expected, actual) || self.is_also(at, actual)
    }

    /// Whether the element is near enough to what is expected, further accepted values aside. Those that are lie side
    /// by side among the numbers of the type.
    #[inline]
    pub fn is_near(&self, at: usize, expected: u64, actual: u64) -> bool {
        if let Some(within) = self.within {
            return within.accepts(at, expected, actual);
        }
        expected == actual || same(self.compare, &self.ty, self.allowed(at), expected, actual)
    }

    /// What the element may be wherever it lies.
    pub fn also(&self, at: usize) -> Option<Also> {
        self.also.get(at).copied().flatten()
    }

    /// Whether the element may be anything.
    pub fn is_open(&self, at: usize) -> bool {
        if let Some(within) = self.within {
            return within.is_open(at);
        }
        is_open(self.compare, self.allowed(at))
    }

    #[inline]
    fn is_also(&self, at: usize, actual: u64) -> bool {
        self.also(at).is_some_and(|also| also.accepts(&self.ty, actual))
    }

    /// The error of an accepted element: units in the last place, and the share of what is allowed. `None` if only the
    /// expected value is accepted, or any.
    pub fn error(&self, at: usize, expected: u64, actual: u64) -> Option<(f64, f64)> {
        if let Some(within) = self.within {
            return within.error(at, expected, actual);
        }
        if self.is_open(at) || (expected != actual && self.is_also(at, actual)) {
            return None;
        }
        let off = ulps(&self.ty, expected, actual) as f64;
        let distance = || distance(decode(&self.ty, expected), decode(&self.ty, actual));
        let share = |of: f64, allowed: f64| if of == 0.0 { 0.0 } else { of / allowed };
        Some(match self.compare {
            Compare::Exact => return None,
            Compare::Ulp(n) => (off, share(off, f64::from(*n))),
            Compare::Abs(x) => (off, share(distance(), *x)),
            Compare::Bound => (off, share(distance(), self.allowed(at))),
        })
    }

    fn allowed(&self, at: usize) -> f64 {
        self.slack.get(at).copied().unwrap_or(0.0)
    }
}

/// Whether `actual` is close enough to `expected`; `slack` counts if the comparison is a bound, and an infinite one
/// lets anything pass. NaN equals NaN whatever its payload.
pub fn same(compare: &Compare, ty: &DataType, slack: f64, expected: u64, actual: u64) -> bool {
    if expected == actual || is_open(compare, slack) {
        return true;
    }
    match (is_nan(ty, expected), is_nan(ty, actual)) {
        (true, true) => return true,
        (false, false) => {}
        _ => return false,
    }
    match compare {
        Compare::Exact => false,
        Compare::Ulp(n) => ulps(ty, expected, actual) <= u128::from(*n),
        Compare::Abs(x) => distance(decode(ty, expected), decode(ty, actual)) <= *x,
        Compare::Bound => distance(decode(ty, expected), decode(ty, actual)) <= slack,
    }
}

/// Whether the element is unspecified, so that it need not even be a number.
fn is_open(compare: &Compare, slack: f64) -> bool {
    *compare == Compare::Bound && slack == f64::INFINITY
}

/// How many representable numbers lie between two; -0 and +0 are one.
fn ulps(ty: &DataType, a: u64, b: u64) -> u128 {
    place(ty, a).abs_diff(place(ty, b))
}

/// A number's place among the representable ones, 0 at zero.
fn place(ty: &DataType, bits: u64) -> i128 {
    match decode(ty, bits) {
        Number::Int(n) => n,
        Number::Float(_) if ty.class == NumberClass::Float => {
            let magnitude = i128::from(bits & mask(ty.bits - 1));
            if bits >> (ty.bits - 1) & 1 == 1 {
                -magnitude
            } else {
                magnitude
            }
        }
        Number::Float(x) => x as i128,
    }
}

fn distance(a: Number, b: Number) -> f64 {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.abs_diff(b) as f64,
        (Number::Float(a), Number::Float(b)) if a == b => 0.0,
        (Number::Float(a), Number::Float(b)) => (a - b).abs(),
        (Number::Int(a), Number::Float(b)) | (Number::Float(b), Number::Int(a)) => (a as f64 - b).abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dml_case::number::ty;

    #[test]
    fn exact_means_every_bit_but_the_payload_of_nan() {
        let single = ty(NumberClass::Float, 32);
        assert!(same(&Compare::Exact, &single, 0.0, 0x7fc0_0000, 0xffc0_0001));
        assert!(!same(&Compare::Exact, &single, 0.0, 0, 0x8000_0000));
        assert!(!same(&Compare::Ulp(u32::MAX), &single, 0.0, 0, 0x7fc0_0000));
    }

    #[test]
    fn units_in_the_last_place_cross_zero_and_powers_of_two() {
        let half = ty(NumberClass::Float, 16);
        assert!(same(&Compare::Ulp(0), &half, 0.0, 0, 0x8000));
        assert!(same(&Compare::Ulp(2), &half, 0.0, 0x0001, 0x8001));
        assert!(!same(&Compare::Ulp(1), &half, 0.0, 0x0001, 0x8001));
        assert!(same(&Compare::Ulp(1), &half, 0.0, 0x3bff, 0x3c00));
        assert!(same(&Compare::Ulp(1), &ty(NumberClass::Signed, 64), 0.0, u64::MAX, 0));
        assert!(!same(
            &Compare::Ulp(1),
            &ty(NumberClass::Unsigned, 64),
            0.0,
            u64::MAX,
            0
        ));
    }

    #[test]
    fn distances_are_absolute() {
        let single = ty(NumberClass::Float, 32);
        let bits = |x: f32| u64::from(x.to_bits());
        assert!(same(&Compare::Abs(0.5), &single, 0.0, bits(1.0), bits(1.5)));
        assert!(!same(&Compare::Abs(0.5), &single, 0.0, bits(1.0), bits(1.75)));
        assert!(!same(&Compare::Abs(1e30), &single, 0.0, bits(f32::INFINITY), bits(1.0)));
        assert!(same(&Compare::Abs(3.0), &ty(NumberClass::Signed, 8), 0.0, 0xff, 2));
    }

    #[test]
    fn bounds_are_the_oracles() {
        let single = ty(NumberClass::Float, 32);
        let bits = |x: f32| u64::from(x.to_bits());
        let tolerance = Tolerance::new(&Compare::Bound, &single, &[0.5, 0.0]);
        assert!(tolerance.accepts(0, bits(1.0), bits(1.5)));
        assert!(!tolerance.accepts(0, bits(1.0), bits(1.75)));
        assert!(!tolerance.accepts(1, bits(1.0), bits(1.5)));
        assert!(
            !tolerance.accepts(2, bits(1.0), bits(1.5)),
            "nothing is allowed past what the oracle says"
        );
        let (ulps, share) = tolerance.error(0, bits(1.0), bits(1.25)).unwrap();
        assert_eq!((ulps, share), (2097152.0, 0.5));
        assert_eq!(Tolerance::new(&Compare::Exact, &single, &[]).error(0, 0, 0), None);
    }

    #[test]
    fn a_second_way_may_lead_to_one_element_or_out_of_the_range() {
        let half = ty(NumberClass::Float, 16);
        let accepted = |also: Also| [0x3c00, 0x7c00, 0xfc00, 0x7e01].map(|bits| also.accepts(&half, bits));
        assert_eq!(accepted(Also::Is(0x7c00)), [false, true, false, false]);
        assert_eq!(accepted(Also::NonFinite), [false, true, true, true]);
        assert!(!Also::NonFinite.accepts(&ty(NumberClass::Unsigned, 16), 0x7c00));
    }

    #[test]
    fn what_nobody_defines_may_be_anything() {
        let single = ty(NumberClass::Float, 32);
        let bits = |x: f32| u64::from(x.to_bits());
        let tolerance = Tolerance::new(&Compare::Bound, &single, &[f64::INFINITY]);
        for found in [f32::NAN, f32::NEG_INFINITY, 7.0] {
            assert!(tolerance.accepts(0, bits(0.0), bits(found)), "{found}");
            assert_eq!(tolerance.error(0, bits(0.0), bits(found)), None);
        }
        assert!(!tolerance.accepts(1, bits(0.0), bits(f32::NAN)));
    }
}
