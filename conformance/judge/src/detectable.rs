//! The classes of failures that the shapes and data of a case can show.
//!
//! A guarantee is tested only by cases in which a backend could violate it. Ties are tested if equal values occur, an
//! order if two different elements are selected.

use dml_spec::model::{Clause, ClauseKind};

use crate::{
    expected::oracle_call,
    output::{self, Output},
};
use dml_case::{
    case::{Case, Mode, Verdict},
    suite::Suite,
};
use dml_case::{context::Context, names::OVERWRITTEN};
use dml_legacy::oracle::oracle;

/// Classes of failures that a case can show, the oracle's and the harness's own. `unwritten` is left out: any case that
/// runs can show it, so it does not distinguish guarantees.
pub fn detectable_classes(suite: &Suite, case: &Case) -> Vec<&'static str> {
    let runs = case.mode == Mode::Execute && !case.verdict.is_rejection();
    let Some(context) = Context::new(suite, case).filter(|_| runs) else {
        return Vec::new();
    };
    let outputs = output::list_outputs(context).unwrap_or_default();
    let mut classes = vec!["guard-touched"];
    if outputs.iter().any(Output::has_padding) {
        classes.push("padding-touched");
    }
    // The elements are unspecified.
    if matches!(case.verdict, Verdict::Unspecified(_)) {
        return classes;
    }
    if !case.aliases.is_empty() {
        classes.push(OVERWRITTEN);
    }
    if let Some((call, oracle)) = oracle_call(context).zip(oracle(&context.operator.name)) {
        let mut shapes = call.inputs.iter().map(|input| &input.shape).chain(&call.outputs);
        if shapes.any(|shape| !shape.is_packed()) {
            classes.push("strides-ignored");
        }
        classes.extend(oracle.exposes(&call));
    }
    classes
}

/// Whether a case that can show these classes tests a clause: a guarantee that one of them violates.
pub fn tests_guarantee(clause: &Clause, detectable: &[&str]) -> bool {
    clause.kind == ClauseKind::Guarantee && clause.class.iter().any(|class| detectable.contains(&class.as_ref()))
}
