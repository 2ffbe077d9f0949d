//! Arithmetic on columns.

mod compare;
mod plain;
mod sums;
mod wholes;

use std::cmp::Ordering;

use dml_spec::{meaning::Node, rule::typed::Binary};

use self::{
    plain::{numbers, pairs},
    wholes::{narrow2, whole_operation},
};
use super::{Eval, Machine, fault};
use crate::{
    column::{Ints, Reals, Value, Whole},
    real::{Arithmetic, PENDING, Real, two_sum},
};

pub(crate) use self::{compare::decided, sums::is_sum, wholes::power};

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

/// Results that are tried before the rest.
const FEW: usize = 64;

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
