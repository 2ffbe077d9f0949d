//! Arithmetic on columns.

use std::{cmp::Ordering, ops::Range, rc::Rc};

use dml_spec::{
    meaning::{Node, Op},
    rule::{
        arith::{div_floor, rem_floor},
        ast::Bits,
        typed::Binary,
    },
};

use super::{Eval, Machine, fault};
use crate::tally::Sums;
use crate::whole::{BEYOND, is_beyond, plus, times};
use crate::{
    arena::Arena,
    column::{Bools, Ints, Reals, Truth, Value, Whole},
    real::{Arithmetic, MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, PENDING, Real, VANISHES, two_sum},
    space::Space,
    tally::Tally,
};

impl Machine<'_> {
    /// A column as reals: whole numbers are converted, which may round.
    pub(crate) fn as_reals(&self, node: &Node, value: &Value, points: usize, a: &Arithmetic) -> Eval<Reals> {
        let ints = match value {
            Value::Real(reals) => return Ok(reals.clone()),
            Value::Int(ints) => ints,
            _ => return fault(node, "a number is needed here"),
        };
        if let Ints::Many(values) = ints
            && values
                .iter()
                .all(|v| a.format.holds(*v as f64) && v.unsigned_abs() <= 1 << 53)
        {
            return Ok(Reals::exact(values.iter().map(|v| *v as f64).collect(), false));
        }
        if let Some(one) = ints.uniform() {
            return Ok(Reals::One(converted(one, a)));
        }
        let one = |point| {
            let whole = ints.get(point);
            if whole.open != 0 {
                return Real::open(whole.open - 1);
            }
            self.arena
                .one_of(self.arena.wholes(whole).into_iter().map(|value| converted(value, a)))
        };
        Ok(Reals::collect((0..points).map(one).collect()))
    }

    /// A whole number among reals, whatever their format: rounded where it is used.
    pub(crate) fn real_of(&self, whole: Whole) -> Real {
        let real = |value: i128| {
            let real = value as f64;
            let (lo, hi) = if value.unsigned_abs() <= 1 << 53 {
                (real, real)
            } else {
                (real.next_down(), real.next_up())
            };
            let flags = if value.unsigned_abs() <= 1 << 11 { 0 } else { PENDING };
            Real {
                lo,
                hi,
                ..Real::exact(real)
            }
            .with(flags)
        };
        match whole.open {
            0 if whole.outcomes == 0 => real(whole.value),
            0 => self.arena.one_of(self.arena.wholes(whole).into_iter().map(real)),
            open => Real::open(open - 1),
        }
    }

    /// An operation on whole numbers; `None` is a number beyond 128 bits, or none at all.
    pub(crate) fn whole2(
        &self,
        node: &Node,
        x: &Ints,
        y: &Ints,
        points: usize,
        mut f: impl FnMut(i128, i128) -> Option<i128>,
    ) -> Eval {
        let none = || match self.arena.lenient {
            true => Ok(Value::Int(Ints::Marked(Rc::new(vec![Whole::unknown()])))),
            false => fault(
                node,
                "this has no value: a division by zero, or a number beyond 128 bits",
            ),
        };
        if let (Some(x), Some(y)) = (x.uniform(), y.uniform()) {
            return match f(x, y) {
                Some(value) => Ok(Value::int(value)),
                None => none(),
            };
        }
        if x.is_plain() && y.is_plain() {
            let mut narrow = Vec::with_capacity(points);
            for point in 0..points {
                match f(x.get(point).value, y.get(point).value).map(i64::try_from) {
                    Some(Ok(value)) => narrow.push(value),
                    Some(Err(_)) => break,
                    None if self.arena.lenient => break,
                    None => return none(),
                }
            }
            if narrow.len() == points {
                return Ok(Value::Int(Ints::narrow(narrow)));
            }
        }
        let mut values = Vec::with_capacity(points);
        for point in 0..points {
            match self.whole_pair(x.get(point), y.get(point), &mut f) {
                Some(value) => values.push(value),
                None if self.arena.lenient => values.push(Whole::unknown()),
                None => return none(),
            }
        }
        Ok(Value::Int(Ints::collect(values)))
    }

    fn whole_pair(&self, x: Whole, y: Whole, f: &mut impl FnMut(i128, i128) -> Option<i128>) -> Option<Whole> {
        let open = if x.open != 0 { x.open } else { y.open };
        if open != 0 {
            return Some(Whole {
                open,
                ..Whole::exact(0)
            });
        }
        if x.outcomes == 0 && y.outcomes == 0 {
            return f(x.value, y.value).map(Whole::exact);
        }
        let (xs, ys) = (self.arena.wholes(x), self.arena.wholes(y));
        let mut all = Vec::new();
        for x in &xs {
            for y in &ys {
                all.push(Whole::exact(f(*x, *y)?));
            }
        }
        self.arena.whole_of(all)
    }

    /// An operation on each real.
    #[inline]
    pub(crate) fn real1(&self, x: &Reals, points: usize, f: impl Fn(Real) -> Real) -> Reals {
        match x {
            Reals::One(real) => Reals::One(self.real_one(*real, &f)),
            Reals::Bound(reals) if reals.len() == points => {
                tidy(reals.iter().map(|real| self.real_one(*real, &f)).collect())
            }
            _ => tidy((0..points).map(|point| self.real_one(x.get(point), &f)).collect()),
        }
    }

    /// An operation on each outcome of a real.
    #[inline(always)]
    fn real_one(&self, real: Real, f: &impl Fn(Real) -> Real) -> Real {
        match real.outcomes {
            0 => f(real),
            _ => self.arena.one_of(self.arena.outcomes(real).into_iter().map(f)),
        }
    }

    /// An operation on pairs of reals.
    #[inline(always)]
    pub(crate) fn real2(&self, x: &Reals, y: &Reals, points: usize, f: impl Fn(Real, Real) -> Real) -> Reals {
        let lift = |x: Real, y: Real| self.arena.lift(x, y, &f);
        Reals::collect(match (x, y) {
            (Reals::One(x), Reals::One(y)) => return Reals::One(lift(*x, *y)),
            (Reals::Bound(x), Reals::One(y)) => x.iter().map(|x| lift(*x, *y)).collect(),
            _ => (0..points).map(|point| lift(x.get(point), y.get(point))).collect(),
        })
    }

    /// An operation on pairs of reals that are not open; of others the result is open too.
    #[inline(always)]
    fn judged2(&self, x: &Reals, y: &Reals, points: usize, f: impl Fn(Real, Real) -> Real) -> Reals {
        self.real2(x, y, points, |x, y| tainted(x, y, &f))
    }

    /// `+ - * / %` on two columns.
    pub(crate) fn combine(
        &self,
        node: &Node,
        op: Binary,
        x: (&Node, &Value),
        y: (&Node, &Value),
        points: usize,
        a: &Arithmetic,
    ) -> Eval {
        if let (Value::Int(x), Value::Int(y)) = (x.1, y.1) {
            return match narrow2(op, x, y) {
                Some(ints) => Ok(Value::Int(ints)),
                None => self.whole2(node, x, y, points, whole_operation(op, a)),
            };
        }
        let (left, right) = (self.as_reals(x.0, x.1, points, a)?, self.as_reals(y.0, y.1, points, a)?);
        let fast = match op {
            Binary::Add => exact2(&left, &right, a, added),
            Binary::Sub => exact2(&left, &right, a, |x, y| added(x, -y)),
            Binary::Mul => exact2(&left, &right, a, multiplied),
            _ => None,
        };
        if let Some(fast) = fast {
            return Ok(Value::Real(fast));
        }
        // A number that all points share is rounded once.
        let (left, right) = (left.settled_once(&a.format), right.settled_once(&a.format));
        Ok(Value::Real(match op {
            Binary::Add => self.judged2(&left, &right, points, |x, y| Real::add(x, y, a)),
            Binary::Sub => self.judged2(&left, &right, points, |x, y| Real::add(x, Real::neg(y), a)),
            Binary::Mul => self.judged2(&left, &right, points, |x, y| Real::mul(x, y, a)),
            Binary::Div => self.judged2(&left, &right, points, |x, y| Real::div(x, y, a)),
            _ => return open_wholes(node, &left, &right, points),
        }))
    }

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

    pub(crate) fn bits(&self, node: &Node, op: Bits, x: &Node, y: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let points = space.points;
        if op == Bits::Concat {
            let (first, second) = (self.eval(x, space, a)?, self.eval(y, space, a)?);
            let (first, second) = (self.items(x, &first, points)?, self.items(y, &second, points)?);
            let items: Rc<[Value]> = first.iter().chain(second.iter()).cloned().collect();
            return self.list(node, items, points);
        }
        let (x, y) = (self.ints(x, space, a)?, self.ints(y, space, a)?);
        let shift = |n: i128| u32::try_from(n).ok().filter(|n| *n < 127);
        self.whole2(node, &x, &y, points, |x, y| match op {
            Bits::And => Some(x & y),
            Bits::Or => Some(x | y),
            Bits::Xor => Some(x ^ y),
            Bits::Left => x.checked_mul(1_i128.checked_shl(shift(y)?)?),
            Bits::Right => Some(x >> shift(y)?),
            Bits::Concat => None,
        })
    }

    pub(crate) fn compare(
        &self,
        node: &Node,
        op: Binary,
        x: &Node,
        y: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let (left, right) = (self.eval(x, space, a)?, self.eval(y, space, a)?);
        self.compared(node, op, (x, &left), (y, &right), space.points, a)
    }

    fn compared(
        &self,
        node: &Node,
        op: Binary,
        x: (&Node, &Value),
        y: (&Node, &Value),
        points: usize,
        a: &Arithmetic,
    ) -> Eval {
        let truths = match (x.1, y.1) {
            (Value::Int(x), Value::Int(y)) => return Ok(Value::Bool(self.compared_wholes(op, x, y, points))),
            (Value::Bool(x), Value::Bool(y)) => {
                let same = |x: Truth, y: Truth| match x.open.max(y.open) {
                    0 if x.is_undecided() || y.is_undecided() => Truth::EITHER,
                    0 => Truth::of((x == y) == (op == Binary::Eq)),
                    open => Truth::open(open),
                };
                (0..points).map(|point| same(x.get(point), y.get(point))).collect()
            }
            (Value::List(_) | Value::Row(_), _) => {
                let (left, right) = (self.items(x.0, x.1, points)?, self.items(y.0, y.1, points)?);
                let mut same = Bools::One(Truth::of(left.len() == right.len()));
                for (l, r) in left.iter().zip(right.iter()) {
                    let Value::Bool(equal) = self.compared(node, Binary::Eq, (x.0, l), (y.0, r), points, a)? else {
                        return fault(node, "these cannot be compared");
                    };
                    same = self.both(&same, &equal, points);
                }
                return Ok(Value::Bool(if op == Binary::Ne {
                    self.truths(&same, points, Truth::not)
                } else {
                    same
                }));
            }
            _ => {
                let (x, y) = (self.as_reals(x.0, x.1, points, a)?, self.as_reals(y.0, y.1, points, a)?);
                if let (Reals::One(x), Reals::One(y)) = (&x, &y) {
                    return Ok(Value::Bool(Bools::One(self.compared_reals(op, *x, *y, a))));
                }
                if let (Some(x), Some(y)) = (numbers(&x), numbers(&y)) {
                    let outcomes = Outcomes::of(op);
                    let truths = pairs(x, y, |x, y| outcomes.get(x.partial_cmp(&y)));
                    return Ok(Value::Bool(Bools::collect(truths)));
                }
                (0..points)
                    .map(|point| self.compared_reals(op, x.get(point), y.get(point), a))
                    .collect()
            }
        };
        Ok(Value::Bool(Bools::collect(truths)))
    }

    fn compared_wholes(&self, op: Binary, x: &Ints, y: &Ints, points: usize) -> Bools {
        let one = |x: Whole, y: Whole| {
            let open = x.open.max(y.open);
            if open != 0 {
                return Truth::open(open);
            }
            if x.outcomes == 0 && y.outcomes == 0 {
                return Truth::of(holds(op, x.value.cmp(&y.value)));
            }
            let ys = self.arena.wholes(y);
            let xs = self.arena.wholes(x);
            decided(xs.iter().flat_map(|x| ys.iter().map(move |y| holds(op, x.cmp(y)))))
        };
        if let (Some(x), Some(y)) = (x.uniform(), y.uniform()) {
            return Bools::One(Truth::of(holds(op, x.cmp(&y))));
        }
        if let (Some(x), Some(y)) = (narrow(x), narrow(y)) {
            let outcomes = Outcomes::of(op);
            return Bools::collect(pairs(x, y, |x, y| outcomes.get(Some(x.cmp(&y)))));
        }
        Bools::collect((0..points).map(|point| one(x.get(point), y.get(point))).collect())
    }

    /// Whether a comparison holds: both outcomes if rounding decides.
    pub(crate) fn compared_reals(&self, op: Binary, x: Real, y: Real, a: &Arithmetic) -> Truth {
        let open = if x.open != 0 { x.open } else { y.open };
        if open != 0 {
            return Truth::open(open);
        }
        // One denormal is taken for zero everywhere or nowhere, so that it equals itself.
        if x.flags & y.flags & VANISHES != 0 && x.outcomes == 0 && x == y {
            return Truth::of(holds(op, Ordering::Equal));
        }
        if x.outcomes != 0 || y.outcomes != 0 {
            let (xs, ys) = (self.arena.outcomes(x), self.arena.outcomes(y));
            let all = xs
                .iter()
                .flat_map(|x| ys.iter().map(move |y| self.compared_reals(op, *x, *y, a)));
            return all
                .reduce(|a, b| if a == b { a } else { Truth::EITHER })
                .unwrap_or(Truth::EITHER);
        }
        let (x, y) = (x.settled(&a.format), y.settled(&a.format));
        if x.is_exact() && y.is_exact() {
            return Truth::of(match x.value.partial_cmp(&y.value) {
                Some(order) => holds(op, order),
                None => op == Binary::Ne,
            });
        }
        let odd = MAY_BE_NAN | MAY_BE_INFINITE | MAY_BE_NEGATIVE_INFINITE;
        if (x.flags | y.flags) & odd != 0 || x.value.is_nan() || y.value.is_nan() {
            return Truth::EITHER;
        }
        use std::cmp::Ordering::{Equal, Greater, Less};
        let possible = [
            (Less, x.lo < y.hi),
            (Equal, x.lo <= y.hi && y.lo <= x.hi),
            (Greater, x.hi > y.lo),
        ];
        decided(
            possible
                .into_iter()
                .filter(|(_, may)| *may)
                .map(|(order, _)| holds(op, order)),
        )
    }
}

