//! Predicates about a case in the keys of its id.

use std::fmt;

/// Says something of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    /// `key=value`.
    Is(String, String),
    /// `key in {a,b}`.
    In(String, Vec<String>),
    /// `key ≥ n`.
    AtLeast(String, u64),
    /// `key ≤ n`.
    AtMost(String, u64),
    /// The id has the key, whatever its value.
    Given(String),
    /// The id leaves the key at its default.
    Default(String),
}

impl Predicate {
    /// Whether it holds for a case with these features.
    pub(crate) fn holds(&self, features: &[(&str, &str)]) -> bool {
        let value = |key: &str| features.iter().find(|(k, _)| *k == key).map(|(_, v)| *v);
        let number = |key: &str| value(key).and_then(|v| v.parse::<u64>().ok());
        match self {
            Self::Is(key, wanted) => value(key) == Some(wanted),
            Self::In(key, wanted) => value(key).is_some_and(|v| wanted.iter().any(|w| w == v)),
            Self::AtLeast(key, n) => number(key).is_some_and(|v| v >= *n),
            Self::AtMost(key, n) => number(key).is_some_and(|v| v <= *n),
            Self::Given(key) => value(key).is_some(),
            Self::Default(key) => value(key).is_none(),
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(key, value) => write!(f, "{key}={value}"),
            Self::In(key, values) => write!(f, "{key} in {{{}}}", values.join(",")),
            Self::AtLeast(key, n) => write!(f, "{key} ≥ {n}"),
            Self::AtMost(key, n) => write!(f, "{key} ≤ {n}"),
            Self::Given(key) => write!(f, "{key} given"),
            Self::Default(key) => write!(f, "{key} at its default"),
        }
    }
}

/// Failures and passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Cases that failed.
    pub(crate) failed: u64,
    /// Cases that did not.
    pub(crate) passed: u64,
}

impl Count {
    /// Counts a case.
    pub(crate) fn add(&mut self, failed: bool) {
        *(if failed { &mut self.failed } else { &mut self.passed }) += 1;
    }

    /// Failures and passes together.
    pub(crate) fn total(self) -> u64 {
        self.failed + self.passed
    }

    /// All cases of some counts.
    pub(super) fn sum<'a>(counts: impl IntoIterator<Item = &'a Self>) -> Self {
        let join = |a: Self, b: &Self| Self {
            failed: a.failed + b.failed,
            passed: a.passed + b.passed,
        };
        counts.into_iter().fold(Self::default(), join)
    }

    /// The cases of `self` that are not among `part`.
    pub(super) fn without(self, part: Self) -> Self {
        Self {
            failed: self.failed.saturating_sub(part.failed),
            passed: self.passed.saturating_sub(part.passed),
        }
    }
}
