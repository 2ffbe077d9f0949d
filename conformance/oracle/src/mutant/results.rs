//! Mistakes in what is written to outputs: elements that are left out, or written to other places.

use std::collections::BTreeMap;

use dml_case::{
    context::Context,
    number::{Number, decode, encode_int},
    poison,
    tensor::Shape,
};
use dml_spec::{
    desc::{TensorDesc, Value},
    model::{Catalog, Operator, Role},
};

use super::{Change, Kind, Mutant, uses};
use crate::{
    accept::Element,
    acceptance::Expectation,
    case::{descs, output_number},
};

/// Numbers of elements beyond which an implementation may compute nothing: a block, a group, a dispatch.
const BLOCKS: [usize; 5] = [64, 256, 1024, 4096, 65535];

/// Numbers of elements that outputs may repeat: the one of them, and blocks.
const REPEATED: [usize; 3] = [1, 64, 256];

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
    /// The first one.
    First,
    /// The last one.
    Last,
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
        let left = match self.which {
            Which::Beyond(block) => block..length,
            Which::Tail(block) => length / block.max(1) * block..length,
            Which::First => 0..length.min(1),
            Which::Last => length.saturating_sub(1)..length,
        };
        if left.is_empty() {
            return Vec::new();
        }
        (0..count).filter(|at| left.contains(&(at / step % length))).collect()
    }
}

/// What an output holds before the operator runs.
pub(super) fn held_before(context: Context<'_>, number: usize, outputs: usize, desc: &TensorDesc) -> Option<Vec<u64>> {
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

/// Results that repeat the first so many, which are computed once.
pub(super) fn repeated(context: Context<'_>, block: usize, right: &Expectation) -> Option<Expectation> {
    rearranged(context, right, &|sizes| {
        Some((0..sizes.iter().product()).map(|at| at % block).collect())
    })
}

/// Whole numbers of the outputs of a field that are larger by so much.
pub(super) fn larger(context: Context<'_>, (field, by): (usize, i8), right: &Expectation) -> Option<Expectation> {
    let mut expected = right.clone();
    let mut changed = false;
    let first = output_number(context.operator, &context.case.descriptor, (field, 0));
    let own = descs(context.case.descriptor.fields.get(field)?).len();
    for number in first..first + own {
        let (elements, accepted) = (right.outputs.get(number)?, right.acceptances.get(number)?);
        let ty = accepted.ty();
        let other = |(at, bits): (usize, &u64)| match (accepted.element(at, *bits), decode(ty, *bits)) {
            (Element::Exact(_), Number::Int(n)) => Some((at, encode_int(ty, n + i128::from(by)))),
            _ => None,
        };
        let instead: BTreeMap<usize, u64> = elements.iter().enumerate().filter_map(other).collect();
        changed |= !instead.is_empty();
        expected.set(number, &instead);
    }
    changed.then_some(expected)
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
pub(super) fn mutants(catalog: &Catalog, operator: &Operator, axes: &[(usize, &str)]) -> Vec<Mutant> {
    let mut all = off_by_one(catalog, operator);
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
    for which in [Which::First, Which::Last] {
        let mut one = left_out(which, (Along::Tensor, None), false);
        one.kind = Kind::Bounds;
        one.id = one.id.replacen(Kind::Size.word(), Kind::Bounds.word(), 1);
        all.push(one);
    }
    for block in BLOCKS {
        for zero in [true, false] {
            all.push(left_out(Which::Beyond(block), (Along::Tensor, None), zero));
        }
    }
    for block in REPEATED {
        all.push(Mutant {
            kind: Kind::Index,
            id: format!("{}@{block}-repeated", Kind::Index),
            sentence: match block {
                1 => "every element of an output is the first one".to_owned(),
                _ => format!("outputs repeat their first {block} elements"),
            },
            place: None,
            change: Change::Repeated(block),
        });
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

/// Whole numbers that are one too large or too small.
fn off_by_one(catalog: &Catalog, operator: &Operator) -> Vec<Mutant> {
    let is_whole = |name: &str| {
        catalog
            .data_type_named(name)
            .is_some_and(|ty| ty.whole_numbers().is_some())
    };
    let mut all = Vec::new();
    for (at, field) in operator.fields.iter().enumerate() {
        let name = &field.name;
        if field.kind.role() != Some(Role::Output) || !uses::allows(operator, name, &is_whole) {
            continue;
        }
        for (word, how, by) in [("more", "large", 1), ("less", "small", -1)] {
            all.push(Mutant {
                kind: Kind::OffByOne,
                id: format!("{}@{name}#{word}", Kind::OffByOne),
                sentence: format!("whole numbers of `{name}` are one too {how}"),
                place: None,
                change: Change::Larger(at, by),
            });
        }
    }
    all
}

fn left_out(which: Which, (along, name): (Along, Option<&str>), zero: bool) -> Mutant {
    let how = if zero { "zero" } else { "not written" };
    let (word, elements) = match which {
        Which::First => ("first".to_owned(), "the first element of every output is".to_owned()),
        Which::Last => ("last".to_owned(), "the last element of every output is".to_owned()),
        Which::Beyond(block) => (
            format!("{block}"),
            format!("elements of the outputs beyond the first {block} are"),
        ),
        Which::Tail(block) => {
            let along = name.map_or_else(String::new, |name| format!(" along {name}"));
            (
                format!(
                    "tail-{block}{}",
                    name.map_or_else(String::new, |name| format!("-{}", name.trim_matches('`')))
                ),
                format!("elements of the outputs{along} after the last whole block of {block} are"),
            )
        }
    };
    let word = word.replace(' ', "-");
    Mutant {
        kind: Kind::Size,
        id: format!("{}@{word}{}", Kind::Size, if zero { "" } else { "-unwritten" }),
        sentence: format!("{elements} {how}"),
        place: None,
        change: Change::LeftOut(LeftOut { which, along, zero }),
    }
}
