//! `spec coverage`: what is declared, validated and tested, and what is not.

use std::collections::BTreeMap;

use dml_spec::model::Tier;

use super::{
    args::{SpecArgs, require_operators},
    source,
};
use dml_adequacy::coverage::{Row, coverage};
use dml_case::text::grouped;
use dml_plan::{
    builder::Builder,
    design::{self, Combined},
};
use dml_report::{Style, Terminal};

/// Exit code if something is not covered.
const GAPS: u8 = 1;
/// Columns of the clause, so that a line fits 100 characters.
const CLAUSE: usize = 56;

/// Arguments of `spec coverage`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Operators; default: all
    operators: Vec<String>,
    /// Print every row, not only sums, gaps and coupled clauses
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(super) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let suite = &source::read_texts(&args.spec)?.suite(terminal)?;
    let names = suite.operator_names();
    require_operators(&args.operators, &names)?;
    let mut gaps = 0;
    for (index, name) in names.iter().enumerate() {
        if args.operators.is_empty() || args.operators.iter().any(|n| n == name) {
            let combined = Builder::new(suite, index).map(|builder| {
                let parameters = design::parameters(&builder).unwrap_or_default();
                design::combined(&builder, &parameters)
            });
            let rows = coverage(suite, index, Tier::Standard);
            gaps += operator(terminal, name, &rows, &combined.unwrap_or_default(), args.all);
        }
    }
    Ok(if gaps == 0 { 0 } else { GAPS })
}

/// Prints one operator's coverage; how many gaps it has.
fn operator(terminal: &mut Terminal, name: &str, rows: &[Row], combined: &Combined, all: bool) -> usize {
    terminal.line(terminal.paint(
        Style::Strong,
        format!("{name}: declared, validated, tested at standard"),
    ));
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.kind).collect();
    kinds.dedup();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.kind == kind).collect();
        let covered = of_kind.iter().filter(|row| row.gap().is_none()).count();
        let coupled = of_kind.iter().filter(|row| row.coupled.is_some()).count();
        let coupled = if coupled == 0 {
            String::new()
        } else {
            format!(", {coupled} of them coupled")
        };
        terminal.line(format!(
            "  {kind:<16} {covered:>4} of {:>4} covered{coupled}",
            of_kind.len()
        ));
    }
    combinations(terminal, combined);
    if all {
        rows.iter().for_each(|row| detail(terminal, row));
    }
    couplings(terminal, rows);
    let gaps: Vec<&Row> = rows.iter().filter(|row| row.gap().is_some()).collect();
    for row in &gaps {
        let why = row.gap().unwrap_or_default();
        terminal.line(terminal.paint(Style::Bad, format!("  not covered: {}: {why}", row.subject())));
    }
    if gaps.is_empty() {
        terminal.line(format!(
            "  every clause and cell of {name} is tested both ways, or coupled as shown"
        ));
    } else {
        terminal.line(format!(
            "  {} not covered; add values to the parameters of {name}",
            gaps.len()
        ));
    }
    gaps.len()
}

/// How many pairs and triples of parameters' values the rows hold, and why they do not hold the others.
fn combinations(terminal: &mut Terminal, found: &Combined) {
    if found.pairs == 0 {
        return;
    }
    let lacking: Vec<String> = found
        .lacking
        .iter()
        .map(|(why, n)| format!("{} {why}", grouped(*n as u64)))
        .collect();
    let others = match lacking.is_empty() {
        true => "there are no others".to_owned(),
        false => format!("no row found of {}", lacking.join(", ")),
    };
    terminal.line(format!(
        "  pairs            {} held; {others}",
        grouped(found.pairs as u64)
    ));
    let share = 100 * found.triples / found.possible.max(1);
    terminal.line(format!(
        "  triples          {share} % of {} whose pairs are held",
        grouped(found.possible as u64)
    ));
    if !found.clauses.is_empty() {
        terminal.line("  without a row because of");
        let clauses: Vec<String> = found
            .clauses
            .iter()
            .map(|(clause, n)| format!("{clause} ({n})"))
            .collect();
        terminal.listed("    ", clauses.iter().map(String::as_str));
    }
}

fn detail(terminal: &mut Terminal, row: &Row) {
    let negative = row.negative.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let validated = match row.validated {
        Some(true) => "validated",
        Some(false) => "NOT VALIDATED",
        None => "-",
    };
    let line = format!(
        "  {:<CLAUSE$} {:<11} {validated:<10} +{:<6} -{negative}",
        row.subject(),
        row.status,
        row.positive
    );
    terminal.line(line);
}

/// What breaks only in company: rows with the same company together, and how that was shown.
fn couplings(terminal: &mut Terminal, rows: &[Row]) {
    let mut groups: BTreeMap<&[String], Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if let Some(coupled) = &row.coupled {
            groups.entry(&coupled.with).or_default().push(row);
        }
    }
    for (with, rows) in groups {
        terminal.line(format!("  together with {}:", with.join(" and ")));
        let names: Vec<String> = rows.iter().map(|row| row.subject()).collect();
        terminal.listed("    ", names.iter().map(String::as_str));
        let searched = rows
            .iter()
            .filter_map(|row| row.coupled.as_ref())
            .map(|c| c.searched)
            .max()
            .unwrap_or(0);
        let proof = format!(
            "    none of {} descriptors within two steps of a base breaks one with fewer of these",
            grouped(searched)
        );
        terminal.line(terminal.paint(Style::Dim, proof));
    }
}
