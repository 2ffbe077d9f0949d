//! Comparisons: true, false, or decided by rounding.

use std::{cmp::Ordering, rc::Rc};

use dml_spec::{meaning::Node, rule::typed::Binary};

use super::{
    Eval, Machine, fault,
    plain::{narrow, numbers, pairs},
};
use crate::{
    column::{Bools, Ints, Reals, Truth, Value, Whole},
    real::{Arithmetic, MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, Real, VANISHES},
    space::Space,
};

impl Machine<'_> {
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
