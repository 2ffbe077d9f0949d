//! The expected outputs of a case, computed once.
//!
//! While a backend runs a case in another process, its worker computes them ahead ([`Expected::compute_ahead`]), and the
//! judge uses them.

use std::sync::{Arc, OnceLock};

use dml_oracle::{Acceptance, Expectation, Request, Tensor, case_inputs};
use dml_spec::meaning::{Meaning, typed::Variant};

use dml_case::{
    case::{Case, Mode},
    context::Context,
    suite::Suite,
};

/// Expected outputs, and what else an output may be.
#[derive(Clone, Debug, Default)]
pub(super) struct Reference {
    /// Elements of every present output in row-major order: the page's, else those of the meaning.
    pub(super) outputs: Vec<Vec<u64>>,
    /// What each may be.
    pub(super) acceptances: Vec<Acceptance>,
    /// Whether some element is judged.
    pub(super) is_judged: bool,
    /// Bytes of memory in use, about.
    bytes: u64,
}

/// What came of computing what is expected.
#[derive(Debug)]
enum Computed {
    Known(Reference),
    /// The operator has no meaning.
    Nothing,
    /// The meaning has no value for the case, and why.
    Fault(String),
}

/// The expected outputs of one case, computed at the first call; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    half_precision: bool,
    computed: Arc<OnceLock<Computed>>,
}

impl Expected {
    /// Most bytes of memory for each element of an output.
    pub const ELEMENT: u64 = 32;

    /// Expected outputs that are still to be computed; `half_precision` if FLOAT16 tensors may be computed in it.
    pub fn new(half_precision: bool) -> Self {
        Self {
            half_precision,
            computed: Arc::default(),
        }
    }

    /// Computes the expected outputs now, if the judge needs them when the case runs.
    pub fn compute_ahead(&self, suite: &Suite, case: &Case) {
        if runs(case)
            && let Some(context) = Context::new(suite, case)
        {
            self.compute(context);
        }
    }

    /// About the bytes of memory in use; `None` before anything is computed.
    pub fn bytes(&self) -> Option<u64> {
        Some(match self.computed.get()? {
            Computed::Known(reference) => reference.bytes,
            Computed::Nothing | Computed::Fault(_) => 0,
        })
    }

    /// What was computed so far.
    pub(super) fn known(&self) -> Option<&Reference> {
        match self.computed.get()? {
            Computed::Known(reference) => Some(reference),
            Computed::Nothing | Computed::Fault(_) => None,
        }
    }

    /// The expected outputs of a case that runs; `None` if its operator has no meaning, or [`Self::fault`] says why.
    pub(super) fn compute(&self, context: Context) -> Option<&Reference> {
        let half_precision = self.half_precision;
        self.computed.get_or_init(|| Computed::of(context, half_precision));
        self.known()
    }

    /// Why the meaning has no value for the case.
    pub(super) fn fault(&self) -> Option<&str> {
        match self.computed.get()? {
            Computed::Fault(why) => Some(why),
            Computed::Known(_) | Computed::Nothing => None,
        }
    }
}

/// Whether a case runs to outputs that are looked at.
fn runs(case: &Case) -> bool {
    case.mode == Mode::Execute && !case.verdict.is_rejection()
}

/// The outputs expected of an executing case, elements in row-major order: the page's, else the meaning's. `None` if all
/// are unspecified or the operator has no meaning.
pub fn expected_outputs(suite: &Suite, case: &Case) -> Option<Vec<Vec<u64>>> {
    if case.verdict.is_rejection() || matches!(case.verdict, dml_case::case::Verdict::Unspecified(_)) {
        return None;
    }
    if let Some(given) = &case.given {
        return Some(given.clone());
    }
    match Computed::of(Context::new(suite, case)?, false) {
        Computed::Known(reference) => Some(reference.outputs),
        Computed::Nothing | Computed::Fault(_) => None,
    }
}

/// What is accepted of each output of a case as bytes, the same on every machine; empty if nothing runs or the operator
/// has no meaning.
pub fn accepted_bytes(suite: &Suite, case: &Case) -> Vec<Vec<u8>> {
    let context = Context::new(suite, case).filter(|_| runs(case));
    match context.map(|context| Computed::of(context, false)) {
        Some(Computed::Known(reference)) => reference.bytes_of_each(),
        Some(Computed::Nothing | Computed::Fault(_)) | None => Vec::new(),
    }
}

/// Elements of outputs in row-major order, as bits, output by output.
pub(super) type Elements = Vec<Vec<u64>>;

/// What the meaning of a case accepts, by the ways to read clauses.
pub(super) struct Expectations<'a> {
    context: Context<'a>,
    meaning: &'a Meaning,
    inputs: Vec<Vec<Tensor>>,
    half_precision: bool,
}

