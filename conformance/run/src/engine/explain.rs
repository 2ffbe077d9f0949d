//! Explains failures: keeps a sample of what the backend gave, and compares it with what mistakes would give.
//!
//! The sample rests on the digests of cases alone, so that it is the same however many workers there are, and in
//! whatever order they finish.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use dml_case::{
    case::{Case, Mode},
    context::Context,
    digest::Digest,
    mistake::{Mistake, Traits, find_condition},
    outcome::{Basis, Outcome},
    record::Record,
    tensor::{Shape, named_tensors},
};
use dml_oracle::{Explanation, Mutant, MutantRun, Observed, explain, mutants};
use dml_plan::planner::Planner;
use dml_spec::{
    answer::Answer,
    model::{Catalog, Operator, Role, Text},
};

/// Failing cases of a clause, and passing ones of an operator, that are compared.
const SAMPLE: usize = 64;

/// Fewer failing cases are a coincidence too easily.
const FEW: usize = 5;

/// Most elements of a case that is compared.
const ELEMENTS: u64 = 4096;

/// Further mistakes that are named.
const OTHERS: usize = 3;

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

    fn keep(&mut self, digest: Digest, kept: Kept) {
        self.0.insert(digest, kept);
        if self.0.len() > SAMPLE {
            self.0.pop_last();
        }
    }
}

/// Samples of all operators: of passing cases by operator, of failing ones by operator and clause.
#[derive(Default)]
pub(super) struct Samples {
    passing: Mutex<BTreeMap<Text, Sample>>,
    failing: Mutex<BTreeMap<(Text, Text), Sample>>,
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
        match record.outcome {
            Outcome::Pass => keep(&self.passing, operator.name.clone(), digest, kept),
            Outcome::Fail => keep(&self.failing, (operator.name.clone(), record.clause()), digest, kept),
            _ => {}
        }
    }

    /// What explains the failures, by operator and clause.
    pub(super) fn explain(self, suite: &Planner, basis: Basis) -> Vec<Mistake> {
        let failing = self.failing.into_inner().unwrap_or_default();
        let passing = self.passing.into_inner().unwrap_or_default();
        let mut all = Vec::new();
        let mut known: Option<(Text, Vec<Mutant>)> = None;
        let none = Sample::default();
        for ((operator, clause), sample) in &failing {
            let mutants = match &known {
                Some((name, mutants)) if name == operator => mutants,
                _ => &known.insert((operator.clone(), mutants_of(suite, operator))).1,
            };
            let failing = observe_all(suite, sample, basis);
            let passing = observe_all(suite, passing.get(operator).unwrap_or(&none), basis);
            let found = explain(mutants, &failing, &passing);
            let traits = |observed: &[Observed<'_>]| observed.iter().map(Observed::traits).collect::<Vec<_>>();
            all.extend(mistake(
                (operator, clause),
                &found,
                &traits(&failing),
                &traits(&passing),
            ));
        }
        all
    }
}

fn keep<K: Ord>(samples: &Mutex<BTreeMap<K, Sample>>, key: K, digest: Digest, kept: impl FnOnce() -> Option<Kept>) {
    let Ok(mut samples) = samples.lock() else { return };
    let sample = samples.entry(key).or_default();
    if sample.wants(digest)
        && let Some(kept) = kept()
    {
        sample.keep(digest, kept);
    }
}

fn mutants_of(suite: &Planner, operator: &str) -> Vec<Mutant> {
    let Some((operator, program)) = suite.operator(operator) else {
        return Vec::new();
    };
    match &program.meaning {
        Some(meaning) => mutants(&suite.catalog, operator, meaning),
        None => Vec::new(),
    }
}

fn observe_all<'a>(suite: &'a Planner, sample: &'a Sample, basis: Basis) -> Vec<Observed<'a>> {
    sample
        .0
        .values()
        .filter_map(|kept| observe(suite, kept, basis))
        .collect()
}

fn observe<'a>(suite: &'a Planner, kept: &'a Kept, basis: Basis) -> Option<Observed<'a>> {
    let basis = match basis {
        Basis::Text => dml_oracle::Basis::Text,
        Basis::Runtime => dml_oracle::Basis::Runtime,
    };
    Some(Observed {
        run: MutantRun::new(Context::new(suite, &kept.case)?, basis)?,
        outputs: kept.outputs.clone(),
    })
}

/// What the report says of the mutants that fit: the first one that no passing case refutes, else the first one that
/// they refute only where a condition does not hold.
fn mistake(
    (operator, clause): (&Text, &Text),
    found: &[Explanation<'_>],
    failing: &[Traits],
    passing: &[Traits],
) -> Option<Mistake> {
    let all: Vec<&Traits> = failing.iter().collect();
    let condition = |of: &Explanation<'_>| {
        let refuting = of.refuting.iter().filter_map(|at| passing.get(*at));
        find_condition(&all, &refuting.collect::<Vec<_>>())
    };
    let holds = |of: &&Explanation<'_>| of.refuting.is_empty() || condition(of).is_some();
    let fitting: Vec<&Explanation<'_>> = found.iter().filter(holds).collect();
    let (first, rest) = fitting.split_first()?;
    let is_always = first.refuting.is_empty();
    let alike = rest.iter().filter(|other| other.refuting.is_empty() == is_always);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let others = alike
        .map(|other| other.mutant.sentence.as_str())
        .filter(|sentence| *sentence != first.mutant.sentence && seen.insert(sentence));
    Some(Mistake {
        operator: operator.clone(),
        clause: clause.clone(),
        kind: first.mutant.kind.word(),
        sentence: first.mutant.sentence.clone(),
        place: first.mutant.place.clone(),
        failing: failing.len(),
        passing: passing.len(),
        condition: (!is_always).then(|| condition(first)).flatten(),
        uncertain: failing.len() < FEW,
        others: others.take(OTHERS).map(str::to_owned).collect(),
    })
}
