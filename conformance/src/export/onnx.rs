//! A model with one node for ONNX Runtime and others: the inputs stand in it, the expected outputs beside the outputs.

use dml_spec::model::DataType;
use prost::Message;

use super::{Parts, is_plain, packed};
use crate::{oracle, tensor::Shape};

/// Version of the file format: graphs whose inputs have values of their own.
const IR: i64 = 8;

/// A whole number with its name.
pub type Attribute = (&'static str, i64);

pub(super) fn onnx(parts: &Parts<'_>) -> Result<Vec<u8>, String> {
    parts.require_outputs()?;
    if let Some(input) = (0..parts.outputs.len()).find_map(|output| parts.place_of(output)) {
        return Err(format!(
            "ONNX cannot say that an output lies in the memory of {}",
            input.name
        ));
    }
    let name = &parts.operator.name;
    let call = oracle::Call::new(
        &parts.suite.catalog,
        parts.operator,
        &parts.case.descriptor,
        &parts.case.inputs,
    );
    let form = oracle::oracle(name)
        .zip(call.as_ref())
        .and_then(|(oracle, call)| oracle.onnx(call));
    let form = form.ok_or_else(|| format!("ONNX has no operator like {name}"))?;
    let mut graph = Graph {
        name: "case".to_owned(),
        ..Graph::default()
    };
    let mut node = Node {
        op_type: form.op_type.to_owned(),
        attributes: form.attributes.iter().map(attribute).collect(),
        ..Node::default()
    };
    for input in &parts.inputs {
        let (shape, elements) = input.elements().ok_or("an input has no elements")?;
        if input.tensor.strides.is_some() || !(is_plain(input.tensor, shape) || is_padded(shape)) {
            return Err(format!("ONNX has no strides, and {} has some", input.name));
        }
        graph.inputs.push(value(&input.name, shape, data_type(&shape.ty)?));
        graph.initializers.push(tensor(&input.name, shape, &elements)?);
        node.inputs.push(input.name.clone());
    }
    for (name, list) in &form.lists {
        graph.initializers.push(Tensor {
            dims: vec![list.len() as i64],
            data_type: INT64,
            name: (*name).to_owned(),
            raw_data: list.iter().flat_map(|n| n.to_le_bytes()).collect(),
        });
        node.inputs.push((*name).to_owned());
    }
    let mut casts = Vec::new();
    for (output, given) in parts.outputs.iter().zip(&form.gives) {
        let (Some(shape), Some(elements)) = (&output.shape, &output.expected) else {
            return Err(format!("{} has no elements", output.name));
        };
        if output.tensor.strides.is_some() {
            return Err(format!("ONNX has no strides, and {} has some", output.name));
        }
        let to = data_type(&shape.ty)?;
        match given {
            Some(given) if *given != shape.ty.name => {
                let raw = format!("{}.as.{given}", output.name);
                node.outputs.push(raw.clone());
                casts.push(unary(
                    "Cast",
                    &raw,
                    &output.name,
                    vec![attribute(&("to", i64::from(to)))],
                ));
            }
            _ => node.outputs.push(output.name.clone()),
        }
        graph.outputs.push(value(&output.name, shape, to));
        let (stored, told) = (format!("{}.stored", output.name), format!("expected.{}", output.name));
        graph.initializers.push(tensor(&stored, shape, elements)?);
        casts.push(unary("Identity", &stored, &told, Vec::new()));
        graph.outputs.push(value(&told, shape, to));
    }
    graph.nodes.push(node);
    graph.nodes.append(&mut casts);
    let model = Model {
        ir_version: IR,
        producer: "dml-cts".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc: parts.id.clone(),
        graph: Some(graph),
        opsets: vec![Opset {
            domain: String::new(),
            version: form.opset,
        }],
    };
    Ok(model.encode_to_vec())
}

/// Whether only the bytes that fill the last four are no elements.
fn is_padded(shape: &Shape) -> bool {
    let bytes = shape.elements() * shape.width() as u64;
    bytes.next_multiple_of(4) == shape.total_bytes
}

const INT64: i32 = 7;

/// ONNX's number of a data type.
fn data_type(ty: &DataType) -> Result<i32, String> {
    Ok(match ty.name.as_ref() {
        "FLOAT32" => 1,
        "UINT8" => 2,
        "INT8" => 3,
        "UINT16" => 4,
        "INT16" => 5,
        "INT32" => 6,
        "INT64" => INT64,
        "FLOAT16" => 10,
        "FLOAT64" => 11,
        "UINT32" => 12,
        "UINT64" => 13,
        other => return Err(format!("ONNX has no data type like {other}")),
    })
}

fn attribute((name, value): &Attribute) -> NodeAttribute {
    const INT: i32 = 2;
    NodeAttribute {
        name: (*name).to_owned(),
        i: *value,
        kind: INT,
    }
}

fn unary(op_type: &str, from: &str, to: &str, attributes: Vec<NodeAttribute>) -> Node {
    Node {
        inputs: vec![from.to_owned()],
        outputs: vec![to.to_owned()],
        op_type: op_type.to_owned(),
        attributes,
    }
}

fn tensor(name: &str, shape: &Shape, elements: &[u64]) -> Result<Tensor, String> {
    Ok(Tensor {
        dims: shape.sizes.iter().map(|n| i64::from(*n)).collect(),
        data_type: data_type(&shape.ty)?,
        name: name.to_owned(),
        raw_data: packed(shape, elements),
    })
}

fn value(name: &str, shape: &Shape, elem_type: i32) -> ValueInfo {
    let dims = shape.sizes.iter().map(|n| Dimension {
        value: Some(i64::from(*n)),
    });
    ValueInfo {
        name: name.to_owned(),
        kind: Some(ValueType {
            tensor: Some(TensorType {
                elem_type,
                shape: Some(TensorShape { dims: dims.collect() }),
            }),
        }),
    }
}

// The part of onnx.proto3 that is needed, by its field numbers.

#[derive(Clone, PartialEq, Message)]
struct Model {
    #[prost(int64, tag = "1")]
    ir_version: i64,
    #[prost(string, tag = "2")]
    producer: String,
    #[prost(string, tag = "3")]
    producer_version: String,
    #[prost(string, tag = "6")]
    doc: String,
    #[prost(message, optional, tag = "7")]
    graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    opsets: Vec<Opset>,
}

#[derive(Clone, PartialEq, Message)]
struct Opset {
    #[prost(string, tag = "1")]
    domain: String,
    #[prost(int64, tag = "2")]
    version: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Graph {
    #[prost(message, repeated, tag = "1")]
    nodes: Vec<Node>,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, repeated, tag = "5")]
    initializers: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    inputs: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    outputs: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(string, repeated, tag = "1")]
    inputs: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    outputs: Vec<String>,
    #[prost(string, tag = "4")]
    op_type: String,
    #[prost(message, repeated, tag = "5")]
    attributes: Vec<NodeAttribute>,
}

#[derive(Clone, PartialEq, Message)]
struct NodeAttribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(int64, tag = "3")]
    i: i64,
    #[prost(int32, tag = "20")]
    kind: i32,
}

#[derive(Clone, PartialEq, Message)]
struct Tensor {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "vec", tag = "9")]
    raw_data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueInfo {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    kind: Option<ValueType>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueType {
    #[prost(message, optional, tag = "1")]
    tensor: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
struct TensorType {
    #[prost(int32, tag = "1")]
    elem_type: i32,
    #[prost(message, optional, tag = "2")]
    shape: Option<TensorShape>,
}

#[derive(Clone, PartialEq, Message)]
struct TensorShape {
    #[prost(message, repeated, tag = "1")]
    dims: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
struct Dimension {
    #[prost(int64, optional, tag = "1")]
    value: Option<i64>,
}
