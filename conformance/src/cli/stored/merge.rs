//! `report merge`.

use std::{
    io::{BufWriter, Write},
    path::PathBuf,
};

use anyhow::Context;
use dml_spec::load;

use super::{open, shown};
use crate::{
    cli::{INCOMPLETE, USAGE, args::SpecArgs, source, whole},
    report::Terminal,
    results::is_failure,
    stored::{self, MergeError, Source},
};

/// Arguments of `report merge`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The shards of a run, every one of them, in any order
    #[arg(value_name = "SHARD.jsonl", required = true)]
    shards: Vec<PathBuf>,
    /// Where the whole run goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Merges; the exit code is that of the whole run.
pub(in crate::cli) fn merge(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let mut sources = Vec::new();
    for path in &args.shards {
        sources.push(Source::new(shown(path), open(path)?));
    }
    let name = shown(&args.out);
    let file = whole::beside(&args.out).with_context(|| name.clone())?;
    let mut out = BufWriter::new(file);
    let digest = load::digest(&loaded.texts.files);
    let merged = match stored::merge(&loaded.suite, &digest, &mut sources, &mut out) {
        Ok(merged) => merged,
        Err(error) => {
            let code = if matches!(error, MergeError::Missing(_)) {
                INCOMPLETE
            } else {
                USAGE
            };
            terminal.error(format!("{error}; nothing was written"));
            return Ok(code);
        }
    };
    out.flush().with_context(|| name.clone())?;
    let file = out
        .into_inner()
        .map_err(|error| error.into_error())
        .with_context(|| name.clone())?;
    whole::put(file, &args.out).with_context(|| name.clone())?;
    merged.remarks.iter().for_each(|remark| terminal.note(remark));
    let cases: u64 = merged.counts.values().sum();
    let counts: Vec<String> = merged
        .counts
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let failing: u64 = merged
        .counts
        .iter()
        .filter(|(word, _)| is_failure(word))
        .map(|(_, n)| n)
        .sum();
    let (code, what) = match (failing, merged.complete) {
        (1.., _) => (1, "not conformant"),
        (0, true) => (0, "conformant"),
        (0, false) => (INCOMPLETE, "incomplete"),
    };
    terminal.line(format!("{name}: {what}; {cases} cases, {}", counts.join(", ")));
    Ok(code)
}
