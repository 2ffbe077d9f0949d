//! Sums of terms, in any order.

use std::rc::Rc;

use dml_spec::{
    meaning::{
        Node, Op,
        typed::{Kind, Reduction},
    },
    rule::typed::Binary,
};

use super::{Eval, Machine, tidy, wholes::whole_operation};
use crate::{
    arena::Arena,
    column::Value,
    real::{Arithmetic, Real},
    space::Space,
    tally::{Sums, Tally},
};

impl Machine<'_> {
    /// A sum of terms in any order.
    pub(crate) fn chain(&self, node: &Node, terms: &[(bool, Node)], space: &Rc<Space>, a: &Arithmetic) -> Eval {
        if let [(false, x), (minus, y)] = terms
            && [x, y]
                .into_iter()
                .all(|term| !is_reduced(term) && scaled_sum(term).is_none())
        {
            let op = if *minus { Binary::Sub } else { Binary::Add };
            let (left, right) = (self.eval(x, space, a)?, self.eval(y, space, a)?);
            return self.combine(node, op, (x, &left), (y, &right), space.points, a);
        }
        match self.tallied(node, terms, space, a)? {
            Sums::Value(value) => Ok(value),
            Sums::Tallies(tallies) => Ok(Value::Real(tidy(tallies.iter().map(|tally| tally.total(a)).collect()))),
        }
    }

    /// The terms of a sum, without the bound of its additions; the sum itself if all are whole numbers.
    pub(crate) fn tallied(&self, node: &Node, terms: &[(bool, Node)], space: &Rc<Space>, a: &Arithmetic) -> Eval<Sums> {
        let mut tallies: Vec<Tally> = Vec::new();
        let mut whole: Option<Value> = Some(Value::int(0));
        for (minus, term) in terms {
            let summed = match &term.op {
                Op::Reduce(reduction) if is_reduced(term) => self.sums(term, reduction, space, a)?,
                _ if let Some(scaled) = scaled_sum(term) => self.scaled_terms(term, scaled, space, a)?,
                _ => Sums::Value(self.eval(term, space, a)?),
            };
            whole = match (&summed, whole) {
                (Sums::Value(Value::Int(ints)), Some(Value::Int(before))) => {
                    let op = whole_operation(if *minus { Binary::Sub } else { Binary::Add }, a);
                    Some(self.whole2(node, &before, ints, space.points, op)?)
                }
                _ => None,
            };
            self.add_term(term, *minus, &summed, &mut tallies, space.points, a)?;
        }
        Ok(whole.map_or(Sums::Tallies(tallies), Sums::Value))
    }

    /// A sum with a factor, to which other terms are added: the factor stands at each of its terms.
    fn scaled_terms(
        &self,
        term: &Node,
        (op, sum, reduction, by): Scaled<'_>,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval<Sums> {
        let factor = self.eval(by, space, a)?;
        Ok(match self.sums(sum, reduction, space, a)? {
            Sums::Value(total) => Sums::Value(self.combine(term, op, (sum, &total), (by, &factor), space.points, a)?),
            Sums::Tallies(tallies) => {
                let factor = self.as_reals(by, &factor, space.points, a)?;
                let one = |(point, tally): (usize, &Tally)| {
                    tally.times(Arena::hulled(factor.get(point)), op == Binary::Div, a)
                };
                Sums::Tallies(tallies.iter().enumerate().map(one).collect())
            }
        })
    }

    fn add_term(
        &self,
        term: &Node,
        minus: bool,
        summed: &Sums,
        tallies: &mut Vec<Tally>,
        points: usize,
        a: &Arithmetic,
    ) -> Eval<()> {
        let value = match summed {
            Sums::Tallies(parts) => {
                tallies.resize(points.max(1), Tally::default());
                for (point, tally) in tallies.iter_mut().enumerate() {
                    tally.merge(&parts[if parts.len() == 1 { 0 } else { point }], minus);
                }
                return Ok(());
            }
            Sums::Value(value) => value,
        };
        let reals = self.as_reals(term, value, points, a)?;
        tallies.resize(points.max(1), Tally::default());
        for (point, tally) in tallies.iter_mut().enumerate() {
            let real = Arena::hulled(reals.get(point));
            tally.add(if minus { Real::neg(real) } else { real }, a);
        }
        Ok(())
    }

    /// A sum times or divided by a factor, which may stand at each of its terms.
    pub(crate) fn scaled_sum(
        &self,
        node: &Node,
        op: Binary,
        sum: &Node,
        by: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let factor = self.eval(by, space, a)?;
        let own = [(false, sum.clone())];
        let terms: &[(bool, Node)] = match &sum.op {
            Op::Chain(terms) => terms,
            _ => &own,
        };
        match self.tallied(sum, terms, space, a)? {
            Sums::Value(total) => self.combine(node, op, (sum, &total), (by, &factor), space.points, a),
            Sums::Tallies(tallies) => {
                let factor = self.as_reals(by, &factor, space.points, a)?;
                let one = |(point, tally): (usize, &Tally)| tally.scaled(factor.get(point), op == Binary::Div, a);
                let totals = tallies.iter().enumerate().map(one).collect();
                Ok(Value::Real(tidy(totals)))
            }
        }
    }
}

/// Whether an expression is a sum of terms, however they are written.
pub(crate) fn is_sum(node: &Node) -> bool {
    matches!(node.op, Op::Chain(_)) || is_reduced(node)
}

/// A sum of many with a factor: the operation, the sum, what it sums, and the factor.
type Scaled<'a> = (Binary, &'a Node, &'a Reduction, &'a Node);

/// A term that is a sum of many times a factor, or divided by one.
fn scaled_sum(node: &Node) -> Option<Scaled<'_>> {
    let (op, sum, by) = match &node.op {
        Op::Binary(op @ (Binary::Mul | Binary::Div), x, y) if is_reduced(x) => (*op, x, y),
        Op::Binary(Binary::Mul, x, y) if is_reduced(y) => (Binary::Mul, y, x),
        _ => return None,
    };
    match &sum.op {
        Op::Reduce(reduction) => Some((op, sum, reduction, by)),
        _ => None,
    }
}

/// Whether a term is a sum of many.
fn is_reduced(node: &Node) -> bool {
    matches!(&node.op, Op::Reduce(reduction) if reduction.kind == Kind::Sum)
}
