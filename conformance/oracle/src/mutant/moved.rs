//! Operations that are done at another place.

use dml_spec::meaning::{Function, Node, Op};

use super::{
    Kind,
    build::with,
    texts::{Instead, Texts},
    uses,
};

/// Of `let x = value in body`: what `body` makes of `x` is made of the element that `value` is computed from.
pub(super) fn before(of: &Node, (slot, value, body): (usize, &Node, &Node), texts: &Texts<'_>) -> Option<Instead> {
    if matches!(value.op, Op::Read(..)) {
        return None;
    }
    let takes = |node: &Node| match &node.op {
        Op::Call(function, arguments) if node.ty.is_number() && *function != Function::Count => {
            let is_it = arguments.first().is_some_and(|first| first.op == Op::Slot(slot));
            is_it.then(|| (*function, arguments.clone()))
        }
        _ => None,
    };
    let mut found = None;
    uses::visit(body, &mut |node| {
        if found.is_none() {
            found = takes(node).map(|call| (call, texts.of(node)));
        }
    });
    let ((function, arguments), text) = found?;
    let mut read = None;
    uses::visit(value, &mut |node| {
        if read.is_none() && matches!(node.op, Op::Read(..)) {
            read = Some(texts.of(node));
        }
    });
    let earlier = uses::replaced(value, &|node| match node.op {
        Op::Read(..) => {
            let mut arguments = arguments.clone();
            *arguments.first_mut()? = node.clone();
            Some(with(node, Op::Call(function, arguments)))
        }
        _ => None,
    });
    let rest = uses::replaced(body, &|node| {
        let (_, arguments) = takes(node)?;
        arguments.first().cloned()
    });
    let sentence = format!("`{text}` is taken of `{}`, before `{}`", read?, texts.of(value));
    let other = Op::Let(slot, Box::new(earlier), Box::new(rest));
    Some((Kind::OperandsSwapped, sentence, with(of, other)))
}
