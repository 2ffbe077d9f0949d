//! What every element of an output has to be, where it is a number with some room around it rather than a copy.
//!
//! The room is absolute and lies around the number rounded to the output's type, as the judge sees it.

use dml_spec::model::DataType;

use crate::compare::Also;
use dml_case::number::{encode_float, encode_int};
#[cfg(test)]
use {
    super::rounding,
    dml_case::number::{Number, decode},
};

/// What an element has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wanted {
    /// Nobody says.
    Open,
    /// This whole number.
    Whole(i128),
    /// This number rounded to the type, or one that is no further from it than `slack`. NaN wants a NaN.
    Real {
        /// The number before it is rounded.
        value: f64,
        /// Greatest distance from the rounded number.
        slack: f64,
    },
    /// The same, or what comes of leaving the range of the type on the way.
    Beyond {
        /// The number before it is rounded.
        value: f64,
        /// Greatest distance from the rounded number.
        slack: f64,
        /// What it may be beside that.
        also: Also,
    },
}

impl Wanted {
    /// A number of the type itself.
    pub(super) fn exactly(value: f64) -> Self {
        Self::Real { value, slack: 0.0 }
    }

    /// The element as bits of the type; 0 where it is open.
    pub(super) fn bits(self, ty: &DataType) -> u64 {
        match self {
            Self::Open => 0,
            Self::Whole(n) => encode_int(ty, n),
            Self::Real { value, .. } | Self::Beyond { value, .. } => encode_float(ty, value),
        }
    }

    /// Greatest distance from the rounded number.
    pub(super) fn slack(self) -> f64 {
        match self {
            Self::Open => f64::INFINITY,
            Self::Whole(_) => 0.0,
            Self::Real { slack, .. } | Self::Beyond { slack, .. } => slack,
        }
    }

    /// What it may be beside the number and what is near to it.
    pub(super) fn also(self) -> Option<Also> {
        match self {
            Self::Beyond { also, .. } => Some(also),
            _ => None,
        }
    }

    /// Whether the element may hold these bits.
    #[cfg(test)]
    pub(super) fn allows(self, ty: &DataType, bits: u64) -> bool {
        self.allows_with(ty, bits, self.slack())
    }

    /// Whether the element may hold these bits, with another slack.
    #[cfg(test)]
    pub(super) fn allows_with(self, ty: &DataType, bits: u64, slack: f64) -> bool {
        if slack == f64::INFINITY {
            return true;
        }
        match (self, decode(ty, bits)) {
            (Self::Open, _) => true,
            (Self::Beyond { value, also, .. }, _) => {
                also.accepts(ty, bits) || Self::Real { value, slack }.allows_with(ty, bits, slack)
            }
            (Self::Whole(n), Number::Int(found)) => n == found,
            (Self::Whole(n), Number::Float(found)) => Number::Int(n).double() == found,
            (Self::Real { value, .. }, found @ Number::Int(_)) => (found.double() - value).abs() <= slack,
            (Self::Real { value, .. }, Number::Float(found)) => {
                let due = rounding::nearest(ty, value);
                due == found || (due.is_nan() && found.is_nan()) || (due - found).abs() <= slack
            }
        }
    }
}

/// All elements as bits.
pub(super) fn bits(ty: &DataType, wanted: &[Wanted]) -> Vec<u64> {
    wanted.iter().map(|wanted| wanted.bits(ty)).collect()
}

/// The slack of every element.
pub(super) fn slack(wanted: &[Wanted]) -> Vec<f64> {
    wanted.iter().map(|wanted| wanted.slack()).collect()
}

/// What every element has to be, and what `given` makes of those of which nobody says.
pub(super) fn or_else(due: Vec<Wanted>, given: Vec<Wanted>) -> Vec<Wanted> {
    let one = |(due, given)| if due == Wanted::Open { given } else { due };
    due.into_iter().zip(given).map(one).collect()
}

#[cfg(test)]
mod tests {
    use dml_spec::model::NumberClass;

    use super::*;
    use crate::oracle::tests::ty;

    #[test]
    fn slack_lies_around_the_rounded_number() {
        let half = ty(NumberClass::Float, 16);
        let wanted = Wanted::Real {
            value: 2049.0,
            slack: 2.0,
        };
        let bits = |x| encode_float(&half, x);
        assert!(wanted.allows(&half, bits(2048.0)) && wanted.allows(&half, bits(2050.0)));
        assert!(wanted.allows(&half, bits(2046.0)) && !wanted.allows(&half, bits(2052.0)));
        assert!(Wanted::exactly(f64::INFINITY).allows(&half, bits(f64::INFINITY)));
        assert!(!Wanted::exactly(1.0).allows(&half, bits(f64::NAN)));
        assert!(Wanted::exactly(f64::NAN).allows(&half, bits(f64::NAN)));
        assert!(Wanted::exactly(0.0).allows(&half, 0x8000), "zeros of either sign");
    }

    #[test]
    fn whole_numbers_are_exact() {
        let byte = ty(NumberClass::Signed, 8);
        assert!(Wanted::Whole(-3).allows(&byte, 0xfd) && !Wanted::Whole(-3).allows(&byte, 0xfc));
        assert!(Wanted::Open.allows(&byte, 0x12));
        assert_eq!(Wanted::Whole(-3).bits(&byte), 0xfd);
    }
}
