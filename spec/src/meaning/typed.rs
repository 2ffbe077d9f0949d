//! Checked meanings: every name resolved, every node typed. The evaluator reads this tree.

use std::ops::Range;

use super::{functions::Function, types::Type};
use crate::{
    model::Text,
    rule::{
        ast::Bits,
        typed::{Binary, Prop},
    },
};

/// What an operator computes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meaning {
    /// Intermediates, each after those that it uses.
    pub definitions: Vec<Definition>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// Ids of the clauses that `open` and `granted` name.
    pub clauses: Vec<Text>,
    /// What clauses leave open.
    pub openings: Vec<Opening>,
    /// Ways to read clauses.
    pub variants: Vec<Variant>,
    /// What holds whatever clauses leave open.
    pub invariants: Vec<Invariant>,
    /// How many variables are bound, all in all.
    pub slots: usize,
    /// How many forms scatter.
    pub scatters: usize,
}

/// A condition on an element that leaves open what rests on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Number of the clause.
    pub clause: u16,
    /// The tensor: an input, whose element is read, or an output.
    pub field: usize,
    /// The variable: the element `x` of an input, the index `o` of an output.
    pub slot: usize,
    /// The condition.
    pub condition: Node,
    /// Runtimes agree on what the text leaves open, so that it is open by the text alone.
    pub text_only: bool,
}

/// A way to read a clause: what it leaves open is not open, and something else is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Number of the clause.
    pub clause: u16,
    /// Its name.
    pub name: Text,
    /// Of which descriptors it speaks; of all if there is none.
    pub condition: Option<Node>,
    /// What is computed instead.
    pub instead: Vec<Instead>,
}

/// What is computed instead of a part of a meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum Instead {
    /// Of an intermediate, by its number.
    Definition(usize, Node),
    /// Of an output, by its number in the meaning.
    Output(usize, Node),
    /// Of the elements of a tensor that the clause leaves open: of an output also those that rest on what it opens; of an
    /// input all elements if it opens none there.
    Open {
        /// The tensor.
        field: usize,
        /// The element of an input, or the index of an output.
        slot: usize,
        /// What the element is.
        value: Node,
    },
    /// Denormals are kept, or zero.
    Denormals {
        /// They are kept.
        kept: bool,
    },
}

/// A condition on the elements of an output that holds whatever a clause leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// Number of the clause.
    pub clause: u16,
    /// Its name.
    pub name: Text,
    /// The output.
    pub field: usize,
    /// The variable of the element.
    pub element: usize,
    /// The variable of its index vector.
    pub index: usize,
    /// The condition.
    pub condition: Node,
}

/// An intermediate: computed once for each point of its domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: Text,
    /// What its indices run over; empty for a single value.
    pub domain: Vec<Bound>,
    /// Its value.
    pub body: Node,
}

/// The meaning of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its field.
    pub field: usize,
    /// For an array of tensors, the variable that counts them.
    pub element: Option<usize>,
    /// The variable that holds the index vector.
    pub index: usize,
    /// The value of each element.
    pub body: Node,
}

/// A variable and what it runs over.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The variable.
    pub slot: usize,
    /// The first number, or the sizes.
    pub from: Node,
    /// The end of the numbers, exclusive; `None` if the variable is an index vector within sizes.
    pub to: Option<Node>,
}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its type.
    pub ty: Type,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// What it computes.
    pub op: Op,
}

