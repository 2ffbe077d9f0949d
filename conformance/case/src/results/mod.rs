//! Stored runs: one JSON object on each line. The header says what ran, every case has a line, the footer sums up.
//!
//! Without `--timings` the lines of the cases depend only on specification, selection and backend, so that two runs can
//! be compared as text. A file may hold several runs, one after another. Every reader treats a run without a footer as
//! incomplete. `conformance/results.schema.json` describes the lines.

pub mod fixture;
mod kept;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use kept::{CASE_BYTES, Kept};
pub use read::{ReadError, Reader, read};

/// Version of the format.
pub const FORMAT: u32 = 1;

/// All outcomes that a case can have.
pub const OUTCOMES: [&str; 11] = [
    "pass",
    "fail",
    "xfail",
    "xpass",
    "skip",
    "unspecified",
    "crash",
    "timeout",
    "device-lost",
    "flaky",
    "harness-error",
];

/// Why a run of which no case was judged is incomplete.
pub const NOTHING_JUDGED: &str = "nothing judged";

/// Why a run that stopped early is incomplete.
pub const CUT_SHORT: &str = "cut short";

/// One line of a stored run.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// First line of a run.
    Header(Box<Header>),
    /// What became of a case.
    Case(Box<CaseLine>),
    /// Last line of a run; a run without one was cut short from outside.
    Footer(Box<Footer>),
}

/// The backend, machine and settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always `header`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Version of this format: 1.
    pub format: u32,
    /// Version of the suite.
    pub suite: String,
    /// Digest of the specification, 32 hex digits.
    pub spec_digest: String,
    /// Digest of the corpus, 32 hex digits: of what `corpus.lock` holds.
    pub corpus_digest: String,
    /// What was tested.
    pub backend: BackendInfo,
    /// Operating system of the host.
    pub os: String,
    /// Architecture of the host.
    pub arch: String,
    /// The command line, one entry for each argument.
    pub command: Vec<String>,
    /// Seed of the plan.
    pub seed: u64,
    /// Tier: `smoke`, `standard` or `exhaustive`.
    pub tier: String,
    /// Basis: `runtime` or `text`.
    pub basis: String,
    /// Table levels that were planned.
    pub levels: Vec<String>,
    /// Which part of the selection this is, if it is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardInfo>,
    /// The number of shards that the run was merged from, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<u64>,
    /// When the run started: `YYYY-MM-DDThh:mm:ssZ`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The host, in a few words: its processor and how many threads that runs at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What was selected of the plan, as on the command line; everything if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selection: Vec<String>,
    /// How cases were judged in addition to the basis, as on the command line, such as `--strict-reasons`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Digest of the failures that were known, 32 hex digits, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expectations: Option<String>,
    /// The command that runs a case again, up to the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
}

/// Which part of a selection a run holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardInfo {
    /// Part, from 1.
    pub index: u64,
    /// Number of parts.
    pub of: u64,
    /// Digest of the times by which the parts were balanced, 32 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
}

/// What a backend said of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackendInfo {
    /// Label given on the command line, or the name.
    pub label: String,
    /// Name of the implementation.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// Highest feature level.
    pub feature_level: String,
    /// `strict` or `superset`.
    pub levels: String,
    /// Who validates descriptors: `generated` or `own`.
    pub validator: String,
    /// Further facts.
    pub details: BTreeMap<String, String>,
}

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseLine {
    /// Always `case`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Outcome, such as `pass`.
    pub outcome: String,
    /// What was expected: `valid`, `rejected`, `observed` or `unspecified`.
    pub verdict: String,
    /// Digest of descriptor, inputs and expectation, 32 hex digits.
    pub expectation: String,
    /// Why it was skipped, or why its failure is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Violated clauses, the most specific first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Class of the failure, such as `tie-order`, or of unspecified outputs that match no known behaviour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The failure in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Other mistakes that lead to the same outputs, the likeliest first: a run shows which one was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherMistake>,
    /// First element that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstDifference>,
    /// How many elements differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differing: Option<u64>,
    /// What the backend follows, by disputed or observed clause: `text`, `runtime`, `both` or `neither`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub follows: BTreeMap<String, String>,
    /// Worst error of accepted outputs that need not be exact, in units in the last place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ulps: Option<u64>,
    /// For a flaky case, the cases of the session until it failed, itself last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Remarks that do not fail the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// For a failing case, the bytes of each actual output tensor, in base64. Large ones are left out, and so are those
    /// of many cases with similar failures.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, String>,
    /// Milliseconds it took, planning, oracle and judge included; only with `--timings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// A mistake that explains a failing case just as well as the one reported first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherMistake {
    /// Class, such as `axis-confused`.
    pub class: String,
    /// The clause that it breaks first, if there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clause: String,
    /// In words.
    pub message: String,
}

