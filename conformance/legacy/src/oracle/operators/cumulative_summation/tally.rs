//! A running tally: what the sum so far is, and how far it may be off.

use dml_spec::model::DataType;

use crate::compare::Also;
use crate::oracle::{rounding, wanted::Wanted};
use dml_case::number::{Number, quantum};

/// The sum of what was passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) whole: i128,
    pub(super) real: f64,
    /// Sum of the magnitudes.
    pub(super) magnitude: f64,
    /// How many elements count.
    pub(super) count: f64,
    /// The greatest power of two that divides every element.
    quantum: f64,
    /// Least and greatest sum on the way, of whole numbers.
    range: (i128, i128),
    pub(super) nan: bool,
    pub(super) infinite: bool,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            whole: 0,
            real: 0.0,
            magnitude: 0.0,
            count: 0.0,
            quantum: f64::INFINITY,
            range: (0, 0),
            nan: false,
            infinite: false,
        }
    }
}

impl Tally {
    pub(super) fn add(&mut self, number: Number) {
        self.count += 1.0;
        match number {
            Number::Int(n) => {
                self.whole = self.whole.wrapping_add(n);
                self.real += n as f64;
                self.magnitude += (n as f64).abs();
                self.range = (self.range.0.min(self.whole), self.range.1.max(self.whole));
            }
            Number::Float(x) => {
                self.real += x;
                self.magnitude += x.abs();
                self.quantum = self.quantum.min(quantum(x));
                self.nan |= x.is_nan();
                self.infinite |= x.is_infinite();
            }
        }
    }

    pub(super) fn wanted(&self, ty: &DataType) -> Wanted {
        if !rounding::is_float(ty) {
            return Wanted::Whole(self.whole);
        }
        self.around(ty, self.real)
    }

    /// This sum, a float, and what is near to it; where sums on the way leave the range of the type, what comes of that.
    pub(super) fn around(&self, ty: &DataType, value: f64) -> Wanted {
        let slack = self.slack(ty);
        match self.beyond(ty) {
            Some(also) => Wanted::Beyond { value, slack, also },
            None => Wanted::Real { value, slack },
        }
    }

    /// What it may be where sums of some of its terms leave the range: those lie between the sum of the negative ones and
    /// that of the positive ones.
    fn beyond(&self, ty: &DataType) -> Option<Also> {
        let most = (1.0 + self.growth(ty)) * 0.5;
        let leaves = |sign: f64| (self.magnitude + sign * self.real) * most > rounding::greatest(ty);
        let beyond = || rounding::beyond(ty, leaves(1.0), leaves(-1.0));
        self.magnitude.is_finite().then(beyond).flatten()
    }

    /// Error of the sum relative to that of the magnitudes.
    fn growth(&self, ty: &DataType) -> f64 {
        rounding::of_additions(rounding::roundoff(ty), (self.count - 1.0).max(0.0))
    }

    /// The bound of the specification, and one step for the rounding of the reference. Where every partial sum, in any
    /// order, is a multiple of the same power of two and short enough, nothing is rounded.
    pub(super) fn slack(&self, ty: &DataType) -> f64 {
        if self.magnitude == 0.0 || !self.magnitude.is_finite() {
            return 0.0;
        }
        let unit = rounding::roundoff(ty);
        let exact = self.magnitude / self.quantum <= 1.0 / unit && self.quantum >= rounding::smallest_normal(ty);
        if exact && self.magnitude <= rounding::greatest(ty) {
            return 0.0;
        }
        let near = rounding::step(ty, self.real) + self.count * rounding::flushed(ty);
        let slack = self.growth(ty) * self.magnitude + near;
        // Where rounding decides whether the sum is an infinity, it may be that or the greatest number.
        if (self.real.abs() - rounding::greatest(ty)).abs() <= slack {
            return f64::INFINITY;
        }
        slack
    }
}

#[cfg(test)]
mod tests {
    use dml_spec::model::NumberClass;

    use super::*;
    use crate::oracle::tests::ty;
    use dml_case::number::encode_float;

    fn of(set: &[f64]) -> Tally {
        let mut tally = Tally::default();
        set.iter().for_each(|x| tally.add(Number::Float(*x)));
        tally
    }

    #[test]
    fn whole_sums_have_no_slack_and_others_grow() {
        let single = ty(NumberClass::Float, 32);
        let mut tally = Tally::default();
        for _ in 0..1000 {
            tally.add(Number::Float(7.0));
        }
        assert_eq!(tally.slack(&single), 0.0);
        tally.add(Number::Float(0.1));
        let slack = tally.slack(&single);
        assert!(
            slack > 7000.0 * 1000.0 * 2f64.powi(-24) && slack < 7001.0 * 1003.0 * 2f64.powi(-24),
            "{slack}"
        );
    }

    #[test]
    fn what_overflows_comes_to_infinity_or_to_the_sum() {
        let half = &ty(NumberClass::Float, 16);
        let allows = |set: &[f64]| {
            let wanted = of(set).wanted(half);
            move |x: f64| wanted.allows(half, encode_float(half, x))
        };
        let up = allows(&[200.0; 600]);
        assert!(up(f64::INFINITY));
        for other in [-7.0, 0.0, 65504.0, f64::NEG_INFINITY, f64::NAN] {
            assert!(!up(other), "{other}");
        }
        // It left the range on the way alone, and may have done so to either side.
        let both = allows(&[40000.0, 40000.0, -40000.0, -40000.0]);
        for right in [0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(both(right), "{right}");
        }
        assert!(!both(-400.0) && !both(65504.0));
        let down = allows(&[-60000.0, -60000.0]);
        assert!(down(f64::NEG_INFINITY) && !down(f64::INFINITY) && !down(f64::NAN));
    }
}
