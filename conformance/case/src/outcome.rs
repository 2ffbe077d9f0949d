//! Outcomes: what became of a case.

use dml_spec::model::Text;

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// Failed, as is known, for this reason.
    XFail(String),
    /// Passed, although it is known to fail.
    XPass,
    /// Not judged, for this reason.
    Skip(String),
    /// Ran, and kept the invariants; the rest is unspecified.
    Unspecified,
    /// The backend died on it.
    Crash,
    /// The backend did not answer in time.
    Timeout,
    /// The device was lost on it.
    DeviceLost,
    /// Failed in company, but not alone.
    Flaky,
    /// The backend gave an invalid answer.
    HarnessError,
}

impl Outcome {
    /// The word used in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::XFail(_) => "xfail",
            Self::XPass => "xpass",
            Self::Skip(_) => "skip",
            Self::Unspecified => "unspecified",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::DeviceLost => "device-lost",
            Self::Flaky => "flaky",
            Self::HarnessError => "harness-error",
        }
    }

    /// Whether it makes a backend non-conformant.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Pass | Self::XFail(_) | Self::Skip(_) | Self::Unspecified)
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

/// Which of text and runtimes a backend follows if they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// The verdict on one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What became of the case.
    pub outcome: Outcome,
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
            diagnosis: None,
            follows: Vec::new(),
            does: Vec::new(),
            warnings: Vec::new(),
            nearness: None,
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
    /// Class, such as `tie-order`.
    pub class: &'static str,
    /// Ids of the violated clauses, the most specific first.
    pub clauses: Vec<Text>,
    /// Message: lower case, no final period.
    pub message: String,
    /// First element that differs.
    pub first: Option<Difference>,
    /// How many elements differ.
    pub differing: u64,
    /// Other mistakes that lead to exactly the same outputs: a single case cannot distinguish them, a run can.
    pub others: Vec<Explanation>,
}

impl Diagnosis {
    /// A failure that no element shows.
    pub fn new(class: &'static str, clauses: Vec<Text>, message: String) -> Self {
        Self {
            class,
            clauses,
            message,
            first: None,
            differing: 0,
            others: Vec::new(),
        }
    }
}

/// A mistake that would explain the outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Class, such as `axis-confused`.
    pub class: &'static str,
    /// Ids of the clauses that it violates, the most specific first.
    pub clauses: Vec<Text>,
    /// Message: lower case, no final period.
    pub message: String,
}

/// One element that differs from what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Field name of the output.
    pub tensor: Text,
    /// Coordinates.
    pub at: Vec<u32>,
    /// Expected value in decimal and its bits in hex, if a value is expected.
    pub expected: Option<(String, String)>,
    /// Actual value in decimal and its bits in hex.
    pub actual: (String, String),
}
