//! What a case can show: the classes of failures that its shapes and data make possible.
//!
//! A guarantee is tested only by cases in which a backend could break it. Ties are tested where equal values occur, an
//! order where two elements are selected that differ.

use dml_spec::model::{Clause, ClauseKind};

use crate::output::{self, Output};
use dml_case::names::OVERWRITTEN;
use dml_case::{
    case::{Case, Mode, Verdict},
    suite::Suite,
};
use dml_legacy::oracle::{Call, oracle};

/// Classes of failures that a case can show, the oracle's and the harness's own. `unwritten` is none of them: any case
/// that runs can show it, so that it tells no guarantee from another.
pub fn exposed(suite: &Suite, case: &Case) -> Vec<&'static str> {
    let operator = suite.operator(case.id.operator()).map(|(operator, _)| operator);
    let Some(operator) = operator.filter(|_| case.mode == Mode::Execute && !case.verdict.is_rejection()) else {
        return Vec::new();
    };
    let outputs = output::outputs(&suite.catalog, operator, &case.descriptor).unwrap_or_default();
    let mut classes = vec!["guard-touched"];
    if outputs.iter().any(Output::has_padding) {
        classes.push("padding-touched");
    }
    // Nobody says what the elements are.
    if matches!(case.verdict, Verdict::Unspecified(_)) {
        return classes;
    }
    if !case.aliases.is_empty() {
        classes.push(OVERWRITTEN);
    }
    let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs);
    if let Some((call, oracle)) = call.zip(oracle(&operator.name)) {
        let mut shapes = call.inputs.iter().map(|input| &input.shape).chain(&call.outputs);
        if shapes.any(|shape| !shape.is_packed()) {
            classes.push("strides-ignored");
        }
        classes.extend(oracle.exposes(&call));
    }
    classes
}

/// Whether a case that can show these classes tests a clause: a guarantee that one of them breaks.
pub fn tests_guarantee(clause: &Clause, exposed: &[&str]) -> bool {
    clause.kind == ClauseKind::Guarantee && clause.class.iter().any(|class| exposed.contains(&class.as_ref()))
}
