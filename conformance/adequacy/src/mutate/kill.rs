//! Whether anybody sees that a specification was changed, and how.

use std::ops::ControlFlow;

use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Generator, Text},
    program::Check,
    rule::{Env, Subject, eval_bool},
};
use smallvec::SmallVec;

use super::{
    base::{Base, Planned, buckets, in_order, judged, tensors},
    mutants::{CellKind, Mutant},
};
use dml_case::{
    case::{Case, Verdict},
    id::CaseId,
    lock::DEFAULT_SEED,
};
use dml_plan::{Bucket, builder::Builder, faults, planner::Planner, sweep::Walk};

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A run sees it: the changed plan has this case, which a right backend fails.
    Run(CaseId),
    /// The lock sees it: something else is expected of this case of the unchanged plan, or it is gone.
    Lock(CaseId),
    /// Nobody sees it.
    Survived,
}

/// How many kinds of cases that changed are followed into the changed plan before all of it is made.
const FOLLOWED: usize = 8;

/// What becomes of a mutant where these operators are planned: the first that sees it counts. `None` where the changed
/// specification has a mistake that `spec check` finds.
///
/// Cases that break clauses and cells are looked at first, and where what is expected of one is turned around, the changed
/// plan is made of its bucket. All of it is made only where the lock of no operator sees the change.
pub(super) fn fate(bases: &[&Base], mutant: &Mutant) -> Option<Fate> {
    for base in bases {
        let found = near(base, mutant, &changed(base, mutant)?)?;
        if found != Fate::Survived {
            return Some(found);
        }
    }
    let is_silence = |base: &Base| {
        let operator = base.operator();
        operator.is_some_and(|operator| mutant.is_of_silence(&base.suite.catalog, operator))
    };
    for base in bases.iter().filter(|base| !is_silence(base)) {
        let changed = changed(base, mutant)?;
        if let Some(id) = buckets(&changed)
            .iter()
            .find_map(|bucket| failing(base, &changed, bucket))
        {
            return Some(Fate::Run(id));
        }
    }
    Some(Fate::Survived)
}

/// The suite with the change.
fn changed(base: &Base, mutant: &Mutant) -> Option<Planner> {
    let mut catalog = base.suite.catalog.clone();
    mutant.apply(&mut catalog);
    Planner::new(catalog).ok()
}

/// What becomes of a mutant as far as cases of the unchanged plan, and what lies near them, show.
fn near(base: &Base, mutant: &Mutant, changed: &Planner) -> Option<Fate> {
    if mutant.is_of_silence(&base.suite.catalog, base.operator()?) {
        return Some(of_silence(base, mutant, changed));
    }
    let touched = Touched::new(base, changed, mutant);
    let (mut seen, turned) = expected_otherwise(base, changed, &touched);
    let all = buckets(changed);
    // A table that moved has cases where there were none.
    let mut follow = all
        .iter()
        .filter(|bucket| turned.contains(bucket) || !is_planned(&base.suite, bucket.level));
    if let Some(id) = follow.find_map(|bucket| failing(base, changed, bucket)) {
        return Some(Fate::Run(id));
    }
    if seen.is_none() {
        let mut valid = base.planned.iter().filter(|planned| !planned.breaks);
        let differs = |planned: &&Planned| touched.now(base, changed, planned).as_ref() != Some(&planned.verdict);
        seen = valid.find(differs).map(|planned| planned.id.clone());
    }
    Some(seen.map_or(Fate::Survived, Fate::Lock))
}

/// The first case that breaks something, or is a neighbour of one that does, of which something else is expected; and
/// buckets of such cases that are refused now and were not, or the other way round.
fn expected_otherwise(base: &Base, changed: &Planner, touched: &Touched<'_>) -> (Option<CaseId>, Vec<Bucket>) {
    let (mut seen, mut turned) = (None, Vec::new());
    for planned in base.planned.iter().filter(|planned| planned.breaks) {
        let now = touched.now(base, changed, planned);
        if now.as_ref() == Some(&planned.verdict) {
            continue;
        }
        seen.get_or_insert_with(|| planned.id.clone());
        let is_turned = now.is_some_and(|now| now.is_rejection() != planned.verdict.is_rejection());
        if is_turned && !turned.contains(&planned.bucket) {
            turned.push(planned.bucket.clone());
            if turned.len() == FOLLOWED {
                break;
            }
        }
    }
    (seen, turned)
}

/// On which descriptors a change can matter: most lie nowhere near it, and need no second verdict.
enum Touched<'a> {
    /// Those where one of these checks, before and after, does not say the same.
    Checks(Vec<(&'a Check, &'a Check)>),
    /// Those at this level with a tensor in this field that has one of these data types or dimension counts.
    Cells(FeatureLevel, usize, CellKind),
    /// Any.
    All,
}

