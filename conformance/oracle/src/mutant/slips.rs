//! Expressions of another form: what is done at another place, in another order, or in one way for two.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Kind as Form, Reduction, TensorRef},
    },
    rule::typed::{Binary, Prop},
};

use super::{
    Kind,
    build::{at, binary, bound, call, choice, compare, int, list, node, plus, prop, slot, with},
    numbers, sums,
    texts::{Instead, Texts},
    uses,
};

/// What such a mistake makes of a part.
pub(super) fn instead(of: &Node, texts: &Texts<'_>) -> Vec<Instead> {
    let mut all = Vec::new();
    match &of.op {
        Op::If(condition, yes, no) => extremes(of, condition, (yes, no), texts, &mut all),
        Op::Binary(Binary::Add, x, y) => {
            in_one_branch(of, texts, &mut all);
            all.extend(nested_otherwise(of, x, y, texts));
        }
        Op::Reduce(form) => {
            all.extend(outside(of, form, texts));
            all.extend(negated(of, form, texts));
        }
        Op::Call(function, arguments) => called(of, *function, arguments, texts, &mut all),
        Op::At(sizes, index) => of_an_end(of, sizes, index, texts, &mut all),
        Op::Let(slot, value, body) => applied_to_one(of, (*slot, value, body), texts, &mut all),
        _ => {}
    }
    all
}

/// Whether a mistake makes numbers that leave the range of their type on the way.
pub(super) fn overflows(of: &Node, kind: Kind) -> bool {
    matches!(of.op, Op::Call(Function::Exp, _)) && kind == Kind::OperandDropped
}

fn called(of: &Node, function: Function, arguments: &[Node], texts: &Texts<'_>, all: &mut Vec<Instead>) {
    match (function, arguments) {
        (Function::Ravel | Function::Unravel, [what, sizes]) => {
            all.extend(first_fastest(of, function, (what, sizes), texts));
        }
        (Function::Exp, [argument]) => {
            all.extend(unshifted(of, argument, texts));
            all.extend(inside(of, function, argument, texts));
        }
        (_, [argument]) => all.extend(inside(of, function, argument, texts)),
        _ => {}
    }
}

/// Places in row-major order that are counted with the first dimension as the fastest.
fn first_fastest(of: &Node, function: Function, (what, sizes): (&Node, &Node), texts: &Texts<'_>) -> Option<Instead> {
    let turned_sizes = reversed(sizes, texts)?;
    let instead = match function {
        Function::Ravel => with(of, Op::Call(function, vec![reversed(what, texts)?, turned_sizes])),
        _ => reversed(&with(of, Op::Call(function, vec![what.clone(), turned_sizes])), texts)?,
    };
    let sentence = format!("`{}` is counted with the first dimension as the fastest", texts.of(of));
    Some((Kind::AxisConfused, sentence, instead))
}

/// A list from its last element to its first.
fn reversed(of: &Node, texts: &Texts<'_>) -> Option<Node> {
    let (whole, each) = (texts.new_slot(), texts.new_slot());
    let elements = slot(of, of.ty.clone(), whole);
    let count = call(Function::Count, Type::Int, vec![elements.clone()])?;
    let mirrored = binary(Binary::Sub, plus(&count, -1), slot(of, Type::Int, each));
    let turned = list(each, count, at(&elements, mirrored));
    Some(bound(whole, of.clone(), turned))
}

/// The logarithm of the greatest number of FLOAT32.
const FURTHEST: f64 = 88.722_839_052_068_35;
/// Powers of numbers below this one are 0 in FLOAT32: they are less than half its least number.
const LEAST: f64 = -104.0;

/// A power without what keeps it in the range of FLOAT32.
fn unshifted(of: &Node, argument: &Node, texts: &Texts<'_>) -> Option<Instead> {
    let Op::Chain(terms) = &argument.op else { return None };
    let [(false, kept), (true, shift)] = terms.as_slice() else {
        return None;
    };
    let real = |number| node(of, Type::Real, Op::Real(number));
    let power = with(of, Op::Call(Function::Exp, vec![kept.clone()]));
    let leaves = compare(Binary::Gt, kept.clone(), real(FURTHEST));
    let infinity = binary(Binary::Div, real(1.0), real(0.0));
    let vanishes = compare(Binary::Lt, kept.clone(), real(LEAST));
    let small = choice(vanishes, with(of, real(0.0).op), power);
    let instead = choice(leaves, with(of, infinity.op), small);
    let sentence = format!("`{}` is not subtracted, so that powers leave FLOAT32", texts.of(shift));
    Some((Kind::OperandDropped, sentence, instead))
}

