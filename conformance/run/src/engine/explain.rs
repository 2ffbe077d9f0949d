//! Explains failures: keeps a sample of what the backend gave, and compares it with what mistakes would give.
//!
//! The sample rests on the digests of cases alone, so that it is the same however many workers there are, and in
//! whatever order they finish.

use std::{collections::BTreeMap, sync::Mutex};

use dml_case::{
    case::{Case, Mode},
    digest::Digest,
    mistake::Mistakes,
    outcome::{Basis, Outcome},
    record::Record,
    tensor::{Shape, named_tensors},
};
use dml_oracle::{Given, explain_failures};
use dml_plan::planner::Planner;
use dml_spec::{
    answer::Answer,
    model::{Catalog, Operator, Role, Text},
};

/// Failing cases of an operator, and passing ones, that are compared.
const SAMPLE: usize = 96;

/// Most elements of a case that is compared.
const ELEMENTS: u64 = 4096;

/// A case and what the backend gave.
struct Kept {
    case: Case,
    outputs: Vec<Vec<u64>>,
}

/// The cases that come first by their digests.
#[derive(Default)]
struct Sample(BTreeMap<Digest, Kept>);

impl Sample {
    fn wants(&self, digest: Digest) -> bool {
        self.0.len() < SAMPLE || self.0.last_key_value().is_some_and(|(last, _)| digest < *last)
    }

    fn given(&self) -> Vec<Given<'_>> {
        let kept = self.0.values();
        kept.map(|kept| Given {
            case: &kept.case,
            outputs: &kept.outputs,
        })
        .collect()
    }

    fn keep(&mut self, digest: Digest, kept: Kept) {
        self.0.insert(digest, kept);
        if self.0.len() > SAMPLE {
            self.0.pop_last();
        }
    }
}

/// Samples of the cases of each operator that were executed: of those that pass, and of those whose outputs are wrong.
#[derive(Default)]
pub(super) struct Samples {
    passing: Mutex<BTreeMap<Text, Sample>>,
    failing: Mutex<BTreeMap<Text, Sample>>,
}

impl Samples {
    /// Looks at a case that was judged.
    pub(super) fn note(&self, catalog: &Catalog, operator: &Operator, case: &Case, answer: &Answer, record: &Record) {
        let (Answer::Executed { outputs }, Mode::Execute) = (answer, case.mode) else {
            return;
        };
        let digest = record.expectation;
        let kept = || {
            let tensors = named_tensors(operator, &case.descriptor, Role::Output);
            let outputs = tensors.iter().zip(outputs).map(|((_, desc), buffer)| {
                let (shape, bytes) = (Shape::of(catalog, desc)?, buffer.tensor());
                (bytes.len() as u64 >= shape.total_bytes).then(|| shape.read(bytes))
            });
            let outputs = outputs.collect::<Option<Vec<_>>>()?;
            Some(Kept {
                case: case.clone(),
                outputs,
            })
        };
        if record.elements > ELEMENTS {
            return;
        }
        let samples = match record.outcome {
            Outcome::Pass => &self.passing,
            Outcome::Fail => &self.failing,
            _ => return,
        };
        keep(samples, operator.name.clone(), digest, kept);
    }

    /// What explains the failures, by operator.
    pub(super) fn explain(self, suite: &Planner, basis: Basis) -> Vec<Mistakes> {
        let failing = self.failing.into_inner().unwrap_or_default();
        let passing = self.passing.into_inner().unwrap_or_default();
        let basis = match basis {
            Basis::Text => dml_oracle::Basis::Text,
            Basis::Runtime => dml_oracle::Basis::Runtime,
        };
        let none = Sample::default();
        let explained = |(operator, failing): (&Text, &Sample)| {
            let passing = passing.get(operator).unwrap_or(&none);
            explain_failures(suite, operator, &failing.given(), &passing.given(), basis)
        };
        failing.iter().filter_map(explained).collect()
    }
}

fn keep(samples: &Mutex<BTreeMap<Text, Sample>>, key: Text, digest: Digest, kept: impl FnOnce() -> Option<Kept>) {
    let Ok(mut samples) = samples.lock() else { return };
    let sample = samples.entry(key).or_default();
    if sample.wants(digest)
        && let Some(kept) = kept()
    {
        sample.keep(digest, kept);
    }
}
