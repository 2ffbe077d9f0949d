//! What is expected of the outputs of a case: computed in one place, and once, whoever asks first.
//!
//! While a backend works by itself, whoever waits for it asks ahead ([`Expected::ahead`]); the judge finds it there.

use std::sync::{Arc, OnceLock};

use dml_spec::{
    Value,
    model::{Compare, Operator, Role},
};

use crate::output::Output;
use dml_case::{
    case::{Case, Mode, Verdict},
    compare::{Also, Tolerance},
    suite::Suite,
};
use dml_legacy::oracle::{Call, oracle};

/// Expected outputs, and how far an output may be from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Elements of every present output in row-major order.
    pub(super) outputs: Vec<Vec<u64>>,
    /// What the oracle allows of each element; nothing where no output is compared by a bound.
    slack: Vec<Vec<f64>>,
    /// What an element may be all the same.
    also: Vec<Vec<Option<Also>>>,
}

/// What is expected of the outputs of one case, once somebody asked; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Expected(Arc<OnceLock<Option<Wanted>>>);

impl Expected {
    /// Bytes that it takes for each element of an output, at most.
    pub const ELEMENT: u64 = 32;

    /// Computes it now, where the judge will ask for it if the case runs.
    pub fn ahead(&self, suite: &Suite, case: &Case) {
        if case.mode == Mode::Execute
            && is_defined(case)
            && let Some((operator, _)) = suite.operator(case.id.operator())
        {
            self.get(suite, operator, case);
        }
    }

    /// Bytes of what was computed, about; `None` before that.
    pub fn bytes(&self) -> Option<u64> {
        let wanted = self.0.get()?;
        Some(wanted.as_ref().map_or(0, Wanted::bytes))
    }

    /// What was computed.
    pub(super) fn known(&self) -> Option<&Wanted> {
        self.0.get()?.as_ref()
    }

    /// What is expected of a case whose outputs somebody defines; `None` where there is no oracle, or the inputs make
    /// no sense.
    pub(super) fn get(&self, suite: &Suite, operator: &Operator, case: &Case) -> Option<&Wanted> {
        self.0.get_or_init(|| Wanted::of(suite, operator, case)).as_ref()
    }
}

/// Whether text or runtimes define the outputs.
fn is_defined(case: &Case) -> bool {
    !matches!(case.verdict, Verdict::Unspecified(_)) && !case.verdict.is_rejection()
}

/// The outputs expected of an executing case, elements in row-major order: the page's, else the oracle's. `None` where
/// nobody defines them or the operator has no oracle.
pub fn expected(suite: &Suite, case: &Case) -> Option<Vec<Vec<u64>>> {
    if !is_defined(case) {
        return None;
    }
    let (operator, _) = suite.operator(case.id.operator())?;
    outputs(case, call(suite, operator, case, false).as_ref())
}

/// The call, where it is needed for anything.
fn call<'a>(suite: &'a Suite, operator: &'a Operator, case: &'a Case, bound: bool) -> Option<Call<'a>> {
    (bound || case.given.is_none())
        .then(|| Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs))
        .flatten()
}

/// The page's outputs, else the oracle's of the call.
fn outputs(case: &Case, call: Option<&Call>) -> Option<Vec<Vec<u64>>> {
    case.given
        .clone()
        .or_else(|| Some(oracle(case.id.operator())?.reference(call?)))
}

impl Wanted {
    fn of(suite: &Suite, operator: &Operator, case: &Case) -> Option<Self> {
        #[cfg(test)]
        tests::COMPUTED.set(tests::COMPUTED.get() + 1);
        let bound = is_bound(suite, operator, case);
        let call = call(suite, operator, case, bound);
        let outputs = outputs(case, call.as_ref())?;
        let judge = call.as_ref().zip(oracle(&operator.name)).filter(|_| bound);
        let slack = judge.map(|(call, oracle)| oracle.slack(call, &outputs));
        let also = judge.map(|(call, oracle)| oracle.also(call));
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
fn is_bound(suite: &Suite, operator: &Operator, case: &Case) -> bool {
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
            expected.ahead(&suite, &case);
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
