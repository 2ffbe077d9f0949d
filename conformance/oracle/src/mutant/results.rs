//! Mistakes in what is written to outputs: elements that are left out, or written to other places.

use std::collections::BTreeMap;

use dml_case::{context::Context, poison, tensor::Shape};
use dml_spec::{
    desc::{TensorDesc, Value},
    model::Role,
};

use super::{Change, Kind, Mutant};
use crate::acceptance::Expectation;

/// Numbers of elements beyond which an implementation may compute nothing: a block, a group, a dispatch.
const BLOCKS: [usize; 5] = [64, 256, 1024, 4096, 65535];

/// Elements of outputs that are not computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftOut {
    pub(super) which: Which,
    pub(super) along: Along,
    /// They are zero; else they keep what the buffer held before.
    pub(super) zero: bool,
}

/// Which elements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    /// Those beyond the first so many.
    Beyond(usize),
    /// Those after the last whole block of so many.
    Tail(usize),
}

/// How elements are counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Along {
    /// All of a tensor, in row-major order.
    Tensor,
    /// Those along the last dimension.
    Last,
    /// Those along the dimension that a field names.
    Axis(usize),
}

impl LeftOut {
    /// Whether every element is left out.
    pub(super) fn is_all(&self) -> bool {
        matches!(self.which, Which::Beyond(0))
    }

    /// What an implementation gives that leaves them out; `None` if there are none.
    pub(super) fn apply(&self, context: Context<'_>, right: &Expectation) -> Option<Expectation> {
        let outputs = context.named_tensors(Role::Output);
        let mut expected = right.clone();
        let mut changed = false;
        for (number, (_, desc)) in outputs.iter().enumerate() {
            let count = right.outputs.get(number)?.len();
            let left = self.places(context, desc, count);
            if left.is_empty() {
                continue;
            }
            let before = if self.zero {
                None
            } else {
                Some(held_before(context, number, outputs.len(), desc)?)
            };
            let bits = |at: &usize| match &before {
                Some(before) => before.get(*at).copied().unwrap_or_default(),
                None => 0,
            };
            let instead: BTreeMap<usize, u64> = left.iter().map(|at| (*at, bits(at))).collect();
            expected.set(number, &instead);
            changed = true;
        }
        changed.then_some(expected)
    }

    fn places(&self, context: Context<'_>, desc: &TensorDesc, count: usize) -> Vec<usize> {
        let sizes: Vec<usize> = desc.sizes().iter().map(|size| *size as usize).collect();
        let dimension = match self.along {
            Along::Tensor => None,
            Along::Last => sizes.len().checked_sub(1),
            Along::Axis(field) => axis(context, field).filter(|axis| *axis < sizes.len()),
        };
        let (length, step) = match (self.along, dimension) {
            (Along::Tensor, _) => (count, 1),
            (_, None) => return Vec::new(),
            (_, Some(at)) => (
                sizes.get(at).copied().unwrap_or(1),
                sizes.iter().skip(at + 1).product::<usize>().max(1),
            ),
        };
        let kept = match self.which {
            Which::Beyond(block) => block,
            Which::Tail(block) => length / block.max(1) * block,
        };
        if kept >= length {
            return Vec::new();
        }
        (0..count).filter(|at| at / step % length >= kept).collect()
    }
}

/// What an output holds before the operator runs.
fn held_before(context: Context<'_>, number: usize, outputs: usize, desc: &TensorDesc) -> Option<Vec<u64>> {
    let shape = Shape::of(context.catalog(), desc)?;
    let initial = poison::initial(context.case, outputs);
    let initial = initial.get(number)?;
    let count = usize::try_from(shape.total_bytes).ok()?;
    let bytes: Vec<u8> = (0..count).map(|at| initial.byte(at).unwrap_or_default()).collect();
    Some(shape.read(&bytes))
}

/// The dimension that a field names.
pub(super) fn axis(context: Context<'_>, field: usize) -> Option<usize> {
    match context.case.descriptor.fields.get(field)? {
        Value::UInt(axis) => usize::try_from(*axis).ok(),
        _ => None,
    }
}

/// Results that are written in a row as if the dimension that a field names were the last one; `None` if it is.
pub(super) fn in_a_row(context: Context<'_>, field: usize, right: &Expectation) -> Option<Expectation> {
    rearranged(context, right, &|sizes| {
        let axis = axis(context, field).filter(|axis| *axis + 1 < sizes.len())?;
        let step: usize = sizes.iter().skip(axis + 1).product();
        let length = sizes.get(axis).copied()?;
        let count = step * length;
        // The place of a number of the row: sequence by sequence, each from its start to its end.
        let from = |at: usize| {
            let (sequence, along) = (at / length, at % length);
            sequence / step * count + along * step + sequence % step
        };
        Some((0..sizes.iter().product()).map(from).collect())
    })
}

