//! Numbers: literals and what computes with them.

use dml_spec::rule::typed::Binary;
use proc_macro2::Literal;
use quote::quote;

use crate::expr::{Expr, Kind, Prec};

pub(super) fn float(value: f64) -> Expr {
    let literal = Literal::f64_unsuffixed(if value.is_finite() { value.abs() } else { 0.0 });
    match value {
        v if v.is_nan() => Expr::atom(quote!(f64::NAN), Kind::F64),
        v if v == f64::INFINITY => Expr::atom(quote!(f64::INFINITY), Kind::F64),
        v if v == f64::NEG_INFINITY => Expr::atom(quote!(f64::NEG_INFINITY), Kind::F64),
        v if v.is_sign_negative() => Expr::new(quote!(-#literal), Prec::Unary, Kind::F64),
        _ => Expr::atom(quote!(#literal), Kind::F64),
    }
}

pub(super) fn negative(value: &Expr) -> Expr {
    if matches!(value.kind, Kind::F32 | Kind::F64) {
        let value = value.float().at_least(Prec::Unary);
        return Expr::new(quote!(-#value), Prec::Unary, Kind::F64);
    }
    if let Kind::Literal(v) = value.kind
        && let Some(v) = v.checked_neg()
    {
        return Expr::literal(v);
    }
    let value = value.wide_int().at_least(Prec::Atom);
    Expr::wide(quote!(#value.checked_neg()?))
}

/// Literals are computed here; anything else may leave 128 bits, and is undefined if it does.
pub(super) fn arithmetic(op: Binary, a: &Expr, b: &Expr) -> Expr {
    type Checked = fn(i128, i128) -> Option<i128>;
    let (method, compute): (_, Checked) = match op {
        Binary::Add => (quote!(checked_add), i128::checked_add),
        Binary::Sub => (quote!(checked_sub), i128::checked_sub),
        Binary::Mul => (quote!(checked_mul), i128::checked_mul),
        _ => {
            let function = if op == Binary::Div {
                quote!(div_floor)
            } else {
                quote!(rem_floor)
            };
            let (a, b) = (a.int().tokens, b.int().tokens);
            return Expr::wide(quote!(#function(#a, #b)?));
        }
    };
    if let (Kind::Literal(x), Kind::Literal(y)) = (a.kind, b.kind)
        && let Some(value) = compute(x, y)
    {
        return Expr::literal(value);
    }
    let (a, b) = (a.wide_int().at_least(Prec::Atom), b.int().tokens);
    Expr::wide(quote!(#a.#method(#b)?))
}

pub(super) fn float_arithmetic(op: Binary, a: &Expr, b: &Expr) -> Expr {
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
