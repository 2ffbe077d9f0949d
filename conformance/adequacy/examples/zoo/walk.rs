//! Faults answer the cases of an operator in the order of their digests, until a run would keep no further one.

use std::sync::{Mutex, PoisonError};

use dml_case::{case::Case, digest::Digest, id::CaseId, mistake::Mistakes, outcome::Outcome, record::Record};
use dml_judge::{Expected, judge_expected};
use dml_plan::planner::Planner;
use dml_run::engine::{SharedSamples, explain};
use dml_spec::{
    answer::{Answer, Info},
    model::Operator,
};
use rayon::prelude::*;

use crate::{
    fault::{Fault, Wrong},
    finding::Tally,
    hunt::options,
    scene::Scene,
};

/// Cases that are tried at a time.
const AT_ONCE: usize = 64;

/// What faults are tried with.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    /// The suite.
    pub(crate) suite: &'a Planner,
    /// The operator.
    pub(crate) operator: &'a Operator,
    /// The backend that the faults are in.
    pub(crate) info: &'a Info,
}

/// What the cases show of a fault.
#[derive(Debug)]
pub(crate) struct Walked {
    /// What the records of failing cases say.
    pub(crate) tally: Tally,
    /// What explains wrong outputs; `None` if none was wrong.
    pub(crate) mistakes: Option<Mistakes>,
}

impl Walked {
    /// A fault whose failures the records alone explain.
    pub(crate) fn of_records(tally: Tally) -> Self {
        Self { tally, mistakes: None }
    }
}

/// A fault on its way.
#[derive(Default)]
struct Seen {
    samples: SharedSamples,
    tally: Mutex<Tally>,
}

/// A case, with what is the same for every fault.
struct Stop<'a> {
    case: &'a Case,
    scene: &'a Scene<'a>,
    digest: Digest,
    elements: u64,
    expected: Expected,
}

impl Walk<'_> {
    /// Tries these cases, which stand in the order of their digests, on each fault.
    pub(crate) fn over(self, cases: &[(Digest, CaseId)], faults: &[Fault]) -> Vec<Walked> {
        let all = self.seen(cases, faults);
        all.into_par_iter().map(|seen| self.explained(seen)).collect()
    }

    fn seen(self, cases: &[(Digest, CaseId)], faults: &[Fault]) -> Vec<Seen> {
        let all: Vec<Seen> = faults.iter().map(|_| Seen::default()).collect();
        for cases in cases.chunks(AT_ONCE) {
            let Some((first, id)) = cases.first() else { continue };
            let wants = |seen: &Seen| {
                [true, false]
                    .iter()
                    .any(|failed| seen.samples.wants(id, *first, *failed))
            };
            let left: Vec<(&Fault, &Seen)> = faults.iter().zip(&all).filter(|(_, seen)| wants(seen)).collect();
            if left.is_empty() {
                break;
            }
            cases.par_iter().for_each(|(digest, id)| self.stop(*digest, id, &left));
        }
        all
    }

    fn stop(self, digest: Digest, id: &CaseId, left: &[(&Fault, &Seen)]) {
        let Ok(case) = dml_plan::build(self.suite, id) else {
            return;
        };
        let scene = Scene::new(self.suite, self.operator, &case);
        if scene.is_at_odds() {
            return;
        }
        let stop = Stop {
            case: &case,
            scene: &scene,
            digest,
            elements: case.elements(&self.suite.catalog),
            expected: Expected::new(false),
        };
        let mut right: Option<Option<(Answer, Record)>> = None;
        for (fault, seen) in left {
            if let Some(wrong) = fault.answer(&scene) {
                let (answer, record) = self.judged(&stop, wrong);
                self.note(&stop, seen, &answer, &record);
                continue;
            }
            let right = right.get_or_insert_with(|| {
                let buffers = scene.right_buffers()?.to_vec();
                Some(self.judged(&stop, Wrong::Buffers(buffers)))
            });
            if let Some((answer, record)) = right {
                self.note(&stop, seen, answer, record);
            }
        }
    }

    fn judged(self, stop: &Stop, wrong: Wrong) -> (Answer, Record) {
        let answer = stop.scene.answer(wrong);
        let judged = judge_expected(self.suite, stop.case, &stop.expected, &answer, &options(self.info));
        let record = Record {
            expectation: stop.digest,
            elements: stop.elements,
            ..Record::new(stop.case.id.clone(), judged.outcome)
        };
        (answer, record.judged(judged))
    }

    fn note(self, stop: &Stop, seen: &Seen, answer: &Answer, record: &Record) {
        let catalog = &self.suite.catalog;
        seen.samples.note(catalog, self.operator, stop.case, answer, record);
        if record.outcome.is_failure() && record.outcome != Outcome::HarnessError {
            let mut tally = seen.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(record);
        }
    }

    fn explained(self, seen: Seen) -> Walked {
        let options = options(self.info);
        let mistakes = explain(self.suite, &seen.samples.into_inner(), options.basis);
        Walked {
            tally: seen.tally.into_inner().unwrap_or_else(PoisonError::into_inner),
            mistakes: mistakes.into_iter().next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use dml_case::{case::Mode, lock::DEFAULT_SEED, sample};
    use dml_spec::model::Tier;

    use super::*;
    use crate::{
        fault::faults,
        hunt::{buckets_of, info},
    };

    #[test]
    fn a_walk_that_ends_early_keeps_what_a_run_keeps() {
        let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
        let (operator, _) = suite.operator("TOP_K1").unwrap();
        let info = info(&suite, operator);
        let walk = Walk {
            suite: &suite,
            operator,
            info: &info,
        };
        let (mut cases, mut in_order) = (Vec::new(), Vec::new());
        for bucket in buckets_of(&suite, operator) {
            let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Smoke, DEFAULT_SEED, &mut |case| {
                let runs = case.mode == Mode::Execute && !case.verdict.is_rejection();
                if runs && case.elements(&suite.catalog) <= sample::ELEMENTS {
                    cases.push((Digest::of_case(&case), case.id.clone()));
                }
                ControlFlow::Continue(())
            });
        }
        in_order.clone_from(&cases);
        cases.sort_unstable_by_key(|(digest, _)| *digest);
        let name = "highest-index-first";
        let fault = faults(&suite, operator).into_iter().find(|fault| fault.name == name);
        let faults = [fault.unwrap()];
        let early = walk.seen(&cases, &faults).pop().unwrap();
        let whole = Seen::default();
        for (digest, id) in in_order.iter().rev() {
            walk.stop(*digest, id, &[(&faults[0], &whole)]);
        }
        let count = |seen: &Seen| {
            let tally = std::mem::take(&mut *seen.tally.lock().unwrap());
            tally.into_said().iter().map(|said| said.cases).sum::<u64>()
        };
        assert!(count(&early) < count(&whole), "the walk ended early");
        assert_eq!(early.samples.into_inner(), whole.samples.into_inner());
    }
}