/// A function of a sum that is taken of each term.
fn inside(of: &Node, function: Function, argument: &Node, texts: &Texts<'_>) -> Option<Instead> {
    let Op::Reduce(form) = &argument.op else { return None };
    let body = form.body.as_ref().filter(|_| form.kind == Form::Sum)?;
    if !of.ty.is_number() {
        return None;
    }
    let mut other = form.clone();
    other.body = Some(with(of, Op::Call(function, vec![body.clone()])));
    let sentence = format!(
        "`{}` is taken of each term, instead of `{}`",
        function.name(),
        texts.of(argument)
    );
    Some((Kind::OperandsSwapped, sentence, with(of, Op::Reduce(other))))
}

/// A function of each term, or the square of each, that is taken of their sum.
fn outside(of: &Node, form: &Reduction, texts: &Texts<'_>) -> Option<Instead> {
    let body = form.body.as_ref().filter(|_| form.kind == Form::Sum)?;
    let sum_of = |term: &Node| {
        let mut other = form.clone();
        other.body = Some(term.clone());
        node(of, term.ty.clone(), Op::Reduce(Box::new(other)))
    };
    let (what, instead) = match &body.op {
        Op::Call(function, arguments) if body.ty.is_number() => {
            let [term] = arguments.as_slice() else { return None };
            if !term.ty.is_number() {
                return None;
            }
            let name = format!("`{}`", function.name());
            (name, with(of, Op::Call(*function, vec![sum_of(term)])))
        }
        Op::Binary(Binary::Mul, x, y) if texts.of(x) == texts.of(y) => {
            let total = texts.new_slot();
            let whole = slot(of, x.ty.clone(), total);
            let square = with(of, binary(Binary::Mul, whole.clone(), whole).op);
            ("the square".to_owned(), bound(total, sum_of(x), square))
        }
        _ => return None,
    };
    let sentence = format!("{what} is taken of the sum, instead of each term of `{}`", texts.of(of));
    Some((Kind::OperandsSwapped, sentence, instead))
}

/// Elements that are compared by their negatives, in the other order: of whole types some have none.
fn negated(of: &Node, form: &Reduction, texts: &Texts<'_>) -> Option<Instead> {
    let body = form.body.as_ref().filter(|body| body.ty.is_number())?;
    let tensor = uses::read_in(body)?;
    let negative = with(body, Op::Neg(Box::new(body.clone())));
    let key = numbers::low_bits(&negative, tensor)?;
    let again = |kind: Form| {
        let mut other = form.clone();
        (other.kind, other.body) = (kind, Some(key.clone()));
        with(of, Op::Reduce(Box::new(other)))
    };
    let element = |kind: Form| {
        let mut other = form.clone();
        other.kind = kind;
        sums::element_of(of, &other, key.clone())
    };
    let instead = match &form.kind {
        Form::Order(Some(descends)) => {
            let descends = match descends.ty {
                Type::Bool => descends.clone(),
                _ => compare(Binary::Ne, descends.clone(), int(descends, 0)),
            };
            choice(descends, again(Form::Order(None)), of.clone())
        }
        Form::ArgMin => again(Form::ArgMax),
        Form::ArgMax => again(Form::ArgMin),
        Form::Min => element(Form::Max)?,
        Form::Max => element(Form::Min)?,
        _ => return None,
    };
    let sentence = format!("`{}` is compared by its negative, in its own type", texts.of(body));
    Some((Kind::Signedness, sentence, instead))
}

/// A choice by a comparison of numbers that is computed as the greater or the lesser of both branches.
fn extremes(of: &Node, condition: &Node, (yes, no): (&Node, &Node), texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let Op::Compare(_, x, y) = &condition.op else { return };
    if !of.ty.is_number() || !x.ty.is_number() || x.ty == Type::Int && y.ty == Type::Int {
        return;
    }
    for (function, which) in [(Function::Max, "greater"), (Function::Min, "lesser")] {
        let extreme = call(function, of.ty.clone(), vec![yes.clone(), no.clone()]);
        let sentence = format!("the {which} of both branches of `{}` is taken", texts.of(of));
        all.extend(extreme.map(|extreme| (Kind::Branch, sentence, with(of, extreme.op))));
    }
}

