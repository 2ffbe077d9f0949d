//! What becomes of elements where the page leaves it open.

use dml_spec::model::DataType;

use super::{Clip, cast};
use crate::oracle::{
    rounding,
    wanted::{self, Wanted},
};
use dml_case::number::{Number, decode, is_denormal};

impl Clip<'_> {
    pub(super) fn is(&self, found: &[u64], due: &[Wanted]) -> bool {
        wanted::first_wrong(self.ty(), due, found).is_none()
    }

    pub(super) fn all_are(&self, found: &[u64], limit: Option<Number>) -> bool {
        let same = |bits: &u64| limit.is_some_and(|limit| decode(self.ty(), *bits) == limit);
        found.iter().all(same)
    }

    /// The elements between other limits; open where there are none.
    pub(super) fn with(&self, min: Option<Number>, max: Option<Number>) -> Vec<Wanted> {
        match (min, max) {
            (Some(min), Some(max)) => self.map(|number| self.limited(self.scaled(number), min, max)),
            _ => vec![Wanted::exactly(f64::NAN); self.input.elements.len()],
        }
    }

    pub(super) fn open_limit(&self, limit: f64, none: impl Fn(&DataType) -> Number) -> Option<Number> {
        if limit.is_nan() {
            Some(none(self.ty()))
        } else {
            cast(limit, self.ty())
        }
    }

    pub(super) fn saturated(&self, limit: f64) -> Option<Number> {
        let (least, greatest) = rounding::limits(self.ty());
        (!limit.is_nan()).then(|| Number::Int((limit.trunc() as i128).clamp(least, greatest)))
    }

    pub(super) fn wrapped(&self, limit: f64) -> Option<Number> {
        let bits = limit.trunc() as i128 as u64 & dml_case::number::mask(self.ty().bits);
        (limit.is_finite() && limit.abs() < 2f64.powi(126)).then(|| decode(self.ty(), bits))
    }

    /// Whole numbers scaled in FLOAT32 and made whole again.
    pub(super) fn scaled_whole(&self, round: impl Fn(f64) -> f64) -> Vec<Wanted> {
        let (Some((scale, bias)), Some((min, max))) = (self.scale_bias, self.limits()) else {
            return Vec::new();
        };
        let scaled = |number| match number {
            Number::Int(n) => {
                let x = (n as f32).mul_add(scale as f32, bias as f32);
                self.limited(Wanted::Whole(round(f64::from(x)) as i128), min, max)
            }
            Number::Float(_) => Wanted::Open,
        };
        self.map(scaled)
    }

    /// Whole numbers scaled by whole numbers, modulo the range of the type.
    pub(super) fn scaled_in_integers(&self) -> Vec<Wanted> {
        let (Some((scale, bias)), Some((min, max))) = (self.scale_bias, self.limits()) else {
            return Vec::new();
        };
        let scaled = |number| match number {
            Number::Int(n) => {
                let result = n * scale.trunc() as i128 + bias.trunc() as i128;
                match decode(self.ty(), result as u64 & dml_case::number::mask(self.ty().bits)) {
                    Number::Int(n) => self.limited(Wanted::Whole(n), min, max),
                    Number::Float(_) => Wanted::Open,
                }
            }
            Number::Float(_) => Wanted::Open,
        };
        self.map(scaled)
    }

    pub(super) fn of_nan(&self, found: &[u64], test: impl Fn(Number) -> bool) -> bool {
        let pairs = self.input.elements.iter().zip(found);
        let nan = pairs.filter(|(bits, _)| decode(self.ty(), **bits).is_nan());
        nan.into_iter().all(|(_, bits)| test(decode(self.ty(), *bits)))
    }

    /// What denormals become if read as this; everything else is open.
    pub(super) fn denormals(&self, read: impl Fn(f64) -> f64) -> Vec<Wanted> {
        let Some((min, max)) = self.limits() else {
            return Vec::new();
        };
        let one = |bits: &u64| match decode(self.ty(), *bits) {
            Number::Float(x) if is_denormal(self.ty(), *bits) => {
                self.limited(self.scaled(Number::Float(read(x))), min, max)
            }
            _ => Wanted::Open,
        };
        self.input.elements.iter().map(one).collect()
    }
}
