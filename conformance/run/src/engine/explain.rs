//! Explains failures: keeps a sample of what the backend gave, and compares it with what mistakes would give.

use std::sync::Mutex;

use dml_case::{
    case::{Case, Mode},
    context::Context,
    digest::Digest,
    id::CaseId,
    mistake::Mistakes,
    outcome::{Basis, Outcome},
    record::Record,
    sample::{ELEMENTS, Sampled, Samples},
    tensor::{Shape, named_tensors},
};
use dml_judge::clauses_of_mistake;
use dml_oracle::{Given, explain_failures};
use dml_plan::planner::Planner;
use dml_spec::{
    answer::Answer,
    model::{Catalog, Operator, Role, Text},
};

/// The sample of a run, which its workers fill together.
#[derive(Debug, Default)]
pub struct SharedSamples(Mutex<Samples>);

impl SharedSamples {
    /// Looks at a case that was judged.
    pub fn note(&self, catalog: &Catalog, operator: &Operator, case: &Case, answer: &Answer, record: &Record) {
        let (Answer::Executed { outputs }, Mode::Execute) = (answer, case.mode) else {
            return;
        };
        let failed = match record.outcome {
            Outcome::Pass => false,
            // Of failures without a wrong element nothing is to be explained.
            Outcome::Fail if record.differing > 0 => true,
            _ => return,
        };
        let digest = record.expectation;
        let Ok(mut samples) = self.0.lock() else { return };
        if failed {
            samples.note_wrong(&case.id);
        }
        if record.is_wrong_and_large() {
            samples.count_large(&case.id, digest);
        }
        if record.elements > ELEMENTS || !samples.wants(&case.id, digest, failed) {
            return;
        }
        let tensors = named_tensors(operator, &case.descriptor, Role::Output);
        let packed = tensors.iter().zip(outputs).map(|((_, desc), buffer)| {
            let (shape, bytes) = (Shape::of(catalog, desc)?, buffer.tensor());
            (bytes.len() as u64 >= shape.total_bytes).then(|| pack(&shape, bytes))
        });
        if let Some(outputs) = packed.collect::<Option<Vec<_>>>() {
            let id = case.id.clone();
            samples.keep(Sampled {
                id,
                digest,
                failed,
                follow_up: false,
                outputs,
            });
        }
    }

    /// Whether a case would be kept.
    pub fn wants(&self, id: &CaseId, digest: Digest, failed: bool) -> bool {
        self.0.lock().is_ok_and(|samples| samples.wants(id, digest, failed))
    }

    /// What was kept.
    pub fn into_inner(self) -> Samples {
        self.0.into_inner().unwrap_or_default()
    }
}

/// The elements of a tensor in row-major order, without gaps.
fn pack(shape: &Shape, bytes: &[u8]) -> Vec<u8> {
    let width = shape.width();
    let elements = shape.read(bytes).into_iter();
    elements
        .flat_map(|bits| bits.to_le_bytes().into_iter().take(width))
        .collect()
}

/// The elements of packed bytes; `None` if there are more or fewer than the shape has.
fn unpack(shape: &Shape, bytes: &[u8]) -> Option<Vec<u64>> {
    let width = shape.width();
    if bytes.len() as u64 != shape.elements() * width as u64 {
        return None;
    }
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    Some(bytes.chunks_exact(width.max(1)).map(element).collect())
}

/// What explains the wrong outputs in a sample, by operator. Cases that are not what they were are left out.
pub fn explain(suite: &Planner, samples: &Samples, basis: Basis) -> Vec<Mistakes> {
    let explained = |operator: &Text| explain_operator(suite, samples, operator, basis);
    samples.failing().filter_map(explained).collect()
}

/// What explains the wrong outputs of one operator in a sample.
pub(super) fn explain_operator(suite: &Planner, samples: &Samples, operator: &Text, basis: Basis) -> Option<Mistakes> {
    let basis = of_oracle(basis);
    let [failing, passing] = [true, false].map(|failed| rebuild(suite, samples, operator, failed));
    let all = {
        let [failing, passing] = [&failing, &passing].map(|cases| given(cases));
        explain_failures(suite, operator, &failing, &passing, basis)
    };
    let large = samples.large(operator);
    // A sample whose cases are no longer what they were says nothing.
    if all.is_none() && large == 0 {
        return None;
    }
    let mut all = all.unwrap_or_else(|| Mistakes::none(operator.clone()));
    all.large = large;
    for mistake in &mut all.found {
        let smallest = failing
            .iter()
            .find(|(case, ..)| Some(&case.id) == mistake.smallest.as_ref());
        let clauses = smallest.and_then(|(case, outputs, _)| {
            let context = Context::new(suite, case)?;
            Some(clauses_of_mistake(context, &mistake.kind, outputs))
        });
        mistake.clause = clauses.and_then(|clauses| clauses.into_iter().next());
    }
    Some(all)
}

/// The oracle's name for a basis.
pub(super) fn of_oracle(basis: Basis) -> dml_oracle::Basis {
    match basis {
        Basis::Text => dml_oracle::Basis::Text,
        Basis::Runtime => dml_oracle::Basis::Runtime,
    }
}

/// A case, the elements of its outputs, and whether it was made after the run.
type Rebuilt = (Case, Vec<Vec<u64>>, bool);

fn rebuild(suite: &Planner, samples: &Samples, operator: &Text, failed: bool) -> Vec<Rebuilt> {
    let cases = samples.of(operator, failed);
    cases
        .filter_map(|(digest, id, outputs, made)| {
            let (case, elements) = rebuild_case(suite, digest, id, outputs)?;
            Some((case, elements, made))
        })
        .collect()
}

fn rebuild_case(suite: &Planner, digest: Digest, id: &CaseId, outputs: &[Vec<u8>]) -> Option<(Case, Vec<Vec<u64>>)> {
    let case = dml_plan::build(suite, id).ok()?;
    if Digest::of_case(&case) != digest {
        return None;
    }
    let (operator, _) = suite.operator(id.operator())?;
    let tensors = named_tensors(operator, &case.descriptor, Role::Output);
    if tensors.len() != outputs.len() {
        return None;
    }
    let elements = tensors.iter().zip(outputs).map(|((_, desc), bytes)| {
        let shape = Shape::of(&suite.catalog, desc)?;
        unpack(&shape, bytes)
    });
    let elements = elements.collect::<Option<Vec<_>>>()?;
    Some((case, elements))
}

fn given(cases: &[Rebuilt]) -> Vec<Given<'_>> {
    let given = cases.iter().map(|(case, outputs, made)| Given {
        case,
        outputs,
        made: *made,
    });
    given.collect()
}
