//! Oracles: what an operator computes, said twice without sharing a line with any kernel.
//!
//! [`Oracle::reference`] computes the outputs in the most naive way; [`Oracle::check`] knows nothing of it and tests
//! the properties that the operator's guarantees promise. Tests hold the two equal. One file in `operators/` is one
//! oracle; the build script finds it.

mod activation;
mod call;
mod copying;
mod elementary;
mod extreme;
pub mod fault;
pub mod general;
pub mod guess;
mod lanes;
mod onnx;
mod reduction;
mod rounding;
mod selection;
mod strides;
mod wanted;

use call::Numbers;
pub use call::{Call, Input};
pub use fault::{ComputingFault, Lane, Right, lanes, numbers};
pub use guess::{Guess, Seen};
pub use lanes::Lanes;
pub use onnx::OnnxForm;
pub use rounding::smallest_normal;
pub use wanted::DENORMALS_OR_ZERO;

use dml_spec::{Descriptor, model::DataType};

use crate::compare::Also;
use dml_case::number::Number;

/// Says what an operator computes.
pub trait Oracle: Sync {
    /// Every diagnosis class that it names itself; each belongs to a guarantee of the operator's YAML.
    fn classes(&self) -> &'static [&'static str];

    /// The outputs: elements of every present output tensor in row-major order. No output is missing or of another
    /// length unless the call makes no sense.
    fn reference(&self, call: &Call) -> Vec<Vec<u64>>;

    /// How far each element of each output may be from what [`Oracle::reference`] gives, for outputs that the YAML
    /// compares by `bound`. The reference is rounded once itself, which counts in here.
    fn slack(&self, call: &Call, reference: &[Vec<u64>]) -> Vec<Vec<f64>> {
        let _ = call;
        reference.iter().map(|elements| vec![0.0; elements.len()]).collect()
    }

    /// What an element may be beside what [`Oracle::reference`] gives, where the reference leaves room for a second way
    /// to compute it; empty for outputs without such elements. The YAML says so where it says what is compared.
    fn also(&self, call: &Call) -> Vec<Vec<Option<Also>>> {
        let _ = call;
        Vec::new()
    }

    /// What an operator that can be fused makes of one element; `None` for any other.
    fn activate(&self, nested: &Descriptor, x: f64) -> Option<f64> {
        let _ = (nested, x);
        None
    }

    /// How far a fused activation may be off in arithmetic of the type `ty`, given an exact element; infinite for an
    /// operator that cannot be fused.
    fn activation_slack(&self, nested: &Descriptor, ty: &DataType, x: f64) -> f64 {
        let _ = (nested, ty, x);
        f64::INFINITY
    }

    /// Which promised properties the outputs break: at most one mismatch a class (its first in row-major order), the
    /// most telling class first. Empty exactly where the outputs equal the reference, if no input is NaN.
    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch>;

    /// The outputs if the inputs' elements were compared by these keys and copied as they are. `None` for operators
    /// that do not order elements.
    fn ordered_by(&self, call: &Call, keys: &[Vec<Number>]) -> Option<Vec<Vec<u64>>> {
        let _ = (call, keys);
        None
    }

    /// Whether the outputs may be what [`Oracle::ordered_by`] gives for some keys, unwritten and rounded elements aside:
    /// a quick look that spares guesses.
    fn may_be_ordered(&self, call: &Call, seen: &Seen) -> bool {
        let _ = (call, seen);
        true
    }

    /// Those of [`Oracle::classes`] that wrong outputs of this call could show, by its shapes and data: a case tests a
    /// guarantee only where it can show that it is broken. Mistakes that merely explain other classes are left out.
    fn exposes(&self, call: &Call) -> Vec<&'static str>;

    /// What the call is in ONNX; `None` where that has nothing like it.
    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        let _ = call;
        None
    }

    /// Wrong computations of the operator's own kind, beside those that any operator has.
    fn faults(&self) -> Vec<ComputingFault> {
        Vec::new()
    }

    /// The operator's own well-known mistakes, the most likely first. Tried before those of [`general`].
    fn guesses<'a>(&'a self, call: &'a Call<'a>, seen: &'a Seen<'a>) -> Vec<Guess<'a>> {
        let _ = (call, seen);
        Vec::new()
    }
}

/// A property that outputs break, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Diagnosis class.
    pub class: &'static str,
    /// Output, counted among those present.
    pub output: usize,
    /// Element in row-major order.
    pub at: u64,
    /// In words: lower case, no final period.
    pub message: String,
    /// Explains every element that is wrong, so that no other explanation needs to be looked for.
    pub whole: bool,
}

/// The oracle of an operator; `None` where only its descriptors are judged.
pub fn oracle(operator: &str) -> Option<&'static dyn Oracle> {
    let index = ORACLES.binary_search_by_key(&operator, |(name, _)| name).ok()?;
    ORACLES.get(index).map(|(_, oracle)| *oracle)
}

/// Names of the operators that have an oracle, sorted.
pub fn operators() -> impl Iterator<Item = &'static str> {
    ORACLES.iter().map(|(name, _)| *name)
}

include!(concat!(env!("OUT_DIR"), "/oracles.rs"));

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;
