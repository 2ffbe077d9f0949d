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
    }
    (start.unwrap_or(0), depth)
}
