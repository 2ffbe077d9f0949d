//! JSON to descriptors.

use std::borrow::Cow;

use dml_spec::{
    Catalog, Descriptor, Dims, FeatureLevel, TensorDesc, Value,
    desc::{TENSOR_TYPE_BUFFER, element_bits},
    model::{DataType, Enum, Field, FieldKind, NumberClass, Operator},
};
use serde_json::Value as Json;

use super::{DATA_TYPES, Node, Read, parse};
use dml_case::{
    nearest::{excerpt, nearest, suggestion},
    number::{self, Number},
    text::counted,
};
use dml_plan::count_fields::{count_field, miscounted};

/// Reads `{"operator": …, "desc": {…}}`.
///
/// # Errors
/// The first mistake, with its place.
pub fn read(catalog: &Catalog, bytes: &[u8]) -> Read<Descriptor> {
    let value = parse(bytes)?;
    let root = Node::root(&value, "(top)");
    root.require_keys(&["operator", "desc"])?;
    let operator = read_operator(catalog, &root.require("operator")?)?;
    read_counted(catalog, operator, &root.require("desc")?)
}

/// A descriptor whose lists have as many elements as its count fields say.
///
/// # Errors
/// The first mistake, with its place.
pub fn read_counted(catalog: &Catalog, operator: &Operator, node: &Node<'_>) -> Read<Descriptor> {
    let descriptor = read_desc(catalog, operator, node)?;
    match miscounted(operator, &descriptor) {
        Some((list, length, name, count)) => Err(node.error(format!(
            "`{list}` has {}, but `{name}` says {count}; in C `{name}` alone says how long the list is: leave it out, or make \
             both agree",
            counted(length, "element")
        ))),
        None => Ok(descriptor),
    }
}

/// What a request or a saved case is about: the values of `"operator"`, `"feature_level"` and `"desc"`.
///
/// # Errors
/// The first mistake, with its place.
pub fn read_subject<'a>(catalog: &'a Catalog, root: &Node<'_>) -> Read<(&'a Operator, FeatureLevel, Descriptor)> {
    let operator = read_operator(catalog, &root.require("operator")?)?;
    let feature_level = root.require("feature_level")?.feature_level()?;
    let descriptor = read_desc(catalog, operator, &root.require("desc")?)?;
    Ok((operator, feature_level, descriptor))
}

/// Reads the name of an operator.
///
/// # Errors
/// If there is none of this name.
pub fn read_operator<'a>(catalog: &'a Catalog, node: &Node<'_>) -> Read<&'a Operator> {
    let name = node.text()?;
    catalog.operator(name).ok_or_else(|| {
        let hint = suggestion(name, catalog.operators.iter().map(|o| o.name.as_ref()));
        node.error(format!("unknown operator `{}`; {hint}", excerpt(name)))
    })
}

/// Reads the fields of an operator's descriptor: the value of `"desc"`.
///
/// # Errors
/// The first mistake, with its place.
pub fn read_desc(catalog: &Catalog, operator: &Operator, node: &Node<'_>) -> Read<Descriptor> {
    let names: Vec<&str> = operator.fields.iter().map(|f| f.name.as_ref()).collect();
    node.require_keys(&names)?;
    let fields = operator.fields.iter().map(|field| match node.get(&field.name) {
        Some(found) => read_value(catalog, operator, field, node, &found),
        None => absent(operator, field, node),
    });
    Ok(Descriptor {
        operator: Cow::Owned(operator.name.to_string()),
        fields: fields.collect::<Read<_>>()?,
    })
}

/// An absent field: null if it is optional, counted if it counts an array.
fn absent(operator: &Operator, field: &Field, desc: &Node<'_>) -> Read<Value> {
    let mut fields = operator.fields.iter();
    if let Some(counted) = fields.find(|f| count_field(&f.kind) == Some(field.name.as_ref())) {
        let items = desc.value.get(counted.name.as_ref()).and_then(Json::as_array);
        let length = items.map_or(0, Vec::len);
        return Ok(Value::UInt(u32::try_from(length).unwrap_or(u32::MAX)));
    }
    let zeroed = Descriptor::zeroed(operator);
    let index = operator.field_index(&field.name).unwrap_or_default();
    match zeroed.fields.into_iter().nth(index) {
        Some(value) if field.optional => Ok(value),
        _ => Err(desc.error(format!("`{}` is missing", field.name))),
    }
}

