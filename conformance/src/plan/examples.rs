//! The page's worked examples as cases.

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Example, ExampleValue, FieldKind, NumberClass, Role},
};

use super::{
    BuildError,
    build::Builder,
    eval::DataFacts,
    path::{self, Path},
    recipe::EXAMPLE_KEY,
    verdict,
};
use crate::{
    case::{Case, Mode},
    id::CaseId,
    number::{encode_float, encode_int},
    tensor::Shape,
};

/// Id of an example at a table level.
pub fn id(builder: &Builder<'_>, level: FeatureLevel, family: &str, example: &Example) -> CaseId {
    CaseId::new(&builder.operator.name, level, family, [(EXAMPLE_KEY, &example.name)])
}

/// Data type of an example: that of its first tensor.
pub fn data_type(example: &Example) -> Option<&str> {
    example.values.iter().find_map(|(_, value)| match value {
        ExampleValue::Tensor { data_type, .. } => Some(data_type.as_ref()),
        ExampleValue::Attribute(_) => None,
    })
}

/// The case of an example.
pub fn case(builder: &Builder<'_>, id: &CaseId, name: &str) -> Result<Case, BuildError> {
    let fail = |why: String| BuildError(format!("{id}: {why}"));
    if let Some((key, _)) = id.params().find(|(key, _)| *key != EXAMPLE_KEY) {
        return Err(fail(format!("an example takes no key `{key}`")));
    }
    let example = builder.operator.examples.iter().find(|e| e.name == name);
    let example = example.ok_or_else(|| fail(format!("there is no example `{name}`")))?;
    let catalog = &builder.suite.catalog;
    let mut descriptor = builder.blank();
    let (mut inputs, mut given, mut facts) = (Vec::new(), Vec::new(), DataFacts::default());
    for (field_name, value) in example.values.iter() {
        let field = builder
            .operator
            .field_index(field_name)
            .ok_or_else(|| fail(format!("no field {field_name}")))?;
        match value {
            ExampleValue::Attribute(text) => {
                let text = text.to_string();
                path::set(
                    catalog,
                    builder.operator,
                    &mut descriptor,
                    &Path::Attribute(field),
                    &text,
                )
                .map_err(fail)?;
            }
            ExampleValue::Tensor { sizes, data_type, data } => {
                let ty = catalog
                    .data_type_named(data_type)
                    .ok_or_else(|| fail(format!("no type {data_type}")))?;
                let tensor = TensorDesc::packed(ty.value, ty.bits, sizes);
                let shape = Shape::of(catalog, &tensor).ok_or_else(|| fail(format!("{field_name} has no elements")))?;
                place(&mut descriptor, field, tensor, &builder.operator.fields[field].kind);
                let elements = elements(&shape, data).ok_or_else(|| fail(format!("{field_name} holds no numbers")))?;
                if builder.operator.fields[field].kind.role() == Some(Role::Input) {
                    let mut bytes = vec![0; shape.total_bytes as usize];
                    shape.write(&mut bytes, elements.iter().copied());
                    facts.note(field, inputs_of(&descriptor, field), &shape, &elements);
                    inputs.push(bytes);
                } else {
                    given.push(elements);
                }
            }
        }
    }
    let violations = builder
        .program
        .evaluate(catalog, builder.operator, &descriptor, id.level());
    let verdict = verdict::of_violations(&violations);
    let mode = if verdict.is_rejection() {
        Mode::Create
    } else {
        Mode::Execute
    };
    if mode == Mode::Create {
        inputs.clear();
    }
    Ok(builder.assemble(id.clone(), mode, descriptor, inputs, Some(given), verdict, &facts))
}

fn place(descriptor: &mut Descriptor, field: usize, tensor: TensorDesc, kind: &FieldKind) {
    match (kind, &mut descriptor.fields[field]) {
        (FieldKind::Tensors(..), Value::Tensors(Some(tensors))) => tensors.push(tensor),
        (FieldKind::Tensors(..), value) => *value = Value::Tensors(Some(vec![tensor])),
        (_, value) => *value = Value::Tensor(Some(tensor)),
    }
}

/// Index of the tensor just placed, within its field.
fn inputs_of(descriptor: &Descriptor, field: usize) -> usize {
    match &descriptor.fields[field] {
        Value::Tensors(Some(tensors)) => tensors.len().saturating_sub(1),
        _ => 0,
    }
}

fn elements(shape: &Shape, data: &str) -> Option<Vec<u64>> {
    let one = |word: &str| {
        if shape.ty.class == NumberClass::Float {
            word.parse().ok().map(|value| encode_float(&shape.ty, value))
        } else {
            word.parse().ok().map(|value| encode_int(&shape.ty, value))
        }
    };
    data.split_whitespace().map(one).collect()
}
