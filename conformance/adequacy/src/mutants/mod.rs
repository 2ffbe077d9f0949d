//! Which mistakes the plan finds: every mutant of an operator against every case of it.
//!
//! A case kills a mutant if one of its elements differs from everything that is accepted there, so that an
//! implementation with the mistake fails it. Mutants that compute the same for a sample of the cases are a class. What the
//! plan does not kill is tried on cases that are built for it: that the plan lacks a case is no reason to let it live.

mod built;
mod sample;

#[cfg(test)]
mod tests;

use std::{cell::LazyCell, collections::BTreeMap, ops::ControlFlow, sync::Arc};

use dml_case::{case::Case, context::Context, id::CaseId, lock::DEFAULT_SEED, outcome::Basis};
use dml_judge::{Scope, release_expectations, scope};
pub use dml_oracle::Kind;
use dml_oracle::{Acceptance, Computed, Difference, Expectation, Mutant, MutantRun, compare, mutants};
use dml_plan::{buckets_of, for_each_case, planner::Planner};
use dml_spec::model::{Operator, Role, Text, Tier};
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
    pub tolerated: Option<Tolerated>,
    /// The first case that accepts some of what an implementation with it may compute, and not all: whether it passes is
    /// that implementation's luck.
    pub undecided: Option<CaseId>,
    /// Cases in which everything is exact and rests on what it changes, and of which it computes what is right; counted
    /// up to [`MOST_KILLS`], for those that are tolerated.
    pub exact: usize,
    /// A case beyond the plan that kills it, if none of the plan does.
    pub built: Option<String>,
    /// Whether some case evaluates it to something, be it what is right.
    pub evaluated: bool,
    /// Why no legal case shows it, by the specification.
    pub because: Option<Text>,
    /// The number of its class: mutants of one class compute the same for every case of the sample.
    pub class: usize,
}

/// A case that accepts what a mutant computes, though that is something else.
#[derive(Clone, Debug)]
pub struct Tolerated {
    /// The case.
    pub case: CaseId,
    /// What accepts it.
    pub by: Tolerance,
}

/// What accepts something else than what is right.
#[derive(Clone, Debug)]
pub enum Tolerance {
    /// An output.
    Output {
        /// Its name.
        name: Text,
        /// Why it has bounds, by the specification; empty if what a mutant computes is one of several right results.
        bound: Text,
    },
    /// A release is known to compute the same, which is no mistake on the runtimes' word.
    Release,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Cases of the plan kill it.
    Killed,
    /// No case of the plan does, and one that was built does.
    Alive,
    /// No case kills it, and some accept whatever an implementation with it computes, though that is something else.
    Tolerated,
    /// No legal case can show it, by a reason of the specification.
    Equivalent,
    /// No case kills it for sure, and no reason says why.
    Unproven,
}

impl Fate {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Killed,
        Self::Alive,
        Self::Tolerated,
        Self::Equivalent,
        Self::Unproven,
    ];

    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Alive => "alive",
            Self::Tolerated => "tolerated",
            Self::Equivalent => "equivalent",
            Self::Unproven => "unproven",
        }
    }
}

impl Tried {
    fn new(mutant: Mutant, because: Option<Text>) -> Self {
        Self {
            mutant,
            kills: Vec::new(),
            tolerated: None,
            undecided: None,
            exact: 0,
            built: None,
            evaluated: false,
            because,
            class: 0,
        }
    }

    /// What became of it.
    pub fn fate(&self) -> Fate {
        if !self.kills.is_empty() {
            Fate::Killed
        } else if self.built.is_some() {
            Fate::Alive
        } else if self.because.is_some() {
            Fate::Equivalent
        } else if self.tolerated.is_some() && self.undecided.is_none() {
            Fate::Tolerated
        } else {
            Fate::Unproven
        }
    }

    /// Whether a case shows it though the specification says that none can.
    pub fn is_refuted(&self) -> bool {
        self.because.is_some() && matches!(self.fate(), Fate::Killed | Fate::Alive)
    }

