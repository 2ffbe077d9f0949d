//! Keywords and operators: how they are written and how tightly they bind.

use super::{
    ast::Bits,
    lexer::Token,
    typed::{Binary, Quantifier},
};

// How tightly operators bind, loosest first.
pub(super) const IMPLIES: u8 = 1;
pub(super) const OR: u8 = 2;
pub(super) const AND: u8 = 3;
pub(super) const NOT: u8 = 4;
pub(super) const COMPARISON: u8 = 5;
pub(super) const CONCAT: u8 = 6;
pub(super) const BIT_OR: u8 = 7;
pub(super) const BIT_XOR: u8 = 8;
pub(super) const BIT_AND: u8 = 9;
pub(super) const SHIFT: u8 = 10;
pub(super) const SUM: u8 = 11;
pub(super) const PRODUCT: u8 = 12;

/// Words that cannot be names.
pub(super) const KEYWORDS: [&str; 12] = [
    "and", "or", "not", "implies", "in", "with", "if", "then", "else", "true", "false", "let",
];

#[derive(Clone, Copy)]
pub(super) enum Infix {
    Binary(Binary),
    Bits(Bits),
    Chain,
    In,
}

pub(super) fn infix(token: Token<'_>) -> Option<(Infix, u8)> {
    if comparison(token).is_some() {
        return Some((Infix::Chain, COMPARISON));
    }
    let (op, level) = match token {
        Token::Name("in") => return Some((Infix::In, COMPARISON)),
        Token::Name("implies") => (Binary::Implies, IMPLIES),
        Token::Name("or") => (Binary::Or, OR),
        Token::Name("and") => (Binary::And, AND),
        Token::Symbol("+") => (Binary::Add, SUM),
        Token::Symbol("-") => (Binary::Sub, SUM),
        Token::Symbol("*") => (Binary::Mul, PRODUCT),
        Token::Symbol("/") => (Binary::Div, PRODUCT),
        Token::Symbol("%") => (Binary::Rem, PRODUCT),
        Token::Symbol("++") => return Some((Infix::Bits(Bits::Concat), CONCAT)),
        Token::Symbol("|") => return Some((Infix::Bits(Bits::Or), BIT_OR)),
        Token::Symbol("^") => return Some((Infix::Bits(Bits::Xor), BIT_XOR)),
        Token::Symbol("&") => return Some((Infix::Bits(Bits::And), BIT_AND)),
        Token::Symbol("<<") => return Some((Infix::Bits(Bits::Left), SHIFT)),
        Token::Symbol(">>") => return Some((Infix::Bits(Bits::Right), SHIFT)),
        _ => return None,
    };
    Some((Infix::Binary(op), level))
}

pub(super) fn comparison(token: Token<'_>) -> Option<Binary> {
    let Token::Symbol(symbol) = token else { return None };
    match symbol {
        "==" => Some(Binary::Eq),
        "!=" => Some(Binary::Ne),
        "<" => Some(Binary::Lt),
        "<=" => Some(Binary::Le),
        ">" => Some(Binary::Gt),
        ">=" => Some(Binary::Ge),
        _ => None,
    }
}

pub(super) fn quantifier(name: &str) -> Option<Quantifier> {
    match name {
        "all" => Some(Quantifier::All),
        "any" => Some(Quantifier::Any),
        "sum" => Some(Quantifier::Sum),
        "product" => Some(Quantifier::Product),
        "list" => Some(Quantifier::List),
        _ => None,
    }
}

pub(super) fn describe(token: Token<'_>) -> String {
    match token {
        Token::Int(value) => format!("`{value}`"),
        Token::Float(value) => format!("`{value}`"),
        Token::Text(text) => format!("the text \"{text}\""),
        Token::Name(name) => format!("`{name}`"),
        Token::Symbol(symbol) => format!("`{symbol}`"),
        Token::End => "the end of the rule".to_owned(),
    }
}
