//! Sums that are added up by halves.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Kind as Form, Reduction},
    },
    rule::{ast::Bits, typed::Binary},
};

use super::{
    Kind,
    build::{at, binary, bound, call, choice, compare, int, node, plus, range, reduction, slot, with},
    sums::and,
    texts::{Again, Instead, Texts},
};

/// How often at most a sum is halved: sums of more terms than 2 to this power are followed so far.
const HALVES: i128 = 12;

/// The upper half of the terms is added to the lower one until one is left; an odd last one is dropped each time.
pub(super) fn by_halves(form: &Reduction, texts: &Texts<'_>, again: &Again<'_>) -> Option<Instead> {
    let ([range], Form::Sum) = (form.binders.as_slice(), &form.kind) else {
        return None;
    };
    let (place, count) = match &range.to {
        Some(to) => (
            binary(Binary::Sub, slot(to, Type::Int, range.slot), range.from.clone()),
            binary(Binary::Sub, to.clone(), range.from.clone()),
        ),
        None => {
            let place = vec![slot(&range.from, Type::vector(), range.slot), range.from.clone()];
            (
                call(Function::Ravel, Type::Int, place)?,
                call(Function::Product, Type::Int, vec![range.from.clone()])?,
            )
        }
    };
    let filter = and(form.filter.as_ref(), is_kept(place, count, texts));
    let sentence = "sums are added up by halves, and an odd last term is dropped each time".to_owned();
    Some((
        Kind::Bounds,
        sentence,
        again(&|form| form.filter = Some(filter.clone())),
    ))
}

/// Whether the term at a place is among those that come together.
fn is_kept(place: Node, count: Node, texts: &Texts<'_>) -> Node {
    let (all, step, state) = (texts.new_slot(), texts.new_slot(), texts.new_slot());
    let number = |of: usize| slot(&place, Type::Int, of);
    let shift = plus(&number(step), 1);
    let half = with(&place, Op::Bits(Bits::Right, Box::new(number(all)), Box::new(shift)));
    let twice = binary(Binary::Mul, half.clone(), int(&place, 2));
    let lost = int(&place, -1);
    let moved = binary(Binary::Rem, number(state), half.clone());
    let halved = choice(compare(Binary::Ge, number(state), twice), lost, moved);
    let more = choice(compare(Binary::Eq, half, int(&place, 0)), number(state), halved);
    let next = choice(compare(Binary::Lt, number(state), int(&place, 0)), number(state), more);
    let steps = vec![range(step, int(&place, 0), int(&place, HALVES))];
    let places = Type::List(Box::new(Type::Int));
    let scanned = reduction(&place, places, (Form::Scan(state, place.clone()), steps), next, None);
    let last = at(&scanned, int(&place, HALVES - 1));
    let kept = compare(Binary::Ge, last, int(&place, 0));
    node(&place, Type::Bool, bound(all, count, kept).op)
}
