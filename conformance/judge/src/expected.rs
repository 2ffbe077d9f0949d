//! The expected outputs of a case, computed once.
//!
//! While a backend runs a case in another process, its worker computes them ahead ([`Expected::compute_ahead`]), and the
//! judge uses them.

use std::sync::{Arc, OnceLock};

use dml_spec::{
    Value,
    model::{Compare, Role},
};

use crate::output::Output;
use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    suite::Suite,
};
use dml_legacy::compare::{Also, Tolerance};
use dml_legacy::oracle::{Call, oracle};

/// Expected outputs, and how far an output may be from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Reference {
    /// Elements of every present output in row-major order.
    pub(super) outputs: Vec<Vec<u64>>,
    /// What the oracle allows of each element; empty if no output is compared by a bound.
    slack: Vec<Vec<f64>>,
    /// Other accepted values of an element.
    also: Vec<Vec<Option<Also>>>,
}

/// The expected outputs of one case, computed at the first call; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Expected(Arc<OnceLock<Option<Reference>>>);

impl Expected {
    /// Most bytes of memory for each element of an output.
    pub const ELEMENT: u64 = 32;

    /// Computes the expected outputs now, if the judge needs them when the case runs.
    pub fn compute_ahead(&self, suite: &Suite, case: &Case) {
        if case.mode == Mode::Execute
            && is_defined(case)
            && let Some(context) = Context::new(suite, case)
        {
            self.compute(context);
        }
    }

    /// About the bytes of memory in use; `None` before anything is computed.
    pub fn bytes(&self) -> Option<u64> {
        let reference = self.0.get()?;
        Some(reference.as_ref().map_or(0, Reference::bytes))
    }

    /// What was computed so far.
    pub(super) fn known(&self) -> Option<&Reference> {
        self.0.get()?.as_ref()
    }

    /// The expected outputs of a case whose outputs are specified; `None` if there is no oracle, or the inputs are
    /// invalid.
    pub(super) fn compute(&self, context: Context) -> Option<&Reference> {
        self.0.get_or_init(|| Reference::compute(context)).as_ref()
    }
}

/// Whether the text or the runtimes specify the outputs.
fn is_defined(case: &Case) -> bool {
    !matches!(case.verdict, Verdict::Unspecified(_)) && !case.verdict.is_rejection()
}

/// The outputs expected of an executing case, elements in row-major order: the page's, else the oracle's. `None` if they
/// are unspecified or the operator has no oracle.
pub fn expected_outputs(suite: &Suite, case: &Case) -> Option<Vec<Vec<u64>>> {
    if !is_defined(case) {
        return None;
    }
    let context = Context::new(suite, case)?;
    choose_outputs(case, needed_call(context, false).as_ref())
}

/// The call of a case for the oracle; `None` if its descriptor or inputs are invalid.
pub(super) fn oracle_call(context: Context<'_>) -> Option<Call<'_>> {
    let Context { suite, operator, case } = context;
    Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs)
}

/// The call of a case, if an oracle is needed: for outputs that the page does not give, or for bounds.
fn needed_call(context: Context<'_>, is_bound: bool) -> Option<Call<'_>> {
    (is_bound || context.case.given.is_none())
        .then(|| oracle_call(context))
        .flatten()
}

/// The page's outputs, else the oracle's of the call.
fn choose_outputs(case: &Case, call: Option<&Call>) -> Option<Vec<Vec<u64>>> {
    case.given
        .clone()
        .or_else(|| Some(oracle(case.id.operator())?.reference(call?)))
}

impl Reference {
    fn compute(context: Context) -> Option<Self> {
        #[cfg(test)]
        tests::COMPUTED.set(tests::COMPUTED.get() + 1);
        let is_bound = is_bound(context);
        let call = needed_call(context, is_bound);
        let outputs = choose_outputs(context.case, call.as_ref())?;
        let bounds = call.as_ref().zip(oracle(&context.operator.name)).filter(|_| is_bound);
        let slack = bounds.map(|(call, oracle)| oracle.slack(call, &outputs));
        let also = bounds.map(|(call, oracle)| oracle.also(call));
        Some(Self {
            slack: slack.unwrap_or_default(),
            also: also.unwrap_or_default(),
            outputs,
        })
    }

    fn bytes(&self) -> u64 {
        let all = |lengths: usize, of: usize| (lengths * of) as u64;
        all(self.outputs.iter().map(Vec::len).sum(), size_of::<u64>())
            + all(self.slack.iter().map(Vec::len).sum(), size_of::<f64>())
            + all(self.also.iter().map(Vec::len).sum(), size_of::<Option<Also>>())
    }

    /// How each output is compared.
    pub(super) fn tolerances<'a>(&'a self, outputs: &'a [Output]) -> Vec<Tolerance<'a>> {
        let of = |(at, output): (usize, &'a Output)| {
            let slack = self.slack.get(at).map_or(&[][..], Vec::as_slice);
            let also = self.also.get(at).map_or(&[][..], Vec::as_slice);
            Tolerance::new(output.compare, &output.shape.ty, slack).or(also)
        };
        outputs.iter().enumerate().map(of).collect()
    }
}

/// Whether some output is compared by what the oracle allows.
fn is_bound(context: Context) -> bool {
    let Context { suite, operator, case } = context;
    let mut fields = operator.fields.iter().zip(&case.descriptor.fields);
    fields.any(|(field, value)| {
        let (Some(Role::Output), Some(compare)) = (field.kind.role(), &field.compare) else {
            return false;
        };
        let tensors = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        let mut types = tensors
            .iter()
            .filter_map(|tensor| suite.catalog.data_type(tensor.data_type));
        types.any(|ty| *compare.of(&ty.name) == Compare::Bound)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use dml_spec::answer::Answer;

    use crate::Options;
    use crate::expected::*;
    use dml_case::outcome::{Basis, Outcome};
    use dml_plan::planner::Planner;

    thread_local! {
        /// How often anything was computed on this thread.
        pub(super) static COMPUTED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn what_is_expected_is_computed_once() {
        let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
        let backend = dml_cpu::backend();
        let info = dml_ops::Backend::info(&backend);
        let options = Options {
            basis: Basis::Runtime,
            strict_reasons: false,
            info: &info,
        };
        // One that is compared exactly, and one by a bound.
        for id in [
            "TOP_K1:3.1:examples:example=largest-two",
            "REDUCE:5.0:examples:example=rows",
        ] {
            let Ok(case) = dml_plan::build(&suite, &id.parse().unwrap()) else {
                panic!("{id}")
            };
            let (operator, _) = suite.operator(case.id.operator()).unwrap();
            let (_, outputs) = dml_case::poison::buffers(operator, &case);
            let unwritten = Answer::Executed { outputs };
            let (expected, before) = (Expected::default(), COMPUTED.get());
            expected.compute_ahead(&suite, &case);
            for _ in 0..2 {
                let judged = crate::judge_expected(&suite, &case, &expected, &unwritten, &options);
                assert_eq!(judged.outcome, Outcome::Fail);
            }
            assert_eq!(COMPUTED.get() - before, 1, "{id}");
            // Without a look ahead it comes to the same.
            let judged = crate::judge(&suite, &case, &unwritten, &options);
            assert_eq!(
                judged,
                crate::judge_expected(&suite, &case, &expected, &unwritten, &options)
            );
        }
    }
}
