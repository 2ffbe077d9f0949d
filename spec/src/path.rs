//! Paths into a descriptor (`OutputIndexTensor.Sizes.3`) and the spelling of values in case ids.

use std::fmt::Write;

use crate::{
    Catalog, Descriptor, Dims, TensorDesc, Value,
    model::{DATA_TYPE, DataType, FieldKind, NumberClass, Operator, Role, spell_float},
    scalar,
};

/// Spelling of a null pointer.
pub const NULL: &str = "null";
/// Spelling of a tensor that is there although it could be null.
pub const GIVEN: &str = "given";
/// Separates the sizes of the tensors of an array.
pub const MANY: char = '_';
/// Spelling of a list without elements.
pub const EMPTY: &str = "empty";

/// A property of a tensor that ids can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorPart {
    /// The tensor itself: [`NULL`] or [`GIVEN`].
    Whole,
    /// `Type`.
    Type,
    /// `DataType`.
    DataType,
    /// `Flags`.
    Flags,
    /// `Sizes`.
    Sizes,
    /// `Sizes.n`.
    Size(usize),
    /// `Strides`.
    Strides,
    /// `Strides.n`.
    Stride(usize),
    /// `TotalTensorSizeInBytes`.
    TotalTensorSizeInBytes,
    /// `GuaranteedBaseOffsetAlignment`.
    GuaranteedBaseOffsetAlignment,
}

/// A place in a descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// A whole attribute.
    Attribute(usize),
    /// An element of a list attribute: `Axes.1`.
    Item(usize, usize),
    /// Part of a tensor; the middle number is the element of an array of tensors.
    Tensor(usize, Option<usize>, TensorPart),
    /// The data types of all tensors of an array.
    DataTypes(usize),
    /// The sizes of all tensors of an array, which also say how many there are.
    ManySizes(usize),
    /// The values of an input: not part of the descriptor.
    Data(usize),
}

impl Path {
    /// Reads a path of this operator; the error message says what is wrong.
    pub fn parse(operator: &Operator, text: &str) -> Result<Self, String> {
        let mut parts = text.split('.');
        let name = parts.next().unwrap_or_default();
        let index = operator
            .field_index(name)
            .ok_or_else(|| format!("`{name}` is no key and no field of {}", operator.name))?;
        let rest: Vec<&str> = parts.collect();
        match operator.fields[index].kind {
            FieldKind::Tensor(Role::Input) if rest == ["Data"] => Ok(Self::Data(index)),
            FieldKind::Tensor(_) => Ok(Self::Tensor(index, None, tensor_part(&rest, text)?)),
            FieldKind::Tensors(..) if rest == ["DataType"] => Ok(Self::DataTypes(index)),
            FieldKind::Tensors(..) if rest == ["Sizes"] => Ok(Self::ManySizes(index)),
            FieldKind::Tensors(..) if rest.is_empty() => Ok(Self::Attribute(index)),
            FieldKind::Tensors(..) => {
                let element = rest.first().and_then(|n| n.parse().ok()).filter(|n| *n < 64);
                let element: usize = element.ok_or_else(|| format!("`{text}` names no element of {name}"))?;
                Ok(Self::Tensor(index, Some(element), tensor_part(&rest[1..], text)?))
            }
            _ => match rest[..] {
                [] => Ok(Self::Attribute(index)),
                [item] => {
                    let item = item
                        .parse()
                        .map_err(|_| format!("`{text}` names no element of {name}"))?;
                    Ok(Self::Item(index, item))
                }
                _ => Err(format!("`{text}` goes deeper than {name} does")),
            },
        }
    }

    /// Index of the field it lies in.
    pub fn field(&self) -> usize {
        match self {
            Self::Attribute(field) | Self::Item(field, _) | Self::Tensor(field, ..) => *field,
            Self::DataTypes(field) | Self::ManySizes(field) | Self::Data(field) => *field,
        }
    }

    /// Whether it is the total size of a tensor, which follows from the rest unless it is set itself.
    pub fn is_total(&self) -> bool {
        matches!(self, Self::Tensor(_, _, TensorPart::TotalTensorSizeInBytes))
    }

    /// Whether it is a tensor's data type.
    pub fn is_data_type(&self) -> bool {
        matches!(self, Self::Tensor(_, _, TensorPart::DataType) | Self::DataTypes(_))
    }
}

