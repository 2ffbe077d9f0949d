//! From a run to the lines of a stored run.

use dml_ops::{Info, Levels, Validator};

use super::{Facts, summary::word};
use crate::{
    outcome::{Difference, Outcome},
    results::{BackendInfo, CaseLine, FORMAT, FirstDifference, Footer, Header, Line},
    run::Record,
};

/// The first line.
pub fn header(facts: &Facts<'_>, info: &Info, command: Vec<String>) -> Line {
    let levels = match info.levels {
        Levels::Strict => "strict",
        Levels::Superset => "superset",
    };
    let backend = BackendInfo {
        label: facts.label.to_owned(),
        name: info.name.clone(),
        version: info.version.clone(),
        feature_level: info.feature_level.to_string(),
        levels: levels.to_owned(),
        validator: validator(info).to_owned(),
        details: info.details.iter().cloned().collect(),
    };
    Line::Header(Box::new(Header {
        kind: "header".to_owned(),
        format: FORMAT,
        suite: env!("CARGO_PKG_VERSION").to_owned(),
        spec_digest: facts.spec_digest.to_owned(),
        corpus_digest: facts.corpus_digest.to_owned(),
        backend,
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        command,
        seed: facts.seed,
        tier: facts.tier.to_owned(),
        basis: facts.basis.to_owned(),
        levels: facts.levels.to_vec(),
        shard: None,
    }))
}

/// The word for who validates.
pub fn validator(info: &Info) -> &'static str {
    match info.validator {
        Validator::Generated => "generated",
        Validator::Own => "own",
    }
}

/// The line of a case.
pub fn case_line(record: &Record) -> Line {
    let diagnosis = record.judged.diagnosis.as_ref();
    let reason = match &record.judged.outcome {
        Outcome::Skip(reason) | Outcome::XFail(reason) => Some(reason.clone()),
        _ => None,
    };
    Line::Case(Box::new(CaseLine {
        kind: "case".to_owned(),
        id: record.id.to_string(),
        outcome: record.judged.outcome.word().to_owned(),
        verdict: record.verdict.to_owned(),
        expectation: record.expectation.to_string(),
        reason,
        clauses: diagnosis
            .map(|d| d.clauses.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        class: diagnosis.map(|d| d.class.to_owned()),
        message: diagnosis.map(|d| d.message.clone()),
        first: diagnosis.and_then(|d| d.first.as_ref()).map(first),
        differing: diagnosis.map(|d| d.differing).filter(|n| *n > 0),
        follows: record
            .judged
            .follows
            .iter()
            .map(|(c, f)| (c.to_string(), word(*f).to_owned()))
            .collect(),
        ulps: record.judged.nearness.map(|nearness| nearness.ulps).filter(|n| *n > 0),
        order: record.order.iter().map(ToString::to_string).collect(),
        warnings: record.judged.warnings.clone(),
        ms: record.time.map(|time| (time.as_secs_f64() * 1e6).round() / 1e3),
    }))
}

fn first(difference: &Difference) -> FirstDifference {
    FirstDifference {
        tensor: difference.tensor.to_string(),
        at: difference.at.clone(),
        expected: difference.expected.as_ref().map(|(value, _)| value.clone()),
        expected_bits: difference.expected.as_ref().map(|(_, bits)| bits.clone()),
        actual: difference.actual.0.clone(),
        actual_bits: difference.actual.1.clone(),
    }
}

/// The last line.
pub fn footer(facts: &Facts<'_>) -> Line {
    let totals = facts.totals;
    Line::Footer(Box::new(Footer {
        kind: "footer".to_owned(),
        counts: totals
            .outcomes
            .iter()
            .map(|(word, n)| ((*word).to_owned(), *n))
            .collect(),
        complete: totals.complete(facts.allowed_skips),
        seconds: (totals.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
    }))
}
