//! What an evaluation may take, so that no meaning runs without end or fills the memory.

use std::cell::Cell;

use dml_spec::meaning::Node;

use super::fault::{Eval, fault};

/// Most elements of a list, those of nested lists with them.
pub const MOST_ITEMS: usize = 1 << 14;
/// Most values that are kept in one place: of an intermediate over its domain, of a sequence at all its numbers.
pub const MOST_ENTRIES: usize = 1 << 26;
/// Most points that one evaluation looks at, counted anew for each part of an expression.
pub const MOST_POINTS: u64 = 1 << 34;
/// Most points that the outcomes of a block may become.
pub(crate) const MOST_OUTCOMES: usize = 1 << 16;
/// Ends of ranges are no further from zero, so that distances and sums of them fit 64 bits.
const FURTHEST: i128 = 1 << 60;

/// Deepest nesting of expressions, those of intermediates and of nested operators with them, so that no stack overflows.
const DEEPEST: u32 = 128;

/// What an evaluation may still take.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u64>,
    depth: Cell<u32>,
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
            depth: Cell::new(0),
        }
    }

    /// How many of `all` points are spent.
    pub(crate) fn spent(&self, all: u64) -> u64 {
        all.saturating_sub(self.left.get())
    }

    /// Enters a part of an expression, for so many points.
    #[inline]
    pub(crate) fn enter(&self, node: &Node, points: usize) -> Eval<()> {
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() > DEEPEST {
            return fault(node, format!("expressions are nested more than {DEEPEST} deep"));
        }
        self.spend(node, points)
    }

    /// Leaves the part that was entered last.
    #[inline]
    pub(crate) fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    /// Refuses at once what looks at more points than are left.
    pub(crate) fn affords(&self, node: &Node, points: u128) -> Eval<()> {
        if points > u128::from(self.left.get()) {
            return fault(node, "the evaluation takes too long: it looks at too many points");
        }
        Ok(())
    }

    /// Takes so many points.
    #[inline]
    fn spend(&self, node: &Node, points: usize) -> Eval<()> {
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

/// An end of a range, if it may lie so far from zero; in 64 bits.
pub(crate) fn near_end(node: &Node, at: i128) -> Eval<i64> {
    Ok(end(node, at)? as i64)
}

/// An end of a range, if it may lie so far from zero.
pub(crate) fn end(node: &Node, end: i128) -> Eval<i128> {
    if end.unsigned_abs() <= FURTHEST.unsigned_abs() {
        Ok(end)
    } else {
        fault(node, format!("{end} is too far from zero for the end of a range"))
    }
}
