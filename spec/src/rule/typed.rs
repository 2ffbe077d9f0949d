//! Checked rules: every name resolved, every node typed. The interpreter and the code generator read this tree.
//!
//! Evaluation is total: an operation without a value (an index out of range, a missing tensor, a division by
//! zero, 128-bit overflow) makes the expression *undefined*. `and`, `or` and `implies` look at the right side only
//! if the left does not decide; anything else with an undefined part is undefined. An undefined rule does not
//! hold.

use std::{collections::BTreeSet, ops::Range};

pub use super::functions::Func;
use crate::model::Text;

/// Type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Truth value.
    Bool,
    /// Whole number, 128 bits signed.
    Int,
    /// 64-bit floating point.
    Float,
    /// Value of `DML_TENSOR_DATA_TYPE`; a number at run time.
    DataType,
    /// Value of the named enumeration; a number at run time.
    Enum(Text),
    /// Feature level; its `DML_FEATURE_LEVEL` number at run time.
    Level,
    /// List of whole numbers.
    List,
    /// List of floating point numbers.
    FloatList,
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
}

/// Property of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prop {
    /// `Type`: Enum(DML_TENSOR_TYPE).
    Type,
    /// `DataType`: DataType.
    DataType,
    /// `Flags`: Int.
    Flags,
    /// `DimensionCount`: Int.
    DimensionCount,
    /// `Sizes`: List; undefined if null.
    Sizes,
    /// `Strides`: List as written; undefined if null.
    Strides,
    /// `TotalTensorSizeInBytes`: Int.
    TotalTensorSizeInBytes,
    /// `GuaranteedBaseOffsetAlignment`: Int.
    GuaranteedBaseOffsetAlignment,
}

/// Operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+` on Int or Float.
    Add,
    /// `-` on Int or Float.
    Sub,
    /// `*` on Int or Float.
    Mul,
    /// `/` on Int (towards negative infinity, [`super::arith::div_floor`]) or Float; by zero undefined.
    Div,
    /// `%` on Int, sign of the divisor ([`super::arith::rem_floor`]); by zero undefined.
    Rem,
    /// `==` on two equal types; lists compare length and elements.
    Eq,
    /// `!=`.
    Ne,
    /// `<` on Int, Float, Level.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `and`: the right side only if the left holds.
    And,
    /// `or`: the right side only if the left does not hold.
    Or,
    /// `implies`: the right side only if the left holds.
    Implies,
}

impl Binary {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::And => "and",
            Self::Or => "or",
            Self::Implies => "implies",
        }
    }
}

/// What a quantifier does with its body over a half-open range of whole numbers.
///
/// A range that ends before it starts is empty; one longer than 4096 is undefined, so that no descriptor makes a
/// rule run long. The first element whose body is undefined makes the whole undefined. At most four are nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `all(d in a..b: bool)`: stops at the first that does not hold.
    All,
    /// `any(d in a..b: bool)`: stops at the first that holds.
    Any,
    /// `sum(d in a..b: int)`.
    Sum,
    /// `product(d in a..b: int)`.
    Product,
    /// `list(d in a..b: int)`: a List; elements outside 0..2^32 make it undefined.
    List,
}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its type.
    pub ty: Type,
    /// Byte range in the rule's text.
    pub span: Range<usize>,
    /// What it computes.
    pub op: Op,
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `true`, `false`.
    Bool(bool),
    /// Integer, data type, enumeration constant or feature level.
    Int(i128),
    /// Floating point literal.
    Float(f64),
    /// `[1, 2, x]`; elements outside 0..2^32 make it undefined.
    ListOf(Vec<Node>),
    /// The feature level the descriptor is checked for (`Level`).
    Level,
    /// The value of a field, by index in struct order: attributes, lists, tensors, arrays, nested operators. A
    /// `BOOL` is Bool, true unless 0; a null array is undefined; a `DML_SIZE_2D` is the List of width and height.
    Field(usize),
    /// The tensor a `TENSOR/` clause is about.
    Subject,
    /// `tensors[i]`: a tensor of an array.
    Element(Box<Node>, Box<Node>),
    /// `T.Property`.
    Prop(Box<Node>, Prop),
    /// `nested.Type`: what operator a nested one is, a `DML_OPERATOR_TYPE`.
    NestedType(Box<Node>),
    /// `scale_bias.Scale` (0) or `.Bias` (1).
    ScaleBiasPart(Box<Node>, u8),
    /// Bound variable, by depth of its quantifier from the outermost (0).
    Var(usize),
    /// `list[i]`.
    Index(Box<Node>, Box<Node>),
    /// `list with [index] = value`; index in range, value and all elements within 0..2^32, else undefined.
    With(Box<Node>, Box<Node>, Box<Node>),
    /// `not`.
    Not(Box<Node>),
    /// Unary minus.
    Neg(Box<Node>),
    /// Two operands.
    Binary(Binary, Box<Node>, Box<Node>),
    /// `x in {A, B}`; the members are literals or constants, whole numbers all.
    In(Box<Node>, Vec<Node>),
    /// `if c then a else b`.
    If(Box<Node>, Box<Node>, Box<Node>),
    /// Built-in function.
    Call(Func, Vec<Node>),
    /// Quantifier: from, to (exclusive), body.
    Quantified(Quantifier, Box<Node>, Box<Node>, Box<Node>),
}

/// The fields that rules mention, by their places.
pub fn mentioned<'n>(rules: impl IntoIterator<Item = &'n Node>) -> BTreeSet<usize> {
    let mut fields = BTreeSet::new();
    for rule in rules {
        rule.walk(&mut |node| {
            if let Op::Field(field) = node.op {
                fields.insert(field);
            }
        });
    }
    fields
}

impl Node {
    /// Calls `visit` for this node and all below it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        visit(self);
        match &self.op {
            Op::Bool(_) | Op::Int(_) | Op::Float(_) | Op::Level | Op::Field(_) | Op::Subject | Op::Var(_) => {}
            Op::ListOf(nodes) | Op::Call(_, nodes) => nodes.iter().for_each(|n| n.walk(visit)),
            Op::Prop(a, _) | Op::NestedType(a) | Op::ScaleBiasPart(a, _) | Op::Not(a) | Op::Neg(a) => a.walk(visit),
            Op::Element(a, b) | Op::Index(a, b) | Op::Binary(_, a, b) => [a, b].into_iter().for_each(|n| n.walk(visit)),
            Op::With(a, b, c) | Op::If(a, b, c) | Op::Quantified(_, a, b, c) => {
                [a, b, c].into_iter().for_each(|n| n.walk(visit));
            }
            Op::In(a, nodes) => {
                a.walk(visit);
                nodes.iter().for_each(|n| n.walk(visit));
            }
        }
    }
}
