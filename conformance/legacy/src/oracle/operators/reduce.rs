//! REDUCE: one element for every set of elements that differ in the reduced axes only, by a function.

use std::sync::Arc;

use crate::compare::Also;
use crate::oracle::{
    Call, ComputingFault, Guess, Mismatch, OnnxForm, Oracle, Seen,
    extreme::{self, Asks, Extreme, Search},
    reduction::{self, Function, Reduced},
};
use dml_case::number::Number;

/// The oracle.
pub(super) static ORACLE: Reduce = Reduce;

/// See the module.
pub(super) struct Reduce;

/// What the call asks for.
enum Asked<'a> {
    /// Indices of extremes.
    Index(Extreme<'a>),
    /// Extremes themselves: as elements, and as numbers.
    Element(Extreme<'a>, Reduced<'a>),
    /// Numbers that are calculated.
    Number(Reduced<'a>),
}

/// Classes of the checkers and the guesses; of equal elements the first is named, whatever they are.
const CLASSES: &[&str] = &[
    "average-wrong",
    "axis-confused",
    "element-skipped",
    "extreme-flipped",
    "function-confused",
    "index-column-major",
    "index-of-tensor",
    "index-out-of-range",
    "index-width",
    "l1-wrong",
    "l2-wrong",
    "log-sum-exp-wrong",
    "log-sum-wrong",
    "maximum-wrong",
    "minimum-wrong",
    "not-extreme",
    "precision",
    "product-wrong",
    "sum-of-squares-wrong",
    "sum-wrong",
    "tie-not-first",
];

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
        return Some(Asked::Element(extreme, reduced));
    }
    Some(Asked::Number(reduced))
}

impl Oracle for Reduce {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        match asked(call) {
            Some(Asked::Index(extreme)) => vec![extreme.indices(extreme.numbers())],
            Some(Asked::Element(extreme, _)) => vec![extreme.elements(extreme.numbers())],
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

    fn ordered_by(&self, call: &Call, keys: &[Vec<Number>]) -> Option<Vec<Vec<u64>>> {
        match asked(call)? {
            Asked::Index(extreme) => Some(vec![extreme.indices(keys.first()?)]),
            Asked::Element(extreme, _) => Some(vec![extreme.elements(keys.first()?)]),
            Asked::Number(_) => None,
        }
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        match asked(call) {
            Some(Asked::Index(extreme)) => extreme.check(outputs),
            Some(Asked::Element(_, reduced) | Asked::Number(reduced)) => reduced.check(outputs),
            None => Vec::new(),
        }
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        match asked(call) {
            Some(Asked::Index(extreme)) => extreme.exposes(),
            Some(Asked::Element(_, reduced) | Asked::Number(reduced)) => reduced.exposes(),
            None => Vec::new(),
        }
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        let op_type = match call.uint("Function")? {
            0 => return Extreme::of(call, call.uints("Axes").unwrap_or_default(), true, false)?.onnx("ArgMax"),
            1 => return Extreme::of(call, call.uints("Axes").unwrap_or_default(), false, false)?.onnx("ArgMin"),
            2 => "ReduceMean",
            3 => "ReduceL1",
            4 => "ReduceL2",
            5 => "ReduceLogSum",
            6 => "ReduceLogSumExp",
            7 => "ReduceMax",
            8 => "ReduceMin",
            9 => "ReduceProd",
            10 => "ReduceSum",
            11 => "ReduceSumSquare",
            _ => return None,
        };
        Some(OnnxForm {
            op_type,
            opset: 18,
            attributes: vec![("keepdims", 1)],
            lists: vec![(
                "axes",
                call.uints("Axes")
                    .unwrap_or_default()
                    .iter()
                    .map(|axis| i64::from(*axis))
                    .collect(),
            )],
            gives: vec![None],
        })
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

    fn guesses<'a>(&'a self, call: &'a Call<'a>, _: &'a Seen<'a>) -> Vec<Guess<'a>> {
        match asked(call) {
            Some(Asked::Index(of)) => extreme::guesses(of, |of, keys| of.indices(keys)),
            Some(Asked::Element(of, _)) => extreme::guesses(of, |of, keys| of.elements(keys)),
            _ => Vec::new(),
        }
    }
}
