//! The fields, tensors and elements of vectors, as the JSON of descriptors has them.

use dml_case::number::{encode_float, encode_int};
use dml_spec::{
    Catalog,
    model::{DataType, FieldKind, Operator},
};
use serde_json::{Map, Value as Json, json};
use serde_yaml::Value as Yaml;

use crate::json::{self, JsonError, Node, Read, special};

/// The attributes of a descriptor.
pub(super) fn attributes(catalog: &Catalog, operator: &Operator, fields: &Node<'_>) -> Read<Map<String, Json>> {
    let attribute = |name: &str, node: &Node<'_>| {
        let kind = operator.fields.iter().find(|field| field.name == name);
        let value = match kind.map(|field| &field.kind) {
            Some(FieldKind::Operator) => nested(catalog, node)?,
            Some(FieldKind::Operators(_)) if node.value.is_array() => {
                Json::Array(node.items(|node| nested(catalog, node))?)
            }
            Some(kind) => with_bits(catalog, kind, fields, node.value.clone()),
            None => {
                let attributes = operator.fields.iter().filter(|field| field.kind.role().is_none());
                fields.require_keys(&attributes.map(|field| field.name.as_ref()).collect::<Vec<_>>())?;
                node.value.clone()
            }
        };
        Ok((name.to_owned(), value))
    };
    Ok(fields.entries(attribute)?.into_iter().collect())
}

/// An attribute whose `nan`, `inf` and `-inf` are bits, as the JSON of descriptors has them.
fn with_bits(catalog: &Catalog, kind: &FieldKind, fields: &Node<'_>, value: Json) -> Json {
    let bits = |value: Json| match value.as_str().and_then(special) {
        Some(x) => json!(format!("{:#x}", (x as f32).to_bits())),
        None => value,
    };
    match (kind, value) {
        (FieldKind::Floats(_), Json::Array(items)) => items.into_iter().map(bits).collect(),
        (FieldKind::Float, value) => bits(value),
        (FieldKind::Scalar(by), value) => {
            let named = fields.value.get(by.as_ref()).and_then(Json::as_str);
            let short = named.map(|name| name.trim_start_matches("DML_TENSOR_DATA_TYPE_"));
            let ty = short.and_then(|name| catalog.data_type_named(name));
            match (ty, value.as_str().and_then(special)) {
                (Some(ty), Some(x)) => json!(format!("{:#x}", encode_float(ty, x))),
                _ => value,
            }
        }
        (_, value) => value,
    }
}

/// A nested operator: `{operator: ACTIVATION_LINEAR, Alpha: 2}`, whose tensors are null.
fn nested(catalog: &Catalog, node: &Node<'_>) -> Read<Json> {
    let (Some(fields), Some(name)) = (node.value.as_object(), node.get("operator")) else {
        // What it should be is said when it is read.
        return Ok(node.value.clone());
    };
    let operator = json::read_operator(catalog, &name)?;
    let tensors = operator.fields.iter().filter(|field| field.kind.role().is_some());
    let mut desc: Map<String, Json> = tensors.map(|field| (field.name.to_string(), Json::Null)).collect();
    let attributes = fields.iter().filter(|(key, _)| *key != "operator");
    desc.extend(attributes.map(|(key, value)| (key.clone(), value.clone())));
    Ok(json!({"Type": name.value, "Desc": desc}))
}

/// A tensor, or an array of them.
pub(super) fn tensor_desc(node: &Node<'_>) -> Read<Json> {
    if node.value.is_array() {
        return node.items(tensor_desc).map(Json::Array);
    }
    if node.is_null() {
        return Ok(Json::Null);
    }
    node.require_keys(&["type", "sizes", "values", "undefined"])?;
    Ok(json!({"DataType": node.require("type")?.value, "Sizes": node.require("sizes")?.value}))
}

/// An element: a number, a truth value, bits in hex, `nan`, `inf` or `-inf`.
pub(super) fn element_bits(ty: &DataType, node: &Node<'_>) -> Read<u64> {
    match node.value {
        Json::Bool(truth) => Ok(encode_int(ty, (*truth).into())),
        _ => json::read_element(ty, node),
    }
}

/// A YAML text as JSON; numbers that JSON lacks become `nan`, `inf` and `-inf`.
pub(super) fn of_yaml(bytes: &[u8]) -> Read<Json> {
    let wrong = |place, message: String| JsonError {
        path: String::new(),
        place,
        message,
    };
    let value: Yaml = serde_yaml::from_slice(bytes).map_err(|error| {
        let text = dml_case::nearest::harmless(&error.to_string());
        wrong(error.location().map(|at| (at.line(), at.column())), text)
    })?;
    converted(&value).map_err(|why| wrong(None, why.to_owned()))
}

fn converted(value: &Yaml) -> Result<Json, &'static str> {
    Ok(match value {
        Yaml::Null => Json::Null,
        Yaml::Bool(truth) => json!(truth),
        Yaml::String(text) => json!(text),
        Yaml::Number(n) => match (n.as_i64(), n.as_u64(), n.as_f64()) {
            (Some(n), ..) => json!(n),
            (None, Some(n), _) => json!(n),
            (None, None, Some(x)) if x.is_finite() => json!(x),
            (None, None, Some(x)) if x.is_nan() => json!("nan"),
            (None, None, Some(x)) => json!(if x > 0.0 { "inf" } else { "-inf" }),
            (None, None, None) => return Err("a number that is not understood"),
        },
        Yaml::Sequence(items) => items.iter().map(converted).collect::<Result<Json, _>>()?,
        Yaml::Mapping(entries) => {
            let entry = |(key, value): (&Yaml, &Yaml)| match key {
                Yaml::String(key) => Ok((key.clone(), converted(value)?)),
                _ => Err("a key that is not a text"),
            };
            Json::Object(entries.iter().map(entry).collect::<Result<_, _>>()?)
        }
        Yaml::Tagged(_) => return Err("a tag, which vectors do not have"),
    })
}
