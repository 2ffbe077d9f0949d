//! Truth: connectives, comparisons, ranges and sets, in the form a reader would write.

use dml_spec::rule::typed::{Binary, Node, Op, Type};
use quote::quote;

use super::{
    Translated, Translator, Unsupported,
    arithmetic::{arithmetic, float_arithmetic},
};
use crate::{
    expr::{Expr, Kind, Prec},
    names,
};

impl Translator<'_> {
    /// `not`, as the opposite comparison if there is one.
    pub(super) fn not(&mut self, inner: &Node) -> Translated {
        if let Op::Binary(op, a, b) = &inner.op {
            let ordered = !matches!(a.ty, Type::Float | Type::FloatList) && !matches!(b.ty, Type::Float);
            let opposite = match op {
                Binary::Eq => Some(Binary::Ne),
                Binary::Ne => Some(Binary::Eq),
                Binary::Lt if ordered => Some(Binary::Ge),
                Binary::Ge if ordered => Some(Binary::Lt),
                Binary::Gt if ordered => Some(Binary::Le),
                Binary::Le if ordered => Some(Binary::Gt),
                _ => None,
            };
            if let Some(opposite) = opposite {
                return self.binary(opposite, a, b);
            }
        }
        if let (Op::Field(i), Type::Bool) = (&inner.op, &inner.ty)
            && let Some(field) = self.fields.get(*i)
        {
            let name = names::snake(&field.name);
            return Ok(Expr::new(quote!(self.#name == 0), Prec::Compare, Kind::Bool));
        }
        let inner = self.node(inner)?;
        Ok(inner.absent().unwrap_or_else(|| {
            let inner = inner.at_least(Prec::Unary);
            Expr::new(quote!(!#inner), Prec::Unary, Kind::Bool)
        }))
    }

    pub(super) fn binary(&mut self, op: Binary, a: &Node, b: &Node) -> Translated {
        use Binary::{Add, And, Div, Eq, Implies, Mul, Ne, Or, Rem, Sub};
        if let Some(range) = self.range(op, a, b)? {
            return Ok(range);
        }
        match op {
            And | Or | Implies => {
                let left = if op == Implies { self.not(a)? } else { self.node(a)? };
                let (prec, sign) = if op == And {
                    (Prec::And, quote!(&&))
                } else {
                    (Prec::Or, quote!(||))
                };
                let (left, right) = (left.at_least(prec), self.node(b)?.at_least(prec));
                Ok(Expr::new(quote!(#left #sign #right), prec, Kind::Bool))
            }
            Add | Sub | Mul | Div | Rem => {
                let (left, right) = (self.node(a)?, self.node(b)?);
                let float = a.ty == Type::Float || b.ty == Type::Float;
                Ok(if float {
                    float_arithmetic(op, &left, &right)
                } else {
                    arithmetic(op, &left, &right)
                })
            }
            Eq | Ne if matches!(b.op, Op::Bool(_)) => {
                if (b.op == Op::Bool(true)) == (op == Eq) {
                    self.node(a)
                } else {
                    self.not(a)
                }
            }
            Eq | Ne if matches!(a.op, Op::Bool(_)) => self.binary(op, b, a),
            Eq | Ne if matches!(a.ty, Type::List | Type::FloatList) => {
                let (left, right) = (self.node(a)?, self.node(b)?);
                let (left_slice, right_slice) = (left.slice(), right.slice());
                let equal = match left.kind {
                    Kind::FloatList => quote!(#left_slice == #right_slice),
                    _ => quote!(same(#left_slice, #right_slice)),
                };
                let prec = if left.kind == Kind::FloatList {
                    Prec::Compare
                } else {
                    Prec::Atom
                };
                let equal = Expr::new(equal, prec, Kind::Bool);
                let inner = equal.at_least(Prec::Unary);
                Ok(if op == Eq {
                    equal
                } else {
                    Expr::new(quote!(!#inner), Prec::Unary, Kind::Bool)
                })
            }
            _ => {
                let (left, right) = (self.node(a)?, self.node(b)?);
                Ok(comparison(op, &left, &right))
            }
        }
    }

    /// `a <= x and x <= 8` as `(a..=8).contains(&x)`.
    pub(super) fn range(&mut self, op: Binary, left: &Node, right: &Node) -> Result<Option<Expr>, Unsupported> {
        let (Op::Binary(Binary::Le, low, x), Op::Binary(upper @ (Binary::Le | Binary::Lt), again, high)) =
            (&left.op, &right.op)
        else {
            return Ok(None);
        };
        let whole = x.ty == Type::Int && matches!(high.op, Op::Int(_));
        if op != Binary::And || x != again || !whole {
            return Ok(None);
        }
        let (low, x, high) = (self.node(low)?, self.node(x)?, self.node(high)?);
        if !low.same_type(&x) || !high.same_type(&x) {
            return Ok(None);
        }
        let (low, high, x) = (
            low.at_least(Prec::Sum),
            high.at_least(Prec::Sum),
            x.at_least(Prec::Unary),
        );
        let range = if *upper == Binary::Le {
            quote!(#low..=#high)
        } else {
            quote!(#low..#high)
        };
        Ok(Some(Expr::atom(quote!((#range).contains(&#x)), Kind::Bool)))
    }

    pub(super) fn member(&mut self, x: &Node, items: &[Node]) -> Translated {
        let x = self.node(x)?;
        let items = items.iter().map(|n| self.node(n)).collect::<Result<Vec<_>, _>>()?;
        if items.is_empty() {
            return Ok(Expr::atom(quote!(false), Kind::Bool));
        }
        let plain = !matches!(x.kind, Kind::Literal(_)) && items.iter().all(|i| i.same_type(&x));
        let tokens = |e: &Expr| if plain { e.tokens.clone() } else { e.wide_int().tokens };
        let (wanted, items) = (tokens(&x), items.iter().map(tokens));
        Ok(Expr::atom(quote!([#(#items),*].contains(&#wanted)), Kind::Bool))
    }
}

fn comparison(op: Binary, a: &Expr, b: &Expr) -> Expr {
    let unsigned = matches!(a.kind, Kind::U32 | Kind::U64) && b.kind == Kind::Literal(0);
    let (op, a) = match op {
        Binary::Le if unsigned => (Binary::Eq, a.clone()),
        Binary::Lt | Binary::Ge if unsigned => (op, a.int()),
        _ => (op, a.clone()),
    };
    let a = &a;
    let sign = match op {
        Binary::Ne => quote!(!=),
        Binary::Lt => quote!(<),
        Binary::Le => quote!(<=),
        Binary::Gt => quote!(>),
        Binary::Ge => quote!(>=),
        _ => quote!(==),
    };
    let (a, b) = match (a.kind, b.kind) {
        (Kind::Bool, _) => (a.clone(), b.clone()),
        (Kind::F32 | Kind::F64, _) => (a.float(), b.float()),
        _ if a.same_type(b) => (a.clone(), b.clone()),
        (Kind::Literal(_), _) => (a.wide_int(), b.int()),
        _ => (a.int(), b.int()),
    };
    let (a, b) = (a.at_least(Prec::Sum), b.at_least(Prec::Sum));
    Expr::new(quote!(#a #sign #b), Prec::Compare, Kind::Bool)
}
