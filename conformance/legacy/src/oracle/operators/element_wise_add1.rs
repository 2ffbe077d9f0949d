//! ELEMENT_WISE_ADD1: the sums of two tensors' elements, through an activation where one is fused.

#[path = "element_wise_add1/faults.rs"]
mod faults;

use dml_spec::{Descriptor, model::DataType};

use crate::compare::Also;
use crate::oracle::{
    Call, ComputingFault, Input, Oracle, oracle, rounding,
    wanted::{self, Wanted},
};
use dml_case::{
    number::{Number, decode, encode_float, is_denormal},
    tensor::Shape,
};

/// The oracle.
pub(super) static ORACLE: ElementWiseAdd1 = ElementWiseAdd1;

/// See the module.
pub(super) struct ElementWiseAdd1;

/// The activation that is fused.
#[derive(Clone, Copy)]
struct Fused<'a> {
    oracle: &'static dyn Oracle,
    nested: &'a Descriptor,
}

impl Fused<'_> {
    fn of(self, x: f64) -> f64 {
        self.oracle.activate(self.nested, x).unwrap_or(f64::NAN)
    }

    /// How far the result may be off where its operand is off by `slack`.
    fn carried(self, ty: &DataType, x: f64, slack: f64) -> f64 {
        let off = |by: f64| (self.of(x + by) - self.of(x)).abs();
        off(slack).max(off(-slack)) + self.oracle.activation_slack(self.nested, ty, x)
    }
}

/// A call whose shapes fit together.
#[derive(Clone, Copy)]
struct Sums<'a> {
    a: &'a Input<'a>,
    b: &'a Input<'a>,
    output: &'a Shape,
    fused: Option<Fused<'a>>,
}

impl<'a> Sums<'a> {
    fn of(call: &'a Call<'a>) -> Option<Self> {
        let ([a, b], output) = (call.inputs.as_slice(), call.outputs.first()?) else {
            return None;
        };
        let fused = match call.nested("FusedActivation") {
            Some(nested) => Some(Fused {
                oracle: oracle(&nested.operator)?,
                nested,
            }),
            None => None,
        };
        let fits = |input: &Input| input.elements.len() as u64 == output.elements();
        (fits(a) && fits(b)).then_some(Self { a, b, output, fused })
    }

    /// Every pair of elements through `change`.
    fn map(&self, change: impl Fn(u64, u64) -> Wanted) -> Vec<Wanted> {
        self.a
            .elements
            .iter()
            .zip(&self.b.elements)
            .map(|(a, b)| change(*a, *b))
            .collect()
    }

    /// What becomes of the finite sums that a denormal goes into; everything else is open.
    fn denormals(&self, sum: impl Fn(f64, f64) -> f64) -> Vec<Wanted> {
        let ty = &self.output.ty;
        self.map(|a, b| match (decode(ty, a), decode(ty, b)) {
            (Number::Float(x), Number::Float(y))
                if (is_denormal(ty, a) || is_denormal(ty, b)) && (x + y).is_finite() =>
            {
                self.activated(rounded(ty, sum(x, y)))
            }
            _ => Wanted::Open,
        })
    }

    /// Whether nobody says what becomes of a pair.
    fn is_open(&self, a: u64, b: u64) -> bool {
        let ty = &self.output.ty;
        let odd = |bits| match decode(ty, bits) {
            Number::Float(x) => !x.is_finite() || is_denormal(ty, bits),
            Number::Int(_) => false,
        };
        odd(a) || odd(b)
    }

    /// What every element has to be; `sum` and `activate` may be mistaken.
    fn by(&self, sum: impl Fn(Number, Number) -> Wanted, activate: impl Fn(Wanted) -> Wanted) -> Vec<Wanted> {
        let ty = &self.output.ty;
        self.map(|a, b| {
            if self.is_open(a, b) {
                return Wanted::Open;
            }
            activate(sum(decode(ty, a), decode(ty, b)))
        })
    }

