//! `spec grep`: the same statement in other operators.

use dml_spec::model::Clause;

use super::{super::args::SpecArgs, DIFFERS, find_clause, format_count, open_spec, print_item};
use crate::{
    report::{Style, Terminal},
    siblings::{self, cells},
};

/// Arguments of `spec grep`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A rule in the names of any operator, a cell (`InputTensor/FLOAT64`, `*/3.1/*/INT64`, `4-D`, `1..8`), or a
    /// clause
    #[arg(value_name = "RULE|CELL|CLAUSE")]
    what: String,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(in crate::cli) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let catalog = open_spec(&args.spec, terminal)?.catalog;
    let what = args.what.trim();
    if let Some(pattern) = cells::pattern(&catalog, what) {
        let found = cells::find(&catalog, &pattern);
        return Ok(rows(terminal, &found));
    }
    let is_id = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
    if what.contains('/') && what.chars().all(is_id) {
        let clause = find_clause(&catalog, what)?;
        let found = siblings::of_clause(&catalog, clause);
        let Some(found) = found else {
            anyhow::bail!("{what} has no rule in force; `dml-cts spec find` searches by words");
        };
        return Ok(clauses(terminal, &found));
    }
    match siblings::of_rule(&catalog, what) {
        Ok(found) => Ok(clauses(terminal, &found)),
        Err(error) => anyhow::bail!("`{what}`: {error}; rules are described in spec/README.md"),
    }
}

fn clauses(terminal: &mut Terminal, found: &[&Clause]) -> u8 {
    for clause in found {
        print_item(terminal, &clause.id, clause.rule.as_deref().unwrap_or_default());
    }
    ended(terminal, found.len(), "clause")
}

fn rows(terminal: &mut Terminal, found: &cells::Rows) -> u8 {
    if !found.is_empty() {
        let head = format!("  {:<26} {:<12} {:<26} tables of level", "operator", "group", "tensor");
        terminal.line(terminal.paint(Style::Strong, head));
    }
    for ((operator, group, tensor), levels) in found {
        let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
        let label = format!("  {operator:<26} {group:<12} {tensor:<26} ");
        let lines = crate::report::labelled(&label, &levels.join(" "));
        lines.iter().for_each(|line| terminal.line(line));
    }
    ended(terminal, found.len(), "row")
}

fn ended(terminal: &mut Terminal, count: usize, thing: &str) -> u8 {
    terminal.note(format!("{} found", format_count(count, thing)));
    if count == 0 { DIFFERS } else { 0 }
}