/// The remainder of what is open at every point, and so of no kind.
fn open_wholes(node: &Node, x: &Reals, y: &Reals, points: usize) -> Eval {
    let opened = |point| match x.get(point).open {
        0 => y.get(point).open,
        open => open,
    };
    let wholes = (0..points).map(|point| Whole {
        open: opened(point),
        ..Whole::exact(0)
    });
    let wholes: Vec<Whole> = wholes.collect();
    match wholes.iter().all(|whole| whole.open != 0) {
        true => Ok(Value::Int(Ints::collect(wholes))),
        false => fault(node, "this operation needs whole numbers"),
    }
}

/// A sum of many with a factor: the operation, the sum, what it sums, and the factor.
type Scaled<'a> = (Binary, &'a Node, &'a dml_spec::meaning::typed::Reduction, &'a Node);

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
    matches!(&node.op, Op::Reduce(reduction) if reduction.kind == dml_spec::meaning::typed::Kind::Sum)
}

/// What holds of all: true, false, or both.
pub(crate) fn decided(outcomes: impl Iterator<Item = bool>) -> Truth {
    let mut found = [false; 2];
    outcomes.for_each(|outcome| found[usize::from(outcome)] = true);
    match found {
        [true, true] => Truth::EITHER,
        [false, true] => Truth::TRUE,
        _ => Truth::FALSE,
    }
}