    fn wanted(&self) -> Vec<Wanted> {
        self.by(|a, b| self.sum(a, b), |sum| self.activated(sum))
    }

    fn sum(&self, a: Number, b: Number) -> Wanted {
        match (a, b) {
            (Number::Int(a), Number::Int(b)) => Wanted::Whole(a + b),
            (Number::Float(a), Number::Float(b)) => rounded(&self.output.ty, a + b),
            _ => Wanted::Open,
        }
    }

    fn activated(&self, sum: Wanted) -> Wanted {
        let Some(fused) = self.fused else { return sum };
        let (value, slack) = match sum {
            Wanted::Real { value, slack } => (value, slack),
            // What activations make of infinities nobody says.
            Wanted::Beyond { .. } => return Wanted::Open,
            other => return other,
        };
        let ty = &self.output.ty;
        let result = fused.of(value);
        let carried = fused.carried(ty, value, slack);
        let exact = carried == 0.0 && rounding::nearest(ty, result) == result;
        let last = if exact { 0.0 } else { rounding::step(ty, result) };
        // NaN where the operand may be anything.
        let most = result.abs() + carried;
        if most.is_nan() || most > rounding::greatest(ty) {
            return Wanted::Open;
        }
        Wanted::Real {
            value: result,
            slack: carried + last,
        }
    }
}

/// A number that arithmetic of the type comes to: exact where the type holds it, else either neighbour, and 0 where
/// single precision may flush it. Beyond the type's range these are the greatest number and infinity.
fn rounded(ty: &DataType, x: f64) -> Wanted {
    let greatest = rounding::greatest(ty);
    if x.is_finite() && x.abs() > greatest {
        let nearest = rounding::nearest(ty, x);
        let other = if nearest.is_finite() { f64::INFINITY } else { greatest };
        return Wanted::Beyond {
            value: nearest,
            slack: 0.0,
            also: Also::Is(encode_float(ty, other.copysign(x))),
        };
    }
    let small = x != 0.0 && x.abs() < rounding::smallest_normal(ty);
    let flushed = if small { rounding::flushed(ty) } else { 0.0 };
    let exact = rounding::nearest(ty, x) == x;
    Wanted::Real {
        value: x,
        slack: flushed + if exact { 0.0 } else { rounding::step(ty, x) },
    }
}

impl Oracle for ElementWiseAdd1 {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let elements = |s: Sums| wanted::or_else(s.wanted(), s.denormals(|x, y| x + y));
        Sums::of(call).map_or_else(Vec::new, |s| vec![wanted::bits(&s.output.ty, &elements(s))])
    }

    fn also(&self, call: &Call) -> Vec<Vec<Option<Also>>> {
        let also = |s: Sums| s.wanted().into_iter().map(Wanted::also).collect();
        Sums::of(call).map_or_else(Vec::new, |s| vec![also(s)])
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        Sums::of(call).map_or_else(Vec::new, |s| vec![wanted::slack(&s.wanted())])
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}

#[cfg(test)]
mod tests {
    use dml_spec::model::NumberClass;

    use super::*;
    use crate::oracle::tests::ty;

    #[test]
    fn sums_beyond_the_range_are_infinite_or_the_greatest_number() {
        let half = ty(NumberClass::Float, 16);
        let allows = |sum: f64, found: f64| rounded(&half, sum).allows(&half, encode_float(&half, found));
        // The second rounds to the greatest number, and truncation leaves it of all.
        for sum in [70000.0, 65519.0, 131008.0] {
            for sign in [1.0, -1.0] {
                let near = [f64::INFINITY, 65504.0].map(|found| allows(sign * sum, sign * found));
                let far =
                    [0.0, 65472.0, f64::NAN, f64::NEG_INFINITY, -65504.0].map(|found| allows(sign * sum, sign * found));
                assert_eq!((near, far), ([true; 2], [false; 5]), "{sum}");
            }
        }
        assert!(!allows(65504.0, f64::INFINITY) && allows(65504.0, 65504.0));
    }
}
