//! Mistakes in where outputs are written.

use std::collections::{BTreeMap, HashMap};

use dml_case::{context::Context, tensor::Shape};
use dml_spec::{
    desc::{TensorDesc, Value},
    layout::{self, Dims},
    model::{FieldKind, Operator, Role},
};

use super::{Change, Kind, Mutant, access::written, results::held_before};
use crate::{
    acceptance::Expectation,
    case::{descs, output_number},
};

/// An output field whose tensors are written by other strides.
#[derive(Clone, Copy, Debug)]
pub(super) enum Placed {
    /// As if they were packed.
    Packed(usize),
    /// By the strides of another tensor of as many dimensions.
    StridesOf(usize, usize),
}

/// Those of every output of an operator.
pub(super) fn mutants(operator: &Operator) -> Vec<Mutant> {
    let fields = || operator.fields.iter().enumerate();
    let mut all = Vec::new();
    for (at, field) in fields().filter(|(_, field)| field.kind.role() == Some(Role::Output)) {
        let name = &field.name;
        let mut push = |what: &str, sentence: String, placed: Placed| {
            all.push(Mutant {
                kind: Kind::StridesIgnored,
                id: format!("{}@{name}#{what}", Kind::StridesIgnored),
                sentence,
                place: None,
                change: Change::Placed(placed),
            });
        };
        push(
            "packed",
            format!("the strides of `{name}` are ignored"),
            Placed::Packed(at),
        );
        for (other, of) in fields().filter(|(other, of)| *other != at && matches!(of.kind, FieldKind::Tensor(_))) {
            let of = &of.name;
            let sentence = format!("`{name}` is written by the strides of `{of}`");
            push(of, sentence, Placed::StridesOf(at, other));
        }
    }
    all
}

impl Placed {
    /// What stands where the outputs are looked for; `None` if everything stands where it should.
    pub(super) fn apply(self, context: Context<'_>, right: &Expectation) -> Option<Expectation> {
        let (Self::Packed(field) | Self::StridesOf(field, _)) = self;
        let outputs = context.named_tensors(Role::Output);
        let first = output_number(context.operator, &context.case.descriptor, (field, 0));
        let own = descs(context.case.descriptor.fields.get(field)?).len();
        let mut expected = right.clone();
        let mut changed = false;
        for (number, (_, desc)) in outputs.iter().enumerate().skip(first).take(own) {
            let shape = Shape::of(context.catalog(), desc)?;
            let Some(strides) = self.strides(context, desc).filter(|strides| *strides != shape.strides) else {
                continue;
            };
            let held = held_before(context, number, outputs.len(), desc)?;
            let instead = places(&Shape {
                strides,
                ..shape.clone()
            });
            // Where elements share a place, the last one stays.
            let at: HashMap<usize, usize> = instead.into_iter().zip(0..).collect();
            let due = places(&shape);
            let from: Vec<usize> = due
                .iter()
                .enumerate()
                .map(|(own, place)| at.get(place).copied().unwrap_or(own))
                .collect();
            let missing = due.iter().enumerate().filter(|(_, place)| !at.contains_key(place));
            let missing: BTreeMap<usize, u64> = missing
                .map(|(own, _)| (own, held.get(own).copied().unwrap_or_default()))
                .collect();
            changed |= !missing.is_empty() || from.iter().enumerate().any(|(own, from)| own != *from);
            expected.rearrange(number, &from);
            expected.set(number, &missing);
        }
        changed.then_some(expected)
    }

    fn strides(self, context: Context<'_>, desc: &TensorDesc) -> Option<Dims> {
        match self {
            Self::Packed(_) => layout::packed_strides(desc.sizes()),
            Self::StridesOf(_, other) => match context.case.descriptor.fields.get(other)? {
                Value::Tensor(Some(other)) if other.sizes().len() == desc.sizes().len() => written(other),
                _ => None,
            },
        }
    }
}

/// The place of each element in the buffer, in row-major order.
fn places(shape: &Shape) -> Vec<usize> {
    let mut found = Vec::new();
    shape.for_each_offset(|place| found.push(place));
    found
}
