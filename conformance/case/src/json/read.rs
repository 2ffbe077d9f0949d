//! JSON to descriptors.

use std::borrow::Cow;

use dml_spec::{
    Catalog, Descriptor, Dims, TensorDesc, Value,
    desc::{TENSOR_TYPE_BUFFER, element_bits},
    model::{DataType, Enum, Field, FieldKind, NumberClass, Operator},
};

use super::{DATA_TYPES, JsonError, Tree};
use crate::{
    nearest::{excerpt, nearest, suggestion},
    number::{self, Number},
};

/// Reads `{"operator": …, "desc": {…}}`.
///
/// # Errors
/// The first mistake, with its place.
pub fn read(catalog: &Catalog, bytes: &[u8]) -> Result<Descriptor, JsonError> {
    let tree = Tree::parse(bytes)?;
    let place = Place {
        catalog,
        path: String::new(),
    };
    let entries = place.object(&tree, &["operator", "desc"])?;
    let operator = place.at("operator").operator(required(&place, entries, "operator")?)?;
    place
        .at("desc")
        .descriptor(operator, required(&place, entries, "desc")?)
}

/// Reads the fields of an operator's descriptor: the value of `"desc"`.
///
/// # Errors
/// The first mistake, with its place.
pub fn read_desc(catalog: &Catalog, operator: &Operator, tree: &Tree) -> Result<Descriptor, JsonError> {
    Place {
        catalog,
        path: "desc".to_owned(),
    }
    .descriptor(operator, tree)
}

/// The current path in the JSON.
struct Place<'a> {
    catalog: &'a Catalog,
    path: String,
}

type Read<T> = Result<T, JsonError>;
type Entries = [(String, Tree)];

fn find<'t>(entries: &'t Entries, key: &str) -> Option<&'t Tree> {
    entries.iter().find(|(k, _)| k == key).map(|(_, v)| v)
}

fn required<'t>(place: &Place<'_>, entries: &'t Entries, key: &str) -> Read<&'t Tree> {
    find(entries, key).ok_or_else(|| place.error(format!("`{key}` is missing")))
}

