//! Descriptors to JSON.

use dml_spec::{
    Catalog, Descriptor, TensorDesc, Value,
    desc::TENSOR_TYPE_BUFFER,
    model::{DataType, FieldKind, NumberClass, Operator},
};
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::{DATA_TYPES, SAFE};
use dml_case::number::{Number, decode, mask};

/// A descriptor that the JSON form cannot carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` is not expressible in JSON: {why}")]
pub struct NotExpressible {
    /// The field.
    pub field: String,
    /// What JSON lacks.
    pub why: &'static str,
}

/// `{"operator": …, "desc": {…}}`.
///
/// # Errors
/// If the descriptor cannot be carried (null sizes, a tensor type other than `BUFFER`).
pub fn write(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    let desc = tree(&Desc::new(catalog, descriptor, false)?);
    Ok(json!({"operator": descriptor.operator, "desc": desc}))
}

/// The fields of a descriptor, as the value of `"desc"`, with null sizes and any tensor type:
/// [`read_desc`](super::read_desc) accepts them, other readers need not.
///
/// # Errors
/// If the operator is unknown.
pub fn write_desc_exact(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    Ok(tree(&Desc::new(catalog, descriptor, true)?))
}

fn tree(desc: &Desc<'_>) -> Json {
    // Every value has a form in JSON, and every key is a string.
    serde_json::to_value(desc).unwrap_or_default()
}

/// Writes the fields of a descriptor; if not `exact`, without what other readers need not know.
///
/// # Errors
/// If the descriptor cannot be carried; nothing is written then.
pub fn write_desc(
    catalog: &Catalog,
    descriptor: &Descriptor,
    exact: bool,
    text: &mut Vec<u8>,
) -> Result<(), NotExpressible> {
    let desc = Desc::new(catalog, descriptor, exact)?;
    // A vector takes everything.
    let _ = serde_json::to_writer(text, &desc);
    Ok(())
}

/// Writes a string.
pub fn string(text: &str, out: &mut Vec<u8>) {
    // A vector takes everything.
    let _ = serde_json::to_writer(out, text);
}

/// The operator of a descriptor.
///
/// # Errors
/// If it is unknown.
pub fn require_operator<'a>(catalog: &'a Catalog, descriptor: &Descriptor) -> Result<&'a Operator, NotExpressible> {
    catalog.operator(&descriptor.operator).ok_or_else(|| NotExpressible {
        field: descriptor.operator.to_string(),
        why: "the operator is unknown",
    })
}

/// A descriptor that JSON can carry.
struct Desc<'a> {
    catalog: &'a Catalog,
    operator: &'a Operator,
    descriptor: &'a Descriptor,
}

impl<'a> Desc<'a> {
    fn new(catalog: &'a Catalog, descriptor: &'a Descriptor, exact: bool) -> Result<Self, NotExpressible> {
        let operator = require_operator(catalog, descriptor)?;
        for (field, value) in operator.fields.iter().zip(&descriptor.fields) {
            for nested in nested(value) {
                Self::new(catalog, nested, exact)?;
            }
            let tensors = match value {
                Value::Tensor(tensor) => tensor.as_slice(),
                Value::Tensors(Some(tensors)) => tensors,
                _ => &[],
            };
            if let Some(why) = tensors.iter().find_map(lack).filter(|_| !exact) {
                let field = field.name.to_string();
                return Err(NotExpressible { field, why });
            }
        }
        Ok(Self {
            catalog,
            operator,
            descriptor,
        })
    }
}

/// What a tensor has that JSON lacks.
fn lack(tensor: &TensorDesc) -> Option<&'static str> {
    match tensor {
        TensorDesc { tensor_type, .. } if *tensor_type != TENSOR_TYPE_BUFFER => Some("its type is not BUFFER"),
        TensorDesc { sizes: None, .. } => Some("its sizes are null"),
        _ => None,
    }
}

fn nested(value: &Value) -> &[Descriptor] {
    match value {
        Value::Operator(Some(nested)) => std::slice::from_ref(nested),
        Value::Operators(Some(nested)) => nested,
        _ => &[],
    }
}

impl Serialize for Desc<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.operator.fields.iter().zip(&self.descriptor.fields);
        serializer.collect_map(fields.map(|(field, value)| {
            let kind = &field.kind;
            (
                &field.name,
                FieldValue {
                    desc: self,
                    kind,
                    value,
                },
            )
        }))
    }
}

/// The value of a field.
struct FieldValue<'a> {
    desc: &'a Desc<'a>,
    kind: &'a FieldKind,
    value: &'a Value,
}

