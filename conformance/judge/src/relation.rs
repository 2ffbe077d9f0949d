//! How a case tests a clause.

use dml_spec::{
    TensorDesc, Value,
    model::{ClauseKind, Family},
};

use crate::detectable::MutantCache;
use dml_case::{
    case::Case,
    clause::{Cell, CellKind, Found, find, is_about},
    context::Context,
    suite::Suite,
};

/// How a case tests a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// The clause holds in it, and the backend is to show that.
    Positive,
    /// The clause is violated, or does not decide.
    Negative,
}

/// How a case tests a clause: negative if its verdict names it; positive if the case is accepted and shows that the
/// clause holds (a cell that allows it, a constraint that it obeys, a guarantee that its results could violate).
pub fn find_relation(suite: &Suite, mutants: &MutantCache, case: &Case, id: &str) -> Option<Relation> {
    relate_to(suite, mutants, case, (id, find(suite, id).as_ref()))
}

/// As [`find_relation`], for a clause that was looked up with [`find`].
pub fn relate_to(
    suite: &Suite,
    mutants: &MutantCache,
    case: &Case,
    (id, found): (&str, Option<&Found<'_>>),
) -> Option<Relation> {
    if case.verdict.clauses().iter().any(|c| c == id) {
        return Some(Relation::Negative);
    }
    if case.verdict.is_rejection() {
        return None;
    }
    let context = Context::new(suite, case)?;
    let holds = match found? {
        Found::Cell(cell) => cell.operator == case.id.operator() && is_allowed_by(context, cell),
        Found::Clause(clause) => {
            is_about(&clause.id, case.id.operator())
                && clause.retired.is_none()
                && match clause.kind {
                    ClauseKind::Constraint => true,
                    ClauseKind::Guarantee => mutants.tests_guarantee(suite, case, clause),
                    ClauseKind::Silence => false,
                }
        }
    };
    holds.then_some(Relation::Positive)
}

/// Whether the case belongs to a family of faults.
pub fn in_fault_family(case: &Case) -> bool {
    Family::named(case.id.family()) == Some(Family::Faults)
}

/// Whether a support cell allows a tensor of the case.
fn is_allowed_by(context: Context, cell: &Cell<'_>) -> bool {
    let Context { suite, operator, case } = context;
    let fits = |tensor: &TensorDesc| match cell.what {
        CellKind::Type(name) => suite
            .catalog
            .data_type(tensor.data_type)
            .is_some_and(|t| t.name == name),
        CellKind::Dimensions(count) => tensor.dimension_count() == count,
    };
    let Some(index) = operator.field_index(&cell.row.tensor) else {
        return false;
    };
    let row = suite.row(operator, &case.descriptor, case.id.level(), index);
    row.is_some_and(|(table, row)| table.level == cell.level && row.group == cell.row.group)
        && match case.descriptor.fields.get(index) {
            Some(Value::Tensor(Some(tensor))) => fits(tensor),
            Some(Value::Tensors(Some(tensors))) => tensors.iter().any(fits),
            _ => false,
        }
}
