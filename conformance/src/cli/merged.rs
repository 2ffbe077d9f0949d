//! `spec import` once the pages are read: what they make of the specification, or what they say otherwise.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::model::Tier;
use dml_spec_yaml::{
    load::{File, Files},
    tree::read,
};

use super::{USAGE, source::mistakes, whole};
use crate::{
    import::{
        affected,
        apply::{self, Applied, Failure},
        drift,
        merge::{self, Merged},
        page::Page,
    },
    report::{self, Terminal},
    suite::Suite,
};

/// The exit code where pages say otherwise than the specification.
const DRIFTED: u8 = 1;

/// Pages by the operator they describe.
fn by_operator(pages: &[Page]) -> BTreeMap<&str, Vec<&Page>> {
    let mut found: BTreeMap<&str, Vec<&Page>> = BTreeMap::new();
    for page in pages {
        found.entry(&page.operator).or_default().push(page);
    }
    found
}

/// Says what the pages say otherwise than the specification, and how many cases that affects; the exit code.
pub(super) fn check(suite: &Suite, pages: &[Page], terminal: &mut Terminal) -> u8 {
    let mut changes = 0;
    for (name, pages) in by_operator(pages) {
        let merged = merge::merge(&pages);
        let Some(operator) = suite.catalog.operator(name) else {
            let file = apply::file_name(name);
            let first = merged.pages.first().map_or("", |page| page.file.as_str());
            terminal.line(format!(
                "{first}: {name} is not in the specification; `dml-cts spec import {first} --out {file}` makes its file"
            ));
            changes += 1;
            continue;
        };
        let drifts = drift::drift(&suite.catalog, operator, &merged);
        let cases = affected::cases(suite, name, &drifts, Tier::Standard);
        report::drifts(terminal, &drifts, &cases, "standard");
        let known = merged
            .pages
            .iter()
            .filter(|page| drift::is_known(operator, page))
            .count();
        let older = match known {
            0 => String::new(),
            n if n == merged.pages.len() => ", as when imported".to_owned(),
            n => format!(", {n} of them as when imported"),
        };
        let said = match drifts.len() {
            0 => "nothing normative changed".to_owned(),
            1 => "1 change".to_owned(),
            n => format!("{n} changes"),
        };
        terminal.line(format!("{name}: {said} ({}{older})", count(merged.pages.len())));
        changes += drifts.len();
    }
    if changes == 0 {
        return 0;
    }
    terminal.note(
        "to take it over: the same command with --out FILE instead of --check; one sentence: dml-cts spec accept",
    );
    DRIFTED
}

/// Writes what the pages make of the specification: to a file, to files in a folder, else to standard output; the exit
/// code.
pub(super) fn write(files: &Files, pages: &[Page], out: Option<&Path>, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let operators = by_operator(pages);
    let many = operators.len() > 1;
    let mut made: Vec<(Option<PathBuf>, Applied)> = Vec::new();
    for (name, pages) in operators {
        let merged = merge::merge(&pages);
        let path = out.map(|out| target(out, name, many)).transpose()?;
        let based = match &path {
            Some(path) => over(files, name, path).with_context(|| listed(&pages))?,
            None => files.clone(),
        };
        match apply::apply(&based, name, &merged) {
            Ok(applied) => {
                tell(terminal, name, &merged, &applied);
                made.push((path, applied));
            }
            Err(failure) => return Ok(failed(terminal, &failure)),
        }
    }
    for (path, applied) in &made {
        match path {
            None if many => terminal.bytes(format!("--- # {}\n{}", applied.name, applied.text).as_bytes()),
            None => terminal.bytes(applied.text.as_bytes()),
            Some(path) if applied.changed || !path.exists() => {
                whole::write(path, &applied.text)?;
                terminal.note(format!("{}: written", path.display()));
            }
            Some(path) => terminal.note(format!("{}: nothing to change", path.display())),
        }
    }
    Ok(0)
}

/// The files of pages.
fn listed(pages: &[&Page]) -> String {
    let files: Vec<&str> = pages.iter().map(|page| page.file.as_str()).collect();
    files.join(", ")
}

/// Where an operator's file goes.
fn target(out: &Path, operator: &str, many: bool) -> anyhow::Result<PathBuf> {
    if out.is_dir() {
        return Ok(out.join(apply::file_name(operator)));
    }
    anyhow::ensure!(
        !many,
        "the pages describe several operators, and {} is no folder; make it first",
        out.display()
    );
    Ok(out.to_owned())
}

/// The files with the one that is there already in place of the operator's.
fn over(files: &Files, operator: &str, path: &Path) -> anyhow::Result<Files> {
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

fn tell(terminal: &mut Terminal, name: &str, merged: &Merged<'_>, applied: &Applied) {
    let files: Vec<&str> = merged.pages.iter().map(|page| page.file.as_str()).collect();
    report::conflicts(terminal, &merged.conflicts, &files);
    levels(terminal, merged);
    applied.notes.iter().for_each(|note| terminal.warn(note));
    let followed = files.first().copied().unwrap_or_default();
    terminal.note(format!(
        "{name}: {} facts of {}, following {followed}; {} said otherwise",
        merged.facts.len(),
        count(files.len()),
        merged.conflicts.len()
    ));
}

fn count(pages: usize) -> String {
    match pages {
        1 => "1 page".to_owned(),
        n => format!("{n} pages"),
    }
}

/// Levels with a table on the page that is followed, and with none on others.
fn levels(terminal: &mut Terminal, merged: &Merged<'_>) {
    let Some((followed, others)) = merged.pages.split_first() else {
        return;
    };
    let all = merge::levels(followed);
    for page in others {
        let has = merge::levels(page);
        let lacking = all.iter().filter(|level| !has.contains(level));
        let lacking: Vec<String> = lacking.map(ToString::to_string).collect();
        if !lacking.is_empty() {
            terminal.note(format!("{}: no table of level {}", page.file, lacking.join(", ")));
        }
    }
}

fn failed(terminal: &mut Terminal, failure: &Failure) -> u8 {
    match failure {
        Failure::Mistakes(found, files) => {
            // What a page brought in stands on the page, and without a span: its line is told.
            let text = report::diagnostics(found, terminal.err_colour(), &|path| files.text(path));
            terminal.note(text);
            terminal.error(format!("the file has {}; nothing was written", mistakes(found.len())));
        }
        Failure::Splice(error) => terminal.error(format!(
            "the file cannot be edited: {error}; bring it into the form that spec/README.md shows"
        )),
        Failure::Suite(errors) => terminal.error(errors.join("\n")),
    }
    USAGE
}
