//! Lists and the fields that hold their lengths. In C the count field alone says how long a list is, so that a valid
//! case has no list of another length.

use dml_spec::{
    Descriptor, Value,
    model::{FieldKind, Operator},
};

/// Whether every list that is given has as many elements as its count field says.
pub fn lists_match_counts(operator: &Operator, descriptor: &Descriptor) -> bool {
    miscounted(operator, descriptor).is_none()
}

/// The first list that has not as many elements as its count field says: its field, its length, the count field and what
/// that says.
pub fn miscounted<'o>(operator: &'o Operator, descriptor: &Descriptor) -> Option<(&'o str, usize, &'o str, u32)> {
    let mut lists = operator.fields.iter().zip(&descriptor.fields);
    lists.find_map(|(field, value)| {
        let (name, length) = (count_field(&field.kind)?, list_length(value)?);
        let count = count_value(operator, descriptor, name)?;
        (count as usize != length).then_some((&*field.name, length, name, count))
    })
}

/// Sets the count of the list in `field` to its length. Changes nothing if the list is null or other lists have the
/// same count field.
pub fn update_count(operator: &Operator, descriptor: &mut Descriptor, field: usize) {
    let name = operator.fields.get(field).and_then(|field| count_field(&field.kind));
    let length = descriptor.fields.get(field).and_then(list_length);
    let (Some(name), Some(length)) = (name, length) else {
        return;
    };
    let lists = operator
        .fields
        .iter()
        .filter(|field| count_field(&field.kind) == Some(name));
    let index = operator.field_index(name).filter(|_| lists.count() == 1);
    if let Some(Value::UInt(count)) = index.and_then(|index| descriptor.fields.get_mut(index)) {
        *count = u32::try_from(length).unwrap_or(u32::MAX);
    }
}

/// The field that counts a list.
pub fn count_field(kind: &FieldKind) -> Option<&str> {
    match kind {
        FieldKind::Tensors(_, count)
        | FieldKind::UInts(count)
        | FieldKind::Ints(count)
        | FieldKind::Floats(count)
        | FieldKind::Operators(count) => Some(count),
        _ => None,
    }
}

fn list_length(value: &Value) -> Option<usize> {
    match value {
        Value::Tensors(list) => list.as_ref().map(Vec::len),
        Value::UInts(list) => list.as_ref().map(|list| list.len()),
        Value::Ints(list) => list.as_ref().map(|list| list.len()),
        Value::Floats(list) => list.as_ref().map(|list| list.len()),
        Value::Operators(list) => list.as_ref().map(Vec::len),
        _ => None,
    }
}

fn count_value(operator: &Operator, descriptor: &Descriptor, name: &str) -> Option<u32> {
    match descriptor.fields.get(operator.field_index(name)?)? {
        Value::UInt(count) => Some(*count),
        _ => None,
    }
}
