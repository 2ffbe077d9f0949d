//! What an element may be.

use dml_case::number::{Number, decode, encode_float, encode_floats, encode_int, is_nan, mask};
use dml_spec::model::{DataType, NumberClass};

use super::{
    arena::Arena,
    column::{Ints, Reals, Value, Whole},
    real::{MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, Real, VANISHES},
};

/// What an implementation may write in the place of an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// These bits; a NaN of any payload if they are one.
    Exact(u64),
    /// A number of this interval, or what the flags name. The sign of a zero is free.
    Interval(Interval),
    /// One of these.
    Among(Vec<Element>),
    /// Anything: the clause of this number, within the meaning's, leaves it open.
    Open(u16),
}

/// An interval of a floating point type, ends with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The element that binary64 leads to, as bits.
    pub reference: u64,
    /// The least number.
    pub lo: f64,
    /// The greatest number.
    pub hi: f64,
    /// NaN as well.
    pub nan: bool,
    /// Positive infinity as well.
    pub infinity: bool,
    /// Negative infinity as well.
    pub negative_infinity: bool,
}

impl Interval {
    fn contains(&self, other: &Self) -> bool {
        let flags = |of: &Self| [of.nan, of.infinity, of.negative_infinity];
        let has_flags = flags(self).iter().zip(flags(other)).all(|(has, wants)| *has || !wants);
        has_flags && self.lo <= other.lo && other.hi <= self.hi
    }
}

impl Element {
    /// Whether an element of this type may have these bits.
    pub fn accepts(&self, ty: &DataType, bits: u64) -> bool {
        match self {
            Self::Exact(expected) => *expected == bits || is_nan(ty, *expected) && is_nan(ty, bits),
            Self::Interval(interval) => match decode(ty, bits) {
                Number::Float(x) if x.is_nan() => interval.nan,
                Number::Float(x) if x == f64::INFINITY => interval.infinity || interval.hi == x,
                Number::Float(x) if x == f64::NEG_INFINITY => interval.negative_infinity || interval.lo == x,
                Number::Float(x) => interval.lo <= x && x <= interval.hi,
                Number::Int(_) => false,
            },
            Self::Among(all) => all.iter().any(|element| element.accepts(ty, bits)),
            Self::Open(_) => true,
        }
    }

    /// Whether all that another accepts is accepted, as far as their forms show it: of the numbers of one interval each
    /// has to be in one of this.
    pub(crate) fn contains(&self, ty: &DataType, other: &Self) -> bool {
        match (self, other) {
            (Self::Open(_), _) => true,
            (_, Self::Open(_)) => false,
            (_, Self::Exact(bits)) => self.accepts(ty, *bits),
            (_, Self::Among(all)) => all.iter().all(|one| self.contains(ty, one)),
            (Self::Among(all), Self::Interval(_)) => all.iter().any(|one| one.contains(ty, other)),
            (Self::Interval(here), Self::Interval(there)) => here.contains(there),
            (Self::Exact(bits), Self::Interval(there)) => {
                !(there.nan || there.infinity || there.negative_infinity)
                    && there.lo == there.hi
                    && is_within(ty, *bits, there)
            }
        }
    }

    /// Accepts what another way to compute the element comes to as well; what was expected first still is.
    pub(crate) fn join(&mut self, other: Self, ty: &DataType) {
        if *self == other || matches!(self, Self::Open(_)) {
            return;
        }
        match (&mut *self, other) {
            (_, Self::Open(clause)) => *self = Self::Open(clause),
            (Self::Interval(here), Self::Interval(there)) if here.lo <= there.hi && there.lo <= here.hi => {
                here.lo = here.lo.min(there.lo);
                here.hi = here.hi.max(there.hi);
                here.nan |= there.nan;
                here.infinity |= there.infinity;
                here.negative_infinity |= there.negative_infinity;
            }
            (Self::Exact(bits), Self::Interval(interval)) if is_within(ty, *bits, &interval) => {
                *self = Self::Interval(Interval {
                    reference: *bits,
                    ..interval
                });
            }
            (Self::Interval(interval), Self::Exact(bits)) if is_within(ty, bits, interval) => {}
            (here, there) => {
                let mut all = match std::mem::replace(here, Self::Open(0)) {
                    Self::Among(all) => all,
                    one => vec![one],
                };
                let others = match there {
                    Self::Among(others) => others,
                    one => vec![one],
                };
                for one in others {
                    if !all.contains(&one) {
                        all.push(one);
                    }
                }
                *self = Self::Among(all);
            }
        }
    }

