//! Mistakes in how the buffers of input tensors are accessed.

use dml_case::{context::Context, tensor::Shape};
use dml_spec::{
    desc::{TensorDesc, Value},
    layout::{self, Dims},
    model::{Catalog, FieldKind, Operator, Role},
};

use super::{
    Change, Kind, Mutant, uses,
    values::{self, Read, below_zero},
};
use crate::{acceptance::Expectation, case::descs, load::Tensor, real::WILDCARD};

/// An input tensor that is read by other strides.
#[derive(Clone, Debug)]
pub(super) enum Access {
    /// As if it were packed.
    Packed(usize),
    /// By the strides of another tensor of as many dimensions.
    StridesOf(usize, usize),
    /// As if its strides stood in reverse order.
    Reversed(usize),
    /// Elements that a stride of 0 repeats are read in a row and from the start again, whatever dimension that is.
    InARow(usize),
    /// As if its dimensions lay in memory in the opposite order.
    ByColumns(usize),
    /// In a row, column by column.
    ColumnAfterColumn(usize),
    /// From its second element on.
    Late(usize),
    /// Something else instead of its elements.
    Values(usize, Read),
    /// Whole numbers with a sign are read as if they had none, and the other way round.
    OtherSign(usize),
}

/// Input tensors as a mutant reads them.
pub(super) enum Accessed {
    /// As they are.
    Same,
    /// What lies beyond a buffer may be anything.
    Unknown,
    /// With other elements.
    Other(Vec<Vec<Tensor>>),
}

pub(super) fn mutants(catalog: &Catalog, operator: &Operator, orders_numbers: bool) -> Vec<Mutant> {
    let tensors: Vec<(usize, &str)> = operator
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| matches!(field.kind, FieldKind::Tensor(_)))
        .map(|(at, field)| (at, &*field.name))
        .collect();
    let mut all = Vec::new();
    for (at, field) in operator.fields.iter().enumerate() {
        if field.kind.role() != Some(Role::Input) {
            continue;
        }
        let name = &field.name;
        for (kind, what, sentence, read) in values::mistakes(catalog, operator, name, orders_numbers) {
            all.push(Mutant {
                kind,
                id: format!("{kind}@{name}#{what}"),
                sentence,
                place: None,
                change: Change::Access(Access::Values(at, read)),
            });
        }
        let mut push = |what: &str, sentence: String, access: Access| {
            let kind = match access {
                Access::OtherSign(_) => Kind::Signedness,
                Access::Late(_) => Kind::OffByOne,
                _ => Kind::StridesIgnored,
            };
            all.push(Mutant {
                kind,
                id: format!("{kind}@{name}#{what}"),
                sentence,
                place: None,
                change: Change::Access(access),
            });
        };
        push(
            "packed",
            format!("the strides of `{name}` are ignored"),
            Access::Packed(at),
        );
        push(
            "reversed",
            format!("the strides of `{name}` are read in reverse order"),
            Access::Reversed(at),
        );
        push(
            "row",
            format!("elements of `{name}` that a stride of 0 repeats are read in a row and from the start again"),
            Access::InARow(at),
        );
        push(
            "columns",
            format!("`{name}` is read as if its dimensions lay in memory in the opposite order"),
            Access::ByColumns(at),
        );
        push(
            "column-after-column",
            format!("`{name}` is read in a row, column after column"),
            Access::ColumnAfterColumn(at),
        );
        push(
            "late",
            format!("`{name}` is read from its second element on"),
            Access::Late(at),
        );
        let is_whole = |name: &str| {
            catalog
                .data_type_named(name)
                .is_some_and(|ty| uses::other_sign(catalog, ty).is_some())
        };
        if uses::allows(operator, name, &is_whole) {
            let sentence = format!("whole numbers of `{name}` are read with the other signedness");
            push("other-sign", sentence, Access::OtherSign(at));
        }
        for (other, of) in tensors.iter().filter(|(other, _)| *other != at) {
            let sentence = format!("`{name}` is read by the strides of `{of}`");
            push(of, sentence, Access::StridesOf(at, *other));
        }
    }
    all
}

