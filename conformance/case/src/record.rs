//! Results of a run: a record of each case, and totals.

use std::{collections::BTreeMap, time::Duration};

use dml_spec::{answer::Unavailable, model::Text};

use crate::{
    case::Mode,
    digest::Digest,
    id::CaseId,
    lock::Change,
    names::{HARNESS_SKIPS, MEMORY},
    outcome::{Judged, Outcome},
    timings::Timings,
};

/// One case and what became of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The case.
    pub id: CaseId,
    /// How far it goes.
    pub mode: Mode,
    /// What was expected, in one word.
    pub verdict: &'static str,
    /// Digest of everything about the case.
    pub expectation: Digest,
    /// Elements of all its tensors together: the size of the case.
    pub elements: u64,
    /// What became of it.
    pub judged: Judged,
    /// How long it took, if that was measured: planning, expected outputs, its share of the backend's time for the
    /// cases passed together with it, judging.
    pub time: Option<Duration>,
    /// For a case that fails only after others: the cases to run in order.
    pub order: Vec<CaseId>,
    /// For a failing case with small outputs: the actual outputs, by the names of the tensors.
    pub outputs: Vec<(String, Vec<u8>)>,
}

/// The mistakes that explain a failed case, the likeliest first: class, and the first violated clause.
pub fn explanations(record: &Record) -> Vec<(&'static str, String)> {
    let Some(diagnosis) = &record.judged.diagnosis else {
        return vec![(record.judged.outcome.word(), String::new())];
    };
    let clause = |clauses: &[Text]| clauses.first().map(ToString::to_string).unwrap_or_default();
    let others = diagnosis
        .others
        .iter()
        .map(|other| (other.class, clause(&other.clauses)));
    std::iter::once((diagnosis.class, clause(&diagnosis.clauses)))
        .chain(others)
        .collect()
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
    /// Buckets in which the plan differs from the lock.
    pub lock_changes: Vec<Change>,
    /// Buckets that were planned in full and compared with the lock.
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
            .filter(|(word, _)| crate::results::is_failure(word))
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
        *self.outcomes.entry(record.judged.outcome.word()).or_default() += 1;
        if let Outcome::Skip(reason) = &record.judged.outcome {
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
