//! Any descriptor of any operator, at every level: the interpreter of the rules and the generated validator find the
//! same, and neither allocates by what sizes say.

#![no_main]

use std::{collections::BTreeSet, ops::ControlFlow, sync::OnceLock};

use arbitrary::{Result, Unstructured};
use dml_fuzz::{suite, within};
use dml_ops::OPERATORS;
use dml_spec::{
    Descriptor, Dims, FeatureLevel, TensorDesc, Value,
    desc::element_bits,
    model::{FieldKind, Operator, Tier},
};
use libfuzzer_sys::fuzz_target;

/// What an evaluation may hold: its violations, never what sizes say.
const LIMIT: u64 = 1 << 20;

/// Planned descriptors that are kept of an operator.
const PLANNED: usize = 40;

type Found = BTreeSet<(String, Option<String>, bool, bool)>;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Unstructured::new(bytes);
    let (Ok(at), Ok(level)) = (
        input.choose_index(suite().catalog.operators.len()),
        any_level(&mut input),
    ) else {
        return;
    };
    let operator = &suite().catalog.operators[at];
    let Ok(descriptor) = descriptor(&mut input, at, operator) else {
        return;
    };
    let levels = suite().catalog.levels.iter().map(|known| known.level);
    for level in levels.chain([level]) {
        let interpreted = within(LIMIT, || interpreted(at, operator, &descriptor, level));
        let generated = within(LIMIT, || generated(operator, &descriptor, level));
        assert_eq!(interpreted, generated, "{level}: {descriptor:?}");
    }
});

fn interpreted(at: usize, operator: &Operator, descriptor: &Descriptor, level: FeatureLevel) -> Found {
    let catalog = &suite().catalog;
    let program = suite().program(at).expect("the specification compiles");
    program.group(catalog, descriptor, level);
    let found = program.evaluate(catalog, operator, descriptor, level).into_iter();
    found
        .map(|v| {
            (
                v.clause.to_string(),
                v.tensor.map(|tensor| tensor.to_string()),
                v.text,
                v.runtime,
            )
        })
        .collect()
}

fn generated(operator: &Operator, descriptor: &Descriptor, level: FeatureLevel) -> Found {
    let entry = OPERATORS.iter().find(|entry| entry.name == operator.name);
    let validate = entry.expect("every operator has a validator").validate;
    let found = validate(descriptor, level).expect("the descriptor has the operator's fields");
    let tensor = |name: &str, element: Option<u32>| match element {
        Some(element) => format!("{name}[{element}]"),
        None => name.to_owned(),
    };
    let message = |v: &dml_ops::Violation| {
        let tensor = v.tensor.map(|name| tensor(name, v.element));
        (v.clause.to_owned(), tensor, v.text, v.runtime)
    };
    found.iter().map(message).collect()
}

