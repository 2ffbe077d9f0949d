//! Operators inside others, checked once all operators are known.

use dml_spec::model::Operator;

use super::reader::Source;
use crate::tree::Node;

/// Reports unknown nested operators and unknown attributes of them.
pub(super) fn check<'a>(source: &Source<'_>, root: &Node, operators: impl Iterator<Item = &'a Operator> + Clone) {
    let nested = root.get("cases").and_then(|cases| cases.get("nested"));
    for (_, node) in nested.and_then(Node::entries).unwrap_or_default() {
        let Some((name, named)) = node.get("operator").and_then(|n| Some((n.text()?, n))) else {
            continue;
        };
        let Some(operator) = operators.clone().find(|operator| operator.name == name) else {
            let known = operators.clone().map(|operator| operator.name.as_ref());
            let message = format!("the specification has no operator `{name}`");
            source.unknown("spec::unknown-nested", &named.span, message, name, known);
            continue;
        };
        for (key, _) in node.entries().unwrap_or_default() {
            let field = key.text.split('.').next().unwrap_or_default();
            if key.text == "operator" || operator.field_index(field).is_some() {
                continue;
            }
            let message = format!("`{field}` is no field of {name}");
            let known = operator.fields.iter().map(|field| field.name.as_ref());
            source.unknown("spec::unknown-nested", &key.span, message, field, known);
        }
    }
}
