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

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::Text;
use serde::{Deserialize, Serialize};

use dml_case::{
    id::CaseId,
    mistake::Mistakes,
    record::{Record, ShardInfo},
    sample::Sampled,
};

pub use kept::Kept;
pub use read::{ReadError, Reader};

/// Version of the format.
pub const FORMAT: u32 = 1;

/// Whose word may count.
const BASES: [&str; 2] = ["runtime", "text"];

/// What keeps a run from being complete of which no case was judged.
pub const NOTHING_JUDGED: &str = "nothing judged";

/// Why a run that stopped early is incomplete.
pub const CUT_SHORT: &str = "cut short";

/// One line of a stored run.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// First line of a run.
    Header(Box<Header>),
    /// What became of a case.
    Case(Box<Record>),
    /// Last line of a run; a run without one was cut short from outside.
    Footer(Box<Footer>),
}

/// The backend, machine and settings of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// The option of a run whose FLOAT16 tensors may be computed in half precision, as [`Header::options`] has it.
pub const HALF_PRECISION: &str = "--half-precision";

impl Header {
    /// Whether FLOAT16 tensors might be computed in half precision.
    pub fn half_precision(&self) -> bool {
        self.options.iter().any(|option| option == HALF_PRECISION)
    }

    /// The basis in words, with what was accepted beside it.
    pub fn basis_words(&self) -> String {
        match self.half_precision() {
            true => format!("{} with {HALF_PRECISION}", self.basis),
            false => self.basis.clone(),
        }
    }
}

/// What a backend said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Guarantees that no failure is counted for if it may violate another clause: the cases that they speak of fail no
    /// more often than others.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub dismissed: BTreeSet<Text>,
    /// What refused descriptors that are to be accepted rest on, and none of them is counted for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub dismissed_grounds: BTreeSet<Text>,
    /// What explains the wrong outputs, by operator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<Mistakes>,
    /// The cases that this rests on, and what the backend gave in them: `report merge` puts those of all shards together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sampled>,
    /// Outcomes that differ from the footer. They are found while the lines are read, and make the run incomplete.
    #[serde(skip)]
    pub doubts: Vec<String>,
    /// The case of a sample that is another one than that of its line, or fails where that passes. It is found while the
    /// lines are read.
    #[serde(skip)]
    pub contradicted: Option<CaseId>,
}

/// Failures that one clause explains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupLine {
    /// The clause that is blamed; empty if none is.
    pub clause: String,
    /// What may be blamed for refused descriptors among them as well, or if nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Text>,
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
                    FORMAT if !BASES.contains(&&*header.basis) => {
                        let possible = BASES.join(" and ");
                        Err(format!("basis `{}`, possible are {possible}", header.basis))
                    }
                    FORMAT => Ok(Self::Header(Box::new(header))),
                    other => Err(format!("format {other}, this version reads format {FORMAT}")),
                }
            }
            "case" => serde_json::from_str(text).map(Self::Case).map_err(explain),
            "footer" => serde_json::from_str(text).map(Self::Footer).map_err(explain),
            other => Err(format!("a line of type `{other}`, expected header, case or footer")),
        }
    }
}
