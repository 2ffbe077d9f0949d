//! Which sizes tensors may have, as far as clauses tell without a trial.

use crate::{
    model::{Catalog, ClauseKind, Operator},
    program::Program,
    rule::typed::{Binary, Func, Node, Op, Prop, Type},
};

/// What clauses say of the sizes of tensors.
pub(super) struct Sizes {
    /// For each field, the first one whose sizes are equal to its own.
    same: Vec<usize>,
    /// Fields whose sizes a clause restricts otherwise.
    restricted: Vec<bool>,
}

impl Sizes {
    pub(super) fn new(catalog: &Catalog, operator: &Operator) -> Self {
        let mut sizes = Self {
            same: (0..operator.fields.len()).collect(),
            restricted: vec![false; operator.fields.len()],
        };
        let in_force =
            |clause: &&crate::model::Clause| clause.kind == ClauseKind::Constraint && clause.retired.is_none();
        for clause in operator.clauses.iter().filter(in_force) {
            let observed = clause.observed.iter().filter_map(|seen| seen.rule.as_ref());
            for rule in clause.rule.iter().chain(observed) {
                match Program::expression_of(catalog, operator, rule, &Type::Bool) {
                    Ok(rule) => sizes.read(&rule),
                    // A wrong rule is reported elsewhere.
                    Err(_) => sizes.restricted.fill(true),
                }
            }
        }
        sizes
    }

    /// Whether two tensors have the same sizes, whatever the descriptor.
    pub(super) fn are_equal(&self, a: usize, b: usize) -> bool {
        a == b || self.same.get(a).is_some() && self.same.get(a) == self.same.get(b)
    }

    /// Whether all sizes of a tensor may be 1.
    pub(super) fn may_be_one(&self, field: usize) -> bool {
        let mut fields = 0..self.same.len();
        !fields.any(|other| self.are_equal(field, other) && self.restricted.get(other) == Some(&true))
    }

    fn read(&mut self, rule: &Node) {
        match &rule.op {
            Op::Binary(Binary::And, a, b) => {
                self.read(a);
                self.read(b);
            }
            Op::Binary(Binary::Implies, condition, then) if is_presence(condition) => self.read(then),
            Op::Binary(Binary::Eq, a, b) => match (sizes_of(a), sizes_of(b)) {
                (Some(a), Some(b)) => self.unite(a, b),
                _ => self.restrict(rule),
            },
            _ => self.restrict(rule),
        }
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (Some(a), Some(b)) = (self.same.get(a).copied(), self.same.get(b).copied()) else {
            return;
        };
        self.same
            .iter_mut()
            .filter(|same| **same == b)
            .for_each(|same| *same = a);
    }

    /// Every tensor that the rule names for anything but its other properties.
    fn restrict(&mut self, rule: &Node) {
        let mut harmless = Vec::new();
        let mut named = Vec::new();
        rule.walk(&mut |node| match &node.op {
            Op::Field(field) => named.push(*field),
            Op::Prop(of, prop) if !matches!(prop, Prop::Sizes) => harmless.extend(field_of(of)),
            Op::Call(Func::Present, of) => harmless.extend(of.iter().filter_map(field_of)),
            _ => {}
        });
        for (field, restricted) in self.restricted.iter_mut().enumerate() {
            let count = |of: &[usize]| of.iter().filter(|of| **of == field).count();
            *restricted |= count(&named) > count(&harmless);
        }
    }
}

fn is_presence(node: &Node) -> bool {
    matches!(node.op, Op::Call(Func::Present, _))
}

fn sizes_of(node: &Node) -> Option<usize> {
    match &node.op {
        Op::Prop(of, Prop::Sizes) => field_of(of),
        _ => None,
    }
}

fn field_of(node: &Node) -> Option<usize> {
    match node.op {
        Op::Field(field) => Some(field),
        _ => None,
    }
}
