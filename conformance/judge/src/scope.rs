//! How far the outputs of a case are judged, before there is an answer.

use crate::{
    execution::text_leaves_open,
    output::{self, Output},
};
use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    outcome::Basis,
    suite::Suite,
};

/// How far the outputs of a case are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Nothing runs, so there are no outputs.
    Nothing,
    /// Each element is compared with what is accepted there; some may be open.
    Elements,
    /// No element is compared: elements share places.
    Open,
    /// No element fails the case: the runtimes specify the outputs, which the text leaves open.
    Observed,
}

/// How far the outputs of a case are judged on this basis; `None` if the case makes no sense.
pub fn scope(suite: &Suite, case: &Case, basis: Basis) -> Option<Scope> {
    if case.mode == Mode::Create || case.verdict.is_rejection() {
        return Some(Scope::Nothing);
    }
    let context = Context::new(suite, case)?;
    let outputs = output::list_outputs(context)?;
    Some(match &case.verdict {
        Verdict::Unspecified(_) if outputs.iter().any(Output::shares_places) => Scope::Open,
        Verdict::Observed { .. } if basis == Basis::Text && text_leaves_open(context) => Scope::Observed,
        _ => Scope::Elements,
    })
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn what_is_judged_depends_on_verdict_and_basis() {
        let suite = crate::embedded::suite();
        let of = |id: &str, basis| {
            let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
            (case.verdict.word(), scope(suite, &case, basis).unwrap())
        };
        let valid = "TOP_K1:3.1:examples:example=largest-two";
        let observed = "SLICE1:2.1:examples:example=negative-strides";
        let in_part = "ACTIVATION_IDENTITY:1.0:values:type=FLOAT32,sizes=1x1x2x9,values=denormals";
        for basis in [Basis::Text, Basis::Runtime] {
            assert_eq!(of(valid, basis), ("valid", Scope::Elements));
            assert_eq!(of(in_part, basis), ("unspecified", Scope::Elements));
        }
        assert_eq!(of(observed, Basis::Runtime), ("observed", Scope::Elements));
        assert_eq!(of(observed, Basis::Text), ("observed", Scope::Observed));
    }
}