/// Of a sum with a choice a term that is added in one branch alone.
fn in_one_branch(of: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let mut terms = Vec::new();
    addends(of, &mut terms);
    let is_choice = |term: &&Node| matches!(term.op, Op::If(..));
    let Some(place) = terms.iter().position(is_choice) else {
        return;
    };
    let Some(Op::If(condition, yes, no)) = terms.get(place).map(|term| &term.op) else {
        return;
    };
    for (number, term) in terms.iter().enumerate().filter(|(number, _)| *number != place) {
        let also = |branch: &Node| binary(Binary::Add, branch.clone(), (*term).clone());
        for (holds, yes, no) in [(true, also(yes), (**no).clone()), (false, (**yes).clone(), also(no))] {
            let changed = choice((**condition).clone(), yes, no);
            let rest = terms.iter().enumerate().filter(|(at, _)| *at != number && *at != place);
            let sum = rest.fold(changed, |sum, (_, term)| binary(Binary::Add, (*term).clone(), sum));
            let how = if holds { "is added only" } else { "is not added" };
            let sentence = format!("`{}` {how} where `{}`", texts.of(term), texts.of(condition));
            all.push((Kind::Branch, sentence, with(of, sum.op)));
        }
    }
}

fn addends<'n>(of: &'n Node, all: &mut Vec<&'n Node>) {
    match &of.op {
        Op::Binary(Binary::Add, x, y) if of.ty == Type::Int => {
            addends(x, all);
            addends(y, all);
        }
        _ => all.push(of),
    }
}

/// Of `o[d] * count + part`: the coordinate is counted within the part.
fn nested_otherwise(of: &Node, x: &Node, y: &Node, texts: &Texts<'_>) -> Option<Instead> {
    let (Op::Binary(Binary::Mul, outer, _), Type::Int) = (&x.op, &of.ty) else {
        return None;
    };
    let Op::At(vector, dimension) = &outer.op else {
        return None;
    };
    let own = texts.own.filter(|own| vector.op == Op::Slot(*own))?;
    let output = texts.meaning.outputs.iter().find(|output| output.index == own)?;
    let tensor = TensorRef {
        field: output.field,
        element: None,
    };
    let size = at(&prop(of, &tensor, Prop::Sizes), (**dimension).clone());
    let other = binary(Binary::Add, binary(Binary::Mul, y.clone(), size), (**outer).clone());
    let sentence = format!(
        "`{}` is counted within `{}`, not around it",
        texts.of(outer),
        texts.of(y)
    );
    Some((Kind::AxisConfused, sentence, with(of, other.op)))
}

/// The size of a dimension that is taken for that of the first or the last one.
fn of_an_end(of: &Node, sizes: &Node, index: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let (Op::Prop(tensor, Prop::Sizes), Op::Field(_) | Op::Slot(_)) = (&sizes.op, &index.op) else {
        return;
    };
    let last = plus(&prop(of, tensor, Prop::DimensionCount), -1);
    for (which, dimension) in [("first", int(of, 0)), ("last", last)] {
        let sentence = format!("`{}` is taken for the size of the {which} dimension", texts.of(of));
        all.push((Kind::AxisConfused, sentence, with(of, at(sizes, dimension).op)));
    }
}

/// Of a sum that a nested operator is applied to in the body of a `let`: it is applied to one term alone.
fn applied_to_one(
    of: &Node,
    (variable, value, body): (usize, &Node, &Node),
    texts: &Texts<'_>,
    all: &mut Vec<Instead>,
) {
    let (granted, sum) = match &value.op {
        Op::Granted(clause, inner) => (Some(*clause), &**inner),
        _ => (None, value),
    };
    let Op::Chain(terms) = &sum.op else { return };
    let mut applied = None;
    uses::visit(body, &mut |node| {
        if let Op::Apply(operator, of) = &node.op
            && of.op == Op::Slot(variable)
        {
            applied.get_or_insert_with(|| texts.of(operator));
        }
    });
    let Some(operator) = applied else { return };
    for (number, (_, term)) in terms.iter().enumerate() {
        let other = uses::replaced(body, &|node| {
            let Op::Apply(operator, of) = &node.op else { return None };
            if of.op != Op::Slot(variable) {
                return None;
            }
            let mut terms = terms.clone();
            terms.get_mut(number)?.1 = with(node, Op::Apply(operator.clone(), Box::new(term.clone())));
            let sum = with(node, Op::Chain(terms));
            Some(match granted {
                Some(clause) => with(node, Op::Granted(clause, Box::new(sum))),
                None => sum,
            })
        });
        let sentence = format!("`{operator}` is applied to `{}` alone", texts.of(term));
        let other = Op::Let(variable, Box::new(value.clone()), Box::new(other));
        all.push((Kind::OperandsSwapped, sentence, with(of, other)));
    }
}
