//! How many dimensions tensors have by the tables, and how long lists are, as far as the text tells.

use super::Checker;
use crate::meaning::typed::{Bound, Kind, Node, Op};
use crate::rule::{ast::Bits, typed::Prop};

impl Checker<'_> {
    /// The fewest and the most dimensions that a tensor may have; `None` if there are no tables.
    pub(super) fn ranks(&self, field: usize) -> Option<(usize, usize)> {
        let name = &self.operator.fields.get(field)?.name;
        let rows = self.operator.support.iter().flat_map(|table| table.rows.iter());
        let all = rows.filter(|row| row.tensor == *name).map(|row| row.dimensions);
        let (least, most) = all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some((usize::try_from(least).ok()?, usize::try_from(most).ok()?))
    }

    /// The one number of dimensions that a tensor may have.
    fn rank(&self, field: usize) -> Option<usize> {
        self.ranks(field)
            .filter(|(least, most)| least == most)
            .map(|(rank, _)| rank)
    }

    /// How long a list is, if it is as long for every descriptor.
    pub(super) fn length(&self, node: &Node) -> Option<usize> {
        match &node.op {
            Op::List(items) => Some(items.len()),
            Op::Prop(tensor, Prop::Sizes | Prop::Strides) => self.rank(tensor.field),
            Op::With(list, ..) => self.length(list),
            Op::Binary(_, a, b) => self.length(a).or_else(|| self.length(b)),
            Op::If(_, yes, no) => self.length(yes).filter(|length| self.length(no) == Some(*length)),
            Op::Let(_, _, body) => self.length(body),
            Op::Bits(Bits::Concat, a, b) => Some(self.length(a)? + self.length(b)?),
            Op::Slice(_, from, to) => match (&from.op, &to.op) {
                (Op::Int(from), Op::Int(to)) => usize::try_from(to.checked_sub(*from)?).ok(),
                _ => None,
            },
            Op::Slot(slot) => self.lengths.get(slot).copied(),
            Op::Definition(at, _) => self.length(&self.meaning.definitions.get(*at)?.body),
            Op::Reduce(form) => match (&form.kind, form.binders.as_slice()) {
                (Kind::List, [Bound { from, to: Some(to), .. }]) => match (&from.op, &to.op) {
                    (Op::Int(0), Op::Int(to)) => usize::try_from(*to).ok(),
                    _ => None,
                },
                (Kind::First | Kind::Last | Kind::ArgMin | Kind::ArgMax, [Bound { from, to: None, .. }]) => {
                    self.length(from)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Notes how long the list in a variable is.
    pub(super) fn note_length(&mut self, slot: usize, length: Option<usize>) {
        if let Some(length) = length {
            self.lengths.insert(slot, length);
        }
    }

    /// Notes that a variable is the index vector of a tensor.
    pub(super) fn note_rank(&mut self, slot: usize, field: usize) {
        self.note_length(slot, self.rank(field));
    }
}
