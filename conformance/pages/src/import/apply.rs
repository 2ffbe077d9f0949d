//! Merges pages into a file of the specification, and loads it again before returning it.

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
    relocate,
    update::{self, Updated},
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

/// Updates the file of `merged`'s operator among `files` to the pages; makes a new one if there is none.
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
    match files.0.iter().find(|file| file.name() == name) {
        Some(file) => apply_to_file(files, file, operator, merged, check_cases),
        None => apply_to_new_file(files, &name, merged, check_cases),
    }
}

fn apply_to_file(
    files: &Files,
    file: &File,
    operator: &str,
    merged: &Merged<'_>,
    check_cases: CheckCases<'_>,
) -> Result<Applied, Failure> {
    let (catalog, found) = load::load(files);
    let mistakes = |found| Failure::Mistakes(found, files.clone());
    let Some(catalog) = catalog.filter(|_| found.is_empty()) else {
        return Err(mistakes(found));
    };
    let (root, _) = read::parse(&file.text);
    let (Some(root), Some(operator)) = (root, catalog.operator(operator)) else {
        return Err(mistakes(found));
    };
    if let Some(cut) = find_truncation(operator, merged) {
        return Err(Failure::Mistakes(vec![cut], files.clone()));
    }
    let Updated { text, notes } =
        update::update_file(&file.text, &root, &catalog, operator, merged).map_err(Failure::Splice)?;
    let changed = text != file.text;
    if changed {
        check_file(&replace_file(files, &file.path, &text), &file.path, check_cases)
            .map_err(|failure| relocate_failure(failure, &file.path, &text, merged))?;
    }
    Ok(Applied {
        name: file.name().to_owned(),
        text,
        changed,
        notes,
    })
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

/// Makes a new file. Examples that cause mistakes in it are left out.
fn apply_to_new_file(
    files: &Files,
    name: &str,
    merged: &Merged<'_>,
    check_cases: CheckCases<'_>,
) -> Result<Applied, Failure> {
    let shared = Files(
        files
            .0
            .iter()
            .filter(|file| file.name() == "directml.yaml")
            .cloned()
            .collect(),
    );
    let (blank, found) = load::load(&shared);
    let Some(blank) = blank else {
        return Err(Failure::Mistakes(found, shared));
    };
    let mut without = Without::new();
    loop {
        let Updated { text, notes } = create::create_file(&blank, merged, &without);
        let path = format!("spec/operators/{name}");
        match check_file(&replace_file(&shared, &path, &text), &path, check_cases) {
            Ok(()) => {
                return Ok(Applied {
                    name: name.to_owned(),
                    text,
                    changed: true,
                    notes,
                });
            }
            Err(failure) => match find_faulty_example(&failure, &text, &without) {
                Some((example, why)) => without.insert(example, why),
                None => return Err(relocate_failure(failure, &path, &text, merged)),
            },
        };
    }
}

/// Mistakes of a text that was not written, at the places of the pages that it was made from.
fn relocate_failure(failure: Failure, path: &str, text: &str, merged: &Merged<'_>) -> Failure {
    match failure {
        Failure::Mistakes(found, files) => {
            Failure::Mistakes(relocate::relocate_mistakes(found, path, text, merged), files)
        }
        other => other,
    }
}

/// The name of an example that contains a mistake, and the mistake.
fn find_faulty_example(failure: &Failure, text: &str, without: &Without) -> Option<(String, String)> {
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

fn replace_file(files: &Files, path: &str, text: &str) -> Files {
    let mut files = files.clone();
    files.0.retain(|file| file.path != path);
    files.0.push(File::new(path, text.to_owned()));
    files
}

/// Loads the files and checks the one of this path, also for mistakes that only its cases show.
fn check_file(files: &Files, path: &str, check_cases: CheckCases<'_>) -> Result<(), Failure> {
    let (catalog, found) = load::load(files);
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
