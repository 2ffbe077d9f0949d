//! Outcomes: what became of a case.

use std::borrow::Cow;

use dml_spec::model::Text;
use serde::{Deserialize, Serialize, de};

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// Failed, as is known.
    XFail,
    /// Passed, although it is known to fail.
    XPass,
    /// Not judged.
    Skip,
    /// Ran, and kept what always holds; the rest is unspecified.
    Unspecified,
    /// The backend died on it.
    Crash,
    /// The backend did not answer in time.
    Timeout,
    /// The device was lost on it.
    DeviceLost,
    /// Failed in company, but not alone.
    Flaky,
    /// The backend's answer is invalid.
    HarnessError,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 11] = [
        Self::Pass,
        Self::Fail,
        Self::XFail,
        Self::XPass,
        Self::Skip,
        Self::Unspecified,
        Self::Crash,
        Self::Timeout,
        Self::DeviceLost,
        Self::Flaky,
        Self::HarnessError,
    ];

    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::XFail => "xfail",
            Self::XPass => "xpass",
            Self::Skip => "skip",
            Self::Unspecified => "unspecified",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::DeviceLost => "device-lost",
            Self::Flaky => "flaky",
            Self::HarnessError => "harness-error",
        }
    }

    /// The outcome of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }

    /// Whether it makes a backend non-conformant.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::Pass | Self::XFail | Self::Skip | Self::Unspecified)
    }
}

/// Whether the word is the outcome of a case that makes a backend non-conformant.
pub fn is_failure(word: &str) -> bool {
    Outcome::of_word(word).is_none_or(Outcome::is_failure)
}

impl Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        Self::of_word(&word).ok_or_else(|| {
            let all = Self::ALL.map(Self::word).join(", ");
            de::Error::custom(format!("unknown outcome `{word}`; expected {all}"))
        })
    }
}

/// Which expectation counts on observed and disputed clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// What every measured runtime does.
    #[default]
    Runtime,
    /// The text; observed behaviour is reported separately and never fails.
    Text,
}

/// Whom a backend follows if text and runtimes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Follows {
    /// The text.
    Text,
    /// The runtimes.
    Runtime,
    /// Both agree here.
    Both,
    /// Neither.
    Neither,
}

impl Follows {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Runtime => "runtime",
            Self::Both => "both",
            Self::Neither => "neither",
        }
    }
}

/// The verdict on one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What became of the case.
    pub outcome: Outcome,
    /// Why it was skipped.
    pub reason: Option<String>,
    /// Why it failed.
    pub diagnosis: Option<Diagnosis>,
    /// Disputed clauses that the case decides, and what the backend follows.
    pub follows: Vec<(Text, Follows)>,
    /// Silences that leave the outputs open, and what the backend did there: all matching behaviours that the
    /// clause distinguishes.
    pub does: Vec<(Text, Vec<Text>)>,
    /// Remarks that do not fail the case, such as wrong clauses in a program's rejection.
    pub warnings: Vec<String>,
    /// The error of accepted outputs, if they need not be exact.
    pub nearness: Option<Nearness>,
}

/// The worst accepted error of a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nearness {
    /// Thousandths of what is allowed, rounded up.
    pub share: u64,
    /// Units in the last place.
    pub ulps: u64,
}

impl Judged {
    /// An outcome without further details.
    pub fn plain(outcome: Outcome) -> Self {
        Self {
            outcome,
            reason: None,
            diagnosis: None,
            follows: Vec::new(),
            does: Vec::new(),
            warnings: Vec::new(),
            nearness: None,
        }
    }

    /// A case that was skipped for this reason.
    pub fn skipped(reason: &str) -> Self {
        Self {
            reason: Some(reason.to_owned()),
            ..Self::plain(Outcome::Skip)
        }
    }

    /// An outcome with its explanation.
    pub fn explained(outcome: Outcome, diagnosis: Diagnosis) -> Self {
        Self {
            diagnosis: Some(diagnosis),
            ..Self::plain(outcome)
        }
    }
}

/// A failure, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Class, such as `differs` or `wrongly-accepted`.
    pub class: Text,
    /// Ids of the violated clauses, the most specific first.
    pub clauses: Vec<Text>,
    /// Message: lower case, no final period.
    pub message: String,
    /// First element that differs.
    pub first: Option<Difference>,
    /// How many elements differ.
    pub differing: u64,
}

impl Diagnosis {
    /// A failure that no element shows.
    pub fn new(class: impl Into<Text>, clauses: Vec<Text>, message: String) -> Self {
        Self {
            class: class.into(),
            clauses,
            message,
            first: None,
            differing: 0,
        }
    }
}

/// One element that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// Field name of the output.
    pub tensor: Text,
    /// Coordinates.
    pub at: Vec<u32>,
    /// Expected value in decimal, if a value is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Its bits in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_bits: Option<String>,
    /// Actual value in decimal.
    pub actual: String,
    /// Its bits in hex.
    pub actual_bits: String,
}
