//! Validators that are lax in a way that no clause by itself is about: descriptors that they take and others refuse.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::ops::ControlFlow;

use dml_case::{case::Case, context::Context};
use dml_plan::{cells, planner::Planner, target::is_cell};
use dml_spec::{
    Value,
    model::{FieldKind, Operator, Tier},
};

fn suite() -> Planner {
    Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap()
}

/// Whether some case of an operator that is to be refused is one of these.
fn is_refused_somewhere(suite: &Planner, place: usize, is_one: &dyn Fn(&Case) -> bool) -> bool {
    let mut found = false;
    for bucket in dml_plan::buckets_of(suite, place, Tier::Standard) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, 0, &mut |case| {
            found |= case.verdict.is_rejection() && is_one(&case);
            match found {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
    }
    found
}

/// Whether the total size of a tensor holds its elements and is not what that is rounded up to.
fn is_unrounded(suite: &Planner, case: &Case) -> bool {
    cells::tensors(&case.descriptor).any(|(_, tensor)| {
        let Some(ty) = suite.catalog.data_type(tensor.data_type) else {
            return false;
        };
        let elements = tensor.minimum_total_size(32).map(|bytes| bytes / 4);
        let exact = elements.map(|elements| elements * u64::from(ty.bits / 8));
        let total = tensor.total_tensor_size_in_bytes;
        exact.is_some_and(|exact| exact > 0 && exact <= total && total < exact.next_multiple_of(4))
    })
}

#[test]
fn total_sizes_that_are_not_rounded_up_are_refused() {
    let suite = suite();
    let is_narrow = |operator: &Operator| {
        let rows = operator.support.iter().flat_map(|table| table.rows.iter());
        let mut types = rows.flat_map(|row| row.types.iter());
        types.any(|name| suite.catalog.data_type_named(name).is_some_and(|ty| ty.bits < 32))
    };
    let operators = suite.catalog.operators.iter().enumerate();
    let lacking: Vec<&str> = operators
        .filter(|(_, operator)| operator.is_computed() && is_narrow(operator))
        .filter(|(place, _)| !is_refused_somewhere(&suite, *place, &|case| is_unrounded(&suite, case)))
        .map(|(_, operator)| &*operator.name)
        .collect();
    assert_eq!(lacking, Vec::<&str>::new());
}

/// The row of a table of which a case breaks a data type, if it breaks no other cell and something that is none.
fn breaks_alone(suite: &Planner, operator: &Operator, case: &Case) -> Option<String> {
    let violations = Context { suite, operator, case }.violations();
    let (cells, others): (Vec<_>, Vec<_>) = violations.iter().partition(|violation| is_cell(&violation.clause));
    let [cell] = &cells[..] else { return None };
    let (row, ty) = cell.clause.rsplit_once('/')?;
    let is_type = suite.catalog.data_type_named(ty).is_some_and(|ty| ty.bits > 0);
    (is_type && !others.is_empty()).then(|| row.to_owned())
}

#[test]
fn a_tensor_of_reduce_has_a_type_that_its_row_lacks_and_the_other_tensor_has_not() {
    let suite = suite();
    let mut operators = suite.catalog.operators.iter().enumerate();
    let (place, operator) = operators.find(|(_, operator)| operator.name == "REDUCE").unwrap();
    let of_first_level = ["arithmetic", "extreme", "float", "norm"].map(|group| [group, "InputTensor", "1.0"]);
    let of_later_ones = ["3.0", "5.0"].map(|level| ["extreme", "OutputTensor", level]);
    for [group, tensor, level] in of_first_level.into_iter().chain(of_later_ones) {
        let row = format!("REDUCE/{level}/{group}/{tensor}");
        let is_one = |case: &Case| breaks_alone(&suite, operator, case).as_ref() == Some(&row);
        assert!(is_refused_somewhere(&suite, place, &is_one), "{row}");
    }
}

#[test]
fn numbers_that_are_negative_as_signed_ones_are_refused_where_a_limit_ties_others() {
    let suite = suite();
    let is_far = |value: &Value| matches!(value, Value::UInt(number) if *number > i32::MAX.unsigned_abs());
    for name in ["TOP_K", "TOP_K1"] {
        let mut operators = suite.catalog.operators.iter();
        let place = operators.position(|operator| operator.name == name).unwrap();
        let operator = &suite.catalog.operators[place];
        let at = operator.field_index("K").unwrap();
        assert!(matches!(operator.fields[at].kind, FieldKind::UInt));
        let is_one = |case: &Case| case.descriptor.fields.get(at).is_some_and(is_far);
        assert!(is_refused_somewhere(&suite, place, &is_one), "{name}");
    }
}
