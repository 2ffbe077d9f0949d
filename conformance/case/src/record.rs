//! What a run yields: a record of each case, which is a line of a stored run, and totals.

use std::{collections::BTreeMap, time::Duration};

use dml_spec::{answer::Unavailable, model::Text};
use serde::{Deserialize, Serialize, de::IgnoredAny};

use crate::{
    case::Mode,
    digest::Digest,
    id::CaseId,
    lock::Change,
    mistake::Mistakes,
    names::{HARNESS_SKIPS, MEMORY},
    outcome::{Diagnosis, Difference, Follows, Judged, Outcome, is_failure},
    sample::{ELEMENTS, Samples},
    timings::Timings,
};

/// Maximum bytes of the outputs of one case that a record keeps, all together.
pub const CASE_BYTES: usize = 4096;

/// One case and what became of it. Fields that a stored run does not hold are skipped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Marks the line.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The case.
    pub id: CaseId,
    /// What became of it.
    pub outcome: Outcome,
    /// What was expected: `valid`, `rejected`, `observed` or `unspecified`.
    pub verdict: Text,
    /// Digest of descriptor, inputs and expectation.
    pub expectation: Digest,
    /// Why it was skipped, or why its failure is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Clauses that are broken, the most telling first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<Text>,
    /// Class of the failure, such as `differs`, or of what is unspecified and not consistent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Text>,
    /// The failure in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Further mistakes that earlier versions guessed at. Their runs can be read; what they guessed is not.
    #[serde(default, skip_serializing)]
    pub others: IgnoredAny,
    /// First element that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Difference>,
    /// How many elements differ.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub differing: u64,
    /// Whom the backend follows, by disputed or observed clause.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub follows: BTreeMap<Text, Follows>,
    /// Worst error of accepted outputs that need not be exact, in units in the last place.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ulps: u64,
    /// Of a flaky case what the session had been asked for until it failed, itself last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<CaseId>,
    /// Remarks that do not fail the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Of a failing case the bytes of each output tensor as they came back, in base64. Large ones are left out, and a
    /// stored run leaves out those of further cases with the same failure.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, String>,
    /// How long it took, if that was measured: planning, expected outputs, its part of what the backend took for the
    /// cases that it was handed with it, judging. Lines have milliseconds.
    #[serde(
        default,
        rename = "ms",
        with = "milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub time: Option<Duration>,
    /// How far it goes.
    #[serde(skip)]
    pub mode: Mode,
    /// Elements of all its tensors together: how small it is.
    #[serde(skip)]
    pub elements: u64,
    /// Guarantees that speak of the case and not of every one, as long as its outputs alone do not tell whether they break
    /// them.
    #[serde(skip)]
    pub special: Vec<Text>,
    /// What a descriptor that is to be accepted rests on: permissions, disputed constraints, cells of the tables.
    #[serde(skip)]
    pub grounds: Vec<Text>,
    /// Clauses that leave the outputs open, and what the backend did there.
    #[serde(skip)]
    pub does: Vec<(Text, Vec<Text>)>,
    /// The worst accepted error, in thousandths of what is allowed.
    #[serde(skip)]
    pub share: u64,
}

/// The `type` of a record's line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A case.
    #[default]
    Case,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Times as milliseconds with three decimals.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        let seconds = time.unwrap_or_default().as_secs_f64();
        serializer.serialize_f64((seconds * 1e6).round() / 1e3)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        let ms = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(ms / 1e3).map(Some).map_err(Error::custom)
    }
}

impl Record {
    /// A case of which only the outcome is known.
    pub fn new(id: CaseId, outcome: Outcome) -> Self {
        Self {
            kind: Kind::Case,
            id,
            outcome,
            verdict: Text::Borrowed("valid"),
            expectation: Digest::default(),
            reason: None,
            clauses: Vec::new(),
            class: None,
            message: None,
            others: IgnoredAny,
            first: None,
            differing: 0,
            follows: BTreeMap::new(),
            ulps: 0,
            order: Vec::new(),
            warnings: Vec::new(),
            outputs: BTreeMap::new(),
            time: None,
            mode: Mode::Create,
            elements: 0,
            special: Vec::new(),
            grounds: Vec::new(),
            does: Vec::new(),
            share: 0,
        }
    }

    /// Whether its outputs are wrong and have too many elements to be compared with mistakes.
    pub fn is_wrong_and_large(&self) -> bool {
        let is_wrong = matches!(self.outcome, Outcome::Fail | Outcome::XFail) && self.differing > 0;
        is_wrong && self.elements > ELEMENTS
    }