fn holds(op: Binary, order: Ordering) -> bool {
    match op {
        Binary::Eq => order.is_eq(),
        Binary::Ne => order.is_ne(),
        Binary::Lt => order.is_lt(),
        Binary::Le => order.is_le(),
        Binary::Gt => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// Whether a comparison holds, for each order of two numbers.
struct Outcomes([Truth; 3], Truth);

impl Outcomes {
    fn of(op: Binary) -> Self {
        use std::cmp::Ordering::{Equal, Greater, Less};
        // What is not a number differs from everything.
        let unordered = Truth::of(op == Binary::Ne);
        Self(
            [Less, Equal, Greater].map(|order| Truth::of(holds(op, order))),
            unordered,
        )
    }

    #[inline]
    fn get(&self, order: Option<std::cmp::Ordering>) -> Truth {
        match order {
            Some(order) => self.0[(order as i8 + 1) as usize],
            None => self.1,
        }
    }
}

/// Numbers of points in a plain form: one for all, or one for each.
enum Plain<'c, T> {
    One(T),
    Many(&'c [T]),
}

impl<'c, T: Copy> Plain<'c, T> {
    fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Many(all) => all.len(),
        }
    }

    /// Those of some points.
    fn part(&self, points: &Range<usize>) -> Plain<'c, T> {
        match self {
            Self::One(one) => Plain::One(*one),
            Self::Many(all) => Plain::Many(&all[points.clone()]),
        }
    }
}

