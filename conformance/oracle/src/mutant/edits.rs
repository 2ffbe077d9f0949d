//! Meanings of which parts are others, or unknown.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem::discriminant,
};

use dml_spec::{
    meaning::{Meaning, Node, Op},
    rule::typed::Binary,
};

use super::{
    Edit, Root,
    build::{binary, choice, compare, int, with},
};

/// A meaning with these parts. Who makes a mistake in one of the ways in which a number may be computed computes it in
/// that way, so that the others are gone.
pub(super) fn altered(meaning: &Meaning, edits: &[Edit]) -> Option<Meaning> {
    let mut meaning = meaning.clone();
    for Edit { root, path, node } in edits {
        *part(body(&mut meaning, *root)?, path)? = node.clone();
    }
    for (root, path, ways) in ways_taken(&meaning, edits) {
        if let Op::Either(all) = &mut part(body(&mut meaning, root)?, &path)?.op {
            let mut number = 0..;
            all.retain(|_| number.next().is_some_and(|number| ways.contains(&number)));
        }
    }
    Some(meaning)
}

fn body(meaning: &mut Meaning, root: Root) -> Option<&mut Node> {
    Some(match root {
        Root::Definition(at) => &mut meaning.definitions.get_mut(at)?.body,
        Root::Output(at) => &mut meaning.outputs.get_mut(at)?.body,
    })
}

/// The paths of parts that may be computed in several ways, and those in which something was changed. Inner parts come
/// before those around them, so that their paths still lead to them.
fn ways_taken(meaning: &Meaning, edits: &[Edit]) -> Vec<(Root, Vec<usize>, BTreeSet<usize>)> {
    let mut taken: BTreeMap<(Root, Vec<usize>), BTreeSet<usize>> = BTreeMap::new();
    for edit in edits {
        let mut node = match edit.root {
            Root::Definition(at) => meaning.definitions.get(at).map(|of| &of.body),
            Root::Output(at) => meaning.outputs.get(at).map(|of| &of.body),
        };
        for (depth, number) in edit.path.iter().enumerate() {
            let Some(outer) = node else { break };
            if let (Op::Either(_), Some(path)) = (&outer.op, edit.path.get(..depth)) {
                let ways = taken.entry((edit.root, path.to_vec())).or_default();
                ways.insert(*number);
            }
            node = outer.parts().into_iter().nth(*number);
        }
    }
    let inner_first = taken.into_iter().rev();
    inner_first.map(|((root, path), ways)| (root, path, ways)).collect()
}

/// A meaning in which nothing is known of these parts.
pub(super) fn without(meaning: &Meaning, parts: &[(Root, Vec<usize>)]) -> Option<Meaning> {
    let mut meaning = meaning.clone();
    for (root, path) in parts {
        let part = part(body(&mut meaning, *root)?, path)?;
        let nothing = binary(Binary::Rem, int(part, 1), int(part, 0));
        let unknown = compare(Binary::Eq, nothing, int(part, 0));
        *part = with(part, choice(unknown, part.clone(), part.clone()).op);
    }
    Some(meaning)
}

fn part<'a>(node: &'a mut Node, path: &[usize]) -> Option<&'a mut Node> {
    match path.split_first() {
        None => Some(node),
        Some((first, rest)) => part(node.parts_mut().into_iter().nth(*first)?, rest),
    }
}

/// Whether a change of a part shows only for some descriptors: wherever the two differ stands an `if` whose condition asks
/// for nothing but the descriptor, and whose `else` has the right expression.
pub(super) fn is_conditional(right: &Node, instead: &Node) -> bool {
    if let Op::If(condition, _, otherwise) = &instead.op
        && !matches!(right.op, Op::If(..))
    {
        return **otherwise == *right && rests_on_descriptor(condition);
    }
    let (parts, others) = (right.parts(), instead.parts());
    if parts.is_empty() || parts.len() != others.len() || discriminant(&right.op) != discriminant(&instead.op) {
        return false;
    }
    let mut differing = parts
        .into_iter()
        .zip(others)
        .filter(|(part, other)| part != other)
        .peekable();
    differing.peek().is_some() && differing.all(|(part, other)| is_conditional(part, other))
}

fn rests_on_descriptor(node: &Node) -> bool {
    !matches!(node.op, Op::Slot(_) | Op::Read(..) | Op::Raw(..) | Op::Definition(..))
        && node.parts().into_iter().all(rests_on_descriptor)
}
