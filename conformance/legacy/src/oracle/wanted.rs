//! What every element of an output has to be, where it is a number with some room around it rather than a copy.
//!
//! The room is absolute and lies around the number rounded to the output's type, as the judge sees it.

use dml_spec::model::DataType;

use super::{Mismatch, guess::Proof, rounding};
use crate::compare::Also;
use dml_case::{
    number::{Number, decode, encode_float, encode_int},
    tensor::Shape,
};

/// Class of results that are right but for digits.
const PRECISION: &str = "precision";

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
    pub(super) fn allows(self, ty: &DataType, bits: u64) -> bool {
        self.allows_with(ty, bits, self.slack())
    }

    /// Whether the element may hold these bits, with another slack.
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

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Open => write!(f, "anything"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Real { value, slack } if *slack == 0.0 => write!(f, "{}", Number::Float(*value)),
            Self::Real { value, slack } => {
                write!(f, "{} ± {}", Number::Float(*value), Number::Float(*slack))
            }
            Self::Beyond { value, .. } if value.is_infinite() => {
                write!(f, "{}, or the greatest finite number,", Number::Float(*value))
            }
            Self::Beyond { value, slack, .. } => {
                let (value, slack) = (Number::Float(*value), Number::Float(*slack));
                write!(f, "{value} ± {slack}, or an infinity,")
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

/// What arithmetic of fewer bits may come to: that of half precision where the type is wider, and a few times the slack
/// where it is half precision itself.
pub(super) fn coarse(ty: &DataType, wanted: Vec<Wanted>) -> Vec<Wanted> {
    let (times, share) = if ty.bits == 16 { (8.0, 256.0) } else { (4096.0, 1024.0) };
    let one = |wanted| match wanted {
        Wanted::Real { value, slack } => Wanted::Real {
            value,
            slack: slack * times + value.abs() / share,
        },
        other => other,
    };
    wanted.into_iter().map(one).collect()
}

/// Place of the first element that is not as wanted.
pub(super) fn first_wrong(ty: &DataType, wanted: &[Wanted], found: &[u64]) -> Option<usize> {
    if wanted.len() != found.len() {
        return Some(0);
    }
    wanted
        .iter()
        .zip(found)
        .position(|(wanted, bits)| !wanted.allows(ty, *bits))
}

/// Tells of an element that is not as wanted.
pub(super) fn mismatch(
    class: &'static str,
    shape: &Shape,
    wanted: &[Wanted],
    found: &[u64],
    at: usize,
    how: &str,
) -> Mismatch {
    let found = found.get(at).map_or(Number::Int(0), |bits| decode(&shape.ty, *bits));
    let due = wanted.get(at).copied().unwrap_or(Wanted::Open);
    Mismatch {
        class,
        output: 0,
        at: at as u64,
        message: format!("{found} stands where {due} should{how}"),
        whole: false,
    }
}

/// What every element has to be, and what `given` makes of those of which nobody says.
pub(super) fn or_else(due: Vec<Wanted>, given: Vec<Wanted>) -> Vec<Wanted> {
    let one = |(due, given)| if due == Wanted::Open { given } else { due };
    due.into_iter().zip(given).map(one).collect()
}

/// Property of outputs that rest on denormals, of which nobody says whether they count as zero.
pub const DENORMALS_OR_ZERO: &str = "denormals-or-zero";

/// Whether a mistake shows: it gives some element that is not allowed.
pub(super) fn shows(ty: &DataType, wanted: &[Wanted], mistaken: &[Wanted]) -> bool {
    wanted.len() != mistaken.len()
        || wanted
            .iter()
            .zip(mistaken)
            .any(|(wanted, mistaken)| *mistaken != Wanted::Open && !wanted.allows(ty, mistaken.bits(ty)))
}

/// A mistake and what every element becomes by it.
pub(super) struct Mistake<'a> {
    /// Diagnosis class.
    pub(super) class: &'static str,
    /// The mistake in words: lower case, no final period.
    pub(super) says: String,
    /// The elements it leads to; `None` where it cannot be made.
    pub(super) gives: Box<dyn Fn() -> Option<Vec<Wanted>> + 'a>,
}

impl<'a> Mistake<'a> {
    /// A mistake that leads to these elements.
    pub(super) fn new(
        class: &'static str,
        says: impl Into<String>,
        gives: impl Fn() -> Option<Vec<Wanted>> + 'a,
    ) -> Self {
        Self {
            class,
            says: says.into(),
            gives: Box::new(gives),
        }
    }
}

/// The mistakes that explain every element, rounding aside, one a class, in their order.
pub(super) fn explained(shape: &Shape, wanted: &[Wanted], found: &[u64], mistakes: &[Mistake]) -> Vec<Mismatch> {
    let Some(at) = first_wrong(&shape.ty, wanted, found) else {
        return Vec::new();
    };
    let mut all: Vec<Mismatch> = Vec::new();
    for mistake in mistakes {
        if all.iter().any(|known| known.class == mistake.class) {
            continue;
        }
        let given = (mistake.gives)().filter(|given| first_wrong(&shape.ty, given, found).is_none());
        if given.is_some_and(|given| speaks(mistake, &shape.ty, wanted, &given, found)) {
            all.push(Mismatch {
                message: mistake.says.clone(),
                whole: true,
                ..mismatch(mistake.class, shape, wanted, found, at, "")
            });
        }
    }
    all
}

/// Whether wrong elements speak for a mistake that allows them. Results that are merely off lie around what is right.
fn speaks(mistake: &Mistake, ty: &DataType, wanted: &[Wanted], given: &[Wanted], found: &[u64]) -> bool {
    let mut proof = Proof::default();
    for ((wanted, given), found) in wanted.iter().zip(given).zip(found) {
        if !wanted.allows(ty, *found) {
            let tells = mistake.class == PRECISION || !given.allows(ty, wanted.bits(ty));
            proof.note(given.slack().is_finite() && tells);
        }
    }
    proof.holds()
}

/// Classes of the mistakes that would show.
pub(super) fn exposed(ty: &DataType, wanted: &[Wanted], mistakes: &[Mistake]) -> Vec<&'static str> {
    let mut classes = Vec::new();
    for mistake in mistakes {
        let new = !classes.contains(&mistake.class);
        if new && (mistake.gives)().is_some_and(|given| shows(ty, wanted, &given)) {
            classes.push(mistake.class);
        }
    }
    classes
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

    #[test]
    fn a_mistake_shows_where_it_gives_what_is_not_allowed() {
        let byte = ty(NumberClass::Unsigned, 8);
        let wanted = [Wanted::Whole(1), Wanted::Open];
        assert!(!shows(&byte, &wanted, &[Wanted::Whole(1), Wanted::Whole(9)]));
        assert!(shows(&byte, &wanted, &[Wanted::Whole(2), Wanted::Whole(9)]));
        assert_eq!(first_wrong(&byte, &wanted, &[2, 9]), Some(0));
        assert_eq!(first_wrong(&byte, &wanted, &[1]), Some(0), "too short");
    }

    #[test]
    fn a_mistake_that_may_give_anything_explains_nothing() {
        let single = ty(NumberClass::Float, 32);
        let shape = dml_case::tensor::Shape {
            ty: single.clone(),
            sizes: [2].into_iter().collect(),
            strides: [1].into_iter().collect(),
            total_bytes: 8,
        };
        let wanted = [Wanted::exactly(1.0), Wanted::exactly(2.0)];
        let found = [1.5, 2.5].map(|x| encode_float(&single, x));
        let explained = |class, given: [Wanted; 2]| {
            let mistakes = [Mistake::new(class, "", move || Some(given.to_vec()))];
            explained(&shape, &wanted, &found, &mistakes).len()
        };
        let wide = |value| Wanted::Real { value, slack: 1.0 };
        assert_eq!(explained("wrong-sum", [Wanted::Open, Wanted::Open]), 0);
        assert_eq!(
            explained("wrong-sum", [wide(1.5), wide(2.5)]),
            0,
            "what is right would do as well"
        );
        assert_eq!(explained("wrong-sum", [Wanted::exactly(1.5), Wanted::Open]), 1);
        assert_eq!(explained(PRECISION, [wide(1.0), wide(2.0)]), 1);
        assert_eq!(explained(PRECISION, [Wanted::Open, Wanted::Open]), 0);
    }
}