/// Results that are tried before the rest.
const FEW: usize = 64;

/// Whole numbers of 64 bits; `None` if some are others.
fn narrow(ints: &Ints) -> Option<Plain<'_, i64>> {
    match ints {
        Ints::One(one) => i64::try_from(*one).ok().map(Plain::One),
        Ints::Many(values) => Some(Plain::Many(values)),
        _ => None,
    }
}

/// Numbers that every implementation has; `None` if some are others.
fn numbers(reals: &Reals) -> Option<Plain<'_, f64>> {
    match reals {
        Reals::One(real) => real.is_exact().then_some(Plain::One(real.value)),
        Reals::Exact { numbers, .. } => Some(Plain::Many(numbers)),
        Reals::Bound(_) => None,
    }
}

/// What an operation gives for each point.
#[inline]
fn pairs<T: Copy, R>(x: Plain<'_, T>, y: Plain<'_, T>, f: impl FnMut(T, T) -> R) -> Vec<R> {
    let mut f = f;
    match (x, y) {
        (Plain::Many(x), Plain::Many(y)) => x.iter().zip(y).map(|(x, y)| f(*x, *y)).collect(),
        (Plain::Many(x), Plain::One(y)) => x.iter().map(|x| f(*x, y)).collect(),
        (Plain::One(x), Plain::Many(y)) => y.iter().map(|y| f(x, *y)).collect(),
        (Plain::One(x), Plain::One(y)) => vec![f(x, y)],
    }
}

