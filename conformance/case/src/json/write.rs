//! Descriptors to JSON: written directly as bytes, because a run writes one for every case.

use dml_spec::{
    Catalog, Descriptor, TensorDesc, Value,
    desc::TENSOR_TYPE_BUFFER,
    model::{DataType, FieldKind, NumberClass, Operator},
};
use serde_json::{Value as Json, json};

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
/// If the descriptor cannot be carried (null sizes, a tensor type other than `BUFFER`).
pub fn write(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    let desc = tree(catalog, descriptor, false)?;
    Ok(json!({"operator": descriptor.operator, "desc": desc}))
}

/// The fields of a descriptor, as the value of `"desc"`, with null sizes and any tensor type:
/// [`read_desc`](super::read_desc) accepts them, other readers need not.
///
/// # Errors
/// If the operator is unknown.
pub fn write_desc_exact(catalog: &Catalog, descriptor: &Descriptor) -> Result<Json, NotExpressible> {
    tree(catalog, descriptor, true)
}

fn tree(catalog: &Catalog, descriptor: &Descriptor, exact: bool) -> Result<Json, NotExpressible> {
    let mut text = Vec::new();
    write_desc(catalog, descriptor, exact, &mut text)?;
    // What was just written can be read.
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

/// Writes the fields of a descriptor; if not `exact`, without what other readers need not know.
///
/// # Errors
/// If the descriptor cannot be carried; `text` is then incomplete.
pub fn write_desc(
    catalog: &Catalog,
    descriptor: &Descriptor,
    exact: bool,
    text: &mut Vec<u8>,
) -> Result<(), NotExpressible> {
    let Some(operator) = catalog.operator(&descriptor.operator) else {
        return Err(NotExpressible {
            field: descriptor.operator.to_string(),
            why: "the operator is unknown",
        });
    };
    let mut out = Out { catalog, exact, text };
    out.open();
    for (field, value) in operator.fields.iter().zip(&descriptor.fields) {
        out.key(&field.name);
        let place = Place {
            operator,
            descriptor,
            field: &field.name,
            kind: &field.kind,
        };
        out.value(&place, value)?;
    }
    out.close(b"}");
    text.pop();
    Ok(())
}

/// The current path.
struct Place<'a> {
    operator: &'a Operator,
    descriptor: &'a Descriptor,
    field: &'a str,
    kind: &'a FieldKind,
}

struct Out<'a> {
    catalog: &'a Catalog,
    exact: bool,
    text: &'a mut Vec<u8>,
}

type Written = Result<(), NotExpressible>;

