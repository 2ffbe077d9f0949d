//! What may stand in the place of a part of an expression.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Cast, Overflow, Rounding},
    },
    rule::{ast::Bits, typed::Binary},
};

use super::{
    Kind,
    build::{binary, call, int, node, plus, with},
    forms, lists, moved, numbers, reads,
    texts::{Instead, Texts},
    uses,
};

/// Everything that one small mistake makes of a part, its own parts as they are.
pub(super) fn instead(of: &Node, texts: &Texts<'_>) -> Vec<Instead> {
    let mut all = Vec::new();
    let text = |node: &Node| texts.of(node);
    match &of.op {
        Op::Int(n) if of.ty == Type::Int => {
            for by in [-1, 1] {
                let sentence = format!("`{}` is taken for {}", text(of), n + by);
                all.push((Kind::OffByOne, sentence, int(of, n + by)));
            }
        }
        Op::Binary(op, x, y) => binary_instead(of, *op, x, y, texts, &mut all),
        Op::Chain(terms) => chain(of, terms, texts, &mut all),
        Op::Compare(op, x, y) => comparison(of, *op, x, y, texts, &mut all),
        Op::Logic(op, x, y) => {
            all.push((Kind::OperandDropped, left_out(&text(y)), (**x).clone()));
            all.push((Kind::OperandDropped, left_out(&text(x)), (**y).clone()));
            let other = if *op == Binary::And { Binary::Or } else { Binary::And };
            let sentence = format!("`{}` is computed with `{}`", text(of), other.sign());
            all.push((
                Kind::Operator,
                sentence,
                with(of, Op::Logic(other, x.clone(), y.clone())),
            ));
        }
        Op::Not(x) | Op::Neg(x) | Op::BitNot(x) => {
            all.push((
                Kind::OperandDropped,
                format!("`{}` is computed as `{}`", text(of), text(x)),
                (**x).clone(),
            ));
        }
        Op::If(condition, yes, no) => {
            let when = text(condition);
            all.push((
                Kind::Branch,
                format!("`{when}` is taken to hold always"),
                (**yes).clone(),
            ));
            all.push((Kind::Branch, format!("`{when}` is taken never to hold"), (**no).clone()));
            for (branch, other) in [(yes, true), (no, false)] {
                if of.ty == Type::Int && !matches!(branch.op, Op::Int(0)) {
                    let zero = Box::new(int(branch, 0));
                    let (yes, no) = if other { (zero, no.clone()) } else { (yes.clone(), zero) };
                    let sentence = format!("`{}` is taken for 0", text(branch));
                    all.push((Kind::Branch, sentence, with(of, Op::If(condition.clone(), yes, no))));
                }
            }
            let swapped = Op::If(condition.clone(), no.clone(), yes.clone());
            all.push((
                Kind::Branch,
                format!("the branches of `{when}` are exchanged"),
                with(of, swapped),
            ));
        }
        Op::Call(function, arguments) => functions(of, *function, arguments, texts, &mut all),
        Op::Cast(cast) => casts(of, cast, texts, &mut all),
        Op::Definition(..) if of.ty == Type::Int => {
            for by in [-1, 1] {
                all.push((Kind::OffByOne, format!("`{}` is off by {by}", text(of)), plus(of, by)));
            }
        }
        Op::Read(tensor, index) => reads::read(of, tensor, index, texts, &mut all),
        Op::Bits(op, x, y) => bits(of, *op, x, y, texts, &mut all),
        Op::In(x, members) => {
            for at in 0..members.len() {
                let mut rest = members.clone();
                let member = rest.remove(at);
                all.push((
                    Kind::OperandDropped,
                    left_out(&text(&member)),
                    with(of, Op::In(x.clone(), rest)),
                ));
            }
        }
        Op::At(list, index) => {
            lists::window(of, list, index, texts, &mut all);
            for by in [-1, 1] {
                let other = with(of, Op::At(list.clone(), Box::new(plus(index, by))));
                all.push((Kind::AxisConfused, beside(&text(index), by), other));
            }
        }
        Op::With(list, index, value) => {
            for by in [-1, 1] {
                let other = Op::With(list.clone(), Box::new(plus(index, by)), value.clone());
                all.push((Kind::AxisConfused, beside(&text(index), by), with(of, other)));
            }
            all.push((
                Kind::OperandDropped,
                left_out(&format!("[{}] = {}", text(index), text(value))),
                (**list).clone(),
            ));
        }
        Op::Apply(operator, x) => {
            all.push((
                Kind::OperandDropped,
                format!("`{}` is not applied", text(operator)),
                (**x).clone(),
            ));
            if let Op::Chain(terms) = &x.op {
                for (at, (_, term)) in terms.iter().enumerate() {
                    let mut other = terms.clone();
                    if let Some((_, place)) = other.get_mut(at) {
                        *place = with(of, Op::Apply(operator.clone(), Box::new(term.clone())));
                    }
                    let sentence = format!("`{}` is applied to `{}` alone", text(operator), text(term));
                    all.push((Kind::OperandsSwapped, sentence, with(of, Op::Chain(other))));
                }
            }
        }
        Op::Let(slot, value, body) => all.extend(moved::before(of, (*slot, value, body), texts)),
        Op::Reduce(reduction) => forms::form(of, reduction, texts, &mut all),
        _ => {}
    }
    all
}