impl Access {
    /// The input tensors as they are read.
    pub(super) fn apply(&self, context: Context<'_>, inputs: &[Vec<Tensor>]) -> Accessed {
        let mut is_known = true;
        match self.accessed(context, inputs, &mut is_known) {
            _ if !is_known => Accessed::Unknown,
            Some(inputs) => Accessed::Other(inputs),
            None => Accessed::Same,
        }
    }

    /// The input tensors as they are read, `None` if that changes nothing. `is_known` becomes false if a tensor lies beyond
    /// the buffer.
    fn accessed(&self, context: Context<'_>, inputs: &[Vec<Tensor>], is_known: &mut bool) -> Option<Vec<Vec<Tensor>>> {
        let (Self::Packed(field)
        | Self::StridesOf(field, _)
        | Self::Reversed(field)
        | Self::InARow(field)
        | Self::ByColumns(field)
        | Self::ColumnAfterColumn(field)
        | Self::Late(field)
        | Self::Values(field, _)
        | Self::OtherSign(field)) = *self;
        let mut before = 0;
        for (at, value) in context.case.descriptor.fields.iter().enumerate().take(field) {
            if context.operator.fields.get(at)?.kind.role() == Some(Role::Input) {
                before += descs(value).len();
            }
        }
        let own = descs(context.case.descriptor.fields.get(field)?);
        let mut changed = false;
        let mut tensors = Vec::with_capacity(own.len());
        for (number, desc) in own.iter().enumerate() {
            let bytes = context.case.inputs.get(before + number)?;
            if let Self::ByColumns(_) | Self::ColumnAfterColumn(_) | Self::Values(..) = self {
                let shape = Shape::of(context.catalog(), desc)?;
                let elements = shape.read(bytes);
                let others = match self {
                    Self::Values(_, read) => read.of(context.catalog(), &shape.ty, &elements),
                    _ => self.other_elements(&shape, &elements),
                };
                changed |= others != elements;
                tensors.push(Tensor::new(desc, &shape.ty, &others)?);
                continue;
            }
            if let Self::OtherSign(_) = self {
                let shape = Shape::of(context.catalog(), desc)?;
                let other = uses::other_sign(context.catalog(), &shape.ty);
                changed |= other.is_some();
                tensors.push(Tensor::new(desc, other.unwrap_or(&shape.ty), &shape.read(bytes))?);
                continue;
            }
            let strides = self.strides(context, desc)?;
            let in_a_row = matches!(self, Self::InARow(_));
            changed |= !in_a_row && Some(&strides) != written(desc).as_ref();
            let modulo = in_a_row.then(|| stored(context, desc, bytes)).flatten();
            let first = u64::from(matches!(self, Self::Late(_)));
            changed |= modulo.is_some() || first > 0;
            match read(context, desc, &strides, (first, modulo), bytes) {
                Some(tensor) => tensors.push(tensor),
                None => *is_known = false,
            }
        }
        let mut all = inputs.to_vec();
        *all.get_mut(field)? = tensors;
        changed.then_some(all)
    }

    /// What is computed: a number that stood for -0 is -0 again.
    pub(super) fn in_results(&self, context: Context<'_>, expected: &mut Expectation) {
        if !matches!(self, Self::Values(_, Read::BelowZero)) {
            return;
        }
        for (number, (_, desc)) in context.named_tensors(Role::Output).iter().enumerate() {
            let pair = context.catalog().data_type(desc.data_type).and_then(below_zero);
            let (Some((zero, below)), Some(elements)) = (pair, expected.outputs.get(number)) else {
                continue;
            };
            let places = elements.iter().enumerate().filter(|(_, bits)| **bits == below);
            let instead = places.map(|(at, _)| (at, zero)).collect();
            expected.set(number, &instead);
        }
    }

