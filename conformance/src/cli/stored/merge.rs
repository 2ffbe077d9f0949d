//! `report merge`.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Write},
    path::PathBuf,
};

use anyhow::Context;

use super::shown;
use crate::{
    cli::{
        args::SpecArgs,
        atomic_write,
        exit::{INCOMPLETE, USAGE},
        source,
    },
    merge::{MergeError, Source},
};
use dml_case::outcome::is_failure;
use dml_report::Terminal;

/// Arguments of `report merge`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// All shards of one run, in any order
    #[arg(value_name = "SHARD.jsonl", required = true)]
    shards: Vec<PathBuf>,
    /// Output file for the merged run
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Merges; the exit code is that of the whole run.
pub(crate) fn merge(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    atomic_write::require_other_file(&args.out, &args.shards)?;
    let mut sources = Vec::new();
    for path in &args.shards {
        let file = File::open(path).with_context(|| shown(path))?;
        sources.push(Source::new(shown(path), BufReader::new(file)));
    }
    let name = shown(&args.out);
    let draft = atomic_write::Draft::new(&args.out).with_context(|| name.clone())?;
    let mut out = BufWriter::new(draft);
    // What is no UTF-8 is shown as well as it can be.
    let command: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let merged = match crate::merge::merge(&loaded.suite, &loaded.texts.files, &command, &mut sources, &mut out) {
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
    let draft = out
        .into_inner()
        .map_err(|error| error.into_error())
        .with_context(|| name.clone())?;
    draft.finish().with_context(|| name.clone())?;
    merged.remarks.iter().for_each(|remark| terminal.note(remark));
    let cut = merged.incomplete.iter();
    cut.for_each(|why| terminal.warn(format!("incomplete: {why}")));
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
