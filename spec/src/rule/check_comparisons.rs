//! Types of comparisons and of membership.

use std::ops::Range;

use super::{
    ast::{Expr, RuleError},
    check::{Checked, Checker, MAX_REPEATED, describe},
    typed::{Binary, Node, Op, Type},
};

impl Checker<'_> {
    pub(super) fn chain(&mut self, first: &Expr, rest: &[(Binary, Expr)]) -> Checked {
        let operands: Vec<&Expr> = std::iter::once(first).chain(rest.iter().map(|(_, e)| e)).collect();
        let nodes = self.alike(&operands, None)?;
        let ty = nodes.first()?.ty.clone();
        let mut whole: Option<Node> = None;
        for (pair, (op, _)) in nodes.windows(2).zip(rest) {
            let [a, b] = pair else { continue };
            let span = a.span.start..b.span.end;
            self.comparable(*op, &ty, &span)?;
            if whole.is_some() {
                a.walk(&mut |_| self.repeated += 1);
            }
            if self.repeated > MAX_REPEATED {
                let message = "comparison chains in comparison chains make this rule too large".to_owned();
                return self.report(RuleError::new("spec::rule-syntax", span, message));
            }
            let compared = node(
                Type::Bool,
                span,
                Op::Binary(*op, Box::new(a.clone()), Box::new(b.clone())),
            );
            whole = Some(match whole {
                None => compared,
                Some(before) => {
                    let span = before.span.start..compared.span.end;
                    node(
                        Type::Bool,
                        span,
                        Op::Binary(Binary::And, Box::new(before), Box::new(compared)),
                    )
                }
            });
        }
        whole
    }

    fn comparable(&mut self, op: Binary, ty: &Type, span: &Range<usize>) -> Checked<()> {
        let equality = matches!(op, Binary::Eq | Binary::Ne);
        let fits = match ty {
            Type::Int | Type::Float | Type::Level => true,
            Type::Bool | Type::DataType | Type::Enum(_) | Type::List | Type::FloatList => equality,
            Type::Tensor | Type::Tensors | Type::Operator | Type::Operators | Type::ScaleBias => false,
        };
        if fits {
            return Some(());
        }
        let verb = if equality { "compared" } else { "ordered" };
        self.ill_typed(span, format!("{} cannot be {verb}", describe(ty)))
    }

    pub(super) fn membership(&mut self, value: &Expr, members: &[Expr]) -> Checked<(Type, Op)> {
        let value_span = &value.span;
        let value = self.expr(value, None)?;
        if !matches!(value.ty, Type::Int | Type::DataType | Type::Enum(_) | Type::Level) {
            let found = describe(&value.ty);
            return self.ill_typed(
                value_span,
                format!("found {found}, expected a number, constant or level before `in`"),
            );
        }
        let checked: Vec<_> = members.iter().map(|member| self.literal(member, &value.ty)).collect();
        let members = checked.into_iter().collect::<Option<Vec<_>>>()?;
        Some((Type::Bool, Op::In(Box::new(value), members)))
    }

    /// A member of `{…}`: a literal or constant, so that asking for it is always defined.
    fn literal(&mut self, member: &Expr, ty: &Type) -> Checked {
        let node = self.typed(member, ty)?;
        let constant = match &node.op {
            Op::Int(_) => true,
            Op::Neg(inner) => matches!(inner.op, Op::Int(_)),
            _ => false,
        };
        if constant {
            Some(node)
        } else {
            self.ill_typed(&member.span, "the members of `{…}` must be constants".to_owned())
        }
    }
}

fn node(ty: Type, span: Range<usize>, op: Op) -> Node {
    Node { ty, span, op }
}