fn left_out(what: &str) -> String {
    format!("`{what}` is left out")
}

fn beside(index: &str, by: i128) -> String {
    let side = if by < 0 { "before" } else { "after" };
    format!("the dimension {side} `{index}` is taken for it")
}

fn binary_instead(of: &Node, op: Binary, x: &Node, y: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    if x.ty == of.ty {
        all.push((Kind::OperandDropped, left_out(&texts.of(y)), x.clone()));
    }
    if y.ty == of.ty && matches!(op, Binary::Add | Binary::Mul | Binary::Sub) {
        all.push((Kind::OperandDropped, left_out(&texts.of(x)), y.clone()));
    }
    if let (Binary::Mul | Binary::Div, Op::Chain(terms)) = (op, &x.op)
        && let [(false, first), (minus, second)] = terms.as_slice()
    {
        let product = with(of, binary(op, second.clone(), y.clone()).op);
        let moved = with(of, Op::Chain(vec![(false, first.clone()), (*minus, product)]));
        let sentence = format!("`{}` takes part before `{}` is added", texts.of(y), texts.of(first));
        all.push((Kind::OperandsSwapped, sentence, moved));
    }
    if let (Binary::Add, Op::Binary(Binary::Mul, _, factor), Type::Int) = (op, &x.op, &of.ty) {
        let magnitude = call(Function::Abs, Type::Int, vec![(**factor).clone()]);
        let factors = [("", Some((**factor).clone())), ("the magnitude of ", magnitude)];
        for (how, by) in factors {
            let Some(by) = by else { continue };
            let product = binary(Binary::Mul, y.clone(), by);
            let sentence = format!("`{}` is multiplied by {how}`{}` as well", texts.of(y), texts.of(factor));
            let sum = binary(Binary::Add, x.clone(), product);
            all.push((Kind::OperandsSwapped, sentence, with(of, sum.op)));
        }
    }
    if matches!(op, Binary::Sub | Binary::Div | Binary::Rem) && x.ty == y.ty {
        let sentence = format!("`{}` and `{}` are exchanged", texts.of(x), texts.of(y));
        all.push((
            Kind::OperandsSwapped,
            sentence,
            with(of, binary(op, y.clone(), x.clone()).op),
        ));
    }
    let others: &[Binary] = match op {
        Binary::Add => &[Binary::Sub, Binary::Mul],
        Binary::Sub => &[Binary::Add],
        Binary::Mul => &[Binary::Add],
        Binary::Div if of.ty == Type::Int => &[Binary::Rem, Binary::Mul],
        Binary::Div => &[Binary::Mul],
        Binary::Rem => &[Binary::Div],
        _ => &[],
    };
    for other in others {
        let sentence = format!("`{}` is computed with `{}`", texts.of(of), other.sign());
        all.push((
            Kind::Operator,
            sentence,
            with(of, binary(*other, x.clone(), y.clone()).op),
        ));
    }
}

