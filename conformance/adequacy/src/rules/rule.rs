//! Rules that differ from a rule in one place.

use dml_spec::rule::{
    parse,
    syntax::{Expr, ExprKind},
    typed::{Binary, Quantifier},
};

use super::write;

/// A rule that differs in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    /// What differs: the smallest condition around it, before and after.
    pub change: String,
    /// The whole rule.
    pub rule: String,
}

/// All rules that differ from this one in one place, each once; none where it cannot be parsed. Some mean nothing:
/// their types do not fit.
pub(super) fn mutations(rule: &str) -> Vec<Changed> {
    let Ok(root) = parse(rule) else { return Vec::new() };
    let mut found: Vec<Changed> = Vec::new();
    let mut paths = Vec::new();
    walk(&root, &mut Vec::new(), &mut paths);
    for path in &paths {
        let Some(part) = at(&root, path) else { continue };
        for kind in variants(&part.kind) {
            let mut whole = root.clone();
            let Some(place) = at_mut(&mut whole, path) else {
                continue;
            };
            place.kind = kind;
            let text = write::text(&whole);
            if found.iter().any(|other| other.rule == text) || text == write::text(&root) {
                continue;
            }
            let around = condition_around(&root, path);
            let side = |expr: &Expr| at(expr, around).map(write::text).unwrap_or_default();
            let mut change = abridged(&side(&root), &side(&whole));
            let like = |other: &&Changed| other.change.split(" (place ").next() == Some(change.as_str());
            let alike = found.iter().filter(like).count();
            if alike > 0 {
                change += &format!(" (place {})", alike + 1);
            }
            found.push(Changed { change, rule: text });
        }
    }
    found
}

/// Longest text that is told in full.
const LONG: usize = 100;
/// Characters that are shown on either side of what differs in a longer one.
const NEAR: usize = 32;

/// Before and after; of long texts the place that differs alone.
fn abridged(before: &str, after: &str) -> String {
    let (a, b): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    if a.len() <= LONG && b.len() <= LONG {
        return format!("{before} -> {after}");
    }
    let least = a.len().min(b.len());
    let front = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let back = back.min(least - front);
    let part = |text: &[char]| {
        let (from, to) = (front.saturating_sub(NEAR), (text.len() - back + NEAR).min(text.len()));
        let all: String = text.get(from..to).unwrap_or_default().iter().collect();
        let length = to - from;
        let shown = match length > LONG {
            true => {
                let start: String = all.chars().take(2 * NEAR).collect();
                let end: String = all.chars().skip(length - NEAR).collect();
                format!("{start} … {end}")
            }
            false => all,
        };
        let dots = |is: bool| if is { "…" } else { "" };
        format!("{}{shown}{}", dots(from > 0), dots(to < text.len()))
    };
    format!("{} -> {}", part(&a), part(&b))
}

/// The parts of an expression, from left to right.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Level(_) | ExprKind::Name(_) => {
            Vec::new()
        }
        ExprKind::List(parts) | ExprKind::Call(_, _, parts) => parts.iter().collect(),
        ExprKind::Member(a, ..) | ExprKind::Not(a) | ExprKind::Neg(a) => vec![a],
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::With(a, b, c) | ExprKind::If(a, b, c) | ExprKind::Quantified(_, _, a, b, c) => vec![a, b, c],
        ExprKind::Compare(a, rest) => std::iter::once(&**a).chain(rest.iter().map(|(_, e)| e)).collect(),
        ExprKind::In(a, members) => std::iter::once(&**a).chain(members).collect(),
        // No rule holds it.
        ExprKind::Meaning(_) => Vec::new(),
    }
}

fn parts_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Level(_) | ExprKind::Name(_) => {
            Vec::new()
        }
        ExprKind::List(parts) | ExprKind::Call(_, _, parts) => parts.iter_mut().collect(),
        ExprKind::Member(a, ..) | ExprKind::Not(a) | ExprKind::Neg(a) => vec![a],
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::With(a, b, c) | ExprKind::If(a, b, c) | ExprKind::Quantified(_, _, a, b, c) => vec![a, b, c],
        ExprKind::Compare(a, rest) => std::iter::once(&mut **a)
            .chain(rest.iter_mut().map(|(_, e)| e))
            .collect(),
        ExprKind::In(a, members) => std::iter::once(&mut **a).chain(members).collect(),
        ExprKind::Meaning(_) => Vec::new(),
    }
}

/// Notes the path of every part, parents first.
fn walk(expr: &Expr, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    found.push(path.clone());
    for (i, part) in parts(expr).into_iter().enumerate() {
        path.push(i);
        walk(part, path, found);
        path.pop();
    }
}

fn at<'e>(expr: &'e Expr, path: &[usize]) -> Option<&'e Expr> {
    path.iter().try_fold(expr, |expr, i| parts(expr).into_iter().nth(*i))
}

fn at_mut<'e>(expr: &'e mut Expr, path: &[usize]) -> Option<&'e mut Expr> {
    path.iter()
        .try_fold(expr, |expr, i| parts_mut(expr).into_iter().nth(*i))
}

