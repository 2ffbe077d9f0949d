//! The fields of a descriptor: kinds, array lengths, comparison rules.

use dml_spec::model::{Catalog, Compare, Comparison, DATA_TYPE, Field, FieldKind, List, Role, Text, form};
use serde::{Deserialize, de::IgnoredAny};

use super::reader::Source;
use crate::tree::{Key, Node};

/// What messages call a field.
const WHAT: &str = "a field";

/// Keys of a field in addition to its name, its kind and what the kind names.
const OTHERS: [&str; 4] = ["compare", "in_place", "optional", "says"];

/// A field as the YAML has it. Its kind decides which keys are allowed.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename = "a field", deny_unknown_fields)]
pub(super) struct FieldEntry {
    #[serde(deserialize_with = "form::text::<form::FieldName, _>")]
    name: Text,
    kind: Text,
    #[serde(default, deserialize_with = "form::optional")]
    count: Text,
    #[serde(rename = "type", default, deserialize_with = "form::optional")]
    data_type: Text,
    #[serde(rename = "compare")]
    _compare: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "form::optional")]
    in_place: List<Text>,
    #[serde(default, deserialize_with = "form::optional")]
    optional: bool,
    says: Text,
}

/// The fields in struct order.
pub(super) fn list(source: &Source<'_>, shared: &Catalog, entries: Vec<FieldEntry>, nodes: &[Node]) -> List<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for (entry, node) in entries.into_iter().zip(nodes) {
        let field = complete(source, shared, entry, node);
        if !field.name.is_empty() && fields.iter().any(|f| f.name == field.name) {
            let span = node.get("name").map_or(&node.span, |n| &n.span);
            source.report(
                "spec::duplicate-field",
                span,
                format!("two fields are named `{}`", field.name),
            );
        }
        fields.push(field);
    }
    for (field, node) in fields.iter().zip(nodes) {
        counter(source, &fields, field, node);
        in_place(source, &fields, field, node);
    }
    fields.into()
}

/// Reports shared memory of anything but inputs.
fn in_place(source: &Source<'_>, fields: &[Field], field: &Field, node: &Node) {
    let items = node.get("in_place").and_then(Node::items).unwrap_or_default();
    let inputs = || fields.iter().filter(|f| f.kind == FieldKind::Tensor(Role::Input));
    for (name, at) in field.in_place.iter().zip(items) {
        if !name.is_empty() && !inputs().any(|f| f.name == *name) {
            let known = inputs().map(|f| f.name.as_ref());
            let message = format!("`{name}` is no input, so {} cannot lie in its place", field.name);
            source.unknown("spec::unknown-tensor", &at.span, message, name, known);
        }
    }
}

fn complete(source: &Source<'_>, shared: &Catalog, entry: FieldEntry, node: &Node) -> Field {
    let kind = kind(source, shared, &entry, node);
    let output = kind.role() == Some(Role::Output);
    let misplaced = |field: &str, message: String| {
        let span = node.key(field).map_or(&node.span, |key| &key.span);
        source.report("spec::misplaced-field", span, message);
    };
    let mut compare = None;
    match node.get("compare") {
        Some(node) if output => compare = comparison(source, shared, node),
        Some(_) => misplaced(
            "compare",
            format!("`{}` is no output, only outputs are compared", entry.name),
        ),
        None if output => source.missing(node, WHAT, "compare"),
        None => {}
    }
    let mut in_place = entry.in_place;
    if node.get("in_place").is_some() && kind != FieldKind::Tensor(Role::Output) {
        let message = format!(
            "`{}` is no output, only outputs lie in the place of an input",
            entry.name
        );
        misplaced("in_place", message);
        in_place = List::default();
    }
    Field {
        name: entry.name,
        kind,
        optional: entry.optional,
        compare,
        in_place,
        says: entry.says,
    }
}