fn read_value(catalog: &Catalog, operator: &Operator, field: &Field, desc: &Node<'_>, node: &Node<'_>) -> Read<Value> {
    let tensor = |node: &Node<'_>| read_tensor(catalog, node);
    let nested = |node: &Node<'_>| read_nested(catalog, node);
    Ok(match &field.kind {
        FieldKind::Tensor(_) => Value::Tensor(node.nullable(tensor)?),
        FieldKind::Tensors(..) => Value::Tensors(list(node, tensor)?),
        FieldKind::UInt => Value::UInt(node.whole()?),
        FieldKind::Bool => Value::UInt(node.value.as_bool().map_or_else(|| node.whole(), |b| Ok(b.into()))?),
        FieldKind::Enum(name) => Value::UInt(constant(catalog, name, node)?),
        FieldKind::Int => Value::Int(int(node)?),
        FieldKind::Float => Value::Float(float(node)?),
        FieldKind::UInts(_) => Value::UInts(dims(node)?),
        FieldKind::Ints(_) => Value::Ints(list(node, int)?.map(Into::into)),
        FieldKind::Floats(_) => Value::Floats(list(node, float)?.map(Into::into)),
        FieldKind::ScaleBias => Value::ScaleBias(node.nullable(|node| pair(node, ["Scale", "Bias"], float))?),
        FieldKind::Size2D => {
            let (width, height) = pair(node, ["Width", "Height"], |node| node.whole())?;
            Value::Size2D(width, height)
        }
        FieldKind::Scalar(by) => Value::Scalar(scalar(catalog, scalar_type(catalog, operator, by, desc)?, node)?),
        FieldKind::Operator => Value::Operator(node.nullable(nested)?.map(Box::new)),
        FieldKind::Operators(_) => Value::Operators(list(node, nested)?),
    })
}

fn list<T>(node: &Node<'_>, read: impl FnMut(&Node<'_>) -> Read<T>) -> Read<Option<Vec<T>>> {
    node.nullable(|node| node.items(read))
}

fn dims(node: &Node<'_>) -> Read<Option<Dims>> {
    Ok(list(node, |item| item.whole())?.map(Dims::from_vec))
}

/// An object of two entries.
fn pair<T>(node: &Node<'_>, keys: [&str; 2], read: impl Fn(&Node<'_>) -> Read<T>) -> Read<(T, T)> {
    node.require_keys(&keys)?;
    Ok((read(&node.require(keys[0])?)?, read(&node.require(keys[1])?)?))
}

fn int(node: &Node<'_>) -> Read<i32> {
    let found = node.value.as_i64().and_then(|n| i32::try_from(n).ok());
    found.map_or_else(|| node.expected("a whole number of 32 bits"), Ok)
}

fn float(node: &Node<'_>) -> Read<f32> {
    let found = match node.value {
        Json::String(text) => hex(text).and_then(|bits| u32::try_from(bits).ok()).map(f32::from_bits),
        other => other.as_f64().map(|x| x as f32),
    };
    if found.is_some_and(f32::is_infinite) && node.value.is_number() {
        return Err(node.error(format!("{} lies beyond FLOAT32", node.value)));
    }
    found.map_or_else(|| node.expected("a number, or its bits like \"0x7fc00000\""), Ok)
}

fn read_nested(catalog: &Catalog, node: &Node<'_>) -> Read<Descriptor> {
    node.require_keys(&["Type", "Desc"])?;
    let operator = read_operator(catalog, &node.require("Type")?)?;
    read_desc(catalog, operator, &node.require("Desc")?)
}

fn read_tensor(catalog: &Catalog, node: &Node<'_>) -> Read<TensorDesc> {
    node.require_keys(&[
        "Type",
        "DataType",
        "Sizes",
        "Strides",
        "TotalTensorSizeInBytes",
        "GuaranteedBaseOffsetAlignment",
        "Flags",
    ])?;
    let or = |key: &str, default: u32, read: &dyn Fn(&Node<'_>) -> Read<u32>| {
        node.get(key).map_or(Ok(default), |found| read(&found))
    };
    let mut tensor = TensorDesc {
        tensor_type: or("Type", TENSOR_TYPE_BUFFER, &|n| constant(catalog, "DML_TENSOR_TYPE", n))?,
        data_type: constant(catalog, DATA_TYPES, &node.require("DataType")?)?,
        flags: or("Flags", 0, &|n| constant(catalog, "DML_TENSOR_FLAGS", n))?,
        sizes: dims(&node.require("Sizes")?)?,
        strides: node.get("Strides").map_or(Ok(None), |found| dims(&found))?,
        total_tensor_size_in_bytes: 0,
        guaranteed_base_offset_alignment: or("GuaranteedBaseOffsetAlignment", 0, &|n| n.whole())?,
    };
    // Left out, the size is the smallest legal one: convenient for descriptors written by hand.
    tensor.total_tensor_size_in_bytes = match node.get("TotalTensorSizeInBytes") {
        Some(found) => whole_or_text(&found)?,
        None => {
            let bits = element_bits(catalog, tensor.data_type);
            bits.and_then(|bits| tensor.minimum_total_size(bits))
                .unwrap_or_default()
        }
    };
    Ok(tensor)
}

