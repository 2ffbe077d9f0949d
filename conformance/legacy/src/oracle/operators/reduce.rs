//! REDUCE: one element for every set of elements that differ in the reduced axes only, by a function.

use std::sync::Arc;

use crate::compare::Also;
use crate::oracle::{
    Call, ComputingFault, Oracle,
    extreme::{self, Asks, Extreme, Search},
    reduction::{self, Function, Reduced},
};

/// The oracle.
pub(super) static ORACLE: Reduce = Reduce;

/// See the module.
pub(super) struct Reduce;

/// What the call asks for.
enum Asked<'a> {
    /// Indices of extremes.
    Index(Extreme<'a>),
    /// Extremes themselves.
    Element(Extreme<'a>),
    /// Numbers that are calculated.
    Number(Reduced<'a>),
}

/// What the call asks for, by the value of `DML_REDUCE_FUNCTION`.
fn asked<'a>(call: &'a Call<'a>) -> Option<Asked<'a>> {
    let (axes, value) = (call.uints("Axes").unwrap_or_default(), call.uint("Function")?);
    let function = match value {
        0 | 1 => return Extreme::of(call, axes, value == 0, false).map(Asked::Index),
        2 => Function::Average,
        3 => Function::L1,
        4 => Function::L2,
        5 => Function::LogSum,
        6 => Function::LogSumExp,
        7 => Function::Max,
        8 => Function::Min,
        9 => Function::Multiply,
        10 => Function::Sum,
        11 => Function::SumSquare,
        _ => return None,
    };
    let reduced = Reduced::of(call, axes, function)?;
    if matches!(function, Function::Max | Function::Min) {
        let extreme = Extreme::of(call, axes, function == Function::Max, false)?;
        return Some(Asked::Element(extreme));
    }
    Some(Asked::Number(reduced))
}

impl Oracle for Reduce {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        match asked(call) {
            Some(Asked::Index(extreme)) => vec![extreme.indices(extreme.numbers())],
            Some(Asked::Element(extreme)) => vec![extreme.elements(extreme.numbers())],
            Some(Asked::Number(reduced)) => vec![reduced.outputs()],
            None => Vec::new(),
        }
    }

    fn slack(&self, call: &Call, reference: &[Vec<u64>]) -> Vec<Vec<f64>> {
        match asked(call) {
            Some(Asked::Number(reduced)) => vec![reduced.slacks()],
            _ => reference.iter().map(|elements| vec![0.0; elements.len()]).collect(),
        }
    }

    fn also(&self, call: &Call) -> Vec<Vec<Option<Also>>> {
        match asked(call) {
            Some(Asked::Number(reduced)) => vec![reduced.also()],
            _ => Vec::new(),
        }
    }

    fn faults(&self) -> Vec<ComputingFault> {
        let asks: Asks = Arc::new(|call| {
            let largest = match call.uint("Function")? {
                0 => true,
                1 => false,
                _ => return None,
            };
            Some(Search { largest, last: false })
        });
        let mut all = reduction::faults::all();
        // Of equal elements the first always counts: that is no mistake, and the other one is the last.
        let known = ["ties-first-always", "ties-flipped"];
        let searches = extreme::faults(asks).into_iter();
        all.extend(searches.filter(|fault| !known.contains(&fault.name.as_str())));
        all
    }
}