impl Out<'_> {
    fn open(&mut self) {
        self.text.push(b'{');
    }

    /// Ends an object or an array; every entry has left a comma.
    fn close(&mut self, end: &[u8]) {
        if self.text.last() == Some(&b',') {
            self.text.pop();
        }
        self.text.extend_from_slice(end);
        self.text.push(b',');
    }

    fn key(&mut self, key: &str) {
        string(key, self.text);
        self.text.push(b':');
    }

    fn raw(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
        self.text.push(b',');
    }

    fn number(&mut self, n: impl itoa::Integer) {
        self.raw(itoa::Buffer::new().format(n));
    }

    fn entry(&mut self, key: &str, n: impl itoa::Integer) {
        self.key(key);
        self.number(n);
    }

    fn json(&mut self, value: &Json) {
        self.raw(&value.to_string());
    }

    fn list<T>(&mut self, items: Option<&[T]>, mut write: impl FnMut(&mut Self, &T) -> Written) -> Written {
        let Some(items) = items else {
            self.raw("null");
            return Ok(());
        };
        self.text.push(b'[');
        items.iter().try_for_each(|item| write(self, item))?;
        self.close(b"]");
        Ok(())
    }

    fn numbers<T: itoa::Integer + Copy>(&mut self, items: Option<&[T]>) -> Written {
        self.list(items, |out, n| {
            out.number(*n);
            Ok(())
        })
    }

    fn float(&mut self, x: f32) {
        match x.is_finite() {
            true => self.json(&json!(x)),
            false => self.json(&json!(format!("0x{:08x}", x.to_bits()))),
        }
    }

    fn value(&mut self, place: &Place<'_>, value: &Value) -> Written {
        match value {
            Value::Tensor(None) | Value::ScaleBias(None) | Value::Operator(None) => self.raw("null"),
            Value::Tensor(Some(tensor)) => self.tensor(place.field, tensor)?,
            Value::Tensors(tensors) => {
                self.list(tensors.as_deref(), |out, tensor| out.tensor(place.field, tensor))?;
            }
            Value::UInt(n) => match place.kind {
                FieldKind::Enum(name) => self.constant(name, *n),
                FieldKind::Bool if *n <= 1 => self.raw(if *n == 1 { "true" } else { "false" }),
                _ => self.number(*n),
            },
            Value::Int(n) => self.number(*n),
            Value::Float(x) => self.float(*x),
            Value::UInts(items) => self.numbers(items.as_deref())?,
            Value::Ints(items) => self.numbers(items.as_deref())?,
            Value::Floats(items) => self.list(items.as_deref(), |out, x| {
                out.float(*x);
                Ok(())
            })?,
            Value::ScaleBias(Some((scale, bias))) => {
                self.open();
                self.key("Scale");
                self.float(*scale);
                self.key("Bias");
                self.float(*bias);
                self.close(b"}");
            }
            Value::Size2D(width, height) => {
                self.open();
                self.entry("Width", *width);
                self.entry("Height", *height);
                self.close(b"}");
            }
            Value::Scalar(bytes) => self.json(&scalar(self.catalog, place, *bytes)),
            Value::Operator(Some(inner)) => self.nested(inner)?,
            Value::Operators(inner) => self.list(inner.as_deref(), |out, inner| out.nested(inner))?,
        }
        Ok(())
    }

    fn nested(&mut self, inner: &Descriptor) -> Written {
        self.open();
        self.key("Type");
        string(&inner.operator, self.text);
        self.text.extend_from_slice(b",\"Desc\":");
        write_desc(self.catalog, inner, self.exact, self.text)?;
        self.text.push(b',');
        self.close(b"}");
        Ok(())
    }

    fn tensor(&mut self, field: &str, tensor: &TensorDesc) -> Written {
        let why = match tensor {
            _ if self.exact => None,
            TensorDesc { tensor_type, .. } if *tensor_type != TENSOR_TYPE_BUFFER => Some("its type is not BUFFER"),
            TensorDesc { sizes: None, .. } => Some("its sizes are null"),
            _ => None,
        };
        if let Some(why) = why {
            let field = field.to_owned();
            return Err(NotExpressible { field, why });
        }
        self.open();
        if tensor.tensor_type != TENSOR_TYPE_BUFFER {
            self.entry("Type", tensor.tensor_type);
        }
        self.key("DataType");
        self.constant(DATA_TYPES, tensor.data_type);
        self.key("Sizes");
        self.numbers(tensor.sizes.as_deref())?;
        self.key("Strides");
        self.numbers(tensor.strides.as_deref())?;
        self.key("TotalTensorSizeInBytes");
        match tensor.total_tensor_size_in_bytes {
            n if n <= SAFE => self.number(n),
            n => self.json(&json!(n.to_string())),
        }
        self.entry("GuaranteedBaseOffsetAlignment", tensor.guaranteed_base_offset_alignment);
        self.entry("Flags", tensor.flags);
        self.close(b"}");
        Ok(())
    }

    fn constant(&mut self, name: &str, value: u32) {
        let found = match name {
            DATA_TYPES => self.catalog.data_type(value).map(|ty| &ty.name),
            _ => self
                .catalog
                .enumeration(name)
                .and_then(|e| e.members.iter().find(|m| m.value == value))
                .map(|member| &member.name),
        };
        match found {
            Some(name) => {
                string(name, self.text);
                self.text.push(b',');
            }
            None => self.number(value),
        }
    }
}

/// Writes a string.
pub fn string(text: &str, out: &mut Vec<u8>) {
    // A vector takes everything.
    let _ = serde_json::to_writer(out, text);
}

fn scalar(catalog: &Catalog, place: &Place<'_>, bytes: [u8; 8]) -> Json {
    let bits = u64::from_le_bytes(bytes);
    let ty = scalar_type(place).and_then(|value| catalog.data_type(value));
    let exact = ty.filter(|ty| bits & !crate::number::mask(ty.bits) == 0 && ty.class != NumberClass::Unknown);
    exact.map_or_else(|| json!(format!("0x{bits:016x}")), |ty| write_element(ty, bits))
}

fn scalar_type(place: &Place<'_>) -> Option<u32> {
    let FieldKind::Scalar(by) = place.kind else { return None };
    match place.descriptor.fields.get(place.operator.field_index(by)?)? {
        Value::UInt(value) => Some(*value),
        _ => None,
    }
}

/// An element of a tensor: a number, or its bits in hex if JSON has no such number.
pub fn write_element(ty: &DataType, bits: u64) -> Json {
    match decode(ty, bits) {
        Number::Int(n) if n.unsigned_abs() <= u128::from(SAFE) => json!(i64::try_from(n).unwrap_or(0)),
        Number::Int(n) => json!(n.to_string()),
        Number::Float(x) if x.is_finite() => json!(x),
        Number::Float(_) => json!(format!("0x{bits:0width$x}", width = ty.bits as usize / 4)),
    }
}