/// Some descriptors of the plan, operator by operator: what is almost valid leads to more rules than what is not.
fn planned(at: usize) -> &'static [Descriptor] {
    static PLAN: OnceLock<Vec<Vec<Descriptor>>> = OnceLock::new();
    let of = |at: usize| {
        let mut kept = Vec::new();
        for bucket in dml_plan::buckets(suite()).iter().filter(|bucket| bucket.operator == at) {
            let mut left = 2;
            let _ = dml_plan::for_each_case(suite(), bucket, Tier::Smoke, 0, &mut |case| {
                kept.push(Descriptor::clone(&case.descriptor));
                left -= 1;
                match left {
                    0 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
        }
        let step = kept.len().div_ceil(PLANNED).max(1);
        kept.into_iter().step_by(step).collect()
    };
    &PLAN.get_or_init(|| (0..suite().catalog.operators.len()).map(of).collect())[at]
}

fn descriptor(input: &mut Unstructured<'_>, at: usize, operator: &Operator) -> Result<Descriptor> {
    let planned = planned(at);
    let mut descriptor = match input.ratio(1, 4)? || planned.is_empty() {
        true => Descriptor::zeroed(operator),
        false => input.choose(planned)?.clone(),
    };
    let all = input.ratio(1, 4)?;
    for (field, value) in operator.fields.iter().zip(&mut descriptor.fields) {
        if all || input.ratio(1, 3)? {
            alter(input, &field.kind, value, 0)?;
        }
    }
    Ok(descriptor)
}

/// Changes a part of a tensor, or makes another value of the kind.
fn alter(input: &mut Unstructured<'_>, kind: &FieldKind, value: &mut Value, depth: u32) -> Result<()> {
    match value {
        Value::Tensor(Some(tensor)) if input.ratio(3, 4)? => alter_tensor(input, tensor)?,
        Value::Tensors(Some(tensors)) if !tensors.is_empty() && input.ratio(3, 4)? => {
            let at = input.choose_index(tensors.len())?;
            alter_tensor(input, &mut tensors[at])?;
        }
        _ => *value = any_value(input, kind, depth)?,
    }
    Ok(())
}

fn alter_tensor(input: &mut Unstructured<'_>, tensor: &mut TensorDesc) -> Result<()> {
    match input.int_in_range(0..=6)? {
        0 => tensor.tensor_type = number(input)?,
        1 => tensor.data_type = number(input)?,
        2 => tensor.flags = number(input)?,
        3 => tensor.sizes = list(input, number)?.map(Dims::from_vec),
        4 => tensor.strides = list(input, number)?.map(Dims::from_vec),
        5 => tensor.total_tensor_size_in_bytes = input.arbitrary()?,
        _ => tensor.guaranteed_base_offset_alignment = number(input)?,
    }
    if let Some(sizes) = &mut tensor.sizes
        && !sizes.is_empty()
        && input.ratio(1, 2)?
    {
        let at = input.choose_index(sizes.len())?;
        sizes[at] = number(input)?;
    }
    if input.ratio(1, 2)? {
        let bits = element_bits(&suite().catalog, tensor.data_type).unwrap_or(32);
        tensor.total_tensor_size_in_bytes = tensor.minimum_total_size(bits).unwrap_or(u64::MAX);
    }
    Ok(())
}

fn any_tensor(input: &mut Unstructured<'_>) -> Result<TensorDesc> {
    let mut tensor = TensorDesc {
        tensor_type: 1,
        data_type: number(input)?,
        flags: 0,
        sizes: list(input, number)?.map(Dims::from_vec),
        strides: None,
        total_tensor_size_in_bytes: 0,
        guaranteed_base_offset_alignment: 0,
    };
    for _ in 0..input.int_in_range(0..=2)? {
        alter_tensor(input, &mut tensor)?;
    }
    Ok(tensor)
}

fn any_value(input: &mut Unstructured<'_>, kind: &FieldKind, depth: u32) -> Result<Value> {
    Ok(match kind {
        FieldKind::Tensor(_) => Value::Tensor(match input.ratio(1, 4)? {
            true => None,
            false => Some(any_tensor(input)?),
        }),
        FieldKind::Tensors(..) => Value::Tensors(list(input, any_tensor)?),
        FieldKind::UInt | FieldKind::Bool | FieldKind::Enum(_) => Value::UInt(number(input)?),
        FieldKind::Int => Value::Int(number(input)?.cast_signed()),
        FieldKind::Float => Value::Float(input.arbitrary()?),
        FieldKind::UInts(_) => Value::UInts(list(input, number)?.map(Dims::from_vec)),
        FieldKind::Ints(_) => Value::Ints(list(input, |input| Ok(number(input)?.cast_signed()))?.map(Into::into)),
        FieldKind::Floats(_) => Value::Floats(list(input, |input| input.arbitrary())?.map(Into::into)),
        FieldKind::ScaleBias => Value::ScaleBias(input.arbitrary()?),
        FieldKind::Size2D => Value::Size2D(number(input)?, number(input)?),
        FieldKind::Scalar(_) => Value::Scalar(input.arbitrary()?),
        FieldKind::Operator => Value::Operator(match depth > 2 || input.ratio(1, 4)? {
            true => None,
            false => Some(Box::new(any_operator(input, depth)?)),
        }),
        FieldKind::Operators(_) => Value::Operators(match depth > 2 {
            true => None,
            false => list(input, |input| any_operator(input, depth))?,
        }),
    })
}

/// A nested operator.
fn any_operator(input: &mut Unstructured<'_>, depth: u32) -> Result<Descriptor> {
    let operators = &suite().catalog.operators;
    let operator = &operators[input.choose_index(operators.len())?];
    let mut descriptor = Descriptor::zeroed(operator);
    for (field, value) in operator.fields.iter().zip(&mut descriptor.fields) {
        if input.ratio(1, 3)? {
            alter(input, &field.kind, value, depth + 1)?;
        }
    }
    Ok(descriptor)
}

/// At most ten of something; `None` is a null pointer.
fn list<T>(
    input: &mut Unstructured<'_>,
    mut item: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Option<Vec<T>>> {
    match input.int_in_range(0..=11)? {
        11 => Ok(None),
        length => (0..length).map(|_| item(input)).collect::<Result<_>>().map(Some),
    }
}

/// Mostly numbers that mean something, and those at the ends.
fn number(input: &mut Unstructured<'_>) -> Result<u32> {
    const ENDS: [u32; 8] = [
        0,
        1,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fffe,
        0xffff_ffff,
        0x1_0000,
        0x4000_0000,
    ];
    Ok(match input.int_in_range(0..=7)? {
        0 => input.arbitrary()?,
        1 => *input.choose(&ENDS)?,
        _ => input.int_in_range(0..=16)?,
    })
}

fn any_level(input: &mut Unstructured<'_>) -> Result<FeatureLevel> {
    Ok(FeatureLevel::new(
        input.int_in_range(0..=7)?,
        input.int_in_range(0..=5)?,
    ))
}
