//! `spec import` without `--check`: writes what pages make of the specification.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{Catalog, Diagnostic};
use dml_spec_yaml::{
    load::{File, Files},
    tree::read,
};

use super::{
    super::{atomic_write, exit::USAGE},
    group_by_operator,
};
use dml_adequacy::check;
use dml_case::text::{counted, labelled};
use dml_pages::import::{
    apply::{self, Applied, Failure},
    merge::{self, Conflict, Merged},
    page::Page,
};
use dml_plan::planner::Planner;
use dml_report::Terminal;

/// Writes what the pages make of the specification: to a file, to files in a folder, else to standard output; the exit
/// code.
pub(super) fn write_pages(
    files: &Files,
    pages: &[Page],
    out: Option<&Path>,
    terminal: &mut Terminal,
) -> anyhow::Result<u8> {
    let operators = group_by_operator(pages);
    let many = operators.len() > 1;
    let mut made: Vec<(Option<PathBuf>, Applied)> = Vec::new();
    for (name, pages) in operators {
        let merged = merge::merge_pages(&pages);
        let path = out.map(|out| choose_target(out, name, many)).transpose()?;
        let based = match &path {
            Some(path) => replace_existing(files, name, path).with_context(|| join_file_names(&pages))?,
            None => files.clone(),
        };
        match apply::apply_pages(&based, name, &merged, &check_cases) {
            Ok(applied) => {
                print_summary(terminal, name, &merged, &applied);
                made.push((path, applied));
            }
            Err(failure) => return Ok(print_failure(terminal, &failure)),
        }
    }
    for (path, applied) in &made {
        match path {
            None if many => terminal.bytes(format!("--- # {}\n{}", applied.name, applied.text).as_bytes()),
            None => terminal.bytes(applied.text.as_bytes()),
            Some(path) if applied.changed || !path.exists() => {
                atomic_write::write_file(path, &applied.text)?;
                terminal.note(format!("{}: written", path.display()));
            }
            Some(path) => terminal.note(format!("{}: nothing to change", path.display())),
        }
    }
    Ok(0)
}

/// Mistakes that only planning the cases of these files shows.
fn check_cases(catalog: Catalog, files: &Files) -> Result<Vec<Diagnostic>, Vec<String>> {
    Ok(check::check(&Planner::new(catalog)?, files))
}

/// Joins the names of the pages' files.
fn join_file_names(pages: &[&Page]) -> String {
    let files: Vec<&str> = pages.iter().map(|page| page.file.as_str()).collect();
    files.join(", ")
}

/// Where an operator's file goes.
fn choose_target(out: &Path, operator: &str, many: bool) -> anyhow::Result<PathBuf> {
    if out.is_dir() {
        return Ok(out.join(apply::file_name(operator)));
    }
    anyhow::ensure!(
        !many,
        "the pages describe several operators, and {} is not a folder; create it first",
        out.display()
    );
    Ok(out.to_owned())
}

/// The files with the one that is there already in place of the operator's.
fn replace_existing(files: &Files, operator: &str, path: &Path) -> anyhow::Result<Files> {
    if !path.exists() {
        return Ok(files.clone());
    }
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let root = read::parse(&text).0;
    let found = root.as_ref().and_then(|root| root.get("operator")?.text());
    anyhow::ensure!(
        found.is_none_or(|found| found == operator),
        "{} describes {}, the pages {operator}; name another file",
        path.display(),
        found.unwrap_or_default()
    );
    let name = apply::file_name(operator);
    let shown = path.parent().unwrap_or(Path::new("")).join(&name).display().to_string();
    let mut files = files.clone();
    files.0.retain(|file| file.name() != name);
    files.0.push(File::new(shown.replace('\\', "/"), text));
    Ok(files)
}

fn print_summary(terminal: &mut Terminal, name: &str, merged: &Merged<'_>, applied: &Applied) {
    let files: Vec<&str> = merged.pages.iter().map(|page| page.file.as_str()).collect();
    print_conflicts(terminal, &merged.conflicts, &files);
    print_lacking_levels(terminal, merged);
    applied.notes.iter().for_each(|note| terminal.warn(note));
    let followed = files.first().copied().unwrap_or_default();
    terminal.note(format!(
        "{name}: {} facts of {}, following {followed}; {} said otherwise",
        merged.facts.len(),
        counted(files.len(), "page"),
        merged.conflicts.len()
    ));
}

/// Prints what pages that are not followed say, one line each.
fn print_conflicts(terminal: &mut Terminal, conflicts: &[Conflict], files: &[&str]) {
    for conflict in conflicts {
        let file = files.get(conflict.page).copied().unwrap_or_default();
        let line = conflict.fact.line;
        let kept = match &conflict.kept {
            Some(kept) => format!("; followed: {kept}"),
            None => "; not on the page that is followed".to_owned(),
        };
        let text = format!("{}: {}{kept}", conflict.key, conflict.fact.value);
        terminal.note(format!("{file}:{line}: superseded"));
        labelled("  ", &text).iter().for_each(|line| terminal.note(line));
    }
}

/// Prints the levels with a table on the page that is followed, and with none on others.
fn print_lacking_levels(terminal: &mut Terminal, merged: &Merged<'_>) {
    let Some((followed, others)) = merged.pages.split_first() else {
        return;
    };
    let all = merge::list_levels(followed);
    for page in others {
        let has = merge::list_levels(page);
        let lacking = all.iter().filter(|level| !has.contains(level));
        let lacking: Vec<String> = lacking.map(ToString::to_string).collect();
        if !lacking.is_empty() {
            terminal.note(format!("{}: no table of level {}", page.file, lacking.join(", ")));
        }
    }
}

fn print_failure(terminal: &mut Terminal, failure: &Failure) -> u8 {
    match failure {
        Failure::Mistakes(found, files) => {
            // What a page brought in stands on the page, and without a span: its line is named.
            let text = dml_report::diagnostics(found, terminal.err_colour(), &|path| files.text(path));
            terminal.note(text);
            terminal.error(format!(
                "the file has {}; nothing was written",
                counted(found.len(), "mistake")
            ));
        }
        Failure::Splice(error) => terminal.error(format!(
            "the file cannot be edited: {error}; use the layout that spec/README.md shows"
        )),
        Failure::Planner(errors) => terminal.error(errors.join("\n")),
    }
    USAGE
}
