//! Worked examples: tensors and attributes with their values checked against types and sizes.

use dml_spec::{
    model::{
        Catalog, DATA_TYPE, DataType, Enum, Example, ExampleTensor, ExampleValue, Field, FieldKind, List, NumberClass,
        Operator, Text, form,
    },
    scalar,
};
use serde::{Deserialize, de::IgnoredAny};

use super::reader::Source;
use crate::tree::{Node, Plain};

/// One example; fields in struct order.
pub(super) fn read(source: &Source<'_>, shared: &Catalog, operator: &Operator, node: &Node) -> Example {
    let names = |optional| {
        let fields = operator.fields.iter().filter(move |field| field.optional == optional);
        fields.map(|field| field.name.as_ref())
    };
    let required: Vec<&str> = names(false).chain(["name"]).collect();
    let optional: Vec<&str> = names(true).chain(["source"]).collect();
    source.fields(node, "an example", &required, &optional);
    let name = node.get("name").map(|n| source.text_of_form(form::Id::NAME, n));
    let citation = node.get("source").map(|n| source.read(n));
    let values = operator.fields.iter().filter_map(|field| {
        let value = match &field.kind {
            FieldKind::Scalar(named) => scalar(source, shared, node.get(named)?, node.get(&field.name)?)?,
            _ => value(source, shared, field, node.get(&field.name)?)?,
        };
        Some((field.name.clone(), value))
    });
    Example {
        name: Text::Owned(name.unwrap_or_default()),
        source: citation,
        values: values.collect(),
    }
}

/// `None` after a diagnostic.
fn value(source: &Source<'_>, shared: &Catalog, field: &Field, node: &Node) -> Option<ExampleValue> {
    let attribute = |text: Option<String>| text.map(|t| ExampleValue::Attribute(Text::Owned(t)));
    match &field.kind {
        FieldKind::Tensor(_) => Some(ExampleValue::Tensor(tensor(source, shared, node))),
        FieldKind::Tensors(..) => {
            let tensors = source.list(node).iter().map(|n| tensor(source, shared, n));
            Some(ExampleValue::Tensors(tensors.collect()))
        }
        FieldKind::UInt => attribute(integer(source, node, 0, u32::MAX.into())),
        FieldKind::Int => attribute(integer(source, node, i32::MIN.into(), i32::MAX.into())),
        FieldKind::Float => attribute(float(source, node)),
        FieldKind::Bool => attribute(Some(u8::from(source.boolean(node)).to_string())),
        FieldKind::Enum(name) if name == DATA_TYPE => {
            attribute(Some(source.text_of_form(form::DataTypeName::NAME, node)))
        }
        FieldKind::Enum(name) => attribute(constant(source, shared.enumeration(name)?, node)),
        FieldKind::UInts(_) => attribute(several(source, node, |n| integer(source, n, 0, u32::MAX.into()))),
        FieldKind::Ints(_) => attribute(several(source, node, |n| {
            integer(source, n, i32::MIN.into(), i32::MAX.into())
        })),
        FieldKind::Floats(_) | FieldKind::ScaleBias => attribute(several(source, node, |n| float(source, n))),
        FieldKind::Size2D => attribute(several(source, node, |n| integer(source, n, 0, u32::MAX.into()))),
        FieldKind::Scalar(_) | FieldKind::Operator | FieldKind::Operators(_) => {
            let message = format!(
                "examples cannot hold a value of `{}` yet, its kind has no form here",
                field.name
            );
            source.report("spec::unsupported-example", &node.span, message);
            None
        }
    }
}

/// A scalar union: a number of the data type that another field names.
fn scalar(source: &Source<'_>, shared: &Catalog, named: &Node, node: &Node) -> Option<ExampleValue> {
    // A mistake in the type is reported where the type stands.
    let data_type = shared.data_type_named(named.text()?)?;
    let text = element(source, node, data_type)?;
    if scalar::of_number(data_type, &text).is_none() {
        let message = format!("`{text}` is no number of {}", data_type.name);
        source.report("spec::bad-number", &node.span, message);
        return None;
    }
    Some(ExampleValue::Attribute(Text::Owned(text)))
}