impl<'a> Serialize for FieldValue<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let catalog = self.desc.catalog;
        let operator = |descriptor: &'a Descriptor| Nested {
            r#type: &descriptor.operator,
            desc: Desc::new(catalog, descriptor, true).ok(),
        };
        match self.value {
            Value::Tensor(tensor) => tensor.as_ref().map(|t| Tensor::new(catalog, t)).serialize(serializer),
            Value::Tensors(tensors) => list(serializer, tensors.as_deref(), |t| Tensor::new(catalog, t)),
            Value::UInt(n) => match self.kind {
                FieldKind::Enum(name) => constant(catalog, name, *n).serialize(serializer),
                FieldKind::Bool if *n <= 1 => serializer.serialize_bool(*n == 1),
                _ => serializer.serialize_u32(*n),
            },
            Value::Int(n) => serializer.serialize_i32(*n),
            Value::Float(x) => float(*x).serialize(serializer),
            Value::UInts(items) => items.as_deref().serialize(serializer),
            Value::Ints(items) => items.as_deref().serialize(serializer),
            Value::Floats(items) => list(serializer, items.as_deref(), |x| float(*x)),
            Value::ScaleBias(None) => serializer.serialize_none(),
            Value::ScaleBias(Some((scale, bias))) => {
                serializer.collect_map([("Scale", float(*scale)), ("Bias", float(*bias))])
            }
            Value::Size2D(width, height) => serializer.collect_map([("Width", width), ("Height", height)]),
            Value::Scalar(bytes) => self.scalar(*bytes).serialize(serializer),
            Value::Operator(inner) => inner.as_deref().map(operator).serialize(serializer),
            Value::Operators(inner) => list(serializer, inner.as_deref(), operator),
        }
    }
}

impl FieldValue<'_> {
    fn scalar(&self, bytes: [u8; 8]) -> Json {
        let bits = u64::from_le_bytes(bytes);
        let ty = self.scalar_type().and_then(|value| self.desc.catalog.data_type(value));
        let exact = ty.filter(|ty| bits & !mask(ty.bits) == 0 && ty.class != NumberClass::Unknown);
        exact.map_or_else(|| json!(format!("0x{bits:016x}")), |ty| write_element(ty, bits))
    }

    /// The data type that a scalar is read by.
    fn scalar_type(&self) -> Option<u32> {
        let FieldKind::Scalar(by) = self.kind else { return None };
        match self.desc.descriptor.fields.get(self.desc.operator.field_index(by)?)? {
            Value::UInt(value) => Some(*value),
            _ => None,
        }
    }
}

fn list<'a, S: Serializer, T, U: Serialize>(
    serializer: S,
    items: Option<&'a [T]>,
    form: impl Fn(&'a T) -> U,
) -> Result<S::Ok, S::Error> {
    match items {
        None => serializer.serialize_none(),
        Some(items) => serializer.collect_seq(items.iter().map(form)),
    }
}

/// A number or a word.
#[derive(Serialize)]
#[serde(untagged)]
enum Plain<'a> {
    Whole(u64),
    Float(f64),
    Word(&'a str),
    Text(String),
}

fn float(x: f32) -> Plain<'static> {
    match x.is_finite() {
        true => Plain::Float(x.into()),
        false => Plain::Text(format!("0x{:08x}", x.to_bits())),
    }
}

fn constant<'a>(catalog: &'a Catalog, name: &str, value: u32) -> Plain<'a> {
    let found = match name {
        DATA_TYPES => catalog.data_type(value).map(|ty| &ty.name),
        _ => catalog
            .enumeration(name)
            .and_then(|e| e.members.iter().find(|m| m.value == value))
            .map(|member| &member.name),
    };
    found.map_or(Plain::Whole(value.into()), |name| Plain::Word(name))
}

/// An operator within a descriptor, which was looked at with what lies around it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Nested<'a> {
    r#type: &'a str,
    desc: Option<Desc<'a>>,
}

/// A tensor.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Tensor<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<u32>,
    data_type: Plain<'a>,
    sizes: Option<&'a [u32]>,
    strides: Option<&'a [u32]>,
    total_tensor_size_in_bytes: Plain<'a>,
    guaranteed_base_offset_alignment: u32,
    flags: u32,
}

impl<'a> Tensor<'a> {
    fn new(catalog: &'a Catalog, tensor: &'a TensorDesc) -> Self {
        Self {
            r#type: Some(tensor.tensor_type).filter(|ty| *ty != TENSOR_TYPE_BUFFER),
            data_type: constant(catalog, DATA_TYPES, tensor.data_type),
            sizes: tensor.sizes.as_deref(),
            strides: tensor.strides.as_deref(),
            total_tensor_size_in_bytes: match tensor.total_tensor_size_in_bytes {
                n if n <= SAFE => Plain::Whole(n),
                n => Plain::Text(n.to_string()),
            },
            guaranteed_base_offset_alignment: tensor.guaranteed_base_offset_alignment,
            flags: tensor.flags,
        }
    }
}

/// Elements of a tensor, each as a number, or as its bits in hex if JSON has no such number.
pub fn write_elements(ty: &DataType, elements: &[u64]) -> Json {
    elements.iter().map(|bits| write_element(ty, *bits)).collect()
}

/// Writes one element.
pub(crate) fn write_element(ty: &DataType, bits: u64) -> Json {
    match decode(ty, bits) {
        Number::Int(n) if n.unsigned_abs() <= u128::from(SAFE) => json!(i64::try_from(n).unwrap_or(0)),
        Number::Int(n) => json!(n.to_string()),
        Number::Float(x) if x.is_finite() => json!(x),
        Number::Float(_) => json!(format!("0x{bits:0width$x}", width = ty.bits as usize / 4)),
    }
}
