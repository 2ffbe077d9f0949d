//! Oracles: what an operator computes, said without sharing a line with any kernel.
//!
//! [`Oracle::reference`] computes the outputs in the most naive way. One file in `operators/` is one oracle; the build
//! script finds it.

mod activation;
mod call;
mod copying;
mod elementary;
mod extreme;
pub mod fault;
pub mod guess;
mod lanes;
mod reduction;
mod rounding;
mod selection;
mod wanted;

use call::Numbers;
pub use call::{Call, Input};
pub use fault::{ComputingFault, Lane, Right, lanes, numbers};
pub use lanes::Lanes;
pub use rounding::smallest_normal;

use dml_spec::{Descriptor, model::DataType};

use crate::compare::Also;

/// Says what an operator computes.
pub trait Oracle: Sync {
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

    /// Wrong computations of the operator's own kind, beside those that any operator has.
    fn faults(&self) -> Vec<ComputingFault> {
        Vec::new()
    }
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
