//! Types of the expressions of meanings.

use crate::model::Text;

/// Type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Truth value.
    Bool,
    /// Whole number.
    Int,
    /// Real number with a bound.
    Real,
    /// Whole or real, as the tensor's data type decides.
    Number,
    /// Value of `DML_TENSOR_DATA_TYPE`.
    DataType,
    /// Value of the named enumeration.
    Enum(Text),
    /// List.
    List(Box<Type>),
    /// A tensor.
    Tensor,
    /// An array of tensors.
    Tensors,
    /// A nested operator.
    Operator,
    /// An array of nested operators.
    Operators,
    /// A `DML_SCALE_BIAS`.
    ScaleBias,
    /// An element that is open: it has whatever type is needed.
    Open,
}

impl Type {
    /// A list of whole numbers: sizes, or an index vector.
    pub fn vector() -> Self {
        Self::List(Box::new(Self::Int))
    }

    /// Whether it is a list of whole numbers.
    pub fn is_vector(&self) -> bool {
        matches!(self, Self::List(of) if **of == Self::Int)
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Real | Self::Number)
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Bool => "a truth value".to_owned(),
            Self::Int => "a whole number".to_owned(),
            Self::Real => "a real number".to_owned(),
            Self::Number => "a number that may be real".to_owned(),
            Self::DataType => "a data type".to_owned(),
            Self::Enum(of) => format!("a member of {of}"),
            Self::List(of) if **of == Self::Int => "a list of whole numbers".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Tensor => "a tensor".to_owned(),
            Self::Tensors => "an array of tensors".to_owned(),
            Self::Operator => "a nested operator".to_owned(),
            Self::Operators => "an array of nested operators".to_owned(),
            Self::ScaleBias => "a scale and bias".to_owned(),
            Self::Open => "an open element".to_owned(),
        }
    }
}
