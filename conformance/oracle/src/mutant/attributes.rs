//! Attributes that are ignored in one of several expressions which use them.

use dml_spec::{
    meaning::{Function, Meaning, Node, Op, Type},
    model::FieldKind,
};

use super::{
    Kind,
    build::{call, int, list, with},
    texts::{Instead, Texts},
    uses,
};

/// Every element of a list is taken for a constant in a body, and not in the others. `name` is what the body defines.
pub(super) fn in_one(body: &Node, name: &str, texts: &Texts<'_>) -> Vec<Instead> {
    let dimensions = uses::dimension_lists_in(body);
    let mut all = Vec::new();
    for (field, of) in texts.operator.fields.iter().enumerate() {
        let is_list = matches!(of.kind, FieldKind::UInts(_) | FieldKind::Ints(_));
        if !is_list || dimensions.contains(&field) || !uses_field(body, field) || used(texts.meaning, field) < 2 {
            continue;
        }
        for value in [0, 1] {
            let other = uses::replaced(body, &|node| match node.op {
                Op::Field(used) if used == field => {
                    let count = call(Function::Count, Type::Int, vec![node.clone()])?;
                    let constant = list(texts.new_slot(), count, int(node, value));
                    Some(with(node, constant.op))
                }
                _ => None,
            });
            let sentence = format!("in `{name}` every element of `{}` is taken for {value}", of.name);
            all.push((Kind::Attribute, sentence, other));
        }
    }
    all
}

fn uses_field(body: &Node, field: usize) -> bool {
    let mut found = false;
    uses::visit(body, &mut |node| found |= node.op == Op::Field(field));
    found
}

/// How many bodies use a field.
fn used(meaning: &Meaning, field: usize) -> usize {
    let definitions = meaning.definitions.iter().map(|of| &of.body);
    let bodies = definitions.chain(meaning.outputs.iter().map(|of| &of.body));
    bodies.filter(|body| uses_field(body, field)).count()
}