    /// The element that is expected first, as bits; 0 if it is open.
    pub fn reference(&self) -> u64 {
        match self {
            Self::Exact(bits) => *bits,
            Self::Interval(interval) => interval.reference,
            Self::Among(all) => all.first().map_or(0, Self::reference),
            Self::Open(_) => 0,
        }
    }
}

/// Whether an interval holds a number, so that what it accepts holds all that the number alone does.
fn is_within(ty: &DataType, bits: u64, interval: &Interval) -> bool {
    matches!(decode(ty, bits), Number::Float(x) if interval.lo <= x && x <= interval.hi)
}

/// Elements that follow each other.
pub(crate) enum Elements {
    /// All are exact: their bits.
    Exact(Vec<u64>),
    /// What each may be.
    Each(Vec<Element>),
}

impl Elements {
    /// What each may be.
    pub(crate) fn into_each(self) -> Vec<Element> {
        match self {
            Self::Exact(bits) => bits.into_iter().map(Element::Exact).collect(),
            Self::Each(elements) => elements,
        }
    }

    /// Whether as many elements of this type may have these bits; `actual` has at least as many.
    pub(crate) fn accept(&self, ty: &DataType, actual: &[u64]) -> bool {
        match self {
            Self::Exact(bits) => {
                let mut pairs = bits.iter().zip(actual);
                pairs.all(|(bits, actual)| bits == actual || Element::Exact(*bits).accepts(ty, *actual))
            }
            Self::Each(elements) => elements.iter().zip(actual).all(|(of, actual)| of.accepts(ty, *actual)),
        }
    }

    /// Whether some element is judged.
    pub(crate) fn are_judged(&self) -> bool {
        match self {
            Self::Exact(bits) => !bits.is_empty(),
            Self::Each(elements) => elements.iter().any(|element| !matches!(element, Element::Open(_))),
        }
    }
}

/// The elements of a column of an output; `None` if a value does not belong into one.
pub(crate) fn elements(value: &Value, ty: &DataType, points: usize, arena: &Arena) -> Option<Elements> {
    if let Some(bits) = exact(value, ty, points, arena) {
        return Some(Elements::Exact(bits));
    }
    let mut each = Vec::with_capacity(points);
    push_each(value, ty, points, arena, &mut each)?;
    Some(Elements::Each(each))
}

/// The bits of a column whose elements all have one form; `None` if that has to be looked at one by one.
fn exact(value: &Value, ty: &DataType, points: usize, arena: &Arena) -> Option<Vec<u64>> {
    let is_float = ty.class == NumberClass::Float;
    match value {
        Value::Int(Ints::Many(values)) if values.len() == points && !is_float => {
            let mask = mask(ty.bits);
            Some(values.iter().map(|value| *value as u64 & mask).collect())
        }
        Value::Int(Ints::One(value)) => Some(vec![encode_int(ty, *value); points]),
        Value::Real(Reals::One(one)) if is_float => match real(*one, ty, arena) {
            Element::Exact(bits) => Some(vec![bits; points]),
            _ => None,
        },
        Value::Real(Reals::Exact { numbers, any_zero }) if is_float && numbers.len() == points => {
            // Zeros come in two signs, and NaN in many forms.
            let is_one = |x: &f64| *x != 0.0 && !x.is_nan();
            let one_form = !any_zero || numbers.iter().all(is_one);
            one_form.then(|| encode_floats(ty, numbers))
        }
        _ => None,
    }
}

fn push_each(value: &Value, ty: &DataType, points: usize, arena: &Arena, out: &mut Vec<Element>) -> Option<()> {
    match value {
        Value::Int(ints) => {
            for point in 0..points {
                out.push(whole(ints.get(point), ty, arena));
            }
        }
        Value::Real(reals) => {
            let float = ty.class == NumberClass::Float;
            for point in 0..points {
                let element = reals.get(point);
                if !float && element.open == 0 {
                    return None;
                }
                out.push(real(element, ty, arena));
            }
        }
        Value::Bool(bools) => {
            let bits = |truth: bool| Element::Exact(encode_int(ty, i128::from(truth)));
            for point in 0..points {
                let truth = bools.get(point);
                out.push(match truth.open {
                    0 if truth.is_undecided() => Element::Among(vec![bits(true), bits(false)]),
                    0 => bits(truth.is_true()),
                    open => Element::Open(open - 1),
                });
            }
        }
        Value::List(_) | Value::Row(_) | Value::Operator(..) => return None,
    }
    Some(())
}

