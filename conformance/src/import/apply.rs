//! Pages into a file of the specification, which is loaded again before anybody gets it.

use dml_spec::{
    Catalog, Diagnostic, Place,
    model::{Field, Operator},
};
use dml_spec_yaml::{
    load::{self, File, Files},
    tree::{read, splice::SpliceError},
};

use super::{
    create::{self, Without},
    facts::Key,
    merge::Merged,
    onto,
    update::{self, Updated},
};
use crate::{check, suite::Suite};

/// A file after an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Name of its file, such as `top_k1.yaml`.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether it is another text than before.
    pub changed: bool,
    /// What is left to the one who imports.
    pub notes: Vec<String>,
}

/// Why nothing came of it.
#[derive(Debug)]
pub enum Failure {
    /// The file has mistakes, before or after; with its text.
    Mistakes(Vec<Diagnostic>, Files),
    /// The file is written in a way that cannot be spliced.
    Splice(SpliceError),
    /// The suite cannot be made.
    Suite(Vec<String>),
}

/// Name of an operator's file.
pub fn file_name(operator: &str) -> String {
    format!("{}.yaml", operator.to_ascii_lowercase())
}

/// The file of `merged`'s operator among `files`, brought up to what the pages say; a new one where there is none.
///
/// # Errors
/// Where the file has mistakes, or would have.
pub fn apply(files: &Files, operator: &str, merged: &Merged<'_>) -> Result<Applied, Failure> {
    let name = file_name(operator);
    match files.0.iter().find(|file| file.name() == name) {
        Some(file) => updated(files, file, operator, merged),
        None => created(files, &name, merged),
    }
}

fn updated(files: &Files, file: &File, operator: &str, merged: &Merged<'_>) -> Result<Applied, Failure> {
    let (catalog, found) = load::load(files);
    let mistakes = |found| Failure::Mistakes(found, files.clone());
    let Some(catalog) = catalog.filter(|_| found.is_empty()) else {
        return Err(mistakes(found));
    };
    let (root, _) = read::parse(&file.text);
    let (Some(root), Some(operator)) = (root, catalog.operator(operator)) else {
        return Err(mistakes(found));
    };
    if let Some(cut) = cut_short(operator, merged) {
        return Err(Failure::Mistakes(vec![cut], files.clone()));
    }
    let Updated { text, notes } =
        update::update(&file.text, &root, &catalog, operator, merged).map_err(Failure::Splice)?;
    let changed = text != file.text;
    if changed {
        examine(&with(files, &file.path, &text), &file.path)
            .map_err(|failure| on_pages(failure, &file.path, &text, merged))?;
    }
    Ok(Applied {
        name: file.name().to_owned(),
        text,
        changed,
        notes,
    })
}

/// What pages lack that no revision would drop: fields, and every table.
fn cut_short(operator: &Operator, merged: &Merged<'_>) -> Option<Diagnostic> {
    let has_tables = merged.facts.keys().any(|key| matches!(key, Key::Cell { .. }));
    let absent = |field: &&Field| !merged.facts.contains_key(&Key::Field(field.name.to_string()));
    let lacking = match operator.fields.iter().find(absent) {
        Some(field) => format!("no member {}", field.name),
        None if !has_tables && !operator.support.is_empty() => "no support table".to_owned(),
        None => return None,
    };
    let file = merged.pages.first().map(|page| page.file.clone()).unwrap_or_default();
    Some(Diagnostic {
        code: "page::truncated",
        place: Place {
            file,
            line: 1,
            column: 1,
            span: 0..0,
        },
        message: format!("the page has {lacking}, which {} has here", operator.name),
        hint: Some("fetch the page anew; what the reference took back is removed by hand".to_owned()),
    })
}

/// A new file. Examples with which it has mistakes are left out.
fn created(files: &Files, name: &str, merged: &Merged<'_>) -> Result<Applied, Failure> {
    let shared = Files(
        files
            .0
            .iter()
            .filter(|file| file.name() == "directml.yaml")
            .cloned()
            .collect(),
    );
    let blank: Catalog = load::load(&shared).0.unwrap_or_else(|| crate::spec::catalog().clone());
    let mut without = Without::new();
    loop {
        let Updated { text, notes } = create::create(&blank, merged, &without);
        let path = format!("spec/operators/{name}");
        match examine(&with(&shared, &path, &text), &path) {
            Ok(()) => {
                return Ok(Applied {
                    name: name.to_owned(),
                    text,
                    changed: true,
                    notes,
                });
            }
            Err(failure) => match next_without(&failure, &text, &without) {
                Some((example, why)) => without.insert(example, why),
                None => return Err(on_pages(failure, &path, &text, merged)),
            },
        };
    }
}

/// Mistakes of a text that nobody has seen, at the places of the pages that it was made from.
fn on_pages(failure: Failure, path: &str, text: &str, merged: &Merged<'_>) -> Failure {
    match failure {
        Failure::Mistakes(found, files) => Failure::Mistakes(onto::pages(found, path, text, merged), files),
        other => other,
    }
}

/// The name of an example that a mistake stands in, and the mistake.
fn next_without(failure: &Failure, text: &str, without: &Without) -> Option<(String, String)> {
    let Failure::Mistakes(found, _) = failure else {
        return None;
    };
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

fn with(files: &Files, path: &str, text: &str) -> Files {
    let mut files = files.clone();
    files.0.retain(|file| file.path != path);
    files.0.push(File::new(path, text.to_owned()));
    files
}

/// Loads the files and looks through the one of this path, also for mistakes that only its cases show.
fn examine(files: &Files, path: &str) -> Result<(), Failure> {
    let (catalog, found) = load::load(files);
    let Some(catalog) = catalog.filter(|_| found.is_empty()) else {
        return Err(Failure::Mistakes(found, files.clone()));
    };
    let suite = Suite::new(catalog).map_err(Failure::Suite)?;
    let only = Files(files.0.iter().filter(|file| file.path == path).cloned().collect());
    let found = check::check(&suite, &only);
    if found.is_empty() {
        return Ok(());
    }
    Err(Failure::Mistakes(found, files.clone()))
}