/// An operation on whole numbers of 64 bits whose results are such numbers; `None` if some are not.
fn narrow2(op: Binary, x: &Ints, y: &Ints) -> Option<Ints> {
    match (op, x, y) {
        (_, Ints::One(_), Ints::One(_)) => return None,
        // Most index vectors are sums of one that varies and one that is zero, dimension by dimension.
        (Binary::Add | Binary::Sub, Ints::Many(_), Ints::One(0)) => return Some(x.clone()),
        (Binary::Add, Ints::One(0), Ints::Many(_)) => return Some(y.clone()),
        _ => {}
    }
    let (x, y) = (narrow(x)?, narrow(y)?);
    // Quotients are rounded down, which is what processors do with positive numbers alone.
    let positive = |x: i64, y: i64| x >= 0 && y > 0;
    match op {
        Binary::Add => narrow_pairs(x, y, i64::overflowing_add),
        Binary::Sub => narrow_pairs(x, y, i64::overflowing_sub),
        Binary::Mul => narrow_pairs(x, y, i64::overflowing_mul),
        Binary::Div => narrow_pairs(x, y, |x, y| if positive(x, y) { (x / y, false) } else { (0, true) }),
        Binary::Rem => narrow_pairs(x, y, |x, y| if positive(x, y) { (x % y, false) } else { (0, true) }),
        _ => None,
    }
}

/// Results of an operation that says as well whether one is no number of 64 bits.
#[inline]
fn narrow_pairs(x: Plain<'_, i64>, y: Plain<'_, i64>, f: impl Fn(i64, i64) -> (i64, bool)) -> Option<Ints> {
    let mut beyond = false;
    let values = pairs(x, y, |x, y| {
        let (value, left) = f(x, y);
        beyond |= left;
        value
    });
    (!beyond).then(|| Ints::narrow(values))
}