fn whole(whole: Whole, ty: &DataType, arena: &Arena) -> Element {
    if whole.open != 0 {
        return Element::Open(whole.open - 1);
    }
    if whole.outcomes == 0 {
        return Element::Exact(encode_int(ty, whole.value));
    }
    let all = arena.wholes(whole);
    Element::Among(
        all.into_iter()
            .map(|value| Element::Exact(encode_int(ty, value)))
            .collect(),
    )
}

#[inline]
fn real(real: Real, ty: &DataType, arena: &Arena) -> Element {
    if real.is_plain() && real.lo < real.hi && !real.value.is_nan() {
        // Most numbers that are not exact.
        return Element::Interval(Interval {
            reference: encode_float(ty, real.value),
            lo: real.lo,
            hi: real.hi,
            nan: false,
            infinity: false,
            negative_infinity: false,
        });
    }
    if real.open != 0 {
        return Element::Open(real.open - 1);
    }
    if real.outcomes != 0 {
        let all = arena.outcomes(real);
        return among(all.into_iter().map(|outcome| one(outcome, ty)), ty);
    }
    one(real, ty)
}

/// One of several elements, of which the first one is expected; what another one holds is left out.
fn among(all: impl Iterator<Item = Element>, ty: &DataType) -> Element {
    let (mut kept, mut expected): (Vec<Element>, _) = (Vec::new(), None);
    for element in all {
        expected = expected.or(Some(element.reference()));
        if !kept.iter().any(|other| other.contains(ty, &element)) {
            kept.retain(|other| !element.contains(ty, other));
            kept.push(element);
        }
    }
    let expected = expected.unwrap_or_default();
    if let Some(at) = kept.iter().position(|element| element.accepts(ty, expected)) {
        kept.swap(0, at);
    }
    if let Some(Element::Interval(first)) = kept.first_mut() {
        first.reference = expected;
    }
    match kept.pop() {
        Some(only) if kept.is_empty() => only,
        last => Element::Among(kept.into_iter().chain(last).collect()),
    }
}