impl<'a> Expectations<'a> {
    /// `None` if the operator has no meaning, or the inputs do not fit.
    pub(super) fn of(context: Context<'a>, half_precision: bool) -> Option<Self> {
        let meaning = context.program()?.meaning.as_ref()?;
        Some(Self {
            context,
            meaning,
            inputs: case_inputs(context)?,
            half_precision,
        })
    }

    /// What is asked of the meaning as it is written.
    pub(super) fn request(&self) -> Request<'_> {
        Request {
            catalog: &self.context.suite.catalog,
            meanings: self.context.suite,
            descriptor: &self.context.case.descriptor,
            inputs: &self.inputs,
            basis: dml_oracle::Basis::Runtime,
            variants: &[],
            half_precision: self.half_precision,
        }
    }

    /// The variants of a clause that speak of the case.
    pub(super) fn variants(&self, clause: &str) -> Vec<&'a Variant> {
        let short = clause.rsplit('/').next().unwrap_or_default();
        let number = self.meaning.clauses.iter().position(|id| id == short);
        let of_clause = |variant: &&Variant| Some(usize::from(variant.clause)) == number;
        let variants = self.meaning.variants.iter().filter(of_clause);
        let request = self.request();
        variants
            .filter(|variant| dml_oracle::applies(&request, variant) == Ok(true))
            .collect()
    }

    /// Whether these variants leave some element to be judged.
    pub(super) fn is_judged(&self, variants: &[&Variant]) -> bool {
        dml_oracle::judges(&self.reading(variants)) == Ok(true)
    }

    /// Whether outputs are what these variants lead to; `None` if they have no value here.
    pub(super) fn follows(&self, variants: &[&Variant], actual: &Elements) -> Option<bool> {
        dml_oracle::follows(&self.reading(variants), actual).ok()
    }

    /// What is asked of the meaning with clauses read in this way.
    pub(super) fn reading<'r>(&'r self, variants: &'r [&'r Variant]) -> Request<'r> {
        Request {
            variants,
            ..self.request()
        }
    }
}

impl Computed {
    fn of(context: Context, half_precision: bool) -> Self {
        #[cfg(test)]
        tests::COMPUTED.set(tests::COMPUTED.get() + 1);
        let Context { operator, case, .. } = context;
        if context.program().is_none_or(|program| program.meaning.is_none()) {
            return Self::Nothing;
        }
        let Some(expectations) = Expectations::of(context, half_precision) else {
            return Self::Fault("the inputs of the case do not fit its descriptor".to_owned());
        };
        match Expectation::compute(&expectations.request()) {
            Ok(expectation) => Self::Known(Reference::new(expectation, case.given.as_ref())),
            Err(fault) => Self::Fault(format!("the meaning of {} has no value here: {fault}", operator.name)),
        }
    }
}

impl Reference {
    /// `given`: the elements that the page states.
    fn new(expectation: Expectation, given: Option<&Elements>) -> Self {
        Self {
            bytes: expectation.bytes(),
            is_judged: expectation.is_judged(),
            outputs: given.cloned().unwrap_or(expectation.outputs),
            acceptances: expectation.acceptances,
        }
    }

    /// Elements and what they may be, output by output.
    fn bytes_of_each(&self) -> Vec<Vec<u8>> {
        let pairs = self.outputs.iter().zip(&self.acceptances);
        pairs
            .map(|(elements, acceptance)| {
                let mut bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
                acceptance.write_bytes(&mut bytes);
                bytes
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use dml_spec::answer::Answer;

    use crate::Options;
    use crate::expected::*;
    use dml_case::outcome::{Basis, Outcome};

    thread_local! {
        /// How often anything was computed on this thread.
        pub(super) static COMPUTED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn what_is_expected_is_computed_once() {
        let suite = crate::embedded::suite();
        let backend = dml_cpu::backend();
        let info = dml_ops::Backend::info(&backend);
        let options = Options {
            basis: Basis::Runtime,
            strict_reasons: false,
            half_precision: false,
            info: &info,
        };
        // One that is compared exactly, and one by a bound.
        for id in [
            "TOP_K1:3.1:examples:example=largest-two",
            "REDUCE:5.0:examples:example=rows",
        ] {
            let Ok(case) = dml_plan::build(suite, &id.parse().unwrap()) else {
                panic!("{id}")
            };
            let (operator, _) = suite.operator(case.id.operator()).unwrap();
            let (_, outputs) = dml_case::poison::buffers(operator, &case);
            let unwritten = Answer::Executed { outputs };
            let (expected, before) = (Expected::default(), COMPUTED.get());
            expected.compute_ahead(suite, &case);
            for _ in 0..2 {
                let judged = crate::judge_expected(suite, &case, &expected, &unwritten, &options);
                assert_eq!(judged.outcome, Outcome::Fail);
            }
            assert_eq!(COMPUTED.get() - before, 1, "{id}");
            // Without a look ahead it comes to the same.
            let judged = crate::judge(suite, &case, &unwritten, &options);
            assert_eq!(
                judged,
                crate::judge_expected(suite, &case, &expected, &unwritten, &options)
            );
        }
    }
}