/// The kind with what it names. `count` belongs to arrays only, `type` to scalars only.
fn kind(source: &Source<'_>, shared: &Catalog, entry: &FieldEntry, node: &Node) -> FieldKind {
    let name = &*entry.kind;
    let kind = match FieldKind::WORDS.iter().find(|(kind, _)| *kind == name) {
        Some(("SCALAR", kind)) => kind(entry.data_type.clone()),
        Some((_, kind)) => kind(entry.count.clone()),
        None if shared.enumeration(name).is_some() => FieldKind::Enum(entry.kind.clone()),
        // Without a kind it is unknown whether `count` and `type` belong here.
        None if name.is_empty() => return FieldKind::UInt,
        None => {
            let known = FieldKind::WORDS
                .iter()
                .map(|(kind, _)| *kind)
                .chain(shared.enums.iter().map(|e| e.name.as_ref()));
            let message = format!("`{name}` is no kind of field and no enumeration of directml.yaml");
            let span = &node.get("kind").unwrap_or(node).span;
            source.unknown("spec::unknown-kind", span, message, name, known);
            return FieldKind::UInt;
        }
    };
    let named = kind.named().map(|(key, _)| key);
    if let Some(key) = named.filter(|key| node.get(key).is_none()) {
        source.missing(node, WHAT, key);
    }
    let known: Vec<&str> = ["name", "kind"].into_iter().chain(named).chain(OTHERS).collect();
    let lengths = |(key, _): &&(Key, Node)| matches!(key.text.as_str(), "count" | "type");
    for entry in node.entries().unwrap_or_default().iter().filter(lengths) {
        source.unknown_fields(std::slice::from_ref(entry), WHAT, &known);
    }
    kind
}

/// The same for every data type, or by data type with a reason.
fn comparison(source: &Source<'_>, shared: &Catalog, node: &Node) -> Option<Comparison> {
    if node.entries().is_none() {
        let other = compare(source, node)?;
        if other == Compare::Exact {
            return Some(Comparison::all(other));
        }
        let hint = Some("write {other: ulp(2), because: …}".to_owned());
        let message = "a tolerance needs a reason";
        source.report_hint("spec::bad-compare", &node.span, message.to_owned(), hint);
        return None;
    }
    let types: Vec<&str> = shared.data_types.iter().map(|t| t.name.as_ref()).collect();
    source.fields(node, "a comparison", &["other", "because"], &types);
    let compare = |name: &str| compare(source, node.get(name)?);
    let other = compare("other");
    let types = shared.data_types.iter();
    let types = types
        .filter_map(|t| Some((t.name.clone(), compare(&t.name)?)))
        .collect();
    let because = source.text_at(node, "because");
    Some(Comparison {
        types,
        other: other?,
        because,
    })
}

/// `exact`, `ulp(n)`, `abs(x)` or `bound`.
fn compare(source: &Source<'_>, node: &Node) -> Option<Compare> {
    let text = source.string(node);
    let inner = |name: &str| text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
    let distance = |text: &str| text.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0);
    let found = match (&*text, inner("ulp"), inner("abs")) {
        ("exact", ..) => Some(Compare::Exact),
        ("bound", ..) => Some(Compare::Bound),
        (_, Some(n), _) => n.parse().ok().map(Compare::Ulp),
        (_, _, Some(x)) => distance(x).map(Compare::Abs),
        _ => None,
    };
    if found.is_none() && !text.is_empty() {
        let message = format!("`{text}` is no comparison, expected exact, ulp(n), abs(x) or bound");
        source.report("spec::bad-compare", &node.span, message);
    }
    found
}

/// Reports a missing field that counts an array or types a scalar.
fn counter(source: &Source<'_>, fields: &[Field], field: &Field, node: &Node) {
    let Some((key, named)) = field.kind.named() else { return };
    let wanted = match key {
        "count" => FieldKind::UInt,
        _ => FieldKind::Enum(Text::Borrowed(DATA_TYPE)),
    };
    let Some(at) = node.get(key).filter(|_| !named.is_empty()) else {
        return;
    };
    if !fields.iter().any(|f| f.name == *named && f.kind == wanted) {
        let expected = if key == "count" {
            "a UINT field"
        } else {
            "a field of kind DML_TENSOR_DATA_TYPE"
        };
        let known = fields.iter().filter(|f| f.kind == wanted).map(|f| f.name.as_ref());
        let message = format!("`{named}` is not {expected} of this operator");
        source.unknown("spec::unknown-attribute", &at.span, message, named, known);
    }
}
