//! Rules to Rust: [`Node`] → the body of a function that returns `Option<bool>`, in which `?` is *undefined*.
//!
//! An undefined part makes whatever looks at it undefined, up to the whole rule; so `?`, which leaves the
//! function at once, means what the interpreter does. `&&` and `||` skip their right side as the rules do.

mod arithmetic;
mod calls;
mod logic;

use std::collections::BTreeSet;

use dml_spec::{
    model::{Catalog, Field, FieldKind},
    rule::typed::{Binary, Func, Node, Op, Prop, Quantifier, Type},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use self::arithmetic::{float, negative};
use crate::{
    expr::{Expr, Item, Kind, Own, Prec},
    names,
};

/// A rule about data (silences) cannot be part of a validator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a validator cannot evaluate {0}")]
pub(crate) struct Unsupported(pub(crate) &'static str);

/// What a rule needs from the function around it.
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

/// Collects the tensor fields that `node` reads in every evaluation.
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
        Op::Prop(a, _) | Op::NestedType(a) | Op::ScaleBiasPart(a, _) | Op::Not(a) | Op::Neg(a) | Op::In(a, _) => {
            certain(a, fields, found)
        }
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
            Op::NestedType(nested) => {
                let nested = self.node(nested)?.tokens;
                Expr::atom(quote!(find(&#nested.operator)?.type_value), Kind::U32)
            }
            Op::ScaleBiasPart(pair, part) => {
                let (pair, part) = (self.node(pair)?.tokens, Literal::u8_unsuffixed(*part));
                Expr::atom(quote!(#pair.#part), Kind::F32)
            }
            Op::Var(depth) => {
                let (name, kind) = (var(*depth), self.vars.get(*depth).copied());
                Expr::atom(quote!(#name), kind.unwrap_or(Kind::I128))
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

    /// A number, by its name if it has one.
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
            _ => Kind::I128,
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
            _ => (a.wide_int().tokens, b.wide_int().tokens, Kind::I128),
        };
        Ok(Expr::new(quote!(if #condition { #a } else { #b }), Prec::Block, kind))
    }

    fn quantified(&mut self, quantifier: Quantifier, from: &Node, to: &Node, body: &Node) -> Translated {
        let (from, to) = (self.node(from)?, self.node(to)?);
        let plain = to.kind == Kind::U32 && from.same_type(&to);
        let kind = if plain { Kind::U32 } else { Kind::I128 };
        let depth = self.vars.len();
        let mut used = false;
        let mut has_inner = false;
        body.walk(&mut |node| {
            used |= node.op == Op::Var(depth);
            has_inner |= matches!(node.op, Op::Quantified(..));
        });
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
            Quantifier::Sum => (quote!(sum_of), body.wide_int().returned(), Kind::I128),
            Quantifier::Product => (quote!(product_of), body.wide_int().returned(), Kind::I128),
            Quantifier::List => (
                quote!(list_of),
                body.wide_int().returned(),
                Kind::List(Item::U32, Own::Owned),
            ),
        };
        let call = quote!(#function(#from..#to, |#name| #value)?);
        if depth == 0 && !has_inner {
            return Ok(Expr::atom(call, kind));
        }
        // Ranges inside each other are limited together.
        let all = together(depth);
        let around = depth
            .checked_sub(1)
            .map_or_else(|| quote!(1), |around| together(around).into_token_stream());
        let all = if has_inner { quote!(let #all =) } else { quote!() };
        Ok(Expr::atom(quote!({ #all nested(#around, #from..#to)?; #call }), kind))
    }
}

/// Name of what the quantifiers down to this depth run through together.
fn together(depth: usize) -> Ident {
    format_ident!("n{depth}")
}

/// Name of the variable that the quantifier of this depth binds.
fn var(depth: usize) -> Ident {
    match depth {
        0 => format_ident!("d"),
        depth => format_ident!("d{depth}"),
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
