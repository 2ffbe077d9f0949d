//! Clauses and what hangs on them: citations, observations, history.

use super::reader::{Fields, Source};
use crate::tree::Node;
use dml_spec::model::{
    Applies, Change, Citation, Clause, ClauseKind, List, Observation, Source as Document, Status, Text,
};

/// What a clause is read within.
pub(super) struct Scope<'a> {
    pub(super) source: &'a Source<'a>,
    /// Operator name, or `TENSOR`.
    pub(super) prefix: &'a str,
    /// Clauses about every tensor have fields of their own.
    pub(super) tensor: bool,
    pub(super) sources: &'a [Document],
}

const KINDS: [(&str, ClauseKind); 3] = [
    ("constraint", ClauseKind::Constraint),
    ("guarantee", ClauseKind::Guarantee),
    ("silence", ClauseKind::Silence),
];

const STATUSES: [(&str, Status); 5] = [
    ("normative", Status::Normative),
    ("by-example", Status::ByExample),
    ("disputed", Status::Disputed),
    ("observed", Status::Observed),
    ("open", Status::Open),
];

const APPLIES: [(&str, Applies); 4] = [
    ("required", Applies::Required),
    ("any", Applies::Any),
    ("input", Applies::Input),
    ("output", Applies::Output),
];

/// One clause.
pub(super) fn read(scope: &Scope<'_>, node: &Node) -> Clause {
    let source = scope.source;
    let mut fields = source.fields(node, "a clause");
    let id = fields.required("id").map(|n| source.id(n)).unwrap_or_default();
    let kind = fields.choice("kind", &KINDS);
    if kind.is_none() && node.get("kind").is_none() {
        fields.required("kind");
    }
    let usual = if kind == Some(ClauseKind::Silence) {
        Status::Open
    } else {
        Status::Normative
    };
    let status = fields.choice("status", &STATUSES).unwrap_or(usual);
    let (applies, structural) = subject(scope, &mut fields, node);
    let clause = Clause {
        id: full_id(scope.prefix, &id),
        kind: kind.unwrap_or(ClauseKind::Constraint),
        status,
        says: fields.string("says"),
        applies,
        structural,
        needs: fields.each("needs", |n| reference(scope, n)),
        rule: fields.optional_string("rule"),
        class: fields.each("class", |n| source.id(n)),
        holds: fields.each("holds", |n| source.id(n)),
        tells: fields.each("tells", |n| source.id(n)),
        source: fields.optional("source").map(|n| citation(source, scope.sources, n)),
        observed: fields.each("observed", |n| observation(source, n)),
        history: fields.each("history", |n| change(source, n)),
        retired: fields.optional("retired").map(|n| retired(scope, n)),
    };
    fields.finish();
    if kind.is_some() {
        misplaced(source, node, &clause);
    }
    clause
}

fn subject(scope: &Scope<'_>, fields: &mut Fields<'_>, node: &Node) -> (Applies, bool) {
    if !scope.tensor {
        return (Applies::Operator, false);
    }
    let applies = fields.choice("applies", &APPLIES);
    if applies.is_none() && node.get("applies").is_none() {
        fields.required("applies");
    }
    (applies.unwrap_or(Applies::Any), fields.flag("structural"))
}

/// Fields that say nothing in a clause of this kind.
fn misplaced(source: &Source<'_>, node: &Node, clause: &Clause) {
    let (kind, foreign): (_, &[&str]) = match clause.kind {
        ClauseKind::Constraint => ("constraint", &["class", "holds", "tells"]),
        ClauseKind::Guarantee => ("guarantee", &["rule", "needs", "holds", "tells"]),
        ClauseKind::Silence => ("silence", &["needs", "class"]),
    };
    for name in foreign {
        if let Some(key) = node.key(name) {
            source.report("spec::misplaced-field", &key.span, format!("a {kind} has no `{name}`"));
        }
    }
}

/// `TOP_K1/axis-in-range` of `axis-in-range`; a full id stays.
pub(super) fn full_id(prefix: &str, id: &str) -> Text {
    match id.is_empty() || id.contains('/') {
        true => Text::Owned(id.to_owned()),
        false => Text::Owned(format!("{prefix}/{id}")),
    }
}

/// The id of another clause.
pub(super) fn reference(scope: &Scope<'_>, node: &Node) -> Text {
    full_id(scope.prefix, &scope.source.string(node))
}

/// Where the reference says something.
pub(super) fn citation(source: &Source<'_>, sources: &[Document], node: &Node) -> Citation {
    let mut fields = source.fields(node, "a citation");
    let citation = place(source, sources, &mut fields);
    fields.finish();
    citation
}

/// The fields of a citation.
pub(super) fn place(source: &Source<'_>, sources: &[Document], fields: &mut Fields<'_>) -> Citation {
    let name = fields.required("in");
    let citation = Citation {
        source: name.map(|n| source.string(n)).unwrap_or_default(),
        anchor: fields.string("anchor"),
        sentence: fields.optional("sentence").map(|n| source.uint(n)).unwrap_or_default(),
        sha256: fields.optional("sha256").map(|n| digest(source, n)).unwrap_or_default(),
    };
    if let Some(node) = name {
        known_source(source, sources, node, &citation.source);
    }
    citation
}

/// Reports the name of a source that the file does not have.
pub(super) fn known_source(source: &Source<'_>, sources: &[Document], node: &Node, name: &str) {
    if !name.is_empty() && !sources.iter().any(|s| s.name == name) {
        let message = format!("`{name}` is no source of this file");
        let names = sources.iter().map(|s| s.name.as_ref());
        source.unknown("spec::unknown-source", &node.span, message, name, names);
    }
}

pub(super) fn digest(source: &Source<'_>, node: &Node) -> Text {
    let text = source.string(node);
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    let good = text.len() == 64 && text.bytes().all(hex);
    if !good && !text.is_empty() {
        source.report(
            "spec::bad-hash",
            &node.span,
            "found no SHA-256, expected 64 lower-case hexadecimal digits",
        );
    }
    text
}

fn observation(source: &Source<'_>, node: &Node) -> Observation {
    let mut fields = source.fields(node, "an observation");
    let observation = Observation {
        runtime: fields.string("runtime"),
        date: fields.required("date").map(|n| source.date(n)).unwrap_or_default(),
        rule: fields.optional_string("rule"),
        says: fields.string("says"),
        erratic: fields.flag("erratic"),
    };
    fields.finish();
    observation
}

fn change(source: &Source<'_>, node: &Node) -> Change {
    let mut fields = source.fields(node, "an entry of the history");
    let change = Change {
        date: fields.required("date").map(|n| source.date(n)).unwrap_or_default(),
        change: fields.string("change"),
    };
    fields.finish();
    change
}

fn retired(scope: &Scope<'_>, node: &Node) -> Text {
    let mut fields = scope.source.fields(node, "the mark of a retired clause");
    let id = fields
        .optional("replaced-by")
        .map(|n| reference(scope, n))
        .unwrap_or_default();
    fields.finish();
    id
}

/// The clauses of an operator.
pub(super) fn list(scope: &Scope<'_>, fields: &mut Fields<'_>) -> List<Clause> {
    fields.each("clauses", |n| read(scope, n))
}
