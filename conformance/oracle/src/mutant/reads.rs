//! Mistakes in where an element is read.

use dml_spec::{
    meaning::{Function, Node, Op, typed::TensorRef},
    rule::typed::{Binary, Prop},
};

use super::{
    Kind,
    build::{at, binary, bound, call, int, plus, prop, replaced, slot, with},
    expressions::Instead,
    list::Texts,
};

pub(super) fn read(of: &Node, tensor: &TensorRef, index: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let again = |index: Node| with(of, Op::Read(tensor.clone(), Box::new(index)));
    let name = texts.tensor(tensor);
    let rank = prop(of, tensor, Prop::DimensionCount);
    let ends = [("first", int(of, 0)), ("last", plus(&rank, -1))];
    for (which, dimension) in ends {
        let sentence = format!("`{name}` is read at 0 along its {which} dimension");
        all.push((
            Kind::AxisConfused,
            sentence,
            again(replaced(index, dimension, int(of, 0))),
        ));
    }
    let pairs = [
        ("first", int(of, 0), int(of, 1)),
        ("last", plus(&rank, -2), plus(&rank, -1)),
    ];
    for (which, x, y) in pairs {
        let vector = texts.new_slot();
        let whole = slot(of, index.ty.clone(), vector);
        let half = replaced(&whole, x.clone(), at(&whole, y.clone()));
        let exchanged = replaced(&half, y, at(&whole, x));
        let sentence = format!("the {which} two coordinates of `{name}` are exchanged");
        all.push((
            Kind::AxisConfused,
            sentence,
            again(bound(vector, index.clone(), exchanged)),
        ));
    }
    if let Op::With(list, dimension, value) = &index.op
        && !matches!(value.op, Op::Slot(_) | Op::Int(_))
    {
        let size = at(&prop(of, tensor, Prop::Sizes), (**dimension).clone());
        let last = plus(&size, -1);
        let mirrored = binary(Binary::Sub, last.clone(), (**value).clone());
        let modulo = binary(Binary::Rem, (**value).clone(), size);
        let mut ways = vec![("mirrored", Some(mirrored)), ("taken modulo the size", Some(modulo))];
        let whole = |function, arguments| call(function, value.ty.clone(), arguments);
        let lower = whole(Function::Max, vec![(**value).clone(), int(of, 0)]);
        ways.push((
            "clamped to the size",
            lower.and_then(|lower| whole(Function::Min, vec![lower, last])),
        ));
        ways.push(("taken by its magnitude", whole(Function::Abs, vec![(**value).clone()])));
        for (how, value) in ways {
            let Some(value) = value else { continue };
            let sentence = format!("the index `{}` is {how}", texts.of(dimension));
            all.push((
                Kind::Index,
                sentence,
                again(replaced(list, (**dimension).clone(), value)),
            ));
        }
    }
    for (other, name_of_other) in texts.other_inputs(tensor) {
        let sentence = format!("`{name_of_other}` is read instead of `{name}`");
        let tensor = TensorRef {
            field: other,
            element: None,
        };
        all.push((
            Kind::OperandsSwapped,
            sentence,
            with(of, Op::Read(tensor, Box::new(index.clone()))),
        ));
    }
}
