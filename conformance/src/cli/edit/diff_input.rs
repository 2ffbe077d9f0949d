//! What `spec diff` compares: a folder, a file of it, or a page.

use std::path::Path;

use anyhow::Context;
use dml_spec::Catalog;
use dml_spec_yaml::load::{File, Files};

use super::super::{
    args::SpecArgs,
    source::{self},
};
use dml_case::text::counted;
use dml_pages::import::{self, facts};
use dml_report::Terminal;

/// What one of the two arguments names.
pub(super) enum DiffInput {
    /// A whole specification.
    Spec(Box<Catalog>),
    /// A page: its operator and facts.
    Page(String, facts::Facts),
}

/// Reads what an argument names.
pub(super) fn read_input(name: &str, args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<DiffInput> {
    let path = Path::new(name);
    if path.is_dir() {
        let files = source::read(path)?.files;
        return Ok(DiffInput::Spec(Box::new(source::catalog(&files, terminal)?)));
    }
    let is_yaml = path.extension().is_some_and(|e| e == "yaml" || e == "yml");
    if path.is_file() && is_yaml {
        return replace_namesake(path, args, terminal);
    }
    if path.is_file() {
        return read_page(path, args, terminal);
    }
    anyhow::bail!(
        "`{name}` is neither a file nor a folder; a git revision is compared as a folder: `git worktree add before {name}`, \
         then name before/spec"
    )
}

/// One file of a specification, in the place of its namesake among the others.
fn replace_namesake(path: &Path, args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<DiffInput> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let file = File::from_bytes(path.display().to_string().replace('\\', "/"), bytes);
    let mut others = source::read_texts(args)?.files.0;
    let described = read_operator_name(&file.text);
    // An operator's file may have any name; what it describes tells which one it replaces.
    others.retain(|other| match (&described, read_operator_name(&other.text)) {
        (Some(this), Some(that)) => *this != that,
        (None, None) => other.name() != "directml.yaml",
        _ => true,
    });
    let at = if described.is_some() { others.len() } else { 0 };
    others.insert(at, file);
    Ok(DiffInput::Spec(Box::new(source::catalog(&Files(others), terminal)?)))
}

/// The operator that a file describes.
fn read_operator_name(text: &str) -> Option<String> {
    let root = dml_spec_yaml::tree::read::parse(text).0?;
    root.get("operator")?.text().map(str::to_owned)
}

fn read_page(path: &Path, args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<DiffInput> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| name.clone())?;
    let catalog = source::catalog(&source::read_texts(args)?.files, terminal)?;
    let (page, found) = import::read_page(&name, &bytes, &catalog);
    if !found.is_empty() {
        let text = String::from_utf8_lossy(&bytes);
        let shown = dml_report::diagnostics(&found, terminal.err_colour(), &|_| Some(&text));
        terminal.note(shown);
    }
    let page = page.with_context(|| match found.len() {
        0 => format!("{name} is not a page of an operator"),
        n => format!("{name} cannot be read as a page, it has {}", counted(n, "mistake")),
    })?;
    Ok(DiffInput::Page(page.operator.clone(), facts::collect_page_facts(&page)))
}
