//! What the judge accepts of the outputs of a case, element by element, without an answer to judge.

use dml_spec::model::{DataType, Text};

use crate::{
    execution::{shared_properties, text_leaves_open},
    expected::Expected,
    output::{self, Output},
};
use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    outcome::Basis,
    suite::Suite,
};
use dml_legacy::compare::Tolerance;

/// What the judge accepts of the outputs of a case. Bytes that belong to no element are left aside.
#[derive(Debug)]
pub enum Accepted<'a> {
    /// Nothing runs, so there are no outputs.
    Nothing,
    /// Each element is compared with what is expected of it.
    Judged(JudgedOutputs<'a>),
    /// No element is compared.
    Open(OpenOutputs),
}

/// Outputs whose elements are compared one by one.
#[derive(Debug)]
pub struct JudgedOutputs<'a> {
    outputs: Vec<Output<'a>>,
    expected: Expected,
}

/// Outputs that fail by no single element.
#[derive(Clone, Debug)]
pub struct OpenOutputs {
    /// Type and number of elements of every present output.
    pub outputs: Vec<(DataType, u64)>,
    /// Properties that the judge demands of them all the same; none if the runtimes agree on the outputs and the text is
    /// silent, or if elements share places.
    pub properties: Vec<Text>,
    /// Whether the runtimes specify the outputs, which the text leaves open.
    pub observed: bool,
}

impl<'a> Accepted<'a> {
    /// What is accepted on this basis; `None` if the case makes no sense or its operator has no oracle.
    pub fn of(suite: &'a Suite, case: &'a Case, basis: Basis) -> Option<Self> {
        if case.mode == Mode::Create || case.verdict.is_rejection() {
            return Some(Self::Nothing);
        }
        let context = Context::new(suite, case)?;
        let outputs = output::list_outputs(context)?;
        if let Verdict::Unspecified(clauses) = &case.verdict {
            let is_checked = !outputs.iter().any(Output::shares_places);
            let shared = shared_properties(suite, context.operator, clauses);
            let properties = shared.into_iter().filter(|_| is_checked);
            let properties = properties.map(|(_, property)| property.clone()).collect();
            return Some(Self::open(&outputs, properties, false));
        }
        if basis == Basis::Text && text_leaves_open(context) {
            return Some(Self::open(&outputs, Vec::new(), true));
        }
        let expected = Expected::default();
        let reference = &expected.compute(context)?.outputs;
        let fits = |(elements, output): (&Vec<u64>, &Output)| elements.len() as u64 == output.shape.elements();
        let all_fit = reference.len() == outputs.len() && reference.iter().zip(&outputs).all(fits);
        all_fit.then_some(Self::Judged(JudgedOutputs { outputs, expected }))
    }

    fn open(outputs: &[Output], properties: Vec<Text>, observed: bool) -> Self {
        let of = |output: &Output| (output.shape.ty.clone(), output.shape.elements());
        Self::Open(OpenOutputs {
            outputs: outputs.iter().map(of).collect(),
            properties,
            observed,
        })
    }
}

impl JudgedOutputs<'_> {
    /// Calls `visit` for every present output: its type, the elements expected in row-major order, and how the judge
    /// compares them.
    pub fn for_each<E>(&self, mut visit: impl FnMut(&DataType, &[u64], &Tolerance) -> Result<(), E>) -> Result<(), E> {
        let Some(reference) = self.expected.known() else {
            return Ok(());
        };
        let tolerances = reference.tolerances(&self.outputs);
        let mut outputs = self.outputs.iter().zip(&reference.outputs).zip(&tolerances);
        outputs.try_for_each(|((output, elements), tolerance)| visit(&output.shape.ty, elements, tolerance))
    }
}

#[cfg(test)]
mod tests {
    use dml_plan::planner::Planner;

    use super::*;

    /// The verdict of a case and what is accepted of it: whether elements are judged, else what is demanded.
    fn accepted(id: &str, basis: Basis) -> (&'static str, Option<Vec<Text>>) {
        let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
        let case = dml_plan::build(&suite, &id.parse().unwrap()).unwrap();
        let properties = match Accepted::of(&suite, &case, basis).unwrap() {
            Accepted::Nothing => panic!("{id} runs"),
            Accepted::Judged(judged) => {
                let mut elements = 0;
                let counted = judged.for_each(|_, of_output, tolerance| {
                    let all_accepted = of_output
                        .iter()
                        .enumerate()
                        .all(|(at, e)| tolerance.accepts(at, *e, *e));
                    elements += of_output.len();
                    if all_accepted { Ok(()) } else { Err(()) }
                });
                assert!(counted.is_ok() && elements > 0, "{id}");
                None
            }
            Accepted::Open(open) => {
                assert_eq!(open.observed, case.verdict.word() == "observed");
                assert!(open.outputs.iter().any(|(_, elements)| *elements > 0), "{id}");
                Some(open.properties)
            }
        };
        (case.verdict.word(), properties)
    }

    #[test]
    fn what_is_judged_depends_on_verdict_and_basis() {
        let valid = "TOP_K1:3.1:examples:example=largest-two";
        let observed = "SLICE1:2.1:examples:example=negative-strides";
        for basis in [Basis::Text, Basis::Runtime] {
            assert_eq!(accepted(valid, basis), ("valid", None));
        }
        let unspecified = "ACTIVATION_IDENTITY:1.0:extremes:type=FLOAT32,sizes=1x1x2x9,values=denormals";
        for basis in [Basis::Text, Basis::Runtime] {
            let (verdict, properties) = accepted(unspecified, basis);
            assert_eq!(verdict, "unspecified");
            assert!(
                properties
                    .unwrap()
                    .iter()
                    .any(|property| property == "denormals-or-zero")
            );
        }
        assert_eq!(accepted(observed, Basis::Runtime), ("observed", None));
        assert_eq!(accepted(observed, Basis::Text), ("observed", Some(Vec::new())));
    }
}