/// A whole number of 64 bits, in digits as a text if JSON may lose some of them.
fn whole_or_text(node: &Node<'_>) -> Read<u64> {
    match node.value {
        Json::String(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        other => other.as_u64(),
    }
    .map_or_else(|| node.expected(&format!("a whole number from 0 to {}", u64::MAX)), Ok)
}

/// A constant of an enumeration, in full or without its prefix, or any integer.
fn constant(catalog: &Catalog, name: &str, node: &Node<'_>) -> Read<u32> {
    let text = match node.value {
        Json::String(text) => text,
        Json::Number(n) if !n.is_f64() => return node.whole(),
        _ => return node.expected(&format!("a constant of {name} or an integer")),
    };
    if let Some(value) = named(catalog, name, text) {
        return Ok(value);
    }
    let known = constants(catalog, name);
    let near = nearest(text, known.iter().map(String::as_str), 1).join("");
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{near}`?")
    };
    Err(node.error(format!("`{}` is no constant of {name}{hint}", excerpt(text))))
}

/// The data type that a scalar union is read by.
fn scalar_type(catalog: &Catalog, operator: &Operator, by: &str, desc: &Node<'_>) -> Read<u32> {
    let kind = operator.fields.iter().find(|f| f.name == by).map(|f| &f.kind);
    match (kind, desc.get(by)) {
        (Some(FieldKind::Enum(name)), Some(found)) => constant(catalog, name, &found),
        _ => Ok(0),
    }
}

fn scalar(catalog: &Catalog, data_type: u32, node: &Node<'_>) -> Read<[u8; 8]> {
    let what = "a number of the scalar's data type, or hex bits like \"0x3f800000\"";
    // The union has bytes beyond those of most types.
    let bits = match (node.value.as_str().and_then(hex), catalog.data_type(data_type)) {
        (Some(bits), _) => bits,
        (None, Some(ty)) => element(ty, node, what)?,
        (None, None) => return node.expected(what),
    };
    Ok(bits.to_le_bytes())
}

/// Reads an element of a tensor: a number, hex bits, or `nan`, `inf` and `-inf` of floats.
///
/// # Errors
/// What was found instead.
pub fn read_element(ty: &DataType, node: &Node<'_>) -> Read<u64> {
    element(ty, node, &format!("a number of type {}, or its bits in hex", ty.name))
}

fn element(ty: &DataType, node: &Node<'_>, what: &str) -> Read<u64> {
    let is_float = ty.class == NumberClass::Float;
    if let Json::String(text) = node.value {
        let word = special(text).filter(|_| is_float);
        let fits = |bits: &u64| bits & !number::mask(ty.bits) == 0;
        if let Some(bits) = word
            .map(|x| number::encode_float(ty, x))
            .or_else(|| hex(text).filter(fits))
        {
            return Ok(bits);
        }
    }
    if is_float {
        let Some(x) = node.value.as_f64() else {
            return node.expected(what);
        };
        let bits = number::encode_float(ty, x);
        return match number::decode(ty, bits) {
            Number::Float(of) if of.is_infinite() && x.is_finite() => {
                let message = format!(
                    "{} lies beyond {}; an infinity is \"inf\" or \"-inf\"",
                    node.value, ty.name
                );
                Err(node.error(message))
            }
            _ => Ok(bits),
        };
    }
    let digits = |text: &str| text.parse::<i128>().ok();
    let Some(n) = node.value.as_str().map_or_else(|| whole(node.value), digits) else {
        return node.expected(what);
    };
    let bits = number::encode_int(ty, n);
    if number::decode(ty, bits) != Number::Int(n) {
        return node.expected(what);
    }
    Ok(bits)
}

/// A number that JSON lacks, by its word.
pub(crate) fn special(word: &str) -> Option<f64> {
    match word {
        "nan" => Some(f64::NAN),
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn whole(value: &Json) -> Option<i128> {
    value
        .as_u64()
        .map(i128::from)
        .or_else(|| value.as_i64().map(i128::from))
}

fn named(catalog: &Catalog, name: &str, text: &str) -> Option<u32> {
    if name == DATA_TYPES {
        let short = text.strip_prefix("DML_TENSOR_DATA_TYPE_").unwrap_or(text);
        return catalog.data_type_named(short).map(|t| t.value);
    }
    let known = catalog.enumeration(name)?;
    let full = format!("{}{text}", known.prefix());
    known
        .members
        .iter()
        .find(|m| m.name == text || m.name == full)
        .map(|m| m.value)
}

fn constants(catalog: &Catalog, name: &str) -> Vec<String> {
    if name == DATA_TYPES {
        return catalog.data_types.iter().map(|t| t.name.to_string()).collect();
    }
    let members = |known: &Enum| known.members.iter().map(|m| m.name.to_string()).collect();
    catalog.enumeration(name).map(members).unwrap_or_default()
}

fn hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}
