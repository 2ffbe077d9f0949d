//! Rules to Rust: [`Node`] → the body of a function that returns `Option<bool>`, where `?` is *undefined*.
//!
//! An undefined part makes whatever looks at it undefined, up to the whole rule; so `?`, which leaves the
//! function at once, means what the interpreter does. `&&` and `||` skip their right side as the rules do.

use std::collections::BTreeSet;

use dml_spec::{
    model::{Catalog, Field, FieldKind},
    rule::typed::{Binary, Func, Node, Op, Prop, Quantifier, Type},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::{
    expr::{Expr, Item, Kind, Own, Prec},
    names,
};

/// A rule of the data (silences) cannot be part of a validator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a validator cannot evaluate {0}")]
pub(crate) struct Unsupported(pub(crate) &'static str);

/// What a rule asks of the function around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asks {
    /// It mentions the feature level.
    pub(crate) level: bool,
    /// It asks whether its subject is there.
    pub(crate) presence: bool,
    /// It looks at its subject.
    pub(crate) subject: bool,
}

impl Asks {
    pub(crate) fn of(rule: &Node) -> Self {
        let mut asks = Self::default();
        rule.walk(&mut |node| match &node.op {
            Op::Level => asks.level = true,
            Op::Subject => asks.subject = true,
            Op::Call(Func::Present, args) => {
                asks.presence |= args.iter().any(|a| matches!(a.op, Op::Subject));
            }
            _ => {}
        });
        asks
    }
}

/// The statements of a function that evaluates `rule`; with `presence` the subject is an `Option`.
pub(crate) fn body(
    catalog: &Catalog,
    fields: &[Field],
    rule: &Node,
    presence: bool,
) -> Result<TokenStream, Unsupported> {
    let mut hoisted = BTreeSet::new();
    certain(rule, fields, &mut hoisted);
    let mut translator = Translator {
        catalog,
        fields,
        hoisted,
        presence,
        vars: Vec::new(),
    };
    let value = translator.node(rule)?.returned();
    let lets = translator.hoisted.iter().filter_map(|i| fields.get(*i)).map(|field| {
        let name = names::snake(&field.name);
        quote!(let #name = self.#name.as_ref()?;)
    });
    Ok(quote!(#(#lets)* #value))
}

/// Collects the tensor fields that `node` looks at in any case.
fn certain(node: &Node, fields: &[Field], found: &mut BTreeSet<usize>) {
    match &node.op {
        Op::Field(i) => {
            if fields.get(*i).is_some_and(|f| matches!(f.kind, FieldKind::Tensor(_))) {
                found.insert(*i);
            }
        }
        Op::Bool(_) | Op::Int(_) | Op::Float(_) | Op::Level | Op::Subject | Op::Var(_) | Op::Call(Func::Present, _) => {
        }
        Op::ListOf(nodes) | Op::Call(_, nodes) => nodes.iter().for_each(|n| certain(n, fields, found)),
        Op::Prop(a, _) | Op::ScaleBiasPart(a, _) | Op::Not(a) | Op::Neg(a) | Op::In(a, _) => certain(a, fields, found),
        Op::Binary(Binary::And | Binary::Or | Binary::Implies, a, _) | Op::If(a, _, _) => certain(a, fields, found),
        Op::Element(a, b) | Op::Index(a, b) | Op::Binary(_, a, b) | Op::Quantified(_, a, b, _) => {
            certain(a, fields, found);
            certain(b, fields, found);
        }
        Op::With(a, b, c) => [a, b, c].into_iter().for_each(|n| certain(n, fields, found)),
    }
}

struct Translator<'a> {
    catalog: &'a Catalog,
    fields: &'a [Field],
    /// Tensor fields bound to a local of their name.
    hoisted: BTreeSet<usize>,
    /// The subject is an `Option`.
    presence: bool,
    /// Types of the bound variables.
    vars: Vec<Kind>,
}

type Translated = Result<Expr, Unsupported>;

impl Translator<'_> {
    fn node(&mut self, node: &Node) -> Translated {
        Ok(match &node.op {
            Op::Bool(value) => Expr::atom(quote!(#value), Kind::Bool),
            Op::Int(value) => self.constant(*value, &node.ty),
            Op::Float(value) => float(*value),
            Op::ListOf(nodes) => self.list(nodes)?,
            Op::Level => Expr::atom(quote!(level.0), Kind::U32),
            Op::Field(i) => self.field(*i, &node.ty)?,
            Op::Subject if self.presence => Expr::atom(quote!(tensor?), Kind::Tensor),
            Op::Subject => Expr::atom(quote!(tensor), Kind::Tensor),
            Op::Element(tensors, i) => {
                let (tensors, i) = (self.node(tensors)?.tokens, self.node(i)?.argument());
                Expr::atom(quote!(element(#tensors, #i)?), Kind::Tensor)
            }
            Op::Prop(tensor, prop) => property(&self.node(tensor)?, *prop),
            Op::ScaleBiasPart(pair, part) => {
                let (pair, part) = (self.node(pair)?.tokens, Literal::u8_unsuffixed(*part));
                Expr::atom(quote!(#pair.#part), Kind::F32)
            }
            Op::Var(depth) => {
                let (name, kind) = (var(*depth), self.vars.get(*depth).copied());
                Expr::atom(quote!(#name), kind.unwrap_or(Kind::I128 { width: 127 }))
            }
            Op::Index(list, i) => self.index(list, i)?,
            Op::With(list, i, value) => self.with(list, i, value)?,
            Op::Not(inner) => self.not(inner)?,
            Op::Neg(inner) => negative(&self.node(inner)?),
            Op::Binary(op, a, b) => self.binary(*op, a, b)?,
            Op::In(x, items) => self.member(x, items)?,
            Op::If(condition, a, b) => self.choice(condition, a, b)?,
            Op::Call(func, args) => self.call(*func, args)?,
            Op::Quantified(quantifier, from, to, body) => self.quantified(*quantifier, from, to, body)?,
        })
    }

    /// A number, by its name where it has one.
    fn constant(&self, value: i128, ty: &Type) -> Expr {
        let number = u32::try_from(value).ok();
        let named = number.and_then(|number| match ty {
            Type::DataType => self.catalog.data_type(number).map(|t| {
                let name = names::ident(&t.name);
                quote!(DataType::#name.0)
            }),
            Type::Enum(name) => self.catalog.enumeration(name).and_then(|e| {
                let (ty, member) = (names::enumeration(name), e.members.iter().find(|m| m.value == number)?);
                let member = names::member(&e.prefix(), &member.name);
                Some(quote!(#ty::#member.0))
            }),
            Type::Level => self.catalog.levels.iter().find(|l| l.level.0 == number).map(|l| {
                let name = crate::types::level_name(l.level);
                quote!(levels::#name.0)
            }),
            _ => None,
        });
        match named {
            Some(tokens) => Expr::atom(tokens, Kind::U32),
            None => Expr::literal(value),
        }
    }

    fn list(&mut self, nodes: &[Node]) -> Translated {
        let kind = Kind::List(Item::U32, Own::Owned);
        if nodes.is_empty() {
            return Ok(Expr::atom(quote!([0_u32; 0]), kind));
        }
        let mut items = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let item = self.node(node)?;
            items.push(match (i, item.kind) {
                // Tells the others their type.
                (0, Kind::Literal(value)) => match u32::try_from(value) {
                    Ok(value) => Literal::u32_suffixed(value).into_token_stream(),
                    Err(_) => item.raw(),
                },
                _ => item.raw(),
            });
        }
        Ok(Expr::atom(quote!([#(#items),*]), kind))
    }

    fn field(&mut self, index: usize, ty: &Type) -> Translated {
        let field = self
            .fields
            .get(index)
            .ok_or(Unsupported("a field that does not exist"))?;
        let name = names::snake(&field.name);
        let borrowed = |item| Kind::List(item, Own::Borrowed);
        Ok(match &field.kind {
            FieldKind::Tensor(_) if self.hoisted.contains(&index) => Expr::atom(quote!(#name), Kind::Tensor),
            FieldKind::Tensor(_) => Expr::atom(quote!(self.#name.as_ref()?), Kind::Tensor),
            FieldKind::Tensors(..) => Expr::atom(quote!(self.#name.as_deref()?), Kind::Tensors),
            FieldKind::Bool if *ty == Type::Bool => Expr::new(quote!(self.#name != 0), Prec::Compare, Kind::Bool),
            FieldKind::UInt | FieldKind::Bool => Expr::atom(quote!(self.#name), Kind::U32),
            FieldKind::Int => Expr::atom(quote!(self.#name), Kind::I32),
            FieldKind::Float => Expr::atom(quote!(self.#name), Kind::F32),
            FieldKind::Enum(_) => Expr::atom(quote!(self.#name.0), Kind::U32),
            FieldKind::UInts(_) => Expr::atom(quote!(self.#name.as_deref()?), borrowed(Item::U32)),
            FieldKind::Ints(_) => Expr::atom(quote!(self.#name.as_deref()?), borrowed(Item::I32)),
            FieldKind::Floats(_) => Expr::atom(quote!(self.#name.as_deref()?), Kind::FloatList),
            FieldKind::ScaleBias => Expr::atom(quote!(self.#name?), Kind::ScaleBias),
            FieldKind::Operator => Expr::atom(quote!(self.#name.as_deref()?), Kind::Operator),
            FieldKind::Operators(_) => Expr::atom(quote!(self.#name.as_deref()?), Kind::Operator),
            FieldKind::Size2D => Expr::atom(quote!([self.#name.0, self.#name.1]), Kind::List(Item::U32, Own::Owned)),
            FieldKind::Scalar(_) => return Err(Unsupported("a scalar union")),
        })
    }

    fn index(&mut self, list: &Node, i: &Node) -> Translated {
        let (list, i) = (self.node(list)?, self.node(i)?.argument());
        let slice = list.slice();
        let kind = match list.kind {
            Kind::List(Item::U32, _) => Kind::U32,
            Kind::List(Item::I32, _) => Kind::I32,
            Kind::FloatList => Kind::F32,
            _ => Kind::I128 { width: 127 },
        };
        Ok(Expr::atom(quote!(at(#slice, #i)?), kind))
    }

    fn with(&mut self, list: &Node, i: &Node, value: &Node) -> Translated {
        let (list, i, value) = (
            self.node(list)?.slice(),
            self.node(i)?.argument(),
            self.node(value)?.argument(),
        );
        Ok(Expr::atom(
            quote!(with(#list, #i, #value)?),
            Kind::List(Item::U32, Own::Owned),
        ))
    }

    /// `not`, as the opposite comparison where there is one.
    fn not(&mut self, inner: &Node) -> Translated {
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

    fn binary(&mut self, op: Binary, a: &Node, b: &Node) -> Translated {
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
    fn range(&mut self, op: Binary, left: &Node, right: &Node) -> Result<Option<Expr>, Unsupported> {
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

    fn member(&mut self, x: &Node, items: &[Node]) -> Translated {
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

    fn choice(&mut self, condition: &Node, a: &Node, b: &Node) -> Translated {
        let (condition, a, b) = (self.node(condition)?.tokens, self.node(a)?, self.node(b)?);
        let (a, b, kind) = match (a.kind, b.kind) {
            (Kind::Bool, _) => (a.tokens, b.tokens, Kind::Bool),
            (Kind::F32 | Kind::F64, _) => (a.float().tokens, b.float().tokens, Kind::F64),
            (Kind::List(..), _) => {
                let (a, b) = (a.slice(), b.slice());
                (quote!(ints(#a)), quote!(ints(#b)), Kind::List(Item::I128, Own::Owned))
            }
            (left, right) if left == right && !matches!(left, Kind::Literal(_)) => (a.tokens, b.tokens, left),
            _ => {
                let width = a.width().max(b.width());
                (a.wide_int().tokens, b.wide_int().tokens, Kind::I128 { width })
            }
        };
        Ok(Expr::new(quote!(if #condition { #a } else { #b }), Prec::Block, kind))
    }

    fn quantified(&mut self, quantifier: Quantifier, from: &Node, to: &Node, body: &Node) -> Translated {
        let (from, to) = (self.node(from)?, self.node(to)?);
        let plain = to.kind == Kind::U32 && from.same_type(&to);
        let kind = if plain {
            Kind::U32
        } else {
            Kind::I128 {
                width: from.width().max(to.width()),
            }
        };
        let depth = self.vars.len();
        let mut used = false;
        body.walk(&mut |node| used |= node.op == Op::Var(depth));
        let name = if used {
            var(depth).into_token_stream()
        } else {
            quote!(_)
        };
        self.vars.push(kind);
        let body = self.node(body);
        self.vars.pop();
        let body = body?;
        let end = |e: &Expr| {
            if plain {
                e.at_least(Prec::Sum)
            } else {
                e.wide_int().at_least(Prec::Sum)
            }
        };
        let (from, to) = (end(&from), end(&to));
        let (function, value, kind) = match quantifier {
            Quantifier::All => (quote!(all), body.returned(), Kind::Bool),
            Quantifier::Any => (quote!(any), body.returned(), Kind::Bool),
            Quantifier::Sum => (quote!(sum_of), body.wide_int().returned(), Kind::I128 { width: 127 }),
            Quantifier::Product => (
                quote!(product_of),
                body.wide_int().returned(),
                Kind::I128 { width: 127 },
            ),
            Quantifier::List => (
                quote!(list_of),
                body.wide_int().returned(),
                Kind::List(Item::U32, Own::Owned),
            ),
        };
        Ok(Expr::atom(quote!(#function(#from..#to, |#name| #value)?), kind))
    }

    fn call(&mut self, func: Func, args: &[Node]) -> Translated {
        if func == Func::Present {
            return self.present(args);
        }
        let [first, rest @ ..] = args else {
            return Err(Unsupported("a function without arguments"));
        };
        let a = self.node(first)?;
        if let [second] = rest {
            let b = self.node(second)?;
            return Ok(two_arguments(func, &a, &b));
        }
        if func == Func::IsKnown {
            return self.is_known(&a, first);
        }
        let question = match func {
            Func::Bits => quote!(bits),
            Func::IsFloat => quote!(is_float),
            Func::IsSigned => quote!(is_signed),
            Func::IsUnsigned => quote!(is_unsigned),
            _ => return one_argument(func, &a),
        };
        let value = self.named(&a, first, &quote!(DataType));
        Ok(match func {
            Func::Bits => Expr::atom(quote!(#value.#question()?), Kind::U32),
            _ => Expr::atom(quote!(#value.#question()), Kind::Bool),
        })
    }

    fn present(&mut self, args: &[Node]) -> Translated {
        let [place] = args else {
            return Err(Unsupported("`present` of several things"));
        };
        let tokens = match &place.op {
            Op::Field(i) => {
                let field = self.fields.get(*i).ok_or(Unsupported("a field that does not exist"))?;
                let name = names::snake(&field.name);
                match &field.kind {
                    FieldKind::UInt | FieldKind::Int | FieldKind::Float | FieldKind::Bool => quote!(true),
                    FieldKind::Enum(_) | FieldKind::Size2D | FieldKind::Scalar(_) => quote!(true),
                    _ => quote!(self.#name.is_some()),
                }
            }
            Op::Subject => quote!(tensor.is_some()),
            Op::Element(tensors, i) => {
                let (tensors, i) = (self.node(tensors)?.tokens, self.node(i)?.argument());
                quote!(element(#tensors, #i).map(|_| true)?)
            }
            _ => return Err(Unsupported("`present` of a computed value")),
        };
        Ok(Expr::atom(tokens, Kind::Bool))
    }

    fn is_known(&self, value: &Expr, node: &Node) -> Translated {
        let ty = match &node.ty {
            Type::DataType => quote!(DataType),
            Type::Enum(name) if self.catalog.enumeration(name).is_some() => {
                let name = names::enumeration(name);
                quote!(#name)
            }
            _ => return Err(Unsupported("an enumeration that does not exist")),
        };
        let value = self.named(value, node, &ty);
        Ok(Expr::atom(quote!(#value.is_known()), Kind::Bool))
    }

    /// A value of a newtype: the field that holds it, or made of a number.
    fn named(&self, value: &Expr, node: &Node, ty: &TokenStream) -> TokenStream {
        if let Op::Field(i) = node.op
            && let Some(field) = self.fields.get(i)
        {
            let name = names::snake(&field.name);
            return quote!(self.#name);
        }
        let number = value.raw();
        quote!(#ty(#number))
    }
}

/// Name of the variable that the quantifier of this depth binds.
fn var(depth: usize) -> Ident {
    match depth {
        0 => format_ident!("d"),
        depth => format_ident!("d{depth}"),
    }
}

fn float(value: f64) -> Expr {
    let literal = Literal::f64_unsuffixed(if value.is_finite() { value.abs() } else { 0.0 });
    match value {
        v if v.is_nan() => Expr::atom(quote!(f64::NAN), Kind::F64),
        v if v == f64::INFINITY => Expr::atom(quote!(f64::INFINITY), Kind::F64),
        v if v == f64::NEG_INFINITY => Expr::atom(quote!(f64::NEG_INFINITY), Kind::F64),
        v if v.is_sign_negative() => Expr::new(quote!(-#literal), Prec::Unary, Kind::F64),
        _ => Expr::atom(quote!(#literal), Kind::F64),
    }
}

fn property(tensor: &Expr, prop: Prop) -> Expr {
    let tensor = &tensor.tokens;
    let list = Kind::List(Item::U32, Own::Borrowed);
    let (tokens, kind) = match prop {
        Prop::Type => (quote!(#tensor.tensor_type), Kind::U32),
        Prop::DataType => (quote!(#tensor.data_type), Kind::U32),
        Prop::Flags => (quote!(#tensor.flags), Kind::U32),
        Prop::DimensionCount => (quote!(#tensor.dimension_count()), Kind::U32),
        Prop::Sizes => (quote!(#tensor.sizes.as_deref()?), list),
        Prop::Strides => (quote!(#tensor.strides.as_deref()?), list),
        Prop::TotalTensorSizeInBytes => (quote!(#tensor.total_tensor_size_in_bytes), Kind::U64),
        Prop::GuaranteedBaseOffsetAlignment => (quote!(#tensor.guaranteed_base_offset_alignment), Kind::U32),
    };
    Expr::atom(tokens, kind)
}

fn negative(value: &Expr) -> Expr {
    if matches!(value.kind, Kind::F32 | Kind::F64) {
        let value = value.float().at_least(Prec::Unary);
        return Expr::new(quote!(-#value), Prec::Unary, Kind::F64);
    }
    if let Kind::Literal(v) = value.kind
        && let Some(v) = v.checked_neg()
    {
        return Expr::literal(v);
    }
    let width = value.width();
    let value = value.wide_int();
    if width < 127 {
        let value = value.at_least(Prec::Unary);
        return Expr::new(quote!(-#value), Prec::Unary, Kind::I128 { width });
    }
    let value = value.at_least(Prec::Atom);
    Expr::wide(quote!(#value.checked_neg()?))
}

/// Operands that cannot overflow 128 bits get the plain operator.
fn arithmetic(op: Binary, a: &Expr, b: &Expr) -> Expr {
    if let (Kind::Literal(x), Kind::Literal(y)) = (a.kind, b.kind) {
        let folded = match op {
            Binary::Add => x.checked_add(y),
            Binary::Sub => x.checked_sub(y),
            Binary::Mul => x.checked_mul(y),
            _ => None,
        };
        if let Some(value) = folded {
            return Expr::literal(value);
        }
    }
    let widest = a.width().max(b.width()) + 1;
    let (method, sign, prec, width) = match op {
        Binary::Add => (quote!(checked_add), quote!(+), Prec::Sum, widest),
        Binary::Sub => (quote!(checked_sub), quote!(-), Prec::Sum, widest),
        Binary::Mul => (quote!(checked_mul), quote!(*), Prec::Product, a.width() + b.width()),
        _ => {
            let (function, width) = match op {
                Binary::Div => (quote!(div_floor), widest.min(127)),
                _ => (quote!(rem_floor), b.width()),
            };
            let (a, b) = (a.int().tokens, b.int().tokens);
            return Expr::atom(quote!(#function(#a, #b)?), Kind::I128 { width });
        }
    };
    if width < 127 {
        let tighter = if prec == Prec::Sum { Prec::Product } else { Prec::Unary };
        let (a, b) = (a.int().at_least(prec), b.int().at_least(tighter));
        return Expr::new(quote!(#a #sign #b), prec, Kind::I128 { width });
    }
    let (a, b) = (a.wide_int().at_least(Prec::Atom), b.int().tokens);
    Expr::wide(quote!(#a.#method(#b)?))
}

fn float_arithmetic(op: Binary, a: &Expr, b: &Expr) -> Expr {
    let (a, b) = (a.float(), b.float());
    let (sign, prec) = match op {
        Binary::Add => (quote!(+), Prec::Sum),
        Binary::Sub => (quote!(-), Prec::Sum),
        Binary::Mul => (quote!(*), Prec::Product),
        _ => {
            let (a, b) = (a.tokens, b.tokens);
            return Expr::atom(quote!(div_float(#a, #b)?), Kind::F64);
        }
    };
    let tighter = if prec == Prec::Sum { Prec::Product } else { Prec::Unary };
    let (a, b) = (a.at_least(prec), b.at_least(tighter));
    Expr::new(quote!(#a #sign #b), prec, Kind::F64)
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

fn two_arguments(func: Func, a: &Expr, b: &Expr) -> Expr {
    if func == Func::Contains {
        let (list, number) = (a.slice(), b.argument());
        return Expr::atom(quote!(contains(#list, #number)), Kind::Bool);
    }
    let width = a.width().max(b.width());
    let (x, y) = (a.wide_int(), b.int().tokens);
    let receiver = x.at_least(Prec::Atom);
    let x = &x.tokens;
    match func {
        Func::Min => Expr::atom(quote!(#receiver.min(#y)), Kind::I128 { width }),
        Func::Max => Expr::atom(quote!(#receiver.max(#y)), Kind::I128 { width }),
        Func::DivCeil => Expr::atom(quote!(div_ceil(#x, #y)?), Kind::I128 { width: a.width() }),
        _ => Expr::wide(quote!(align_up(#x, #y)?)),
    }
}

fn one_argument(func: Func, a: &Expr) -> Translated {
    let (tokens, slice) = (&a.tokens, a.slice());
    Ok(match func {
        Func::HasSizes => Expr::atom(quote!(#tokens.sizes.is_some()), Kind::Bool),
        Func::HasStrides => Expr::atom(quote!(#tokens.strides.is_some()), Kind::Bool),
        Func::Count => Expr::atom(quote!(count(#slice)), Kind::U32),
        Func::Product => Expr::wide(quote!(product(#slice)?)),
        Func::Sum => Expr::wide(quote!(sum(#slice)?)),
        Func::IsPowerOfTwo if a.kind == Kind::U32 => Expr::atom(quote!(#tokens.is_power_of_two()), Kind::Bool),
        Func::IsPowerOfTwo => {
            let a = a.int().tokens;
            Expr::atom(quote!(is_power_of_two(#a)), Kind::Bool)
        }
        Func::Distinct => Expr::atom(quote!(distinct(#slice)), Kind::Bool),
        Func::LayoutStrides => Expr::atom(quote!(layout_strides(#tokens)?), Kind::List(Item::U32, Own::Owned)),
        Func::MinimumTotalSize => Expr::atom(
            quote!(minimum_total_size(#tokens, DataType(#tokens.data_type).bits()?)?),
            Kind::U64,
        ),
        Func::Overlaps => Expr::atom(quote!(overlaps(#tokens)?), Kind::Bool),
        Func::HasNan | Func::HasNegativeZero | Func::HasDenormal => {
            return Err(Unsupported("the elements of a tensor"));
        }
        _ => return Err(Unsupported("a function with the wrong arguments")),
    })
}
