//! Subcommands of `spec` for those who write it: reference, differences, citations, interchange.

pub(super) mod accept;
pub(super) mod diff;
mod diff_input;
pub(super) mod docs;
pub(super) mod export;
pub(super) mod find;
mod render_diff;

use std::path::PathBuf;

use anyhow::Context;
use dml_spec::{
    Catalog,
    model::{Clause, Operator},
};

use super::{
    args::SpecArgs,
    source::{self, Texts},
};
use dml_case::{
    clause,
    nearest::{nearest, suggestion},
};
use dml_report::Terminal;

/// Exit code if something differs, or nothing was found.
const DIFFERS: u8 = 1;

/// A specification to work on.
struct Opened {
    texts: Texts,
    catalog: Catalog,
    /// Where it lies; `None` for the one that is compiled in.
    folder: Option<PathBuf>,
}

/// The specification that was named, else that of the source tree around, else the one compiled in.
fn open_spec(args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<Opened> {
    let texts = source::read_texts(args)?;
    let catalog = source::catalog(&texts.files, terminal)?;
    let folder = source::folder(args);
    Ok(Opened { texts, catalog, folder })
}

/// The operator of this name.
pub(super) fn find_operator<'a>(catalog: &'a Catalog, name: &str) -> anyhow::Result<&'a Operator> {
    catalog.operator(name).with_context(|| {
        let names = catalog.operators.iter().map(|o| o.name.as_ref());
        format!("unknown operator `{name}`; {}", suggestion(name, names))
    })
}

/// The clause of this id.
fn find_clause<'a>(catalog: &'a Catalog, id: &str) -> anyhow::Result<&'a Clause> {
    let found = clause::clauses(catalog).find(|clause| clause.id == id);
    found.with_context(|| {
        let ids = clause::clauses(catalog).map(|clause| clause.id.as_ref());
        match nearest(id, ids, 3).join(", ") {
            near if near.is_empty() => format!("unknown clause `{id}`; `dml-cts spec find` searches by words"),
            near => format!("unknown clause `{id}`; nearest: {near}"),
        }
    })
}

/// Where the YAML of an operator's or of all tensors' clauses stands among the files, by the owner in their ids.
fn find_file<'a>(opened: &'a Opened, owner: &str) -> Option<&'a dml_spec_yaml::load::File> {
    let files = &opened.texts.files.0;
    match opened.catalog.operator(owner) {
        Some(operator) => files
            .iter()
            .find(|f| f.path == operator.file || f.name() == take_file_name(&operator.file)),
        None => files.iter().find(|f| f.name() == "directml.yaml"),
    }
}

fn take_file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Lines of a list: an id, and text after it or below.
fn print_item(terminal: &mut Terminal, id: &str, text: &str) {
    const ID: usize = 44;
    if id.chars().count() < ID {
        return terminal.labelled(&format!("  {id:<ID$} "), text);
    }
    terminal.line(format!("  {id}"));
    terminal.labelled(&" ".repeat(ID + 3), text);
}