/// The path of the smallest condition that holds the part at `path`, or is it.
fn condition_around<'p>(root: &Expr, path: &'p [usize]) -> &'p [usize] {
    let is_condition = |expr: &Expr| match &expr.kind {
        ExprKind::Compare(..) | ExprKind::In(..) | ExprKind::Not(_) | ExprKind::Bool(_) => true,
        ExprKind::Binary(op, ..) => is_logical(*op),
        ExprKind::Quantified(quantifier, ..) => matches!(quantifier, Quantifier::All | Quantifier::Any),
        kind => is_question(kind),
    };
    let mut prefixes = (0..=path.len()).rev().filter_map(|n| path.get(..n));
    let found = prefixes.find(|prefix| at(root, prefix).is_some_and(is_condition));
    found.unwrap_or_default()
}

fn is_logical(op: Binary) -> bool {
    matches!(op, Binary::And | Binary::Or | Binary::Implies)
}

/// Functions that answer yes or no.
const QUESTIONS: [&str; 17] = [
    "present",
    "has_sizes",
    "has_strides",
    "is_power_of_two",
    "contains",
    "distinct",
    "is_known",
    "is_float",
    "is_signed",
    "is_unsigned",
    "overlaps",
    "unbound",
    "fits",
    "has_infinity",
    "has_nan",
    "has_negative_zero",
    "has_denormal",
];

/// Functions that are mistaken for each other.
const PAIRS: [(&str, &str); 6] = [
    ("min", "max"),
    ("min_value", "max_value"),
    ("least", "greatest"),
    ("is_signed", "is_unsigned"),
    ("sum", "product"),
    ("has_nan", "has_infinity"),
];

fn is_question(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Call(name, ..) if QUESTIONS.contains(&name.as_str()))
}

/// What may stand in the place of a part.
fn variants(kind: &ExprKind) -> Vec<ExprKind> {
    let mut found = match kind {
        ExprKind::Bool(value) => vec![ExprKind::Bool(!value)],
        ExprKind::Int(n) => [n.checked_add(1), n.checked_sub(1)]
            .into_iter()
            .flatten()
            .map(ExprKind::Int)
            .collect(),
        ExprKind::Not(a) | ExprKind::Neg(a) => vec![a.kind.clone()],
        ExprKind::With(list, ..) => vec![list.kind.clone()],
        ExprKind::If(condition, yes, no) => vec![
            yes.kind.clone(),
            no.kind.clone(),
            ExprKind::If(condition.clone(), no.clone(), yes.clone()),
        ],
        ExprKind::Binary(op, a, b) => joined(*op, a, b),
        ExprKind::Compare(first, rest) => compared(first, rest),
        ExprKind::In(value, members) => without_members(value, members),
        ExprKind::Call(name, place, arguments) => {
            let other = PAIRS.into_iter().find_map(|(a, b)| match name.as_str() {
                name if name == a => Some(b),
                name if name == b => Some(a),
                _ => None,
            });
            let called = |name: &str| ExprKind::Call(name.to_owned(), place.clone(), arguments.clone());
            other.map(called).into_iter().collect()
        }
        ExprKind::Quantified(quantifier, variable, from, to, body) => {
            let other = match quantifier {
                Quantifier::All => Some(Quantifier::Any),
                Quantifier::Any => Some(Quantifier::All),
                Quantifier::Sum => Some(Quantifier::Product),
                Quantifier::Product => Some(Quantifier::Sum),
                Quantifier::List => None,
            };
            let quantified =
                |other| ExprKind::Quantified(other, variable.clone(), from.clone(), to.clone(), body.clone());
            other.map(quantified).into_iter().collect()
        }
        _ => Vec::new(),
    };
    if is_question(kind) || matches!(kind, ExprKind::In(..)) {
        found.extend(negated(kind));
    }
    found
}

/// `not` in front of a part.
fn negated(kind: &ExprKind) -> Option<ExprKind> {
    let mut inner = parse("true").ok()?;
    inner.kind = kind.clone();
    Some(ExprKind::Not(Box::new(inner)))
}

/// Each side alone, and another sign between them.
fn joined(op: Binary, a: &Expr, b: &Expr) -> Vec<ExprKind> {
    let with = |op| ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
    match op {
        Binary::And => vec![a.kind.clone(), b.kind.clone(), with(Binary::Or)],
        Binary::Or => vec![a.kind.clone(), b.kind.clone(), with(Binary::And)],
        Binary::Implies => {
            let mut guard = a.clone();
            if let Some(kind) = negated(&a.kind) {
                guard.kind = kind;
            }
            let against = ExprKind::Binary(Binary::Implies, Box::new(guard), Box::new(b.clone()));
            vec![b.kind.clone(), against]
        }
        Binary::Add => vec![with(Binary::Sub)],
        Binary::Sub => vec![with(Binary::Add)],
        Binary::Mul => vec![with(Binary::Div)],
        Binary::Div => vec![with(Binary::Mul)],
        Binary::Rem => vec![with(Binary::Div)],
        _ => Vec::new(),
    }
}