/// One element that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstDifference {
    /// Field name of the output.
    pub tensor: String,
    /// Coordinates.
    pub at: Vec<u32>,
    /// Expected value in decimal, if a value is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Its bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_bits: Option<String>,
    /// Actual value in decimal.
    pub actual: String,
    /// Its bits.
    pub actual_bits: String,
}

/// How the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// Always `footer`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Cases by outcome; outcomes that did not occur are left out.
    pub counts: BTreeMap<String, u64>,
    /// Every planned case of the selection has an outcome, and the lock agrees with the plan.
    pub complete: bool,
    /// Seconds the run took.
    pub seconds: f64,
    /// Seconds by part of the run, all threads together; only with `--timings`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub timings: BTreeMap<String, f64>,
    /// Why it is incomplete, in a few words each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<String>,
    /// Failures by what explains most of them, the largest group first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupLine>,
    /// Outcomes that differ from the footer. They are found while the lines are read, and make the run incomplete.
    #[serde(skip)]
    pub doubts: Vec<String>,
}

/// Failures that one clause explains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupLine {
    /// The clause that is blamed; empty if none is.
    pub clause: String,
    /// How many cases of each class.
    pub classes: BTreeMap<String, u64>,
    /// How many cases.
    pub count: u64,
    /// Id of the smallest case.
    pub smallest: String,
    /// What is wrong there, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the failures share and passes lack, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// The fields that distinguish lines.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

impl Line {
    /// The line as JSON, without line end.
    ///
    /// # Errors
    /// If a number has no JSON form.
    pub fn to_json(&self) -> serde_json::Result<String> {
        match self {
            Self::Header(line) => serde_json::to_string(line),
            Self::Case(line) => serde_json::to_string(line),
            Self::Footer(line) => serde_json::to_string(line),
        }
    }

    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let explain = |e: serde_json::Error| e.to_string();
        let kind: Kind = serde_json::from_str(text).map_err(explain)?;
        match kind.kind.as_str() {
            "header" => {
                let header: Header = serde_json::from_str(text).map_err(explain)?;
                match header.format {
                    FORMAT => Ok(Self::Header(Box::new(header))),
                    other => Err(format!("format {other}, this version reads format {FORMAT}")),
                }
            }
            "case" => {
                let case: CaseLine = serde_json::from_str(text).map_err(explain)?;
                match OUTCOMES.contains(&case.outcome.as_str()) {
                    true => Ok(Self::Case(Box::new(case))),
                    false => Err(format!(
                        "unknown outcome `{}`; expected {}",
                        case.outcome,
                        OUTCOMES.join(", ")
                    )),
                }
            }
            "footer" => serde_json::from_str(text).map(Self::Footer).map_err(explain),
            other => Err(format!("a line of type `{other}`, expected header, case or footer")),
        }
    }
}

/// Whether the word is the outcome of a case that makes a backend non-conformant.
pub fn is_failure(outcome: &str) -> bool {
    !matches!(outcome, "pass" | "xfail" | "skip" | "unspecified")
}
