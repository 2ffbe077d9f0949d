//! The built-in functions of rules: what each takes and gives.

use super::{check::describe, typed::Type};

impl Func {
    /// Its name in rules; empty for a function that no rule can call.
    pub fn name(self) -> &'static str {
        let found = FUNCTIONS.iter().find(|function| function.func == self);
        found.map_or("", |function| function.name)
    }
}

/// What a function accepts in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A value of this type.
    One(Type),
    /// List of any kind, or array of tensors or operators.
    Countable,
    /// A nested operator, or an array of them.
    Nested,
    /// Data type or enumeration.
    Named,
    /// A field that can be null, an element of an array, or `tensor`.
    Nullable,
}

impl Takes {
    pub(super) fn accepts(&self, ty: &Type) -> bool {
        match self {
            Self::One(of) => of == ty,
            Self::Countable => matches!(ty, Type::List | Type::FloatList | Type::Tensors | Type::Operators),
            Self::Nested => matches!(ty, Type::Operator | Type::Operators),
            Self::Named => matches!(ty, Type::DataType | Type::Enum(_)),
            Self::Nullable => matches!(
                ty,
                Type::Tensor
                    | Type::Tensors
                    | Type::Operator
                    | Type::Operators
                    | Type::ScaleBias
                    | Type::List
                    | Type::FloatList
            ),
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::One(of) => describe(of),
            Self::Countable => "a list, or an array of tensors or operators".to_owned(),
            Self::Nested => "a nested operator, or an array of them".to_owned(),
            Self::Named => "a data type or a member of an enumeration".to_owned(),
            Self::Nullable => "a field that can be null".to_owned(),
        }
    }
}

/// One function.
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) func: Func,
    pub(super) takes: &'static [Takes],
    pub(super) gives: Type,
    /// Reads the elements of a tensor, or is of use to rules about elements only.
    pub(super) data: bool,
}

macro_rules! functions {
    (@) => { false };
    (@data) => { true };
    (#Countable) => { Takes::Countable };
    (#Nested) => { Takes::Nested };
    (#Named) => { Takes::Named };
    (#Nullable) => { Takes::Nullable };
    (#$of:ident) => { Takes::One(Type::$of) };
    ($($(#[$doc:meta])* $func:ident = $name:literal($($takes:ident),+) -> $gives:ident $(, $data:ident)?;)+) => {
        /// Built-in function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Func {
            $($(#[$doc])* $func,)+
        }

        /// Every function, in the order the documentation lists them.
        pub(super) static FUNCTIONS: &[Signature] = &[$(Signature {
            name: $name,
            func: Func::$func,
            takes: &[$(functions!(#$takes)),+],
            gives: Type::$gives,
            data: functions!(@$($data)?),
        },)+];
    };
}

functions! {
    /// `present(field)`: Bool; of a tensor, array (also of numbers), nested operator or scale-bias: not null. Its
    /// argument is a field, an element of an array (undefined out of range) or the subject.
    Present = "present"(Nullable) -> Bool;
    /// `has_sizes(T)`: Bool; the sizes of a (present) tensor are not null.
    HasSizes = "has_sizes"(Tensor) -> Bool;
    /// `has_strides(T)`: Bool; the strides of a (present) tensor are not null.
    HasStrides = "has_strides"(Tensor) -> Bool;
    /// `count(list or tensors)`: Int.
    Count = "count"(Countable) -> Int;
    /// `min(a, b)`: Int.
    Min = "min"(Int, Int) -> Int;
    /// `max(a, b)`: Int.
    Max = "max"(Int, Int) -> Int;
    /// `product(list)`: Int, 1 for an empty list.
    Product = "product"(List) -> Int;
    /// `sum(list)`: Int.
    Sum = "sum"(List) -> Int;
    /// `div_ceil(a, b)`: Int, both non-negative, else undefined.
    DivCeil = "div_ceil"(Int, Int) -> Int;
    /// `align_up(a, b)`: Int, next multiple of b; both non-negative, else undefined.
    AlignUp = "align_up"(Int, Int) -> Int;
    /// `is_power_of_two(a)`: Bool.
    IsPowerOfTwo = "is_power_of_two"(Int) -> Bool;
    /// `contains(list, int)`: Bool.
    Contains = "contains"(List, Int) -> Bool;
    /// `distinct(list)`: Bool; no element twice.
    Distinct = "distinct"(List) -> Bool;
    /// `bits(DataType)`: Int; 0 for `UNKNOWN`, undefined for unknown values.
    Bits = "bits"(DataType) -> Int;
    /// `is_known(DataType)` or `is_known(Enum)`: Bool; the value is a member, of a flag set: a union of members.
    IsKnown = "is_known"(Named) -> Bool;
    /// `number(DataType)` or `number(Enum)`: Int; the value itself, a member or not.
    Number = "number"(Named) -> Int;
    /// `is_float(DataType)`, `is_signed(DataType)`, `is_unsigned(DataType)`: Bool; false for unknown values.
    IsFloat = "is_float"(DataType) -> Bool;
    /// See [`Func::IsFloat`].
    IsSigned = "is_signed"(DataType) -> Bool;
    /// See [`Func::IsFloat`].
    IsUnsigned = "is_unsigned"(DataType) -> Bool;
    /// `layout_strides(T)`: List; the strides, or the packed ones if null; undefined past 32 bits.
    LayoutStrides = "layout_strides"(Tensor) -> List;
    /// `minimum_total_size(T)`: Int; [`crate::layout::minimum_total_size`], undefined if the data type has no
    /// width or the layout makes no sense.
    MinimumTotalSize = "minimum_total_size"(Tensor) -> Int;
    /// `overlaps(T)`: Bool; two elements share a place. Exact. [`crate::layout::overlaps`]; undefined if the
    /// sizes are null, false if the strides are.
    Overlaps = "overlaps"(Tensor) -> Bool;
    /// `abs(a)`: Int.
    Abs = "abs"(Int) -> Int;
    /// `unbound(nested operator or array of them)`: Bool; every tensor of it is null.
    Unbound = "unbound"(Nested) -> Bool;
    /// `min_value(DataType)`: Int, the least number of an integer type; else undefined. Data rules only.
    MinValue = "min_value"(DataType) -> Int, data;
    /// `max_value(DataType)`: see [`Func::MinValue`].
    MaxValue = "max_value"(DataType) -> Int, data;
    /// `least(T)`: Int, the smallest element of a tensor of integers; else undefined. Data rules only.
    Least = "least"(Tensor) -> Int, data;
    /// `greatest(T)`: see [`Func::Least`].
    Greatest = "greatest"(Tensor) -> Int, data;
    /// `fits(T, DataType)`: Bool; every element, truncated towards zero, lies in the range of the data type. NaN and
    /// infinity fit floating point only. Data rules only.
    Fits = "fits"(Tensor, DataType) -> Bool, data;
    /// `has_infinity(T)`: Bool; data rules only.
    HasInfinity = "has_infinity"(Tensor) -> Bool, data;
    /// `has_nan(T)`: Bool; data rules only.
    HasNan = "has_nan"(Tensor) -> Bool, data;
    /// `has_negative_zero(T)`: Bool; data rules only.
    HasNegativeZero = "has_negative_zero"(Tensor) -> Bool, data;
    /// `has_denormal(T)`: Bool; data rules only.
    HasDenormal = "has_denormal"(Tensor) -> Bool, data;
}
