//! What random cases show that those of the plan do not.

use std::{ops::Range, sync::Arc};

use dml_spec::answer::Info;
use dml_spec::model::Operator;
use rayon::prelude::*;

use crate::{
    conditions::{Condition, under},
    fault::Fault,
    hunt::{Hunt, fails},
    prey::Trail,
    scene::Scene,
};
use dml_adequacy::fuzz::{Fuzz, Limit};

/// Random cases that are drawn at a time, and their seed.
const AT_ONCE: u64 = 256;
const SEED: u64 = 1;

/// What random cases show of faults, under conditions under which no case of the plan kills them.
pub(crate) fn drawn(
    hunt: Hunt,
    operator: &Operator,
    faults: &[Fault],
    conditions: &[Condition],
    known: &[Trail],
    info: &Info,
) -> Vec<Trail> {
    if hunt.drawn == 0 {
        return Vec::new();
    }
    let level = info.feature_level;
    let names = [operator.name.to_string()];
    let suite = Arc::new(hunt.suite.clone());
    let Ok(fuzz) = Fuzz::new(suite, Vec::new(), &names, level, SEED, Limit::Cases(hunt.drawn)) else {
        return Vec::new();
    };
    let place = hunt
        .suite
        .catalog
        .operators
        .iter()
        .position(|known| known.name == operator.name);
    let has_a_bucket = dml_plan::bucketed(hunt.suite, place.unwrap_or(usize::MAX));
    let look = |numbers: Range<u64>| {
        let mut trails: Vec<Trail> = faults.iter().map(|_| Trail::default()).collect();
        let cases = numbers.filter_map(|number| fuzz.case(number));
        for case in cases.filter(|case| has_a_bucket(&case.id)) {
            let scene = Scene::new(hunt.suite, operator, &case);
            let under = under(conditions, &scene);
            let prey = faults.iter().zip(known).zip(&mut trails);
            for ((fault, known), trail) in prey.filter(|((fault, _), _)| fault.is_conditional()) {
                let new = under & !known.killed_under & !trail.killed_under;
                if new != 0 && fault.answer(&scene).is_some_and(|wrong| fails(&scene, wrong, info)) {
                    trail.killed_under |= new;
                    let places = (0..conditions.len()).filter(|at| new >> at & 1 == 1);
                    trail.missed.extend(places.map(|at| (at, case.id.clone())));
                }
            }
        }
        trails
    };
    let ranges: Vec<Range<u64>> = (0..hunt.drawn.div_ceil(AT_ONCE))
        .map(|n| n * AT_ONCE..(n + 1) * AT_ONCE)
        .collect();
    let found: Vec<Vec<Trail>> = ranges.into_par_iter().map(look).collect();
    let mut all: Vec<Trail> = faults.iter().map(|_| Trail::default()).collect();
    for trail in found {
        all.iter_mut().zip(trail).for_each(|(all, trail)| all.add(trail));
    }
    // They are no cases of the plan.
    all.iter_mut().for_each(|trail| trail.killed_under = 0);
    all
}