impl<'a> Touched<'a> {
    fn new(base: &'a Base, changed: &'a Planner, mutant: &Mutant) -> Self {
        if let Some((level, field, cell)) = base.operator().and_then(|o| mutant.cell(&base.suite.catalog, o)) {
            return Self::Cells(level, field, cell);
        }
        let checks = |suite: &'a Planner| suite.programs.first().map_or(&[][..], |program| &program.checks);
        let (before, after) = (checks(&base.suite), checks(changed));
        let alike = |(a, b): (&Check, &Check)| {
            (&a.clause, a.subject, &a.needs, a.structural) == (&b.clause, b.subject, &b.needs, b.structural)
        };
        let is_rule = mutant.is_of_rule() && before.len() == after.len();
        if is_rule && before.iter().zip(after).all(alike) {
            let differ = before.iter().zip(after).filter(|(a, b)| a != b);
            return Self::Checks(differ.collect());
        }
        Self::All
    }

    /// The verdict under the changed specification; `None` where there are no cases at this level any more.
    fn now(&self, base: &Base, changed: &Planner, planned: &Planned) -> Option<Verdict> {
        let level = planned.id.level();
        let may_differ = match self {
            Self::All => true,
            Self::Cells(of, field, cell) => *of == level && cell.is_of(&planned.descriptor, *field),
            Self::Checks(checks) => {
                let env = Env::new(&base.suite.catalog, &planned.descriptor, level);
                checks.iter().any(|(a, b)| says(a, &env) != says(b, &env))
            }
        };
        if !may_differ {
            return Some(planned.verdict.clone());
        }
        is_planned(changed, level).then(|| judged(changed, &planned.descriptor, level))
    }
}

/// What the rules of a check say of each of its subjects, by the text and by the runtimes.
fn says(check: &Check, env: &Env<'_>) -> SmallVec<[(bool, bool); 4]> {
    let on = |env: &Env<'_>| {
        let text = check.text.as_ref().is_none_or(|rule| eval_bool(rule, env));
        (text, check.runtime.as_ref().map_or(text, |rule| eval_bool(rule, env)))
    };
    let Some(field) = check.subject else {
        return std::iter::once(on(env)).collect();
    };
    let subject = |element, tensor| Subject { field, element, tensor };
    let of = |subject| {
        on(&Env {
            subject: Some(subject),
            ..*env
        })
    };
    match tensors(env.descriptor, field) {
        [] => std::iter::once(of(subject(0, None))).collect(),
        all => {
            let all = all.iter().enumerate();
            all.map(|(element, tensor)| of(subject(element, Some(tensor))))
                .collect()
        }
    }
}

/// Whether the operator has cases at a level.
fn is_planned(suite: &Planner, level: FeatureLevel) -> bool {
    let operator = suite.catalog.operators.first();
    operator.is_some_and(|operator| operator.table_levels().any(|table| table == level))
}

/// The first case of a bucket of the changed plan that a backend fails which does what the unchanged specification says:
/// it refuses what is to be taken, or takes what is to be refused.
fn failing(base: &Base, changed: &Planner, bucket: &Bucket) -> Option<CaseId> {
    let builder = Builder::new(changed, bucket.operator)?;
    let family = builder.recipe.families.get(bucket.family)?;
    let name = &builder.operator.cases.families.get(bucket.family)?.name;
    let is_failed = |descriptor: &Descriptor, expected: &Verdict| {
        judged(&base.suite, descriptor, bucket.level).is_rejection() != expected.is_rejection()
    };
    let mut found = None;
    let mut visit = |case: Case| {
        if is_failed(&case.descriptor, &case.verdict) {
            found = Some(case.id);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    if family.generator == Generator::Examples {
        let _ = dml_plan::for_each_case(changed, bucket, base.tier, DEFAULT_SEED, &mut visit);
        return found;
    }
    for sweep in family.sweeps.iter().filter(|sweep| sweep.tier <= base.tier) {
        let walk = Walk {
            builder,
            bucket,
            sweep,
            seed: DEFAULT_SEED,
        };
        let breaks = match family.generator {
            Generator::Faults => true,
            Generator::Support => sweep.base,
            Generator::Sweep | Generator::Examples => false,
        };
        if breaks && faults::for_each_fault(&walk, name, family.generator, &mut visit).is_break() {
            return found;
        }
        if family.generator != Generator::Faults
            && let Some(id) = walk.find(&is_failed)
        {
            return Some(id);
        }
    }
    None
}

/// A silence changes what is expected of what runs, and never whether a descriptor is refused. Cases that it touches
/// already are looked at first.
fn of_silence(base: &Base, mutant: &Mutant, changed: &Planner) -> Fate {
    let clause = Text::Owned(mutant.clause.clone());
    let touched = |case: &&(CaseId, Verdict)| case.1.clauses().contains(&clause);
    let first = base.running.iter().filter(touched);
    let others = base.running.iter().filter(|case| !touched(case));
    let mut cases = first.chain(others);
    let seen = cases
        .find(|(id, before)| dml_plan::build(changed, id).map(|case| in_order(case.verdict)).as_ref() != Ok(before));
    seen.map_or(Fate::Survived, |(id, _)| Fate::Lock(id.clone()))
}