fn chain(of: &Node, terms: &[(bool, Node)], texts: &Texts<'_>, all: &mut Vec<Instead>) {
    for (at, (minus, term)) in terms.iter().enumerate() {
        let mut rest = terms.to_vec();
        rest.remove(at);
        let rest = match rest.as_slice() {
            [(false, one)] if one.ty == of.ty => Some(one.clone()),
            [] => None,
            _ => Some(with(of, Op::Chain(rest))),
        };
        if let Some(rest) = rest {
            all.push((Kind::OperandDropped, left_out(&texts.of(term)), rest));
        }
        let mut turned = terms.to_vec();
        if let Some((sign, _)) = turned.get_mut(at) {
            *sign = !minus;
        }
        let sentence = format!(
            "`{}` is {}",
            texts.of(term),
            if *minus { "added" } else { "subtracted" }
        );
        all.push((Kind::Operator, sentence, with(of, Op::Chain(turned))));
    }
    if let [(false, x), (false, y)] = terms {
        for (product, other) in [(x, y), (y, x)] {
            let Op::Binary(Binary::Mul, a, b) = &product.op else {
                continue;
            };
            for (inner, outer) in [(a, b), (b, a)] {
                let sum = with(of, Op::Chain(vec![(false, (**inner).clone()), (false, other.clone())]));
                let sentence = format!(
                    "`{}` is added before `{}` is multiplied",
                    texts.of(other),
                    texts.of(outer)
                );
                let moved = binary(Binary::Mul, sum, (**outer).clone());
                all.push((Kind::OperandsSwapped, sentence, with(of, moved.op)));
            }
        }
    }
    if let [(false, x), (_, y)] = terms {
        let product = with(of, binary(Binary::Mul, x.clone(), y.clone()).op);
        all.push((
            Kind::Operator,
            format!("`{}` is computed with `*`", texts.of(of)),
            product,
        ));
    }
}

fn comparison(of: &Node, op: Binary, x: &Node, y: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let others: &[Binary] = match op {
        Binary::Eq => &[Binary::Ne],
        Binary::Ne => &[Binary::Eq],
        Binary::Lt => &[Binary::Le, Binary::Gt],
        Binary::Le => &[Binary::Lt, Binary::Ge],
        Binary::Gt => &[Binary::Ge, Binary::Lt],
        Binary::Ge => &[Binary::Gt, Binary::Le],
        _ => &[],
    };
    for other in others {
        let compared = Op::Compare(*other, Box::new(x.clone()), Box::new(y.clone()));
        let sentence = format!("`{}` is compared by `{}`", texts.of(of), other.sign());
        all.push((Kind::Operator, sentence, with(of, compared)));
    }
    if x.ty.is_number() && y.ty.is_number() && (x.ty != Type::Int || y.ty != Type::Int) {
        let tensor = uses::read_in(x).or_else(|| uses::read_in(y));
        let pairs = numbers::keys(x, tensor, texts)
            .into_iter()
            .zip(numbers::other_numbers(y, tensor, texts));
        for ((kind, sentence, x), (_, _, y)) in pairs {
            all.push((kind, sentence, with(of, Op::Compare(op, Box::new(x), Box::new(y)))));
        }
    }
}

