//! The names that a rule may use, and the nearest one to an unknown name.

use super::typed::{Prop, Type};
use crate::model::{Catalog, DATA_TYPE, Enum, Field, FieldKind, Operator, Text};

/// The names a rule may use.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub(super) catalog: &'a Catalog,
    /// Fields of the operator; empty in rules about one tensor.
    pub(super) fields: &'a [Field],
    /// The rule is about one tensor, whose properties are plain names.
    pub(super) subject: bool,
    /// Functions that read elements are allowed.
    pub(super) data: bool,
}

impl<'a> Scope<'a> {
    /// Rules of an operator: its fields are names.
    pub fn operator(catalog: &'a Catalog, operator: &'a Operator) -> Self {
        Self {
            catalog,
            fields: &operator.fields,
            subject: false,
            data: false,
        }
    }

    /// Expressions of these fields alone.
    pub(crate) fn fields(catalog: &'a Catalog, fields: &'a [Field]) -> Self {
        Self {
            catalog,
            fields,
            subject: false,
            data: false,
        }
    }

    /// Rules about any one tensor: its properties are names, and `tensor` is the tensor itself.
    pub fn tensor(catalog: &'a Catalog) -> Self {
        Self {
            catalog,
            fields: &[],
            subject: true,
            data: false,
        }
    }

    /// The same names, and the functions that read elements (`has_nan` …): for silences.
    pub fn with_data(self) -> Self {
        Self { data: true, ..self }
    }
}

/// The enumeration that names nested operators.
pub(super) const OPERATOR_TYPE: &str = "DML_OPERATOR_TYPE";

/// Properties of a tensor, by name.
pub(crate) const PROPS: [(&str, Prop); 8] = [
    ("Type", Prop::Type),
    ("DataType", Prop::DataType),
    ("Flags", Prop::Flags),
    ("DimensionCount", Prop::DimensionCount),
    ("Sizes", Prop::Sizes),
    ("Strides", Prop::Strides),
    ("TotalTensorSizeInBytes", Prop::TotalTensorSizeInBytes),
    ("GuaranteedBaseOffsetAlignment", Prop::GuaranteedBaseOffsetAlignment),
];

impl Prop {
    /// Its name in rules.
    pub fn name(self) -> &'static str {
        let found = PROPS.iter().find(|(_, prop)| *prop == self);
        found.map_or("", |(name, _)| name)
    }
}

/// The property of this name.
pub(crate) fn prop(name: &str) -> Option<Prop> {
    PROPS.iter().find(|(n, _)| *n == name).map(|(_, prop)| *prop)
}

/// Type of a property.
pub(crate) fn prop_type(prop: Prop) -> Type {
    match prop {
        Prop::Type => Type::Enum(Text::Borrowed("DML_TENSOR_TYPE")),
        Prop::DataType => Type::DataType,
        Prop::Sizes | Prop::Strides => Type::List,
        Prop::Flags | Prop::DimensionCount | Prop::TotalTensorSizeInBytes | Prop::GuaranteedBaseOffsetAlignment => {
            Type::Int
        }
    }
}

/// Type of a field in rules; `None` for kinds that rules cannot read.
pub(crate) fn field_type(kind: &FieldKind) -> Option<Type> {
    Some(match kind {
        FieldKind::Tensor(_) => Type::Tensor,
        FieldKind::Tensors(..) => Type::Tensors,
        FieldKind::UInt | FieldKind::Int => Type::Int,
        FieldKind::Float => Type::Float,
        FieldKind::Bool => Type::Bool,
        FieldKind::Enum(name) if name == DATA_TYPE => Type::DataType,
        FieldKind::Enum(name) => Type::Enum(name.clone()),
        FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Size2D => Type::List,
        FieldKind::Floats(_) => Type::FloatList,
        FieldKind::ScaleBias => Type::ScaleBias,
        FieldKind::Operator => Type::Operator,
        FieldKind::Operators(_) => Type::Operators,
        FieldKind::Scalar(_) => return None,
    })
}

const DATA_TYPE_PREFIX: &str = "DML_TENSOR_DATA_TYPE_";

/// The constant `name` if `want` is expected: its type and value. Short names stand only if the type is
/// known; full C names always do.
pub(crate) fn constant(catalog: &Catalog, name: &str, want: Option<&Type>) -> Option<(Type, i128)> {
    let short = match want {
        Some(Type::DataType) => catalog.data_type_named(name).map(|t| (Type::DataType, t.value.into())),
        Some(Type::Enum(of)) => catalog.enumeration(of).and_then(|e| member(e, name)),
        _ => None,
    };
    let full = || {
        let data_type = name
            .strip_prefix(DATA_TYPE_PREFIX)
            .and_then(|n| catalog.data_type_named(n));
        match data_type {
            Some(data_type) => Some((Type::DataType, data_type.value.into())),
            None => catalog
                .enums
                .iter()
                .find_map(|e| e.members.iter().any(|m| m.name == name).then(|| member(e, name))?),
        }
    };
    let (ty, value) = short.or_else(full)?;
    // Flags are compared as numbers: `Flags` is one.
    let number =
        want == Some(&Type::Int) && matches!(&ty, Type::Enum(of) if catalog.enumeration(of).is_some_and(|e| e.flags));
    Some((if number { Type::Int } else { ty }, value))
}

fn member(of: &Enum, name: &str) -> Option<(Type, i128)> {
    let prefix = of.prefix();
    let found = of
        .members
        .iter()
        .find(|m| m.name == name || m.name.strip_prefix(prefix.as_str()) == Some(name))?;
    Some((Type::Enum(of.name.clone()), found.value.into()))
}

/// Names that could have been meant if `want` is expected.
pub(super) fn candidates(scope: &Scope<'_>, want: Option<&Type>) -> Vec<String> {
    let mut names: Vec<String> = scope.fields.iter().map(|f| f.name.to_string()).collect();
    names.push("Level".to_owned());
    if scope.subject {
        names.push("tensor".to_owned());
        names.extend(PROPS.iter().map(|(name, _)| (*name).to_owned()));
    }
    names.extend(constants(scope.catalog, want));
    names
}

/// Short names of constants of a type.
pub(crate) fn constants(catalog: &Catalog, want: Option<&Type>) -> Vec<String> {
    let mut names = Vec::new();
    match want {
        Some(Type::DataType) => names.extend(catalog.data_types.iter().map(|t| t.name.to_string())),
        Some(Type::Enum(of)) => {
            if let Some(of) = catalog.enumeration(of) {
                let prefix = of.prefix();
                let short = |name: &str| name.strip_prefix(prefix.as_str()).unwrap_or(name).to_owned();
                names.extend(of.members.iter().map(|m| short(&m.name)));
            }
        }
        _ => {}
    }
    names
}

/// A hint with the name nearest to `found`, if any is similar.
pub(crate) fn nearest(found: &str, names: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let folded = found.to_lowercase();
    let limit = found.len() / 3 + 1;
    names
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&folded, &name.as_ref().to_lowercase()),
                name,
            )
        })
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| format!("did you mean `{}`?", name.as_ref()))
}