    fn is_killed(&self) -> bool {
        self.kills.len() >= MOST_KILLS
    }

    fn is_alone(&self) -> bool {
        self.kills.is_empty() && self.built.is_none()
    }
}

/// Which cases are looked at, and how they are judged.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Cases of this tier.
    pub tier: Tier,
    /// Judged on this basis; on that of the runtimes what a release is known to compute is no mistake.
    pub basis: Basis,
}

/// Tries every mutant of the operator at this place of the catalog on the cases of a plan. Empty if the operator has no
/// meaning. `progress` takes the number of cases looked at.
pub fn run(suite: &Arc<Planner>, operator: usize, plan: Plan, progress: &dyn Fn(usize)) -> Vec<Tried> {
    run_of(all_of(suite, operator), (suite, operator), plan, progress)
}

/// The same of those mutants alone of which a reason of the specification says that no legal case shows them.
pub fn run_excused(suite: &Arc<Planner>, operator: usize, plan: Plan, progress: &dyn Fn(usize)) -> Vec<Tried> {
    let mut excused = all_of(suite, operator);
    excused.retain(|tried| tried.because.is_some());
    run_of(excused, (suite, operator), plan, progress)
}

/// The same of some mutants of the operator. Classes are those of these alone.
fn run_of(
    mut tried: Vec<Tried>,
    (suite, operator): (&Arc<Planner>, usize),
    plan: Plan,
    progress: &dyn Fn(usize),
) -> Vec<Tried> {
    let Some(of) = suite.catalog.operators.get(operator) else {
        return Vec::new();
    };
    if tried.is_empty() {
        return tried;
    }
    sample::classify(suite, operator, plan, &mut tried);
    let planned = |visit: &mut dyn FnMut(Case)| for_each_judged(suite, operator, plan, visit);
    try_all(suite, of, plan, &mut tried, planned, progress);
    tried
}

/// The same on these cases, in place of those of the plan.
pub fn run_on(suite: &Arc<Planner>, operator: usize, plan: Plan, cases: Vec<Case>) -> Vec<Tried> {
    let mut tried = all_of(suite, operator);
    let Some(of) = suite.catalog.operators.get(operator) else {
        return tried;
    };
    sample::classify(suite, operator, plan, &mut tried);
    let judged = cases.into_iter().filter(|case| is_judged(suite, case, plan.basis));
    let mut cases: Vec<Case> = judged.collect();
    cases.sort_by_key(|case| case.elements(&suite.catalog) > SMALL);
    let planned = |visit: &mut dyn FnMut(Case)| cases.into_iter().for_each(visit);
    try_all(suite, of, plan, &mut tried, planned, &|_| {});
    tried
}

/// Tries mutants on the cases of the plan, then on those beyond it.
fn try_all(
    suite: &Arc<Planner>,
    of: &Operator,
    plan: Plan,
    tried: &mut [Tried],
    planned: impl FnOnce(&mut dyn FnMut(Case)),
    progress: &dyn Fn(usize),
) {
    let mut batches = Batches {
        suite,
        basis: plan.basis,
        tried,
        waiting: Vec::new(),
        done: 0,
        progress,
    };
    planned(&mut |case| batches.push(case, None));
    batches.flush();
    built::for_each_built(suite, of, &mut |case, says| {
        if batches.tried.iter().all(|tried| !tried.is_alone()) {
            return ControlFlow::Break(());
        }
        if is_judged(suite, &case, plan.basis) {
            batches.push(case, Some(says));
        }
        ControlFlow::Continue(())
    });
    batches.flush();
}

/// Every mutant of the operator at this place, untried; none if it has no meaning.
fn all_of(suite: &Planner, operator: usize) -> Vec<Tried> {
    let Some(of) = suite.catalog.operators.get(operator) else {
        return Vec::new();
    };
    let program = suite.operator(&of.name).map(|(_, program)| program);
    let Some(meaning) = program.and_then(|program| program.meaning.as_ref()) else {
        return Vec::new();
    };
    let because = |mutant: &Mutant| of.equivalent.iter().find(|entry| entry.names(&mutant.id));
    let all = mutants(&suite.catalog, of, meaning).into_iter().map(|mutant| {
        let because = because(&mutant).map(|entry| entry.because.clone());
        Tried::new(mutant, because)
    });
    all.collect()
}

