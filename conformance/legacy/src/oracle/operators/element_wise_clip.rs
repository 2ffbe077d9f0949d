//! ELEMENT_WISE_CLIP: every element, scaled and shifted where that is asked for, limited to an interval.

#[path = "element_wise_clip/faults.rs"]
mod faults;

use dml_spec::model::{DataType, NumberClass};

use crate::oracle::{
    Call, ComputingFault, Input, Oracle,
    activation::linear_slack,
    rounding,
    wanted::{self, Wanted},
};
use dml_case::{
    number::{Number, decode, is_denormal},
    tensor::Shape,
};

/// The oracle.
pub(super) static ORACLE: ElementWiseClip = ElementWiseClip;

/// See the module.
pub(super) struct ElementWiseClip;

/// A call whose shapes fit together.
#[derive(Clone, Copy)]
struct Clip<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
    scale_bias: Option<(f64, f64)>,
    min: f64,
    max: f64,
}

impl<'a> Clip<'a> {
    fn of(call: &'a Call<'a>) -> Option<Self> {
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        let pair = call.scale_bias("ScaleBias");
        (input.elements.len() as u64 == output.elements()).then_some(Self {
            input,
            output,
            scale_bias: pair.map(|(scale, bias)| (scale.into(), bias.into())),
            min: call.float("Min")?.into(),
            max: call.float("Max")?.into(),
        })
    }

    fn ty(&self) -> &'a DataType {
        &self.output.ty
    }

    /// The limits as numbers of the tensor's type; `None` where the page does not say what they become.
    fn limits(&self) -> Option<(Number, Number)> {
        let known = self.min <= self.max;
        known
            .then(|| Some((cast(self.min, self.ty())?, cast(self.max, self.ty())?)))
            .flatten()
    }

    /// Every element through `change`, but for those that nobody says anything of.
    fn map(&self, change: impl Fn(Number) -> Wanted) -> Vec<Wanted> {
        let ty = self.ty();
        let one = |bits: &u64| match decode(ty, *bits) {
            number if self.becomes_nan(number) || is_denormal(ty, *bits) => Wanted::Open,
            number => change(number),
        };
        self.input.elements.iter().map(one).collect()
    }

    /// Whether an element is NaN before it is limited: by itself, or as nothing times infinity.
    fn becomes_nan(&self, number: Number) -> bool {
        let Number::Float(x) = number else { return false };
        self.scale_bias.map_or(x, |(scale, bias)| scale * x + bias).is_nan()
    }

    /// What every element has to be.
    fn wanted(&self) -> Vec<Wanted> {
        let Some((min, max)) = self.limits() else {
            return vec![Wanted::Open; self.input.elements.len()];
        };
        self.map(|number| self.limited(self.scaled(number), min, max))
    }

    fn scaled(&self, number: Number) -> Wanted {
        match (number, self.scale_bias) {
            (Number::Int(n), None) => Wanted::Whole(n),
            (Number::Int(_), Some(_)) => Wanted::Open,
            (Number::Float(x), None) => Wanted::exactly(x),
            (Number::Float(x), Some((scale, bias))) => linear(self.ty(), scale, bias, x),
        }
    }

    /// Limiting brings no two numbers further apart, so the slack stays, at most.
    fn limited(&self, wanted: Wanted, min: Number, max: Number) -> Wanted {
        match (wanted, min, max) {
            (Wanted::Whole(n), Number::Int(min), Number::Int(max)) => Wanted::Whole(n.min(max).max(min)),
            (Wanted::Real { value, slack }, Number::Float(min), Number::Float(max)) => {
                let result = value.min(max).max(min);
                let surely = value + slack < min || value - slack > max;
                Wanted::Real {
                    value: result,
                    slack: if surely { 0.0 } else { slack },
                }
            }
            _ => Wanted::Open,
        }
    }
}

/// A limit as a number of the type: cut off towards zero where that is whole, rounded to nearest even where it is not.
/// `None` where nobody says.
fn cast(limit: f64, ty: &DataType) -> Option<Number> {
    if ty.class == NumberClass::Float {
        return (!limit.is_nan()).then(|| Number::Float(rounding::nearest(ty, limit)));
    }
    let (least, greatest) = rounding::limits(ty);
    let whole = limit.trunc() as i128;
    (limit.is_finite() && (least..=greatest).contains(&whole)).then_some(Number::Int(whole))
}

/// Zero times an infinity is nobody's to define; an infinity stays one.
fn linear(ty: &DataType, scale: f64, bias: f64, x: f64) -> Wanted {
    match x * scale + bias {
        value if value.is_nan() => Wanted::Open,
        value if value.is_infinite() => Wanted::exactly(value),
        value => Wanted::Real {
            value,
            slack: linear_slack(ty, scale, bias, x),
        },
    }
}

impl Oracle for ElementWiseClip {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        // Where nobody says more, by the newest formula, with limits that stop at the ends of the type.
        let one = |c: &Clip, bits: &u64, wanted: &Wanted| match (wanted, decode(c.ty(), *bits)) {
            (Wanted::Open, Number::Float(x)) => {
                let x = c.scale_bias.map_or(x, |(scale, bias)| x * scale + bias);
                Wanted::exactly(if x.is_nan() { x } else { x.min(c.max).max(c.min) }).bits(c.ty())
            }
            (Wanted::Open, Number::Int(n)) => {
                let n = c
                    .scale_bias
                    .map_or(n, |(scale, bias)| (n as f64 * scale + bias) as i128);
                let (least, greatest) = rounding::limits(c.ty());
                let limit = |x: f64| (x as i128).clamp(least, greatest);
                Wanted::Whole(n.min(limit(c.max)).max(limit(c.min))).bits(c.ty())
            }
            (wanted, _) => wanted.bits(c.ty()),
        };
        let all = |c: Clip| {
            c.input
                .elements
                .iter()
                .zip(&c.wanted())
                .map(|(bits, wanted)| one(&c, bits, wanted))
                .collect()
        };
        Clip::of(call).map_or_else(Vec::new, |c| vec![all(c)])
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        Clip::of(call).map_or_else(Vec::new, |c| vec![wanted::slack(&c.wanted())])
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}