    /// The elements of a tensor in row-major order as they are read.
    fn other_elements(&self, shape: &Shape, elements: &[u64]) -> Vec<u64> {
        let after_each_other = |number: usize| {
            let (mut rest, mut place) = (number, 0);
            let mut step = elements.len();
            for size in &shape.sizes {
                let size = *size as usize;
                step /= size.max(1);
                place += rest % size.max(1) * step;
                rest /= size.max(1);
            }
            elements.get(place).copied().unwrap_or_default()
        };
        if matches!(self, Self::ColumnAfterColumn(_)) {
            return (0..elements.len()).map(after_each_other).collect();
        }
        let by_columns = |number: usize| {
            let (mut place, mut step) = (0, 1);
            for (at, size) in shape.coordinates(number as u64).iter().zip(&shape.sizes) {
                place += step * *at as usize;
                step *= *size as usize;
            }
            elements.get(place).copied().unwrap_or_default()
        };
        (0..elements.len()).map(by_columns).collect()
    }

    fn strides(&self, context: Context<'_>, desc: &TensorDesc) -> Option<Dims> {
        match self {
            Self::Packed(_)
            | Self::InARow(_)
            | Self::ByColumns(_)
            | Self::ColumnAfterColumn(_)
            | Self::Values(..)
            | Self::OtherSign(_) => layout::packed_strides(desc.sizes()),
            Self::Late(_) => written(desc),
            Self::Reversed(_) => Some(written(desc)?.into_iter().rev().collect()),
            Self::StridesOf(_, other) => match context.case.descriptor.fields.get(*other)? {
                Value::Tensor(Some(other)) if other.sizes().len() == desc.sizes().len() => written(other),
                _ => None,
            },
        }
    }
}

/// The strides of a tensor, packed ones if none are given.
pub(super) fn written(desc: &TensorDesc) -> Option<Dims> {
    match &desc.strides {
        Some(strides) => Some(strides.clone()),
        None => layout::packed_strides(desc.sizes()),
    }
}

/// How many elements the buffer of a tensor holds; `None` if no stride of 0 repeats any.
fn stored(context: Context<'_>, desc: &TensorDesc, bytes: &[u8]) -> Option<u64> {
    let strides = desc.strides.as_ref()?;
    let mut pairs = desc.sizes().iter().zip(strides);
    let repeats = pairs.any(|(size, stride)| *size > 1 && *stride == 0);
    let width = u64::from(context.catalog().data_type(desc.data_type)?.bits / 8);
    repeats.then(|| (bytes.len() as u64).checked_div(width)).flatten()
}

/// A tensor read by these strides from this element of the buffer on, places taken modulo a number. Of an element beyond the buffer nothing is known; `None`
/// if there is none within it.
fn read(
    context: Context<'_>,
    desc: &TensorDesc,
    strides: &[u32],
    (first, modulo): (u64, Option<u64>),
    bytes: &[u8],
) -> Option<Tensor> {
    let ty = context.suite.catalog.data_type(desc.data_type)?;
    let width = (ty.bits / 8) as usize;
    let count: usize = desc.sizes().iter().map(|size| *size as usize).product();
    let mut elements = Vec::with_capacity(count);
    let mut beyond = Vec::new();
    for number in 0..count {
        let (mut rest, mut offset) = (number as u64, first);
        for (size, stride) in desc.sizes().iter().zip(strides).rev() {
            offset += rest % u64::from(*size) * u64::from(*stride);
            rest /= u64::from(*size);
        }
        let offset = modulo.map_or(offset, |modulo| offset % modulo.max(1));
        let start = usize::try_from(offset).ok()?.checked_mul(width)?;
        let raw = bytes.get(start..start.checked_add(width)?);
        if raw.is_none() {
            beyond.push(number);
        }
        let raw = raw.unwrap_or_default().iter().rev();
        elements.push(raw.fold(0, |bits, byte| bits << 8 | u64::from(*byte)));
    }
    let tensor = Tensor::new(desc, ty, &elements)?;
    match beyond.len() {
        0 => Some(tensor),
        all if all == count => None,
        _ => Some(tensor.opened(&beyond, WILDCARD)),
    }
}
