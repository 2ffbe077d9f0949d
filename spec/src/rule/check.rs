//! Gives the names of a parsed rule their meaning and every part its type.

use std::ops::Range;

pub use super::names::Scope;
use super::{
    ast::{Bits, Expr, ExprKind, Meant, RuleError},
    names::{OPERATOR_TYPE, PROPS, candidates, constant, field_type, nearest, prop, prop_type},
    typed::{Binary, Node, Op, Type},
};
use crate::{
    level::FeatureLevel,
    model::{Field, FieldKind, Text},
};

/// Most quantifiers around one place.
pub const MAX_VARIABLES: usize = 4;
/// Most nodes that comparison chains may repeat: `a < b < c` has `b` twice.
pub(super) const MAX_REPEATED: usize = 4096;

/// Checks names and types of a rule. `expected` is the type the whole must have, if that is known; it also lets
/// short names of constants stand alone.
///
/// # Errors
/// Every mistake found.
pub fn check(expr: &Expr, scope: &Scope<'_>, expected: Option<&Type>) -> Result<Node, Vec<RuleError>> {
    let mut checker = Checker {
        scope,
        variables: Vec::new(),
        errors: Vec::new(),
        repeated: 0,
    };
    let node = match expected {
        Some(ty) => checker.typed(expr, ty),
        None => checker.expr(expr, None),
    };
    match node {
        Some(node) if checker.errors.is_empty() => Ok(node),
        _ => Err(checker.errors),
    }
}

pub(super) struct Checker<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) variables: Vec<String>,
    errors: Vec<RuleError>,
    pub(super) repeated: usize,
}

/// `None` after the mistake has been reported.
pub(super) type Checked<T = Node> = Option<T>;

