//! Support tables: which data types and dimension counts each level allows a tensor.

use dml_spec::{FeatureLevel, TensorDesc};

use crate::{Violation, Violations};

/// What a feature level supports, until the next table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportTable {
    /// First level it is valid for.
    pub level: FeatureLevel,
    /// One row a tensor, in struct order.
    pub rows: &'static [SupportRow],
}

/// Supported dimension counts and data types of one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportRow {
    /// Field name.
    pub tensor: &'static str,
    /// Smallest and largest dimension count, inclusive.
    pub dimensions: (u32, u32),
    /// Allowed data types, by value.
    pub types: &'static [u32],
    /// Ids of the cells that forbid a data type, by value.
    pub no_types: &'static [(u32, &'static str)],
    /// Ids of the cells that forbid a dimension count.
    pub no_dimensions: &'static [(u32, &'static str)],
}

/// Which `TENSOR/` clauses hold for one tensor, or for all of an array.
pub trait Held: Copy {
    /// Everything holds, as for an array without elements.
    const ALL: Self;

    /// What holds for both.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Whether rules about the tensor mean anything.
    fn structural(&self) -> bool;
}

/// The subject of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    tensor: Option<&'static str>,
    element: Option<u32>,
}

/// The descriptor as a whole.
pub const DESCRIPTOR: At = At {
    tensor: None,
    element: None,
};

impl SupportRow {
    /// The cell that forbids this data type; `None` where it is allowed, or unknown.
    #[inline]
    pub fn type_cell(&self, data_type: u32) -> Option<&'static str> {
        if self.types.contains(&data_type) {
            return None;
        }
        cell(self.no_types, data_type)
    }

    /// The cell that forbids this dimension count; `None` where it is allowed, or beyond the limits of all tensors.
    #[inline]
    pub fn dimension_cell(&self, count: u32) -> Option<&'static str> {
        if (self.dimensions.0..=self.dimensions.1).contains(&count) {
            return None;
        }
        cell(self.no_dimensions, count)
    }
}

fn cell(cells: &[(u32, &'static str)], value: u32) -> Option<&'static str> {
    cells.iter().find(|(v, _)| *v == value).map(|(_, id)| *id)
}

/// The checks of an operator's tensors at one level: the clauses that all tensors obey, and the support table.
#[derive(Debug)]
pub struct Tensors<'f> {
    level: FeatureLevel,
    table: Option<&'static SupportTable>,
    found: &'f mut Violations,
}

impl<'f> Tensors<'f> {
    /// Starts at `level`; `introduced` is the clause that is violated below the first table.
    #[inline]
    pub fn new(
        level: FeatureLevel,
        tables: &'static [SupportTable],
        introduced: (FeatureLevel, &'static str),
        found: &'f mut Violations,
    ) -> Self {
        let table = tables.iter().rev().find(|t| t.level <= level);
        if level < introduced.0 || (table.is_none() && !tables.is_empty()) {
            found.normative(DESCRIPTOR, introduced.1, Some(false));
        }
        Self { level, table, found }
    }

    /// Checks one tensor.
    #[inline]
    pub fn one<H: Held>(
        &mut self,
        name: &'static str,
        tensor: Option<&TensorDesc>,
        check: impl Fn(Option<&TensorDesc>, At, FeatureLevel, &mut Violations) -> H,
    ) -> H {
        self.check(
            At {
                tensor: Some(name),
                element: None,
            },
            tensor,
            check,
        )
    }

    /// Checks the tensors of an array.
    pub fn each<H: Held>(
        &mut self,
        name: &'static str,
        tensors: Option<&[TensorDesc]>,
        check: impl Fn(Option<&TensorDesc>, At, FeatureLevel, &mut Violations) -> H,
    ) -> H {
        let Some(tensors) = tensors else {
            return self.one(name, None, check);
        };
        tensors.iter().zip(0..).fold(H::ALL, |all, (tensor, element)| {
            let at = At {
                tensor: Some(name),
                element: Some(element),
            };
            all.and(self.check(at, Some(tensor), &check))
        })
    }

    #[inline]
    fn check<H: Held>(
        &mut self,
        at: At,
        tensor: Option<&TensorDesc>,
        check: impl Fn(Option<&TensorDesc>, At, FeatureLevel, &mut Violations) -> H,
    ) -> H {
        let held = check(tensor, at, self.level, self.found);
        let row = self
            .table
            .and_then(|t| t.rows.iter().find(|r| Some(r.tensor) == at.tensor));
        if let (true, Some(tensor), Some(row)) = (held.structural(), tensor, row) {
            let cells = [
                row.dimension_cell(tensor.dimension_count()),
                row.type_cell(tensor.data_type),
            ];
            for id in cells.into_iter().flatten() {
                self.found.normative(at, id, Some(false));
            }
        }
        held
    }
}

impl Violations {
    /// A rule that text and runtimes share.
    #[inline]
    pub fn normative(&mut self, at: At, clause: &'static str, holds: Option<bool>) -> bool {
        self.judge(at, clause, holds == Some(true), holds == Some(true))
    }

    /// A rule that only the runtimes have.
    #[inline]
    pub fn observed(&mut self, at: At, clause: &'static str, runtime: Option<bool>) -> bool {
        self.judge(at, clause, true, runtime == Some(true))
    }

    /// Text and runtimes have a rule each.
    #[inline]
    pub fn disputed(&mut self, at: At, clause: &'static str, text: Option<bool>, runtime: Option<bool>) -> bool {
        self.judge(at, clause, text == Some(true), runtime == Some(true))
    }

    /// Whether the clause holds by what the runtimes demand: what rests on it goes by that.
    #[inline]
    fn judge(&mut self, at: At, clause: &'static str, text: bool, runtime: bool) -> bool {
        if !(text && runtime) {
            let At { tensor, element } = at;
            self.push(Violation {
                clause,
                tensor,
                element,
                text: !text,
                runtime: !runtime,
            });
        }
        runtime
    }
}
