//! `report diff`, and what `run --baseline` shares with it.

use std::path::{Path, PathBuf};

use super::{comparison_report, damaged, open, shown};
use crate::cli::{
    args::{ComparisonFormat, print_objects},
    exit::INCOMPLETE,
};
use dml_report::results::{Header, Line};
use dml_report::{
    Terminal,
    comparison::{Baseline, Compared, Comparison},
};

/// Exit code if something regressed.
const WORSE: u8 = 1;

/// Arguments of `report diff`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The earlier run
    #[arg(value_name = "OLD.jsonl")]
    old: PathBuf,
    /// The later run
    #[arg(value_name = "NEW.jsonl")]
    new: PathBuf,
    /// Accept failures of new cases, and of cases whose expectation changed
    #[arg(long)]
    allow_new: bool,
    /// Format of the comparison
    #[arg(long, value_enum, default_value_t)]
    format: ComparisonFormat,
    /// Show every case
    #[arg(short, long)]
    verbose: bool,
}

/// Compares; the exit code.
pub(crate) fn diff(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let mut baselines = Baselines::read(&args.old)?;
    let mut damage = baselines.take_damage();
    let (mut found, mut under_way): (Vec<Compared>, Option<Comparison>) = (Vec::new(), None);
    let (only, mut alone) = (runs(&args.new)? == 1, false);
    let mut lines = open(&args.new)?;
    for line in &mut lines {
        match line? {
            Line::Header(header) => {
                found.extend(under_way.take().map(|comparison| comparison.finish(false)));
                under_way = baselines.start(&header, only);
                if under_way.is_none() {
                    alone |= !args.allow_new;
                    terminal.warn(format!(
                        "{}: the run of {} has no counterpart in {}; pass --allow-new if it is new",
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
    damage.append(&mut lines.take_damage());
    anyhow::ensure!(
        !found.is_empty(),
        "{} and {} have no run of the same backend; pass the same label: --backend LABEL=SPEC",
        shown(&args.old),
        shown(&args.new)
    );
    for label in baselines.left() {
        alone = true;
        terminal.warn(format!(
            "{}: the run of {label} is missing in {}; pass the same label: --backend LABEL=SPEC",
            shown(&args.old),
            shown(&args.new)
        ));
    }
    tell(&found, args.format, args.allow_new, args.verbose, terminal);
    let damaged = damaged(&damage, terminal);
    Ok(match code(&found, args.allow_new) {
        // What has nothing to be compared with was not compared.
        0 if alone => INCOMPLETE,
        0 => damaged,
        code => code,
    })
}

/// How many runs a file holds.
pub(crate) fn runs(path: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for line in open(path)? {
        count += usize::from(matches!(line?, Line::Header(_)));
    }
    Ok(count)
}

/// Prints comparisons.
fn tell(found: &[Compared], format: ComparisonFormat, allow_new: bool, verbose: bool, terminal: &mut Terminal) {
    match format {
        ComparisonFormat::Human => {
            for compared in found {
                if found.len() > 1 {
                    terminal.line(format!("{}:", compared.backend));
                }
                comparison_report::print_comparison(terminal, compared, allow_new, verbose);
            }
        }
        ComparisonFormat::Markdown => found
            .iter()
            .for_each(|compared| terminal.line(comparison_report::comparison_markdown(compared))),
        ComparisonFormat::Json => {
            let objects = found
                .iter()
                .map(|compared| comparison_report::comparison_object(compared, allow_new));
            print_objects(terminal, objects.collect());
        }
    }
}

/// The exit code of comparisons.
fn code(found: &[Compared], allow_new: bool) -> u8 {
    if found.iter().any(|compared| compared.is_worse(allow_new)) {
        WORSE
    } else if found
        .iter()
        .all(|compared| compared.complete && !compared.is_disjoint())
    {
        0
    } else {
        INCOMPLETE
    }
}

/// Runs to compare with, of one file.
pub(crate) struct Baselines {
    runs: Vec<Baseline>,
    damage: Vec<String>,
}

impl Baselines {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut lines = open(path)?;
        let runs = Baseline::read(&mut lines)?;
        let damage = lines.take_damage();
        Ok(Self { runs, damage })
    }

    /// What is wrong with the file, though it can be read.
    pub(crate) fn take_damage(&mut self) -> Vec<String> {
        std::mem::take(&mut self.damage)
    }

    /// The run to compare one with: that of the same label, or the only one with the only one.
    pub(crate) fn of(&self, header: &Header, is_only: bool) -> Option<&Baseline> {
        self.runs.get(self.position(header, is_only)?)
    }

    /// Labels of the runs that no comparison was started with.
    pub(crate) fn left(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().map(Baseline::label)
    }

    fn position(&self, header: &Header, is_only: bool) -> Option<usize> {
        let same = self.runs.iter().position(|run| run.label() == header.backend.label);
        same.or_else(|| (is_only && self.runs.len() == 1).then_some(0))
    }

    /// A comparison for a run that starts, with the run that [`Self::of`] finds.
    pub(crate) fn start(&mut self, header: &Header, is_only: bool) -> Option<Comparison> {
        let at = self.position(header, is_only)?;
        Some(Comparison::new(self.runs.swap_remove(at), header))
    }
}

/// What `run` says of a comparison, as an object for machines if that is the form.
pub(crate) fn tell_run(
    compared: &Compared,
    allow_new: bool,
    verbose: bool,
    human: bool,
    terminal: &mut Terminal,
) -> serde_json::Value {
    if human {
        comparison_report::print_comparison(terminal, compared, allow_new, verbose);
    }
    comparison_report::comparison_object(compared, allow_new)
}