fn tensor_part(rest: &[&str], text: &str) -> Result<TensorPart, String> {
    let number = |n: &str| {
        n.parse::<usize>()
            .map_err(|_| format!("`{n}` in `{text}` is no dimension"))
    };
    Ok(match rest {
        [] => TensorPart::Whole,
        ["Type"] => TensorPart::Type,
        ["DataType"] => TensorPart::DataType,
        ["Flags"] => TensorPart::Flags,
        ["Sizes"] => TensorPart::Sizes,
        ["Sizes", n] => TensorPart::Size(number(n)?),
        ["Strides"] => TensorPart::Strides,
        ["Strides", n] => TensorPart::Stride(number(n)?),
        ["TotalTensorSizeInBytes"] => TensorPart::TotalTensorSizeInBytes,
        ["GuaranteedBaseOffsetAlignment"] => TensorPart::GuaranteedBaseOffsetAlignment,
        _ => return Err(format!("`{text}` names no property of a tensor")),
    })
}

/// The tensor at a path, if it is present.
pub fn tensor(descriptor: &Descriptor, field: usize, element: Option<usize>) -> Option<&TensorDesc> {
    match (descriptor.fields.get(field)?, element) {
        (Value::Tensor(tensor), None) => tensor.as_ref(),
        (Value::Tensors(Some(tensors)), Some(n)) => tensors.get(n),
        _ => None,
    }
}

/// The same, to be changed.
pub fn tensor_mut(descriptor: &mut Descriptor, field: usize, element: Option<usize>) -> Option<&mut TensorDesc> {
    match (descriptor.fields.get_mut(field)?, element) {
        (Value::Tensor(tensor), None) => tensor.as_mut(),
        (Value::Tensors(Some(tensors)), Some(n)) => tensors.get_mut(n),
        _ => None,
    }
}

/// Sets a path to the value that `text` spells; the error message says what is wrong.
pub fn set(
    catalog: &Catalog,
    operator: &Operator,
    descriptor: &mut Descriptor,
    path: &Path,
    text: &str,
) -> Result<(), String> {
    match path {
        Path::Tensor(field, None, TensorPart::Whole) => {
            let place = &mut descriptor.fields[*field];
            match (text, &place) {
                (NULL, _) => *place = Value::Tensor(None),
                (GIVEN, Value::Tensor(None)) => *place = Value::Tensor(Some(TensorDesc::blank())),
                (GIVEN, _) => {}
                _ => {
                    return Err(format!(
                        "a whole tensor can only be `{GIVEN}` or `{NULL}`, not `{text}`"
                    ));
                }
            }
            Ok(())
        }
        Path::Tensor(field, element, part) => {
            let tensor = tensor_mut(descriptor, *field, *element).ok_or("the tensor is not there")?;
            set_tensor(catalog, tensor, *part, text)
        }
        Path::Attribute(field) => {
            descriptor.fields[*field] = match &operator.fields[*field].kind {
                FieldKind::Operator if text == NULL => Value::Operator(None),
                FieldKind::Operator => Value::Operator(Some(Box::new(nested(catalog, operator, text)?))),
                FieldKind::Operators(_) => Value::Operators(nested_array(catalog, operator, text)?),
                FieldKind::Scalar(named) => {
                    let ty = scalar::data_type(catalog, operator, descriptor, named);
                    let ty = ty.ok_or_else(|| format!("{named} names no data type"))?;
                    Value::Scalar(spelled_scalar(ty, text)?)
                }
                kind => attribute(catalog, kind, text)?,
            };
            Ok(())
        }
        Path::DataTypes(field) => {
            let tensors = tensors_mut(descriptor, *field).ok_or("the tensors are not there")?;
            let mut all = tensors.iter_mut();
            all.try_for_each(|tensor| set_tensor(catalog, tensor, TensorPart::DataType, text))
        }
        Path::ManySizes(field) => {
            let tensors = tensors_mut(descriptor, *field).ok_or("the tensors are not there")?;
            let template = tensors.first().cloned().ok_or("an array of tensors is empty")?;
            let tensor = |sizes: &str| {
                Ok(TensorDesc {
                    sizes: dims(sizes)?,
                    ..template.clone()
                })
            };
            *tensors = text.split(MANY).map(tensor).collect::<Result<_, String>>()?;
            Ok(())
        }
        Path::Data(_) => match text.is_empty() {
            true => Err("a pattern of values is missing".to_owned()),
            false => Ok(()),
        },
        Path::Item(field, item) => set_item(&mut descriptor.fields[*field], *item, text),
    }
}

