//! CAST: every element as a number of another data type.

#[path = "cast/faults.rs"]
mod faults;
#[path = "cast/numbers.rs"]
mod numbers;

use self::numbers::convert;
use dml_spec::model::DataType;

use crate::oracle::{
    Call, ComputingFault, Input, Oracle,
    wanted::{self, Wanted},
};
use dml_case::{
    number::{decode, is_denormal},
    tensor::Shape,
};

/// The oracle.
pub(super) static ORACLE: Cast = Cast;

/// See the module.
pub(super) struct Cast;

/// A call whose shapes fit together.
#[derive(Clone, Copy)]
struct Conversion<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
}

impl<'a> Conversion<'a> {
    fn of(call: &'a Call<'a>) -> Option<Self> {
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        (input.elements.len() as u64 == output.elements()).then_some(Self { input, output })
    }

    fn from(&self) -> &'a DataType {
        &self.input.shape.ty
    }

    fn to(&self) -> &'a DataType {
        &self.output.ty
    }

    /// Every element through `change`.
    fn map(&self, change: impl Fn(u64) -> Wanted) -> Vec<Wanted> {
        self.input.elements.iter().map(|bits| change(*bits)).collect()
    }

    /// What every element has to be; open what the page leaves open.
    fn wanted(&self) -> Vec<Wanted> {
        self.map(|bits| self.element(bits))
    }

    fn element(&self, bits: u64) -> Wanted {
        if is_denormal(self.from(), bits) {
            return Wanted::Open;
        }
        convert(decode(self.from(), bits), self.to())
    }
}

impl Oracle for Cast {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let Some(c) = Conversion::of(call) else {
            return Vec::new();
        };
        vec![wanted::bits(c.to(), &c.wanted())]
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        Conversion::of(call).map_or_else(Vec::new, |c| vec![wanted::slack(&c.wanted())])
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}

#[cfg(test)]
#[path = "cast/tests.rs"]
mod tests;
