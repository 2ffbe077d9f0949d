//! Types of expressions: lists, arithmetic, choices.

use std::ops::Range;

use super::{Checked, Checker};
use crate::meaning::{
    typed::{Kind, Node, Op},
    types::Type,
};
use crate::rule::{
    ast::{Bits, Expr, ExprKind, Meant},
    names::constant,
    typed::{Binary, Prop, Quantifier},
};

impl Checker<'_> {
    /// `want` helps to resolve short names of constants.
    pub(super) fn expr(&mut self, e: &Expr, want: Option<&Type>) -> Checked {
        let span = &e.span;
        let (ty, op) = match &e.kind {
            ExprKind::Bool(value) => (Type::Bool, Op::Bool(*value)),
            ExprKind::Int(value) => (Type::Int, Op::Int(*value)),
            ExprKind::Float(value) => (Type::Real, Op::Real(*value)),
            ExprKind::Level(_) => return self.ill_typed(span, "a meaning does not depend on the level".to_owned()),
            ExprKind::Name(name) => self.name(name, span, want)?,
            ExprKind::List(items) => self.list_of(items, span)?,
            ExprKind::Member(base, name, place) => self.member(base, name, place)?,
            ExprKind::Index(base, index) => self.index(base, index, span)?,
            ExprKind::With(list, index, value) => {
                let list = self.typed(list, &Type::vector());
                let (index, value) = (self.typed(index, &Type::Int), self.typed(value, &Type::Int));
                (
                    Type::vector(),
                    Op::With(Box::new(list?), Box::new(index?), Box::new(value?)),
                )
            }
            ExprKind::Not(a) => (Type::Bool, Op::Not(Box::new(self.typed(a, &Type::Bool)?))),
            ExprKind::Neg(a) => {
                let a = self.number(a)?;
                (a.ty.clone(), Op::Neg(Box::new(a)))
            }
            ExprKind::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), a, b) => {
                let (a, b) = (self.typed(a, &Type::Bool), self.typed(b, &Type::Bool));
                (Type::Bool, Op::Logic(*op, Box::new(a?), Box::new(b?)))
            }
            ExprKind::Binary(op, a, b) => self.arithmetic(*op, a, b, span)?,
            ExprKind::Compare(first, rest) => return self.chain(first, rest),
            ExprKind::In(value, members) => self.membership(value, members)?,
            ExprKind::If(condition, yes, no) => {
                let condition = self.typed(condition, &Type::Bool);
                let (ty, [yes, no]) = self.alike([yes, no], want)?;
                (ty, Op::If(Box::new(condition?), Box::new(yes), Box::new(no)))
            }
            ExprKind::Call(name, place, arguments) => self.call(name, place, arguments, span)?,
            ExprKind::Quantified(quantifier, variable, from, to, body) => {
                let kind = match quantifier {
                    Quantifier::All => "all",
                    Quantifier::Any => "any",
                    Quantifier::Sum => "sum",
                    Quantifier::Product => "product",
                    Quantifier::List => "list",
                };
                self.plain_form(kind, variable, from, to, body, span)?
            }
            ExprKind::Meaning(meant) => self.meant(meant, span, want)?,
        };
        Some(Self::node(ty, span, op))
    }

    fn meant(&mut self, meant: &Meant, span: &Range<usize>, want: Option<&Type>) -> Checked<(Type, Op)> {
        Some(match meant {
            Meant::Bits(Bits::Concat, a, b) => {
                let (a, b) = (self.expr(a, None), self.expr(b, None));
                let (a, b) = (a?, b?);
                let ty = self.unify(&a.ty, &b.ty, span)?;
                if !matches!(ty, Type::List(_)) {
                    return self.ill_typed(span, format!("found {}, expected lists to put together", ty.describe()));
                }
                (ty, Op::Bits(Bits::Concat, Box::new(a), Box::new(b)))
            }
            Meant::Bits(op, a, b) => {
                let (a, b) = (self.typed(a, &Type::Int), self.typed(b, &Type::Int));
                (Type::Int, Op::Bits(*op, Box::new(a?), Box::new(b?)))
            }
            Meant::BitNot(a) => (Type::Int, Op::BitNot(Box::new(self.typed(a, &Type::Int)?))),
            Meant::Let(name, value, body) => {
                let value = self.kept(value)?;
                let depth = self.variables.len();
                let slot = self.bind(name, value.ty.clone());
                self.note_length(slot, self.length(&value));
                let body = self.expr(body, want);
                self.variables.truncate(depth);
                let body = body?;
                (body.ty.clone(), Op::Let(slot, Box::new(value), Box::new(body)))
            }
            Meant::InType(data_type, body) => {
                let (place, data_type) = (&data_type.span, self.typed(data_type, &Type::DataType));
                let body = self.expr(body, want)?;
                let data_type = data_type?;
                if let Op::Int(value) = data_type.op
                    && !self.is_float(value)
                {
                    return self.ill_typed(place, "arithmetic is done in a floating point type".to_owned());
                }
                (body.ty.clone(), Op::InType(Box::new(data_type), Box::new(body)))
            }
            Meant::Slice(list, from, to) => {
                let list = self.typed(list, &Type::vector());
                let (from, to) = (self.typed(from, &Type::Int), self.typed(to, &Type::Int));
                (
                    Type::vector(),
                    Op::Slice(Box::new(list?), Box::new(from?), Box::new(to?)),
                )
            }
            Meant::Call(call) => self.labelled_call(call, span)?,
            Meant::Reduce(reduce) => self.reduce(reduce, span)?,
        })
    }

    /// An expression of this type, or one that becomes it: whole numbers where reals are expected.
    pub(super) fn typed(&mut self, e: &Expr, ty: &Type) -> Checked {
        let node = self.expr(e, Some(ty))?;
        if self.fits(&node.ty, ty) {
            return Some(node);
        }
        let (found, expected) = (node.ty.describe(), ty.describe());
        self.ill_typed(&e.span, format!("found {found}, expected {expected}"))
    }

    /// An expression that is a number.
    pub(super) fn number(&mut self, e: &Expr) -> Checked {
        let node = self.expr(e, None)?;
        if node.ty.is_number() || node.ty == Type::Open {
            return Some(node);
        }
        let found = node.ty.describe();
        self.ill_typed(&e.span, format!("found {found}, expected a number"))
    }

    pub(super) fn fits(&self, found: &Type, expected: &Type) -> bool {
        match (found, expected) {
            _ if found == expected => true,
            (Type::Open, _) => true,
            (found, Type::Real | Type::Number) => found.is_number(),
            // Without tables nobody knows the types of a tensor; the evaluator sees.
            (Type::Number, Type::Int) => self.operator.support.is_empty(),
            (Type::List(found), Type::List(expected)) => self.fits(found, expected),
            _ => false,
        }
    }

    /// The type of both.
    pub(super) fn unify(&mut self, a: &Type, b: &Type, span: &Range<usize>) -> Checked<Type> {
        match (a, b) {
            _ if a == b => Some(a.clone()),
            (Type::Open, other) | (other, Type::Open) => Some(other.clone()),
            (Type::Real, other) | (other, Type::Real) if other.is_number() => Some(Type::Real),
            (a, b) if a.is_number() && b.is_number() => Some(Type::Number),
            (Type::List(a), Type::List(b)) => Some(Type::List(Box::new(self.unify(a, b, span)?))),
            _ => {
                let message = format!("found {} beside {}", b.describe(), a.describe());
                self.ill_typed(span, message)
            }
        }
    }

    /// Two operands of one type; a short name of a constant takes the other's.
    fn alike(&mut self, operands: [&Expr; 2], want: Option<&Type>) -> Checked<(Type, [Node; 2])> {
        let [a, b] = operands;
        // Both are read, so that a mistake in one hides none in the other.
        let (a, b) = if self.is_short(a) {
            let b = self.expr(b, want);
            (self.expr(a, b.as_ref().map(|b| &b.ty).or(want)), b)
        } else {
            let a = self.expr(a, want);
            let b = self.expr(b, a.as_ref().map(|a| &a.ty).or(want));
            (a, b)
        };
        let (a, b) = (a?, b?);
        let span = operands[0].span.start..operands[1].span.end;
        let ty = self.unify(&a.ty, &b.ty, &span)?;
        Some((ty, [a, b]))
    }

    fn is_short(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(name) if !self.variables.iter().any(|v| v.name == *name)
            && !self.operator.fields.iter().any(|f| f.name == *name)
            && !self.meaning.definitions.iter().any(|d| d.name == *name)
            && constant(self.catalog, name, None).is_none())
    }

    fn list_of(&mut self, items: &[Expr], span: &Range<usize>) -> Checked<(Type, Op)> {
        let nodes: Vec<_> = items.iter().map(|item| self.kept(item)).collect();
        let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
        let mut ty = nodes.first().map_or(Type::Int, |n| n.ty.clone());
        for node in nodes.iter().skip(1) {
            ty = self.unify(&ty, &node.ty, span)?;
        }
        Some((Type::List(Box::new(ty)), Op::List(nodes)))
    }

    fn arithmetic(&mut self, op: Binary, a: &Expr, b: &Expr, span: &Range<usize>) -> Checked<(Type, Op)> {
        let (a, b) = (self.expr(a, None), self.expr(b, None));
        let (a, b) = (a?, b?);
        let ty = self.unify(&a.ty, &b.ty, span)?;
        if ty == Type::vector() {
            // Index vectors: dimension by dimension.
            return Some((ty, Op::Binary(op, Box::new(a), Box::new(b))));
        }
        if !ty.is_number() && ty != Type::Open {
            return self.ill_typed(span, format!("found {}, expected numbers", ty.describe()));
        }
        if op == Binary::Rem && ty == Type::Real {
            return self.ill_typed(span, "`%` needs whole numbers, found reals".to_owned());
        }
        let is_sum = matches!(op, Binary::Add | Binary::Sub);
        if !is_sum || ty == Type::Int {
            return Some((ty, Op::Binary(op, Box::new(a), Box::new(b))));
        }
        let mut terms = Vec::new();
        flatten(a, false, &mut terms);
        flatten(b, op == Binary::Sub, &mut terms);
        Some((ty, Op::Chain(terms)))
    }

    fn chain(&mut self, first: &Expr, rest: &[(Binary, Expr)]) -> Checked {
        let operands: Vec<&Expr> = std::iter::once(first).chain(rest.iter().map(|(_, e)| e)).collect();
        let mut whole: Option<Node> = None;
        for (pair, (op, _)) in operands.windows(2).zip(rest) {
            let [a, b] = pair else { continue };
            let span = a.span.start..b.span.end;
            let (ty, [a, b]) = self.alike([a, b], None)?;
            let equality = matches!(op, Binary::Eq | Binary::Ne);
            let fits = match &ty {
                ty if ty.is_number() => true,
                Type::Bool | Type::DataType | Type::Enum(_) => equality,
                Type::List(of) => equality && **of == Type::Int,
                Type::Open => true,
                _ => false,
            };
            if !fits {
                return self.ill_typed(&span, format!("{} cannot be compared so", ty.describe()));
            }
            let compared = Self::node(Type::Bool, &span, Op::Compare(*op, Box::new(a), Box::new(b)));
            whole = Some(match whole {
                None => compared,
                Some(before) => {
                    let span = before.span.start..compared.span.end;
                    Self::node(
                        Type::Bool,
                        &span,
                        Op::Logic(Binary::And, Box::new(before), Box::new(compared)),
                    )
                }
            });
        }
        whole
    }

    fn membership(&mut self, value: &Expr, members: &[Expr]) -> Checked<(Type, Op)> {
        let place = &value.span;
        let value = self.expr(value, None)?;
        if !matches!(value.ty, Type::Int | Type::Number | Type::DataType | Type::Enum(_)) {
            let found = value.ty.describe();
            return self.ill_typed(place, format!("found {found}, expected a whole number or a constant"));
        }
        let members: Vec<_> = members
            .iter()
            .map(|member| self.typed(member, &value.ty.clone()))
            .collect();
        let members = members.into_iter().collect::<Option<_>>()?;
        Some((Type::Bool, Op::In(Box::new(value), members)))
    }

    /// Whether an expression is the sizes of a tensor, or a part of them: never empty, since no size is 0.
    pub(super) fn is_size(&self, node: &Node) -> bool {
        match &node.op {
            Op::Prop(_, Prop::Sizes) => true,
            Op::With(list, _, value) => self.is_size(list) && self.is_size(value),
            Op::At(list, _) => self.is_size(list),
            Op::Int(n) => *n > 0,
            Op::If(_, yes, no) => self.is_size(yes) && self.is_size(no),
            Op::Definition(at, _) => self.meaning.definitions.get(*at).is_some_and(|d| self.is_size(&d.body)),
            Op::Reduce(list) if list.kind == Kind::List => list.body.as_ref().is_some_and(|size| self.is_size(size)),
            _ => false,
        }
    }
}

/// Adds the terms of a sum; a sum within a sum is one sum.
fn flatten(node: Node, negative: bool, terms: &mut Vec<(bool, Node)>) {
    match node.op {
        Op::Chain(inner) => terms.extend(inner.into_iter().map(|(sign, term)| (sign != negative, term))),
        Op::Neg(inner) => flatten(*inner, !negative, terms),
        _ => terms.push((negative, node)),
    }
}
