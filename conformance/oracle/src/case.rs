//! The inputs of a case as the meaning reads them.

use dml_case::{context::Context, tensor::Shape};
use dml_spec::{
    desc::{TensorDesc, Value},
    model::Role,
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