/// Every comparison of a chain a step weaker, a step stronger, and turned around.
fn compared(first: &Expr, rest: &[(Binary, Expr)]) -> Vec<ExprKind> {
    let mut found = Vec::new();
    for (i, (op, _)) in rest.iter().enumerate() {
        let others: &[Binary] = match op {
            Binary::Lt => &[Binary::Le, Binary::Gt],
            Binary::Le => &[Binary::Lt, Binary::Ge],
            Binary::Gt => &[Binary::Ge, Binary::Lt],
            Binary::Ge => &[Binary::Gt, Binary::Le],
            Binary::Eq => &[Binary::Le, Binary::Ge, Binary::Ne],
            Binary::Ne => &[Binary::Lt, Binary::Gt, Binary::Eq],
            _ => &[],
        };
        for other in others {
            let mut rest = rest.to_vec();
            if let Some((op, _)) = rest.get_mut(i) {
                *op = *other;
            }
            found.push(ExprKind::Compare(Box::new(first.clone()), rest));
        }
    }
    found
}

fn without_members(value: &Expr, members: &[Expr]) -> Vec<ExprKind> {
    if members.len() < 2 {
        return Vec::new();
    }
    let without = |i: usize| {
        let others = members.iter().enumerate().filter(|(at, _)| *at != i);
        ExprKind::In(Box::new(value.clone()), others.map(|(_, e)| e.clone()).collect())
    };
    (0..members.len()).map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(rule: &str) -> Vec<String> {
        mutations(rule).into_iter().map(|m| m.rule).collect()
    }

    #[test]
    fn comparisons_become_weaker_and_stronger_and_turn() {
        assert_eq!(changes("Axis < N"), ["Axis <= N", "Axis > N"]);
        assert_eq!(changes("A == B"), ["A <= B", "A >= B", "A != B"]);
        assert_eq!(
            changes("1 <= N <= 8"),
            [
                "1 < N <= 8",
                "1 >= N <= 8",
                "1 <= N < 8",
                "1 <= N >= 8",
                "2 <= N <= 8",
                "0 <= N <= 8",
                "1 <= N <= 9",
                "1 <= N <= 7"
            ]
        );
    }

    #[test]
    fn guards_fall_and_are_turned_around() {
        let found = changes("has_strides(t) implies x > y");
        for rule in [
            "x > y",
            "not has_strides(t) implies x > y",
            "has_strides(t) implies x >= y",
        ] {
            assert!(found.iter().any(|f| f == rule), "{rule}: {found:?}");
        }
        assert_eq!(changes("a and b"), ["a", "b", "a or b"]);
        assert_eq!(changes("not a"), ["a"]);
        assert_eq!(changes("F in {A, B}"), ["F in {B}", "F in {A}", "not F in {A, B}"]);
    }

    #[test]
    fn what_changed_is_told_by_the_smallest_condition() {
        let found = mutations("all(d in 0..N: S[d] > 0 and T[d] > 0)");
        let changes: Vec<&str> = found.iter().map(|m| m.change.as_str()).collect();
        assert!(changes.contains(&"S[d] > 0 -> S[d] > 1"), "{changes:?}");
        let starts = changes.iter().filter(|c| c.contains("d in 1..N")).count();
        assert_eq!(starts, 1);
    }

    #[test]
    fn no_change_comes_twice_and_each_has_a_name_of_its_own() {
        let found = mutations("(a > 0 or b > 0) and (a > 0 or c > 0)");
        let mut rules: Vec<&str> = found.iter().map(|m| m.rule.as_str()).collect();
        let mut names: Vec<&str> = found.iter().map(|m| m.change.as_str()).collect();
        rules.sort_unstable();
        names.sort_unstable();
        assert!(rules.windows(2).all(|pair| pair[0] != pair[1]), "{rules:?}");
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn of_long_rules_what_differs_is_told_alone() {
        let long = |n: u32| format!("{} or a == {n} or {}", "x == y or ".repeat(20), "b == c or ".repeat(20));
        let told = abridged(&long(1), &long(2));
        assert!(told.contains(" a == 1 or ") && told.contains(" a == 2 or "), "{told}");
        assert!(told.chars().count() < 170 && told.starts_with('…'), "{told}");
        let dropped = abridged(&format!("a and {}", "b > c and ".repeat(40)), "a");
        assert!(dropped.chars().count() < 200 && dropped.ends_with("-> a"), "{dropped}");
        assert_eq!(abridged("a", "b"), "a -> b");
        for rule in mutations(&format!("{} a == b", "x == y or ".repeat(20))) {
            let sides = rule.change.split(" (place ").next().and_then(|c| c.split_once(" -> "));
            assert!(sides.is_some_and(|(before, after)| before != after), "{}", rule.change);
        }
    }

    #[test]
    fn a_rule_that_is_none_has_no_mutations() {
        assert_eq!(mutations("a <"), []);
    }
}
