//! A parsed rule as text again, with as few parentheses as its meaning needs.

use dml_spec::rule::{
    syntax::{Expr, ExprKind},
    typed::{Binary, Quantifier},
};

// How tightly the parts of a rule bind, as the parser has it.
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const SIGN: u8 = 8;
const POSTFIX: u8 = 9;

/// The text of a rule.
pub(super) fn text(expr: &Expr) -> String {
    of_kind(&expr.kind)
}

/// The text of a part of a rule.
pub(super) fn of_kind(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::Level(level) => format!("level(\"{level}\")"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::List(items) => format!("[{}]", list(items)),
        ExprKind::Member(base, name, _) => format!("{}.{name}", part(base, POSTFIX)),
        ExprKind::Index(base, index) => format!("{}[{}]", part(base, POSTFIX), text(index)),
        ExprKind::With(base, index, value) => {
            let (base, value) = (part(base, POSTFIX), part(value, SUM));
            format!("{base} with [{}] = {value}", text(index))
        }
        ExprKind::Not(a) => format!("not {}", part(a, NOT)),
        ExprKind::Neg(a) => format!("-{}", part(a, SIGN)),
        ExprKind::Binary(op, a, b) => {
            let level = level_of(*op);
            // Only `implies` groups to the right.
            let (left, right) = match op {
                Binary::Implies => (level + 1, level),
                _ => (level, level + 1),
            };
            format!("{} {} {}", part(a, left), op.sign(), part(b, right))
        }
        ExprKind::Compare(first, rest) => {
            let mut whole = part(first, SUM);
            for (op, operand) in rest {
                whole += &format!(" {} {}", op.sign(), part(operand, SUM));
            }
            whole
        }
        // No rule holds it.
        ExprKind::Meaning(_) => String::new(),
        ExprKind::In(value, members) => format!("{} in {{{}}}", part(value, SUM), list(members)),
        ExprKind::If(condition, yes, no) => {
            format!("if {} then {} else {}", text(condition), text(yes), text(no))
        }
        ExprKind::Call(name, _, arguments) => format!("{name}({})", list(arguments)),
        ExprKind::Quantified(quantifier, variable, from, to, body) => {
            let (word, from, to) = (word(*quantifier), part(from, SUM), part(to, SUM));
            format!("{word}({variable} in {from}..{to}: {})", text(body))
        }
    }
}

/// A part where nothing that binds less tightly than `least` may stand bare.
fn part(expr: &Expr, least: u8) -> String {
    let level = match &expr.kind {
        ExprKind::If(..) => IMPLIES,
        ExprKind::Binary(op, ..) => level_of(*op),
        ExprKind::Not(_) => NOT,
        ExprKind::Compare(..) | ExprKind::In(..) => COMPARISON,
        ExprKind::With(..) => SUM,
        ExprKind::Neg(_) => SIGN,
        ExprKind::Int(n) if *n < 0 => SIGN,
        _ => POSTFIX,
    };
    if level < least {
        format!("({})", text(expr))
    } else {
        text(expr)
    }
}

fn list(items: &[Expr]) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn level_of(op: Binary) -> u8 {
    match op {
        Binary::Implies => IMPLIES,
        Binary::Or => OR,
        Binary::And => AND,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => COMPARISON,
        Binary::Add | Binary::Sub => SUM,
        Binary::Mul | Binary::Div | Binary::Rem => PRODUCT,
    }
}

fn word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::All => "all",
        Quantifier::Any => "any",
        Quantifier::Sum => "sum",
        Quantifier::Product => "product",
        Quantifier::List => "list",
    }
}

#[cfg(test)]
mod tests {
    use dml_spec::rule::parse;

    use super::*;
    use dml_case::clause;

    /// The text with every part in parentheses: what it means.
    fn meaning(expr: &Expr) -> String {
        let bare = |text: String| text.replace(['(', ')'], "");
        let mut found = format!("({})", bare(text(expr)));
        for part in super::super::rule::parts(expr) {
            found += &meaning(part);
        }
        found
    }

    #[test]
    fn every_rule_is_read_again_as_it_was() {
        let mut seen = 0;
        let rules = clause::clauses(dml_spec_yaml::load::catalog()).flat_map(|c| {
            let observed = c.observed.iter().filter_map(|o| o.rule.as_ref());
            c.rule.iter().chain(observed)
        });
        for rule in rules {
            let read = parse(rule).expect("a rule");
            let again = parse(&text(&read)).expect("a rule");
            assert_eq!(meaning(&read), meaning(&again), "{rule}");
            seen += 1;
        }
        assert!(seen > 50);
    }

    #[test]
    fn parentheses_stand_where_the_meaning_needs_them() {
        for rule in [
            "(a or b) and c",
            "a or b and c",
            "a - (b - c)",
            "a - b - c",
            "(a implies b) implies c",
            "a implies b implies c",
            "not (a and b)",
            "not a and b",
            "(a < b) == c",
            "-(a + b) * c",
            "(if a then b else c) + 1",
            "A.Sizes == B.Sizes with [i + 1] = k * 2",
            "all(d in 0..n - 1: x[d] in {1, -2} implies level(\"3.1\") <= Level)",
        ] {
            assert_eq!(text(&parse(rule).expect("a rule")), rule);
        }
    }
}
