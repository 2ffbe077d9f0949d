//! From a run to the lines of a stored run.

use std::time::SystemTime;

use dml_spec::answer::{Info, Levels, Validator};

use crate::{
    Collected, Facts,
    summary::{why_incomplete, word},
    timings::seconds,
};
use dml_case::{
    date,
    outcome::{Difference, Explanation, Outcome},
    record::Record,
    results::{BackendInfo, CaseLine, FORMAT, FirstDifference, Footer, Header, Kept, Line, OtherMistake},
};

/// How a run was asked for.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The command line, one entry for each argument.
    pub command: Vec<String>,
    /// What was selected of the plan; empty if everything is.
    pub selection: Vec<String>,
    /// How cases are judged in addition to the basis.
    pub options: Vec<String>,
    /// Digest of the failures that are known, if there are any.
    pub expectations: Option<String>,
    /// The command that runs a case again, up to the id.
    pub again: String,
}

/// The first line.
pub fn header(facts: &Facts<'_>, info: &Info, asked: Asked) -> Line {
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
        command: asked.command,
        seed: facts.seed,
        tier: facts.tier.to_owned(),
        basis: facts.basis.to_owned(),
        levels: facts.levels.to_vec(),
        shard: None,
        shards: None,
        started: Some(date::time(SystemTime::now())),
        host: Some(host()),
        selection: asked.selection,
        options: asked.options,
        expectations: asked.expectations,
        again: Some(asked.again),
    }))
}

/// The word for who validates.
pub fn validator(info: &Info) -> &'static str {
    match info.validator {
        Validator::Generated => "generated",
        Validator::Own => "own",
    }
}

/// The processor, if its name is known, and how many threads it runs at a time. Names of hosts and users are
/// not included.
fn host() -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = format!("{threads} threads");
    match processor() {
        Some(name) => format!("{name}, {threads}"),
        None => threads,
    }
}

#[cfg(target_os = "linux")]
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
}

#[cfg(not(target_os = "linux"))]
fn processor() -> Option<String> {
    // Windows sets it.
    std::env::var("PROCESSOR_IDENTIFIER").ok()
}

/// The line of a case; `kept` decides whether it holds the backend's outputs.
pub fn case_line(record: &Record, kept: &mut Kept) -> Line {
    let diagnosis = record.judged.diagnosis.as_ref();
    let reason = match &record.judged.outcome {
        Outcome::Skip(reason) | Outcome::XFail(reason) => Some(reason.clone()),
        _ => None,
    };
    let id = record.id.to_string();
    let outputs = diagnosis.map(|d| kept.take(&id, d.class, &record.outputs));
    Line::Case(Box::new(CaseLine {
        kind: "case".to_owned(),
        id,
        outcome: record.judged.outcome.word().to_owned(),
        verdict: record.verdict.to_owned(),
        expectation: record.expectation.to_string(),
        reason,
        clauses: diagnosis
            .map(|d| d.clauses.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        class: diagnosis.map(|d| d.class.to_owned()),
        message: diagnosis.map(|d| d.message.clone()),
        others: diagnosis
            .filter(|_| record.judged.outcome.is_failure())
            .map(|d| d.others.iter().map(other).collect())
            .unwrap_or_default(),
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
        outputs: outputs.unwrap_or_default(),
        ms: record.time.map(|time| (time.as_secs_f64() * 1e6).round() / 1e3),
    }))
}

fn other(mistake: &Explanation) -> OtherMistake {
    OtherMistake {
        class: mistake.class.to_owned(),
        clause: mistake.clauses.first().map(ToString::to_string).unwrap_or_default(),
        message: mistake.message.clone(),
    }
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
pub fn footer(facts: &Facts<'_>, collected: &Collected) -> Line {
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
        timings: seconds(totals.timings.as_ref()),
        incomplete: why_incomplete(facts),
        groups: collected.group_lines(),
        doubts: Vec::new(),
    }))
}