/// The tensors of an array, if it is present.
pub fn tensors_mut(descriptor: &mut Descriptor, field: usize) -> Option<&mut Vec<TensorDesc>> {
    match descriptor.fields.get_mut(field)? {
        Value::Tensors(tensors) => tensors.as_mut(),
        _ => None,
    }
}

/// The nested operators of these names under `nested`, as many as there are names.
fn nested_array(catalog: &Catalog, operator: &Operator, names: &str) -> Result<Option<Vec<Descriptor>>, String> {
    match names {
        NULL => Ok(None),
        EMPTY => Ok(Some(Vec::new())),
        _ => {
            let each = names.split(MANY).map(|name| nested(catalog, operator, name));
            each.collect::<Result<_, _>>().map(Some)
        }
    }
}

/// The name under `nested` of an operator as it stands there; `None` if none is like it.
pub fn nested_name<'a>(catalog: &Catalog, operator: &'a Operator, descriptor: &Descriptor) -> Option<&'a str> {
    let names = operator.cases.nested.iter().map(|nested| nested.name.as_ref());
    let is_same = |name: &&str| nested(catalog, operator, name).is_ok_and(|of| of == *descriptor);
    names.into_iter().find(is_same)
}

/// The nested operator of this name under `nested`.
pub fn nested(catalog: &Catalog, operator: &Operator, name: &str) -> Result<Descriptor, String> {
    let known = operator.cases.nested.iter().find(|nested| nested.name == name);
    let nested = known.ok_or_else(|| format!("unknown nested operator `{name}` of {}", operator.name))?;
    let of = catalog.operator(&nested.operator);
    let of = of.ok_or_else(|| format!("the specification has no operator {}", nested.operator))?;
    let mut descriptor = Descriptor::zeroed(of);
    for (path, text) in nested.attributes.iter() {
        let path = Path::parse(of, path)?;
        if let Path::Tensor(field, None, _) = path
            && let Some(Value::Tensor(tensor)) = descriptor.fields.get_mut(field)
        {
            // A nested operator has only the named tensors, each of one FLOAT32 element.
            tensor.get_or_insert_with(|| TensorDesc::packed(1, 32, &[1]));
        }
        set(catalog, of, &mut descriptor, &path, text)?;
    }
    Ok(descriptor)
}

/// The bytes of a scalar union for a number of an id. Floating point numbers of every width are spelled as those of
/// FLOAT32 are.
fn spelled_scalar(ty: &DataType, text: &str) -> Result<[u8; 8], String> {
    match ty.class {
        NumberClass::Float => drop(number::<f32>(text)?),
        // Without values of its own, the type leaves the bytes.
        NumberClass::Unknown => return Ok(number::<u64>(text)?.to_le_bytes()),
        _ => drop(number::<i128>(text)?),
    }
    scalar::of_number(ty, text).ok_or_else(|| format!("`{text}` is no number of {}", ty.name))
}

fn set_tensor(catalog: &Catalog, tensor: &mut TensorDesc, part: TensorPart, text: &str) -> Result<(), String> {
    match part {
        TensorPart::Whole => return Err("an element of an array cannot be null".to_owned()),
        TensorPart::Type => tensor.tensor_type = constant(catalog, "DML_TENSOR_TYPE", text)?,
        TensorPart::DataType => {
            let named = catalog.data_type_named(text).map(|t| t.value);
            tensor.data_type = named.map_or_else(|| whole(text), Ok)?;
        }
        TensorPart::Flags => tensor.flags = whole(text)?,
        TensorPart::Sizes => tensor.sizes = dims(text)?,
        TensorPart::Strides => tensor.strides = dims(text)?,
        TensorPart::Size(n) => *nth(&mut tensor.sizes, n)? = whole(text)?,
        TensorPart::Stride(n) => *nth(&mut tensor.strides, n)? = whole(text)?,
        TensorPart::TotalTensorSizeInBytes => {
            tensor.total_tensor_size_in_bytes = number(text)?;
        }
        TensorPart::GuaranteedBaseOffsetAlignment => tensor.guaranteed_base_offset_alignment = whole(text)?,
    }
    Ok(())
}

