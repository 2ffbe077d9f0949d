//! `report diff`, and what `run --baseline` shares with it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;

use super::{open, shown, told};
use crate::{
    cli::INCOMPLETE,
    report::Terminal,
    results::Reader,
    results::{Header, Line},
    stored::{Baseline, Compared, Comparison},
};

/// Exit code where something regressed.
const WORSE: u8 = 1;

/// Arguments of `report diff`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The run before
    #[arg(value_name = "OLD.jsonl")]
    old: PathBuf,
    /// The run to look at
    #[arg(value_name = "NEW.jsonl")]
    new: PathBuf,
    /// Cases that are new, or of which the suite expects something else, may fail
    #[arg(long)]
    allow_new: bool,
    /// Form of the comparison
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show every case
    #[arg(short, long)]
    verbose: bool,
}

/// Form of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// For people
    #[default]
    Human,
    /// One object (an array where there are several backends)
    Json,
    /// For a comment, or the summary of a CI step
    Markdown,
}

/// Compares; the exit code.
pub(in crate::cli) fn diff(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let mut baselines = Baselines::read(&args.old)?;
    let (mut found, mut under_way): (Vec<Compared>, Option<Comparison>) = (Vec::new(), None);
    let only = runs(&args.new)? == 1;
    for line in Reader::new(open(&args.new)?) {
        match line.with_context(|| shown(&args.new))? {
            Line::Header(header) => {
                found.extend(under_way.take().map(|comparison| comparison.finish(false)));
                under_way = baselines.start(&header, only);
                if under_way.is_none() {
                    terminal.note(format!(
                        "{}: the run of {} has none to compare with in {}",
                        shown(&args.new),
                        header.backend.label,
                        shown(&args.old)
                    ));
                }
            }
            Line::Case(case) => {
                if let Some(comparison) = &mut under_way {
                    comparison.case(&case);
                }
            }
            Line::Footer(footer) => {
                found.extend(under_way.take().map(|comparison| comparison.finish(footer.complete)));
            }
        }
    }
    found.extend(under_way.map(|comparison| comparison.finish(false)));
    anyhow::ensure!(
        !found.is_empty(),
        "{} and {} hold no runs of the same backend; name backends alike: --backend LABEL=SPEC",
        shown(&args.old),
        shown(&args.new)
    );
    tell(&found, args.format, args.allow_new, args.verbose, terminal);
    Ok(code(&found, args.allow_new))
}

/// How many runs a file holds.
fn runs(path: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for line in Reader::new(open(path)?) {
        count += usize::from(matches!(line.with_context(|| shown(path))?, Line::Header(_)));
    }
    Ok(count)
}

/// Prints comparisons.
fn tell(found: &[Compared], format: Format, allow_new: bool, verbose: bool, terminal: &mut Terminal) {
    match format {
        Format::Human => {
            for compared in found {
                if found.len() > 1 {
                    terminal.line(format!("{}:", compared.backend));
                }
                told::human(terminal, compared, allow_new, verbose);
            }
        }
        Format::Markdown => found
            .iter()
            .for_each(|compared| terminal.line(told::markdown(compared))),
        Format::Json => {
            let mut objects: Vec<_> = found.iter().map(|compared| told::object(compared, allow_new)).collect();
            let value = if objects.len() == 1 {
                objects.remove(0)
            } else {
                objects.into()
            };
            terminal.line(format!("{value:#}"));
        }
    }
}

/// The exit code of comparisons.
fn code(found: &[Compared], allow_new: bool) -> u8 {
    if found.iter().any(|compared| compared.is_worse(allow_new)) {
        WORSE
    } else if found.iter().all(|compared| compared.complete) {
        0
    } else {
        INCOMPLETE
    }
}

/// Runs to compare with, of one file.
pub(in crate::cli) struct Baselines(Vec<Baseline>);

impl Baselines {
    /// Reads a file.
    pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Self> {
        let runs = Baseline::read(open(path)?).with_context(|| path.display().to_string())?;
        anyhow::ensure!(
            !runs.is_empty(),
            "{} holds no run; make one with `dml-cts run --report FILE.jsonl`",
            path.display()
        );
        Ok(Self(runs))
    }

    /// A comparison for a run that starts: with the run of the same label, or the only one with the only one.
    pub(in crate::cli) fn start(&mut self, header: &Header, is_only: bool) -> Option<Comparison> {
        let same = self.0.iter().position(|run| run.label() == header.backend.label);
        let at = same.or_else(|| (is_only && self.0.len() == 1).then_some(0))?;
        Some(Comparison::new(self.0.swap_remove(at), header))
    }
}

/// What `run` says of a comparison, as an object for machines where that is the form.
pub(in crate::cli) fn tell_run(
    compared: &Compared,
    allow_new: bool,
    verbose: bool,
    human: bool,
    terminal: &mut Terminal,
) -> serde_json::Value {
    if human {
        told::human(terminal, compared, allow_new, verbose);
    }
    told::object(compared, allow_new)
}
