//! Tensors of an operator that share a property, as its clauses state it.

use std::collections::BTreeMap;

use dml_spec::{
    model::{ClauseKind, Operator},
    rule::{
        parse,
        syntax::{Expr, ExprKind},
        typed::Binary,
    },
};

use super::page::{Property, SharedProperty};

/// Classes of tensors with the same property, by property and first tensor, of the constraints that are in force.
pub fn find_classes(operator: &Operator) -> Vec<SharedProperty> {
    let constraints = operator
        .clauses
        .iter()
        .filter(|c| c.kind == ClauseKind::Constraint && c.retired.is_none());
    join_classes(constraints.flat_map(|clause| read_rule(clause.rule.as_deref().unwrap_or_default())))
}

/// The classes that several statements form together.
pub fn join_classes(statements: impl Iterator<Item = SharedProperty>) -> Vec<SharedProperty> {
    let mut classes: BTreeMap<Property, Vec<Vec<String>>> = BTreeMap::new();
    for same in statements {
        add_class(classes.entry(same.property).or_default(), same.tensors);
    }
    let all = classes.into_iter().flat_map(|(property, mut sets)| {
        sets.sort_unstable();
        sets.into_iter()
            .map(move |tensors| SharedProperty { tensors, property })
    });
    all.collect()
}

/// Adds a set to disjoint sets, joining those it touches.
fn add_class(sets: &mut Vec<Vec<String>>, mut new: Vec<String>) {
    let (touched, kept): (Vec<_>, Vec<_>) = sets
        .drain(..)
        .partition(|set| set.iter().any(|name| new.contains(name)));
    new.extend(touched.into_iter().flatten());
    new.sort_unstable();
    new.dedup();
    *sets = kept;
    sets.push(new);
}

/// What a rule equates: `A.P == B.P`, joined by `and`, for tensors that are present, for each of an array. Empty if
/// the rule says anything else.
pub fn read_rule(rule: &str) -> Vec<SharedProperty> {
    let mut found = Vec::new();
    match parse(rule) {
        Ok(expr) if read_equalities(&expr, &mut found) => found,
        _ => Vec::new(),
    }
}

fn read_equalities(expr: &Expr, found: &mut Vec<SharedProperty>) -> bool {
    match &expr.kind {
        ExprKind::Binary(Binary::And, a, b) => read_equalities(a, found) && read_equalities(b, found),
        ExprKind::Binary(Binary::Implies, condition, then) => is_presence(condition) && read_equalities(then, found),
        ExprKind::Quantified(_, _, _, _, body) => read_equalities(body, found),
        ExprKind::Compare(first, rest) => {
            let sides: Option<Vec<_>> = rest
                .iter()
                .map(|(op, e)| (*op == Binary::Eq).then(|| read_operand(e))?)
                .collect();
            let (Some((name, property)), Some(rest)) = (read_operand(first), sides) else {
                return false;
            };
            let mut tensors = vec![name];
            for (name, other) in rest {
                if other != property {
                    return false;
                }
                tensors.push(name);
            }
            found.push(SharedProperty { tensors, property });
            true
        }
        _ => false,
    }
}

fn is_presence(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Binary(Binary::And, a, b) => is_presence(a) && is_presence(b),
        ExprKind::Call(name, _, _) => name == "present",
        _ => false,
    }
}

/// `InputTensor.DataType`, `InputTensors[i].DataType`.
fn read_operand(expr: &Expr) -> Option<(String, Property)> {
    let ExprKind::Member(of, member, _) = &expr.kind else {
        return None;
    };
    let property = Property::ALL.into_iter().find(|property| property.name() == member)?;
    let of = match &of.kind {
        ExprKind::Index(list, _) => list,
        _ => of,
    };
    match &of.kind {
        ExprKind::Name(name) => Some((name.clone(), property)),
        _ => None,
    }
}
