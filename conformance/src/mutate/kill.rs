//! Whether anybody sees that a specification was changed, and how.

use std::ops::ControlFlow;

use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Generator, Text},
};

use super::{
    base::{Base, Planned, buckets, in_order, judged},
    mutants::Mutant,
};
use crate::{
    case::Verdict,
    id::CaseId,
    lock::DEFAULT_SEED,
    plan::{self, Bucket, build::Builder, faults, sweep::Walk},
    suite::Suite,
};

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

/// What becomes of a mutant where this operator is planned; `None` where the changed specification has a mistake that
/// `spec check` finds.
pub(super) fn fate(base: &Base, mutant: &Mutant) -> Option<Fate> {
    let operator = base.operator()?;
    let mut catalog = base.suite.catalog.clone();
    mutant.apply(&mut catalog);
    let changed = Suite::new(catalog).ok()?;
    if mutant.is_of_silence(&base.suite.catalog, operator) {
        return Some(of_silence(base, mutant, &changed));
    }
    let level = mutant.level(operator);
    let (seen, turned) = expected_otherwise(base, &changed, level);
    let all = buckets(&changed);
    let of_level = |bucket: &&Bucket| level.is_none_or(|level| bucket.level == level);
    let follow = all.iter().filter(|bucket| turned.contains(bucket));
    let others = all.iter().filter(|bucket| !turned.contains(bucket)).filter(of_level);
    for bucket in follow.chain(others) {
        if let Some(id) = failing(base, &changed, bucket) {
            return Some(Fate::Run(id));
        }
    }
    Some(seen.map_or(Fate::Survived, Fate::Lock))
}

/// The first case of the unchanged plan of which something else is expected, and kinds of cases that are refused now and
/// were not, or the other way round.
fn expected_otherwise(base: &Base, changed: &Suite, level: Option<FeatureLevel>) -> (Option<CaseId>, Vec<Bucket>) {
    let (mut seen, mut turned) = (None, Vec::new());
    for planned in &base.planned {
        let Planned {
            id,
            bucket,
            descriptor,
            verdict,
        } = planned;
        if level.is_some_and(|level| level != id.level()) {
            continue;
        }
        let now = is_planned(changed, id.level()).then(|| judged(changed, descriptor, id.level()));
        if now.as_ref() == Some(verdict) {
            continue;
        }
        seen.get_or_insert_with(|| id.clone());
        let is_turned = now.is_some_and(|now| now.is_rejection() != verdict.is_rejection());
        if is_turned && !turned.contains(bucket) {
            turned.push(bucket.clone());
            if turned.len() == FOLLOWED {
                break;
            }
        }
    }
    (seen, turned)
}

/// Whether the operator has cases at a level.
fn is_planned(suite: &Suite, level: FeatureLevel) -> bool {
    let operator = suite.catalog.operators.first();
    operator.is_some_and(|operator| operator.table_levels().any(|table| table == level))
}

/// The first case of a bucket of the changed plan that a backend fails which does what the unchanged specification says:
/// it refuses what is to be taken, or takes what is to be refused.
fn failing(base: &Base, changed: &Suite, bucket: &Bucket) -> Option<CaseId> {
    let builder = Builder::new(changed, bucket.operator)?;
    let family = builder.recipe.families.get(bucket.family)?;
    let name = &builder.operator.cases.families.get(bucket.family)?.name;
    let is_failed = |descriptor: &Descriptor, expected: &Verdict| {
        judged(&base.suite, descriptor, bucket.level).is_rejection() != expected.is_rejection()
    };
    let mut found = None;
    let mut visit = |case: crate::case::Case| {
        if is_failed(&case.descriptor, &case.verdict) {
            found = Some(case.id);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    if family.generator == Generator::Examples {
        let _ = plan::for_each_case(changed, bucket, base.tier, DEFAULT_SEED, &mut visit);
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
        if breaks && faults::cases(&walk, name, family.generator, &mut visit).is_break() {
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
fn of_silence(base: &Base, mutant: &Mutant, changed: &Suite) -> Fate {
    let clause = Text::Owned(mutant.clause.clone());
    let touched = |case: &&(CaseId, Verdict)| case.1.clauses().contains(&clause);
    let first = base.running.iter().filter(touched);
    let others = base.running.iter().filter(|case| !touched(case));
    let mut cases = first.chain(others);
    let seen =
        cases.find(|(id, before)| plan::build(changed, id).map(|case| in_order(case.verdict)).as_ref() != Ok(before));
    seen.map_or(Fate::Survived, |(id, _)| Fate::Lock(id.clone()))
}
