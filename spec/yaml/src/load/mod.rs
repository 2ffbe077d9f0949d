//! Files to catalog: one parse each, then field by field, then checks between the parts. Loading reports every
//! mistake it can find and never panics.

mod cases;
mod check;
mod clause;
mod de;
mod derive;
mod example;
mod field;
mod files;
mod forms;
mod nested;
mod onnx;
mod operator;
mod reader;
mod rules;
mod shared;

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

pub use files::{File, Files, digest, embedded, read_dir};
pub use forms::is_day;
pub use onnx::node_span;

use self::reader::Source;
use crate::tree::{Node, read};
use dml_spec::{
    diag::{self, Diagnostic, Place},
    meaning,
    model::Catalog,
};

/// A parsed file.
struct Parsed<'a> {
    source: Source<'a>,
    root: Option<Node>,
}

/// Reads a specification. The catalog is present exactly if there are no diagnostics; these are sorted by place.
pub fn load(files: &Files) -> (Option<Catalog>, Vec<Diagnostic>) {
    load_as(files, false)
}

/// Reads a specification whose new operators may still have the type 0, as an import makes them of pages that no
/// enumeration knows.
pub fn load_draft(files: &Files) -> (Option<Catalog>, Vec<Diagnostic>) {
    load_as(files, true)
}

fn load_as(files: &Files, is_draft: bool) -> (Option<Catalog>, Vec<Diagnostic>) {
    let (base, operators): (Vec<&File>, Vec<&File>) = files.0.iter().partition(|f| f.name() == "directml.yaml");
    let mut parsed: Vec<Parsed<'_>> = operators.into_iter().map(parse).collect();
    let mut found = Vec::new();
    let mut catalog = Catalog::default();
    match base.first().map(|f| parse(f)) {
        Some(Parsed { source, root }) => {
            if let Some(root) = &root {
                catalog = shared::read(&source, root);
                check::shared(&source, &catalog, root);
                rules::shared(&source, &catalog, root);
            }
            found.extend(source.into_found());
        }
        None => {
            let path = files.0.first().map_or("directml.yaml", |f| &f.path);
            let source = Source::new(path, "");
            source.report(
                "spec::missing-file",
                &(0..0),
                "there is no directml.yaml among the files",
            );
            found.extend(source.into_found());
        }
    }
    let mut read = Vec::new();
    for Parsed { source, root } in &parsed {
        let Some(root) = root else { continue };
        let operator = operator::read(source, &catalog, root);
        check::operator(source, &catalog, &operator, root);
        rules::operator(source, &catalog, &operator, root);
        read.push((operator, source, root));
    }
    unique(&read, is_draft);
    for (_, source, root) in &read {
        nested::check(source, root, read.iter().map(|(operator, ..)| operator));
    }
    read.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    catalog.operators = read.into_iter().map(|(operator, ..)| operator).collect();
    for Parsed { source, .. } in parsed.drain(..) {
        found.extend(source.into_found());
    }
    let key = |d: &Diagnostic| (d.place.file.clone(), d.place.span.start, d.place.span.end, d.code);
    found.sort_by_key(key);
    (found.is_empty().then_some(catalog), found)
}

/// The catalog of the files that are compiled in, read once; empty if they have mistakes, which `spec check` reports.
pub fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| load(&embedded()).0.unwrap_or_default())
}

/// The place of a part of what an operator computes; `None` if no file has it.
pub fn locate_meaning(files: &Files, operator: &str, place: meaning::Place, span: Range<usize>) -> Option<Place> {
    files.0.iter().find_map(|file| {
        let (root, _) = read::parse(&file.text);
        let root = root.filter(|root| root.get("operator").and_then(Node::text) == Some(operator))?;
        let span = rules::meaning_span(&file.text, &root, place, span.clone())?;
        Some(diag::locate(&file.path, &file.text, span))
    })
}

fn parse(file: &File) -> Parsed<'_> {
    let source = Source::new(&file.path, &file.text);
    if file.broken {
        let at = file.text.len();
        source.report("spec::not-utf8", &(at..at), format!("byte {at} is not UTF-8"));
        return Parsed { source, root: None };
    }
    let (root, issues) = read::parse(&file.text);
    if root.is_none() && issues.is_empty() {
        source.report("spec::empty-file", &(0..0), "the file holds nothing");
    }
    for issue in issues {
        source.report_hint(issue.code, &issue.span, issue.message, issue.hint);
    }
    Parsed { source, root }
}

/// Reports names and type values that two operators share, and the type of none.
fn unique(read: &[(dml_spec::model::Operator, &Source<'_>, &Node)], is_draft: bool) {
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let mut values: BTreeMap<u32, &str> = BTreeMap::new();
    for (operator, source, root) in read {
        let at = |key: &str| root.get(key).map_or(0..0, |n| n.span.clone());
        if operator.type_value == 0 && root.get("type").and_then(Node::text) == Some("0") {
            if is_draft {
                continue;
            }
            let constant = format!("DML_OPERATOR_{}", operator.name);
            let hint = Some(format!("write the value of {constant} in DirectML.h"));
            source.report_hint(
                "spec::no-type",
                &at("type"),
                "the type 0 is DML_OPERATOR_INVALID".to_owned(),
                hint,
            );
            continue;
        }
        if let Some(file) = names
            .insert(&operator.name, &operator.file)
            .filter(|_| !operator.name.is_empty())
        {
            let message = format!("{file} describes {} already", operator.name);
            source.report("spec::duplicate-operator", &at("operator"), message);
        } else if let Some(other) = values.insert(operator.type_value, &operator.name) {
            let message = format!("{other} has the type {} already", operator.type_value);
            source.report("spec::duplicate-value", &at("type"), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_loads() {
        let (catalog, found) = load(&embedded());
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
        let catalog = catalog.expect("a catalog");
        let operator = catalog.operator("TOP_K1").expect("TOP_K1");
        assert_eq!(operator.file, "spec/operators/top_k1.yaml");
        assert_eq!(operator.clauses[2].needs[..], ["TOP_K1/axis-in-range"]);
        assert_eq!(catalog.tensor_clauses[0].id, "TENSOR/not-null");
        assert_eq!(operator.cases.parameters.len(), 3);
    }
}
