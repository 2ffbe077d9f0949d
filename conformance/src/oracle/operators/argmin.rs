//! ARGMIN: the index of the smallest element of every set; of equal ones the first or the last.

use crate::{
    export::OnnxForm,
    number::Number,
    oracle::{
        Call, Guess, Mismatch, Oracle, Seen,
        extreme::{self, Extreme},
    },
};

/// The oracle.
pub(super) static ORACLE: ArgMin = ArgMin;

/// See the module.
pub(super) struct ArgMin;

fn extreme<'a>(call: &'a Call<'a>) -> Option<Extreme<'a>> {
    // `DML_AXIS_DIRECTION_DECREASING` is 1.
    Extreme::of(
        call,
        call.uints("Axes").unwrap_or_default(),
        false,
        call.uint("AxisDirection")? == 1,
    )
}

impl Oracle for ArgMin {
    fn classes(&self) -> &'static [&'static str] {
        extreme::CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let indices = |extreme: Extreme| vec![extreme.indices(extreme.numbers())];
        extreme(call).map(indices).unwrap_or_default()
    }

    fn ordered_by(&self, call: &Call, keys: &[Vec<Number>]) -> Option<Vec<Vec<u64>>> {
        Some(vec![extreme(call)?.indices(keys.first()?)])
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        extreme(call).map_or_else(Vec::new, |extreme| extreme.check(outputs))
    }

    fn holds(&self, property: &str, call: &Call, outputs: &[Vec<u64>]) -> Option<Vec<Mismatch>> {
        extreme(call)?.holds(property, outputs)
    }

    fn does(&self, behaviour: &str, call: &Call, outputs: &[Vec<u64>]) -> Option<bool> {
        extreme(call)?.does(behaviour, outputs)
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        extreme(call).map_or_else(Vec::new, |extreme| extreme.exposes())
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        extreme(call)?.onnx("ArgMin")
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, _: &'a Seen<'a>) -> Vec<Guess<'a>> {
        extreme(call).map_or_else(Vec::new, |of| extreme::guesses(of, |of, keys| of.indices(keys)))
    }
}

#[cfg(test)]
#[path = "argmin/tests.rs"]
mod tests;
