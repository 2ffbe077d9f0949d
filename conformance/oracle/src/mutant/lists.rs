//! Mistakes about attributes that are lists.

use std::collections::BTreeSet;

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Kind as Form, TensorRef},
    },
    rule::typed::{Binary, Prop},
};

use super::{
    Kind,
    build::{at, binary, int, node, prop, range, reduction, slot, with},
    texts::{Instead, Texts},
    uses,
};

/// A size in a list that is taken for that of the tensor, or of what the tensor has from another list's place on.
pub(super) fn window(of: &Node, list: &Node, index: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let lists = texts.lists();
    let (Op::Field(field), Op::Slot(_)) = (&list.op, &index.op) else {
        return;
    };
    let Some((tensor, name)) = texts
        .first_input()
        .filter(|_| lists.contains(field) && lists.len() <= 2)
    else {
        return;
    };
    let tensor = TensorRef {
        field: tensor,
        element: None,
    };
    let size = at(&prop(of, &tensor, Prop::Sizes), index.clone());
    let sentence = format!("`{}` is taken for the size of `{name}`", texts.of(of));
    all.push((Kind::Bounds, sentence, size.clone()));
    for other in lists.iter().filter(|other| *other != field) {
        let start = at(&with(list, Op::Field(*other)), index.clone());
        let start_name = texts.operator.fields.get(*other).map_or("", |field| &field.name);
        let sentence = format!(
            "`{}` is taken for all that `{name}` has from `{start_name}` on",
            texts.of(of)
        );
        all.push((Kind::Bounds, sentence, binary(Binary::Sub, size.clone(), start)));
    }
}

/// Lists of dimensions of which one element counts, for one use of what rests on them; and of several dimensions one for
/// their number in row-major order.
pub(super) fn one_element(
    of: &Node,
    function: Function,
    arguments: &[Node],
    texts: &Texts<'_>,
    all: &mut Vec<Instead>,
) {
    let mut lists = BTreeSet::new();
    for (number, argument) in arguments.iter().enumerate() {
        let Op::Definition(definition, indices) = &argument.op else {
            continue;
        };
        let Some(body) = texts.meaning.definitions.get(*definition).map(|of| &of.body) else {
            continue;
        };
        if !indices.is_empty() {
            continue;
        }
        let own = uses::dimension_lists_in(body);
        for list in &own {
            for (which, one) in ends_of(of, *list, texts) {
                let counted = uses::replaced(body, &|node| match node.op {
                    Op::Field(field) if field == *list => Some(with(node, Op::List(vec![one.clone()]))),
                    _ => None,
                });
                let mut others = arguments.to_vec();
                if let Some(place) = others.get_mut(number) {
                    *place = counted;
                }
                let sentence = format!(
                    "in `{}` only the {which} of `{}` counts",
                    texts.of(of),
                    texts.field(*list)
                );
                all.push((Kind::OperandDropped, sentence, with(of, Op::Call(function, others))));
            }
        }
        lists.extend(own);
    }
    if let (Function::Ravel, [vector, sizes]) = (function, arguments) {
        if !lists.is_empty() {
            all.extend(in_tensor(of, vector, sizes, texts));
        }
        for list in lists {
            for (which, one) in ends_of(of, list, texts) {
                let sentence = format!(
                    "`{}` is the index along the {which} of `{}`",
                    texts.of(of),
                    texts.field(list)
                );
                all.push((Kind::AxisConfused, sentence, with(of, at(vector, one).op)));
            }
        }
    }
}

/// A place among some dimensions that is counted in the whole tensor.
fn in_tensor(of: &Node, vector: &Node, sizes: &Node, texts: &Texts<'_>) -> Option<Instead> {
    let (Op::Definition(definition, _), Some(own)) = (&sizes.op, texts.own) else {
        return None;
    };
    let body = &texts.meaning.definitions.get(*definition)?.body;
    let mut tensor = None;
    uses::visit(body, &mut |node| {
        if let Op::Prop(of, Prop::Sizes) = &node.op {
            tensor.get_or_insert_with(|| of.clone());
        }
    });
    let tensor = tensor?;
    let whole = binary(Binary::Add, slot(vector, Type::vector(), own), vector.clone());
    let arguments = vec![whole, prop(of, &tensor, Prop::Sizes)];
    let sentence = format!(
        "`{}` is the index in the whole tensor `{}`",
        texts.of(of),
        texts.tensor(&tensor)
    );
    Some((Kind::Index, sentence, with(of, Op::Call(Function::Ravel, arguments))))
}

/// The first element of a list, the greatest, and the least one.
fn ends_of(of: &Node, list: usize, texts: &Texts<'_>) -> [(&'static str, Node); 3] {
    let list = node(of, Type::vector(), Op::Field(list));
    let count = node(of, Type::Int, Op::Call(Function::Count, vec![list.clone()]));
    let each = texts.new_slot();
    let element = at(&list, slot(of, Type::Int, each));
    let range = range(each, int(of, 0), count);
    let extreme = |form| {
        reduction(
            of,
            Type::Int,
            (form, vec![range.clone()]),
            element.clone(),
            Some(int(of, 0)),
        )
    };
    [
        ("first", at(&list, int(of, 0))),
        ("greatest", extreme(Form::Max)),
        ("least", extreme(Form::Min)),
    ]
}
