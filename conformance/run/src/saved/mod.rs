//! Saved cases: one case in a JSON file, to be run again anywhere, by anyone who has this suite.
//!
//! A file holds what a backend is given, and where it came from. What is expected is computed anew from the
//! specification whenever the file is run; the expected outputs in it are for people and other programs.
//!
//! ```text
//! {
//!   "format": "dml-cts-case", "version": 1,
//!   "operator": "TOP_K1", "feature_level": "2.1", "mode": "execute",
//!   "desc": {…},                                  the form that programs get
//!   "inputs": {"InputTensor": {"data": [2, 2]}},  elements in row-major order; or "base64", the whole buffer
//!   "aliases": {"OutputTensor": "ATensor"},       outputs that lie in the place of an input, if there are some
//!   "expected": {"verdict": "valid", "outputs": {…}},
//!   "from": {"id": …, "spec_digest": …},
//!   "found": {"backend": …, "outcome": "fail", "class": "tie-order", "clauses": [...], "message": …}
//! }
//! ```
//!
//! What fails after other cases only holds `"order"`, the ids to run one after the other, instead of a case.

mod read;
mod write;

use dml_case::{case::Case, id::CaseId, record::Record};
use dml_spec::model::Text;
use serde::{Deserialize, Serialize};

pub use read::{differing, read};
pub(crate) use read::{read_inputs, require_format};
pub(crate) use write::is_plain;
pub use write::write;

/// Marks the format.
pub const FORMAT: &str = "dml-cts-case";

/// Version of the format.
pub const VERSION: u32 = 1;

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Saved {
    /// What to run.
    pub what: What,
    /// Where it came from.
    pub from: From,
    /// What it showed, if it was saved for that.
    pub found: Option<Found>,
}

/// What to run.
#[derive(Clone, Debug)]
pub enum What {
    /// One case.
    Case(Box<Case>),
    /// Cases one after the other, the last of which fails.
    Order(Vec<CaseId>),
}

/// Where a case came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    /// Id of the case that it was made from.
    pub id: String,
    /// Version of the suite.
    pub suite: String,
    /// Digest of the specification.
    pub spec_digest: String,
}

/// What a case showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The backend's label.
    pub backend: String,
    /// The outcome.
    pub outcome: String,
    /// Class of the mistake.
    pub class: String,
    /// The clauses that are broken, the most telling first.
    #[serde(default)]
    pub clauses: Vec<Text>,
    /// In words.
    #[serde(default)]
    pub message: String,
    /// Whether FLOAT16 tensors might be computed in half precision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub half_precision: bool,
}

impl Found {
    /// What came of a case on a backend.
    pub fn of(backend: &str, record: &Record, half_precision: bool) -> Self {
        Self {
            backend: backend.to_owned(),
            outcome: record.outcome.word().to_owned(),
            class: record.class().into_owned(),
            clauses: record.clauses.clone(),
            message: record.message.clone().unwrap_or_default(),
            half_precision,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
