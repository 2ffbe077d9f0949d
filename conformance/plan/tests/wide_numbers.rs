//! Whole numbers that a narrower type does not hold: without any in its data, an operator that takes a way through
//! FLOAT32 passes.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_case::{
    case::{Case, Mode},
    number::{Number, decode},
    tensor::named_tensors,
};
use dml_plan::planner::Planner;
use dml_spec::{
    desc::Value,
    model::{DataType, FieldKind, NumberClass, Operator, Role, Tier},
    scalar,
};

/// What has to have such a number: an input or a scalar, and its data type.
type Place = (String, String);

/// Whether the numbers of a type are whole and more than FLOAT32 holds.
fn is_wide(ty: &DataType) -> bool {
    matches!(ty.class, NumberClass::Signed | NumberClass::Unsigned) && ty.bits >= 32
}

fn is_lost(ty: &DataType, bits: u64) -> bool {
    match decode(ty, bits) {
        Number::Int(whole) => whole as f32 as i128 != whole,
        Number::Float(_) => false,
    }
}

#[test]
fn every_operator_is_given_whole_numbers_that_float32_does_not_hold() {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
    let mut lacking = Vec::new();
    let computed = suite.catalog.operators.iter().enumerate();
    for (place, operator) in computed.filter(|(_, operator)| operator.is_computed()) {
        let mut wanted = wanted(&suite, operator);
        for bucket in dml_plan::buckets_of(&suite, place, Tier::Standard) {
            let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Standard, 0, &mut |case| {
                if case.mode == Mode::Execute && !case.verdict.is_rejection() {
                    strike(&suite, operator, &case, &mut wanted);
                }
                if wanted.is_empty() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        }
        let name = |(field, ty): &Place| format!("{} {field} {ty}", operator.name);
        lacking.extend(wanted.iter().map(name));
    }
    assert!(lacking.is_empty(), "without such numbers:\n{}", lacking.join("\n"));
}

/// Inputs and scalars by the types that the tables allow; indices stay within a tensor's sizes.
fn wanted(suite: &Planner, operator: &Operator) -> BTreeSet<Place> {
    let mut wanted = BTreeSet::new();
    let is_index = |field: &str| operator.cases.bounds.iter().any(|(bounded, _)| *bounded == field);
    let wide = |name: &str| suite.catalog.data_type_named(name).is_some_and(is_wide);
    for field in operator.fields.iter() {
        // A scalar has the type of a tensor, which of them its field says.
        let is_scalar = matches!(field.kind, FieldKind::Scalar(_));
        let is_data = field.kind.role() == Some(Role::Input) && !is_index(&field.name);
        for row in operator.support.iter().flat_map(|table| table.rows.iter()) {
            let is_of = is_data && row.tensor == field.name || is_scalar;
            let types = row.types.iter().filter(|ty| is_of && wide(ty));
            wanted.extend(types.map(|ty| (field.name.to_string(), ty.to_string())));
        }
    }
    wanted
}

/// Removes the places that a case has such a number in.
fn strike(suite: &Planner, operator: &Operator, case: &Case, wanted: &mut BTreeSet<Place>) {
    let tensors = named_tensors(operator, &case.descriptor, Role::Input);
    for ((name, tensor), bytes) in tensors.into_iter().zip(&case.inputs) {
        let ty = suite.catalog.data_type(tensor.data_type).unwrap();
        let field = name.split('[').next().unwrap_or_default();
        let place = (field.to_owned(), ty.name.to_string());
        // Between the elements of other layouts lies what is no element.
        if tensor.strides.is_some() || !wanted.contains(&place) {
            continue;
        }
        let width = ty.bits as usize / 8;
        let mut elements = bytes
            .chunks_exact(width)
            .take(tensor.sizes().iter().product::<u32>() as usize);
        if elements.any(|element| is_lost(ty, read(element))) {
            wanted.remove(&place);
        }
    }
    for (field, value) in operator.fields.iter().zip(&case.descriptor.fields) {
        if let (FieldKind::Scalar(named), Value::Scalar(bytes)) = (&field.kind, value)
            && let Some(ty) = scalar::data_type(&suite.catalog, operator, &case.descriptor, named)
            && is_lost(ty, u64::from_le_bytes(*bytes) & u64::MAX >> (64 - ty.bits))
        {
            wanted.remove(&(field.name.to_string(), ty.name.to_string()));
        }
    }
}

fn read(element: &[u8]) -> u64 {
    element.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}