/// Results whose order is turned round along the dimension that a field names.
pub(super) fn backwards(context: Context<'_>, field: usize, right: &Expectation) -> Option<Expectation> {
    let axis = axis(context, field)?;
    rearranged(context, right, &|sizes| {
        let along: Vec<bool> = (0..sizes.len()).map(|dimension| dimension == axis).collect();
        along.contains(&true).then(|| mirrored(sizes, &along))
    })
}

/// Results whose order is turned round along some dimensions.
pub(super) fn turned(context: Context<'_>, along: &[bool], right: &Expectation) -> Option<Expectation> {
    rearranged(context, right, &|sizes| {
        (sizes.len() == along.len()).then(|| mirrored(sizes, along))
    })
}

/// For each place the one that lies opposite along some dimensions.
fn mirrored(sizes: &[usize], along: &[bool]) -> Vec<usize> {
    let from = |at: usize| {
        let (mut rest, mut place, mut step) = (at, 0, 1);
        for (size, turned) in sizes.iter().zip(along).rev() {
            let coordinate = rest % size;
            place += step * if *turned { size - 1 - coordinate } else { coordinate };
            rest /= size;
            step *= size;
        }
        place
    };
    (0..sizes.iter().product()).map(from).collect()
}

/// Gives for the sizes of an output which element stands at each place; `None` if each stands where it is.
type Places<'a> = dyn Fn(&[usize]) -> Option<Vec<usize>> + 'a;

fn rearranged(context: Context<'_>, right: &Expectation, places: &Places<'_>) -> Option<Expectation> {
    let mut expected = right.clone();
    let mut changed = false;
    for (number, (_, desc)) in context.named_tensors(Role::Output).iter().enumerate() {
        let sizes: Vec<usize> = desc.sizes().iter().map(|size| *size as usize).collect();
        if sizes.contains(&0) {
            return None;
        }
        if let Some(from) = places(&sizes) {
            changed |= from.iter().enumerate().any(|(at, from)| at != *from);
            expected.rearrange(number, &from);
        }
    }
    changed.then_some(expected)
}

/// Mistakes in what is written, by the fields that name a dimension of the outputs.
pub(super) fn mutants(axes: &[(usize, &str)]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for zero in [true, false] {
        let mut all_of_it = left_out(Which::Beyond(0), (Along::Tensor, None), zero);
        if zero {
            "the outputs are zero".clone_into(&mut all_of_it.sentence);
        } else {
            all_of_it.kind = Kind::Unwritten;
            all_of_it.id = format!("{}@all", Kind::Unwritten);
            "the outputs are not written".clone_into(&mut all_of_it.sentence);
        }
        all.push(all_of_it);
    }
    for block in BLOCKS {
        for zero in [true, false] {
            all.push(left_out(Which::Beyond(block), (Along::Tensor, None), zero));
        }
    }
    for block in [2, 4, 8, 16, 32, 64, 128, 256] {
        all.push(left_out(Which::Tail(block), (Along::Tensor, None), false));
        all.push(left_out(
            Which::Tail(block),
            (Along::Last, Some("the last dimension")),
            false,
        ));
        for (field, name) in axes {
            all.push(left_out(
                Which::Tail(block),
                (Along::Axis(*field), Some(&format!("`{name}`"))),
                false,
            ));
        }
    }
    for (field, name) in axes {
        all.push(Mutant {
            kind: Kind::AxisConfused,
            id: format!("{}@{name}#row", Kind::AxisConfused),
            sentence: format!("outputs are written in a row, as if `{name}` were the last dimension"),
            place: None,
            change: Change::InARow(*field),
        });
        all.push(Mutant {
            kind: Kind::Index,
            id: format!("{}@{name}#backwards", Kind::Index),
            sentence: format!("outputs are written from the last element to the first along `{name}`"),
            place: None,
            change: Change::Backwards(*field),
        });
    }
    all
}

fn left_out(which: Which, (along, name): (Along, Option<&str>), zero: bool) -> Mutant {
    let how = if zero { "zero" } else { "not written" };
    let (word, elements) = match which {
        Which::Beyond(block) => (
            format!("{block}"),
            format!("elements of the outputs beyond the first {block}"),
        ),
        Which::Tail(block) => {
            let along = name.map_or_else(String::new, |name| format!(" along {name}"));
            (
                format!(
                    "tail-{block}{}",
                    name.map_or_else(String::new, |name| format!("-{}", name.trim_matches('`')))
                ),
                format!("elements of the outputs{along} after the last whole block of {block}"),
            )
        }
    };
    let word = word.replace(' ', "-");
    Mutant {
        kind: Kind::Size,
        id: format!("{}@{word}{}", Kind::Size, if zero { "" } else { "-unwritten" }),
        sentence: format!("{elements} are {how}"),
        place: None,
        change: Change::LeftOut(LeftOut { which, along, zero }),
    }
}
