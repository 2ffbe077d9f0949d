//! Mistakes in forms that bind variables: sums, extremes, orders.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Bound, Kind as Form, Reduction},
    },
    rule::typed::Binary,
};

use super::{
    Kind,
    build::{at, binary, bound, call, compare, int, list, node, plus, slot, with},
    halves, numbers, sums,
    texts::{Again, Instead, Texts},
    uses, words,
};

/// What one small mistake makes of a form.
pub(super) fn form(of: &Node, form: &Reduction, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let again = |change: &dyn Fn(&mut Reduction)| {
        let mut other = form.clone();
        change(&mut other);
        with(of, Op::Reduce(Box::new(other)))
    };
    let what = texts.of(of);
    let others: &[(Form, &str)] = match form.kind {
        Form::Sum => &[(Form::Max, "the greatest"), (Form::Product, "a product")],
        Form::Product => &[(Form::Sum, "a sum")],
        Form::Min => &[(Form::Max, "the greatest")],
        Form::Max => &[(Form::Min, "the least")],
        Form::All => &[(Form::Any, "any")],
        Form::Any => &[(Form::All, "all")],
        Form::First => &[(Form::Last, "the last")],
        Form::Last => &[(Form::First, "the first")],
        Form::ArgMin => &[(Form::ArgMax, "the place of the greatest")],
        Form::ArgMax => &[(Form::ArgMin, "the place of the least")],
        Form::PrefixSum => &[(Form::PrefixProduct, "products")],
        Form::PrefixProduct => &[(Form::PrefixSum, "sums")],
        _ => &[],
    };
    for (kind, word) in others {
        let other = again(&|form| form.kind = kind.clone());
        all.push((Kind::Operator, format!("`{what}` is computed as {word}"), other));
    }
    if let Form::Order(Some(direction)) = &form.kind {
        for value in [0, 1] {
            let sentence = format!("`{}` is taken for {value}", texts.of(direction));
            let constant = int(direction, value);
            all.push((
                Kind::Branch,
                sentence,
                again(&|form| form.kind = Form::Order(Some(constant.clone()))),
            ));
        }
    }
    if let Some(filter) = &form.filter {
        let sentence = format!("`{}` is not looked at", texts.of(filter));
        all.push((Kind::OperandDropped, sentence, again(&|form| form.filter = None)));
    }
    ranges(form, texts, &again, all);
    sums::blocks(form, false, texts, &again, all);
    all.extend(halves::by_halves(form, texts, &again));
    all.extend(sums::beyond(form, texts, &again));
    all.extend(words::without_carry(of, form, texts, &again));
    sums::one_term(of, form, texts, all);
    ties(of, form, texts, all);
    other_ways(of, form, texts, &again, all);
    sums::blocks(form, true, texts, &again, all);
}

/// First and last points that are left out, or one too many.
fn ranges(form: &Reduction, texts: &Texts<'_>, again: &Again<'_>, all: &mut Vec<Instead>) {
    for (at, range) in form.binders.iter().enumerate() {
        let text = texts.of(&range.from);
        let Some(to) = &range.to else {
            if matches!(
                form.kind,
                Form::List | Form::Order(_) | Form::PrefixSum | Form::PrefixProduct | Form::Scan(..)
            ) {
                continue;
            }
            let place = call(
                Function::Ravel,
                Type::Int,
                vec![slot(&range.from, Type::vector(), range.slot), range.from.clone()],
            );
            let count = call(Function::Product, Type::Int, vec![range.from.clone()]);
            let Some((place, count)) = place.zip(count) else {
                continue;
            };
            for (which, end) in [("first", int(&range.from, 0)), ("last", plus(&count, -1))] {
                let inside = compare(Binary::Ne, place.clone(), end);
                let filter = match &form.filter {
                    Some(filter) => with(
                        filter,
                        Op::Logic(Binary::And, Box::new(filter.clone()), Box::new(inside)),
                    ),
                    None => inside,
                };
                let sentence = format!("the {which} element of `{text}` is left out");
                all.push((
                    Kind::Bounds,
                    sentence,
                    again(&|form| form.filter = Some(filter.clone())),
                ));
            }
            continue;
        };
        let ends: [(Kind, &str, i128, i128); 4] = [
            (Kind::Bounds, "the first element is left out", 1, 0),
            (Kind::Bounds, "the last element is left out", 0, -1),
            (Kind::OffByOne, "one element before the first is taken", -1, 0),
            (Kind::OffByOne, "one element after the last is taken", 0, 1),
        ];
        let keeps = matches!(
            form.kind,
            Form::List | Form::Order(_) | Form::PrefixSum | Form::PrefixProduct
        );
        for (kind, sentence, by_from, by_to) in ends {
            if keeps && by_from + by_to != 0 {
                continue;
            }
            let sentence = format!("of `{text}..{}` {sentence}", texts.of(to));
            all.push((
                kind,
                sentence,
                again(&|form| {
                    if let Some(Bound { from, to: Some(to), .. }) = form.binders.get_mut(at) {
                        (*from, *to) = (plus(from, by_from), plus(to, by_to));
                    }
                }),
            ));
        }
    }
}