impl<'a> Place<'a> {
    fn at(&self, key: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            catalog: self.catalog,
            path: format!("{}{dot}{key}", self.path),
        }
    }

    fn item(&self, index: usize) -> Self {
        Self {
            catalog: self.catalog,
            path: format!("{}[{index}]", self.path),
        }
    }

    fn error(&self, message: String) -> JsonError {
        let path = if self.path.is_empty() {
            "(top)".to_owned()
        } else {
            self.path.clone()
        };
        JsonError { path, message }
    }

    fn expected<T>(&self, what: &str, found: &Tree) -> Read<T> {
        Err(self.error(format!("expected {what}, found {}", found.kind())))
    }

    /// The entries of an object that has only these keys.
    fn object<'t>(&self, tree: &'t Tree, keys: &[&str]) -> Read<&'t Entries> {
        let Tree::Object(entries) = tree else {
            return self.expected("an object", tree);
        };
        match entries.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            None => Ok(entries),
            Some((key, _)) => {
                let hint = match nearest(key, keys.iter().copied(), 1).first() {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known are {}", keys.join(", ")),
                };
                Err(self.error(format!("unknown field `{}`; {hint}", excerpt(key))))
            }
        }
    }

    fn array<'t>(&self, tree: &'t Tree) -> Read<&'t [Tree]> {
        match tree {
            Tree::Array(items) => Ok(items),
            other => self.expected("an array or null", other),
        }
    }

    fn operator(&self, tree: &Tree) -> Read<&'a Operator> {
        let Tree::Text(name) = tree else {
            return self.expected("an operator's name", tree);
        };
        self.catalog.operator(name).ok_or_else(|| {
            let names = self.catalog.operators.iter().map(|o| o.name.as_ref());
            self.error(format!(
                "unknown operator `{}`; {}",
                excerpt(name),
                suggestion(name, names)
            ))
        })
    }

    fn descriptor(&self, operator: &Operator, tree: &Tree) -> Read<Descriptor> {
        let names: Vec<&str> = operator.fields.iter().map(|f| f.name.as_ref()).collect();
        let entries = self.object(tree, &names)?;
        let mut fields = Vec::with_capacity(operator.fields.len());
        for field in operator.fields.iter() {
            let value = match find(entries, &field.name) {
                Some(tree) => self.at(&field.name).value(operator, field, entries, tree)?,
                None => self.missing(operator, field, entries)?,
            };
            fields.push(value);
        }
        Ok(Descriptor {
            operator: Cow::Owned(operator.name.to_string()),
            fields,
        })
    }

    /// An absent field: null if it is optional, counted if it counts an array.
    fn missing(&self, operator: &Operator, field: &Field, entries: &Entries) -> Read<Value> {
        let counted = operator
            .fields
            .iter()
            .find(|f| counts(&f.kind) == Some(field.name.as_ref()));
        if let Some(counted) = counted {
            let length = match find(entries, &counted.name) {
                Some(Tree::Array(items)) => items.len(),
                _ => 0,
            };
            return Ok(Value::UInt(u32::try_from(length).unwrap_or(u32::MAX)));
        }
        let zeroed = Descriptor::zeroed(operator);
        let index = operator.field_index(&field.name).unwrap_or_default();
        match zeroed.fields.into_iter().nth(index) {
            Some(value) if field.optional => Ok(value),
            _ => Err(self.error(format!("`{}` is missing", field.name))),
        }
    }

    fn value(&self, operator: &Operator, field: &Field, entries: &Entries, tree: &Tree) -> Read<Value> {
        Ok(match &field.kind {
            FieldKind::Tensor(_) => Value::Tensor(self.nullable(tree, Self::tensor)?),
            FieldKind::Tensors(..) => Value::Tensors(self.list(tree, Self::tensor)?),
            FieldKind::UInt => Value::UInt(self.whole(tree, u32::MAX.into())?),
            FieldKind::Bool => Value::UInt(match tree {
                Tree::Bool(b) => u32::from(*b),
                other => self.whole(other, u32::MAX.into())?,
            }),
            FieldKind::Enum(name) => Value::UInt(self.constant(name, tree)?),
            FieldKind::Int => Value::Int(self.int(tree)?),
            FieldKind::Float => Value::Float(self.float(tree)?),
            FieldKind::UInts(_) => Value::UInts(self.dims(tree)?),
            FieldKind::Ints(_) => Value::Ints(self.list(tree, Self::int)?.map(Into::into)),
            FieldKind::Floats(_) => Value::Floats(self.list(tree, Self::float)?.map(Into::into)),
            FieldKind::ScaleBias => Value::ScaleBias(self.nullable(tree, Self::scale_bias)?),
            FieldKind::Size2D => {
                let entries = self.object(tree, &["Width", "Height"])?;
                let part = |key| self.at(key).whole(required(self, entries, key)?, u32::MAX.into());
                Value::Size2D(part("Width")?, part("Height")?)
            }
            FieldKind::Scalar(by) => Value::Scalar(self.scalar(self.scalar_type(operator, by, entries)?, tree)?),
            FieldKind::Operator => Value::Operator(self.nullable(tree, Self::nested)?.map(Box::new)),
            FieldKind::Operators(_) => Value::Operators(self.list(tree, Self::nested)?),
        })
    }

    fn nullable<T>(&self, tree: &Tree, read: impl Fn(&Self, &Tree) -> Read<T>) -> Read<Option<T>> {
        if *tree == Tree::Null {
            Ok(None)
        } else {
            read(self, tree).map(Some)
        }
    }

    fn list<T>(&self, tree: &Tree, read: impl Fn(&Self, &Tree) -> Read<T>) -> Read<Option<Vec<T>>> {
        self.nullable(tree, |place, tree| {
            let items = place.array(tree)?.iter().enumerate();
            items.map(|(i, item)| read(&place.item(i), item)).collect()
        })
    }

    fn dims(&self, tree: &Tree) -> Read<Option<Dims>> {
        Ok(self
            .list(tree, |place, item| place.whole(item, u32::MAX.into()))?
            .map(Dims::from_vec))
    }

    fn whole<T: TryFrom<i128>>(&self, tree: &Tree, max: i128) -> Read<T> {
        let found = match tree {
            Tree::Int(n) => Some(*n),
            // Only values that may lose digits as numbers of JSON go into text.
            Tree::Text(text) if max > 1 << 53 && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
                text.parse().ok()
            }
            _ => None,
        };
        let fits = found
            .filter(|n| (0..=max).contains(n))
            .and_then(|n| T::try_from(n).ok());
        fits.map_or_else(|| self.expected(&format!("a whole number from 0 to {max}"), tree), Ok)
    }

    fn int(&self, tree: &Tree) -> Read<i32> {
        match tree {
            Tree::Int(n) if i32::try_from(*n).is_ok() => Ok(i32::try_from(*n).unwrap_or_default()),
            other => self.expected("a whole number of 32 bits", other),
        }
    }

    fn float(&self, tree: &Tree) -> Read<f32> {
        const WHAT: &str = "a number, or its bits like \"0x7fc00000\"";
        let near = |x: f64| x as f32;
        match tree {
            Tree::Int(n) => Ok(near(*n as f64)),
            Tree::Float(x) => Ok(near(*x)),
            Tree::Text(text) => match hex(text).and_then(|bits| u32::try_from(bits).ok()) {
                Some(bits) => Ok(f32::from_bits(bits)),
                None => self.expected(WHAT, tree),
            },
            other => self.expected(WHAT, other),
        }
    }

    fn scale_bias(&self, tree: &Tree) -> Read<(f32, f32)> {
        let entries = self.object(tree, &["Scale", "Bias"])?;
        let part = |key| self.at(key).float(required(self, entries, key)?);
        Ok((part("Scale")?, part("Bias")?))
    }

    fn nested(&self, tree: &Tree) -> Read<Descriptor> {
        let entries = self.object(tree, &["Type", "Desc"])?;
        let operator = self.at("Type").operator(required(self, entries, "Type")?)?;
        self.at("Desc").descriptor(operator, required(self, entries, "Desc")?)
    }

    fn tensor(&self, tree: &Tree) -> Read<TensorDesc> {
        let keys = [
            "Type",
            "DataType",
            "Sizes",
            "Strides",
            "TotalTensorSizeInBytes",
            "GuaranteedBaseOffsetAlignment",
            "Flags",
        ];
        let entries = self.object(tree, &keys)?;
        let optional = |key: &str, default: u32, read: &dyn Fn(&Self, &Tree) -> Read<u32>| {
            find(entries, key).map_or(Ok(default), |tree| read(&self.at(key), tree))
        };
        let uint = |place: &Self, tree: &Tree| place.whole(tree, u32::MAX.into());
        let mut tensor = TensorDesc {
            tensor_type: optional("Type", TENSOR_TYPE_BUFFER, &|p, t| p.constant("DML_TENSOR_TYPE", t))?,
            data_type: self
                .at("DataType")
                .constant(DATA_TYPES, required(self, entries, "DataType")?)?,
            flags: optional("Flags", 0, &|p, t| p.constant("DML_TENSOR_FLAGS", t))?,
            sizes: self.at("Sizes").dims(required(self, entries, "Sizes")?)?,
            strides: find(entries, "Strides").map_or(Ok(None), |tree| self.at("Strides").dims(tree))?,
            total_tensor_size_in_bytes: 0,
            guaranteed_base_offset_alignment: optional("GuaranteedBaseOffsetAlignment", 0, &uint)?,
        };
        // Left out, the size is the smallest legal one: convenient for descriptors written by hand.
        tensor.total_tensor_size_in_bytes = match find(entries, "TotalTensorSizeInBytes") {
            Some(tree) => self.at("TotalTensorSizeInBytes").whole(tree, u64::MAX.into())?,
            None => {
                let bits = element_bits(self.catalog, tensor.data_type);
                bits.and_then(|bits| tensor.minimum_total_size(bits))
                    .unwrap_or_default()
            }
        };
        Ok(tensor)
    }

    /// A constant of an enumeration, in full or without its prefix, or any integer.
    fn constant(&self, name: &str, tree: &Tree) -> Read<u32> {
        let Tree::Text(text) = tree else {
            return match tree {
                Tree::Int(_) => self.whole(tree, u32::MAX.into()),
                other => self.expected(&format!("a constant of {name} or an integer"), other),
            };
        };
        if let Some(value) = named(self.catalog, name, text) {
            return Ok(value);
        }
        let known = constants(self.catalog, name);
        let near = nearest(text, known.iter().map(String::as_str), 1).join("");
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("; did you mean `{near}`?")
        };
        Err(self.error(format!("`{}` is no constant of {name}{hint}", excerpt(text))))
    }

    /// The data type that a scalar union is read by.
    fn scalar_type(&self, operator: &Operator, by: &str, entries: &Entries) -> Read<u32> {
        let kind = operator.fields.iter().find(|f| f.name == by).map(|f| &f.kind);
        match (kind, find(entries, by)) {
            (Some(FieldKind::Enum(name)), Some(tree)) => self.constant(name, tree),
            _ => Ok(0),
        }
    }

    fn scalar(&self, data_type: u32, tree: &Tree) -> Read<[u8; 8]> {
        let bits = match (self.catalog.data_type(data_type), tree) {
            (Some(ty), tree) => element(ty, tree),
            (None, Tree::Text(text)) => hex(text),
            (None, _) => None,
        };
        let what = "a number of the scalar's data type, or hex bits like \"0x3f800000\"";
        bits.map_or_else(|| self.expected(what, tree), |bits| Ok(bits.to_le_bytes()))
    }
}

