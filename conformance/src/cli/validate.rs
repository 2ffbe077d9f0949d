//! `validate`: which clauses a descriptor violates.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{FeatureLevel, program::Violation};

use super::{
    args::{SpecArgs, require_level},
    source,
};
use dml_case::clause::{self, Found};
use dml_plan::planner::Planner;
use dml_report::{Style, Terminal, cell_text};
use dml_run::json;

/// Arguments of `validate`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A descriptor as JSON, `{"operator": "…", "desc": {…}}`; `-` reads standard input
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// Feature level to judge by; default: the highest
    #[arg(long, value_name = "LEVEL")]
    level: Option<FeatureLevel>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Prints the violated clauses; the exit code: 0 valid, 1 rejected.
pub(super) fn validate(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let suite = &loaded.suite;
    let highest = suite.catalog.levels.iter().map(|l| l.level).max();
    let level = args
        .level
        .or(highest)
        .context("the specification has no feature levels")?;
    require_level(&suite.catalog, level)?;
    let shown = args.file.display();
    let bytes = read(&args.file).with_context(|| shown.to_string())?;
    let read = json::read(&suite.catalog, &bytes);
    let descriptor = read.map_err(|wrong| anyhow::anyhow!(wrong.in_file(&shown.to_string())))?;
    let (operator, program) = suite
        .operator(&descriptor.operator)
        .context("the operator has no rules")?;
    let violations = program.evaluate(&suite.catalog, operator, &descriptor, level);
    let rejected = violations.iter().any(|v| v.runtime);
    let word = match (rejected, violations.is_empty()) {
        (true, _) => terminal.paint(Style::Bad, "rejected"),
        (false, true) => terminal.paint(Style::Good, "valid"),
        (false, false) => terminal.paint(Style::Note, "valid, with notes"),
    };
    terminal.line(format!("{} at level {level}: {word}", operator.name));
    for violation in &violations {
        show(terminal, suite, violation);
    }
    if !violations.is_empty() {
        terminal.line("see a clause in full with `dml-cts show CLAUSE`");
    }
    Ok(u8::from(rejected))
}

/// The bytes of a file, or of standard input.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn show(terminal: &mut Terminal, suite: &Planner, violation: &Violation) {
    let weight = match (violation.text, violation.runtime) {
        (true, true) => "error",
        (false, true) => "error (the text is silent or allows it; every measured runtime rejects it)",
        (true, false) => "note (against the text; every measured runtime accepts it)",
        (false, false) => "note",
    };
    let says = match clause::find(suite, &violation.clause) {
        Some(Found::Clause(found)) => found.says.to_string(),
        Some(Found::Cell(cell)) => cell_text(&cell),
        None => "the operator does not exist at this level".to_owned(),
    };
    let tensor = violation
        .tensor
        .as_ref()
        .map(|t| format!(" on {t}"))
        .unwrap_or_default();
    terminal.line(format!(
        "  {}{tensor}: {says}",
        terminal.paint(Style::Strong, &violation.clause)
    ));
    terminal.line(format!("    {weight}"));
}
