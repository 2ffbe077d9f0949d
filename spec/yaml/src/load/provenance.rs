//! Where facts come from beyond citations: sentences that bind, and what sources say otherwise.

use super::clause::{self, Scope};
use crate::tree::Node;
use dml_spec::model::{Clause, LedgerEntry, Superseded, Text};

/// What stands in place of a clause's id.
const WORDS: [&str; 2] = ["todo", "none"];

/// A sentence of the ledger.
pub(super) fn entry(scope: &Scope<'_>, clauses: &[Clause], node: &Node) -> LedgerEntry {
    let source = scope.source;
    let mut fields = source.fields(node, "an entry of the ledger");
    let citation = clause::place(source, scope.sources, &mut fields);
    if citation.sha256.is_empty() && node.get("sha256").is_none() {
        fields.required("sha256");
    }
    let name = fields.required("clause");
    let text = name.map(|n| source.string(n)).unwrap_or_default();
    fields.finish();
    let covering = match WORDS.contains(&text.as_ref()) {
        true => text,
        false => clause::full_id(scope.prefix, &text),
    };
    let own = !covering.starts_with("TENSOR/") && !WORDS.contains(&covering.as_ref());
    if let (Some(node), true, false) = (name, own, clauses.iter().any(|c| c.id == covering)) {
        let message = format!("`{covering}` is no clause of this file, nor `todo` or `none`");
        let known = clauses.iter().map(|c| c.id.as_ref());
        if !covering.is_empty() {
            source.unknown("spec::unknown-clause", &node.span, message, &covering, known);
        }
    }
    LedgerEntry {
        source: citation,
        clause: covering,
    }
}

/// A fact that is not followed.
pub(super) fn superseded(scope: &Scope<'_>, node: &Node) -> Superseded {
    let source = scope.source;
    let mut fields = source.fields(node, "a superseded fact");
    let name = fields.required("in");
    let text = name.map(|n| source.string(n)).unwrap_or_default();
    if let Some(node) = name {
        clause::known_source(source, scope.sources, node, &text);
    }
    let found = Superseded {
        source: text,
        fact: fields.string("fact"),
        value: fields.required("value").map(|n| written(n)).unwrap_or_default(),
        by: fields.string("by"),
    };
    fields.finish();
    found
}

/// A scalar as it is written, whatever YAML takes it for.
fn written(node: &Node) -> Text {
    Text::Owned(node.text().unwrap_or_default().to_owned())
}
