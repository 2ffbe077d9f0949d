//! What an element may be.

use dml_case::number::{Number, decode, encode_float, encode_int, is_nan};
use dml_spec::model::{DataType, NumberClass};

use super::{
    arena::Arena,
    column::{Value, Whole},
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

/// The elements of a column of an output; `None` if a value does not belong into one.
pub(crate) fn elements(
    value: &Value,
    ty: &DataType,
    points: usize,
    arena: &Arena,
    out: &mut Vec<Element>,
) -> Option<()> {
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
    if real.open != 0 {
        return Element::Open(real.open - 1);
    }
    if real.outcomes != 0 {
        let all = arena.outcomes(real);
        return Element::Among(all.into_iter().map(|outcome| one(outcome, ty)).collect());
    }
    one(real, ty)
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
    let interval = Interval {
        reference,
        lo: real.lo,
        hi: real.hi,
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
