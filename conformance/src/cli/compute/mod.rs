//! `compute`: what is expected of a descriptor and its inputs, by the meaning of the operator.

mod against;

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{FeatureLevel, program::Violation};
use dml_spec_yaml::load::{self, Files};

use super::{
    args::{SpecArgs, require_level},
    backend_args::BasisArg,
    source::{self, Loaded},
    validate,
};
use dml_case::clause;
use dml_plan::planner::Planner;
use dml_report::Terminal;
use dml_run::compute::{self, ComputeError, Computer, Given, Question};

/// Arguments of `compute`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A saved case, or `{"operator": "…", "desc": {…}, "inputs": {…}}`; `-` reads standard input
    #[arg(value_name = "FILE.json", required_unless_present = "against")]
    file: Option<PathBuf>,
    /// Read the inputs from this archive, whose arrays have the names of the tensors
    #[arg(long, value_name = "FILE.npz")]
    inputs: Option<PathBuf>,
    /// Feature level to judge the descriptor by; default: that of the file, else the highest
    #[arg(long, value_name = "LEVEL")]
    level: Option<FeatureLevel>,
    /// Which expectation counts if the text is silent or contradicts the runtimes
    #[arg(long, value_enum, default_value_t)]
    basis: BasisArg,
    /// Accept what FLOAT16 arithmetic comes to beside what FLOAT32 arithmetic comes to, for FLOAT16 tensors
    #[arg(long)]
    half_precision: bool,
    /// Write the result to this archive, for NumPy, instead of JSON to standard output
    #[arg(long, value_name = "OUT.npz")]
    npz: Option<PathBuf>,
    /// Compare the vectors of this folder (*.json, *.yaml) with what the meanings accept
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "inputs", "npz", "level"])]
    against: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Computes; the exit code.
pub(super) fn compute(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let computer = Computer::new(&loaded.suite, args.basis.basis(), args.half_precision);
    match (&args.against, &args.file) {
        (Some(folder), _) => against::against(folder, &loaded, &computer, terminal),
        (None, Some(file)) => one(args, file, &loaded, &computer, terminal),
        (None, None) => anyhow::bail!("missing FILE.json"),
    }
}

/// One descriptor and its inputs.
fn one(
    args: &Args,
    file: &Path,
    loaded: &Loaded,
    computer: &Computer<'_>,
    terminal: &mut Terminal,
) -> anyhow::Result<u8> {
    let suite = &loaded.suite;
    let shown = file.display();
    let bytes = validate::read(file).with_context(|| shown.to_string())?;
    let wrong = |error| anyhow::anyhow!(in_file(&shown.to_string(), &error, loaded));
    let given = compute::read(suite, &bytes).map_err(wrong)?;
    let highest = suite.catalog.levels.iter().map(|l| l.level).max();
    let level = args.level.or(given.level).or(highest);
    let level = level.context("the specification has no feature levels")?;
    require_level(&suite.catalog, level)?;
    computer.operator(&given.operator.name).map_err(wrong)?;
    computer.check(&given.descriptor, level).map_err(wrong)?;
    let inputs = inputs(args, &given, loaded)?;
    let question = Question {
        inputs,
        descriptor: given.descriptor,
    };
    match &args.npz {
        Some(out) => {
            let bytes = compute::arrays(computer, &question, level).map_err(wrong)?;
            fs::write(out, bytes).with_context(|| out.display().to_string())?;
        }
        None => {
            let text = compute::text(computer, &question, level).map_err(wrong)?;
            terminal.bytes(text.as_bytes());
        }
    }
    Ok(0)
}

/// The inputs of the file, or of the archive beside it.
fn inputs(args: &Args, given: &Given<'_>, loaded: &Loaded) -> anyhow::Result<Vec<Vec<u64>>> {
    let suite = &loaded.suite;
    let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let Some(path) = &args.inputs else {
        let inputs = given.inputs(suite);
        return inputs.map_err(|error| anyhow::anyhow!(in_file(&shown(&args.file), &error, loaded)));
    };
    anyhow::ensure!(
        !given.has_inputs(),
        "{} has inputs, and so does --inputs; remove one of them",
        shown(&args.file)
    );
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let taken = compute::take_arrays(suite, given.operator, &given.descriptor, BufReader::new(file));
    taken.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Why a file has no result, with the place in it.
fn in_file(file: &str, error: &ComputeError, loaded: &Loaded) -> String {
    match error {
        ComputeError::Json(wrong) => wrong.in_file(file),
        other => format!("{file}: {}", explained(other, &loaded.suite, &loaded.texts.files)),
    }
}

/// Why there is no result, with the clauses or the place in the specification.
fn explained(error: &ComputeError, suite: &Planner, files: &Files) -> String {
    match error {
        ComputeError::Refused {
            operator,
            level,
            violations,
        } => {
            let clauses: String = violations.iter().map(|violation| violated(violation, suite)).collect();
            format!("invalid descriptor of {operator} at level {level}; it violates{clauses}")
        }
        ComputeError::Fault(fault) => {
            let place = fault.within.as_ref().and_then(|within| {
                let place = load::locate_meaning(files, &within.operator, within.place, fault.span.clone())?;
                let part = files.text(&place.file)?.get(place.span.clone())?;
                Some((place.to_string(), part.split_whitespace().collect::<Vec<_>>().join(" ")))
            });
            match place {
                Some((place, part)) => format!("the meaning has no value here\n  {place}: {fault}, in `{part}`"),
                None => format!("the meaning has no value here: {fault}"),
            }
        }
        other => other.to_string(),
    }
}

/// A line about a clause that a descriptor violates.
fn violated(violation: &Violation, suite: &Planner) -> String {
    let tensor = violation.tensor.as_ref().map(|tensor| format!(" on {tensor}"));
    let says = match clause::find(suite, &violation.clause) {
        Some(clause::Found::Clause(found)) => found.says.to_string(),
        Some(clause::Found::Cell(cell)) => dml_report::cell_text(&cell),
        None => "the operator does not exist at this level".to_owned(),
    };
    format!("\n  {}{}: {says}", violation.clause, tensor.unwrap_or_default())
}
