//! How a case tests a clause.

use dml_spec::{
    TensorDesc, Value,
    model::{ClauseKind, Generator, Operator},
};

use dml_case::{
    case::Case,
    clause::{Cell, CellKind, Found, find},
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

/// How a case tests a clause: negative where its verdict names it; positive where the case is accepted and shows
/// that the clause holds (a cell it stands on, a constraint it obeys, a guarantee that its results could break).
pub fn relation(suite: &Suite, case: &Case, id: &str) -> Option<Relation> {
    relation_to(suite, case, id, find(suite, id).as_ref())
}

/// As [`relation`], for a clause that was looked up with [`find`].
pub fn relation_to(suite: &Suite, case: &Case, id: &str, found: Option<&Found<'_>>) -> Option<Relation> {
    if case.verdict.clauses().iter().any(|c| c == id) {
        return Some(Relation::Negative);
    }
    if case.verdict.is_rejection() {
        return None;
    }
    let (operator, _) = suite.operator(case.id.operator())?;
    let holds = match found? {
        Found::Cell(cell) => cell.operator == case.id.operator() && stands_on(suite, operator, case, cell),
        Found::Clause(clause) => {
            let owner = clause.id.split('/').next().unwrap_or_default();
            let mine = owner == "TENSOR" || owner == case.id.operator();
            mine && clause.retired.is_none()
                && match clause.kind {
                    ClauseKind::Constraint => true,
                    ClauseKind::Guarantee => crate::tests_guarantee(clause, &crate::exposed(suite, case)),
                    ClauseKind::Silence => false,
                }
        }
    };
    holds.then_some(Relation::Positive)
}

/// Whether the case belongs to a family that breaks constraints one by one.
pub fn in_fault_family(suite: &Suite, case: &Case) -> bool {
    let family = suite
        .operator(case.id.operator())
        .and_then(|(operator, _)| operator.cases.families.iter().find(|f| f.name == case.id.family()));
    family.is_some_and(|f| f.generator == Generator::Faults)
}

fn stands_on(suite: &Suite, operator: &Operator, case: &Case, cell: &Cell<'_>) -> bool {
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