fn is_judged(suite: &Planner, case: &Case, basis: Basis) -> bool {
    scope(suite, case, basis) == Some(Scope::Elements)
}

/// The run of a case for mutants, on this basis.
fn mutant_run<'a>(suite: &'a Planner, case: &'a Case, basis: Basis) -> Option<MutantRun<'a>> {
    let basis = match basis {
        Basis::Text => dml_oracle::Basis::Text,
        Basis::Runtime => dml_oracle::Basis::Runtime,
    };
    MutantRun::new(Context::new(suite, case)?, basis)
}

/// Calls `visit` with every case whose elements are judged, small ones first.
fn for_each_judged(suite: &Planner, operator: usize, plan: Plan, visit: &mut dyn FnMut(Case)) {
    for is_small in [true, false] {
        for bucket in buckets_of(suite, operator, plan.tier) {
            let _ = for_each_case(suite, &bucket, plan.tier, DEFAULT_SEED, &mut |case| {
                if is_judged(suite, &case, plan.basis) && (case.elements(&suite.catalog) <= SMALL) == is_small {
                    visit(case);
                }
                ControlFlow::Continue(())
            });
        }
    }
}

/// Cases that mutants are tried on together.
struct Batches<'a> {
    suite: &'a Planner,
    basis: Basis,
    tried: &'a mut [Tried],
    /// With the words for those that are not of the plan.
    waiting: Vec<(Case, Option<String>)>,
    done: usize,
    progress: &'a dyn Fn(usize),
}

/// What a case says of a mutant.
enum Verdict {
    Kills,
    /// Within the bounds of the output of this number, or as a release computes it.
    Tolerates(Option<usize>),
    /// Accepts some of what it may compute.
    Undecided,
    Passes {
        is_exact: bool,
    },
}

impl Batches<'_> {
    /// Takes a case; `built` says which one it is if it is not of the plan.
    fn push(&mut self, case: Case, built: Option<String>) {
        // Cases of the plan and others want other mutants.
        let is_other = |(_, words): &(Case, Option<String>)| words.is_some() != built.is_some();
        if self.waiting.last().is_some_and(is_other) {
            self.flush();
        }
        self.waiting.push((case, built));
        if self.waiting.len() == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let is_built = waiting.first().is_some_and(|(_, words)| words.is_some());
        let is_wanted = |tried: &Tried| if is_built { tried.is_alone() } else { !tried.is_killed() };
        let numbered = self.tried.iter().enumerate();
        let wanted: Vec<usize> = numbered.filter(|(_, of)| is_wanted(of)).map(|(at, _)| at).collect();
        let (suite, basis, tried) = (self.suite, self.basis, &*self.tried);
        let verdicts: Vec<Vec<(usize, Verdict)>> = waiting
            .par_iter()
            .map(|(case, _)| verdicts(suite, case, basis, &wanted, tried))
            .collect();
        self.done += waiting.len();
        for ((case, words), verdicts) in waiting.into_iter().zip(verdicts) {
            for (at, verdict) in verdicts {
                if let Some(tried) = self.tried.get_mut(at) {
                    note(suite, tried, &case, words.as_deref(), &verdict);
                }
            }
        }
        (self.progress)(self.done);
    }
}

