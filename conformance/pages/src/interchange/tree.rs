//! Checked rules as trees in JSON, for validators that do not parse the rule language.
//!
//! A node is a number, a truth value, or an array of its operation and its parts. `specification.schema.json` lists the
//! operations.

use dml_spec::{
    model::Field,
    rule::typed::{Func, Node, Op, Type},
};
use serde_json::{Number, Value as Json, json};

/// The tree of a rule. `fields` are those of its operator.
pub(super) fn tree(node: &Node, fields: &[Field]) -> Json {
    let part = |node: &Node| tree(node, fields);
    let parts = |word: &[&str], nodes: &[&Node]| {
        let words = word.iter().map(|word| json!(word));
        Json::Array(words.chain(nodes.iter().map(|node| part(node))).collect())
    };
    match &node.op {
        Op::Bool(value) => json!(value),
        // Beyond 64 bits it is a string.
        Op::Int(value) => Number::from_i128(*value).map_or_else(|| json!(value.to_string()), Json::Number),
        Op::Float(value) => json!(value),
        Op::Level => json!(["level"]),
        Op::Field(index) => json!(["field", fields.get(*index).map(|field| &field.name)]),
        Op::Subject => json!(["tensor"]),
        Op::Var(depth) => json!(["variable", depth]),
        Op::ListOf(items) => parts(&["list"], &items.iter().collect::<Vec<_>>()),
        Op::Element(tensors, index) => parts(&["index"], &[tensors, index]),
        Op::Index(list, index) => parts(&["index"], &[list, index]),
        Op::Prop(tensor, prop) => json!(["property", part(tensor), prop.name()]),
        Op::NestedType(nested) => json!(["property", part(nested), "Type"]),
        Op::ScaleBiasPart(pair, at) => json!(["property", part(pair), if *at == 0 { "Scale" } else { "Bias" }]),
        Op::With(list, index, value) => parts(&["with"], &[list, index, value]),
        Op::Not(a) => parts(&["not"], &[a]),
        Op::Neg(a) => parts(&["negate"], &[a]),
        Op::Binary(op, a, b) => parts(&[op.sign()], &[a, b]),
        Op::In(value, members) => parts(
            &["in"],
            &[&[&**value], &members.iter().collect::<Vec<_>>()[..]].concat(),
        ),
        Op::If(condition, yes, no) => parts(&["if"], &[condition, yes, no]),
        Op::Call(Func::IsKnown, arguments) => match arguments.first() {
            Some(value) => json!(["call", Func::IsKnown.name(), part(value), enumeration(&value.ty)]),
            None => json!(["call", Func::IsKnown.name()]),
        },
        Op::Call(func, arguments) => parts(&["call", func.name()], &arguments.iter().collect::<Vec<_>>()),
        Op::Quantified(quantifier, from, to, body) => {
            let word = format!("{quantifier:?}").to_lowercase();
            parts(&["for", &word], &[from, to, body])
        }
    }
}

/// The C name of the enumeration that a value belongs to.
fn enumeration(ty: &Type) -> &str {
    match ty {
        Type::Enum(name) => name,
        _ => "DML_TENSOR_DATA_TYPE",
    }
}
