//! What the parser makes of a rule: a tree without meaning yet, and the mistakes found on the way.

use std::{fmt, ops::Range};

use super::typed::{Binary, Quantifier};
use crate::level::FeatureLevel;

/// One mistake in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// Stable code, such as `spec::unknown-name`.
    pub code: &'static str,
    /// Byte range in the rule's text.
    pub span: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// Index of the clause's observation whose rule this is about; `None` for the clause's own rule.
    pub observation: Option<usize>,
}

impl RuleError {
    /// A mistake without a hint.
    pub fn new(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            hint: None,
            observation: None,
        }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RuleError {}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Byte range in the rule's text.
    pub span: Range<usize>,
    /// What it is.
    pub kind: ExprKind,
    /// Levels of the tree below and with this one.
    pub(super) depth: usize,
}

/// What a parsed expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `true`, `false`.
    Bool(bool),
    /// Whole number.
    Int(i128),
    /// Number with a point or an exponent.
    Float(f64),
    /// `level("3.1")`.
    Level(FeatureLevel),
    /// A field, property, bound variable, enumeration constant, `Level` or `tensor`.
    Name(String),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `a.Name`; the place is the name's.
    Member(Box<Expr>, String, Range<usize>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `list with [i] = value`.
    With(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `not a`.
    Not(Box<Expr>),
    /// `-a`.
    Neg(Box<Expr>),
    /// Arithmetic, `and`, `or`, `implies`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a < b <= c`: the first operand and what follows.
    Compare(Box<Expr>, Vec<(Binary, Expr)>),
    /// `a in {b, c}`.
    In(Box<Expr>, Vec<Expr>),
    /// `if a then b else c`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `name(a, b)`; the place is the name's.
    Call(String, Range<usize>, Vec<Expr>),
    /// `all(d in a..b: body)`: quantifier, variable, from, to, body.
    Quantified(Quantifier, String, Box<Expr>, Box<Expr>, Box<Expr>),
    /// What only a meaning may hold.
    Meaning(Box<Meant>),
}

/// Operator with two operands that only a meaning may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// `a ++ b`: one list after the other.
    Concat,
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a << b`.
    Left,
    /// `a >> b`; keeps the sign.
    Right,
}

/// A variable and what it runs over: `j in a..b`, or `r in T.Sizes`, which gives index vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The variable.
    pub name: String,
    /// The first number, or the sizes.
    pub from: Expr,
    /// The end of the numbers, exclusive; `None` if the variable runs over sizes.
    pub to: Option<Expr>,
}

/// A form that only a meaning may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Meant {
    /// Two operands.
    Bits(Bits, Expr, Expr),
    /// `~a`.
    BitNot(Expr),
    /// `let x = value in body`.
    Let(String, Expr, Expr),
    /// `in T: body`: the data type that arithmetic of the body is done in.
    InType(Expr, Expr),
    /// `list[a..b]`.
    Slice(Expr, Expr, Expr),
    /// A call with words: `cast(x, T, overflow: wrap)`, `open("clause", among: a)`.
    Call(Call),
    /// `sum(i in a..b, where …: body)` and everything else that binds variables.
    Reduce(Reduce),
}

/// A call with arguments that have labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function.
    pub name: String,
    /// Place of its name.
    pub place: Range<usize>,
    /// Arguments without a label.
    pub arguments: Vec<Argument>,
    /// Arguments with a label.
    pub labelled: Vec<(String, Range<usize>, Vec<Argument>)>,
    /// What follows `else`.
    pub otherwise: Option<Expr>,
}

/// An argument of a call with labels.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An expression, perhaps a word such as `wrap`.
    Expr(Expr),
    /// A clause's id in double quotes, and its place.
    Clause(String, Range<usize>),
}

/// A form that binds variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// Its name.
    pub name: String,
    /// Place of its name.
    pub place: Range<usize>,
    /// Its variables, outermost first.
    pub binders: Vec<Binder>,
    /// The state of a `scan` and its value before the first step.
    pub state: Option<(String, Expr)>,
    /// Further arguments: a direction.
    pub arguments: Vec<Expr>,
    /// What follows labels: `where`, `to`, `by`, `value`, in this order of appearance.
    pub labelled: Vec<(String, Range<usize>, Expr)>,
    /// What follows the last colon.
    pub body: Option<Expr>,
    /// What follows `else`.
    pub otherwise: Option<Expr>,
}

/// Where the first part of a node starts, and the depth of its deepest part.
pub(super) fn extent(kind: &ExprKind) -> (usize, usize) {
    let mut start = None;
    let mut depth = 0;
    let mut part = |e: &Expr| {
        start.get_or_insert(e.span.start);
        depth = depth.max(e.depth);
    };
    match kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Level(_) | ExprKind::Name(_) => {}
        ExprKind::List(parts) | ExprKind::Call(_, _, parts) => parts.iter().for_each(part),
        ExprKind::Member(a, _, _) | ExprKind::Not(a) | ExprKind::Neg(a) => part(a),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| part(e)),
        ExprKind::With(a, b, c) | ExprKind::If(a, b, c) | ExprKind::Quantified(_, _, a, b, c) => {
            [a, b, c].into_iter().for_each(|e| part(e));
        }
        ExprKind::Compare(a, rest) => {
            part(a);
            rest.iter().for_each(|(_, e)| part(e));
            // A chain becomes a tree of `and`s as deep as it is long.
            depth += rest.len();
        }
        ExprKind::In(a, parts) => {
            part(a);
            parts.iter().for_each(part);
        }
        ExprKind::Meaning(meant) => meant.parts(&mut part),
    }
    (start.unwrap_or(0), depth)
}

impl Meant {
    /// Visits the expressions that this one is made of.
    fn parts(&self, part: &mut impl FnMut(&Expr)) {
        match self {
            Self::Bits(_, a, b) | Self::Let(_, a, b) | Self::InType(a, b) => [a, b].into_iter().for_each(part),
            Self::BitNot(a) => part(a),
            Self::Slice(a, b, c) => [a, b, c].into_iter().for_each(part),
            Self::Call(call) => {
                let labelled = call.labelled.iter().flat_map(|(_, _, arguments)| arguments);
                for argument in call.arguments.iter().chain(labelled) {
                    if let Argument::Expr(e) = argument {
                        part(e);
                    }
                }
                call.otherwise.iter().for_each(part);
            }
            Self::Reduce(reduce) => {
                let bounds = reduce
                    .binders
                    .iter()
                    .flat_map(|b| std::iter::once(&b.from).chain(&b.to));
                bounds.for_each(&mut *part);
                reduce.state.iter().for_each(|(_, start)| part(start));
                reduce.arguments.iter().for_each(&mut *part);
                reduce.labelled.iter().for_each(|(_, _, e)| part(e));
                reduce.body.iter().chain(&reduce.otherwise).for_each(part);
            }
        }
    }
}
