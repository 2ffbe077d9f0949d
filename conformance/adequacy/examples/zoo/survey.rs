//! What becomes of all faults of an operator.

use std::ops::ControlFlow;

use dml_case::{case::Mode, digest::Digest, id::CaseId, lock::DEFAULT_SEED, record::Record, sample};
use dml_plan::{Bucket, planner::Planner};
use dml_spec::{
    answer::Info,
    model::{Operator, Tier},
};
use rayon::prelude::*;

use crate::{
    fault::{Fault, Stage, faults},
    finding::{Finding, Tally},
    hunt::{Hunt, buckets_of, hunt_for, info, options},
    prey::Fate,
    scene::Scene,
    walk::{Walk, Walked},
};

/// What one pass over all cases of an operator shows.
struct Pass {
    /// What the records of each validating fault say.
    tallies: Vec<Tally>,
    /// The small cases that run, with their digests.
    cases: Vec<(Digest, CaseId)>,
}

/// Tries the cases of a tier on all faults of an operator. Faults that no small case kills are hunted with all cases.
pub(crate) fn survey(suite: &Planner, operator: &Operator, tier: Tier) -> Vec<Finding> {
    survey_of(suite, operator, tier, faults(suite, operator))
}

/// The same of these faults.
pub(crate) fn survey_of(suite: &Planner, operator: &Operator, tier: Tier, faults: Vec<Fault>) -> Vec<Finding> {
    let (validating, computing): (Vec<Fault>, Vec<Fault>) =
        faults.into_iter().partition(|fault| fault.stage == Stage::Validating);
    let info = info(suite, operator);
    let Pass { tallies, cases } = pass(suite, operator, tier, &validating, &info);
    let walk = Walk {
        suite,
        operator,
        info: &info,
    };
    let walked = walk.over(&cases, &computing);
    let (mut found, mut alive) = (Vec::new(), Vec::new());
    let validated = validating.into_iter().zip(tallies.into_iter().map(Walked::of_records));
    for (fault, Walked { tally, mistakes }) in validated.chain(computing.into_iter().zip(walked)) {
        if tally.is_empty() {
            alive.push(fault);
            continue;
        }
        let said = tally.into_said();
        let finding = Finding::new(&operator.name, &fault, Fate::Killed);
        found.push(Finding {
            said,
            mistakes,
            ..finding
        });
    }
    let hunt = Hunt { suite, tier, drawn: 0 };
    let hunted = hunt_for(hunt, operator, alive);
    found.extend(hunted.iter().map(|prey| {
        let larger = prey.families().into_values().cloned().collect();
        let finding = Finding::new(&operator.name, &prey.fault, prey.fate());
        let trail = &prey.trail;
        let spared = trail.first_spared.clone().or_else(|| trail.first_open.clone());
        Finding {
            larger,
            spared: spared.filter(|_| trail.kills.is_empty()),
            ..finding
        }
    }));
    found
}

fn pass(suite: &Planner, operator: &Operator, tier: Tier, faults: &[Fault], info: &Info) -> Pass {
    let of_bucket = |bucket: &Bucket| {
        let mut tallies: Vec<Tally> = faults.iter().map(|_| Tally::default()).collect();
        let mut cases = Vec::new();
        let _ = dml_plan::for_each_case(suite, bucket, tier, DEFAULT_SEED, &mut |case| {
            let scene = Scene::new(suite, operator, &case);
            for (fault, tally) in faults.iter().zip(&mut tallies) {
                let Some(wrong) = fault.answer(&scene) else { continue };
                let judged = dml_judge::judge(suite, &case, &scene.answer(wrong), &options(info));
                let record = Record::new(case.id.clone(), judged.outcome).judged(judged);
                if record.outcome.is_failure() {
                    tally.add(&record);
                }
            }
            let runs = case.mode == Mode::Execute && !case.verdict.is_rejection();
            if runs && case.elements(&suite.catalog) <= sample::ELEMENTS {
                cases.push((Digest::of_case(&case), case.id.clone()));
            }
            ControlFlow::Continue(())
        });
        Pass { tallies, cases }
    };
    let buckets = buckets_of(suite, operator);
    let passes: Vec<Pass> = buckets.par_iter().map(of_bucket).collect();
    let mut all = Pass {
        tallies: faults.iter().map(|_| Tally::default()).collect(),
        cases: Vec::new(),
    };
    for pass in passes {
        all.tallies
            .iter_mut()
            .zip(pass.tallies)
            .for_each(|(all, tally)| all.extend(tally));
        all.cases.extend(pass.cases);
    }
    all.cases.sort_unstable_by_key(|(digest, _)| *digest);
    all
}
