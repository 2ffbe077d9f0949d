//! Defaults of clauses and ledger entries in the YAML, and fields that a clause of some kind must not have.

use dml_spec::model::{Clause, ClauseKind, Equivalent, LedgerEntry, Status, Text};

use super::reader::Source;
use crate::tree::Node;

/// Values in the ledger that stand in place of a clause's id.
const WORDS: [&str; 2] = ["todo", "none"];

/// Makes ids full, and sets the status that a clause of its kind usually has. `prefix` is the operator's name, or
/// `TENSOR`.
pub(super) fn complete(source: &Source<'_>, prefix: &str, clause: &mut Clause, node: &Node) {
    let ids = clause.needs.to_mut().iter_mut().chain(&mut clause.retired);
    for id in ids.chain([&mut clause.id]) {
        *id = full_id(prefix, id);
    }
    let is_wrong = |node: &Node| source.any_within(&node.span);
    if clause.kind == ClauseKind::Silence && node.get("status").is_none_or(is_wrong) {
        clause.status = Status::Open;
    }
    if node.get("kind").is_some_and(|kind| !is_wrong(kind)) {
        misplaced(source, node, clause);
    }
}

/// Fields that have no meaning in a clause of this kind.
fn misplaced(source: &Source<'_>, node: &Node, clause: &Clause) {
    let (kind, foreign): (_, &[&str]) = match clause.kind {
        ClauseKind::Constraint => ("constraint", &["class", "holds", "tells"]),
        ClauseKind::Guarantee => ("guarantee", &["needs"]),
        ClauseKind::Silence => ("silence", &["needs", "class"]),
    };
    for key in foreign.iter().filter_map(|name| node.key(name)) {
        let message = format!("a {kind} has no `{}`", key.text);
        source.report("spec::misplaced-field", &key.span, message);
    }
}

/// `TOP_K1/axis-in-range` of `axis-in-range`; a full id stays.
pub(super) fn full_id(prefix: &str, id: &str) -> Text {
    match id.is_empty() || id.contains('/') {
        true => Text::Owned(id.to_owned()),
        false => Text::Owned(format!("{prefix}/{id}")),
    }
}

/// Makes the id of an entry of the ledger full, and reports one that is not a clause of this file.
pub(super) fn covering(source: &Source<'_>, prefix: &str, clauses: &[Clause], entry: &mut LedgerEntry, node: &Node) {
    if !WORDS.contains(&&*entry.clause) {
        let span = node.get("clause").unwrap_or(node);
        named(
            source,
            (prefix, clauses),
            &mut entry.clause,
            span,
            ", nor `todo` or `none`",
        );
    }
}

/// Makes the id of the clause full that a reason rests on, and reports one that is not a clause of this file.
pub(super) fn resting(source: &Source<'_>, prefix: &str, clauses: &[Clause], entry: &mut Equivalent, node: &Node) {
    let span = node.get("clause").unwrap_or(node);
    named(source, (prefix, clauses), &mut entry.clause, span, "");
}

fn named(source: &Source<'_>, (prefix, clauses): (&str, &[Clause]), id: &mut Text, node: &Node, others: &str) {
    if id.is_empty() {
        return;
    }
    *id = full_id(prefix, id);
    if !id.starts_with("TENSOR/") && !clauses.iter().any(|c| c.id == *id) {
        let message = format!("`{id}` is no clause of this file{others}");
        let known = clauses.iter().map(|c| c.id.as_ref());
        source.unknown("spec::unknown-clause", &node.span, message, id, known);
    }
}
