//! `spec docs`: the specification as a reference in Markdown.

use std::{fs, path::PathBuf};

use anyhow::Context;
use dml_spec::model::Operator;

use super::{
    super::args::{SpecArgs, TierArg},
    find_operator, open_spec,
};
use crate::cli::{atomic_write, show::by_family, source};
use dml_case::text::counted;
use dml_pages::docs::{self, PlannedCases};
use dml_report::{Progress, Terminal};

/// Arguments of `spec docs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this operator
    #[arg(long, value_name = "OPERATOR")]
    operator: Option<String>,
    /// Folder for one file per operator and an index; default: standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Tier in which cases are counted
    #[arg(long, value_enum, default_value_t)]
    tier: TierArg,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Runs the subcommand; the exit code.
pub(crate) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let opened = open_spec(&args.spec, terminal)?;
    let suite = source::suite(opened.catalog)?;
    let all = &suite.catalog.operators;
    let only = args
        .operator
        .as_deref()
        .map(|name| find_operator(&suite.catalog, name))
        .transpose()?;
    let chosen: Vec<&Operator> = all
        .iter()
        .filter(|o| only.is_none_or(|only| only.name == o.name))
        .collect();
    let progress = Progress::new(terminal, "planning");
    let mut pages: Vec<(PathBuf, String)> = Vec::new();
    for (done, operator) in chosen.iter().enumerate() {
        progress.set(done, chosen.len(), operator.name.to_string());
        let index = all.iter().position(|o| o.name == operator.name).unwrap_or_default();
        let counts = by_family(&suite, index, args.tier);
        let cases = PlannedCases {
            tier: args.tier.word(),
            counts: &counts,
            is_computed: operator.is_computed(),
        };
        let text = docs::write_page(&suite.catalog, operator, &cases);
        pages.push((PathBuf::from(docs::name_document(operator) + ".md"), text));
    }
    drop(progress);
    let Some(folder) = &args.out else {
        pages.iter().for_each(|(_, text)| terminal.bytes(text.as_bytes()));
        return Ok(0);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let count = pages.len();
    if only.is_none() {
        pages.push((PathBuf::from("README.md"), docs::write_index(&suite.catalog)));
    }
    let files: Vec<(PathBuf, String)> = pages
        .into_iter()
        .map(|(name, text)| (folder.join(name), text))
        .collect();
    atomic_write::write_files(&files)?;
    terminal.line(format!("{}: {} written", folder.display(), counted(count, "page")));
    Ok(0)
}
