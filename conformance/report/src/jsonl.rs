//! From a run to the lines of a stored run.

use std::{borrow::Cow, time::SystemTime};

use dml_spec::answer::Info;

use crate::{Collected, Facts, summary::why_incomplete, timings::seconds};
use crate::{
    date,
    results::{BackendInfo, FORMAT, Footer, Header, Kept, Line},
};
use dml_case::record::Record;

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
    let backend = BackendInfo {
        label: facts.label.to_owned(),
        name: info.name.clone(),
        version: info.version.clone(),
        feature_level: info.feature_level.to_string(),
        levels: info.levels.word().to_owned(),
        validator: info.validator.word().to_owned(),
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

/// The record of a case as its line: `kept` decides whether it holds what the backend gave.
pub fn case_line<'r>(record: &'r Record, kept: &mut Kept) -> Cow<'r, Record> {
    if record.class.is_none() {
        return Cow::Borrowed(record);
    }
    let mut line = record.clone();
    kept.limit(&mut line);
    Cow::Owned(line)
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
        groups: collected.failed.lines(),
        dismissed: collected.failed.dismissed_guarantees(),
        dismissed_grounds: collected.failed.dismissed_grounds(),
        mistakes: totals.mistakes.clone(),
        samples: totals.samples.clone().into_cases().collect(),
        doubts: Vec::new(),
        contradicted: None,
    }))
}