    /// The same case with this verdict on its answer.
    #[must_use]
    pub fn judged(self, judged: Judged) -> Self {
        let nearness = judged.nearness.unwrap_or_default();
        let (class, diagnosis) = match judged.diagnosis {
            Some(diagnosis) => (Some(diagnosis.class.clone()), diagnosis),
            None => (None, Diagnosis::new("", Vec::new(), String::new())),
        };
        Self {
            outcome: judged.outcome,
            reason: judged.reason,
            message: class.is_some().then_some(diagnosis.message),
            class,
            clauses: diagnosis.clauses,
            first: diagnosis.first,
            differing: diagnosis.differing,
            follows: judged.follows.into_iter().collect(),
            does: judged.does,
            warnings: judged.warnings,
            ulps: nearness.ulps,
            share: nearness.share,
            ..self
        }
    }

    /// Class of a failure; the outcome if it has none.
    pub fn class(&self) -> Text {
        self.class.clone().unwrap_or(Text::Borrowed(self.outcome.word()))
    }

    /// The clause that it breaks first; empty if it breaks none.
    pub fn clause(&self) -> Text {
        self.clauses.first().cloned().unwrap_or_default()
    }
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

/// Receives results, in the order of the plan.
pub trait Sink {
    /// A case has an outcome.
    fn record(&mut self, record: &Record);

    /// `done` of `total` units are finished.
    fn progress(&mut self, done: usize, total: usize) {
        let _ = (done, total);
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Cases that were planned and have an outcome.
    pub cases: u64,
    /// Cases by outcome, in words.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Skipped cases by reason, except known ones.
    pub skips: BTreeMap<String, u64>,
    /// Skipped cases that are known, by reason.
    pub known_skips: BTreeMap<String, u64>,
    /// Lines of the lock from which the plan differs.
    pub lock_changes: Vec<Change>,
    /// Lines of the lock whose cases were all planned, and compared with it.
    pub compared: usize,
    /// The run stopped before its end.
    pub cut_short: bool,
    /// Cases that could not be planned, or turned out to be invalid after they had been judged.
    pub problems: Vec<String>,
    /// The backend could not be opened.
    pub unavailable: Option<Unavailable>,
    /// Sum of the digests of all cases that ran.
    pub selection_digest: Digest,
    /// How long it took.
    pub elapsed: Duration,
    /// Time spent in each part of the run, if that was measured.
    pub timings: Option<Timings>,
    /// What explains wrong outputs, by operator.
    pub mistakes: Vec<Mistakes>,
    /// The cases that these rest on.
    pub samples: Samples,
}

impl Totals {
    /// Cases with this outcome.
    pub fn count(&self, outcome: &str) -> u64 {
        self.outcomes.get(outcome).copied().unwrap_or(0)
    }

    /// Cases that were judged at all.
    pub fn judged(&self) -> u64 {
        self.cases - self.count("skip")
    }

    /// Cases that make the backend non-conformant.
    pub fn failures(&self) -> u64 {
        self.outcomes
            .iter()
            .filter(|(word, _)| is_failure(word))
            .map(|(_, n)| n)
            .sum()
    }

    /// Every planned case of the selection has an outcome, and the lock agrees with the plan.
    pub fn complete(&self, allowed_skips: &[String]) -> bool {
        let whole = !self.cut_short && self.unavailable.is_none() && self.problems.is_empty();
        let skips_allowed = self.skips.keys().all(|reason| self.skip_allowed(reason, allowed_skips));
        whole && skips_allowed && self.lock_changes.is_empty() && self.judged() > 0
    }

    /// Whether skips for this reason leave the run complete.
    pub fn skip_allowed(&self, reason: &str, allowed: &[String]) -> bool {
        let kind = reason
            .split_once(": ")
            .map(|(kind, _)| kind)
            .filter(|kind| *kind == MEMORY);
        let named = |a: &String| a == reason || Some(a.as_str()) == kind;
        HARNESS_SKIPS.contains(&reason) || allowed.iter().any(named)
    }

    /// Counts a case; `known_skip`: a known entry covers its skip.
    pub fn add(&mut self, record: &Record, known_skip: bool) {
        self.cases += 1;
        *self.outcomes.entry(record.outcome.word()).or_default() += 1;
        if let (Outcome::Skip, Some(reason)) = (record.outcome, &record.reason) {
            let skips = if known_skip {
                &mut self.known_skips
            } else {
                &mut self.skips
            };
            *skips.entry(reason.clone()).or_default() += 1;
        }
        self.selection_digest.add(record.expectation);
    }
}
