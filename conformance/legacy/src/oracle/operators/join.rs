//! JOIN: tensors one behind the other along an axis.

use dml_spec::Dims;

use crate::oracle::{
    Call, ComputingFault, Oracle, Right,
    copying::{Source, place},
};

/// The oracle.
pub(super) static ORACLE: Join = Join;

/// See the module.
pub(super) struct Join;

/// Inputs that are still few: so many has a short array.
const FEW: usize = 16;

fn axis(call: &Call) -> Option<usize> {
    usize::try_from(call.uint("Axis")?).ok()
}

/// The output if the inputs followed each other along `axis` in this order. Each input is walked, and its elements put
/// where they belong; what no input reaches stays open.
fn joined(call: &Call, axis: usize, order: impl Iterator<Item = usize>) -> Option<Vec<Option<u64>>> {
    let shape = call.outputs.first()?;
    // Joined along another axis the output has other sizes, and the elements their order.
    let mut sizes = call.inputs.first()?.shape.sizes.clone();
    *sizes.get_mut(axis)? = call
        .inputs
        .iter()
        .map(|i| i.shape.sizes.get(axis).copied().unwrap_or(0))
        .sum();
    let elements = sizes.iter().map(|n| u64::from(*n)).product::<u64>();
    let mut output = vec![None; usize::try_from(shape.elements()).ok()?];
    let mut start = 0;
    for input in order.map(|i| call.inputs.get(i)) {
        let input = input?;
        for (at, bits) in input.elements.iter().enumerate() {
            let mut to: Dims = input.shape.coordinates(at as u64);
            *to.get_mut(axis)? += start;
            *output.get_mut(place(&sizes, &to)?)? = Some(*bits);
        }
        start += *input.shape.sizes.get(axis)?;
    }
    (elements == shape.elements()).then_some(output)
}

/// The input that holds the element at `coordinates`: found from the output's side.
fn source(call: &Call, axis: usize, coordinates: &[u32]) -> Option<Source> {
    let mut from: Dims = Dims::from_slice(coordinates);
    for (number, input) in call.inputs.iter().enumerate() {
        let size = *input.shape.sizes.get(axis)?;
        let at = from.get_mut(axis)?;
        if *at < size {
            return Some(Source { input: number });
        }
        *at -= size;
    }
    None
}

impl Oracle for Join {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let output = axis(call).and_then(|axis| joined(call, axis, 0..call.inputs.len()));
        let output = output.and_then(|output| output.into_iter().collect());
        output.into_iter().collect()
    }

    fn faults(&self) -> Vec<ComputingFault> {
        let right = || Right::Symptom(&["precision"]);
        let behind = |call: &Call, right: &[Vec<u64>], instead: Option<u64>| {
            let (axis, shape) = (axis(call)?, call.outputs.first()?);
            let element = |(at, bits): (usize, &u64)| {
                let source = source(call, axis, &shape.coordinates(at as u64))?;
                Some(if source.input < FEW { Some(*bits) } else { instead })
            };
            let given: Option<Vec<_>> = right.first()?.iter().enumerate().map(element).collect();
            (call.inputs.len() > FEW).then_some(vec![given?])
        };
        vec![
            ComputingFault::new(
                "inputs-over-16-zero",
                "0 stands where elements of inputs behind the 16th belong",
                right(),
                move |call, right| behind(call, right, Some(0)),
            ),
            ComputingFault::new(
                "inputs-over-16-unwritten",
                "elements of inputs behind the 16th are never written",
                Right::Named(&["unwritten", "input-left-out"]),
                move |call, right| behind(call, right, None),
            ),
        ]
    }
}
