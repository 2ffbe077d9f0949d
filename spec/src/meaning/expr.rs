//! Types of expressions: names, reads, lists, arithmetic, choices.

use std::ops::Range;

use super::{
    check::{Checked, Checker},
    typed::{Kind, Node, Op, TensorRef, Type},
};
use crate::{
    model::{DATA_TYPE, FieldKind, NumberClass},
    rule::{
        ast::{Bits, Expr, ExprKind, Meant},
        names::{PROPS, constant, nearest, prop, prop_type},
        typed::{Binary, Prop, Quantifier, Type as RuleType},
    },
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
                let value = self.expr(value, None)?;
                let depth = self.variables.len();
                let slot = self.bind(name, value.ty.clone());
                let body = self.expr(body, want);
                self.variables.truncate(depth);
                let body = body?;
                (body.ty.clone(), Op::Let(slot, Box::new(value), Box::new(body)))
            }
            Meant::InType(data_type, body) => {
                let data_type = self.typed(data_type, &Type::DataType);
                let body = self.expr(body, want)?;
                (body.ty.clone(), Op::InType(Box::new(data_type?), Box::new(body)))
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
        let (a, b) = if self.is_short(a) {
            let b = self.expr(b, want)?;
            (self.expr(a, Some(&b.ty))?, b)
        } else {
            let a = self.expr(a, want)?;
            let b = self.expr(b, Some(&a.ty))?;
            (a, b)
        };
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

    fn name(&mut self, name: &str, span: &Range<usize>, want: Option<&Type>) -> Checked<(Type, Op)> {
        if let Some(variable) = self.variables.iter().rev().find(|v| v.name == name) {
            return Some((variable.ty.clone(), Op::Slot(variable.slot)));
        }
        if let Some(at) = self.meaning.definitions.iter().position(|d| d.name == name) {
            let definition = self.meaning.definitions.get(at)?;
            if definition.domain.is_empty() {
                return Some((definition.body.ty.clone(), Op::Definition(at, Vec::new())));
            }
            return self.ill_typed(
                span,
                format!("the intermediate `{name}` needs its indices, as in `{name}[…]`"),
            );
        }
        if let Some(at) = self.operator.fields.iter().position(|f| f.name == name) {
            return self.field(at);
        }
        let rule_type = match want {
            Some(Type::DataType) => Some(RuleType::DataType),
            Some(Type::Enum(of)) => Some(RuleType::Enum(of.clone())),
            _ => None,
        };
        if let Some((ty, value)) = constant(self.catalog, name, rule_type.as_ref()) {
            let ty = match ty {
                RuleType::DataType => Type::DataType,
                RuleType::Enum(of) => Type::Enum(of),
                _ => Type::Int,
            };
            return Some((ty, Op::Int(value)));
        }
        let fields = self.operator.fields.iter().map(|f| f.name.to_string());
        let variables = self.variables.iter().map(|v| v.name.clone());
        let definitions = self.meaning.definitions.iter().map(|d| d.name.to_string());
        let hint = nearest(name, fields.chain(variables).chain(definitions).collect::<Vec<_>>());
        let message = format!("`{name}` is neither a field nor a variable nor an intermediate above");
        self.refuse("spec::unknown-name", span, message, hint)
    }

    fn field(&mut self, at: usize) -> Checked<(Type, Op)> {
        let ty = match &self.operator.fields.get(at)?.kind {
            FieldKind::UInt | FieldKind::Int => Type::Int,
            FieldKind::Float => Type::Real,
            FieldKind::Bool => Type::Bool,
            FieldKind::Enum(name) if name == DATA_TYPE => Type::DataType,
            FieldKind::Enum(name) => Type::Enum(name.clone()),
            FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Size2D => Type::vector(),
            FieldKind::Floats(_) => Type::List(Box::new(Type::Real)),
            FieldKind::Scalar(_) => Type::Number,
            FieldKind::ScaleBias => Type::ScaleBias,
            FieldKind::Operator => Type::Operator,
            FieldKind::Operators(_) => Type::Operators,
            FieldKind::Tensors(..) => Type::Tensors,
            FieldKind::Tensor(_) => {
                let tensor = TensorRef {
                    field: at,
                    element: None,
                };
                return Some((Type::Tensor, Op::Tensor(tensor)));
            }
        };
        Some((ty, Op::Field(at)))
    }

    fn list_of(&mut self, items: &[Expr], span: &Range<usize>) -> Checked<(Type, Op)> {
        let nodes: Vec<_> = items.iter().map(|item| self.expr(item, None)).collect();
        let nodes = nodes.into_iter().collect::<Option<Vec<_>>>()?;
        let mut ty = nodes.first().map_or(Type::Int, |n| n.ty.clone());
        for node in nodes.iter().skip(1) {
            ty = self.unify(&ty, &node.ty, span)?;
        }
        Some((Type::List(Box::new(ty)), Op::List(nodes)))
    }

    fn member(&mut self, base: &Expr, name: &str, place: &Range<usize>) -> Checked<(Type, Op)> {
        let base = self.expr(base, None)?;
        match (&base.op, &base.ty) {
            (Op::Tensor(tensor), _) => {
                let Some(prop) = prop(name) else {
                    let hint = nearest(name, PROPS.map(|(name, _)| name));
                    let message = format!("a tensor has no property `{name}`");
                    return self.refuse("spec::unknown-property", place, message, hint);
                };
                let ty = match prop_type(prop) {
                    RuleType::DataType => Type::DataType,
                    RuleType::List => Type::vector(),
                    RuleType::Enum(of) => Type::Enum(of),
                    _ => Type::Int,
                };
                Some((ty, Op::Prop(tensor.clone(), prop)))
            }
            (Op::Field(at), Type::ScaleBias) if name == "Scale" => Some((Type::Real, Op::ScaleBiasPart(*at, 0))),
            (Op::Field(at), Type::ScaleBias) if name == "Bias" => Some((Type::Real, Op::ScaleBiasPart(*at, 1))),
            (_, ty) => {
                let message = format!("{} has no property `{name}`", ty.describe());
                self.refuse("spec::unknown-property", place, message, None)
            }
        }
    }

    fn index(&mut self, base: &Expr, index: &Expr, span: &Range<usize>) -> Checked<(Type, Op)> {
        if let ExprKind::Name(name) = &base.kind
            && !self.variables.iter().any(|v| v.name == *name)
            && let Some(at) = self
                .meaning
                .definitions
                .iter()
                .position(|d| d.name == *name && !d.domain.is_empty())
        {
            return self.lookup(at, index);
        }
        let base = self.expr(base, None)?;
        match (base.ty.clone(), base.op.clone()) {
            (Type::Tensor, Op::Tensor(tensor)) => {
                let index = self.typed(index, &Type::vector())?;
                Some((self.element_type(tensor.field), Op::Read(tensor, Box::new(index))))
            }
            (Type::Tensors, Op::Field(field)) => {
                let element = Some(Box::new(self.typed(index, &Type::Int)?));
                Some((Type::Tensor, Op::Tensor(TensorRef { field, element })))
            }
            (Type::Operators, _) => {
                let index = self.typed(index, &Type::Int)?;
                Some((Type::Operator, Op::At(Box::new(base), Box::new(index))))
            }
            (Type::List(of), _) => {
                // `state[0, j]` looks into a list of lists.
                let indices: Vec<&Expr> = match &index.kind {
                    ExprKind::List(items) => items.iter().collect(),
                    _ => vec![index],
                };
                let (mut node, mut ty) = (base, *of);
                for (depth, index) in indices.iter().enumerate() {
                    let index = self.typed(index, &Type::Int)?;
                    if depth > 0 {
                        let Type::List(of) = ty else {
                            return self.ill_typed(span, format!("found {}, expected a list to index", ty.describe()));
                        };
                        ty = *of;
                    }
                    node = Self::node(ty.clone(), span, Op::At(Box::new(node), Box::new(index)));
                }
                Some((ty, node.op))
            }
            (other, _) => self.ill_typed(
                span,
                format!("found {}, expected a tensor or list to index", other.describe()),
            ),
        }
    }

    /// An intermediate at a point: an index for each of its variables.
    fn lookup(&mut self, at: usize, index: &Expr) -> Checked<(Type, Op)> {
        let definition = self.meaning.definitions.get(at)?;
        let ty = definition.body.ty.clone();
        let kinds: Vec<Type> = definition
            .domain
            .iter()
            .map(|bound| if bound.to.is_some() { Type::Int } else { Type::vector() })
            .collect();
        let name = definition.name.clone();
        let items: Vec<&Expr> = match &index.kind {
            ExprKind::List(items) if kinds.len() > 1 || kinds.first() == Some(&Type::Int) => items.iter().collect(),
            _ => vec![index],
        };
        if items.len() != kinds.len() {
            let (found, expected) = (items.len(), kinds.len());
            return self.ill_typed(&index.span, format!("`{name}` has {expected} indices, found {found}"));
        }
        let nodes: Vec<_> = items.iter().zip(&kinds).map(|(e, ty)| self.typed(e, ty)).collect();
        Some((ty, Op::Definition(at, nodes.into_iter().collect::<Option<_>>()?)))
    }

    /// The type of a tensor's elements, by the tables.
    pub(super) fn element_type(&self, field: usize) -> Type {
        let Some(name) = self.operator.fields.get(field).map(|f| &f.name) else {
            return Type::Number;
        };
        let rows = self.operator.support.iter().flat_map(|table| table.rows.iter());
        let types = rows.filter(|row| row.tensor == *name).flat_map(|row| row.types.iter());
        let classes = types
            .filter_map(|ty| self.catalog.data_type_named(ty))
            .map(|ty| ty.class == NumberClass::Float);
        let (mut float, mut whole) = (false, false);
        for is_float in classes {
            float |= is_float;
            whole |= !is_float;
        }
        match (float, whole) {
            (true, false) => Type::Real,
            (false, true) => Type::Int,
            _ => Type::Number,
        }
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
        let value = self.expr(value, None)?;
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