fn functions(of: &Node, function: Function, arguments: &[Node], texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let others: &[Function] = match function {
        Function::Min => &[Function::Max],
        Function::Max => &[Function::Min],
        Function::Floor => &[Function::Ceil, Function::Round, Function::Trunc],
        Function::Ceil => &[Function::Floor, Function::Round, Function::Trunc],
        Function::Round => &[Function::Floor, Function::Ceil, Function::Trunc],
        Function::Trunc => &[Function::Floor, Function::Ceil, Function::Round],
        _ => &[],
    };
    for other in others {
        let sentence = format!("`{}` is computed with `{}`", texts.of(of), other.name());
        all.push((Kind::Operator, sentence, with(of, Op::Call(*other, arguments.to_vec()))));
    }
    if let (Function::Clamp, [x, least, most]) = (function, arguments) {
        let upper = call(Function::Min, of.ty.clone(), vec![x.clone(), most.clone()]);
        let lower = call(Function::Max, of.ty.clone(), vec![x.clone(), least.clone()]);
        all.extend(upper.map(|node| (Kind::OperandDropped, left_out(&texts.of(least)), node)));
        all.extend(lower.map(|node| (Kind::OperandDropped, left_out(&texts.of(most)), node)));
    }
    if let [x, y] = arguments
        && matches!(function, Function::Pow)
    {
        let sentence = format!("`{}` and `{}` are exchanged", texts.of(x), texts.of(y));
        all.push((
            Kind::OperandsSwapped,
            sentence,
            with(of, Op::Call(function, vec![y.clone(), x.clone()])),
        ));
    }
    if function == Function::Product && of.ty == Type::Int {
        for by in [-1, 1] {
            all.push((
                Kind::OffByOne,
                format!("`{}` is off by {by}", texts.of(of)),
                plus(of, by),
            ));
        }
    }
    lists::one_element(of, function, arguments, texts, all);
    let of_numbers = of.ty.is_number() && !matches!(function, Function::Count | Function::PopCount);
    for argument in arguments
        .iter()
        .filter(|argument| of_numbers && argument.ty.is_number())
    {
        let sentence = format!("`{}` is computed as `{}`", texts.of(of), texts.of(argument));
        all.push((
            Kind::OperandDropped,
            sentence,
            node(of, argument.ty.clone(), argument.op.clone()),
        ));
    }
}

fn casts(of: &Node, cast: &Cast, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let others = numbers::other_numbers(&cast.value, uses::read_in(&cast.value), texts);
    for (kind, how, value) in numbers::with_effect(others, &cast.value, texts) {
        let other = Cast { value, ..cast.clone() };
        let sentence = format!("`{}` is taken {how}", texts.of(&cast.value));
        all.push((kind, sentence, with(of, Op::Cast(Box::new(other)))));
    }
    let roundings = [
        (Rounding::NearestEven, "to the nearest"),
        (Rounding::TowardZero, "toward zero"),
        (Rounding::Down, "down"),
        (Rounding::Up, "up"),
    ];
    for (rounding, how) in roundings {
        if rounding != cast.rounding && cast.value.ty != Type::Int {
            let other = Cast {
                rounding,
                ..cast.clone()
            };
            let sentence = format!("`{}` is rounded {how}", texts.of(&cast.value));
            all.push((Kind::Rounding, sentence, with(of, Op::Cast(Box::new(other)))));
        }
    }
    for (overflow, how) in [(Overflow::Saturate, "saturates"), (Overflow::Wrap, "wraps")] {
        if overflow != cast.overflow && !matches!(cast.overflow, Overflow::Open(_) | Overflow::Fits) {
            let other = Cast {
                overflow,
                ..cast.clone()
            };
            let sentence = format!("`{}` {how} beyond the range of the type", texts.of(&cast.value));
            all.push((Kind::Rounding, sentence, with(of, Op::Cast(Box::new(other)))));
        }
    }
}

fn bits(of: &Node, op: Bits, x: &Node, y: &Node, texts: &Texts<'_>, all: &mut Vec<Instead>) {
    let others: &[(Bits, &str)] = match op {
        Bits::And => &[(Bits::Or, "|"), (Bits::Xor, "^")],
        Bits::Or => &[(Bits::And, "&"), (Bits::Xor, "^")],
        Bits::Xor => &[(Bits::And, "&"), (Bits::Or, "|")],
        Bits::Left => &[(Bits::Right, ">>")],
        Bits::Right => &[(Bits::Left, "<<")],
        Bits::Concat => &[],
    };
    for (other, sign) in others {
        let sentence = format!("`{}` is computed with `{sign}`", texts.of(of));
        all.push((
            Kind::Operator,
            sentence,
            with(of, Op::Bits(*other, Box::new(x.clone()), Box::new(y.clone()))),
        ));
    }
    let sentence = format!("`{}` and `{}` are exchanged", texts.of(x), texts.of(y));
    let swapped = with(of, Op::Bits(op, Box::new(y.clone()), Box::new(x.clone())));
    all.push((Kind::OperandsSwapped, sentence, swapped));
    if op != Bits::Concat {
        all.push((Kind::OperandDropped, left_out(&texts.of(y)), x.clone()));
        all.push((Kind::OperandDropped, left_out(&texts.of(x)), y.clone()));
    }
}