/// A tensor of an example as the YAML has it.
#[derive(Default, Deserialize)]
#[serde(rename = "a tensor of an example", deny_unknown_fields)]
struct TensorEntry {
    sizes: List<u32>,
    #[serde(rename = "type", deserialize_with = "form::text::<form::DataTypeName, _>")]
    data_type: Text,
    #[serde(rename = "data")]
    _data: IgnoredAny,
}

fn tensor(source: &Source<'_>, shared: &Catalog, node: &Node) -> ExampleTensor {
    let TensorEntry { sizes, data_type, .. } = source.read(node);
    let items = node.get("data").map(|n| source.list(n)).unwrap_or_default();
    let number = |n: &Node| match shared.data_type_named(&data_type) {
        Some(data_type) => element(source, n, data_type).unwrap_or_default(),
        None => n.text().unwrap_or_default().to_owned(),
    };
    let data = items.iter().map(number).collect::<Vec<_>>().join(" ");
    let expected = sizes
        .iter()
        .try_fold(1_u64, |product, size| product.checked_mul(u64::from(*size)));
    let given = node
        .get("data")
        .filter(|n| n.items().is_some() && node.get("sizes").is_some());
    if let Some(at) = given.filter(|_| expected != Some(items.len() as u64)) {
        let expected = expected.map_or("too many".to_owned(), |n| n.to_string());
        let message = format!("found {} elements, the sizes make {expected}", items.len());
        source.report("spec::example-shape", &at.span, message);
    }
    ExampleTensor {
        sizes,
        data_type,
        data: Text::Owned(data),
    }
}

/// An element of a tensor, in the range of its type.
fn element(source: &Source<'_>, node: &Node, data_type: &DataType) -> Option<String> {
    match (data_type.class, data_type.whole_numbers()) {
        (NumberClass::Float, _) => float(source, node),
        (_, Some((low, high))) => integer(source, node, low, high),
        _ => {
            let message = format!("{} has no values", data_type.name);
            source.report("spec::bad-number", &node.span, message);
            None
        }
    }
}

fn integer(source: &Source<'_>, node: &Node, low: i128, high: i128) -> Option<String> {
    let found = node.text().filter(|text| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        plain && text.parse().is_ok_and(|n: i128| (low..=high).contains(&n))
    });
    if found.is_none() {
        let message = format!(
            "found {}, expected a whole number from {low} to {high}",
            node.describe()
        );
        source.report("spec::bad-number", &node.span, message);
    }
    found.map(str::to_owned)
}

fn float(source: &Source<'_>, node: &Node) -> Option<String> {
    let found = node.text().filter(|text| {
        let special = matches!(*text, ".nan" | ".inf" | "-.inf");
        let decimal = text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'));
        special || (decimal && !text.starts_with('+') && text.parse::<f64>().is_ok_and(f64::is_finite))
    });
    if found.is_none() {
        let message = format!(
            "found {}, expected a decimal number, .inf, -.inf or .nan",
            node.describe()
        );
        source.report("spec::bad-number", &node.span, message);
    }
    // Spelled as Rust and Python read it: `nan`, `inf`, `-inf`.
    found.map(|text| text.replace(".inf", "inf").replace(".nan", "nan"))
}

/// A constant of an enumeration by its C name, or a number that is none of its values.
fn constant(source: &Source<'_>, list: &Enum, node: &Node) -> Option<String> {
    if node.plain() == Plain::Number {
        return integer(source, node, 0, u32::MAX.into());
    }
    let text = source.string(node);
    if !text.is_empty() && !list.members.iter().any(|m| m.name == text) {
        let message = format!("`{text}` is no constant of {}", list.name);
        let known = list.members.iter().map(|m| m.name.as_ref());
        source.unknown("spec::unknown-constant", &node.span, message, &text, known);
    }
    Some(text.into_owned())
}

/// Elements of an array attribute, separated by single spaces.
fn several(source: &Source<'_>, node: &Node, read: impl Fn(&Node) -> Option<String>) -> Option<String> {
    let items: Vec<String> = source.list(node).iter().filter_map(read).collect();
    Some(items.join(" "))
}
