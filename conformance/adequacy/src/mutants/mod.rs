//! Which mistakes the plan finds: every mutant of an operator against every case of it.
//!
//! A case kills a mutant if one of its elements differs from everything that is accepted there, so that an
//! implementation with the mistake fails it. Mutants that compute the same for a sample of the cases are a class.

mod sample;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, ops::ControlFlow};

use dml_case::{case::Case, context::Context, id::CaseId, lock::DEFAULT_SEED, outcome};
use dml_judge::{Scope, scope};
pub use dml_oracle::Kind;
use dml_oracle::{Basis, Computed, Difference, Mutant, MutantRun, compare, mutants};
use dml_plan::{buckets_of, for_each_case, planner::Planner};
use dml_spec::model::Tier;
use rayon::prelude::*;

/// Cases that kill a mutant are counted up to this number, which the plan aims at.
pub const MOST_KILLS: usize = 5;

/// Cases that are looked at together.
const BATCH: usize = 64;

/// Most elements of a case that every mutant is evaluated for; larger ones see the mutants that no smaller one killed
/// often enough, since these come after them.
const SMALL: u64 = 1 << 16;

/// A mutant and what became of it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The mutant.
    pub mutant: Mutant,
    /// The first cases that kill it, in the order of the plan; at most [`MOST_KILLS`].
    pub kills: Vec<CaseId>,
    /// The first case of which it computes something else that is accepted all the same.
    pub tolerated: Option<CaseId>,
    /// Whether some case evaluates it to something, be it what is right.
    pub evaluated: bool,
    /// The number of its class: mutants of one class compute the same for every case of the sample.
    pub class: usize,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Cases kill it.
    Killed,
    /// No case kills it, and some accept what it computes though that is something else.
    Tolerated,
    /// It computes what is right for every case of the plan, as far as can be said.
    Alive,
    /// Of no case of the plan can be said what it computes.
    Unknown,
}

impl Tried {
    /// What became of it.
    pub fn fate(&self) -> Fate {
        match (self.kills.is_empty(), &self.tolerated) {
            (false, _) => Fate::Killed,
            (true, Some(_)) => Fate::Tolerated,
            (true, None) if self.evaluated => Fate::Alive,
            (true, None) => Fate::Unknown,
        }
    }
}

/// Tries every mutant of the operator at this place of the catalog on the cases of a tier, by the text. Empty if the
/// operator has no meaning. `progress` takes the number of cases looked at.
pub fn run(suite: &Planner, operator: usize, tier: Tier, progress: &dyn Fn(usize)) -> Vec<Tried> {
    let Some(of) = suite.catalog.operators.get(operator) else {
        return Vec::new();
    };
    let Some(meaning) = suite
        .operator(&of.name)
        .and_then(|(_, program)| program.meaning.as_ref())
    else {
        return Vec::new();
    };
    let all = mutants(&suite.catalog, of, meaning);
    let mut tried: Vec<Tried> = all
        .into_iter()
        .map(|mutant| Tried {
            mutant,
            kills: Vec::new(),
            tolerated: None,
            evaluated: false,
            class: 0,
        })
        .collect();
    sample::classify(suite, operator, tier, &mut tried);
    let (mut batch, mut done) = (Vec::new(), 0);
    let mut flush = |batch: &mut Vec<Case>| {
        done += batch.len();
        try_batch(suite, batch, &mut tried);
        batch.clear();
        progress(done);
    };
    for_each_judged(suite, operator, tier, &mut |case| {
        batch.push(case);
        if batch.len() == BATCH {
            flush(&mut batch);
        }
    });
    flush(&mut batch);
    tried
}

/// Calls `visit` with every case whose elements are judged by the text, small ones first.
fn for_each_judged(suite: &Planner, operator: usize, tier: Tier, visit: &mut dyn FnMut(Case)) {
    for is_small in [true, false] {
        for bucket in buckets_of(suite, operator) {
            let _ = for_each_case(suite, &bucket, tier, DEFAULT_SEED, &mut |case| {
                let is_judged = scope(suite, &case, outcome::Basis::Text) == Some(Scope::Elements);
                if is_judged && (case.elements(&suite.catalog) <= SMALL) == is_small {
                    visit(case);
                }
                ControlFlow::Continue(())
            });
        }
    }
}

/// What a case says of a mutant.
enum Verdict {
    Kills,
    Tolerates,
    Passes,
}

fn try_batch(suite: &Planner, batch: &[Case], tried: &mut [Tried]) {
    let wanted: Vec<usize> = tried
        .iter()
        .enumerate()
        .filter(|(_, tried)| tried.kills.len() < MOST_KILLS)
        .map(|(at, _)| at)
        .collect();
    let verdicts: Vec<Vec<(usize, Verdict)>> = batch
        .par_iter()
        .map(|case| verdicts(suite, case, &wanted, tried))
        .collect();
    for (case, verdicts) in batch.iter().zip(verdicts) {
        for (at, verdict) in verdicts {
            let Some(tried) = tried.get_mut(at) else { continue };
            tried.evaluated = true;
            match verdict {
                Verdict::Kills if tried.kills.len() < MOST_KILLS => tried.kills.push(case.id.clone()),
                Verdict::Tolerates if tried.tolerated.is_none() => tried.tolerated = Some(case.id.clone()),
                Verdict::Kills | Verdict::Tolerates | Verdict::Passes => {}
            }
        }
    }
}

/// What a case says of these mutants, those aside of which it says nothing.
fn verdicts(suite: &Planner, case: &Case, wanted: &[usize], tried: &[Tried]) -> Vec<(usize, Verdict)> {
    let run = Context::new(suite, case).and_then(|context| MutantRun::new(context, Basis::Text));
    let Some(run) = run else {
        return Vec::new();
    };
    let verdict = |at: &usize| {
        let verdict = match run.compute(&tried.get(*at)?.mutant) {
            Computed::Right => Verdict::Passes,
            Computed::Unknown => return None,
            Computed::Other(wrong) => match compare(run.right(), &wrong) {
                Difference::Wrong => Verdict::Kills,
                Difference::Tolerated => Verdict::Tolerates,
                Difference::None => Verdict::Passes,
            },
        };
        Some((*at, verdict))
    };
    wanted.iter().filter_map(verdict).collect()
}

/// The mutants of each class, by its number; those apart that a case beyond the sample tells from the others.
pub fn classes<'a>(tried: impl IntoIterator<Item = &'a Tried>) -> BTreeMap<(usize, Fate), Vec<&'a Tried>> {
    let mut classes: BTreeMap<(usize, Fate), Vec<&Tried>> = BTreeMap::new();
    for tried in tried {
        classes.entry((tried.class, tried.fate())).or_default().push(tried);
    }
    classes
}
