//! Whole numbers of 64 bits that are computed word by word.

use dml_spec::{
    meaning::{
        Node, Op, Type,
        typed::{Kind as Form, Overflow, Reduction, Rounding, TensorRef},
    },
    rule::typed::Binary,
};

use super::{
    Kind,
    build::{at, binary, bound, cast, choice, has_type, int, node, range, reduction, slot, sum, with},
    texts::{Again, Instead, Texts},
    uses,
};

/// The types of whole numbers of two words.
const WIDE: [&str; 2] = ["INT64", "UINT64"];

/// Whether a tensor holds whole numbers of 64 bits; `None` if it never does.
pub(super) fn is_wide(of: &Node, tensor: &TensorRef, texts: &Texts<'_>) -> Option<Node> {
    let name = texts.tensor(tensor);
    let allowed = WIDE
        .iter()
        .filter(|wide| uses::allows(texts.operator, name, &|of| of == **wide));
    let is_it = allowed.filter_map(|wide| Some(has_type(of, tensor, texts.data_type(wide)?)));
    is_it.reduce(|x, y| node(of, Type::Bool, Op::Logic(Binary::Or, Box::new(x), Box::new(y))))
}

/// Whole sums and products that are reckoned in 32 bits: of one type, or each with the sign of its own type.
pub(super) fn narrow(of: &Node, form: &Reduction, texts: &Texts<'_>, again: &Again<'_>) -> Vec<Instead> {
    let Some(body) = &form.body else { return Vec::new() };
    let (Some(signed), Some(unsigned)) = (texts.data_type("INT32"), texts.data_type("UINT32")) else {
        return Vec::new();
    };
    let in_type = |ty: u32| {
        let word = |x: &Node| cast(x, ty, Rounding::TowardZero, Overflow::Wrap);
        let term = word(body);
        each(again(&|form| form.body = Some(term.clone())), form, texts, &word)
    };
    let text = texts.of(body);
    let mut all = Vec::new();
    for (name, ty) in [("INT32", signed), ("UINT32", unsigned)] {
        let added = in_type(ty).map(|node| (Kind::Precision, format!("`{text}` is added up in {name}"), node));
        all.extend(added);
    }
    let own_sign = || {
        let tensor = uses::read_in(body)?;
        let allows = |wide: &str| uses::allows(texts.operator, texts.tensor(tensor), &|of| of == wide);
        if !WIDE.into_iter().all(allows) {
            return None;
        }
        let [is_signed, is_unsigned] = WIDE.map(|wide| Some(has_type(of, tensor, texts.data_type(wide)?)));
        let rest = with(of, choice(is_unsigned?, in_type(unsigned)?, of.clone()).op);
        let node = with(of, choice(is_signed?, in_type(signed)?, rest).op);
        Some((Kind::Precision, format!("`{text}` of 64 bits is added up in 32"), node))
    };
    all.extend(own_sign());
    all
}

/// A sum or product with a change, or each one of a row of them.
fn each(all: Node, form: &Reduction, texts: &Texts<'_>, change: &dyn Fn(&Node) -> Node) -> Option<Node> {
    if matches!(form.kind, Form::Sum | Form::Product) {
        return Some(change(&all));
    }
    let [range_of] = form.binders.as_slice() else {
        return None;
    };
    let (list_of, place, body) = (texts.new_slot(), texts.new_slot(), form.body.as_ref()?);
    let count = binary(Binary::Sub, range_of.to.clone()?, range_of.from.clone());
    let item = at(&slot(&all, all.ty.clone(), list_of), slot(&all, Type::Int, place));
    let places = vec![range(place, int(&all, 0), count)];
    let changed = change(&with(body, item.op));
    let list = reduction(&all, all.ty.clone(), (Form::List, places), changed, None);
    Some(bound(list_of, all, list))
}

/// Sums of both words of which the low one's does not carry.
pub(super) fn without_carry(of: &Node, form: &Reduction, texts: &Texts<'_>, again: &Again<'_>) -> Option<Instead> {
    let ([range_of], Some(body)) = (form.binders.as_slice(), &form.body) else {
        return None;
    };
    if !matches!(form.kind, Form::Sum | Form::PrefixSum) || body.ty != Type::Number {
        return None;
    }
    let wide = is_wide(of, uses::read_in(body)?, texts)?;
    let unsigned = texts.data_type("UINT32")?;
    let low_word = |x: &Node| cast(x, unsigned, Rounding::TowardZero, Overflow::Wrap);
    let half = 1_i128 << 32;
    let low = low_word(body);
    let rest = with(body, Op::Chain(vec![(false, body.clone()), (true, low.clone())]));
    let high = with(body, Op::Binary(Binary::Div, Box::new(rest), Box::new(int(body, half))));
    let [highs, lows] = [high, low].map(|word| again(&|form| form.body = Some(word.clone())));
    let joined = |high: Node, low: Node| {
        let upper = with(body, Op::Binary(Binary::Mul, Box::new(high), Box::new(int(body, half))));
        sum(upper, low_word(&low))
    };
    let words = if form.kind == Form::Sum {
        joined(highs, lows)
    } else {
        let (to, each) = (range_of.to.as_ref()?, texts.new_slot());
        let (high, low) = (texts.new_slot(), texts.new_slot());
        let element = |list: usize| {
            let list = slot(of, of.ty.clone(), list);
            with(body, at(&list, slot(of, Type::Int, each)).op)
        };
        let count = binary(Binary::Sub, to.clone(), range_of.from.clone());
        let places = vec![range(each, int(of, 0), count)];
        let item = joined(element(high), element(low));
        let list = reduction(of, of.ty.clone(), (Form::List, places), item, None);
        bound(high, highs, bound(low, lows, list))
    };
    let sentence = format!("`{}` is added up word by word, without a carry", texts.of(body));
    Some((
        Kind::Precision,
        sentence,
        with(of, choice(wide, with(of, words.op), of.clone()).op),
    ))
}
