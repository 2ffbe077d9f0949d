//! Where a number may be one of several: the outcomes of what rounding decides.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use smallvec::{SmallVec, smallvec};

use super::{
    column::Whole,
    limits::Budget,
    real::{ANY_ZERO, Real, VANISHES},
};

/// Most outcomes of a number that are told apart; beyond, there is the interval around all.
pub(crate) const MOST: usize = 256;

/// The outcomes of numbers that have several. Few do.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    reals: RefCell<Vec<Vec<Real>>>,
    wholes: RefCell<Vec<Vec<i128>>>,
    /// A whole number has more outcomes than are told apart: there is no interval to stand for them.
    crowded: Cell<bool>,
    /// What the evaluation may still take.
    pub(crate) budget: Budget,
    /// What has no value is open instead of a fault: a mutant is evaluated.
    pub(crate) lenient: bool,
    /// What a mutant reads outside a tensor is its nearest element, instead of the buffer read linearly.
    pub(crate) clamps: bool,
    /// Is set where a mutant reads outside a tensor.
    pub(crate) outside: Option<Rc<Cell<bool>>>,
}

impl Arena {
    /// An arena of an evaluation that may look at so many points.
    pub(crate) fn within(points: u64) -> Self {
        Self {
            budget: Budget::of(points),
            ..Self::default()
        }
    }

    /// An arena of the evaluation of a mutant. `outside` is set if it reads outside a tensor.
    pub(crate) fn lenient(points: u64, clamps: bool, outside: &Rc<Cell<bool>>) -> Self {
        Self {
            lenient: true,
            clamps,
            outside: Some(Rc::clone(outside)),
            ..Self::within(points)
        }
    }

    /// Notes that a whole number has too many outcomes; the part of the expression that it stands for has no value.
    pub(crate) fn crowd(&self) {
        self.crowded.set(true);
    }

    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowded.get()
    }

    /// How many numbers have outcomes.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.reals.borrow().len(), self.wholes.borrow().len())
    }

    /// Forgets the outcomes of numbers since a mark; nothing holds these numbers any more.
    pub(crate) fn release(&self, (reals, wholes): (usize, usize)) {
        self.reals.borrow_mut().truncate(reals);
        self.wholes.borrow_mut().truncate(wholes);
    }

    /// The outcomes of a number: itself, if there is one.
    pub(crate) fn outcomes(&self, real: Real) -> SmallVec<[Real; 2]> {
        match real.outcomes {
            0 if real.flags & VANISHES != 0 => smallvec![Real::exact(real.value), Real::exact(0.0).with(ANY_ZERO)],
            0 => smallvec![real],
            at => self
                .reals
                .borrow()
                .get(at as usize - 1)
                .cloned()
                .unwrap_or_default()
                .into(),
        }
    }

    /// The outcomes of a whole number.
    pub(crate) fn wholes(&self, whole: Whole) -> SmallVec<[i128; 2]> {
        match whole.outcomes {
            0 => smallvec![whole.value],
            at => self
                .wholes
                .borrow()
                .get(at as usize - 1)
                .cloned()
                .unwrap_or_default()
                .into(),
        }
    }

    /// A number that is one of these; the first one is its value.
    pub(crate) fn one_of(&self, outcomes: impl IntoIterator<Item = Real>) -> Real {
        let mut all: SmallVec<[Real; 2]> = SmallVec::new();
        let mut around = None;
        for outcome in outcomes {
            for outcome in self.outcomes(outcome) {
                if outcome.open != 0 {
                    return outcome;
                }
                around = Some(around.map_or(outcome, |around| Real::hull(around, outcome)));
                if all.len() <= MOST && !all.iter().any(|known| same(known, &outcome)) {
                    all.push(outcome);
                }
            }
        }
        let around = around.unwrap_or(Real::exact(0.0));
        if all.len() <= 1 || all.len() > MOST {
            return around;
        }
        let mut reals = self.reals.borrow_mut();
        reals.push(all.into_vec());
        Real {
            outcomes: u32::try_from(reals.len()).unwrap_or(0),
            ..around
        }
    }

    /// A whole number that is one of these; `None` if there are too many.
    pub(crate) fn whole_of(&self, outcomes: impl IntoIterator<Item = Whole>) -> Option<Whole> {
        let mut all: SmallVec<[i128; 2]> = SmallVec::new();
        for outcome in outcomes {
            if outcome.open != 0 {
                return Some(outcome);
            }
            for value in self.wholes(outcome) {
                if !all.contains(&value) {
                    all.push(value);
                }
                if all.len() > MOST {
                    return None;
                }
            }
        }
        let first = Whole::exact(all.first().copied().unwrap_or(0));
        if all.len() <= 1 {
            return Some(first);
        }
        let mut wholes = self.wholes.borrow_mut();
        wholes.push(all.into_vec());
        Some(Whole {
            outcomes: u32::try_from(wholes.len()).ok()?,
            ..first
        })
    }

    /// An operation on each pair of outcomes.
    #[inline(always)]
    pub(crate) fn lift(&self, x: Real, y: Real, f: &impl Fn(Real, Real) -> Real) -> Real {
        if x.outcomes == 0 && y.outcomes == 0 {
            return f(x, y);
        }
        self.lift_outcomes(x, y, f)
    }

    #[cold]
    fn lift_outcomes(&self, x: Real, y: Real, f: &impl Fn(Real, Real) -> Real) -> Real {
        let (xs, ys) = (self.outcomes(x), self.outcomes(y));
        if xs.len() * ys.len() > MOST {
            let plain = |real: Real| Real { outcomes: 0, ..real };
            return f(plain(x), plain(y));
        }
        self.one_of(xs.iter().flat_map(|x| ys.iter().map(move |y| f(*x, *y))))
    }

    /// The same number without what tells its outcomes apart.
    pub(crate) fn hulled(real: Real) -> Real {
        Real { outcomes: 0, ..real }
    }
}

/// Whether two outcomes cannot be told apart; zeros of both signs can.
fn same(a: &Real, b: &Real) -> bool {
    let bits = |x: &Real| (x.value.to_bits(), x.lo.to_bits(), x.hi.to_bits(), x.flags);
    bits(a) == bits(b)
}
