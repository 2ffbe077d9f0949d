//! Mistakes that implementations make.

use dml_spec::model::{DataType, NumberClass};

use super::{Clip, cast, highest, linear, lowest};
use crate::oracle::{
    rounding,
    wanted::{self, Mistake, Wanted},
};
use dml_case::number::{Number, decode};

impl<'a> Clip<'a> {
    /// Mistakes that implementations make, the most likely first.
    pub(super) fn mistakes(self) -> Vec<Mistake<'a>> {
        let ty = self.ty();
        let clip = move |of: &dyn Fn(Number) -> Wanted| {
            let (min, max) = self.limits()?;
            Some(self.map(|number| self.limited(of(number), min, max)))
        };
        let real = move |number: Number, of: &dyn Fn(f64) -> f64| match number {
            Number::Float(x) => Wanted::Real {
                value: of(x),
                slack: 2.0 * rounding::step(ty, of(x)),
            },
            Number::Int(_) => Wanted::Open,
        };
        let mut all = Vec::new();
        if let Some((scale, bias)) = self.scale_bias {
            let plain = move |number: Number| match number {
                Number::Float(x) => Wanted::exactly(x),
                Number::Int(n) => Wanted::Whole(n),
            };
            all.extend([
                Mistake::new("scale-bias-ignored", "scale and bias are not applied", move || {
                    clip(&plain)
                }),
                Mistake::new("scale-ignored", "the scale is not applied", move || {
                    clip(&|n| real(n, &|x| x + bias))
                }),
                Mistake::new("bias-ignored", "the bias is not applied", move || {
                    clip(&|n| real(n, &|x| x * scale))
                }),
                Mistake::new(
                    "bias-before-scale",
                    "the bias is added before the scale is applied",
                    move || clip(&|n| real(n, &|x| (x + bias) * scale)),
                ),
                Mistake::new(
                    "scale-bias-after-limits",
                    "scale and bias are applied after the limits",
                    move || {
                        let (min, max) = self.limits()?;
                        let of = |number| match self.limited(plain(number), min, max) {
                            Wanted::Real { value, .. } => linear(ty, scale, bias, value),
                            other => other,
                        };
                        Some(self.map(of))
                    },
                ),
            ]);
        }
        for (how, round) in [
            ("to nearest", f64::round_ties_even as fn(f64) -> f64),
            ("down", f64::floor),
            ("up", f64::ceil),
        ] {
            all.push(Mistake::new(
                "limit-rounded",
                format!("the limits are rounded {how}"),
                move || {
                    let limit = |x: f64| {
                        cast(
                            if ty.class == NumberClass::Float {
                                f64::NAN
                            } else {
                                round(x)
                            },
                            ty,
                        )
                    };
                    let (min, max) = (limit(self.min)?, limit(self.max)?);
                    Some(self.map(|number| self.limited(self.scaled(number), min, max)))
                },
            ));
        }
        all.push(Mistake::new("limits-swapped", "Min and Max are swapped", move || {
            let (min, max) = self.limits()?;
            Some(self.map(|number| self.limited(self.scaled(number), max, min)))
        }));
        all.push(Mistake::new("below-min", "there is no lower limit", move || {
            let (_, max) = self.limits()?;
            Some(self.map(|number| self.limited(self.scaled(number), lowest(ty), max)))
        }));
        all.push(Mistake::new("above-max", "there is no upper limit", move || {
            let (min, _) = self.limits()?;
            Some(self.map(|number| self.limited(self.scaled(number), min, highest(ty))))
        }));
        all.push(Mistake::new(
            "signedness",
            "the elements are compared as if their signs were another",
            move || {
                let class = match ty.class {
                    NumberClass::Signed => NumberClass::Unsigned,
                    NumberClass::Unsigned => NumberClass::Signed,
                    _ => return None,
                };
                let (min, max) = self.limits()?;
                let other = DataType { class, ..ty.clone() };
                let read = |number: Number| match number {
                    Number::Int(n) => decode(&other, n as u64 & dml_case::number::mask(ty.bits)),
                    float => float,
                };
                let back = |wanted: Wanted| match decode(ty, wanted.bits(&other)) {
                    Number::Int(n) => Wanted::Whole(n),
                    Number::Float(_) => Wanted::Open,
                };
                Some(self.map(|number| back(self.limited(self.scaled(read(number)), read(min), read(max)))))
            },
        ));
        all.push(Mistake::new(
            "precision",
            "whole numbers go through FLOAT32",
            move || {
                let (min, max) = self.limits()?;
                let through = |number| match number {
                    Number::Int(n) => Number::Int(n as f32 as i128),
                    float => float,
                };
                (ty.class != NumberClass::Float)
                    .then(|| self.map(|number| self.limited(self.scaled(through(number)), min, max)))
            },
        ));
        all.push(Mistake::new(
            "precision",
            "the results are off by no more than narrower arithmetic makes them",
            move || Some(wanted::coarse(self.ty(), self.wanted())),
        ));
        all
    }
}
