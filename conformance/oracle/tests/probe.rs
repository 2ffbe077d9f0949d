//! A meaning that has no value for a legal descriptor is found.

use dml_oracle::{Meanings, probe};

#[test]
fn a_read_that_nothing_guards_is_found() {
    let mut catalog = dml_spec_yaml::load::catalog().clone();
    let name = "CUMULATIVE_SUMMATION";
    let operators = catalog.operators.to_mut();
    let operator = operators.iter_mut().find(|o| o.name == name).expect("an operator");
    // Right for an axis longer than one alone.
    let meaning = [("OutputTensor[o]", "InputTensor[o with [Axis] = 1]")];
    operator.meaning = meaning.map(|(head, body)| (head.into(), body.into())).to_vec().into();
    operator
        .clauses
        .to_mut()
        .iter_mut()
        .for_each(|clause| clause.tells = Default::default());
    let meanings = Meanings::of_catalog(&catalog);
    let operator = catalog.operator(name).expect("an operator");
    let found = probe(&catalog, &meanings, operator, Vec::new());
    assert!(
        found.iter().any(|found| found.fault.message.starts_with("index [")),
        "{found:?}"
    );
}
