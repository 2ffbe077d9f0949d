//! `report conforms`: the table of who conforms, for the README.

use std::{fs, path::PathBuf};

use anyhow::Context;

use crate::cli::{args::SpecArgs, atomic_write, source, stored::damaged};
use dml_report::{Terminal, render as documents};

/// Around the table in a file.
const MARKERS: (&str, &str) = ("<!-- conforms: begin -->", "<!-- conforms: end -->");

/// Arguments of `report conforms`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Stored runs, one row each
    #[arg(value_name = "RUN.jsonl", required = true)]
    runs: Vec<PathBuf>,
    /// Write the table between the markers `<!-- conforms: begin -->` and `<!-- conforms: end -->` of this file
    #[arg(long, value_name = "FILE.md")]
    into: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Prints the table, or puts it into a file; the exit code.
pub(crate) fn conforms(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    if let Some(into) = &args.into {
        atomic_write::require_other_file(into, &args.runs)?;
    }
    let loaded = source::load(&args.spec, terminal)?;
    let runs = documents::read(&loaded.suite, &args.runs, &())?;
    let damage: Vec<String> = runs.iter().flat_map(|run| run.damage.clone()).collect();
    let table = documents::conforms(&runs);
    let Some(path) = &args.into else {
        terminal.bytes(table.as_bytes());
        return Ok(damaged(&damage, terminal));
    };
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let (begin, end) = MARKERS;
    let parts = text
        .split_once(begin)
        .and_then(|(front, rest)| Some((front, rest.split_once(end)?.1)));
    let (front, back) = parts.with_context(|| {
        format!(
            "{}: the lines `{begin}` and `{end}` are missing; add them where the table belongs",
            name()
        )
    })?;
    fs::write(path, format!("{front}{begin}\n{}\n{end}{back}", table.trim_end())).with_context(name)?;
    terminal.note(format_args!("{} written", path.display()));
    Ok(damaged(&damage, terminal))
}
