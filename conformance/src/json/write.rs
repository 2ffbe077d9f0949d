//! Descriptors to JSON.

use dml_spec::{
    Catalog, Descriptor, TensorDesc, Value,
    desc::TENSOR_TYPE_BUFFER,
    model::{DataType, FieldKind, NumberClass, Operator},
};
use serde_json::{Map, Value as Json, json};

use super::{DATA_TYPES, SAFE};
use crate::number::{Number, decode};

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
/// Where the descriptor cannot be carried (null sizes, a tensor type other than `BUFFER`).
pub fn write(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    let desc = write_desc(catalog, descriptor)?;
    Ok(json!({"operator": descriptor.operator, "desc": desc}))
}

/// The fields of a descriptor: what stands behind `"desc"`.
///
/// # Errors
/// Like [`write()`].
pub fn write_desc(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    fields(catalog, descriptor, false)
}

/// Like [`write_desc()`], but with null sizes and any tensor type: [`read_desc`](super::read_desc) takes them, other
/// readers need not.
///
/// # Errors
/// Where the operator is unknown.
pub fn write_desc_exact(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    fields(catalog, descriptor, true)
}

fn fields(catalog: &Catalog, descriptor: &Descriptor, exact: bool) -> Result<Json, NotExpressible> {
    let Some(operator) = catalog.operator(&descriptor.operator) else {
        return Err(NotExpressible {
            field: descriptor.operator.to_string(),
            why: "the operator is unknown",
        });
    };
    let mut object = Map::new();
    for (field, value) in operator.fields.iter().zip(&descriptor.fields) {
        let context = Context {
            catalog,
            operator,
            descriptor,
            field: &field.name,
            exact,
        };
        object.insert(field.name.to_string(), context.value(&field.kind, value)?);
    }
    Ok(Json::Object(object))
}

struct Context<'a> {
    catalog: &'a Catalog,
    operator: &'a Operator,
    descriptor: &'a Descriptor,
    field: &'a str,
    exact: bool,
}

impl Context<'_> {
    fn value(&self, kind: &FieldKind, value: &Value) -> Result<Json, NotExpressible> {
        let list = |items: Option<Vec<Json>>| items.map_or(Json::Null, Json::Array);
        Ok(match value {
            Value::Tensor(None) | Value::ScaleBias(None) | Value::Operator(None) => Json::Null,
            Value::Tensor(Some(tensor)) => self.tensor(tensor)?,
            Value::Tensors(tensors) => list(self.each(tensors.as_deref(), |t| self.tensor(t))?),
            Value::UInt(n) => match kind {
                FieldKind::Enum(name) => constant(self.catalog, name, *n),
                FieldKind::Bool if *n <= 1 => Json::Bool(*n == 1),
                _ => json!(n),
            },
            Value::Int(n) => json!(n),
            Value::Float(x) => float(*x),
            Value::UInts(items) => json!(items.as_deref()),
            Value::Ints(items) => json!(items.as_deref()),
            Value::Floats(items) => list(items.as_ref().map(|i| i.iter().map(|x| float(*x)).collect())),
            Value::ScaleBias(Some((scale, bias))) => json!({"Scale": float(*scale), "Bias": float(*bias)}),
            Value::Size2D(width, height) => json!({"Width": width, "Height": height}),
            Value::Scalar(bytes) => self.scalar(kind, *bytes),
            Value::Operator(Some(inner)) => self.nested(inner)?,
            Value::Operators(inner) => list(self.each(inner.as_deref(), |d| self.nested(d))?),
        })
    }

    fn each<T>(
        &self,
        items: Option<&[T]>,
        write: impl Fn(&T) -> Result<Json, NotExpressible>,
    ) -> Result<Option<Vec<Json>>, NotExpressible> {
        items.map(|items| items.iter().map(write).collect()).transpose()
    }

    fn nested(&self, inner: &Descriptor) -> Result<Json, NotExpressible> {
        Ok(json!({"Type": inner.operator, "Desc": fields(self.catalog, inner, self.exact)?}))
    }

    fn tensor(&self, tensor: &TensorDesc) -> Result<Json, NotExpressible> {
        let why = match tensor {
            _ if self.exact => None,
            TensorDesc { tensor_type, .. } if *tensor_type != TENSOR_TYPE_BUFFER => Some("its type is not BUFFER"),
            TensorDesc { sizes: None, .. } => Some("its sizes are null"),
            _ => None,
        };
        if let Some(why) = why {
            let field = self.field.to_owned();
            return Err(NotExpressible { field, why });
        }
        let mut object = json!({
            "DataType": constant(self.catalog, DATA_TYPES, tensor.data_type),
            "Sizes": tensor.sizes.as_deref(),
            "Strides": tensor.strides.as_deref(),
            "TotalTensorSizeInBytes": whole(tensor.total_tensor_size_in_bytes),
            "GuaranteedBaseOffsetAlignment": tensor.guaranteed_base_offset_alignment,
            "Flags": tensor.flags,
        });
        if tensor.tensor_type != TENSOR_TYPE_BUFFER {
            object["Type"] = json!(tensor.tensor_type);
        }
        Ok(object)
    }

    fn scalar(&self, kind: &FieldKind, bytes: [u8; 8]) -> Json {
        let bits = u64::from_le_bytes(bytes);
        let ty = self.scalar_type(kind).and_then(|value| self.catalog.data_type(value));
        let exact = ty.filter(|ty| bits & !crate::number::mask(ty.bits) == 0 && ty.class != NumberClass::Unknown);
        exact.map_or_else(|| json!(format!("0x{bits:016x}")), |ty| write_element(ty, bits))
    }

    fn scalar_type(&self, kind: &FieldKind) -> Option<u32> {
        let FieldKind::Scalar(by) = kind else { return None };
        match self.descriptor.fields.get(self.operator.field_index(by)?)? {
            Value::UInt(value) => Some(*value),
            _ => None,
        }
    }
}

/// An element of a tensor: a number, or its bits in hex where JSON has no such number.
pub fn write_element(ty: &DataType, bits: u64) -> Json {
    match decode(ty, bits) {
        Number::Int(n) if n.unsigned_abs() <= u128::from(SAFE) => json!(i64::try_from(n).unwrap_or(0)),
        Number::Int(n) => json!(n.to_string()),
        Number::Float(x) if x.is_finite() => json!(x),
        Number::Float(_) => json!(format!("0x{bits:0width$x}", width = ty.bits as usize / 4)),
    }
}

fn constant(catalog: &Catalog, name: &str, value: u32) -> Json {
    if name == DATA_TYPES {
        return catalog.data_type(value).map_or(json!(value), |t| json!(t.name));
    }
    let member = catalog
        .enumeration(name)
        .and_then(|e| e.members.iter().find(|m| m.value == value));
    member.map_or(json!(value), |m| json!(m.name))
}

fn whole(n: u64) -> Json {
    if n <= SAFE { json!(n) } else { json!(n.to_string()) }
}

fn float(x: f32) -> Json {
    if x.is_finite() {
        json!(x)
    } else {
        json!(format!("0x{:08x}", x.to_bits()))
    }
}