/// Notes what a case says of a mutant; `words` stand for one that is not of the plan.
fn note(suite: &Planner, tried: &mut Tried, case: &Case, words: Option<&str>, verdict: &Verdict) {
    tried.evaluated = true;
    match (verdict, words) {
        (Verdict::Kills, None) if tried.is_killed() => {}
        (Verdict::Kills, None) => tried.kills.push(case.id.clone()),
        (Verdict::Kills, Some(words)) => {
            tried.built.get_or_insert_with(|| words.to_owned());
        }
        (Verdict::Tolerates(output), _) => {
            tried.tolerated.get_or_insert_with(|| tolerated(suite, case, *output));
        }
        (Verdict::Undecided, _) => {
            tried.undecided.get_or_insert_with(|| case.id.clone());
        }
        (Verdict::Passes { is_exact }, _) => tried.exact += usize::from(*is_exact && tried.exact < MOST_KILLS),
    }
}

fn tolerated(suite: &Planner, case: &Case, output: Option<usize>) -> Tolerated {
    let by = output.map_or(Tolerance::Release, |output| bounds(suite, case, output));
    Tolerated {
        case: case.id.clone(),
        by,
    }
}

fn bounds(suite: &Planner, case: &Case, output: usize) -> Tolerance {
    let context = Context::new(suite, case);
    let outputs = context.map(|context| context.named_tensors(Role::Output));
    let name = outputs.and_then(|all| all.get(output).map(|(name, _)| name.to_string()));
    let name = Text::Owned(name.unwrap_or_default());
    let of = suite.operator(case.id.operator());
    let compare = of.and_then(|(of, _)| of.fields.iter().find(|field| field.name == name)?.compare.as_ref());
    Tolerance::Output {
        name,
        bound: compare.map_or(Text::Borrowed(""), |compare| compare.because.clone()),
    }
}

/// What a case says of these mutants, those aside of which it says nothing.
fn verdicts(suite: &Planner, case: &Case, basis: Basis, wanted: &[usize], tried: &[Tried]) -> Vec<(usize, Verdict)> {
    let Some(run) = mutant_run(suite, case, basis) else {
        return Vec::new();
    };
    let of_releases = || match (basis, Context::new(suite, case)) {
        (Basis::Runtime, Some(context)) => release_expectations(context),
        _ => Vec::new(),
    };
    let of_releases = LazyCell::new(of_releases);
    let all_exact = run.right().acceptances.iter().all(Acceptance::is_exact);
    let verdict = |at: &usize| {
        let of = tried.get(*at)?;
        let passes = || {
            // Only of what bounds hide is it of interest whether exact data reach it.
            let is_exact = all_exact && of.tolerated.is_some() && of.exact < MOST_KILLS && run.reaches(&of.mutant);
            Verdict::Passes { is_exact }
        };
        let verdict = match run.compute(&of.mutant) {
            Computed::Right => passes(),
            Computed::Unknown => return None,
            Computed::Other(wrong) => match compare(run.right(), &wrong) {
                Difference::Wrong => by_releases(&of_releases, &wrong),
                Difference::Undecided => Verdict::Undecided,
                Difference::Tolerated(output) => Verdict::Tolerates(Some(output)),
                Difference::None => passes(),
            },
        };
        Some((*at, verdict))
    };
    wanted.iter().filter_map(verdict).collect()
}

/// What a case says of a mutant that is wrong by the text, where releases are known to compute this.
fn by_releases(all: &[Expectation], wrong: &Expectation) -> Verdict {
    let compared = all.iter().map(|of| compare(of, wrong));
    compared.fold(Verdict::Kills, |verdict, difference| match (verdict, difference) {
        (_, Difference::None | Difference::Tolerated(_)) | (Verdict::Tolerates(None), _) => Verdict::Tolerates(None),
        (_, Difference::Undecided) => Verdict::Undecided,
        (verdict, Difference::Wrong) => verdict,
    })
}

/// The mutants of each class, by its number; those apart that a case beyond the sample tells from the others.
pub fn classes<'a>(tried: impl IntoIterator<Item = &'a Tried>) -> BTreeMap<(usize, Fate), Vec<&'a Tried>> {
    let mut classes: BTreeMap<(usize, Fate), Vec<&Tried>> = BTreeMap::new();
    for tried in tried {
        classes.entry((tried.class, tried.fate())).or_default().push(tried);
    }
    classes
}
