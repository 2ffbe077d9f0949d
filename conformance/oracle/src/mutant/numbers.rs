//! Numbers that pass through another type, or of which a part counts.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Overflow, Rounding, TensorRef},
    },
    rule::typed::{Binary, Prop},
};

use super::{
    Kind,
    build::{binary, call, cast, cast_to, choice, int, node, with},
    idle,
    texts::{Instead, Texts},
    uses, words,
};

/// Numbers as another comparison sees them.
pub(super) fn keys(key: &Node, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Vec<Instead> {
    compared(key, other_numbers(key, tensor, texts), texts)
}

/// The same, without [`parts`].
pub(super) fn whole_keys(key: &Node, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Vec<Instead> {
    compared(key, with_effect(in_other_types(key, tensor, texts), key, texts), texts)
}

/// The same, of [`parts`] alone.
pub(super) fn part_keys(key: &Node, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Vec<Instead> {
    compared(key, parts(key, tensor, texts), texts)
}

fn compared(key: &Node, all: Vec<Instead>, texts: &Texts<'_>) -> Vec<Instead> {
    let text = texts.of(key);
    let all = all.into_iter();
    all.map(|(kind, how, other)| (kind, format!("`{text}` is compared {how}"), other))
        .collect()
}

/// Numbers that pass through another type, or of which a part is taken; with words for it. `tensor` holds such numbers.
pub(super) fn other_numbers(of: &Node, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Vec<Instead> {
    let mut all = in_other_types(of, tensor, texts);
    all.extend(parts(of, tensor, texts));
    all
}

/// Those that change something: elements of a tensor are numbers of many types.
pub(super) fn with_effect(mut all: Vec<Instead>, of: &Node, texts: &Texts<'_>) -> Vec<Instead> {
    if let Op::Read(tensor, _) = &of.op {
        let name = texts.tensor(tensor);
        let is_idle = |how: &str| {
            how.strip_prefix("as ")
                .is_some_and(|ty| idle::holds_all_of(ty, name, texts))
        };
        all.retain(|(_, how, _)| !is_idle(how));
    }
    all
}

fn in_other_types(of: &Node, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Vec<Instead> {
    let mut all = Vec::new();
    for name in ["FLOAT16", "FLOAT32", "FLOAT64"] {
        if let Some(data_type) = texts.data_type(name) {
            let narrow = cast(of, data_type, Rounding::NearestEven, Overflow::Infinity);
            // A place or a count stays a whole number.
            let narrow = match (&of.ty, texts.data_type("INT64")) {
                (Type::Int, Some(whole)) => cast(&narrow, whole, Rounding::TowardZero, Overflow::Saturate),
                _ => narrow,
            };
            all.push((Kind::Precision, format!("as {name}"), narrow));
        }
    }
    for name in ["INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64"] {
        if let Some(data_type) = texts.data_type(name) {
            let other = cast(of, data_type, Rounding::TowardZero, Overflow::Wrap);
            all.push((kind_of_whole(name, tensor, texts), format!("as {name}"), other));
        }
    }
    let magnitude = call(Function::Abs, of.ty.clone(), vec![of.clone()]);
    all.extend(magnitude.map(|node| (Kind::Signedness, "by its magnitude".to_owned(), node)));
    all
}

/// What a number loses in a whole type: its sign if its own type may have as many bits, else digits.
fn kind_of_whole(name: &str, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Kind {
    let Some(tensor) = tensor else {
        return Kind::Signedness;
    };
    let ty = texts.catalog.data_type_named(name);
    let other = ty.and_then(|ty| uses::other_sign(texts.catalog, ty));
    let is_other = |name: &str| other.is_some_and(|other| other.name == name);
    if uses::allows(texts.operator, texts.tensor(tensor), &is_other) {
        Kind::Signedness
    } else {
        Kind::Precision
    }
}

/// What a tensor keeps of a number that is written to it: of a whole one its low bits, whatever its sign.
pub(super) fn low_bits(number: &Node, tensor: &TensorRef) -> Option<Node> {
    let own = node(number, Type::DataType, Op::Prop(tensor.clone(), Prop::DataType));
    let is_float = call(Function::IsFloat, Type::Bool, vec![own.clone()])?;
    let bits = cast_to(number, own, Rounding::TowardZero, Overflow::Wrap);
    Some(with(number, choice(is_float, number.clone(), bits).op))
}

/// Words of numbers of 64 bits.
fn parts(of: &Node, tensor: Option<&TensorRef>, texts: &Texts<'_>) -> Vec<Instead> {
    let wide = tensor.and_then(|tensor| words::is_wide(of, tensor, texts));
    let (Some(is_wide), Some(int32)) = (wide, texts.data_type("INT32")) else {
        return Vec::new();
    };
    let half = 1_i128 << 32;
    let high = binary(Binary::Div, of.clone(), int(of, half));
    let low = cast(of, int32, Rounding::TowardZero, Overflow::Wrap);
    let upper = binary(Binary::Mul, high.clone(), int(of, half));
    let halves = binary(Binary::Add, upper, low);
    let if_wide = |part: Node| with(of, choice(is_wide.clone(), with(of, part.op), of.clone()).op);
    let kind = Kind::Signedness;
    vec![
        (kind, "by halves, the low one with a sign".to_owned(), if_wide(halves)),
        (kind, "by its high word".to_owned(), if_wide(high)),
    ]
}
