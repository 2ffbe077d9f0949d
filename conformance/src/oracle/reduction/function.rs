//! What functions make of a set, in the plainest way: double precision from the first element to the last, whole
//! numbers in 128 bits.

use crate::oracle::elementary::{exp, ln};

/// A function of a set. Those that name an element by its index are extremes, not functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::oracle) enum Function {
    Average,
    L1,
    L2,
    LogSum,
    LogSumExp,
    Max,
    Min,
    Multiply,
    Sum,
    SumSquare,
}

impl Function {
    /// All of them.
    pub(in crate::oracle) const ALL: [Self; 10] = [
        Self::Average,
        Self::L1,
        Self::L2,
        Self::LogSum,
        Self::LogSumExp,
        Self::Max,
        Self::Min,
        Self::Multiply,
        Self::Sum,
        Self::SumSquare,
    ];

    /// The class of wrong results, and the function in words.
    pub(in crate::oracle) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Average => ("average-wrong", "average"),
            Self::L1 => ("l1-wrong", "sum of magnitudes"),
            Self::L2 => ("l2-wrong", "root of the sum of squares"),
            Self::LogSum => ("log-sum-wrong", "logarithm of the sum"),
            Self::LogSumExp => ("log-sum-exp-wrong", "logarithm of the sum of exponentials"),
            Self::Max => ("maximum-wrong", "largest element"),
            Self::Min => ("minimum-wrong", "smallest element"),
            Self::Multiply => ("product-wrong", "product"),
            Self::Sum => ("sum-wrong", "sum"),
            Self::SumSquare => ("sum-of-squares-wrong", "sum of squares"),
        }
    }

    /// What it makes of floats.
    pub(in crate::oracle) fn of_floats(self, set: impl Iterator<Item = f64> + Clone) -> f64 {
        match self {
            Self::Average => set.clone().sum::<f64>() / set.count() as f64,
            Self::L1 => set.map(f64::abs).sum(),
            Self::L2 => set.map(|x| x * x).sum::<f64>().sqrt(),
            Self::LogSum => ln(set.sum()),
            Self::LogSumExp => {
                // Relative to the largest element nothing overflows that the result does not.
                let top = set.clone().fold(f64::NEG_INFINITY, f64::max);
                let shift = if top.is_finite() { top } else { 0.0 };
                shift + ln(set.map(|x| exp(x - shift)).sum())
            }
            Self::Max => set.reduce(|a, b| if b > a { b } else { a }).unwrap_or(f64::NAN),
            Self::Min => set.reduce(|a, b| if b < a { b } else { a }).unwrap_or(f64::NAN),
            Self::Multiply => set.product(),
            // An empty sum of floats is -0.
            Self::Sum => set.sum::<f64>() + 0.0,
            Self::SumSquare => set.map(|x| x * x).sum(),
        }
    }

    /// What it makes of whole numbers, before it is cut to the width of their type; `None` where it takes none.
    pub(in crate::oracle) fn of_integers(self, set: impl Iterator<Item = i128>) -> Option<i128> {
        Some(match self {
            Self::L1 => set.map(i128::abs).sum(),
            Self::Max => set.max()?,
            Self::Min => set.min()?,
            Self::Multiply => set.fold(1, i128::wrapping_mul),
            Self::Sum => set.sum(),
            Self::SumSquare => set.fold(0, |sum, n| sum.wrapping_add(n.wrapping_mul(n))),
            Self::Average | Self::L2 | Self::LogSum | Self::LogSumExp => return None,
        })
    }
}
