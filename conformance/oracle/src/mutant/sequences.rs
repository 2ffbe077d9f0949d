//! Sequences that an implementation takes for one: it does not start anew where the next one starts.

use dml_case::{context::Context, tensor::Shape};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    model::Role,
};

use super::{Change, Kind, Mutant, results::axis};
use crate::load::Tensor;

/// A case whose sequences are one.
pub(super) struct Joined {
    pub(super) descriptor: Descriptor,
    pub(super) inputs: Vec<Vec<Tensor>>,
    /// For each place of an output the place in the one sequence.
    pub(super) from: Vec<usize>,
}

/// Joins the sequences along a dimension, if there are several and all tensors have the same sizes.
pub(super) fn join(context: Context<'_>, field: usize, reversed: bool) -> Option<Joined> {
    let axis = axis(context, field)?;
    let descriptor = &context.case.descriptor;
    let tensors: Vec<&TensorDesc> = descriptor.fields.iter().filter_map(tensor).collect();
    let sizes: Vec<usize> = tensors.first()?.sizes().iter().map(|size| *size as usize).collect();
    let alike = |tensor: &&TensorDesc| {
        tensor
            .sizes()
            .iter()
            .map(|size| *size as usize)
            .eq(sizes.iter().copied())
    };
    if !tensors.iter().all(alike) {
        return None;
    }
    let places = places(&sizes, axis, reversed)?;
    let mut from = vec![0; places.len()];
    for (at, place) in places.iter().enumerate() {
        *from.get_mut(*place)? = at;
    }
    let (mut other, mut inputs) = (Descriptor::clone(descriptor), Vec::new());
    let mut given = context.case.inputs.iter();
    for (of, value) in context.operator.fields.iter().zip(&mut other.fields) {
        let mut read = Vec::new();
        match value {
            Value::Tensor(Some(desc)) => {
                let shape = Shape::of(context.catalog(), desc)?;
                let mut joined: Vec<u32> = vec![1; sizes.len()];
                *joined.get_mut(axis)? = u32::try_from(places.len()).ok()?;
                (desc.sizes, desc.strides) = (Some(joined.into()), None);
                if of.kind.role() == Some(Role::Input) {
                    let elements = shape.read(given.next()?);
                    let elements: Option<Vec<u64>> = places.iter().map(|place| elements.get(*place).copied()).collect();
                    read.push(Tensor::new(desc, &shape.ty, &elements?)?);
                }
            }
            Value::Tensors(Some(_)) => return None,
            _ => {}
        }
        inputs.push(read);
    }
    Some(Joined {
        descriptor: other,
        inputs,
        from,
    })
}

/// For each place in the one sequence that of the element; `None` if there are no two sequences.
fn places(sizes: &[usize], axis: usize, reversed: bool) -> Option<Vec<usize>> {
    let length = *sizes.get(axis)?;
    let step: usize = sizes.iter().skip(axis + 1).product();
    let count: usize = sizes.iter().product();
    let sequences = count.checked_div(length).filter(|sequences| *sequences > 1)?;
    let place = |at: usize| {
        let (sequence, along) = (at / length, at % length);
        let sequence = if reversed { sequences - 1 - sequence } else { sequence };
        sequence / step * step * length + along * step + sequence % step
    };
    Some((0..count).map(place).collect())
}

fn tensor(value: &Value) -> Option<&TensorDesc> {
    match value {
        Value::Tensor(tensor) => tensor.as_ref(),
        _ => None,
    }
}

/// The mistakes, by the fields that name a dimension of the outputs.
pub(super) fn mutants(axes: &[(usize, &str)]) -> Vec<Mutant> {
    let both = |(field, name): &(usize, &str)| {
        [("", "first to the last"), ("-reversed", "last to the first")].map(|(word, order)| Mutant {
            kind: Kind::Bounds,
            id: format!("{}@{name}#one-sequence{word}", Kind::Bounds),
            sentence: format!("the sequences along `{name}` are taken for one, from the {order}"),
            place: None,
            change: Change::OneSequence(*field, !word.is_empty()),
        })
    };
    axes.iter().flat_map(both).collect()
}
