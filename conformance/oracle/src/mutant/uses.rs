//! What a meaning uses attributes for.

use std::collections::BTreeSet;

use dml_spec::{
    meaning::{Function, Meaning, Node, Op, typed::TensorRef},
    model::{Catalog, DataType, FieldKind, Operator},
};

/// The attributes that name a dimension of an output's index vector, with their names.
pub(super) fn axes<'a>(operator: &'a Operator, meaning: &Meaning) -> Vec<(usize, &'a str)> {
    let mut found = BTreeSet::new();
    for output in &meaning.outputs {
        visit(&output.body, &mut |node| {
            let (Op::At(vector, index) | Op::With(vector, index, _)) = &node.op else {
                return;
            };
            if let (Op::Slot(slot), Op::Field(field)) = (&vector.op, &index.op)
                && *slot == output.index
            {
                found.insert(*field);
            }
        });
    }
    let named = |field: usize| {
        let of = operator.fields.get(field)?;
        (of.kind == FieldKind::UInt).then_some((field, &*of.name))
    };
    found.into_iter().filter_map(named).collect()
}

/// The lists that are asked for dimensions which they hold.
pub(super) fn dimension_lists(meaning: &Meaning) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for body in bodies(meaning) {
        visit(body, &mut |node| found.extend(dimension_list(node)));
    }
    found
}

/// The lists of dimensions that an expression looks into, with its parts.
pub(super) fn dimension_lists_in(node: &Node) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    visit(node, &mut |node| found.extend(dimension_list(node)));
    found
}

fn dimension_list(node: &Node) -> Option<usize> {
    match &node.op {
        Op::Call(Function::Contains, arguments) => match arguments.first()?.op {
            Op::Field(field) => Some(field),
            _ => None,
        },
        _ => None,
    }
}

fn bodies(meaning: &Meaning) -> impl Iterator<Item = &Node> {
    let definitions = meaning.definitions.iter().map(|of| &of.body);
    definitions.chain(meaning.outputs.iter().map(|of| &of.body))
}

/// Calls `look` with an expression and all its parts.
pub(super) fn visit(node: &Node, look: &mut dyn FnMut(&Node)) {
    look(node);
    for part in node.parts() {
        visit(part, look);
    }
}

/// An expression in which parts are others.
pub(super) fn replaced(node: &Node, instead: &dyn Fn(&Node) -> Option<Node>) -> Node {
    if let Some(other) = instead(node) {
        return other;
    }
    let mut node = node.clone();
    for part in node.parts_mut() {
        *part = replaced(part, instead);
    }
    node
}

/// Whether some element of an output rests on input elements that stand at other places.
pub(super) fn reads_elsewhere(meaning: &Meaning) -> bool {
    let mut found = false;
    let mut look = |body: &Node, own: Option<usize>| {
        visit(body, &mut |node| {
            if let Op::Read(_, index) = &node.op {
                found |= !matches!(index.op, Op::Slot(slot) if Some(slot) == own);
            }
        });
    };
    for definition in &meaning.definitions {
        look(&definition.body, None);
    }
    for output in &meaning.outputs {
        look(&output.body, Some(output.index));
    }
    found
}

/// Whether a support table allows a tensor one of these data types.
pub(super) fn allows(operator: &Operator, tensor: &str, is_one: &dyn Fn(&str) -> bool) -> bool {
    let mut rows = operator.support.iter().flat_map(|table| table.rows_of(tensor));
    rows.any(|row| row.types.iter().any(|name| is_one(name)))
}

/// The first tensor that an expression reads.
pub(super) fn read_in(node: &Node) -> Option<&TensorRef> {
    match &node.op {
        Op::Read(tensor, _) => Some(tensor),
        _ => node.parts().into_iter().find_map(read_in),
    }
}

/// The whole type of as many bits that has a sign if this one has none.
pub(super) fn other_sign<'a>(catalog: &'a Catalog, ty: &DataType) -> Option<&'a DataType> {
    let (least, _) = ty.whole_numbers()?;
    let is_other = |other: &&DataType| {
        let limits = other.whole_numbers();
        other.bits == ty.bits && limits.is_some_and(|(of_other, _)| (of_other < 0) != (least < 0))
    };
    catalog.data_types.iter().find(is_other)
}

/// The least normal numbers of the types that have such.
pub(super) const LEAST_NORMAL: [(&str, f64); 3] = [
    ("FLOAT16", 6.103_515_625e-5),
    ("FLOAT32", 1.175_494_350_822_287_5e-38),
    ("FLOAT64", f64::MIN_POSITIVE),
];

/// The least normal number of a type.
pub(super) fn least_normal(name: &str) -> Option<f64> {
    let found = LEAST_NORMAL.iter().find(|(ty, _)| *ty == name);
    found.map(|(_, least)| *least)
}
