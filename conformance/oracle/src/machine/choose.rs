//! Choices: conditions, branches, `let`, ways to compute the same, and what is open.

use std::rc::Rc;

use dml_spec::{
    desc::Value as FieldValue,
    meaning::{Function, Meaning, Node, Op, Type, typed::Opening},
    rule::typed::Binary,
};

use super::{Eval, Machine, fault};
use crate::{
    column::{Bools, Ints, Reals, Row, Truth, Value, Whole},
    fault::Within,
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

    /// Values of parts of the points, which may overlap: then a point is one of its values.
    pub(crate) fn joined(&self, node: &Node, parts: &[(Vec<u32>, Value)], open: &[u16]) -> Eval {
        let points = open.len();
        let several = parts.iter().map(|(part, _)| part.len()).sum::<usize>() != points || open.iter().any(|o| *o != 0);
        if let ([(part, value)], false) = (parts, several)
            && part.len() == points
        {
            return Ok(value.clone());
        }
        if !several {
            return self.merged(node, parts, points);
        }
        if parts.is_empty() && node.ty == Type::Int {
            let wholes = open.iter().map(|clause| Whole {
                open: *clause,
                ..Whole::exact(0)
            });
            return Ok(Value::Int(Ints::collect(wholes.collect())));
        }
        if parts.is_empty() {
            let reals = open.iter().map(|clause| Real::open(clause.saturating_sub(1))).collect();
            return Ok(Value::Real(Reals::collect(reals)));
        }
        // All parts one after the other, then united.
        let of: Vec<u32> = parts.iter().flat_map(|(part, _)| part.iter().copied()).collect();
        let mut start = 0;
        let mut placed = Vec::with_capacity(parts.len());
        for (part, value) in parts {
            let places: Vec<u32> = (start..start + part.len() as u32).collect();
            start += part.len() as u32;
            placed.push((places, value.clone()));
        }
        let all = self.merged(node, &placed, of.len())?;
        Ok(self.united(&all, &of, open))
    }

    /// Values of parts that make up all points.
    pub(crate) fn merged(&self, node: &Node, parts: &[(Vec<u32>, Value)], points: usize) -> Eval {
        if let [(part, value)] = parts
            && part.len() == points
            && part.iter().enumerate().all(|(at, point)| at == *point as usize)
        {
            return Ok(value.clone());
        }
        // What is open takes the type of what is not.
        let settled = parts.iter().find(|(part, value)| !is_open_alone(value, part.len()));
        let Some((_, first)) = settled.or(parts.first()) else {
            return fault(node, "there is no value");
        };
        let typed;
        let parts = match first {
            Value::Int(_) | Value::Bool(_) if parts.iter().any(|(part, value)| is_open_alone(value, part.len())) => {
                typed = parts
                    .iter()
                    .map(|(part, value)| (part.clone(), opened_like(first, value, part.len())))
                    .collect::<Vec<_>>();
                &typed
            }
            _ => parts,
        };
        Ok(match first {
            Value::Bool(_) => {
                let get = |value: &Value, at: usize| match value {
                    Value::Bool(bools) => Some(bools.get(at)),
                    _ => None,
                };
                match scattered(parts, points, Truth::FALSE, get) {
                    Some(truths) => Value::Bool(Bools::collect(truths)),
                    None => return fault(node, "the branches are of different kinds"),
                }
            }
            Value::Int(_) if parts.iter().all(|(_, value)| matches!(value, Value::Int(_))) => {
                merged_ints(parts, points)
            }
            Value::Real(_) if let Some(numbers) = merged_numbers(parts, points) => {
                Value::Real(Reals::exact(numbers, false))
            }
            Value::Int(_) | Value::Real(_) => {
                let get = |value: &Value, at: usize| match value {
                    Value::Real(reals) => Some(reals.get(at)),
                    Value::Int(ints) => Some(self.real_of(ints.get(at))),
                    _ => None,
                };
                match scattered(parts, points, Real::exact(0.0), get) {
                    Some(reals) if reals.iter().all(|real| real.flags == 0 && real.is_exact()) => {
                        Value::Real(Reals::exact(reals.iter().map(|r| r.value).collect(), false))
                    }
                    Some(reals) => Value::Real(Reals::collect(reals)),
                    None => return fault(node, "the branches are of different kinds"),
                }
            }
            Value::List(items) => return self.merged_lists(node, parts, items.len(), points),
            Value::Row(row) => {
                let rows = parts.iter().map(|(part, value)| match value {
                    Value::Row(other) if Rc::ptr_eq(&other.store, &row.store) && other.len == row.len => {
                        Some((part.clone(), Value::Int(other.row.clone())))
                    }
                    _ => None,
                });
                match rows.collect::<Option<Vec<_>>>().map(|rows| merged_ints(&rows, points)) {
                    Some(Value::Int(ints)) => Value::Row(Row {
                        row: ints,
                        ..row.clone()
                    }),
                    _ => return self.merged_lists(node, parts, row.len, points),
                }
            }
            Value::Operator(..) => return fault(node, "an operator cannot be chosen"),
        })
    }

    /// What a fused operator makes of a number that left the range on the way is open, if its own clauses leave
    /// infinities open.
    fn opened_operands(&self, elements: &Reals, meaning: &Meaning, points: usize, a: &Arithmetic) -> Reals {
        let infinite = |opening: &&Opening| {
            matches!(&opening.condition.op, Op::Call(Function::IsInf, arguments)
                if arguments.iter().all(|argument| argument.op == Op::Slot(opening.slot)))
        };
        let Some(opening) = meaning.openings.iter().find(infinite) else {
            return elements.clone();
        };
        if let Reals::Exact { numbers, .. } = elements
            && numbers.iter().all(|x| x.is_finite())
        {
            return elements.clone();
        }
        let id = meaning.clauses.get(usize::from(opening.clause));
        let clause = self
            .meaning
            .clauses
            .iter()
            .position(|clause| Some(clause) == id)
            .unwrap_or(usize::from(u16::MAX - 1));
        let narrow = self.narrowed.filter(|format| format.greatest < a.format.greatest);
        let format = narrow.unwrap_or(a.format);
        let one = |real: Real| {
            let settled = real.settled(&a.format);
            let leaves = !format.nearest(settled.hi).is_finite() || !format.nearest(settled.lo).is_finite();
            if real.open == 0 && leaves {
                Real::open(clause as u16)
            } else {
                real
            }
        };
        self.real1(elements, points, one)
    }

    fn merged_lists(&self, node: &Node, parts: &[(Vec<u32>, Value)], len: usize, points: usize) -> Eval {
        let lists: Eval<Vec<_>> = parts
            .iter()
            .map(|(part, value)| Ok((part, self.items(node, value, part.len())?)))
            .collect();
        let lists = lists?;
        if lists.iter().any(|(_, items)| items.len() != len) {
            return fault(node, "the branches are lists of different lengths");
        }
        let mut merged = Vec::with_capacity(len);
        for i in 0..len {
            let parts: Vec<(Vec<u32>, Value)> = lists
                .iter()
                .map(|(part, items)| ((*part).clone(), items[i].clone()))
                .collect();
            merged.push(self.merged(node, &parts, points)?);
        }
        Ok(Value::List(merged.into()))
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

    /// An activation on each element, as its own meaning says.
    pub(crate) fn apply(&self, node: &Node, operator: &Node, value: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let (field, at) = match self.eval(operator, space, a)? {
            Value::Operator(field, at) => (field, at),
            _ => return fault(node, "there is no such nested operator"),
        };
        let elements = self.reals(value, space, a)?;
        if let Some(at) = at.uniform() {
            return self.activated(node, field, at, elements, space.points, a);
        }
        // The operator differs from point to point.
        let mut parts: Vec<(i128, Vec<u32>)> = Vec::new();
        for point in 0..space.points {
            let at = at.get(point).value;
            match parts.iter_mut().find(|(known, _)| *known == at) {
                Some((_, part)) => part.push(point as u32),
                None => parts.push((at, vec![point as u32])),
            }
        }
        let values: Eval<Vec<(Vec<u32>, Value)>> = parts
            .into_iter()
            .map(|(at, part)| {
                let value = self.activated(node, field, at, elements.gather(&part), part.len(), a)?;
                Ok((part, value))
            })
            .collect();
        self.merged(node, &values?, space.points)
    }

    /// A nested operator on elements.
    fn activated(&self, node: &Node, field: usize, at: i128, elements: Reals, points: usize, a: &Arithmetic) -> Eval {
        let nested = match self.descriptor.fields.get(field) {
            Some(FieldValue::Operator(Some(nested))) => Some(&**nested),
            Some(FieldValue::Operators(Some(nested))) => usize::try_from(at).ok().and_then(|at| nested.get(at)),
            _ => None,
        };
        let Some(nested) = nested else {
            return fault(node, "there is no such nested operator");
        };
        let (operator, meaning) = match (
            self.catalog.operator(&nested.operator),
            self.meanings.meaning(&nested.operator),
        ) {
            (Some(operator), Some(meaning)) => (operator, meaning),
            _ => return fault(node, format!("the nested operator {} has no meaning", nested.operator)),
        };
        let elements = match self.narrowed {
            Some(format) => self.real1(&elements, points, |real| narrowed(real, &format, a)),
            None => elements,
        };
        let elements = self.opened_operands(&elements, meaning, points, a);
        let inner = Machine {
            catalog: self.catalog,
            meanings: self.meanings,
            operator,
            meaning,
            descriptor: nested,
            given: &[],
            inputs: std::borrow::Cow::Borrowed(&[]),
            kept: std::cell::RefCell::new(vec![None; meaning.definitions.len()]),
            targets: std::cell::RefCell::default(),
            arena: self.arena,
            // Its variables have numbers of their own.
            alone: Space::root(1),
            applied: Some(Value::Real(elements)),
            narrowed: None,
            reading: self.reading.nested(),
        };
        match meaning.outputs.first() {
            Some(output) => {
                let value = inner.eval(&output.body, &Space::root(points), a);
                value.map_err(|fault| fault.within(Within::output(operator, output.field)))
            }
            None => fault(node, "the nested operator has no output"),
        }
    }
}

/// A number that may be rounded to a narrower format on the way.
pub(crate) fn narrowed(real: Real, format: &super::Format, a: &Arithmetic) -> Real {
    if real.open != 0 || format.bits >= a.format.bits || real.is_exact() && format.holds(real.value) {
        return real;
    }
    let real = real.settled(&a.format);
    Real {
        lo: real.lo.min(format.nearest(real.lo)),
        hi: real.hi.max(format.nearest(real.hi)),
        ..real
    }
}

/// Whether every entry of a column is open.
fn is_open_alone(value: &Value, points: usize) -> bool {
    match value {
        Value::Real(Reals::One(real)) => real.open != 0,
        Value::Real(Reals::Bound(reals)) => {
            (0..points).all(|point| reals[if reals.len() == 1 { 0 } else { point }].open != 0)
        }
        _ => false,
    }
}

/// A column that is open, as one of the same kind as another.
fn opened_like(kind: &Value, value: &Value, points: usize) -> Value {
    let Value::Real(reals) = value else {
        return value.clone();
    };
    if !is_open_alone(value, points) {
        return value.clone();
    }
    let open = (0..points.max(1)).map(|point| reals.get(point).open);
    match kind {
        Value::Int(_) => Value::Int(Ints::collect(
            open.map(|open| Whole {
                open,
                ..Whole::exact(0)
            })
            .collect(),
        )),
        Value::Bool(_) => Value::Bool(Bools::collect(open.map(Truth::open).collect())),
        _ => value.clone(),
    }
}

fn scattered<T: Copy>(
    parts: &[(Vec<u32>, Value)],
    points: usize,
    empty: T,
    get: impl Fn(&Value, usize) -> Option<T>,
) -> Option<Vec<T>> {
    let mut all = vec![empty; points];
    for (part, value) in parts {
        for (at, point) in part.iter().enumerate() {
            all[*point as usize] = get(value, at)?;
        }
    }
    Some(all)
}

/// Reals that every implementation has; `None` if some are others.
fn merged_numbers(parts: &[(Vec<u32>, Value)], points: usize) -> Option<Vec<f64>> {
    let mut all = vec![0.0; points];
    for (part, value) in parts {
        match value {
            Value::Real(Reals::Exact {
                numbers,
                any_zero: false,
            }) if numbers.len() == part.len() => {
                part.iter()
                    .zip(numbers.iter())
                    .for_each(|(point, x)| all[*point as usize] = *x);
            }
            Value::Real(Reals::One(real)) if real.flags == 0 && real.is_exact() => {
                part.iter().for_each(|point| all[*point as usize] = real.value);
            }
            _ => return None,
        }
    }
    Some(all)
}

/// Whole numbers of 64 bits; `None` if some are others.
fn merged_narrow(parts: &[(Vec<u32>, Value)], points: usize) -> Option<Vec<i64>> {
    let mut all = vec![0; points];
    for (part, value) in parts {
        match value {
            Value::Int(Ints::Many(numbers)) if numbers.len() == part.len() => {
                part.iter()
                    .zip(numbers.iter())
                    .for_each(|(point, n)| all[*point as usize] = *n);
            }
            Value::Int(Ints::One(n)) => {
                let n = i64::try_from(*n).ok()?;
                part.iter().for_each(|point| all[*point as usize] = n);
            }
            _ => return None,
        }
    }
    Some(all)
}

fn merged_ints(parts: &[(Vec<u32>, Value)], points: usize) -> Value {
    if let Some(numbers) = merged_narrow(parts, points) {
        return Value::Int(Ints::narrow(numbers));
    }
    let get = |value: &Value, at: usize| match value {
        Value::Int(ints) => Some(ints.get(at)),
        _ => None,
    };
    Value::Int(Ints::collect(
        scattered(parts, points, Whole::exact(0), get).unwrap_or_default(),
    ))
}
