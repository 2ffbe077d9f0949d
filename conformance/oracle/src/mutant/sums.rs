//! Mistakes in how sums and other reductions go through their terms.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Kind as Form, Overflow, Reduction, Rounding, TensorRef},
    },
    rule::typed::Binary,
};

use super::{
    Kind,
    build::{
        self, at, binary, bound, call, cast, choice, compare, has_type, int, node, plus, reduction, slot, sum, with,
    },
    texts::{Again, Instead, Texts},
    uses,
};

/// Sizes of blocks after the last whole one of which an implementation may stop.
const TAILS: [i128; 5] = [2, 4, 8, 16, 32];

/// What is left after the last whole block is left out: only if there is such a block, or else `always`, as in a loop over
/// blocks without one over the rest after it.
pub(super) fn blocks(form: &Reduction, always: bool, texts: &Texts<'_>, again: &Again<'_>, all: &mut Vec<Instead>) {
    if !matches!(
        form.kind,
        Form::Sum | Form::Product | Form::Min | Form::Max | Form::All | Form::Any
    ) {
        return;
    }
    let [range] = form.binders.as_slice() else { return };
    for block in TAILS {
        let text = texts.of(&range.from);
        let (text, other) = match &range.to {
            Some(to) => {
                let count = binary(Binary::Sub, to.clone(), range.from.clone());
                let tail = binary(Binary::Rem, count.clone(), int(to, block));
                let whole = binary(Binary::Sub, to.clone(), tail);
                let end = match always {
                    true => whole,
                    false => choice(compare(Binary::Gt, count, int(to, block)), whole, to.clone()),
                };
                let other = again(&|form| {
                    if let Some(range) = form.binders.first_mut() {
                        range.to = Some(end.clone());
                    }
                });
                (format!("{text}..{}", texts.of(to)), other)
            }
            None => {
                let sizes = &range.from;
                let place = vec![slot(sizes, Type::vector(), range.slot), sizes.clone()];
                let place = call(Function::Ravel, Type::Int, place);
                let count = call(Function::Product, Type::Int, vec![sizes.clone()]);
                let Some((place, count)) = place.zip(count) else {
                    return;
                };
                let tail = binary(Binary::Rem, count.clone(), int(sizes, block));
                let whole = binary(Binary::Sub, count.clone(), tail);
                let end = match always {
                    true => whole,
                    false => choice(compare(Binary::Gt, count.clone(), int(sizes, block)), whole, count),
                };
                let inside = compare(Binary::Lt, place, end);
                let filter = and(form.filter.as_ref(), inside);
                (text, again(&|form| form.filter = Some(filter.clone())))
            }
        };
        let or_all = if always { ", all of it if there is none" } else { "" };
        let sentence = format!("of `{text}` what is left after the last whole block of {block} is left out{or_all}");
        all.push((Kind::Bounds, sentence, other));
    }
}

pub(super) fn and(filter: Option<&Node>, condition: Node) -> Node {
    match filter {
        Some(filter) => with(
            filter,
            Op::Logic(Binary::And, Box::new(filter.clone()), Box::new(condition)),
        ),
        None => condition,
    }
}

/// Points of a range that an implementation takes at once, and no others.
const FIRST: i128 = 256;

/// What comes after the first points is left out.
pub(super) fn beyond(form: &Reduction, texts: &Texts<'_>, again: &Again<'_>) -> Option<Instead> {
    let [range] = form.binders.as_slice() else { return None };
    let is_one = matches!(
        form.kind,
        Form::Sum
            | Form::Product
            | Form::Min
            | Form::Max
            | Form::All
            | Form::Any
            | Form::ArgMin
            | Form::ArgMax
            | Form::First
            | Form::Last
    );
    if !is_one {
        return None;
    }
    let text = texts.of(&range.from);
    let (text, other) = match &range.to {
        Some(to) => {
            let end = binary(Binary::Add, range.from.clone(), int(to, FIRST));
            let end = call(Function::Min, Type::Int, vec![to.clone(), end])?;
            let other = again(&|form| {
                if let Some(range) = form.binders.first_mut() {
                    range.to = Some(end.clone());
                }
            });
            (format!("{text}..{}", texts.of(to)), other)
        }
        None => {
            let place = vec![slot(&range.from, Type::vector(), range.slot), range.from.clone()];
            let place = call(Function::Ravel, Type::Int, place)?;
            let inside = compare(Binary::Lt, place, int(&range.from, FIRST));
            let filter = and(form.filter.as_ref(), inside);
            (text, again(&|form| form.filter = Some(filter.clone())))
        }
    };
    let sentence = format!("of `{text}` what comes after the first {FIRST} is left out");
    Some((Kind::Size, sentence, other))
}

/// Replaced for added: of a sum the term that comes first, or last, stands alone.
pub(super) fn one_term(of: &Node, form: &Reduction, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let (Form::Sum, [range], Some(body)) = (&form.kind, form.binders.as_slice(), &form.body) else {
        return;
    };
    let holds = form
        .filter
        .clone()
        .unwrap_or_else(|| node(of, Type::Bool, Op::Bool(true)));
    let (point, none) = match &range.to {
        Some(_) => (Type::Int, int(of, 0)),
        None => (Type::vector(), range.from.clone()),
    };
    let zero = if of.ty == Type::Real {
        node(of, Type::Real, Op::Real(0.0))
    } else {
        int(of, 0)
    };
    for (which, form) in [("first", Form::First), ("last", Form::Last)] {
        let found = reduction(
            of,
            point.clone(),
            (form, vec![range.clone()]),
            holds.clone(),
            Some(none.clone()),
        );
        let term = bound(range.slot, found, body.clone());
        let some = reduction(of, Type::Bool, (Form::Any, vec![range.clone()]), holds.clone(), None);
        let sentence = format!(
            "of `{}` the {which} term stands, instead of the sum of all",
            texts.of(of)
        );
        let other = choice(some, with(of, term.op), zero.clone());
        all.push((Kind::Operator, sentence, with(of, other.op)));
    }
}

