//! The fields of a descriptor: kinds, array lengths, comparison rules.

use super::reader::{Fields, Source};
use crate::tree::Node;
use dml_spec::model::{Catalog, Compare, Comparison, Field, FieldKind, List, Role, Text};

/// Kinds by name; the enumerations of `directml.yaml` come on top.
const KINDS: [&str; 17] = [
    "input",
    "output",
    "input array",
    "output array",
    "UINT",
    "INT",
    "FLOAT",
    "BOOL",
    "UINT array",
    "INT array",
    "FLOAT array",
    "SCALE_BIAS",
    "SIZE_2D",
    "SCALAR",
    "OPERATOR",
    "OPERATOR array",
    DATA_TYPE,
];

/// The one enumeration that stands as `data_types` of its own.
pub(super) const DATA_TYPE: &str = "DML_TENSOR_DATA_TYPE";

/// The fields in struct order.
pub(super) fn list(source: &Source<'_>, shared: &Catalog, node: &Node) -> List<Field> {
    let nodes = source.list(node);
    let mut fields: Vec<Field> = Vec::new();
    for node in nodes {
        let field = read(source, shared, node);
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

/// Only the memory of inputs can be shared.
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

fn read(source: &Source<'_>, shared: &Catalog, node: &Node) -> Field {
    let mut fields = source.fields(node, "a field");
    let name = fields
        .required("name")
        .map(|n| field_name(source, n))
        .unwrap_or_default();
    let kind = kind(source, shared, &mut fields);
    let output = kind.role() == Some(Role::Output);
    let compare = match fields.optional("compare") {
        Some(node) if output => comparison(source, shared, node),
        Some(_) => {
            let span = node.key("compare").map_or(&node.span, |k| &k.span);
            source.report(
                "spec::misplaced-field",
                span,
                format!("`{name}` is no output, only outputs are compared"),
            );
            None
        }
        None if output => fields.required("compare").and(None),
        None => None,
    };
    let in_place = match fields.optional("in_place") {
        Some(node) if kind == FieldKind::Tensor(Role::Output) => source.strings(node),
        Some(_) => {
            let span = node.key("in_place").map_or(&node.span, |k| &k.span);
            let message = format!("`{name}` is no output, only outputs lie in the place of an input");
            source.report("spec::misplaced-field", span, message);
            List::default()
        }
        None => List::default(),
    };
    let field = Field {
        name,
        kind,
        optional: fields.flag("optional"),
        compare,
        in_place,
        says: fields.string("says"),
    };
    fields.finish();
    field
}

fn field_name(source: &Source<'_>, node: &Node) -> Text {
    let text = source.string(node);
    let good = text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric());
    if !text.is_empty() && !good {
        let message = format!("`{text}` is no field name, expected one such as InputTensor");
        source.report("spec::bad-name", &node.span, message);
    }
    text
}

fn kind(source: &Source<'_>, shared: &Catalog, fields: &mut Fields<'_>) -> FieldKind {
    let Some(kind) = fields.required("kind") else {
        return forget_lengths(fields);
    };
    let name = source.string(kind);
    match &*name {
        "input" => FieldKind::Tensor(Role::Input),
        "output" => FieldKind::Tensor(Role::Output),
        "input array" => FieldKind::Tensors(Role::Input, fields.string("count")),
        "output array" => FieldKind::Tensors(Role::Output, fields.string("count")),
        "UINT" => FieldKind::UInt,
        "INT" => FieldKind::Int,
        "FLOAT" => FieldKind::Float,
        "BOOL" => FieldKind::Bool,
        "UINT array" => FieldKind::UInts(fields.string("count")),
        "INT array" => FieldKind::Ints(fields.string("count")),
        "FLOAT array" => FieldKind::Floats(fields.string("count")),
        "SCALE_BIAS" => FieldKind::ScaleBias,
        "SIZE_2D" => FieldKind::Size2D,
        "SCALAR" => FieldKind::Scalar(fields.string("type")),
        "OPERATOR" => FieldKind::Operator,
        "OPERATOR array" => FieldKind::Operators(fields.string("count")),
        other if other == DATA_TYPE || shared.enumeration(other).is_some() => FieldKind::Enum(name),
        "" => forget_lengths(fields),
        other => {
            let known = KINDS.into_iter().chain(shared.enums.iter().map(|e| e.name.as_ref()));
            let message = format!("`{other}` is no kind of field and no enumeration of directml.yaml");
            source.unknown("spec::unknown-kind", &kind.span, message, other, known);
            forget_lengths(fields)
        }
    }
}

/// Without a kind nobody knows whether `count` and `type` belong here.
fn forget_lengths(fields: &mut Fields<'_>) -> FieldKind {
    fields.optional("count");
    fields.optional("type");
    FieldKind::UInt
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
    let mut fields = source.fields(node, "a comparison");
    let other = fields.required("other").and_then(|n| compare(source, n));
    let mut types = Vec::new();
    for data_type in shared.data_types.iter() {
        let given = fields.optional(&data_type.name).and_then(|n| compare(source, n));
        types.extend(given.map(|compare| (data_type.name.clone(), compare)));
    }
    let because = fields.string("because");
    fields.finish();
    Some(Comparison {
        types: types.into(),
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

/// The field that counts an array or types a scalar has to be there.
fn counter(source: &Source<'_>, fields: &[Field], field: &Field, node: &Node) {
    let (key, named, wanted) = match &field.kind {
        FieldKind::Tensors(_, count)
        | FieldKind::UInts(count)
        | FieldKind::Ints(count)
        | FieldKind::Floats(count)
        | FieldKind::Operators(count) => ("count", count, FieldKind::UInt),
        FieldKind::Scalar(data_type) => ("type", data_type, FieldKind::Enum(Text::Borrowed(DATA_TYPE))),
        _ => return,
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
