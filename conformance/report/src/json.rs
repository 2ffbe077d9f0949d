//! The end of a run as JSON: one object for each backend.

use serde_json::{Value, json};

use crate::{SavedCase, scope::Scope, summary::Ending, timings::seconds};
use dml_case::record::Totals;

/// Facts about a finished run.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// Label of the backend.
    pub label: &'a str,
    /// Tier, in a word.
    pub tier: &'a str,
    /// Basis, in a word.
    pub basis: &'a str,
    /// Whether FLOAT16 tensors might be computed in half precision.
    pub half_precision: bool,
    /// Table levels that were planned.
    pub levels: &'a [String],
    /// How much of DirectML the suite covers up to the highest of these levels, if nothing was selected.
    pub scope: Option<Scope>,
    /// Seed of the plan.
    pub seed: u64,
    /// Who validates: `generated` or `own`.
    pub validator: &'a str,
    /// Digest of the specification.
    pub spec_digest: &'a str,
    /// Digest of the corpus: of what the lock holds.
    pub corpus_digest: &'a str,
    /// Whether there is a lock.
    pub has_lock: bool,
    /// How to fix a plan that differs from the lock.
    pub lock_remedy: &'a str,
    /// Which part of the selection was run, such as `1/4`, if it was not all of it.
    pub shard: Option<&'a str>,
    /// Reasons of skips that leave the run complete.
    pub allowed_skips: &'a [String],
    /// What came of it.
    pub totals: &'a Totals,
}

impl Facts<'_> {
    /// How the run ended.
    pub fn ending(&self) -> Ending {
        Ending::of(self.totals, self.allowed_skips)
    }

    /// Whether skips for this reason leave the run complete.
    pub fn allows_skip(&self, reason: &str) -> bool {
        self.totals.skip_allowed(reason, self.allowed_skips)
    }
}

fn saved_case(saved: &SavedCase) -> Value {
    json!({
        "clause": saved.clause,
        "class": saved.class,
        "outcome": saved.outcome.word(),
        "file": saved.path.display().to_string(),
        "command": saved.command,
    })
}

/// The object; `saved` are the cases that the run saved.
pub fn object(facts: &Facts<'_>, saved: &[SavedCase]) -> Value {
    let totals = facts.totals;
    let mut object = json!({
        "backend": facts.label,
        "validator": facts.validator,
        "tier": facts.tier,
        "levels": facts.levels,
        "scope": facts.scope,
        "basis": facts.basis,
        "half_precision": facts.half_precision,
        "seed": facts.seed,
        "shard": facts.shard,
        "cases": totals.cases,
        "pass": totals.count("pass"),
        "fail": totals.count("fail"),
        "xfail": totals.count("xfail"),
        "xpass": totals.count("xpass"),
        "skip": totals.count("skip"),
        "unspecified": totals.count("unspecified"),
        "crash": totals.count("crash"),
        "timeout": totals.count("timeout"),
        "device-lost": totals.count("device-lost"),
        "flaky": totals.count("flaky"),
        "harness-error": totals.count("harness-error"),
        "conformant": facts.ending() == Ending::Conformant,
        "complete": totals.complete(facts.allowed_skips),
        "lock_mismatches": totals.lock_changes.len(),
        "skips": totals.skips,
        "known_skips": totals.known_skips,
        "mistakes": totals.mistakes,
        "saved": saved.iter().map(saved_case).collect::<Vec<Value>>(),
        "seconds": (totals.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        "spec_digest": facts.spec_digest,
        "corpus_digest": facts.corpus_digest,
        "selection_digest": totals.selection_digest.to_string(),
    });
    if let Some(timings) = &totals.timings
        && let Some(object) = object.as_object_mut()
    {
        object.insert("timings".to_owned(), json!(seconds(Some(timings))));
    }
    object
}
