//! Pieces of Rust with the facts that the translation needs: type, precedence, magnitude.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;

/// How tightly an expression binds; the order is Rust's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Prec {
    /// `if`, which needs parentheses everywhere but on its own.
    Block,
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `==`, `<`.
    Compare,
    /// `+`, `-`.
    Sum,
    /// `*`.
    Product,
    /// `!`, `-`, `&`.
    Unary,
    /// Calls, fields, literals.
    Atom,
}

/// Rust type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    /// Integer literal, which fits any type wide enough.
    Literal(i128),
    U32,
    U64,
    I32,
    I128,
    F32,
    F64,
    /// Elements, and whether it must be borrowed before use.
    List(Item, Own),
    FloatList,
    /// `&TensorDesc`.
    Tensor,
    /// `&[TensorDesc]`.
    Tensors,
    /// A nested operator or an array of them.
    Operator,
    /// `(f32, f32)`.
    ScaleBias,
}

/// Type of a list's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    U32,
    I32,
    /// Of both.
    I128,
}

/// Whether a list is a slice already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Borrowed,
    Owned,
}

/// A piece of Rust.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) tokens: TokenStream,
    pub(crate) prec: Prec,
    pub(crate) kind: Kind,
}

impl Expr {
    pub(crate) fn new(tokens: TokenStream, prec: Prec, kind: Kind) -> Self {
        Self { tokens, prec, kind }
    }

    /// Something that needs no parentheses.
    pub(crate) fn atom(tokens: TokenStream, kind: Kind) -> Self {
        Self::new(tokens, Prec::Atom, kind)
    }

    /// A whole number of 128 bits.
    pub(crate) fn wide(tokens: TokenStream) -> Self {
        Self::atom(tokens, Kind::I128)
    }

    /// As the value of a function that returns an `Option`: `Some(x)`, or `y` if it is `y?`.
    pub(crate) fn returned(&self) -> TokenStream {
        let tokens = &self.tokens;
        let mut inner: Vec<TokenTree> = tokens.clone().into_iter().collect();
        match inner.pop() {
            Some(TokenTree::Punct(last)) if last.as_char() == '?' && self.prec == Prec::Atom => {
                inner.into_iter().collect()
            }
            _ => quote!(Some(#tokens)),
        }
    }

    /// Turns `x.is_some()` into `x.is_none()`.
    pub(crate) fn absent(&self) -> Option<Self> {
        let mut tokens: Vec<TokenTree> = self.tokens.clone().into_iter().collect();
        let arguments = tokens.pop()?;
        match tokens.pop()? {
            TokenTree::Ident(method) if method == "is_some" && self.prec == Prec::Atom => {
                let before: TokenStream = tokens.into_iter().collect();
                Some(Self::atom(quote!(#before is_none #arguments), Kind::Bool))
            }
            _ => None,
        }
    }

    /// An integer literal.
    pub(crate) fn literal(value: i128) -> Self {
        let literal = Literal::i128_unsuffixed(value);
        Self::new(
            quote!(#literal),
            if value < 0 { Prec::Unary } else { Prec::Atom },
            Kind::Literal(value),
        )
    }

    /// The tokens, in parentheses if they bind less tightly than `least`.
    pub(crate) fn at_least(&self, least: Prec) -> TokenStream {
        let tokens = &self.tokens;
        if self.prec < least {
            quote!((#tokens))
        } else {
            tokens.clone()
        }
    }

    /// As an argument that takes any width.
    pub(crate) fn argument(&self) -> TokenStream {
        match self.kind {
            Kind::Literal(value) if i32::try_from(value).is_err() => self.wide_int().tokens,
            _ => self.tokens.clone(),
        }
    }

    /// As `u32`, undefined if it does not fit.
    pub(crate) fn raw(&self) -> TokenStream {
        let tokens = self.argument();
        match self.kind {
            Kind::U32 => tokens,
            Kind::Literal(value) if u32::try_from(value).is_ok() => self.tokens.clone(),
            _ => quote!(raw(#tokens)?),
        }
    }

    /// As `i128`, literals with their suffix.
    pub(crate) fn wide_int(&self) -> Self {
        let Kind::Literal(value) = self.kind else {
            return self.int();
        };
        let literal = Literal::i128_suffixed(value);
        Self {
            tokens: quote!(#literal),
            ..self.clone()
        }
    }

    /// As `i128`, next to an operand that determines the type of literals.
    pub(crate) fn int(&self) -> Self {
        let tokens = &self.tokens;
        match self.kind {
            Kind::I128 | Kind::Literal(_) => self.clone(),
            _ => Self::wide(quote!(int(#tokens))),
        }
    }

    /// As `f64`.
    pub(crate) fn float(&self) -> Self {
        let tokens = &self.tokens;
        match self.kind {
            Kind::F32 => Self::atom(quote!(f64::from(#tokens)), Kind::F64),
            _ => self.clone(),
        }
    }

    /// As a slice.
    pub(crate) fn slice(&self) -> TokenStream {
        match self.kind {
            Kind::List(_, Own::Owned) => {
                let inner = self.at_least(Prec::Unary);
                quote!(&#inner)
            }
            _ => self.tokens.clone(),
        }
    }

    /// Whether it can be compared with `other` without conversion.
    pub(crate) fn same_type(&self, other: &Self) -> bool {
        let fits = |value: i128, kind: Kind| match kind {
            Kind::U32 => u32::try_from(value).is_ok(),
            Kind::I32 => i32::try_from(value).is_ok(),
            Kind::U64 => u64::try_from(value).is_ok(),
            Kind::I128 => true,
            Kind::Literal(other) => i32::try_from(value).is_ok() && i32::try_from(other).is_ok(),
            _ => false,
        };
        match (self.kind, other.kind) {
            (Kind::Literal(value), kind) | (kind, Kind::Literal(value)) => fits(value, kind),
            (a, b) => a == b,
        }
    }
}