/// An operation on whole numbers. Modulo 2^n, what overflows 128 bits does no harm; else it stays beyond every type.
fn whole_operation(op: Binary, a: &Arithmetic) -> impl Fn(i128, i128) -> Option<i128> + use<> {
    let wraps = a.wraps;
    move |x, y| match op {
        Binary::Add if wraps => Some(x.wrapping_add(y)),
        Binary::Sub if wraps => Some(x.wrapping_sub(y)),
        Binary::Mul if wraps => Some(x.wrapping_mul(y)),
        Binary::Add => plus(x, y),
        Binary::Sub => plus(x, y.checked_neg()?),
        Binary::Mul => Some(x.checked_mul(y).unwrap_or_else(|| times(x, y))),
        Binary::Div => match (i64::try_from(x), i64::try_from(y)) {
            // Most numbers are short, and short divisions are quick.
            (Ok(x), Ok(y)) if x >= 0 && y > 0 => Some((x / y).into()),
            _ if is_beyond(x) || is_beyond(y) => None,
            _ => div_floor(x, y),
        },
        Binary::Rem => match (i64::try_from(x), i64::try_from(y)) {
            (Ok(x), Ok(y)) if x >= 0 && y > 0 => Some((x % y).into()),
            _ if is_beyond(x) || is_beyond(y) => None,
            _ => rem_floor(x, y),
        },
        _ => None,
    }
}

/// A whole number to the power of another: so large that it fits no type if 128 bits do not hold it.
pub(crate) fn power(x: i128, y: i128, a: &Arithmetic) -> Option<i128> {
    if y < 0 {
        return None;
    }
    // Of a greater exponent only -1 knows more than that it is great: whether it is odd.
    let n = u32::try_from(y).unwrap_or(u32::MAX - 1 + u32::from(y % 2 == 1));
    if a.wraps {
        return Some(x.wrapping_pow(n));
    }
    let sign = if x < 0 && n % 2 == 1 { -1 } else { 1 };
    Some(x.checked_pow(n).unwrap_or(sign * BEYOND))
}

/// A whole number as a real of the arithmetic's format.
fn converted(value: i128, a: &Arithmetic) -> Real {
    if value == 0 {
        return Real::exact(0.0).with(crate::real::ANY_ZERO);
    }
    let real = value as f64;
    let exact = value.unsigned_abs() <= 1 << 53 || real as i128 == value && real.abs() < 2f64.powi(126);
    if exact && a.format.holds(real) {
        return Real::exact(real);
    }
    // The neighbours in binary64: the nearest one, and the one on the other side.
    let (lo, hi) = match (real as i128).cmp(&value) {
        _ if exact => (real, real),
        Ordering::Less => (real, real.next_up()),
        Ordering::Greater => (real.next_down(), real),
        // The nearest one has no place in 128 bits.
        Ordering::Equal => (real.next_down(), real.next_up()),
    };
    Real {
        lo,
        hi,
        ..Real::exact(real)
    }
    .with(PENDING)
    .ranged(a)
}

#[inline(always)]
fn tainted(x: Real, y: Real, f: impl Fn(Real, Real) -> Real) -> Real {
    let open = if x.open != 0 { x.open } else { y.open };
    if open != 0 { Real::open(open - 1) } else { f(x, y) }
}

/// An operation on numbers that every implementation has, if all results are such numbers.
fn exact2(x: &Reals, y: &Reals, a: &Arithmetic, f: impl Fn(f64, f64) -> (f64, bool)) -> Option<Reals> {
    if matches!((x, y), (Reals::One(_), Reals::One(_))) {
        return None;
    }
    let (x, y) = (numbers(x)?, numbers(y)?);
    let points = x.len().max(y.len());
    let (mut results, mut fits) = (Vec::with_capacity(points), true);
    // Most results that do not fit show among the first.
    for start in (0..points).step_by(FEW) {
        let part = start..points.min(start + FEW);
        results.extend(pairs(x.part(&part), y.part(&part), |x, y| {
            let (value, exact) = f(x, y);
            fits = fits && exact && value.is_finite() && a.format.gives_exactly(value);
            value
        }));
        if !fits {
            return None;
        }
    }
    Some(Reals::exact(results, true))
}

#[inline]
fn added(x: f64, y: f64) -> (f64, bool) {
    let (sum, error) = two_sum(x, y);
    (sum, error == 0.0)
}

#[inline]
fn multiplied(x: f64, y: f64) -> (f64, bool) {
    // Products of numbers of single precision are exact in binary64.
    (x * y, f64::from(x as f32) == x && f64::from(y as f32) == y)
}

/// A column of reals, in its plain form if every implementation has all its numbers.
pub(crate) fn tidy(reals: Vec<Real>) -> Reals {
    if reals.len() > 1
        && reals
            .iter()
            .all(|real| real.is_exact() && real.flags & crate::real::ANY_ZERO != 0)
    {
        return Reals::exact(reals.iter().map(|real| real.value).collect(), true);
    }
    Reals::collect(reals)
}
