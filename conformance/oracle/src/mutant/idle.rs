//! Parts of a meaning that no implementation computes, and changes that change nothing: there are no mutants of them.

use std::collections::BTreeSet;

use dml_spec::{
    meaning::{Function, Meaning, Node, Op, Type, typed::Kind as Form},
    model::DataType,
};

use super::texts::Texts;

/// Whether a condition tells only what is open: what becomes of it is not judged.
pub(super) fn tells_what_is_open(yes: &Node, no: &Node) -> bool {
    [yes, no].iter().any(|branch| matches!(branch.op, Op::Open(..)))
}

/// Whether a branch that is always taken reads what is absent where the other is right: an implementation that does ends,
/// which is no mistake in what it computes.
pub(super) fn reads_what_is_absent(node: &Node, number: usize) -> bool {
    let Op::If(condition, ..) = &node.op else { return false };
    match &condition.op {
        Op::Present(_) => number == ALWAYS,
        Op::Not(inner) => matches!(inner.op, Op::Present(_)) && number == NEVER,
        _ => false,
    }
}

/// The numbers of the mistakes that a branch is always taken, and never.
const ALWAYS: usize = 0;
const NEVER: usize = 1;

/// The definitions on which outputs rest, those aside that only tell what is open.
pub(super) fn computed(meaning: &Meaning) -> BTreeSet<usize> {
    fn visit(node: &Node, meaning: &Meaning, found: &mut BTreeSet<usize>) {
        if let Op::Definition(number, _) = &node.op
            && found.insert(*number)
            && let Some(definition) = meaning.definitions.get(*number)
        {
            visit(&definition.body, meaning, found);
            for bound in &definition.domain {
                visit(&bound.from, meaning, found);
                bound.to.iter().for_each(|to| visit(to, meaning, found));
            }
        }
        for part in parts(node) {
            visit(part, meaning, found);
        }
    }
    let mut found = BTreeSet::new();
    for output in &meaning.outputs {
        visit(&output.body, meaning, &mut found);
    }
    found
}

/// The parts of an expression that are computed: not the condition that tells what is open.
pub(super) fn parts(node: &Node) -> Vec<&Node> {
    match &node.op {
        Op::If(_, yes, no) if tells_what_is_open(yes, no) => vec![yes, no],
        _ => node.parts(),
    }
}

/// Whether a part is an end of a range that its form changes as a whole: see the mistakes of forms.
pub(super) fn is_end(of: &Node, part: &Node) -> bool {
    let Op::Reduce(form) = &of.op else { return false };
    let mut ends = form
        .binders
        .iter()
        .flat_map(|range| [Some(&range.from), range.to.as_ref()]);
    ends.any(|end| end.is_some_and(|end| std::ptr::eq(end, part)))
}

/// Whether a meaning orders numbers of tensors, or asks for their sign.
pub(super) fn orders_numbers(meaning: &Meaning) -> bool {
    fn has(node: &Node) -> bool {
        let is_number = |node: &Node| node.ty.is_number() && node.ty != Type::Int;
        let own = match &node.op {
            Op::Compare(_, x, y) => is_number(x) || is_number(y),
            Op::Call(Function::Min | Function::Max | Function::Clamp, arguments) => arguments.iter().any(is_number),
            Op::Reduce(form) => matches!(
                form.kind,
                Form::Order(_) | Form::Min | Form::Max | Form::ArgMin | Form::ArgMax
            ),
            _ => false,
        };
        own || node.parts().into_iter().any(has)
    }
    bodies(meaning).any(has)
}

/// Whether a meaning goes along sequences step by step, so that it matters where they begin.
pub(super) fn goes_step_by_step(meaning: &Meaning) -> bool {
    fn has(node: &Node) -> bool {
        let steps = |form: &Form| matches!(form, Form::PrefixSum | Form::PrefixProduct | Form::Scan(..));
        let own = matches!(&node.op, Op::Reduce(form) if steps(&form.kind));
        own || node.parts().into_iter().any(has)
    }
    bodies(meaning).any(has)
}

fn bodies(meaning: &Meaning) -> impl Iterator<Item = &Node> {
    let definitions = meaning.definitions.iter().map(|of| &of.body);
    definitions.chain(meaning.outputs.iter().map(|of| &of.body))
}

/// Whether every element that a support table allows a tensor is a number of this type.
pub(super) fn holds_all_of(name: &str, tensor: &str, texts: &Texts<'_>) -> bool {
    let Some(wide) = texts.catalog.data_type_named(name) else {
        return false;
    };
    let fails = |of: &str| texts.catalog.data_type_named(of).is_none_or(|ty| !holds(wide, ty));
    !super::uses::allows(texts.operator, tensor, &fails)
}

/// Whether every number of a type is one of another type.
fn holds(wide: &DataType, narrow: &DataType) -> bool {
    match (wide.whole_numbers(), narrow.whole_numbers()) {
        (Some((least, most)), Some((from, to))) => least <= from && to <= most,
        (None, Some((from, to))) => {
            let digits = match wide.bits {
                16 => 11,
                32 => 24,
                _ => 53,
            };
            from.unsigned_abs() <= 1 << digits && to.unsigned_abs() <= 1 << digits
        }
        (None, None) => narrow.bits <= wide.bits,
        (Some(_), None) => false,
    }
}

/// Whether a number that stands for a place or a count is one of this type: tensors have fewer than 2^31 elements.
pub(super) fn holds_places(name: &str) -> bool {
    matches!(name, "FLOAT64" | "INT32" | "UINT32" | "INT64" | "UINT64")
}