impl Checker<'_> {
    /// `want` helps to resolve constants and number literals; the caller looks at the resulting type.
    pub(super) fn expr(&mut self, e: &Expr, want: Option<&Type>) -> Checked {
        let span = e.span.clone();
        let (ty, op) = match &e.kind {
            ExprKind::Bool(value) => (Type::Bool, Op::Bool(*value)),
            #[expect(
                clippy::cast_precision_loss,
                reason = "a literal that stands where a float is expected"
            )]
            ExprKind::Int(value) if want == Some(&Type::Float) => (Type::Float, Op::Float(*value as f64)),
            ExprKind::Int(value) => (Type::Int, Op::Int(*value)),
            ExprKind::Float(value) => (Type::Float, Op::Float(*value)),
            ExprKind::Level(level) => (Type::Level, self.level(*level, &span)?),
            ExprKind::Name(name) => self.name(name, &span, want)?,
            ExprKind::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.typed(item, &Type::Int)).collect();
                (Type::List, Op::ListOf(items.into_iter().collect::<Option<_>>()?))
            }
            ExprKind::Member(base, name, place) => self.member(base, name, place)?,
            ExprKind::Index(base, index) => self.index(base, index)?,
            ExprKind::With(list, index, value) => {
                let list = self.typed(list, &Type::List);
                let index = self.typed(index, &Type::Int);
                let value = self.typed(value, &Type::Int);
                (
                    Type::List,
                    Op::With(Box::new(list?), Box::new(index?), Box::new(value?)),
                )
            }
            ExprKind::Not(a) => (Type::Bool, Op::Not(Box::new(self.typed(a, &Type::Bool)?))),
            ExprKind::Neg(a) => self.negated(a, want)?,
            ExprKind::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), a, b) => {
                let (a, b) = (self.typed(a, &Type::Bool), self.typed(b, &Type::Bool));
                (Type::Bool, Op::Binary(*op, Box::new(a?), Box::new(b?)))
            }
            ExprKind::Binary(op, a, b) => self.arithmetic(*op, a, b, want)?,
            ExprKind::Compare(first, rest) => return self.chain(first, rest),
            ExprKind::In(value, members) => self.membership(value, members)?,
            ExprKind::If(condition, yes, no) => self.choice(condition, yes, no, want)?,
            ExprKind::Call(name, place, arguments) => self.call(name, place, arguments)?,
            ExprKind::Quantified(quantifier, variable, from, to, body) => {
                self.quantified(*quantifier, variable, [from, to, body], &span)?
            }
            ExprKind::Meaning(meant) => return self.meaning_only(meant, &span),
        };
        Some(Node { ty, span, op })
    }

    pub(super) fn typed(&mut self, e: &Expr, ty: &Type) -> Checked {
        let node = self.expr(e, Some(ty))?;
        if node.ty == *ty {
            return Some(node);
        }
        self.ill_typed(
            &e.span,
            format!("found {}, expected {}", describe(&node.ty), describe(ty)),
        )
    }

    /// Refuses what only a meaning may hold.
    fn meaning_only(&mut self, meant: &Meant, span: &Range<usize>) -> Checked {
        let (what, hint) = match meant {
            Meant::Bits(Bits::And, ..) => ("`&`", Some("write `and`")),
            Meant::Bits(Bits::Or, ..) => ("`|`", Some("write `or`")),
            Meant::Bits(..) | Meant::BitNot(_) => ("this operator", None),
            Meant::Let(..) => ("`let`", None),
            Meant::InType(..) => ("an arithmetic type", None),
            Meant::Slice(..) => ("a part of a list", None),
            Meant::Call(_) | Meant::Reduce(_) => ("this form", None),
        };
        let message = format!("{what} may stand in a meaning only, not in a rule");
        self.report(RuleError {
            hint: hint.map(str::to_owned),
            ..RuleError::new("spec::rule-syntax", span.clone(), message)
        })
    }

    fn name(&mut self, name: &str, span: &Range<usize>, want: Option<&Type>) -> Checked<(Type, Op)> {
        if let Some(depth) = self.variables.iter().rposition(|v| v == name) {
            return Some((Type::Int, Op::Var(depth)));
        }
        if name == "Level" {
            return Some((Type::Level, Op::Level));
        }
        if self.scope.subject {
            if name == "tensor" {
                return Some((Type::Tensor, Op::Subject));
            }
            if let Some(prop) = prop(name) {
                let subject = Node {
                    ty: Type::Tensor,
                    span: span.clone(),
                    op: Op::Subject,
                };
                return Some((prop_type(prop), Op::Prop(Box::new(subject), prop)));
            }
        }
        if let Some((index, field)) = self.scope.fields.iter().enumerate().find(|(_, f)| f.name == name) {
            return match field_type(&field.kind) {
                Some(ty) => Some((ty, Op::Field(index))),
                None => self.ill_typed(span, format!("rules cannot read `{name}`, a scalar union")),
            };
        }
        if let Some((ty, value)) = constant(self.scope.catalog, name, want) {
            return Some((ty, Op::Int(value)));
        }
        self.unknown_name(name, span, want)
    }

    fn unknown_name<T>(&mut self, name: &str, span: &Range<usize>, want: Option<&Type>) -> Checked<T> {
        let hint = nearest(name, candidates(self.scope, want));
        let meant =
            |f: &Field| f.kind.role().is_some() && hint.as_ref().is_some_and(|h| h.contains(&format!("`{}`", f.name)));
        let tensor = name.ends_with("Tensor") || name.ends_with("Tensors") || self.scope.fields.iter().any(meant);
        let code = if tensor && !self.scope.subject {
            "spec::unknown-tensor"
        } else {
            "spec::unknown-name"
        };
        let message = match want {
            Some(Type::Enum(of)) => format!("`{name}` is neither a field nor a member of {of}"),
            Some(Type::DataType) => format!("`{name}` is neither a field nor a data type"),
            _ if self.scope.subject => format!("`{name}` is no property of a tensor"),
            _ if tensor => format!("`{name}` is no tensor of this operator"),
            _ => format!("`{name}` is no field of this operator"),
        };
        self.report(RuleError {
            hint,
            ..RuleError::new(code, span.clone(), message)
        })
    }

    fn member(&mut self, base: &Expr, name: &str, place: &Range<usize>) -> Checked<(Type, Op)> {
        let base = self.expr(base, None)?;
        let size = match &base.op {
            Op::Field(index) => self
                .scope
                .fields
                .get(*index)
                .is_some_and(|f| f.kind == FieldKind::Size2D),
            _ => false,
        };
        match (&base.ty, name) {
            (Type::Tensor, _) => match prop(name) {
                Some(prop) => Some((prop_type(prop), Op::Prop(Box::new(base), prop))),
                None => self.unknown_property("a tensor", name, place, &PROPS.map(|(name, _)| name)),
            },
            (Type::ScaleBias, "Scale") => Some((Type::Float, Op::ScaleBiasPart(Box::new(base), 0))),
            (Type::ScaleBias, "Bias") => Some((Type::Float, Op::ScaleBiasPart(Box::new(base), 1))),
            (Type::ScaleBias, _) => self.unknown_property("a scale and bias", name, place, &["Scale", "Bias"]),
            // A size reads as the list of width and height.
            (Type::List, "Width" | "Height") if size => {
                let index = Node {
                    ty: Type::Int,
                    span: place.clone(),
                    op: Op::Int(i128::from(name == "Height")),
                };
                Some((Type::Int, Op::Index(Box::new(base), Box::new(index))))
            }
            (Type::List, _) if size => self.unknown_property("a size", name, place, &["Width", "Height"]),
            (Type::Operator, "Type") => Some((
                Type::Enum(Text::Borrowed(OPERATOR_TYPE)),
                Op::NestedType(Box::new(base)),
            )),
            (Type::Operator, _) => self.ill_typed(
                place,
                "rules can only ask for the `Type` of a nested operator, and whether it is `present`".to_owned(),
            ),
            (other, _) => {
                let message = format!("{} has no properties", describe(other));
                self.report(RuleError::new("spec::unknown-property", place.clone(), message))
            }
        }
    }

    fn unknown_property<T>(&mut self, of: &str, name: &str, place: &Range<usize>, known: &[&str]) -> Checked<T> {
        let message = format!("{of} has no property `{name}`");
        let hint = nearest(name, known).or_else(|| Some(format!("there are {}", known.join(", "))));
        self.report(RuleError {
            hint,
            ..RuleError::new("spec::unknown-property", place.clone(), message)
        })
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Checked<(Type, Op)> {
        let span = &base.span;
        let (base, index) = (self.expr(base, None), self.typed(index, &Type::Int));
        let (base, index) = (Box::new(base?), Box::new(index?));
        match base.ty {
            Type::List => Some((Type::Int, Op::Index(base, index))),
            Type::FloatList => Some((Type::Float, Op::Index(base, index))),
            Type::Tensors => Some((Type::Tensor, Op::Element(base, index))),
            ref other => self.ill_typed(span, format!("found {}, expected a list to index", describe(other))),
        }
    }

    fn negated(&mut self, operand: &Expr, want: Option<&Type>) -> Checked<(Type, Op)> {
        let operand_span = &operand.span;
        let operand = self.expr(operand, want)?;
        match operand.ty.clone() {
            ty @ (Type::Int | Type::Float) => Some((ty, Op::Neg(Box::new(operand)))),
            other => self.ill_typed(
                operand_span,
                format!("found {}, expected a number to negate", describe(&other)),
            ),
        }
    }

    fn arithmetic(&mut self, op: Binary, a: &Expr, b: &Expr, want: Option<&Type>) -> Checked<(Type, Op)> {
        let span = a.span.start..b.span.end;
        let mut operands = self.alike(&[a, b], want)?.into_iter();
        let (a, b) = (operands.next()?, operands.next()?);
        match a.ty.clone() {
            Type::Float if op == Binary::Rem => {
                self.ill_typed(&span, "`%` needs whole numbers, found floating point".to_owned())
            }
            ty @ (Type::Int | Type::Float) => Some((ty, Op::Binary(op, Box::new(a), Box::new(b)))),
            other => self.ill_typed(
                &span,
                format!("found {}, expected numbers to reckon with", describe(&other)),
            ),
        }
    }

    /// Checks operands that must have one type; the first one that does not depend on context decides.
    pub(super) fn alike(&mut self, operands: &[&Expr], want: Option<&Type>) -> Checked<Vec<Node>> {
        let anchor = operands.iter().position(|e| !self.is_open(e)).unwrap_or(0);
        let deciding = self.expr(operands.get(anchor)?, want)?;
        let mut nodes = Vec::with_capacity(operands.len());
        for (i, operand) in operands.iter().enumerate() {
            let node = if i == anchor {
                Some(deciding.clone())
            } else {
                self.expr(operand, Some(&deciding.ty))
            };
            if let Some(node) = &node
                && node.ty != deciding.ty
            {
                let (found, expected) = (describe(&node.ty), describe(&deciding.ty));
                self.ill_typed::<()>(&operand.span, format!("found {found} beside {expected}"));
            }
            nodes.push(node);
        }
        let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
        nodes.iter().all(|n| n.ty == deciding.ty).then_some(nodes)
    }

    /// Whether the meaning of an operand depends on its neighbour: number literals and short constant names.
    fn is_open(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Name(name) => !self.is_known(name),
            ExprKind::Neg(a) => self.is_open(a),
            ExprKind::Binary(op, a, b) if !matches!(op, Binary::And | Binary::Or | Binary::Implies) => {
                self.is_open(a) && self.is_open(b)
            }
            ExprKind::If(_, a, b) => self.is_open(a) && self.is_open(b),
            _ => false,
        }
    }

    fn is_known(&self, name: &str) -> bool {
        name == "Level"
            || self.variables.iter().any(|v| v == name)
            || (self.scope.subject && (name == "tensor" || prop(name).is_some()))
            || self.scope.fields.iter().any(|f| f.name == name)
            // The full name of a flag is open: it may be a number.
            || constant(self.scope.catalog, name, Some(&Type::Int)).is_some_and(|(ty, _)| ty != Type::Int)
    }

    fn choice(&mut self, condition: &Expr, yes: &Expr, no: &Expr, want: Option<&Type>) -> Checked<(Type, Op)> {
        let condition = self.typed(condition, &Type::Bool);
        let mut branches = self.alike(&[yes, no], want)?.into_iter();
        let (yes, no) = (branches.next()?, branches.next()?);
        if matches!(
            yes.ty,
            Type::Tensor | Type::Tensors | Type::Operator | Type::Operators | Type::ScaleBias
        ) {
            return self.ill_typed(
                &(yes.span.start..no.span.end),
                format!("`if` cannot choose {}", describe(&yes.ty)),
            );
        }
        Some((
            yes.ty.clone(),
            Op::If(Box::new(condition?), Box::new(yes), Box::new(no)),
        ))
    }

    pub(super) fn ill_typed<T>(&mut self, span: &Range<usize>, message: String) -> Checked<T> {
        self.report(RuleError::new("spec::ill-typed-rule", span.clone(), message))
    }

    fn level(&mut self, level: FeatureLevel, span: &Range<usize>) -> Checked<Op> {
        let known: Vec<String> = self
            .scope
            .catalog
            .levels
            .iter()
            .map(|of| of.level.to_string())
            .collect();
        if known.is_empty() || known.contains(&level.to_string()) {
            return Some(Op::Int(level.0.into()));
        }
        let all = known.join(", ");
        let message = format!("feature level {level} is not among those of directml.yaml: {all}");
        self.report(RuleError::new("spec::unknown-level", span.clone(), message))
    }

    pub(super) fn report<T>(&mut self, error: RuleError) -> Checked<T> {
        self.errors.push(error);
        None
    }
}

pub(crate) fn describe(ty: &Type) -> String {
    match ty {
        Type::Bool => "a truth value".to_owned(),
        Type::Int => "a whole number".to_owned(),
        Type::Float => "a floating point number".to_owned(),
        Type::DataType => "a data type".to_owned(),
        Type::Enum(of) => format!("a member of {of}"),
        Type::Level => "a feature level".to_owned(),
        Type::List => "a list of whole numbers".to_owned(),
        Type::FloatList => "a list of floating point numbers".to_owned(),
        Type::Tensor => "a tensor".to_owned(),
        Type::Tensors => "an array of tensors".to_owned(),
        Type::Operator => "a nested operator".to_owned(),
        Type::Operators => "an array of nested operators".to_owned(),
        Type::ScaleBias => "a scale and bias".to_owned(),
    }
}
