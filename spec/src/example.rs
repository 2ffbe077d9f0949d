//! Worked examples as descriptors.

use crate::{
    desc::{Descriptor, Dims, TensorDesc, Value},
    model::{Catalog, DATA_TYPE, Example, ExampleTensor, ExampleValue, FieldKind, Operator},
    scalar,
};

/// The descriptor of an example; `None` if a value has no form here.
pub fn descriptor(catalog: &Catalog, operator: &Operator, example: &Example) -> Option<Descriptor> {
    let mut descriptor = Descriptor::zeroed(operator);
    for (name, value) in example.values.iter() {
        let index = operator.field_index(name)?;
        let kind = &operator.fields.get(index)?.kind;
        *descriptor.fields.get_mut(index)? = match value {
            ExampleValue::Tensor(tensor) => Value::Tensor(Some(packed(catalog, tensor)?)),
            ExampleValue::Tensors(tensors) => {
                Value::Tensors(Some(tensors.iter().map(|t| packed(catalog, t)).collect::<Option<_>>()?))
            }
            ExampleValue::Attribute(text) => match kind {
                FieldKind::Scalar(named) => {
                    let ty = scalar::data_type(catalog, operator, &descriptor, named)?;
                    Value::Scalar(scalar::of_number(ty, text)?)
                }
                _ => attribute(catalog, kind, text)?,
            },
        };
    }
    Some(descriptor)
}

fn packed(catalog: &Catalog, tensor: &ExampleTensor) -> Option<TensorDesc> {
    let data_type = catalog.data_type_named(&tensor.data_type)?;
    Some(TensorDesc::packed(data_type.value, data_type.bits, &tensor.sizes))
}

fn attribute(catalog: &Catalog, kind: &FieldKind, text: &str) -> Option<Value> {
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    Some(match kind {
        FieldKind::UInt | FieldKind::Bool => Value::UInt(text.parse().ok()?),
        FieldKind::Int => Value::Int(text.parse().ok()?),
        FieldKind::Float => Value::Float(text.parse().ok()?),
        FieldKind::Enum(name) => Value::UInt(constant(catalog, name, text)?),
        FieldKind::UInts(_) => Value::UInts(Some(words.map(|w| w.parse().ok()).collect::<Option<Dims>>()?)),
        FieldKind::Ints(_) => Value::Ints(Some(words.map(|w| w.parse().ok()).collect::<Option<_>>()?)),
        FieldKind::Floats(_) => Value::Floats(Some(words.map(|w| w.parse().ok()).collect::<Option<_>>()?)),
        FieldKind::ScaleBias => Value::ScaleBias(Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))),
        FieldKind::Size2D => Value::Size2D(words.next()?.parse().ok()?, words.next()?.parse().ok()?),
        FieldKind::Tensor(_) | FieldKind::Tensors(..) | FieldKind::Scalar(_) => return None,
        FieldKind::Operator | FieldKind::Operators(_) => return None,
    })
}

fn constant(catalog: &Catalog, name: &str, text: &str) -> Option<u32> {
    let named = || {
        Some(
            catalog
                .enumeration(name)?
                .members
                .iter()
                .find(|m| m.name == text)?
                .value,
        )
    };
    let data_type = || {
        catalog
            .data_type_named(text)
            .map(|t| t.value)
            .filter(|_| name == DATA_TYPE)
    };
    text.parse().ok().or_else(named).or_else(data_type)
}
