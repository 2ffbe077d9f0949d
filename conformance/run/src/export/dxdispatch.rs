//! A model for DxDispatch, Microsoft's tool that runs one operator on a device with DirectML.

use dml_spec::TensorDesc;
use serde_json::{Map, Value as Json, json};

use super::Parts;
use crate::json::{self, pretty};
use crate::saved::is_plain;
use dml_case::{
    number::{Number, decode},
    tensor::Shape,
};

/// Name of the operator within the model.
const CASE: &str = "case";

/// Bytes of the largest buffer that is written out if nothing runs.
const LARGEST: u64 = 1 << 20;

pub(super) fn dxdispatch(parts: &Parts<'_>) -> Result<String, String> {
    let desc = json::write_desc_exact(&parts.suite.catalog, &parts.case.descriptor).map_err(|e| e.to_string())?;
    let (mut resources, mut bindings, mut expected) = (Map::new(), Map::new(), Map::new());
    let mut commands = Vec::new();
    for input in &parts.inputs {
        let buffer = match (parts.runs(), &input.shape) {
            (true, Some(shape)) => filled(shape, input.tensor, input.bytes),
            _ => zeros(input.tensor, None)?,
        };
        resources.insert(input.name.clone(), buffer);
        bindings.insert(input.name.clone(), json!(input.name));
    }
    for (at, output) in parts.outputs.iter().enumerate() {
        let resource = match parts.place_of(at) {
            Some(input) => &input.name,
            None => {
                resources.insert(output.name.clone(), zeros(output.tensor, output.shape.as_ref())?);
                &output.name
            }
        };
        bindings.insert(output.name.clone(), json!(resource));
        commands.push(json!({"type": "print", "resource": resource}));
        if let (Some(shape), Some(elements)) = (&output.shape, &output.expected) {
            expected.insert(output.name.clone(), json::write_elements(&shape.ty, elements));
        }
    }
    let dispatch = json!({"type": "dispatch", "dispatchable": CASE, "bindings": bindings});
    commands.insert(0, dispatch);
    let dispatchable = json!({
        "type": format!("DML_OPERATOR_{}", parts.operator.name),
        "desc": shortened(desc),
    });
    // The tool reads what it knows and nothing else.
    let message = json!({
        "id": parts.id,
        "verdict": parts.case.verdict.word(),
        "clauses": parts.case.verdict.clauses(),
        "outputs": expected,
    });
    Ok(pretty(&[
        ("resources", Json::Object(resources)),
        ("dispatchables", json!({CASE: dispatchable})),
        ("commands", Json::Array(commands)),
        ("dml-cts", message),
    ]))
}

/// Tensors without what is left to the tool: no flags, no alignment, no strides.
fn shortened(mut desc: Json) -> Json {
    for value in desc.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        let tensors = match value {
            Json::Array(items) => items.iter_mut().collect(),
            other => vec![other],
        };
        for tensor in tensors.into_iter().filter_map(Json::as_object_mut) {
            if !tensor.contains_key("TotalTensorSizeInBytes") {
                continue;
            }
            if tensor.get("Flags") == Some(&json!(1)) {
                tensor.insert("Flags".to_owned(), json!("DML_TENSOR_FLAG_OWNED_BY_DML"));
            }
            tensor.retain(|_, value| !value.is_null() && *value != json!(0));
        }
    }
    desc
}

/// A buffer with its content: as numbers if they say every bit, else as bytes.
fn filled(shape: &Shape, tensor: &TensorDesc, bytes: &[u8]) -> Json {
    let elements = shape.read(bytes);
    let number = |bits: &u64| match decode(&shape.ty, *bits) {
        Number::Int(n) => n.unsigned_abs() < 1 << 53,
        Number::Float(x) => x.is_finite(),
    };
    if is_plain(tensor, shape) && elements.iter().all(number) {
        let values = json::write_elements(&shape.ty, &elements);
        return json!({"initialValuesDataType": shape.ty.name, "initialValues": values});
    }
    json!({"initialValuesDataType": "UINT8", "initialValues": bytes})
}

/// A buffer of zeros, of the tensor's type if that fills it.
fn zeros(tensor: &TensorDesc, shape: Option<&Shape>) -> Result<Json, String> {
    let total = tensor.total_tensor_size_in_bytes;
    if shape.is_none() && total > LARGEST {
        return Err(format!("a tensor of {total} bytes is too large for a buffer"));
    }
    let plain = shape.filter(|shape| is_plain(tensor, shape));
    let (name, count) = plain.map_or(("UINT8", total.max(1)), |shape| {
        (shape.ty.name.as_ref(), shape.elements())
    });
    Ok(json!({"initialValuesDataType": name, "initialValues": {"valueCount": count, "value": 0}}))
}
