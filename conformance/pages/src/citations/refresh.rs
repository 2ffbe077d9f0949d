//! Updates citations to a page: hash, anchor and sentence, by splices that leave the rest of the YAML unchanged.

use dml_spec::model::{Citation, Clause};
use dml_spec_yaml::{
    ledger::Sentence,
    tree::{
        read,
        splice::{Edits, SpliceError, quote, scalar},
    },
};

/// The old and the new state of a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refreshed {
    /// The YAML with the new citation.
    pub text: String,
    /// What the history says of it.
    pub change: String,
}

/// Points a clause's citation to a sentence, and notes that in the clause's history.
///
/// # Errors
/// If the clause is not in the YAML in the form in which it was loaded.
pub fn refresh_citation(yaml: &str, clause: &Clause, to: &Sentence, date: &str) -> Result<Refreshed, SpliceError> {
    let nothing = || SpliceError::NoSuchPath(clause.id.to_string());
    let citation = clause.source.as_ref().ok_or_else(nothing)?;
    let root = read::parse(yaml).0.ok_or_else(nothing)?;
    let (owner, name) = clause.id.split_once('/').ok_or_else(nothing)?;
    let list = if owner == "TENSOR" { "tensor_clauses" } else { "clauses" };
    let path = format!("{list}[id={name}]");
    let source = format!("{path}.source");
    let mut edits = Edits::new(yaml, &root);
    let mut put = |key: &str, value: &str| match root.at(&format!("{source}.{key}")) {
        Some(_) => edits.set_yaml(&format!("{source}.{key}"), value),
        None => edits.add_key(&source, key, value),
    };
    if citation.anchor != to.anchor {
        put("anchor", &scalar(&to.anchor))?;
    }
    if citation.sentence != to.number {
        put("sentence", &to.number.to_string())?;
    }
    if citation.sha256 != to.sha256 {
        put("sha256", &quote(&to.sha256))?;
    }
    let change = describe_change(citation, to);
    let entry = format!("{{date: {}, change: {}}}", quote(date), scalar(&change));
    let history = format!("{path}.history");
    match root.at(&history) {
        Some(_) => edits.append(&history, &entry)?,
        None => edits.add_key(&path, "history", &format!("[{entry}]"))?,
    }
    Ok(Refreshed {
        text: edits.apply()?,
        change,
    })
}

/// The change of the sentence, for the history.
fn describe_change(citation: &Citation, to: &Sentence) -> String {
    let moved = citation.anchor != to.anchor || citation.sentence != to.number;
    let from = format_place(&citation.anchor, citation.sentence);
    let to_place = format_place(&to.anchor, to.number);
    match (moved, citation.sha256 != to.sha256) {
        (true, true) => format!("the sentence moved from {from} to {to_place} and was reworded"),
        (true, false) => format!("the sentence moved from {from} to {to_place}"),
        _ if citation.sha256.is_empty() => format!("{to_place} is held by its hash"),
        _ => format!("the reference rewords {to_place}"),
    }
}

/// `Axis sentence 2`.
pub fn format_place(anchor: &str, sentence: u32) -> String {
    match sentence {
        0 => anchor.to_owned(),
        n => format!("{anchor} sentence {n}"),
    }
}
