//! What an evaluation may take, so that no meaning runs without end or fills the memory.

use std::cell::Cell;

use dml_spec::meaning::Node;

use super::machine::{Eval, fault};

/// Most elements of a list, those of nested lists with them.
pub const MOST_ITEMS: usize = 1 << 14;
/// Most values that are kept in one place: of an intermediate over its domain, of a sequence at all its numbers.
pub const MOST_ENTRIES: usize = 1 << 26;
/// Most points that one evaluation looks at, counted anew for each part of an expression.
pub const MOST_POINTS: u64 = 1 << 38;
/// Most points that the outcomes of a block may become.
pub(crate) const MOST_OUTCOMES: usize = 1 << 16;
/// Ends of ranges are no further from zero, so that distances and sums of them fit 64 bits.
const FURTHEST: i128 = 1 << 60;

/// What an evaluation has taken so far.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::of(MOST_POINTS)
    }
}

impl Budget {
    pub(crate) fn of(points: u64) -> Self {
        Self {
            left: Cell::new(points),
        }
    }

    /// Takes the points of one part of an expression.
    #[inline]
    pub(crate) fn spend(&self, node: &Node, points: usize) -> Eval<()> {
        match self.left.get().checked_sub(points as u64 + 1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => fault(node, "the evaluation takes too long: it looks at too many points"),
        }
    }
}

/// The product, if so many values may be kept.
pub(crate) fn entries(node: &Node, rows: usize, len: usize) -> Eval<usize> {
    match rows.checked_mul(len).filter(|entries| *entries <= MOST_ENTRIES) {
        Some(entries) => Ok(entries),
        None => fault(
            node,
            format!("{rows} times {len} values are more than the {MOST_ENTRIES} that may be kept"),
        ),
    }
}

/// The length of a list, if it may be so long.
pub(crate) fn items(node: &Node, len: i128) -> Eval<usize> {
    match usize::try_from(len).ok().filter(|len| *len <= MOST_ITEMS) {
        Some(len) => Ok(len),
        None => fault(node, format!("a list of {len}, longer than {MOST_ITEMS}")),
    }
}

/// An end of a range, if it may lie so far from zero.
pub(crate) fn end(node: &Node, end: i128) -> Eval<i128> {
    if end.unsigned_abs() <= FURTHEST.unsigned_abs() {
        Ok(end)
    } else {
        fault(node, format!("{end} is too far from zero for the end of a range"))
    }
}
