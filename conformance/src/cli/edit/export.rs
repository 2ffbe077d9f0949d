//! `spec export`: the specification for other people's validators.

use std::path::PathBuf;

use clap::ValueEnum;
use dml_spec_yaml::load;

use super::{super::args::SpecArgs, find_operator, open_spec};
use crate::cli::atomic_write;
use dml_pages::interchange;
use dml_report::Terminal;

/// Arguments of `spec export`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Form
    #[arg(long, value_enum)]
    format: FormArg,
    /// Only this operator
    #[arg(long, value_name = "OPERATOR")]
    operator: Option<String>,
    /// Output file; default: standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// What the specification can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// Clauses, tables and rules; conformance/specification.schema.json describes it
    Json,
}

/// Runs the subcommand; the exit code.
pub(crate) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let opened = open_spec(&args.spec, terminal)?;
    let catalog = &opened.catalog;
    let only = args.operator.as_deref();
    only.map(|name| find_operator(catalog, name)).transpose()?;
    let digest = load::digest(&opened.texts.files);
    let text = match args.format {
        FormArg::Json => serde_json::to_string_pretty(&interchange::document(catalog, only, &digest))? + "\n",
    };
    match &args.out {
        Some(path) => atomic_write::write_file(path, &text)?,
        None => terminal.bytes(text.as_bytes()),
    }
    Ok(0)
}
