//! The built-in functions of meanings: what each takes and gives.

use super::types::Type;

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Int,
    Real,
    Number,
    Vector,
    List,
    DataType,
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Bool,
    Int,
    Real,
    Vector,
    /// The type of its arguments, which are numbers.
    Same,
}

impl Takes {
    pub(super) fn accepts(self, ty: &Type) -> bool {
        match self {
            Self::Int => *ty == Type::Int,
            Self::Real | Self::Number => ty.is_number() || *ty == Type::Open,
            Self::Vector => *ty == Type::vector(),
            Self::List => matches!(ty, Type::List(_) | Type::Tensors),
            Self::DataType => *ty == Type::DataType,
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Int => "a whole number",
            Self::Real | Self::Number => "a number",
            Self::Vector => "a list of whole numbers",
            Self::List => "a list or an array of tensors",
            Self::DataType => "a data type",
        }
    }
}

/// One function.
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) function: Function,
    pub(super) takes: &'static [Takes],
    pub(super) gives: Gives,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident = $name:literal($($takes:ident),+) -> $gives:ident;)+) => {
        /// Built-in function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function {
            $($(#[$doc])* $function,)+
        }

        /// Every function, in the order the documentation lists them.
        pub(super) static FUNCTIONS: &[Signature] = &[$(Signature {
            name: $name,
            function: Function::$function,
            takes: &[$(Takes::$takes),+],
            gives: Gives::$gives,
        },)+];
    };
}

functions! {
    /// `abs(a)`.
    Abs = "abs"(Number) -> Same;
    /// `min(a, b)`.
    Min = "min"(Number, Number) -> Same;
    /// `max(a, b)`.
    Max = "max"(Number, Number) -> Same;
    /// `clamp(x, least, most)`: `max(least, min(x, most))`.
    Clamp = "clamp"(Number, Number, Number) -> Same;
    /// `sign(a)`: -1, 0 or 1.
    Sign = "sign"(Number) -> Same;
    /// `exp(x)`.
    Exp = "exp"(Real) -> Real;
    /// `log(x)`, to base e.
    Log = "log"(Real) -> Real;
    /// `sqrt(x)`.
    Sqrt = "sqrt"(Real) -> Real;
    /// `pow(x, y)`; of whole numbers exact, if `y` is not negative.
    Pow = "pow"(Number, Number) -> Same;
    /// `sin(x)`.
    Sin = "sin"(Real) -> Real;
    /// `cos(x)`.
    Cos = "cos"(Real) -> Real;
    /// `tan(x)`.
    Tan = "tan"(Real) -> Real;
    /// `asin(x)`.
    Asin = "asin"(Real) -> Real;
    /// `acos(x)`.
    Acos = "acos"(Real) -> Real;
    /// `atan(x)`.
    Atan = "atan"(Real) -> Real;
    /// `sinh(x)`.
    Sinh = "sinh"(Real) -> Real;
    /// `cosh(x)`.
    Cosh = "cosh"(Real) -> Real;
    /// `tanh(x)`.
    Tanh = "tanh"(Real) -> Real;
    /// `asinh(x)`.
    Asinh = "asinh"(Real) -> Real;
    /// `acosh(x)`.
    Acosh = "acosh"(Real) -> Real;
    /// `atanh(x)`.
    Atanh = "atanh"(Real) -> Real;
    /// `erf(x)`.
    Erf = "erf"(Real) -> Real;
    /// `sigmoid(x)`: `1 / (1 + exp(-x))`.
    Sigmoid = "sigmoid"(Real) -> Real;
    /// `floor(x)`, a real.
    Floor = "floor"(Real) -> Real;
    /// `ceil(x)`, a real.
    Ceil = "ceil"(Real) -> Real;
    /// `round(x)`: the nearest whole number, ties to even; a real.
    Round = "round"(Real) -> Real;
    /// `trunc(x)`: towards zero; a real.
    Trunc = "trunc"(Real) -> Real;
    /// `int(x)`: the whole number that a real is.
    Int = "int"(Number) -> Int;
    /// `isnan(x)`.
    IsNan = "isnan"(Real) -> Bool;
    /// `isinf(x)`.
    IsInf = "isinf"(Real) -> Bool;
    /// `is_denormal(x)`: below the normal numbers of its tensor's type, and not 0.
    IsDenormal = "is_denormal"(Real) -> Bool;
    /// `is_negative(x)`: the sign is minus, also of a zero and of a NaN that is read.
    IsNegative = "is_negative"(Real) -> Bool;
    /// `is_negative_zero(x)`.
    IsNegativeZero = "is_negative_zero"(Real) -> Bool;
    /// `popcount(n)`: the bits that are set in a number that is not negative.
    PopCount = "popcount"(Int) -> Int;
    /// `count(list)`.
    Count = "count"(List) -> Int;
    /// `sum(list)`.
    Sum = "sum"(Vector) -> Int;
    /// `product(list)`.
    Product = "product"(Vector) -> Int;
    /// `contains(list, n)`.
    Contains = "contains"(Vector, Int) -> Bool;
    /// `distinct(list)`: no number stands twice.
    Distinct = "distinct"(Vector) -> Bool;
    /// `ravel(index, sizes)`: the number of an element in row-major order.
    Ravel = "ravel"(Vector, Vector) -> Int;
    /// `unravel(n, sizes)`: the index vector of an element by its number.
    Unravel = "unravel"(Int, Vector) -> Vector;
    /// `bits(T)`.
    Bits = "bits"(DataType) -> Int;
    /// `is_float(T)`.
    IsFloat = "is_float"(DataType) -> Bool;
    /// `min_value(T)`: the least number of a whole type.
    MinValue = "min_value"(DataType) -> Int;
    /// `max_value(T)`.
    MaxValue = "max_value"(DataType) -> Int;
}

impl Function {
    /// Its name in meanings.
    pub fn name(self) -> &'static str {
        let found = FUNCTIONS.iter().find(|signature| signature.function == self);
        found.map_or("", |signature| signature.name)
    }
}
