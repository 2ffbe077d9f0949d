//! Moves mistakes in the text of an import to the places of the pages that it comes from.

use dml_spec::Diagnostic;
use dml_spec_yaml::tree::{Node, read};

use super::{
    merge::Merged,
    page::{At, Page},
};

/// Moves the mistakes to their places on the followed page. `text` is what would have been written to the file of this
/// path; mistakes in other files are unchanged.
pub(super) fn relocate_mistakes(
    found: Vec<Diagnostic>,
    path: &str,
    text: &str,
    merged: &Merged<'_>,
) -> Vec<Diagnostic> {
    let Some(page) = merged.pages.first() else {
        return found;
    };
    let root = read::parse(text).0;
    let moved = found.into_iter().map(|mistake| match mistake.place.file == path {
        true => relocate_mistake(mistake, root.as_ref(), page),
        false => mistake,
    });
    moved.collect()
}

fn relocate_mistake(mistake: Diagnostic, root: Option<&Node>, page: &Page) -> Diagnostic {
    let at = root.and_then(|root| find_place(root, mistake.place.span.start, page));
    let hint = match mistake.hint {
        Some(hint) => format!("{hint}; mend the page, or leave it out"),
        None => "mend the page, or leave it out".to_owned(),
    };
    page.diagnostic(mistake.code, &at.unwrap_or(At::line(1)), mistake.message, Some(&hint))
}

/// The place on the page of this byte of the file.
fn find_place(root: &Node, at: usize, page: &Page) -> Option<At> {
    let holds = |node: &&Node| node.span.contains(&at);
    let item = |list: &str| root.get(list)?.items()?.iter().find(holds);
    if let Some(example) = item("examples") {
        let anchor = example.get("source")?.get("anchor")?.text()?;
        return Some(page.examples.iter().find(|e| e.at.anchor == anchor)?.at.clone());
    }
    if let Some(clause) = item("clauses") {
        let hash = clause.get("source")?.get("sha256")?.text()?;
        return Some(page.constraints.iter().find(|c| c.at.sha256 == hash)?.at.clone());
    }
    if let Some(field) = item("fields") {
        let name = field.get("name")?.text()?;
        return Some(page.fields.iter().find(|f| f.value.name == name)?.at.clone());
    }
    let (anchor, tensor) = find_row(root.get("support").filter(holds)?, at);
    let table = page
        .tables
        .iter()
        .find(|table| Some(table.at.anchor.as_str()) == anchor)?;
    let row = table.value.rows.iter().find(|row| Some(row.tensor.as_str()) == tensor);
    Some(row.map_or_else(|| table.at.clone(), |row| At::line(row.line)))
}

/// The anchor of the table that contains this byte, and the name of the row.
fn find_row(support: &Node, at: usize) -> (Option<&str>, Option<&str>) {
    let (mut node, mut anchor, mut tensor) = (support, None, None);
    while let Some((key, inner)) = node
        .entries()
        .unwrap_or_default()
        .iter()
        .find(|(key, inner)| key.span.start <= at && at < inner.span.end)
    {
        if let Some(named) = inner.get("source").and_then(|source| source.get("anchor")) {
            anchor = named.text();
        } else if anchor.is_some() && tensor.is_none() {
            tensor = Some(key.text.as_str());
        }
        node = inner;
    }
    (anchor, tensor)
}
