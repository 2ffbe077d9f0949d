//! The tensors of a case as the meaning reads them.

use dml_case::{context::Context, tensor::Shape};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    model::{Operator, Role},
};

use super::load::Tensor;

/// The tensors of a field's value: one, those of an array, or none.
pub fn descs(value: &Value) -> &[TensorDesc] {
    match value {
        Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
        Value::Tensors(Some(tensors)) => tensors,
        _ => &[],
    }
}

/// The input tensors of a case by field, in struct order; `None` if one does not fit its descriptor.
pub fn case_inputs(context: Context<'_>) -> Option<Vec<Vec<Tensor>>> {
    let Context { suite, operator, case } = context;
    let mut given = case.inputs.iter();
    let mut all = Vec::with_capacity(operator.fields.len());
    for (field, value) in operator.fields.iter().zip(&case.descriptor.fields) {
        let mut tensors = Vec::new();
        if field.kind.role() == Some(Role::Input) {
            for desc in descs(value) {
                let shape = Shape::of(&suite.catalog, desc)?;
                tensors.push(Tensor::new(desc, &shape.ty, &shape.read(given.next()?))?);
            }
        }
        all.push(tensors);
    }
    Some(all)
}

/// The tensors of a case by field, in struct order: its inputs, and outputs with these elements, as many as are present.
/// `None` if one does not fit its descriptor.
pub fn case_tensors(context: Context<'_>, outputs: &[Vec<u64>]) -> Option<Vec<Vec<Tensor>>> {
    let Context { suite, operator, case } = context;
    let mut all = case_inputs(context)?;
    let mut outputs = outputs.iter();
    let fields = operator.fields.iter().zip(&case.descriptor.fields).zip(&mut all);
    for ((_, value), tensors) in fields.filter(|((field, _), _)| field.kind.role() == Some(Role::Output)) {
        for desc in descs(value) {
            let shape = Shape::of(&suite.catalog, desc)?;
            tensors.push(Tensor::new(desc, &shape.ty, outputs.next()?)?);
        }
    }
    Some(all)
}

/// The number of an output among those that are present, by its field and its place in an array of tensors, else 0.
pub fn output_number(operator: &Operator, descriptor: &Descriptor, (field, element): (usize, usize)) -> usize {
    let before = operator.fields.iter().zip(&descriptor.fields).take(field);
    let before = before.filter(|(field, _)| field.kind.role() == Some(Role::Output));
    before.map(|(_, value)| descs(value).len()).sum::<usize>() + element
}
