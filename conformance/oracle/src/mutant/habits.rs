//! Mistakes that an implementation makes wherever it can.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Bound, Kind as Form, Reduction, Rounding},
    },
    rule::typed::Binary,
};

use super::{
    Kind,
    build::{at, call, choice, compare, int, node, range, reduction, slot, with},
    texts::{Instead, Texts},
    uses,
};

/// What one such mistake makes of a part. The sentences are the same for all parts.
pub(super) fn instead(of: &Node, texts: &Texts<'_>) -> Vec<Instead> {
    let mut all = Vec::new();
    match &of.op {
        Op::Cast(cast) if cast.value.ty != Type::Int => {
            let (rounding, sentence) = match cast.rounding {
                Rounding::TowardZero => (Rounding::NearestEven, "to the nearest instead of toward zero"),
                Rounding::NearestEven => (Rounding::TowardZero, "toward zero instead of to the nearest"),
                _ => return all,
            };
            let mut other = cast.clone();
            other.rounding = rounding;
            all.push((
                Kind::Rounding,
                format!("numbers are rounded {sentence}"),
                with(of, Op::Cast(other)),
            ));
        }
        Op::Reduce(form) => all.extend(from_zero(of, form, texts).map(|node| {
            let sentence = "the least or greatest element is looked for from 0 on, at the first place";
            (Kind::Bounds, sentence.to_owned(), node)
        })),
        Op::Call(Function::Contains, arguments) => {
            if let [dimensions, sought] = arguments.as_slice() {
                all.extend(from_least_on(of, dimensions, sought, texts));
            }
        }
        _ => {}
    }
    all
}

/// A dimension of a list that is taken for all from the least of the list on.
fn from_least_on(of: &Node, dimensions: &Node, sought: &Node, texts: &Texts<'_>) -> Option<Instead> {
    let Op::Field(field) = dimensions.op else { return None };
    let count = call(Function::Count, Type::Int, vec![dimensions.clone()])?;
    let each = texts.new_slot();
    let some = compare(Binary::Gt, count.clone(), int(of, 0));
    let bounds = vec![range(each, int(of, 0), count)];
    let element = at(dimensions, slot(of, Type::Int, each));
    let least = reduction(of, Type::Int, (Form::Min, bounds), element, Some(int(of, 0)));
    let reached = compare(Binary::Ge, sought.clone(), least);
    let sentence = format!(
        "`{}` is taken for every dimension from its least on",
        texts.field(field)
    );
    let both = Op::Logic(Binary::And, Box::new(some), Box::new(reached));
    Some((Kind::AxisConfused, sentence, with(of, both)))
}

/// An extreme, or its place, that is looked for from 0 on.
fn from_zero(of: &Node, form: &Reduction, texts: &Texts<'_>) -> Option<Node> {
    let ([range], Some(body)) = (form.binders.as_slice(), &form.body) else {
        return None;
    };
    let extreme = |function| call(function, of.ty.clone(), vec![of.clone(), int(of, 0)]);
    match form.kind {
        Form::Min => extreme(Function::Min),
        Form::Max => extreme(Function::Max),
        Form::ArgMin | Form::ArgMax => {
            let (kind, sign) = match form.kind {
                Form::ArgMin => (Form::Min, Binary::Lt),
                _ => (Form::Max, Binary::Gt),
            };
            let nothing = Some(int(of, 0));
            let best = reduction(of, body.ty.clone(), (kind, vec![range.clone()]), body.clone(), nothing);
            let is_beyond = compare(sign, best, int(of, 0));
            Some(with(of, choice(is_beyond, of.clone(), start(of, range, texts)?).op))
        }
        // The places of an extreme that no element may be.
        Form::First | Form::Last if looks_for_extreme(body, texts) => {
            let mut other = form.clone();
            other.otherwise = Some(start(of, range, texts)?);
            Some(with(of, Op::Reduce(Box::new(other))))
        }
        _ => None,
    }
}

fn looks_for_extreme(body: &Node, texts: &Texts<'_>) -> bool {
    let mut found = false;
    uses::visit(body, &mut |node| {
        if let Op::Definition(definition, _) = &node.op
            && let Some(of) = texts.meaning.definitions.get(*definition)
            && let Op::Reduce(form) = &of.body.op
        {
            found |= matches!(form.kind, Form::Min | Form::Max);
        }
    });
    found
}

/// The first point of a range.
fn start(of: &Node, first: &Bound, texts: &Texts<'_>) -> Option<Node> {
    if first.to.is_some() {
        return Some(first.from.clone());
    }
    let count = call(Function::Count, Type::Int, vec![first.from.clone()])?;
    let each = vec![range(texts.new_slot(), int(of, 0), count)];
    let zero = node(of, Type::Int, Op::Int(0));
    Some(reduction(of, Type::vector(), (Form::List, each), zero, None))
}
