//! Choices: conditions, branches, `let`, ways to compute the same, and what is open.

use std::rc::Rc;

use dml_spec::{meaning::Node, rule::typed::Binary};

use super::{Eval, Machine, fault};
use crate::{
    column::{Bools, Ints, Reals, Truth, Value, Whole},
    real::{Arithmetic, MAY_BE_INFINITE, MAY_BE_NEGATIVE_INFINITE, Real},
    space::Space,
};

impl Machine<'_> {
    /// Both hold, point by point.
    pub(crate) fn both(&self, x: &Bools, y: &Bools, points: usize) -> Bools {
        match (x, y) {
            (Bools::One(x), Bools::One(y)) => Bools::One(x.and(*y)),
            _ => Bools::collect((0..points).map(|point| x.get(point).and(y.get(point))).collect()),
        }
    }

    /// `and`, `or`, `implies`: the right side is looked at only where the left does not decide.
    pub(crate) fn logic(&self, op: Binary, x: &Node, y: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let points = space.points;
        let left = self.bools(x, space, a)?;
        // Everything as `and`: a or b = not (not a and not b), a implies b = not (a and not b).
        let flip = |truth: Truth| if op == Binary::Or { truth.not() } else { truth };
        let deciding = self.truths(&left, points, flip);
        let needed: Vec<u32> = match &deciding {
            Bools::One(truth) if truth.is_false() => Vec::new(),
            Bools::One(_) => (0..points as u32).collect(),
            Bools::Many(truths) => (0..points as u32).filter(|p| !truths[*p as usize].is_false()).collect(),
        };
        let result = if needed.is_empty() {
            deciding
        } else if needed.len() == points {
            let right = self.bools(y, space, a)?;
            let right = self.truths(
                &right,
                points,
                |truth| if op == Binary::And { truth } else { truth.not() },
            );
            self.both(&deciding, &right, points)
        } else {
            let part = Space::child(space, Rc::new(needed.clone()));
            let right = self.bools(y, &part, a)?;
            let mut all: Vec<Truth> = (0..points).map(|point| deciding.get(point)).collect();
            for (at, point) in needed.iter().enumerate() {
                let truth = if op == Binary::And {
                    right.get(at)
                } else {
                    right.get(at).not()
                };
                all[*point as usize] = all[*point as usize].and(truth);
            }
            Bools::collect(all)
        };
        Ok(Value::Bool(match op {
            Binary::And => result,
            _ => self.truths(&result, points, Truth::not),
        }))
    }

    pub(crate) fn member(&self, value: &Node, members: &[Node], space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let ints = self.ints(value, space, a)?;
        let members: Eval<Vec<i128>> = members.iter().map(|member| self.one(member, space, a)).collect();
        let members = members?;
        let one = |whole: Whole| match whole.open {
            0 => super::numeric::decided(self.arena.wholes(whole).iter().map(|value| members.contains(value))),
            open => Truth::open(open),
        };
        if let Some(value) = ints.uniform() {
            return Ok(Value::truth(members.contains(&value)));
        }
        Ok(Value::Bool(Bools::collect(
            (0..space.points).map(|p| one(ints.get(p))).collect(),
        )))
    }

    /// `if`: each branch is evaluated for its points alone, so that a condition guards what it has to.
    pub(crate) fn choose(
        &self,
        node: &Node,
        condition: &Node,
        yes: &Node,
        no: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let truths = self.bools(condition, space, a)?;
        if let Bools::One(truth) = truths
            && !truth.is_undecided()
            && truth.open == 0
        {
            return self.eval(if truth.is_true() { yes } else { no }, space, a);
        }
        let points = space.points;
        let (mut taken, mut refused, mut open) = (Vec::new(), Vec::new(), vec![0_u16; points]);
        for (point, open) in open.iter_mut().enumerate() {
            let truth = truths.get(point);
            *open = truth.open;
            if truth.open == 0 && !truth.is_false() {
                taken.push(point as u32);
            }
            if truth.open == 0 && !truth.is_true() {
                refused.push(point as u32);
            }
        }
        let mut parts = Vec::with_capacity(2);
        for (branch, part) in [(yes, taken), (no, refused)] {
            if part.len() == points {
                let value = self.eval(branch, space, a)?;
                parts.push((part, value));
            } else if !part.is_empty() {
                let inner = Space::child(space, Rc::new(part.clone()));
                let value = self.eval(branch, &inner, a)?;
                parts.push((part, value));
            }
        }
        self.joined(node, &parts, &open)
    }

    /// `let`: the body is evaluated once for each outcome of the value.
    pub(crate) fn bind(
        &self,
        _node: &Node,
        slot: usize,
        value: &Node,
        body: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let value = self.eval(value, space, a)?;
        let of = self.outcome_points(&value, space.points);
        let Some(of) = of else {
            space.bind(slot, value);
            return self.eval(body, space, a);
        };
        let inner = Space::child(space, Rc::new(of.clone()));
        inner.bind(slot, self.apart(&value, &of, space.points));
        let result = self.eval(body, &inner, a)?;
        Ok(self.united(&result, &of, &vec![0; space.points]))
    }

    /// For each outcome of each point the point; `None` if every point has one outcome.
    fn outcome_points(&self, value: &Value, points: usize) -> Option<Vec<u32>> {
        if self.has_one_outcome(value) {
            return None;
        }
        let mut of: Vec<u32> = Vec::new();
        for point in 0..points {
            let mut count = self.outcome_count(value, point);
            if count > crate::arena::MOST || of.len() + count > crate::limits::MOST_OUTCOMES {
                self.arena.crowd();
                count = 1;
            }
            of.extend(std::iter::repeat_n(point as u32, count));
        }
        Some(of)
    }

    fn has_one_outcome(&self, value: &Value) -> bool {
        match value {
            Value::Int(ints) => ints.is_plain(),
            Value::Real(Reals::Exact { .. }) => true,
            Value::Real(Reals::One(real)) => real.has_one_outcome(),
            Value::Real(Reals::Bound(reals)) => reals.iter().all(Real::has_one_outcome),
            Value::Bool(Bools::One(truth)) => !truth.is_undecided(),
            Value::Bool(Bools::Many(truths)) => !truths.iter().any(|truth| truth.is_undecided()),
            Value::List(items) => items.iter().all(|item| self.has_one_outcome(item)),
            Value::Row(_) | Value::Operator(..) => true,
        }
    }

    fn outcome_count(&self, value: &Value, point: usize) -> usize {
        match value {
            Value::Int(ints) => self.arena.wholes(ints.get(point)).len(),
            Value::Real(reals) => self.arena.outcomes(reals.get(point)).len(),
            Value::Bool(bools) => 1 + usize::from(bools.get(point).is_undecided()),
            Value::List(items) => {
                let counts = items.iter().map(|item| self.outcome_count(item, point));
                counts.fold(1, usize::saturating_mul)
            }
            Value::Row(_) | Value::Operator(..) => 1,
        }
    }

    /// Every outcome on its own: for each of `of` the next one of its point.
    fn apart(&self, value: &Value, of: &[u32], points: usize) -> Value {
        let mut seen = vec![0_usize; points];
        let number = |point: &u32| {
            let at = seen[*point as usize];
            seen[*point as usize] += 1;
            at
        };
        let numbers: Vec<usize> = of.iter().map(number).collect();
        self.apart_by(value, of, &numbers)
    }

    fn apart_by(&self, value: &Value, of: &[u32], numbers: &[usize]) -> Value {
        let pairs = || of.iter().map(|point| *point as usize).zip(numbers);
        match value {
            Value::Int(ints) => {
                let one = |(point, number): (usize, &usize)| {
                    let whole = ints.get(point);
                    let value = self.arena.wholes(whole).get(*number).copied().unwrap_or(whole.value);
                    Whole {
                        outcomes: 0,
                        value,
                        ..whole
                    }
                };
                Value::Int(Ints::collect(pairs().map(one).collect()))
            }
            Value::Real(reals) => {
                let one = |(point, number): (usize, &usize)| {
                    let real = reals.get(point);
                    self.arena.outcomes(real).get(*number).copied().unwrap_or(real)
                };
                Value::Real(Reals::collect(pairs().map(one).collect()))
            }
            Value::Bool(bools) => {
                let one = |(point, number): (usize, &usize)| {
                    let truth = bools.get(point);
                    if truth.is_undecided() {
                        Truth::of(*number == 0)
                    } else {
                        truth
                    }
                };
                Value::Bool(Bools::collect(pairs().map(one).collect()))
            }
            // The outcomes of a list are those of its elements, each with each.
            Value::List(items) => {
                let mut rest = numbers.to_vec();
                let mut apart = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let counts: Vec<usize> = of
                        .iter()
                        .map(|point| self.outcome_count(item, *point as usize))
                        .collect();
                    let own: Vec<usize> = rest.iter().zip(&counts).map(|(rest, count)| rest % count).collect();
                    rest.iter_mut().zip(&counts).for_each(|(rest, count)| *rest /= count);
                    apart.push(self.apart_by(item, of, &own));
                }
                Value::List(apart.into())
            }
            other => other.gather(of),
        }
    }

    /// Ways to compute the same: what any of them comes to. A way that leaves the range of the type is dropped.
    pub(crate) fn either(&self, node: &Node, ways: &[Node], space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let columns: Eval<Vec<Reals>> = ways.iter().map(|way| self.reals(way, space, a)).collect();
        let columns = columns?;
        if columns.is_empty() {
            return fault(node, "there is no way to compute this");
        }
        let one = |point: usize| {
            let all: Vec<Real> = columns
                .iter()
                .map(|column| column.get(point).settled(&a.format))
                .collect();
            let most = a.format.greatest;
            // A logarithm of what may have become zero has no least value, and stays all the same.
            let bounded = |real: &Real| {
                let falls = real.flags & MAY_BE_NEGATIVE_INFINITE != 0 && real.lo == f64::NEG_INFINITY;
                Real {
                    lo: if falls { -most } else { real.lo },
                    ..*real
                }
            };
            let stays = |real: &Real| real.open != 0 || real.value.is_finite() && real.lo >= -most && real.hi <= most;
            let staying: Vec<Real> = all.iter().map(bounded).filter(stays).collect();
            let hull = |reals: &[Real]| {
                reals
                    .iter()
                    .copied()
                    .map(crate::arena::Arena::hulled)
                    .reduce(Real::hull)
            };
            let joined = hull(if staying.is_empty() { &all } else { &staying }).unwrap_or(Real::exact(0.0));
            // An infinity that a clause grants stays granted, though the way that leads there is dropped.
            let infinities = MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE;
            let granted = all.iter().fold(0, |flags, real| flags | real.flags & infinities);
            joined.with(granted)
        };
        let points = if columns.iter().all(|column| matches!(column, Reals::One(_))) {
            1
        } else {
            space.points
        };
        Ok(Value::Real(Reals::collect((0..points).map(one).collect())))
    }

    /// The interval around all outcomes of an expression that does not jump where its parts do.
    pub(crate) fn continuous(&self, of: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let reals = self.reals(of, space, a)?;
        let points = if matches!(reals, Reals::One(_)) {
            1
        } else {
            space.points
        };
        let one = |point: usize| crate::arena::Arena::hulled(reals.get(point).settled(&a.format));
        Ok(Value::Real(Reals::collect((0..points).map(one).collect())))
    }

    pub(crate) fn open(&self, clause: u16, among: &[Node], space: &Rc<Space>, a: &Arithmetic) -> Eval {
        if among.is_empty() {
            return Ok(Value::Real(Reals::One(Real::open(clause))));
        }
        let columns: Eval<Vec<Reals>> = among.iter().map(|e| self.reals(e, space, a)).collect();
        let columns = columns?;
        let one = |point: usize| self.arena.one_of(columns.iter().map(|column| column.get(point)));
        let points = if columns.iter().all(|column| matches!(column, Reals::One(_))) {
            1
        } else {
            space.points
        };
        Ok(Value::Real(Reals::collect((0..points).map(one).collect())))
    }
}