fn nth(list: &mut Option<Dims>, n: usize) -> Result<&mut u32, String> {
    list.as_mut()
        .and_then(|l| l.get_mut(n))
        .ok_or_else(|| format!("there is no dimension {n}"))
}

fn set_item(value: &mut Value, item: usize, text: &str) -> Result<(), String> {
    let missing = || format!("there is no element {item}");
    match value {
        Value::UInts(Some(list)) => *list.get_mut(item).ok_or_else(missing)? = whole(text)?,
        Value::Ints(Some(list)) => *list.get_mut(item).ok_or_else(missing)? = number(text)?,
        Value::Floats(Some(list)) => *list.get_mut(item).ok_or_else(missing)? = number(text)?,
        _ => return Err("the field is no list".to_owned()),
    }
    Ok(())
}

fn attribute(catalog: &Catalog, kind: &FieldKind, text: &str) -> Result<Value, String> {
    let absent = text == NULL;
    Ok(match kind {
        FieldKind::UInt | FieldKind::Bool => Value::UInt(whole(text)?),
        FieldKind::Enum(name) => Value::UInt(constant(catalog, name, text)?),
        FieldKind::Int => Value::Int(number(text)?),
        FieldKind::Float => Value::Float(number(text)?),
        FieldKind::UInts(_) => Value::UInts(dims(text)?),
        FieldKind::Ints(_) if absent => Value::Ints(None),
        FieldKind::Ints(_) => Value::Ints(Some(list(text)?)),
        FieldKind::Floats(_) if absent => Value::Floats(None),
        FieldKind::Floats(_) => Value::Floats(Some(list(text)?)),
        FieldKind::ScaleBias if absent => Value::ScaleBias(None),
        FieldKind::ScaleBias => match list::<f32, 2>(text)?[..] {
            [scale, bias] => Value::ScaleBias(Some((scale, bias))),
            _ => return Err(format!("`{text}` is no scale and bias")),
        },
        FieldKind::Size2D => match list::<u32, 2>(text)?[..] {
            [width, height] => Value::Size2D(width, height),
            _ => return Err(format!("`{text}` is no width and height")),
        },
        FieldKind::Tensors(..) if absent => Value::Tensors(None),
        FieldKind::Tensors(..) if text == EMPTY => Value::Tensors(Some(Vec::new())),
        _ => return Err(format!("`{text}` cannot be given in an id")),
    })
}

/// A constant of an enumeration: short name, full name or number.
pub fn constant(catalog: &Catalog, enumeration: &str, text: &str) -> Result<u32, String> {
    if enumeration == DATA_TYPE {
        let named = catalog.data_type_named(text).map(|ty| ty.value);
        return named.map_or_else(|| whole(text), Ok);
    }
    let Some(enumeration) = catalog.enumeration(enumeration) else {
        return whole(text);
    };
    let prefix = enumeration.prefix();
    let member = enumeration
        .members
        .iter()
        .find(|m| m.name == text || m.name.strip_prefix(&prefix) == Some(text));
    match member {
        Some(member) => Ok(member.value),
        None => whole(text).map_err(|_| format!("`{text}` is no member of {}", enumeration.name)),
    }
}

/// The short name of an enumeration's member, or its number.
pub fn constant_name(catalog: &Catalog, enumeration: &str, value: u32) -> String {
    if let Some(ty) = catalog.data_type(value).filter(|_| enumeration == DATA_TYPE) {
        return ty.name.to_string();
    }
    let found = catalog.enumeration(enumeration).and_then(|e| {
        let member = e.members.iter().find(|m| m.value == value)?;
        Some(member.name.strip_prefix(&e.prefix()).unwrap_or(&member.name).to_owned())
    });
    found.unwrap_or_else(|| value.to_string())
}

fn whole(text: &str) -> Result<u32, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let canonical = digits && (text == "0" || !text.starts_with('0'));
    canonical
        .then(|| text.parse().ok())
        .flatten()
        .ok_or_else(|| format!("`{text}` is no 32-bit number"))
}

/// Numbers that ids hold, each with one spelling.
pub trait Spelled: std::str::FromStr + ToString {
    /// How ids spell it.
    fn spell(&self) -> String {
        self.to_string()
    }
}

