//! Arithmetic on whole numbers.

use std::rc::Rc;

use dml_spec::{
    meaning::Node,
    rule::{
        arith::{div_floor, rem_floor},
        ast::Bits,
        typed::Binary,
    },
};

use super::{
    Eval, Machine, fault,
    plain::{Plain, narrow, pairs},
};
use crate::{
    column::{Ints, Value, Whole},
    real::Arithmetic,
    space::Space,
    whole::{BEYOND, is_beyond, plus, times},
};

impl Machine<'_> {
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
}

/// An operation on whole numbers of 64 bits whose results are such numbers; `None` if some are not.
pub(super) fn narrow2(op: Binary, x: &Ints, y: &Ints) -> Option<Ints> {
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
pub(super) fn whole_operation(op: Binary, a: &Arithmetic) -> impl Fn(i128, i128) -> Option<i128> + use<> {
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
