//! Which cases a library tells something of.

use std::collections::BTreeSet;

use dml_case::{
    case::Case,
    clause::{self, Cell, CellKind},
};
use dml_plan::{cells::cells_of, planner::Planner};
use dml_spec::{
    FeatureLevel,
    model::{CellDifference, Operator, SupportTable, releases},
};

use super::Answers;

/// What a library tells something of.
pub(super) struct Telling<'a> {
    suite: &'a Planner,
    operator: &'a Operator,
    level: FeatureLevel,
    /// Cells that this release is known to judge otherwise.
    otherwise: BTreeSet<String>,
}

impl<'a> Telling<'a> {
    pub(super) fn new(suite: &'a Planner, operator: &'a Operator, table: &SupportTable, library: &Answers) -> Self {
        let names = |runtime: &str| releases(runtime).any(|release| release == library.name);
        let is_otherwise = |cell: &&Cell<'_>| find_differences(table, cell).any(|found| names(&found.runtime));
        let cells = clause::table_cells(&suite.catalog, operator, table);
        Self {
            suite,
            operator,
            level: library.level,
            otherwise: cells.iter().filter(is_otherwise).map(clause::cell_id).collect(),
        }
    }

    /// Of a case, which has the level of a table, unless it rests on a cell that the release judges otherwise, or a rule
    /// speaks of a level between that of the table and the library's.
    pub(super) fn of(&self, case: &Case) -> bool {
        let (descriptor, table) = (&case.descriptor, case.id.level());
        let Some((operator, program)) = self.suite.operator(&self.operator.name) else {
            return true;
        };
        let broken = |level| {
            let found = program
                .evaluate(&self.suite.catalog, operator, descriptor, level)
                .into_iter();
            found.map(|violation| violation.clause).collect::<Vec<_>>()
        };
        let is_otherwise = || {
            let cells = cells_of(self.suite, self.operator, descriptor, table);
            !cells.is_disjoint(&self.otherwise)
        };
        (self.level == table || broken(self.level) == broken(table)) && !is_otherwise()
    }
}

/// What some releases do with a cell against the table.
pub(super) fn find_differences<'a>(
    table: &'a SupportTable,
    cell: &'a Cell<'_>,
) -> impl Iterator<Item = &'a CellDifference> {
    table
        .differences(&cell.row.tensor)
        .filter(|difference| match cell.what {
            CellKind::Type(name) => difference.types.iter().any(|ty| ty == name),
            CellKind::Dimensions(count) => difference.dimensions.contains(&count),
        })
}
