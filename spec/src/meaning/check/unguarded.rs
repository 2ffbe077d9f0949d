//! Finds parts of expressions that have no value for some legal descriptor, as far as the text tells without a trial: a
//! read beyond a tensor that no condition guards, a whole number divided by zero, a literal beyond its type.
//!
//! What is reported has no value for certain; what is not reported may still have none for some descriptor, which
//! `spec check` looks for by evaluating.

use super::{Checker, Place, legal::Sizes};
use crate::meaning::{
    functions::Function,
    typed::{Bound, Cast, Instead, Kind, Node, Op, Overflow, Reduction, TensorRef},
    types::Type,
};
use crate::{
    model::FieldKind,
    rule::typed::{Binary, Prop},
};

/// What a variable runs over.
#[derive(Clone, Debug)]
pub(super) enum Extent {
    /// All index vectors of this tensor.
    Tensor(usize),
    /// All numbers below the size of this tensor in this dimension.
    Dimension(usize, Op),
}

/// How the part of an expression that is looked at is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    Always,
    /// Only if a condition holds.
    Guarded,
}

impl Checker<'_> {
    /// Notes what a variable runs over.
    pub(super) fn note_extent(&mut self, bound: &Bound) {
        let extent = match (&bound.from.op, bound.to.as_ref().map(|to| &to.op)) {
            (Op::Prop(tensor, Prop::Sizes), None) if tensor.element.is_none() => Extent::Tensor(tensor.field),
            (Op::Int(0), Some(Op::At(sizes, d))) => match &sizes.op {
                Op::Prop(tensor, Prop::Sizes) if tensor.element.is_none() => {
                    Extent::Dimension(tensor.field, d.op.clone())
                }
                _ => return,
            },
            _ => return,
        };
        self.extents.insert(bound.slot, extent);
    }

    /// Notes that a variable is the index vector of a field's elements.
    pub(super) fn note_index(&mut self, slot: usize, field: usize) {
        let kind = self.operator.fields.get(field).map(|field| &field.kind);
        if matches!(kind, Some(FieldKind::Tensor(_))) {
            self.extents.insert(slot, Extent::Tensor(field));
        }
    }

    /// Reports what has no value in an expression; `conditional` if it stands under a condition as a whole.
    pub(super) fn require_values(&mut self, node: &Node, conditional: bool) {
        // Operators of tests have no tables: nobody knows which descriptors are legal.
        if self.operator.support.is_empty() {
            return;
        }
        let mut found = Vec::new();
        let reached = if conditional { Reached::Guarded } else { Reached::Always };
        self.look(node, reached, &mut found);
        for (span, message, hint) in found {
            self.refuse::<()>("spec::no-value", &span, message, hint);
        }
    }

    /// As [`Checker::require_values`], for the value of elements of an output.
    pub(super) fn require_element(&mut self, node: &Node, field: usize, conditional: bool) {
        self.require_values(node, conditional);
        let mut beyond = Vec::new();
        if !conditional && !self.operator.support.is_empty() {
            self.literals(node, field, &mut beyond);
        }
        for (span, message) in beyond {
            self.refuse::<()>("spec::no-value", &span, message, None);
        }
    }

    /// As [`Checker::require_values`], for all intermediates: one that is only asked for under a condition stands under it.
    pub(super) fn require_definitions(&mut self) {
        let mut needed = vec![false; self.meaning.definitions.len()];
        for output in &self.meaning.outputs {
            note_needed(&output.body, Reached::Always, &mut needed);
        }
        let definitions = std::mem::take(&mut self.meaning.definitions);
        for (at, definition) in definitions.iter().enumerate().rev() {
            if needed.get(at) == Some(&true) {
                note_needed(&definition.body, Reached::Always, &mut needed);
            }
        }
        for (definition, needed) in definitions.iter().zip(&needed) {
            let entry = self.heads.iter().position(|head| *head == definition.name);
            self.place = Place::Body(entry.unwrap_or(usize::MAX));
            self.require_values(&definition.body, !needed);
        }
        self.meaning.definitions = definitions;
        self.needed = needed;
    }

    fn look(&self, node: &Node, reached: Reached, found: &mut Vec<Found>) {
        match &node.op {
            Op::Read(tensor, index) if reached == Reached::Always => {
                found.extend(self.beyond(tensor, index));
            }
            Op::Binary(Binary::Div | Binary::Rem, _, by) if node.ty == Type::Int && by.op == Op::Int(0) => {
                found.push((by.span.clone(), "a whole number is divided by zero".to_owned(), None));
            }
            Op::Cast(cast) => found.extend(self.beyond_type(cast)),
            _ => {}
        }
        each_part(node, reached, &mut |part, reached| self.look(part, reached, found));
    }

    /// A literal that the type of a cast does not hold, if it has to.
    fn beyond_type(&self, cast: &Cast) -> Option<Found> {
        let (Op::Int(ty), Overflow::Fits) = (&cast.data_type.op, cast.overflow) else {
            return None;
        };
        let ty = self.catalog.data_type(u32::try_from(*ty).ok()?)?;
        let ((least, most), value) = (ty.whole_numbers()?, literal(&cast.value)?);
        let message = || format!("{value} lies beyond {}", ty.name);
        (!(least..=most).contains(&value)).then(|| (cast.value.span.clone(), message(), None))
    }

    /// Literals that are an element of a tensor, and lie beyond a type that it may have.
    fn literals(&self, node: &Node, field: usize, found: &mut Vec<(std::ops::Range<usize>, String)>) {
        match &node.op {
            Op::Let(_, _, body) => self.literals(body, field, found),
            Op::If(condition, yes, no) if !asks_for_type(condition) => {
                [yes, no].into_iter().for_each(|part| self.literals(part, field, found));
            }
            _ => {
                let Some(name) = self.operator.fields.get(field).map(|f| &f.name) else {
                    return;
                };
                let rows = self.operator.support.iter().flat_map(|table| table.rows_of(name));
                let mut types = rows
                    .flat_map(|row| row.types.iter())
                    .filter_map(|ty| self.catalog.data_type_named(ty));
                let is_beyond = |(least, most): (i128, i128)| match literal(node) {
                    Some(value) => !(least..=most).contains(&value),
                    None => false,
                };
                if let Some(ty) = types.find(|ty| ty.whole_numbers().is_some_and(is_beyond)) {
                    let value = literal(node).unwrap_or_default();
                    found.push((
                        node.span.clone(),
                        format!("{value} lies beyond {}, which {name} may have", ty.name),
                    ));
                }
            }
        }
    }

    /// Why a read lies beyond the tensor for some legal descriptor, if the text tells.
    fn beyond(&self, tensor: &TensorRef, index: &Node) -> Option<Found> {
        let numbers: Vec<&Node> = match &index.op {
            Op::List(items) => items.iter().collect(),
            Op::With(_, _, value) => vec![value],
            _ => Vec::new(),
        };
        if let Some(negative) = numbers.iter().find(|number| literal(number).is_some_and(|n| n < 0)) {
            return told(negative, "a negative index lies outside every tensor".to_owned());
        }
        if tensor.element.is_some() {
            return None;
        }
        let sizes = self.sizes.get_or_init(|| Sizes::new(self.catalog, self.operator));
        let name = &self.operator.fields.get(tensor.field)?.name;
        if let Some(number) = numbers.iter().find(|number| literal(number).is_some_and(|n| n > 0))
            && sizes.may_be_one(tensor.field)
        {
            let message = format!("this lies outside {name} if its size is 1 there, which no clause forbids");
            return told(number, message);
        }
        let same = |field: usize| sizes.are_equal(field, tensor.field);
        let message = || format!("this leads outside {name}, whose sizes the variable runs over");
        match &index.op {
            Op::With(_, d, value) => {
                let (of, _) = shifted(value)?;
                let leads_out = match &of.op {
                    Op::Slot(slot) => match self.extents.get(slot)? {
                        Extent::Dimension(field, of) => same(*field) && is_same(of, &d.op),
                        Extent::Tensor(_) => false,
                    },
                    Op::At(list, at) => match &list.op {
                        Op::Slot(slot) => {
                            matches!(self.extents.get(slot)?, Extent::Tensor(field) if same(*field))
                                && is_same(&at.op, &d.op)
                        }
                        _ => false,
                    },
                    _ => false,
                };
                if leads_out { told(value, message()) } else { None }
            }
            Op::Binary(Binary::Add | Binary::Sub, a, b) => {
                let (list, by) = if matches!(a.op, Op::Slot(_)) { (a, b) } else { (b, a) };
                let (Op::Slot(slot), Op::List(items)) = (&list.op, &by.op) else {
                    return None;
                };
                let moves = items.iter().any(|item| literal(item).is_some_and(|n| n != 0));
                let Extent::Tensor(field) = self.extents.get(slot)? else {
                    return None;
                };
                if moves && same(*field) {
                    told(index, message())
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// As [`Checker::require_values`], for what stands instead of a part of the meaning.
    pub(super) fn require_instead(&mut self, instead: &Instead, conditional: bool) {
        match instead {
            Instead::Definition(at, node) => {
                let is_needed = self.needed.get(*at) == Some(&true);
                self.require_values(node, conditional || !is_needed);
            }
            Instead::Output(at, node) => {
                if let Some(field) = self.meaning.outputs.get(*at).map(|output| output.field) {
                    self.require_element(node, field, conditional);
                }
            }
            // These are elements that a clause leaves open, which is a condition.
            Instead::Open { value, .. } => self.require_values(value, true),
            Instead::Denormals { .. } => {}
        }
    }
}

/// Marks the intermediates that an expression needs.
fn note_needed(node: &Node, reached: Reached, needed: &mut [bool]) {
    if let (Op::Definition(at, _), Reached::Always) = (&node.op, reached)
        && let Some(needed) = needed.get_mut(*at)
    {
        *needed = true;
    }
    each_part(node, reached, &mut |part, reached| note_needed(part, reached, needed));
}

/// The part of a text, what is wrong with it, and what to do.
type Found = (std::ops::Range<usize>, String, Option<String>);

fn told(node: &Node, message: String) -> Option<Found> {
    Some((node.span.clone(), message, Some("guard the read with `if`".to_owned())))
}

/// Looks at the parts of an expression.
fn each_part(node: &Node, reached: Reached, look: &mut dyn FnMut(&Node, Reached)) {
    let guarded = Reached::Guarded;
    match &node.op {
        Op::Bool(_)
        | Op::Int(_)
        | Op::Real(_)
        | Op::Field(_)
        | Op::ScaleBiasPart(..)
        | Op::Tensor(_)
        | Op::Prop(..)
        | Op::Slot(_)
        | Op::Present(_) => {}
        Op::Not(a) | Op::Neg(a) | Op::BitNot(a) | Op::Continuous(a) | Op::Granted(_, a) | Op::Read(_, a) => {
            look(a, reached);
        }
        Op::Binary(_, a, b)
        | Op::Bits(_, a, b)
        | Op::Compare(_, a, b)
        | Op::At(a, b)
        | Op::Let(_, a, b)
        | Op::InType(a, b)
        | Op::Apply(a, b) => [a, b].into_iter().for_each(|part| look(part, reached)),
        Op::Slice(a, b, c) | Op::With(a, b, c) => [a, b, c].into_iter().for_each(|part| look(part, reached)),
        Op::Raw(_, offset, otherwise) => {
            look(offset, reached);
            look(otherwise, guarded);
        }
        Op::List(parts) | Op::Definition(_, parts) => parts.iter().for_each(|part| look(part, reached)),
        Op::Call(function, parts) => {
            let reached = if *function == Function::Count { guarded } else { reached };
            parts.iter().for_each(|part| look(part, reached));
        }
        Op::Chain(terms) => terms.iter().for_each(|(_, term)| look(term, reached)),
        Op::In(value, members) => {
            look(value, reached);
            members.iter().for_each(|member| look(member, reached));
        }
        Op::Logic(_, a, b) => [a, b].into_iter().for_each(|part| look(part, guarded)),
        Op::If(condition, yes, no) => {
            look(condition, reached);
            [yes, no].into_iter().for_each(|part| look(part, guarded));
        }
        Op::Open(_, parts) | Op::Either(parts) => parts.iter().for_each(|part| look(part, guarded)),
        Op::Cast(cast) => look(&cast.value, reached),
        Op::Reduce(form) => each_of_form(form, reached, look),
    }
}

/// A form may stop before its last point, and its filter leaves points out.
fn each_of_form(form: &Reduction, reached: Reached, look: &mut dyn FnMut(&Node, Reached)) {
    let guarded = Reached::Guarded;
    for bound in &form.binders {
        look(&bound.from, reached);
        bound.to.iter().for_each(|to| look(to, reached));
    }
    let stops = matches!(
        form.kind,
        Kind::All | Kind::Any | Kind::First | Kind::Last | Kind::Scatter(_) | Kind::ScatterCount(_)
    );
    let is_partial = stops || form.filter.is_some();
    form.filter
        .iter()
        .for_each(|filter| look(filter, if stops { guarded } else { reached }));
    form.body
        .iter()
        .for_each(|body| look(body, if is_partial { guarded } else { reached }));
    form.otherwise.iter().for_each(|otherwise| look(otherwise, guarded));
    if let Kind::Scan(_, start) = &form.kind {
        look(start, reached);
    }
}

/// A whole number that the text states.
fn literal(node: &Node) -> Option<i128> {
    match &node.op {
        Op::Int(value) => Some(*value),
        Op::Neg(of) => literal(of)?.checked_neg(),
        _ => None,
    }
}

/// `e + 1` and the like: the expression, and by how much it is moved.
fn shifted(node: &Node) -> Option<(&Node, i128)> {
    let Op::Binary(op @ (Binary::Add | Binary::Sub), a, b) = &node.op else {
        return None;
    };
    let moved = match (literal(a), literal(b)) {
        (_, Some(by)) => (&**a, by),
        (Some(by), _) if *op == Binary::Add => (&**b, by),
        _ => return None,
    };
    Some(moved).filter(|(_, by)| *by != 0)
}

/// Whether two expressions are the same attribute, number or variable.
fn is_same(a: &Op, b: &Op) -> bool {
    matches!(a, Op::Int(_) | Op::Field(_) | Op::Slot(_)) && a == b
}

/// Whether an expression asks for a data type.
fn asks_for_type(node: &Node) -> bool {
    let mut asks = matches!(node.op, Op::Prop(_, Prop::DataType));
    each_part(node, Reached::Always, &mut |part, _| asks |= asks_for_type(part));
    asks || node.ty == Type::DataType
}