/// Of an extreme the element whose key is the extreme.
pub(super) fn element_of(of: &Node, form: &Reduction, key: Node) -> Option<Node> {
    let ([range], Some(body)) = (form.binders.as_slice(), &form.body) else {
        return None;
    };
    let kind = match form.kind {
        Form::Min => Form::ArgMin,
        Form::Max => Form::ArgMax,
        _ => return None,
    };
    let point = if range.to.is_some() { Type::Int } else { Type::vector() };
    let mut found = form.clone();
    (found.kind, found.body) = (kind, Some(key));
    found.otherwise = Some(range.from.clone());
    let found = node(of, point, Op::Reduce(Box::new(found)));
    let element = bound(range.slot, found, body.clone());
    // Of nothing there is no element.
    let holds = node(of, Type::Bool, Op::Bool(true));
    let some = reduction(of, Type::Bool, (Form::Any, vec![range.clone()]), holds, None);
    let nothing = form.otherwise.clone().map(|nothing| with(of, nothing.op));
    let chosen = match nothing {
        Some(nothing) => choice(some, with(of, element.op), nothing),
        None => element,
    };
    Some(with(of, chosen.op))
}

/// A greatest element that is at least the smallest positive normal number, or 0 of whole numbers.
pub(super) fn starts_at_least_normal(of: &Node, tensor: &TensorRef, texts: &Texts<'_>) -> Option<Instead> {
    let mut start = int(of, 0);
    for (name, least) in uses::LEAST_NORMAL {
        let is_it = has_type(of, tensor, texts.data_type(name)?);
        let least = node(of, of.ty.clone(), Op::Real(least));
        start = with(of, choice(is_it, least, start).op);
    }
    let other = call(Function::Max, of.ty.clone(), vec![of.clone(), start])?;
    let sentence = format!("`{}` starts at the smallest positive number", texts.of(of));
    Some((Kind::Bounds, sentence, other))
}

/// A sum of FLOAT16 elements that is rounded to FLOAT16 after each term.
pub(super) fn added_in_half(of: &Node, texts: &Texts<'_>) -> Option<Node> {
    let Op::Reduce(form) = &of.op else { return None };
    if form.kind != Form::Sum || of.ty == Type::Int {
        return None;
    }
    let half = texts.data_type("FLOAT16")?;
    let tensor = uses::read_in(form.body.as_ref()?)?;
    if !uses::allows(texts.operator, texts.tensor(tensor), &|name| name == "FLOAT16") {
        return None;
    }
    let added = rounded_each_time(of, form, half, texts)?;
    Some(with(
        of,
        choice(has_type(of, tensor, half), with(of, added.op), of.clone()).op,
    ))
}

/// A sum or product that is rounded to a type after each term, in the order of the terms: what an implementation computes
/// in this type. A bound on every order would hold the right result too.
pub(super) fn rounded_each_time(of: &Node, form: &Reduction, data_type: u32, texts: &Texts<'_>) -> Option<Node> {
    let ([range], Some(body)) = (form.binders.as_slice(), &form.body) else {
        return None;
    };
    let (step, state) = (texts.new_slot(), texts.new_slot());
    let number = slot(of, Type::Int, step);
    let (point, count) = match &range.to {
        Some(to) => (
            binary(Binary::Add, range.from.clone(), number),
            binary(Binary::Sub, to.clone(), range.from.clone()),
        ),
        None => (
            node(
                of,
                Type::vector(),
                Op::Call(Function::Unravel, vec![number, range.from.clone()]),
            ),
            call(Function::Product, Type::Int, vec![range.from.clone()])?,
        ),
    };
    let before = node(of, Type::Real, Op::Slot(state));
    let rounded = |value: Node| cast(&value, data_type, Rounding::NearestEven, Overflow::Infinity);
    let term = rounded(node(body, Type::Real, body.op.clone()));
    let (start, next) = match form.kind {
        Form::Sum | Form::PrefixSum => (0.0, sum(before.clone(), term)),
        Form::Product | Form::PrefixProduct => (1.0, binary(Binary::Mul, before.clone(), term)),
        _ => return None,
    };
    let next = rounded(next);
    let next = match &form.filter {
        Some(filter) => choice(filter.clone(), next, before),
        None => next,
    };
    let start = node(of, Type::Real, Op::Real(start));
    let steps = vec![build::range(step, int(of, 0), count.clone())];
    let states = Type::List(Box::new(Type::Real));
    let body_at = bound(range.slot, point, next);
    let scanned = reduction(of, states, (Form::Scan(state, start), steps), body_at, None);
    match form.kind {
        Form::PrefixSum | Form::PrefixProduct => Some(scanned),
        _ => {
            let last = at(&scanned, plus(&count, -1));
            Some(with(of, last.op))
        }
    }
}