/// Of equal keys the last one instead of the first one: what is found in the mirrored range, mirrored.
fn ties(of: &Node, form: &Reduction, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    if !matches!(form.kind, Form::Order(_) | Form::ArgMin | Form::ArgMax) {
        return;
    }
    let ([range], Some(body)) = (form.binders.as_slice(), &form.body) else {
        return;
    };
    let Some(to) = &range.to else {
        return mirrored_vectors(of, form, range, body, texts, all);
    };
    let variable = texts.new_slot();
    let ends = plus(&binary(Binary::Add, range.from.clone(), to.clone()), -1);
    let mirror = |number: Node| binary(Binary::Sub, ends.clone(), number);
    let mut other = form.clone();
    if let Some(first) = other.binders.first_mut() {
        first.slot = variable;
    }
    let within = |node: &Node| bound(range.slot, mirror(slot(body, Type::Int, variable)), node.clone());
    other.body = Some(within(body));
    other.filter = form.filter.as_ref().map(within);
    // What stands for nothing is mirrored back.
    other.otherwise = form.otherwise.clone().map(mirror);
    let found = with(of, Op::Reduce(Box::new(other)));
    let result = if matches!(form.kind, Form::Order(_)) {
        let (all, each) = (texts.new_slot(), texts.new_slot());
        let found_list = slot(of, of.ty.clone(), all);
        let count = binary(Binary::Sub, to.clone(), range.from.clone());
        let item = mirror(at(&found_list, slot(of, Type::Int, each)));
        bound(all, found, list(each, count, item))
    } else {
        mirror(found)
    };
    let sentence = format!("of equal values in `{}` the last one comes first", texts.of(of));
    all.push((Kind::TieOrder, sentence, with(of, result.op)));
}

fn mirrored_vectors(
    of: &Node,
    form: &Reduction,
    range: &Bound,
    body: &Node,
    texts: &Texts<'_>,
    all: &mut Vec<Instead>,
) {
    let variable = texts.new_slot();
    let (sizes, each) = (&range.from, texts.new_slot());
    let Some(count) = call(Function::Count, Type::Int, vec![sizes.clone()]) else {
        return;
    };
    let mirror = |vector: &Node| {
        let dimension = || slot(of, Type::Int, each);
        let item = binary(Binary::Sub, plus(&at(sizes, dimension()), -1), at(vector, dimension()));
        list(each, count.clone(), item)
    };
    let mut other = form.clone();
    if let Some(first) = other.binders.first_mut() {
        first.slot = variable;
    }
    let within = |node: &Node| bound(range.slot, mirror(&slot(body, Type::vector(), variable)), node.clone());
    other.body = Some(within(body));
    other.filter = form.filter.as_ref().map(within);
    other.otherwise = form.otherwise.as_ref().map(mirror);
    let found = texts.new_slot();
    let result = bound(
        found,
        with(of, Op::Reduce(Box::new(other))),
        mirror(&slot(of, Type::vector(), found)),
    );
    let sentence = format!("of equal values in `{}` the last one is taken", texts.of(of));
    all.push((Kind::TieOrder, sentence, with(of, result.op)));
}

/// Numbers that are compared or added up in another way.
fn other_ways(of: &Node, form: &Reduction, texts: &Texts<'_>, again: &Again<'_>, all: &mut Vec<Instead>) {
    let Some(body) = &form.body else { return };
    if matches!(
        form.kind,
        Form::Order(_) | Form::ArgMin | Form::ArgMax | Form::Min | Form::Max
    ) && body.ty.is_number()
    {
        let tensor = uses::read_in(body);
        let others = numbers::whole_keys(body, tensor, texts)
            .into_iter()
            .map(|key| (key, false));
        let parts = numbers::part_keys(body, tensor, texts)
            .into_iter()
            .map(|key| (key, true));
        for ((kind, sentence, key), is_part) in others.chain(parts) {
            let compared = again(&|form| form.body = Some(key.clone()));
            // A number is not what a part of it is: the extreme is the element of which it is the part.
            let element = is_part.then(|| sums::element_of(of, form, key)).flatten();
            all.push((kind, sentence, element.unwrap_or(compared)));
        }
    }
    if matches!(form.kind, Form::Min | Form::Max) {
        let function = if form.kind == Form::Min {
            Function::Min
        } else {
            Function::Max
        };
        let start = call(function, of.ty.clone(), vec![of.clone(), int(of, 0)]);
        let sentence = format!("`{}` starts at 0", texts.of(of));
        all.extend(start.map(|start| (Kind::Bounds, sentence, start)));
    }
    if let (Form::Max, Some(tensor)) = (&form.kind, uses::read_in(body))
        && body.ty == Type::Number
    {
        all.extend(sums::starts_at_least_normal(of, tensor, texts));
    }
    if matches!(
        form.kind,
        Form::Sum | Form::Product | Form::PrefixSum | Form::PrefixProduct
    ) {
        for name in ["FLOAT16", "FLOAT32"] {
            let Some(data_type) = texts.data_type(name) else {
                continue;
            };
            let in_type = || {
                let data_type = node(of, Type::DataType, Op::Int(data_type.into()));
                with(of, Op::InType(Box::new(data_type), Box::new(of.clone())))
            };
            let narrow = match of.ty {
                Type::Int => None,
                _ => sums::rounded_each_time(of, form, data_type, texts),
            };
            let sentence = format!("`{}` is computed in {name}", texts.of(of));
            all.push((Kind::Precision, sentence, narrow.unwrap_or_else(in_type)));
        }
        all.extend(words::narrow(of, form, texts, again));
    }
}
