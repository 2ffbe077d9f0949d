//! `spec diff`: what differs between two specifications, and which cases and stored outcomes that concerns.

use std::{
    collections::BTreeSet,
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::ValueEnum;
use dml_spec::Catalog;

use super::{
    super::args::{SpecArgs, TierArg},
    DIFFERS,
    side::{Side, side},
    told,
};
use crate::{
    cli::{source, stored::damaged},
    diff::{
        self, Diff,
        cases::{self, OperatorCases},
        runs::{self, RunChanges},
    },
    import::facts,
    report::{Progress, Terminal},
    suite::Suite,
};

/// Arguments of `spec diff`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder of a specification, one of its files, or a page of the reference
    old: String,
    /// What to compare it with
    new: String,
    /// Tell which outcomes of a stored run are in doubt (repeatable)
    #[arg(long, value_name = "RUN.jsonl", num_args = 1..)]
    runs: Vec<PathBuf>,
    /// Form; `markdown` is a comment for a pull request
    #[arg(long, value_enum, default_value_t)]
    format: FormArg,
    /// Tier in which cases are planned
    #[arg(long, value_enum, default_value_t)]
    tier: TierArg,
    #[command(flatten)]
    spec: SpecArgs,
}

/// How differences are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// For a terminal
    #[default]
    Human,
    /// For a pull request
    Markdown,
    /// For a program: everything
    Json,
}

/// Runs the subcommand; the exit code.
pub(in crate::cli) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let old = side(&args.old, &args.spec, terminal)?;
    let new = side(&args.new, &args.spec, terminal)?;
    let found = match (old, new) {
        (Side::Spec(old), Side::Spec(new)) => specs(args, *old, *new, terminal)?,
        (old, new) => {
            anyhow::ensure!(
                args.runs.is_empty(),
                "pages have no cases; --runs compares specifications"
            );
            let name = match (&old, &new) {
                (Side::Page(a, _), Side::Page(b, _)) if a != b => {
                    anyhow::bail!("{} is the page of {a}, {} that of {b}", args.old, args.new)
                }
                (Side::Page(name, _), _) | (_, Side::Page(name, _)) => name.clone(),
                _ => String::new(),
            };
            let (old, new) = (facts_of(old, &name, &args.old)?, facts_of(new, &name, &args.new)?);
            Diff {
                entries: diff::facts(&old, &new),
                ..Diff::default()
            }
        }
    };
    match args.format {
        FormArg::Human => told::human(&found, terminal),
        FormArg::Markdown => terminal.bytes(told::markdown(&found, &args.old, &args.new).as_bytes()),
        FormArg::Json => terminal.line(told::json(&found, &args.old, &args.new)?),
    }
    let damage: Vec<String> = found.runs.iter().flat_map(|run| run.damage.clone()).collect();
    let damaged = damaged(&damage, terminal);
    Ok(if found.is_empty() { damaged } else { DIFFERS })
}

fn facts_of(side: Side, operator: &str, name: &str) -> anyhow::Result<facts::Facts> {
    match side {
        Side::Page(_, facts) => Ok(facts),
        Side::Spec(catalog) => {
            let found = catalog.operator(operator);
            let found = found.with_context(|| format!("{name} does not describe {operator}, as the page does"))?;
            Ok(facts::of_operator(&catalog, found))
        }
    }
}

fn specs(args: &Args, old: Catalog, new: Catalog, terminal: &mut Terminal) -> anyhow::Result<Diff> {
    let entries = diff::catalogs(&old, &new);
    let operators = cases::affected(&old, &new);
    let mut found = Diff {
        entries,
        tier: args.tier.word().to_owned(),
        ..Diff::default()
    };
    let (old, new) = (source::suite(old)?, source::suite(new)?);
    let progress = Progress::new(terminal, "planning");
    let step = |done, total| progress.set(done, total, String::new());
    found.cases = cases::compare(&old, &new, &operators, args.tier.tier(), &step);
    drop(progress);
    for path in &args.runs {
        found.runs.push(stored(path, &new, &operators, &found.cases)?);
    }
    Ok(found)
}

fn stored(
    path: &Path,
    new: &Suite,
    operators: &BTreeSet<String>,
    cases: &[OperatorCases],
) -> anyhow::Result<RunChanges> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    let run = runs::compare(&name, BufReader::new(file), new, operators, cases).with_context(|| name.clone())?;
    anyhow::ensure!(run.cases > 0, "{name}: no case stands in it");
    Ok(run)
}
