//! What follows from the keys, in the order in which it is derived.

use dml_spec::{
    model::{CaseModel, Operator},
    path::{Path, TensorPart},
    rule::typed::{Node as Typed, Op, Prop},
};

use super::reader::Source;
use crate::tree::Node;

/// A value that an expression reads and a line of `derive` sets: a field, and of a tensor the property.
type Part = (usize, Option<Prop>);

/// Reports expressions that read what only their own line or a later one derives; each expression is at the place of its
/// line, `None` where it has a mistake of its own.
pub(super) fn check_order(
    source: &Source<'_>,
    operator: &Operator,
    node: Option<&Node>,
    expressions: &[Option<Typed>],
) {
    let CaseModel { keys, derive, .. } = &operator.cases;
    let set = |path: &str| Path::parse(operator, path).ok().and_then(|path| part(&path));
    let of_keys: Vec<Part> = keys.iter().filter_map(|key| set(&key.sets)).collect();
    let derived: Vec<Option<Part>> = derive.iter().map(|(path, _)| set(path)).collect();
    for (line, (expression, (path, text))) in expressions.iter().zip(derive.iter()).enumerate() {
        let (Some(expression), Some(node)) = (expression, node.and_then(|node| node.get(path))) else {
            continue;
        };
        let known = |part: &Part| of_keys.contains(part) || derived[..line].contains(&Some(*part));
        for (part, span) in read(expression).into_iter().filter(|(part, _)| !known(part)) {
            let Some(later) = derived[line..].iter().position(|of| *of == Some(part)) else {
                continue;
            };
            let what = text.get(span.clone()).unwrap_or_default();
            let (message, hint) = match later {
                0 => (format!("`{what}` is derived from itself"), None),
                _ => (
                    format!("`{what}` is not derived yet: its line comes later"),
                    Some("put that line first".to_owned()),
                ),
            };
            source.report_hint("spec::derive-order", &node.inner_span(source.text, span), message, hint);
        }
    }
}

/// What a path sets as a whole.
fn part(path: &Path) -> Option<Part> {
    let property = |part: &TensorPart| match part {
        TensorPart::DataType => Some(Prop::DataType),
        TensorPart::Sizes => Some(Prop::Sizes),
        TensorPart::Strides => Some(Prop::Strides),
        _ => None,
    };
    match path {
        Path::Attribute(field) => Some((*field, None)),
        Path::Tensor(field, None, of) => Some((*field, Some(property(of)?))),
        _ => None,
    }
}

/// What an expression reads, and where.
fn read(expression: &Typed) -> Vec<(Part, std::ops::Range<usize>)> {
    let mut all = Vec::new();
    expression.walk(&mut |node| match &node.op {
        Op::Prop(of, property) => {
            let property = match property {
                Prop::DimensionCount => Prop::Sizes,
                other => *other,
            };
            if let Op::Field(field) = of.op {
                all.push(((field, Some(property)), node.span.clone()));
            }
        }
        Op::Field(field) => all.push(((*field, None), node.span.clone())),
        _ => {}
    });
    all
}
