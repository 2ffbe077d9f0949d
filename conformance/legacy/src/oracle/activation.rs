//! Activations: functions of one element that can stand alone or be fused into another operator.

use dml_spec::{Descriptor, model::DataType};

use super::{
    Call, Input, Oracle, rounding,
    wanted::{self, Wanted},
};
use dml_case::{
    number::{Number, decode, is_denormal},
    tensor::Shape,
};

/// An activation as data. Coefficients are read from the descriptor, fused or not.
pub(super) struct Activation {
    /// What becomes of an element.
    pub(super) value: fn(&Descriptor, f64) -> f64,
    /// How far arithmetic of the type may be off, given an exact element.
    pub(super) slack: fn(&Descriptor, &DataType, f64) -> f64,
    /// Whether infinities are left open.
    pub(super) opens_infinities: bool,
}

/// The first field behind the tensors, a `FLOAT`.
pub(super) fn first_coefficient(descriptor: &Descriptor) -> f64 {
    coefficient(descriptor, 2)
}

/// The second field behind the tensors, a `FLOAT`.
pub(super) fn second_coefficient(descriptor: &Descriptor) -> f64 {
    coefficient(descriptor, 3)
}

fn coefficient(descriptor: &Descriptor, field: usize) -> f64 {
    match descriptor.fields.get(field) {
        Some(dml_spec::Value::Float(x)) => f64::from(*x),
        _ => 0.0,
    }
}

/// How far `scale * x` may be off in arithmetic of the type, which may round the scale first.
pub(super) fn product_slack(ty: &DataType, scale: f64, x: f64) -> f64 {
    let product = scale * x;
    let rounded = (scale - rounding::nearest(ty, scale)).abs() * x.abs();
    let exact = rounding::nearest(ty, product) == product;
    rounded
        + if exact {
            0.0
        } else {
            rounding::step(ty, product) + rounding::flushed(ty)
        }
}

/// How far `scale * x + bias` may be off in arithmetic of the type, which may round both first.
pub(super) fn linear_slack(ty: &DataType, scale: f64, bias: f64, x: f64) -> f64 {
    let product = product_slack(ty, scale, x);
    let rounded = (bias - rounding::nearest(ty, bias)).abs();
    let sum = scale * x + bias;
    let exact = product == 0.0 && rounded == 0.0 && rounding::nearest(ty, sum) == sum;
    product
        + rounded
        + if exact {
            0.0
        } else {
            rounding::step(ty, sum) + rounding::flushed(ty)
        }
}

struct Elements<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
}

impl Activation {
    fn elements<'a>(&self, call: &'a Call<'a>) -> Option<Elements<'a>> {
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        (input.elements.len() as u64 == output.elements()).then_some(Elements { input, output })
    }

    /// What every element has to be, with other coefficients or another function where `value` is one.
    fn wanted(&self, call: &Call, value: &dyn Fn(f64) -> f64) -> Option<Vec<Wanted>> {
        let e = self.elements(call)?;
        let ty = &e.output.ty;
        let of = |bits: &u64| match decode(&e.input.shape.ty, *bits) {
            Number::Int(n) => Wanted::Whole(value(n as f64) as i128),
            Number::Float(x) if x.is_nan() || is_denormal(ty, *bits) => Wanted::Open,
            Number::Float(x) if x.is_infinite() && self.opens_infinities => Wanted::Open,
            Number::Float(x) => {
                let slack = (self.slack)(call.descriptor, ty, x);
                let result = value(x);
                let beyond = result.is_finite() && result.abs() + slack > rounding::greatest(ty);
                if beyond {
                    Wanted::Open
                } else {
                    Wanted::Real { value: result, slack }
                }
            }
        };
        Some(e.input.elements.iter().map(of).collect())
    }

    /// What denormals become if read as this; everything else is open.
    fn denormals(&self, call: &Call, read: impl Fn(f64) -> f64) -> Vec<Wanted> {
        let Some(e) = self.elements(call) else {
            return Vec::new();
        };
        let ty = &e.output.ty;
        let of = |bits: &u64| match decode(&e.input.shape.ty, *bits) {
            Number::Float(x) if is_denormal(ty, *bits) => {
                let (value, slack) = (
                    (self.value)(call.descriptor, read(x)),
                    (self.slack)(call.descriptor, ty, read(x)),
                );
                if value.is_finite() {
                    Wanted::Real { value, slack }
                } else {
                    Wanted::Open
                }
            }
            _ => Wanted::Open,
        };
        e.input.elements.iter().map(of).collect()
    }

    fn right(&self, call: &Call) -> Vec<Wanted> {
        self.wanted(call, &|x| (self.value)(call.descriptor, x))
            .unwrap_or_default()
    }
}

impl Oracle for Activation {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let elements = || wanted::or_else(self.right(call), self.denormals(call, |x| x));
        let shape = call.outputs.first();
        shape.map_or_else(Vec::new, |shape| vec![wanted::bits(&shape.ty, &elements())])
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        vec![wanted::slack(&self.right(call))]
    }

    fn activate(&self, nested: &Descriptor, x: f64) -> Option<f64> {
        Some((self.value)(nested, x))
    }

    fn activation_slack(&self, nested: &Descriptor, ty: &DataType, x: f64) -> f64 {
        (self.slack)(nested, ty, x)
    }
}
