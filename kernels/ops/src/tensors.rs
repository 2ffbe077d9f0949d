//! Checks the tensors of a descriptor: the clauses that all tensors obey, then the support table.

use dml_spec::{FeatureLevel, TensorDesc};

use crate::{Violations, support::SupportTable, violation::At};

/// Which `TENSOR/` clauses hold for one tensor, or for all of an array.
pub trait Held: Copy {
    /// Everything holds, as for an array without elements.
    const ALL: Self;

    /// What holds for both.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Whether rules about the tensor apply.
    fn structural(&self) -> bool;
}

/// What clauses tell tensors apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Written, not read.
    pub output: bool,
    /// May be absent.
    pub optional: bool,
}

/// An input that must be there.
pub const INPUT: Part = Part {
    output: false,
    optional: false,
};
/// An input that may be absent.
pub const OPTIONAL_INPUT: Part = Part {
    output: false,
    optional: true,
};
/// An output that must be there.
pub const OUTPUT: Part = Part {
    output: true,
    optional: false,
};
/// An output that may be absent.
pub const OPTIONAL_OUTPUT: Part = Part {
    output: true,
    optional: true,
};

/// One tensor under inspection.
#[derive(Debug)]
pub struct Subject<'a, 'f> {
    /// What it is for.
    pub part: Part,
    /// The tensor, if it is given.
    pub tensor: Option<&'a TensorDesc>,
    /// The level the descriptor is checked for.
    pub level: FeatureLevel,
    at: At,
    found: &'f mut Violations,
}

impl Subject<'_, '_> {
    /// What a rule says of the tensor; it holds for an absent one.
    #[inline]
    pub fn present(&self, rule: impl FnOnce(&TensorDesc) -> Option<bool>) -> Option<bool> {
        self.tensor.map_or(Some(true), rule)
    }

    /// A rule that text and runtimes share.
    #[inline]
    pub fn normative(&mut self, clause: &'static str, holds: Option<bool>) -> bool {
        self.judge(clause, holds, holds)
    }

    /// The results of a clause by the text and by the runtimes.
    #[inline]
    pub fn judge(&mut self, clause: &'static str, text: Option<bool>, runtime: Option<bool>) -> bool {
        self.found.judge_at(self.at, clause, text, runtime)
    }
}

/// The tensors of a descriptor under inspection at one level.
#[derive(Debug)]
pub struct Tensors<'f, C> {
    level: FeatureLevel,
    table: Option<&'static SupportTable>,
    group: Option<&'static str>,
    check: C,
    found: &'f mut Violations,
}

impl<'f, H: Held, C: Fn(&mut Subject<'_, '_>) -> H> Tensors<'f, C> {
    /// `group` is the descriptor's group of rows, empty if there are no groups and `None` if it is in none;
    /// `introduced` is the clause that is violated below the first table, `check` runs the clauses of all tensors.
    #[inline]
    pub fn new(
        level: FeatureLevel,
        tables: &'static [SupportTable],
        group: Option<&'static str>,
        introduced: (FeatureLevel, &'static str),
        check: C,
        found: &'f mut Violations,
    ) -> Self {
        let table = tables.iter().rev().find(|t| t.level <= level);
        if level < introduced.0 || (table.is_none() && !tables.is_empty()) {
            found.normative(introduced.1, Some(false));
        }
        Self {
            level,
            table,
            group,
            check,
            found,
        }
    }

    /// Checks one tensor.
    #[inline]
    pub fn one(&mut self, part: Part, name: &'static str, tensor: &Option<TensorDesc>) -> H {
        self.check(part, name, None, tensor.as_ref())
    }

    /// Checks the tensors of an array; returns whether the array is present as required.
    pub fn each(&mut self, part: Part, name: &'static str, tensors: &Option<Vec<TensorDesc>>) -> H {
        let Some(tensors) = tensors else {
            return self.check(part, name, None, None);
        };
        let all = tensors.iter().zip(0..);
        all.fold(H::ALL, |held, (tensor, element)| {
            held.and(self.check(part, name, Some(element), Some(tensor)))
        })
    }

    #[inline]
    fn check(&mut self, part: Part, name: &'static str, element: Option<u32>, tensor: Option<&TensorDesc>) -> H {
        let at = At {
            tensor: Some(name),
            element,
        };
        let held = (self.check)(&mut Subject {
            part,
            tensor,
            level: self.level,
            at,
            found: self.found,
        });
        let row = self.table.zip(self.group).and_then(|(table, group)| {
            let mut rows = table.rows.iter();
            rows.find(|r| r.tensor == name && r.group == group)
        });
        if let (true, Some(tensor), Some(row)) = (held.structural(), tensor, row) {
            let cells = [
                row.dimension_cell(tensor.dimension_count()),
                row.type_cell(tensor.data_type),
            ];
            for id in cells.into_iter().flatten() {
                self.found.judge_at(at, id, Some(false), Some(false));
            }
        }
        held
    }
}
