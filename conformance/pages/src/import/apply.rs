//! Merges pages into a file of the specification, and loads it again before returning it.

use dml_spec::{
    Catalog, Diagnostic,
    model::{Field, Operator},
};
use dml_spec_yaml::{
    load::{self, File, Files},
    tree::{read, splice::SpliceError},
};

use super::{
    create::Written,
    facts::Key,
    merge::Merged,
    page::At,
    relocate,
    update::{self, Without},
};

/// Checks one file of a specification for mistakes that only its cases show: the mistakes, or why no suite can be made.
pub type CheckCases<'a> = &'a dyn Fn(Catalog, &Files) -> Result<Vec<Diagnostic>, Vec<String>>;

/// A file after an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Name of its file, such as `top_k1.yaml`.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether the text changed.
    pub changed: bool,
    /// Work left to the user.
    pub notes: Vec<String>,
}

/// Why nothing came of it.
#[derive(Debug)]
pub enum Failure {
    /// The file has mistakes, before or after; with its text.
    Mistakes(Vec<Diagnostic>, Files),
    /// The file is written in a form that cannot be spliced.
    Splice(SpliceError),
    /// The suite cannot be made.
    Planner(Vec<String>),
}

/// Name of an operator's file.
pub fn file_name(operator: &str) -> String {
    format!("{}.yaml", operator.to_ascii_lowercase())
}

/// Updates the file of `merged`'s operator among `files` to the pages. If there is none, makes a new one, and leaves out
/// examples that cause mistakes in it.
///
/// # Errors
/// If the file has mistakes, or would have.
pub fn apply_pages(
    files: &Files,
    operator: &str,
    merged: &Merged<'_>,
    check_cases: CheckCases<'_>,
) -> Result<Applied, Failure> {
    let name = file_name(operator);
    let old = files.0.iter().find(|file| file.name() == name);
    let mut files = files.clone();
    if old.is_none() {
        files.0.retain(|file| file.name() == "directml.yaml");
    }
    let (catalog, found) = load::load_draft(&files);
    let mistakes = |found| Failure::Mistakes(found, files.clone());
    let Some(catalog) = catalog.filter(|_| found.is_empty() || old.is_none()) else {
        return Err(mistakes(found));
    };
    let root = old.and_then(|old| read::parse(&old.text).0);
    let known = catalog.operator(operator);
    if let Some(cut) = known.and_then(|operator| find_truncation(operator, merged)) {
        return Err(mistakes(vec![cut]));
    }
    let path = old.map_or_else(|| format!("spec/operators/{name}"), |old| old.path.clone());
    let mut without = Without::new();
    loop {
        let made = match (old, &root, known) {
            (Some(old), Some(root), Some(known)) => update::update_file(&old.text, root, &catalog, known, merged),
            (Some(_), ..) => return Err(mistakes(found)),
            (None, ..) => update::create_file(&catalog, merged, &without),
        };
        let Written { text, notes } = made.map_err(Failure::Splice)?;
        let changed = old.is_none_or(|old| old.text != text);
        let checked = match changed {
            true => check_file(&replace_file(&files, &path, &text), &path, check_cases),
            false => Ok(()),
        };
        match checked {
            Ok(()) => {
                return Ok(Applied {
                    name,
                    text,
                    changed,
                    notes,
                });
            }
            Err(Failure::Mistakes(found, files)) => match find_faulty_example(&found, &text, &without) {
                Some((example, why)) if old.is_none() => without.insert(example, why),
                _ => {
                    // Mistakes of a text that was not written are shown at the places of the pages.
                    let moved = relocate::relocate_mistakes(found, &path, &text, merged);
                    return Err(Failure::Mistakes(moved, files));
                }
            },
            Err(other) => return Err(other),
        };
    }
}

/// Omissions of pages that no revision would make: fields, and every table.
fn find_truncation(operator: &Operator, merged: &Merged<'_>) -> Option<Diagnostic> {
    let has_tables = merged.facts.keys().any(|key| matches!(key, Key::Cell { .. }));
    let absent = |field: &&Field| !merged.facts.contains_key(&Key::Field(field.name.to_string()));
    let lacking = match operator.fields.iter().find(absent) {
        Some(field) => format!("no member {}", field.name),
        None if !has_tables && !operator.support.is_empty() => "no support table".to_owned(),
        None => return None,
    };
    let message = format!("the page has {lacking}, which {} has here", operator.name);
    let hint = "download the page again; if the reference dropped it, remove it here by hand";
    let page = merged.pages.first()?;
    Some(page.diagnostic("page::truncated", &At::line(1), message, Some(hint)))
}

/// The name of an example that contains a mistake, and the mistake.
fn find_faulty_example(found: &[Diagnostic], text: &str, without: &Without) -> Option<(String, String)> {
    let (root, _) = read::parse(text);
    let root = root?;
    let examples = root.get("examples")?.items()?;
    found.iter().find_map(|mistake| {
        let around = |node: &&dml_spec_yaml::tree::Node| node.span.contains(&mistake.place.span.start);
        let name = examples.iter().find(around)?.get("name")?.text()?.to_owned();
        let new = !without.contains_key(&name);
        new.then(|| (name, mistake.message.clone()))
    })
}

fn replace_file(files: &Files, path: &str, text: &str) -> Files {
    let mut files = files.clone();
    files.0.retain(|file| file.path != path);
    files.0.push(File::new(path, text.to_owned()));
    files
}

/// Loads the files and checks the one of this path, also for mistakes that only its cases show.
fn check_file(files: &Files, path: &str, check_cases: CheckCases<'_>) -> Result<(), Failure> {
    let (catalog, found) = load::load_draft(files);
    let Some(catalog) = catalog.filter(|_| found.is_empty()) else {
        return Err(Failure::Mistakes(found, files.clone()));
    };
    let only = Files(files.0.iter().filter(|file| file.path == path).cloned().collect());
    let found = check_cases(catalog, &only).map_err(Failure::Planner)?;
    if found.is_empty() {
        return Ok(());
    }
    Err(Failure::Mistakes(found, files.clone()))
}
