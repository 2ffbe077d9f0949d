//! The built-in functions of rules: what each takes and gives.

use super::typed::{Func, Type};

impl Func {
    /// Its name in rules; empty for a function that no rule can call.
    pub fn name(self) -> &'static str {
        let found = FUNCTIONS.iter().find(|function| function.func == self);
        found.map_or("", |function| function.name)
    }
}

/// What a function accepts in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// Whole number.
    Int,
    /// List of whole numbers.
    List,
    /// Tensor.
    Tensor,
    /// Data type.
    DataType,
    /// List of any kind, or array of tensors.
    Countable,
    /// Data type or enumeration.
    Named,
    /// A field that can be null, an element of an array, or `tensor`.
    Nullable,
    /// A nested operator.
    Operator,
}

impl Takes {
    pub(super) fn accepts(self, ty: &Type) -> bool {
        match self {
            Self::Int => *ty == Type::Int,
            Self::List => *ty == Type::List,
            Self::Tensor => *ty == Type::Tensor,
            Self::DataType => *ty == Type::DataType,
            Self::Countable => matches!(ty, Type::List | Type::FloatList | Type::Tensors),
            Self::Named => matches!(ty, Type::DataType | Type::Enum(_)),
            Self::Operator => *ty == Type::Operator,
            Self::Nullable => matches!(
                ty,
                Type::Tensor | Type::Tensors | Type::Operator | Type::ScaleBias | Type::List | Type::FloatList
            ),
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Int => "a whole number",
            Self::List => "a list of whole numbers",
            Self::Tensor => "a tensor",
            Self::DataType => "a data type",
            Self::Countable => "a list or an array of tensors",
            Self::Named => "a data type or a member of an enumeration",
            Self::Nullable => "a field that can be null",
            Self::Operator => "a nested operator",
        }
    }
}

/// One function.
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) func: Func,
    pub(super) takes: &'static [Takes],
    pub(super) gives: Type,
    /// Reads the elements of a tensor.
    pub(super) data: bool,
}

const fn function(name: &'static str, func: Func, takes: &'static [Takes], gives: Type) -> Signature {
    Signature {
        name,
        func,
        takes,
        gives,
        data: false,
    }
}

/// A function that reads elements, or that only rules about elements use.
const fn of_data(name: &'static str, func: Func, takes: &'static [Takes], gives: Type) -> Signature {
    Signature {
        name,
        func,
        takes,
        gives,
        data: true,
    }
}

/// Every function, in the order the documentation lists them.
pub(super) static FUNCTIONS: [Signature; 33] = [
    function("present", Func::Present, &[Takes::Nullable], Type::Bool),
    function("has_sizes", Func::HasSizes, &[Takes::Tensor], Type::Bool),
    function("has_strides", Func::HasStrides, &[Takes::Tensor], Type::Bool),
    function("count", Func::Count, &[Takes::Countable], Type::Int),
    function("min", Func::Min, &[Takes::Int, Takes::Int], Type::Int),
    function("max", Func::Max, &[Takes::Int, Takes::Int], Type::Int),
    function("product", Func::Product, &[Takes::List], Type::Int),
    function("sum", Func::Sum, &[Takes::List], Type::Int),
    function("div_ceil", Func::DivCeil, &[Takes::Int, Takes::Int], Type::Int),
    function("align_up", Func::AlignUp, &[Takes::Int, Takes::Int], Type::Int),
    function("is_power_of_two", Func::IsPowerOfTwo, &[Takes::Int], Type::Bool),
    function("contains", Func::Contains, &[Takes::List, Takes::Int], Type::Bool),
    function("distinct", Func::Distinct, &[Takes::List], Type::Bool),
    function("bits", Func::Bits, &[Takes::DataType], Type::Int),
    function("is_known", Func::IsKnown, &[Takes::Named], Type::Bool),
    function("number", Func::Number, &[Takes::Named], Type::Int),
    function("is_float", Func::IsFloat, &[Takes::DataType], Type::Bool),
    function("is_signed", Func::IsSigned, &[Takes::DataType], Type::Bool),
    function("is_unsigned", Func::IsUnsigned, &[Takes::DataType], Type::Bool),
    function("layout_strides", Func::LayoutStrides, &[Takes::Tensor], Type::List),
    function(
        "minimum_total_size",
        Func::MinimumTotalSize,
        &[Takes::Tensor],
        Type::Int,
    ),
    function("overlaps", Func::Overlaps, &[Takes::Tensor], Type::Bool),
    function("abs", Func::Abs, &[Takes::Int], Type::Int),
    function("unbound", Func::Unbound, &[Takes::Operator], Type::Bool),
    of_data("min_value", Func::MinValue, &[Takes::DataType], Type::Int),
    of_data("max_value", Func::MaxValue, &[Takes::DataType], Type::Int),
    of_data("least", Func::Least, &[Takes::Tensor], Type::Int),
    of_data("greatest", Func::Greatest, &[Takes::Tensor], Type::Int),
    of_data("fits", Func::Fits, &[Takes::Tensor, Takes::DataType], Type::Bool),
    of_data("has_infinity", Func::HasInfinity, &[Takes::Tensor], Type::Bool),
    of_data("has_nan", Func::HasNan, &[Takes::Tensor], Type::Bool),
    of_data("has_negative_zero", Func::HasNegativeZero, &[Takes::Tensor], Type::Bool),
    of_data("has_denormal", Func::HasDenormal, &[Takes::Tensor], Type::Bool),
];