impl Spelled for i32 {}
impl Spelled for u32 {}
impl Spelled for u64 {}
impl Spelled for usize {}
impl Spelled for i128 {}

impl Spelled for f32 {
    fn spell(&self) -> String {
        spell_float(*self)
    }
}

/// A number in the one spelling that ids have for it.
pub fn number<T: Spelled>(text: &str) -> Result<T, String> {
    let value: T = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    let spelled = value.spell();
    if spelled == text {
        Ok(value)
    } else {
        Err(format!("`{text}` is spelled `{spelled}` in ids"))
    }
}

fn list<T: Spelled, const N: usize>(text: &str) -> Result<smallvec::SmallVec<[T; N]>, String>
where
    [T; N]: smallvec::Array<Item = T>,
{
    if text == EMPTY {
        Ok(smallvec::SmallVec::new())
    } else {
        text.split('x').map(number).collect()
    }
}

/// Sizes or strides: `2x3x4`, [`EMPTY`] or [`NULL`].
pub fn dims(text: &str) -> Result<Option<Dims>, String> {
    match text {
        NULL => Ok(None),
        EMPTY => Ok(Some(Dims::new())),
        _ => text.split('x').map(whole).collect::<Result<Dims, _>>().map(Some),
    }
}

/// Numbers with an `x` between them.
pub fn joined(numbers: impl Iterator<Item = i128>) -> String {
    let mut text = String::with_capacity(16);
    for (at, number) in numbers.enumerate() {
        if at > 0 {
            text.push('x');
        }
        // Most have one digit, which needs no formatting.
        match u8::try_from(number) {
            Ok(digit @ 0..=9) => text.push(char::from(b'0' + digit)),
            // Writing to memory cannot fail.
            _ => drop(write!(text, "{number}")),
        }
    }
    text
}

/// Spells sizes or strides.
pub fn dims_text(list: &[u32]) -> String {
    if list.is_empty() {
        return EMPTY.to_owned();
    }
    joined(list.iter().map(|number| (*number).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_one_way() {
        for text in [
            "0",
            "-0",
            "2",
            "-1.5",
            "0.01",
            "0.001",
            "1152921504606846976",
            "1e30",
            "-1e30",
            "inf",
            "-inf",
            "nan",
        ] {
            assert_eq!(number::<f32>(text).map(|x| x.spell()), Ok(text.to_owned()));
        }
        for (text, expected) in [
            ("1e999", "`inf`"),
            ("-nan", "`nan`"),
            ("NaN", "`nan`"),
            ("infinity", "`inf`"),
            ("2.0", "`2`"),
            ("1e-3", "`0.001`"),
            ("0.000001", "`1e-6`"),
            ("0.10000000001", "`0.1`"),
        ] {
            let why = number::<f32>(text).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
        assert!(number::<i32>("-0").is_err() && number::<i32>("007").is_err());
        assert_eq!(number::<i32>("-7"), Ok(-7));
    }

    #[test]
    fn scalars_are_spelled_one_way() {
        let ty = |class, bits| DataType {
            name: "T".into(),
            value: 0,
            bits,
            class,
            introduced: crate::FeatureLevel::new(1, 0),
        };
        let (single, byte) = (ty(NumberClass::Float, 32), ty(NumberClass::Unsigned, 8));
        assert_eq!(spelled_scalar(&single, "7"), Ok([0, 0, 0xe0, 0x40, 0, 0, 0, 0]));
        assert_eq!(spelled_scalar(&byte, "7"), Ok([7, 0, 0, 0, 0, 0, 0, 0]));
        for (ty, text, expected) in [
            (&single, "7.0", "`7.0` is spelled `7` in ids"),
            (&byte, "07", "`07` is spelled `7` in ids"),
            (&byte, "1.5", "`1.5` is no number"),
            (&byte, "256", "`256` is no number of T"),
        ] {
            assert_eq!(spelled_scalar(ty, text), Err(expected.to_owned()));
        }
    }

    #[test]
    fn dims_are_spelled_one_way() {
        for text in ["2x3x4", "7", EMPTY] {
            assert_eq!(dims_text(&dims(text).unwrap().unwrap()), text);
        }
        assert_eq!(dims(NULL), Ok(None));
        for text in ["", "x", "2x", "-1", "02", "4294967296", "2X3"] {
            assert!(dims(text).is_err(), "{text}");
        }
    }
}
