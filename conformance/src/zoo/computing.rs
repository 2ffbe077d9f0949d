//! What wrong computations of oracles are made of.

use super::{Fault, Right};
use crate::{
    number::{Number, encode_float, encode_int},
    oracle::{Call, Lanes, guess::Elements},
};

/// A lane of an input and of the outputs that follow from it.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Lanes of the input.
    pub input: Lanes,
    /// Lanes of the outputs.
    pub output: Lanes,
    /// Which one it is.
    pub number: usize,
}

/// A fault of an operator with lanes along the axis that `axis` names: `change` gets every lane and the right outputs,
/// and changes them.
pub fn lanes(
    name: &'static str,
    says: &'static str,
    right: Right,
    axis: fn(&Call) -> Option<usize>,
    change: impl Fn(&Call, Lane, &mut Elements) + Send + Sync + 'static,
) -> Fault {
    Fault::computing(name, says, right, move |call, right| {
        let axis = axis(call)?;
        let input = Lanes::along(&call.inputs.first()?.shape.sizes, axis)?;
        let output = Lanes::along(&call.outputs.first()?.sizes, axis)?;
        let mut elements = crate::oracle::guess::fixed(right.to_vec());
        for number in 0..output.count() {
            change(call, Lane { input, output, number }, &mut elements);
        }
        Some(elements)
    })
}

/// A fault of an operator with one output, which becomes these numbers, rounded to its type and wrapped to its width;
/// `None` where the mistake does not show.
pub fn numbers(
    name: &'static str,
    says: &'static str,
    right: Right,
    of: impl Fn(&Call) -> Option<Vec<Number>> + Send + Sync + 'static,
) -> Fault {
    Fault::computing(name, says, right, move |call, _| {
        let ty = &call.outputs.first()?.ty;
        let bits = |number: Number| match number {
            Number::Int(n) => encode_int(ty, n),
            Number::Float(x) => encode_float(ty, x),
        };
        Some(vec![of(call)?.into_iter().map(|number| Some(bits(number))).collect()])
    })
}
