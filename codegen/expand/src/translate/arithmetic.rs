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
pub(super) fn arithmetic(op: Binary, a: &Expr, b: &Expr) -> Expr {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_as_wide_as_their_magnitude() {
        for (value, width) in [
            (0, 0),
            (1, 1),
            (-1, 1),
            (63, 6),
            (64, 7),
            (4294967295, 32),
            (i128::MAX, 127),
        ] {
            assert_eq!(Expr::literal(value).width(), width, "{value}");
        }
    }

    #[test]
    fn what_may_leave_128_bits_is_checked() {
        let total = Expr::atom(quote!(total), Kind::U64);
        for (factor, is_checked) in [(1 << 61, false), (1 << 62, true), (1 << 100, true)] {
            let product = arithmetic(Binary::Mul, &total, &Expr::literal(factor))
                .tokens
                .to_string();
            assert_eq!(product.contains("checked_mul"), is_checked, "{product}");
        }
        let sum = arithmetic(Binary::Add, &total, &Expr::literal(i128::MAX))
            .tokens
            .to_string();
        assert!(sum.contains("checked_add"), "{sum}");
    }
}
