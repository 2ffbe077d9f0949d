//! Numbers of points in a plain form.

use std::ops::Range;

use crate::column::{Ints, Reals};

/// Numbers of points in a plain form: one for all, or one for each.
pub(super) enum Plain<'c, T> {
    One(T),
    Many(&'c [T]),
}

impl<'c, T: Copy> Plain<'c, T> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Many(all) => all.len(),
        }
    }

    /// Those of some points.
    pub(super) fn part(&self, points: &Range<usize>) -> Plain<'c, T> {
        match self {
            Self::One(one) => Plain::One(*one),
            Self::Many(all) => Plain::Many(&all[points.clone()]),
        }
    }
}

/// Whole numbers of 64 bits; `None` if some are others.
pub(super) fn narrow(ints: &Ints) -> Option<Plain<'_, i64>> {
    match ints {
        Ints::One(one) => i64::try_from(*one).ok().map(Plain::One),
        Ints::Many(values) => Some(Plain::Many(values)),
        _ => None,
    }
}

/// Numbers that every implementation has; `None` if some are others.
pub(super) fn numbers(reals: &Reals) -> Option<Plain<'_, f64>> {
    match reals {
        Reals::One(real) => real.is_exact().then_some(Plain::One(real.value)),
        Reals::Exact { numbers, .. } => Some(Plain::Many(numbers)),
        Reals::Bound(_) => None,
    }
}

/// What an operation gives for each point.
#[inline]
pub(super) fn pairs<T: Copy, R>(x: Plain<'_, T>, y: Plain<'_, T>, f: impl FnMut(T, T) -> R) -> Vec<R> {
    let mut f = f;
    match (x, y) {
        (Plain::Many(x), Plain::Many(y)) => x.iter().zip(y).map(|(x, y)| f(*x, *y)).collect(),
        (Plain::Many(x), Plain::One(y)) => x.iter().map(|x| f(*x, y)).collect(),
        (Plain::One(x), Plain::Many(y)) => y.iter().map(|y| f(x, *y)).collect(),
        (Plain::One(x), Plain::One(y)) => vec![f(x, y)],
    }
}