fn one(real: Real, ty: &DataType) -> Element {
    debug_assert_eq!(ty.class, NumberClass::Float);
    let reference = encode_float(ty, real.value);
    if real.flags == 0 && (real.lo == real.hi || real.value.is_nan()) {
        return Element::Exact(reference);
    }
    if real.flags & VANISHES != 0 {
        let zero = encode_float(ty, 0.0_f64.copysign(real.value));
        return Element::Among(vec![
            Element::Exact(reference),
            Element::Exact(zero),
            Element::Exact(zero ^ 1 << (ty.bits - 1)),
        ]);
    }
    let infinities = (
        real.flags & MAY_BE_INFINITE != 0,
        real.flags & MAY_BE_NEGATIVE_INFINITE != 0,
    );
    let (lo, hi) = match (real.lo.is_nan() || real.hi.is_nan(), infinities) {
        (false, _) => (real.lo, real.hi),
        // No number is accepted: what is beside the interval is all that there is.
        (true, (true, _)) => (f64::INFINITY, f64::INFINITY),
        (true, (_, true)) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
        (true, _) => return Element::Exact(encode_float(ty, f64::NAN)),
    };
    let interval = Interval {
        reference,
        lo,
        hi,
        nan: real.flags & MAY_BE_NAN != 0 || real.value.is_nan(),
        infinity: real.flags & MAY_BE_INFINITE != 0,
        negative_infinity: real.flags & MAY_BE_NEGATIVE_INFINITE != 0,
    };
    // Only zeros come in two signs: everything else that is exact has one form.
    if real.lo == real.hi && real.value != 0.0 && !interval.nan && !interval.infinity && !interval.negative_infinity {
        return Element::Exact(reference);
    }
    Element::Interval(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half() -> DataType {
        dml_spec_yaml::load::catalog()
            .data_type_named("FLOAT16")
            .unwrap()
            .clone()
    }

    fn exact(x: f64) -> Element {
        Element::Exact(encode_float(&half(), x))
    }

    fn interval(lo: f64, hi: f64) -> Element {
        Element::Interval(Interval {
            reference: encode_float(&half(), lo),
            lo,
            hi,
            nan: false,
            infinity: false,
            negative_infinity: false,
        })
    }

    fn joined(mut a: Element, b: Element) -> Element {
        a.join(b, &half());
        a
    }

    #[test]
    fn what_another_element_holds_is_left_out() {
        let among = |all: &[Element]| super::among(all.iter().cloned(), &half());
        // The first one is expected, whichever of them is kept.
        assert_eq!(
            among(&[interval(1.0, 2.0), interval(0.5, 2.0), exact(1.5)]),
            Element::Interval(Interval {
                reference: encode_float(&half(), 1.0),
                lo: 0.5,
                hi: 2.0,
                nan: false,
                infinity: false,
                negative_infinity: false,
            })
        );
        let apart = [exact(1.0), interval(3.0, 4.0), exact(5.0)];
        assert_eq!(among(&apart), Element::Among(apart.to_vec()));
        assert_eq!(
            among(&[exact(1.0), exact(5.0), interval(0.5, 2.0)]).reference(),
            exact(1.0).reference()
        );
        assert_eq!(among(&[exact(1.0), exact(1.0)]), exact(1.0));
    }

    #[test]
    fn what_contains_another_accepts_all_of_it() {
        let with_nan = |element: Element| match element {
            Element::Interval(of) => Element::Interval(Interval { nan: true, ..of }),
            other => other,
        };
        let either = Element::Among(vec![interval(0.0, 1.0), exact(4.0)]);
        for (holds, held) in [
            (interval(0.0, 2.0), interval(0.5, 2.0)),
            (interval(0.0, 2.0), exact(1.0)),
            (either.clone(), either.clone()),
            (either.clone(), exact(4.0)),
            (with_nan(interval(0.0, 2.0)), interval(0.0, 2.0)),
            (exact(1.0), interval(1.0, 1.0)),
            (Element::Open(0), either.clone()),
        ] {
            assert!(holds.contains(&half(), &held), "{holds:?} {held:?}");
        }
        for (lacks, other) in [
            (interval(0.0, 2.0), interval(1.0, 3.0)),
            (interval(0.0, 2.0), with_nan(interval(0.0, 2.0))),
            (interval(0.0, 2.0), either.clone()),
            (either, interval(0.0, 4.0)),
            (exact(1.0), interval(0.0, 2.0)),
            (interval(0.0, 2.0), Element::Open(0)),
        ] {
            assert!(!lacks.contains(&half(), &other), "{lacks:?} {other:?}");
        }
    }

    #[test]
    fn what_either_accepts_is_accepted_and_nothing_between() {
        let all = [
            exact(1.0),
            exact(f64::NAN),
            exact(-0.0),
            interval(0.5, 1.5),
            interval(2.0, 3.0),
            interval(1.5, 2.5),
            Element::Among(vec![exact(4.0), exact(0.0)]),
        ];
        let numbers = [
            -0.0,
            0.0,
            0.5,
            1.0,
            1.5,
            1.75,
            2.0,
            2.5,
            3.0,
            3.5,
            4.0,
            f64::NAN,
            f64::INFINITY,
        ];
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let both = joined(a.clone(), b.clone());
            assert_eq!(both.reference(), a.reference(), "what is expected first stays");
            for x in numbers {
                let bits = encode_float(&half(), x);
                let either = a.accepts(&half(), bits) || b.accepts(&half(), bits);
                assert_eq!(both.accepts(&half(), bits), either, "{x} by {a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn intervals_that_meet_stay_intervals() {
        assert_eq!(joined(interval(0.5, 1.5), interval(1.0, 2.0)), interval(0.5, 2.0));
        assert!(matches!(joined(exact(1.0), interval(0.5, 2.0)), Element::Interval(i) if i.reference == 0x3c00));
        assert_eq!(joined(interval(0.5, 2.0), exact(1.0)), interval(0.5, 2.0));
        assert_eq!(joined(exact(1.0), exact(1.0)), exact(1.0));
    }

    #[test]
    fn what_is_open_to_one_is_open() {
        assert_eq!(joined(Element::Open(3), exact(1.0)), Element::Open(3));
        assert_eq!(joined(exact(1.0), Element::Open(3)), Element::Open(3));
    }
}