/// Reads an element of a tensor: a number, or hex bits.
///
/// # Errors
/// What was found instead.
pub fn read_element(ty: &DataType, tree: &Tree) -> Result<u64, String> {
    let fits = |bits: &u64| match tree {
        Tree::Int(n) if ty.class != NumberClass::Float => number::decode(ty, *bits) == Number::Int(*n),
        _ => bits & !number::mask(ty.bits) == 0,
    };
    element(ty, tree).filter(fits).ok_or_else(|| {
        format!(
            "expected a number of type {}, or its bits in hex, found {}",
            ty.name,
            tree.kind()
        )
    })
}

fn element(ty: &DataType, tree: &Tree) -> Option<u64> {
    let is_float = ty.class == NumberClass::Float;
    let of_int = |n: i128| match is_float {
        true => number::encode_float(ty, n as f64),
        false => number::encode_int(ty, n),
    };
    match tree {
        Tree::Text(text) if hex(text).is_some() => hex(text),
        Tree::Text(text) if !is_float => text.parse().ok().map(of_int),
        Tree::Int(n) => Some(of_int(*n)),
        Tree::Float(x) if is_float => Some(number::encode_float(ty, *x)),
        _ => None,
    }
}

/// Name of the field that counts an array.
fn counts(kind: &FieldKind) -> Option<&str> {
    match kind {
        FieldKind::Tensors(_, by)
        | FieldKind::UInts(by)
        | FieldKind::Ints(by)
        | FieldKind::Floats(by)
        | FieldKind::Operators(by) => Some(by),
        _ => None,
    }
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
