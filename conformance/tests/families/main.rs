//! What each family of cases is for: a fault that it names, planted, is caught by that family and by no other but
//! `variants`, which has what they have one by one all at once.
//!
//! A planted fault answers like the CPU backend but where its condition holds, which looks at what a kernel sees: the
//! descriptor and the data. So a family that is taken away leaves a hole that the others do not close.

mod plants;
mod seen;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    time::Duration,
};

use dml_case::{
    case::{Case, Mode},
    outcome::{Basis, Outcome},
};
use dml_judge::Options;
use dml_ops::{Answer, Info, Job, Rejection, Session};
use dml_plan::planner::Planner;
use dml_run::backends;
use dml_spec::model::{Operator, Tier};

use self::{
    plants::{PLANTS, VARIANTS},
    seen::Seen,
};

/// A fault, and the family that is to catch it.
struct Plant {
    operator: &'static str,
    family: &'static str,
    /// In the words of the family's `catches`.
    fault: &'static str,
    /// Where it shows.
    shows: fn(&Seen) -> bool,
    does: Does,
}

/// What a planted fault does where it shows.
#[derive(Clone, Copy)]
enum Does {
    /// Refuses the descriptor.
    Refuse,
    /// Takes the descriptor.
    Take,
    /// Spoils the first element of the first output.
    Spoil,
    /// Spoils every byte of every output.
    SpoilAll,
    /// Writes behind the first output.
    Stray,
    /// Reads inputs that outputs have been written over: it runs twice, on the same memory.
    Overwrite,
    /// Ends with an error.
    End,
}

/// The answer with the fault.
fn answer(does: Does, operator: &Operator, case: &Case, session: &mut dyn Session) -> Answer {
    match does {
        Does::Refuse => return Answer::Rejected(Rejection::default()),
        Does::Take => return Answer::Created,
        Does::End => {
            return Answer::Error {
                message: "planted".to_owned(),
            };
        }
        _ if case.mode == Mode::Create => return Answer::Created,
        Does::Spoil | Does::SpoilAll | Does::Stray | Does::Overwrite => {}
    }
    let (inputs, outputs) = dml_case::poison::buffers(operator, case);
    let job = Job {
        id: 1,
        feature_level: case.id.level(),
        descriptor: case.descriptor.clone(),
        inputs,
        outputs,
        aliases: case.aliases.as_slice().into(),
    };
    let mut run = |job: Job| {
        session.submit(vec![job]);
        let mut answers = session.poll(Duration::from_secs(60));
        answers.pop().expect("an answer").1
    };
    let mut answer = run(job.clone());
    let Answer::Executed { outputs } = &mut answer else {
        return answer;
    };
    let spoil = |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = !*byte);
    match does {
        Does::Overwrite => {
            let outputs = outputs.clone();
            return run(Job { outputs, ..job });
        }
        Does::SpoilAll => outputs.iter_mut().for_each(|output| spoil(output.tensor_mut())),
        Does::Stray => {
            let last = outputs[0].whole_mut().last_mut().expect("a guard");
            *last = !*last;
        }
        _ => {
            let width = seen::width(operator, case);
            spoil(&mut outputs[0].tensor_mut()[..width]);
        }
    }
    answer
}

/// Cases of more elements are no family's own.
const HUGE: u64 = 1 << 19;

/// Families that catch each of these plants in an operator, with how many of their cases do.
fn caught(suite: &Planner, operator: &Operator, info: &Info, session: &mut dyn Session) -> Vec<BTreeMap<String, u32>> {
    let plants: Vec<&Plant> = PLANTS.iter().filter(|plant| plant.operator == operator.name).collect();
    let mut caught = vec![BTreeMap::new(); plants.len()];
    let options = Options {
        basis: Basis::Runtime,
        strict_reasons: false,
        info,
    };
    for bucket in dml_plan::buckets(suite)
        .iter()
        .filter(|b| suite.catalog.operators[b.operator].name == operator.name)
    {
        let _ = dml_plan::for_each_case(suite, bucket, Tier::Standard, 0, &mut |case| {
            // Sets of a million elements show every mistake in sums.
            if case.elements(&suite.catalog) > HUGE {
                return ControlFlow::Continue(());
            }
            let seen = Seen::new(suite, operator, &case);
            for (plant, caught) in plants.iter().zip(&mut caught) {
                if !(plant.shows)(&seen) {
                    continue;
                }
                let answer = answer(plant.does, operator, &case, session);
                let judged = dml_judge::judge(suite, &case, &answer, &options);
                if judged.outcome.is_failure() || judged.outcome == Outcome::HarnessError {
                    *caught.entry(case.id.family().to_owned()).or_insert(0) += 1;
                }
            }
            ControlFlow::Continue(())
        });
    }
    caught
}

#[test]
fn each_family_catches_a_fault_that_no_other_does() {
    // The sweeps alone: listed cases are random, and of whatever family they could be drawn for.
    let suite = Planner::new(dml_conformance::spec::catalog().clone())
        .unwrap()
        .without_lists();
    let cpu = backends::find("cpu").unwrap();
    let (info, mut session) = (cpu.info(), cpu.open().unwrap());
    let mut wrong = Vec::new();
    for operator in suite.catalog.operators.iter() {
        let plants = PLANTS.iter().filter(|plant| plant.operator == operator.name);
        let caught = caught(&suite, operator, &info, &mut *session);
        for (plant, mut caught) in plants.zip(caught) {
            if plant.family != VARIANTS {
                caught.remove(VARIANTS);
            }
            if caught.keys().ne([plant.family]) {
                wrong.push(format!(
                    "{}/{}, {}: {caught:?}",
                    plant.operator, plant.family, plant.fault
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_family_names_the_fault_that_is_planted_for_it() {
    let catalog = dml_conformance::spec::catalog();
    let unnamed: Vec<String> = PLANTS
        .iter()
        .filter_map(|plant| {
            let families = &catalog.operator(plant.operator).unwrap().cases.families;
            let family = families.iter().find(|f| f.name == plant.family).unwrap();
            let named = family.catches.iter().any(|fault| fault == plant.fault);
            let (operator, family) = (plant.operator, family);
            (!named).then(|| {
                format!(
                    "{operator}/{}: {:?} is none of {:?}",
                    family.name, plant.fault, family.catches
                )
            })
        })
        .collect();
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
    let planted: BTreeSet<&str> = PLANTS.iter().map(|plant| plant.family).collect();
    let families = catalog.operators.iter().flat_map(|o| o.cases.families.iter());
    let missing: BTreeSet<&str> = families
        .map(|f| &*f.name)
        .filter(|name| !planted.contains(name))
        .collect();
    assert!(missing.is_empty(), "no fault is planted for {missing:?}");
}
