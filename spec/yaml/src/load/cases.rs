//! How cases are made: keys, and what follows from them.

use dml_spec::{
    model::{CaseModel, DATA_TYPE, FieldKind, Key, Operator, Role},
    patterns::{NUMBERS, VALUES},
};

use super::reader::Source;
use crate::tree::{self, Node};

/// Keys that every operator has, after its own, in canonical order.
pub(super) const COMMON_KEYS: [&str; 4] = ["layout", "values", "alias", "seed"];

/// Checks the field `cases` of an operator.
pub(super) fn check(source: &Source<'_>, operator: &Operator, model: &CaseModel, root: &Node) {
    let cases = |name: &str| entries(root.get("cases").and_then(|cases| cases.get(name)));
    for ((key, node), Key { sets, .. }) in cases("keys").iter().zip(model.keys.iter()) {
        if COMMON_KEYS.contains(&key.text.as_str()) {
            let message = format!("`{}` has a meaning of its own and cannot be a key", key.text);
            source.report("spec::reserved-key", &key.span, message);
        }
        known_path(source, operator, sets, &node.span);
    }
    for (path, _) in cases("derive") {
        known_path(source, operator, &path.text, &path.span);
    }
    for (_, node) in cases("nested")
        .iter()
        .filter(|(_, node)| node.get("operator").is_none())
    {
        source.missing(node, "a nested operator", "operator");
    }
    for (_, node) in cases("together")
        .iter()
        .filter(|(_, node)| node.get("because").is_none())
    {
        source.missing(node, "values that are tried together", "because");
    }
    if let Some(node) = root.get("cases").and_then(|cases| cases.get("values")) {
        pattern(source, &model.values, node);
    }
    cases("bounds")
        .iter()
        .for_each(|(input, _)| bound(source, operator, input));
}

fn entries(node: Option<&Node>) -> &[(tree::Key, Node)] {
    node.and_then(Node::entries).unwrap_or_default()
}

/// A pattern of values.
fn pattern(source: &Source<'_>, text: &str, node: &Node) {
    let mut known = VALUES.into_iter().chain(NUMBERS);
    if !text.is_empty() && !known.any(|k| k == text) {
        let message = format!("`{text}` is no pattern of values");
        let known = VALUES.into_iter().chain(NUMBERS);
        source.unknown("spec::unknown-pattern", &node.span, message, text, known);
    }
}

/// An input that holds indices.
fn bound(source: &Source<'_>, operator: &Operator, input: &tree::Key) {
    let inputs = operator
        .fields
        .iter()
        .filter(|f| f.kind == FieldKind::Tensor(Role::Input));
    let known: Vec<&str> = inputs.map(|f| f.name.as_ref()).collect();
    if !known.contains(&input.text.as_str()) {
        let message = format!("`{}` is no input of {}", input.text, operator.name);
        source.unknown("spec::unknown-tensor", &input.span, message, &input.text, known);
    }
}

/// The value at a path such as `Axis` or `InputTensor.Sizes`.
pub(super) enum Target<'a> {
    /// A data type.
    DataType,
    /// A constant of an enumeration.
    Constant(&'a str),
    /// Sizes.
    Sizes,
    /// An attribute that is a whole number: the points are expressions and ranges.
    Number,
    /// Another whole number, such as one size.
    Integer,
    /// A list of whole numbers, of an operator's field or of strides.
    List,
    /// Sizes of every tensor of an array.
    ManySizes,
    /// A floating point number.
    Float,
    /// A truth value.
    Bool,
    /// The name of a nested operator.
    Nested,
    /// A pattern of one input's elements.
    Data,
    /// Whether a tensor is there.
    Presence,
    /// Anything else.
    Other,
}

/// `None` if the path leads nowhere.
pub(super) fn target<'a>(operator: &'a Operator, path: &str) -> Option<Target<'a>> {
    let mut parts = path.split('.');
    let name = parts.next()?;
    let field = operator.fields.iter().find(|f| f.name == name)?;
    let index = |part: &str| part.parse::<u32>().ok();
    let mut rest: Vec<&str> = parts.collect();
    if matches!(field.kind, FieldKind::Tensors(..)) {
        match rest[..] {
            ["DataType"] => return Some(Target::DataType),
            ["Sizes"] => return Some(Target::ManySizes),
            _ => index(rest.first()?)?,
        };
        rest.remove(0);
    }
    if let Some(role) = field.kind.role() {
        return match rest[..] {
            ["Data"] if role == Role::Input => Some(Target::Data),
            [] if matches!(field.kind, FieldKind::Tensor(_)) => Some(Target::Presence),
            [] | ["Type"] => Some(Target::Other),
            ["DataType"] => Some(Target::DataType),
            ["Sizes"] => Some(Target::Sizes),
            ["Strides"] => Some(Target::List),
            ["Flags" | "TotalTensorSizeInBytes" | "GuaranteedBaseOffsetAlignment"] => Some(Target::Integer),
            ["Sizes" | "Strides", item] => index(item).map(|_| Target::Integer),
            _ => None,
        };
    }
    match (&field.kind, &rest[..]) {
        (FieldKind::UInt | FieldKind::Int, []) => Some(Target::Number),
        (FieldKind::Enum(name), []) if name == DATA_TYPE => Some(Target::DataType),
        (FieldKind::Enum(name), []) => Some(Target::Constant(name)),
        (FieldKind::UInts(_), []) => Some(Target::List),
        (FieldKind::Ints(_), []) => Some(Target::List),
        (FieldKind::Float, []) => Some(Target::Float),
        (FieldKind::Bool, []) => Some(Target::Bool),
        (FieldKind::Operator, []) => Some(Target::Nested),
        (FieldKind::UInts(_) | FieldKind::Ints(_), [item]) => index(item).map(|_| Target::Integer),
        (FieldKind::Floats(_), [item]) => index(item).map(|_| Target::Other),
        (_, []) => Some(Target::Other),
        _ => None,
    }
}

fn known_path(source: &Source<'_>, operator: &Operator, path: &str, span: &std::ops::Range<usize>) {
    if !path.is_empty() && target(operator, path).is_none() {
        let message = format!(
            "`{path}` leads to nothing of {}, expected a field or its DataType or Sizes",
            operator.name
        );
        let paths = operator.fields.iter().flat_map(|f| match f.kind.role() {
            Some(_) => vec![format!("{}.DataType", f.name), format!("{}.Sizes", f.name)],
            None => vec![f.name.to_string()],
        });
        let paths: Vec<String> = paths.collect();
        source.unknown(
            "spec::unknown-path",
            span,
            message,
            path,
            paths.iter().map(String::as_str),
        );
    }
}
