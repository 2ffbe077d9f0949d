//! Mistakes in where an element is read.

use dml_spec::{
    meaning::{Function, Node, Op, Type, typed::TensorRef},
    rule::typed::{Binary, Prop},
};

use super::{
    Kind,
    build::{at, binary, bound, call, int, plus, prop, replaced, slot, with},
    numbers,
    texts::{Instead, Texts},
    uses,
};

pub(super) fn read(of: &Node, tensor: &TensorRef, index: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let again = |index: Node| with(of, Op::Read(tensor.clone(), Box::new(index)));
    let name = texts.tensor(tensor);
    let rank = prop(of, tensor, Prop::DimensionCount);
    let ends = [
        ("first", int(of, 0)),
        ("second", int(of, 1)),
        ("last", plus(&rank, -1)),
        ("last but one", plus(&rank, -2)),
        ("last but two", plus(&rank, -3)),
    ];
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
    if !matches!(index.op, Op::Slot(_)) {
        let (vector, last) = (texts.new_slot(), plus(&rank, -1));
        let whole = slot(of, index.ty.clone(), vector);
        let size = at(&prop(of, tensor, Prop::Sizes), last.clone());
        let mirrored = binary(Binary::Sub, plus(&size, -1), at(&whole, last.clone()));
        let sentence = format!("`{name}` is read from the last element to the first along its last dimension");
        let turned = replaced(&whole, last, mirrored);
        all.push((Kind::Index, sentence, again(bound(vector, index.clone(), turned))));
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
    if of.ty == Type::Int {
        whole(of, texts, all);
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

/// Whole numbers that are read, such as indices: by their magnitude, in another type, or brought into a range.
fn whole(of: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let text = texts.of(of);
    for (kind, how, other) in numbers::with_effect(numbers::other_numbers(of, uses::read_in(of), texts), of, texts) {
        all.push((kind, format!("`{text}` is read {how}"), other));
    }
    let zero = call(Function::Max, Type::Int, vec![of.clone(), int(of, 0)]);
    all.extend(zero.map(|node| (Kind::Index, format!("a negative `{text}` is taken for 0"), node)));
    for size in &texts.sizes {
        let modulo = binary(Binary::Rem, of.clone(), size.clone());
        all.push((
            Kind::Index,
            format!("`{text}` is taken modulo `{}`", texts.of(size)),
            modulo,
        ));
        let clamped = call(Function::Min, Type::Int, vec![of.clone(), plus(size, -1)]);
        let sentence = format!(
            "`{text}` is taken for the last of `{}` if it lies after that",
            texts.of(size)
        );
        all.extend(clamped.map(|node| (Kind::Index, sentence, node)));
    }
}