/// A tensor: a field, or an element of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorRef {
    /// The field.
    pub field: usize,
    /// Its place in an array of tensors.
    pub element: Option<Box<Node>>,
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `true`, `false`.
    Bool(bool),
    /// Whole number, data type or enumeration constant.
    Int(i128),
    /// Real literal.
    Real(f64),
    /// An attribute, a list, a nested operator.
    Field(usize),
    /// `ScaleBias.Scale` (0) or `.Bias` (1).
    ScaleBiasPart(usize, u8),
    /// A tensor, where a function takes one.
    Tensor(TensorRef),
    /// `T.Property`; strides are the packed ones if the descriptor has none.
    Prop(TensorRef, Prop),
    /// A variable.
    Slot(usize),
    /// An intermediate at a point of its domain: one index for each variable, a list for an index vector.
    Definition(usize, Vec<Node>),
    /// An element of a tensor, by its index vector.
    Read(TensorRef, Box<Node>),
    /// An element of a tensor's buffer, by its distance from the start; `else` beyond the buffer.
    Raw(TensorRef, Box<Node>, Box<Node>),
    /// `[a, b]`.
    List(Vec<Node>),
    /// `list[i]`.
    At(Box<Node>, Box<Node>),
    /// `list[a..b]`.
    Slice(Box<Node>, Box<Node>, Box<Node>),
    /// `list with [i] = value`.
    With(Box<Node>, Box<Node>, Box<Node>),
    /// `not`.
    Not(Box<Node>),
    /// Unary minus.
    Neg(Box<Node>),
    /// `~`.
    BitNot(Box<Node>),
    /// `+ - * / %` on two operands. Of reals, `+` and `-` are a [`Op::Chain`].
    Binary(Binary, Box<Node>, Box<Node>),
    /// A sum of terms in any order; `true` marks those that are subtracted.
    Chain(Vec<(bool, Node)>),
    /// Bits, and lists one after the other.
    Bits(Bits, Box<Node>, Box<Node>),
    /// `==`, `<` and so on.
    Compare(Binary, Box<Node>, Box<Node>),
    /// `and`, `or`, `implies`.
    Logic(Binary, Box<Node>, Box<Node>),
    /// `x in {A, B}`.
    In(Box<Node>, Vec<Node>),
    /// `if c then a else b`.
    If(Box<Node>, Box<Node>, Box<Node>),
    /// `let x = value in body`: one outcome for all uses.
    Let(usize, Box<Node>, Box<Node>),
    /// `in T: body`.
    InType(Box<Node>, Box<Node>),
    /// Built-in function.
    Call(Function, Vec<Node>),
    /// Whether a tensor, array, list or nested operator is not null.
    Present(usize),
    /// `cast(x, T, …)`.
    Cast(Box<Cast>),
    /// `open("clause")`, `open("clause", among: …)`.
    Open(u16, Vec<Node>),
    /// `either(a, b)`: ways to compute the same.
    Either(Vec<Node>),
    /// `continuous(e)`: the hull over the outcomes within.
    Continuous(Box<Node>),
    /// `granted("clause", e)`: leaving the range on the way may give an infinity or NaN.
    Granted(u16, Box<Node>),
    /// `apply(F, x)`: an activation on an element.
    Apply(Box<Node>, Box<Node>),
    /// A form that binds variables.
    Reduce(Box<Reduction>),
}

/// How a number becomes one of a data type.
#[derive(Clone, Debug, PartialEq)]
pub struct Cast {
    /// The number.
    pub value: Node,
    /// The data type.
    pub data_type: Node,
    /// How fractions, or digits that do not fit, are rounded.
    pub rounding: Rounding,
    /// What becomes of a number beyond the type's range. The test comes after rounding.
    pub overflow: Overflow,
    /// What becomes of NaN in a whole type.
    pub nan: Nan,
}

/// How a number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, ties to even.
    NearestEven,
    /// Towards zero.
    TowardZero,
    /// Down.
    Down,
    /// Up.
    Up,
    /// Either neighbour.
    Either,
}

/// What becomes of a number beyond a type's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// A mistake of the specification: the number must fit.
    Fits,
    /// The least or greatest number.
    Saturate,
    /// Modulo 2^n.
    Wrap,
    /// The infinity, or the greatest finite number if that is a neighbour.
    Infinity,
    /// Unspecified by this clause.
    Open(u16),
}

/// What becomes of NaN in a whole type.
#[derive(Clone, Debug, PartialEq)]
pub enum Nan {
    /// A mistake of the specification.
    Refused,
    /// This number.
    Value(Node),
    /// Unspecified by this clause.
    Open(u16),
}

/// A form that binds variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// What it computes.
    pub kind: Kind,
    /// Its variables, outermost first.
    pub binders: Vec<Bound>,
    /// Which points count.
    pub filter: Option<Node>,
    /// The value at each point; for `order` the key, for `scan` the next state.
    pub body: Option<Node>,
    /// The value over nothing.
    pub otherwise: Option<Node>,
}

/// What a form that binds variables computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `sum`.
    Sum,
    /// `product`.
    Product,
    /// `min`.
    Min,
    /// `max`.
    Max,
    /// `all`.
    All,
    /// `any`.
    Any,
    /// `count` of the points at which the body holds.
    Count,
    /// `first`: the first point at which the body holds.
    First,
    /// `last`.
    Last,
    /// `argmin`: the first point of the smallest value.
    ArgMin,
    /// `argmax`.
    ArgMax,
    /// `list` of the values.
    List,
    /// `order`: the permutation that sorts the keys, ties by ascending point; descending if the number is not 0.
    Order(Option<Node>),
    /// `prefix(sum, …)`: every partial sum, with the element itself.
    PrefixSum,
    /// `prefix(product, …)`.
    PrefixProduct,
    /// `scan`: every state, by the variable of the state and its start.
    Scan(usize, Node),
    /// `last(u in D, to: f(u), value: v)`: the value of the last point that leads to the output's index.
    Scatter(Scatter),
    /// `count(u in D, to: f(u))`: how many points lead to the output's index.
    ScatterCount(Scatter),
}

/// Points that lead to elements of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// Number of the form within the meaning.
    pub id: usize,
    /// The output's field, whose sizes hold the targets.
    pub field: usize,
    /// The variable with the output's index.
    pub index: usize,
    /// Where a point leads; a target outside the output counts nowhere.
    pub to: Node,
}
