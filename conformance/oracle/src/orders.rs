//! Products of few factors: what every order and association of the multiplications may come to.

use super::{format::Format, real::Arithmetic, real::Real};

/// Most factors of which every order is looked at; each one more takes three times as long.
const FEW: usize = 5;

/// What the magnitude of a product of some factors may be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Partial {
    /// The least and the greatest finite number other than zero.
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    /// Zero as well.
    pub(crate) zero: bool,
    /// Infinity as well.
    pub(crate) infinite: bool,
    /// NaN as well.
    pub(crate) nan: bool,
}

impl Partial {
    /// The product of two. Magnitudes grow with those of their factors, so that the ends lead to the ends.
    fn times(&self, other: &Self) -> Self {
        let (lo, hi) = (self.lo * other.lo, self.hi * other.hi);
        let exact = |x: f64| f64::from(x as f32) == x;
        let plain = [self.lo, self.hi, other.lo, other.hi].into_iter().all(exact);
        Self {
            lo: if plain { lo } else { lo.next_down().max(0.0) },
            hi: if plain { hi } else { hi.next_up() },
            zero: self.zero || other.zero,
            infinite: self.infinite || other.infinite,
            nan: self.nan || other.nan || self.zero && other.infinite || self.infinite && other.zero,
        }
    }

    /// The same after it was rounded to nearest, or not at all.
    fn rounded(mut self, format: &Format, grants: bool) -> Self {
        let (lo, hi) = (format.nearest(self.lo), format.nearest(self.hi));
        self.zero |= lo == 0.0 || format.flushes && self.lo < format.normal;
        self.infinite |= grants && hi.is_infinite();
        // What rounds to zero or beyond the range is told by the flags.
        self.lo = if lo > 0.0 { self.lo.min(lo) } else { self.lo }.min(f64::MAX);
        self.hi = if hi.is_finite() { self.hi.max(hi) } else { self.hi }.min(f64::MAX);
        self
    }

    fn union(self, other: &Self) -> Self {
        Self {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            zero: self.zero || other.zero,
            infinite: self.infinite || other.infinite,
            nan: self.nan || other.nan,
        }
    }
}

/// The factors of a product, as long as they are few.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Orders {
    count: usize,
    factors: [Partial; FEW],
}

impl Orders {
    /// Takes a factor of these magnitudes.
    pub(crate) fn add(&mut self, least: f64, most: f64, factor: &Real) {
        if let Some(place) = self.factors.get_mut(self.count) {
            let vanishes = !factor.has_one_outcome();
            *place = Partial {
                lo: if vanishes { factor.value.abs() } else { least },
                hi: most,
                zero: vanishes || least == 0.0,
                ..Partial::default()
            };
        }
        self.count = self.count.saturating_add(1);
    }

    /// What the product may come to before its last rounding; `None` if there are too many factors.
    ///
    /// The last multiplication joins a set of factors with the others: so does each one before it within its set.
    pub(crate) fn outcome(&self, arithmetic: &Arithmetic) -> Option<Partial> {
        let factors = self.factors.get(..self.count)?;
        let all = (1_usize << factors.len()) - 1;
        let mut of = [Partial::default(); 1 << FEW];
        for set in 1..=all {
            of[set] = if set.is_power_of_two() {
                factors[set.trailing_zeros() as usize]
            } else {
                let split = |part: usize| (part & set == part && part != set).then(|| of[part].times(&of[set ^ part]));
                let joined = (1..set).filter_map(split).reduce(|a, b| a.union(&b))?;
                if set == all {
                    joined
                } else {
                    joined.rounded(&arithmetic.format, arithmetic.grants())
                }
            };
        }
        Some(of[all])
    }
}
