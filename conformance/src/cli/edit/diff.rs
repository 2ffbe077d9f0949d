//! `spec diff`: what differs between two specifications, and which cases and stored outcomes that concerns.

use std::{
    collections::BTreeSet,
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::Catalog;

use super::{
    super::args::{ComparisonFormat, SpecArgs, TierArg},
    DIFFERS,
    diff_input::{DiffInput, read_input},
    render_diff,
};
use crate::{
    cli::{source, stored::damaged},
    plan_diff,
};
use dml_pages::{
    diff::{
        self, Diff,
        cases::{OperatorCases, RunChanges, find_affected_operators},
    },
    import::facts,
};
use dml_plan::planner::Planner;
use dml_report::{Progress, Terminal};

/// Arguments of `spec diff`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder of a specification, one of its files, or a page of the reference
    old: String,
    /// The same, to compare it with
    new: String,
    /// Also list which outcomes of a stored run are in doubt (repeatable)
    #[arg(long, value_name = "RUN.jsonl", num_args = 1..)]
    runs: Vec<PathBuf>,
    /// Format; `markdown` is a comment for a pull request
    #[arg(long, value_enum, default_value_t)]
    format: ComparisonFormat,
    /// Tier in which cases are planned
    #[arg(long, value_enum, default_value_t)]
    tier: TierArg,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(crate) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let old = read_input(&args.old, &args.spec, terminal)?;
    let new = read_input(&args.new, &args.spec, terminal)?;
    let found = match (old, new) {
        (DiffInput::Spec(old), DiffInput::Spec(new)) => compare_specs(args, *old, *new, terminal)?,
        (old, new) => {
            anyhow::ensure!(
                args.runs.is_empty(),
                "pages have no cases; --runs compares specifications"
            );
            let name = match (&old, &new) {
                (DiffInput::Page(a, _), DiffInput::Page(b, _)) if a != b => {
                    anyhow::bail!("{} is the page of {a}, {} that of {b}", args.old, args.new)
                }
                (DiffInput::Page(name, _), _) | (_, DiffInput::Page(name, _)) => name.clone(),
                _ => String::new(),
            };
            let (old, new) = (
                collect_facts(old, &name, &args.old)?,
                collect_facts(new, &name, &args.new)?,
            );
            Diff {
                entries: diff::compare_facts(&old, &new),
                ..Diff::default()
            }
        }
    };
    match args.format {
        ComparisonFormat::Human => render_diff::print_human(&found, terminal),
        ComparisonFormat::Markdown => {
            terminal.bytes(render_diff::format_markdown(&found, &args.old, &args.new).as_bytes())
        }
        ComparisonFormat::Json => terminal.line(render_diff::format_json(&found, &args.old, &args.new)?),
    }
    let damage: Vec<String> = found.runs.iter().flat_map(|run| run.damage.clone()).collect();
    let damaged = damaged(&damage, terminal);
    Ok(if found.is_empty() { damaged } else { DIFFERS })
}

fn collect_facts(input: DiffInput, operator: &str, name: &str) -> anyhow::Result<facts::Facts> {
    match input {
        DiffInput::Page(_, facts) => Ok(facts),
        DiffInput::Spec(catalog) => {
            let found = catalog.operator(operator);
            let found = found.with_context(|| format!("{name} does not describe {operator}, as the page does"))?;
            Ok(facts::collect_operator_facts(&catalog, found))
        }
    }
}

fn compare_specs(args: &Args, old: Catalog, new: Catalog, terminal: &mut Terminal) -> anyhow::Result<Diff> {
    let entries = diff::compare_catalogs(&old, &new);
    let operators = find_affected_operators(&old, &new);
    let mut found = Diff {
        entries,
        tier: args.tier.word().to_owned(),
        ..Diff::default()
    };
    let (old, new) = (source::suite(old)?, source::suite(new)?);
    let progress = Progress::new(terminal, "planning");
    let step = |done, total| progress.set(done, total, String::new());
    found.cases = plan_diff::compare_cases(&old, &new, &operators, args.tier.tier(), &step);
    drop(progress);
    for path in &args.runs {
        found.runs.push(compare_stored(path, &new, &operators, &found.cases)?);
    }
    Ok(found)
}

fn compare_stored(
    path: &Path,
    new: &Planner,
    operators: &BTreeSet<String>,
    cases: &[OperatorCases],
) -> anyhow::Result<RunChanges> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    let run =
        plan_diff::compare_run(&name, BufReader::new(file), new, operators, cases).with_context(|| name.clone())?;
    anyhow::ensure!(run.cases > 0, "{name}: no case in this file");
    Ok(run)
}
