//! What a worker takes at a time: a bucket of the plan, or cases that were named one by one.

use std::{fmt, ops::ControlFlow, sync::Arc};

use crate::engine::{Run, select::Named};
use dml_case::{
    case::Case,
    digest::Digest,
    lock::{self, Entries},
    random::Random,
};
use dml_plan::{Bucket, BuildError};

/// A piece of the run that one worker plans and runs in order.
#[derive(Clone, Debug)]
pub enum Unit {
    /// A bucket of the plan.
    Bucket(Bucket),
    /// Cases that were named one by one.
    Cases(Vec<Named>),
    /// Cases that somebody makes while the run goes on, and which of their units this is.
    Made(Arc<dyn Source>, u64),
}

/// Makes cases while a run goes on.
pub trait Source: fmt::Debug + Send + Sync {
    /// The case at a place of a unit; `None` after the last one.
    fn next(&self, unit: u64, place: u64) -> Option<Case>;
}

/// Ids that were named are cut into pieces of this length.
const PIECE: usize = 256;

/// Everything the run consists of, in order.
pub fn units(run: &Run<'_>) -> Vec<Unit> {
    let level = run.level();
    let wanted = |b: &Bucket| b.level <= level && run.selection.wants_bucket(run.suite, b);
    let mut units: Vec<Unit> = Vec::new();
    if run.selection.plans() {
        units.extend(
            dml_plan::buckets(run.suite)
                .into_iter()
                .filter(wanted)
                .map(Unit::Bucket),
        );
    }
    let asked = run.selection.exact.iter().filter(|named| named.id.level() <= level);
    let named: Vec<Named> = asked.cloned().collect();
    units.extend(named.chunks(PIECE).map(|cases| Unit::Cases(cases.to_vec())));
    if let Some(seed) = run.settings.shuffle {
        Random::of(seed).shuffle(&mut units);
    }
    units
}

/// What planning a whole bucket came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planned {
    /// Entries of the bucket, for the lock.
    pub entries: Entries,
    /// The bucket was planned to its end.
    pub whole: bool,
}

/// What takes a case, and its digest.
type Visit<'a> = dyn FnMut(Case, Digest) -> ControlFlow<()> + 'a;

/// Plans a unit: calls `visit` for every case that is selected.
pub(super) fn plan_unit(run: &Run<'_>, unit: &Unit, visit: &mut Visit<'_>) -> Result<Planned, BuildError> {
    match unit {
        Unit::Bucket(bucket) => match run.settings.shuffle {
            None => Ok(plan_bucket(run, bucket, visit)),
            Some(seed) => plan_shuffled(run, bucket, seed, visit),
        },
        Unit::Cases(cases) => {
            for named in cases {
                let case = named.case(run.suite)?;
                if run.selection.wants_named(run.suite, &case) && digested(case, visit).is_break() {
                    break;
                }
            }
            Ok(Planned::default())
        }
        Unit::Made(source, unit) => {
            let mut cases = (0..).map_while(|place| source.next(*unit, place));
            let _ = cases.try_for_each(|case| digested(case, visit));
            Ok(Planned::default())
        }
    }
}

fn digested(case: Case, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let digest = Digest::of_case(&case);
    visit(case, digest)
}

fn plan_bucket(run: &Run<'_>, bucket: &Bucket, visit: &mut Visit<'_>) -> Planned {
    let mut entries = Entries::default();
    let (tier, seed) = (run.settings.tier, run.settings.seed);
    let flow = dml_plan::for_each_digested(run.suite, bucket, tier, seed, &mut |case, content| {
        let digest = Digest::of_content(&case, content);
        lock::add(&mut entries, case.tier, digest);
        if run.selection.wants(run.suite, &case) {
            visit(case, digest)
        } else {
            ControlFlow::Continue(())
        }
    });
    Planned {
        entries,
        whole: flow.is_continue(),
    }
}

/// Cases are planned twice here: once for their ids, once one by one in the new order.
fn plan_shuffled(run: &Run<'_>, bucket: &Bucket, seed: u64, visit: &mut Visit<'_>) -> Result<Planned, BuildError> {
    let mut ids = Vec::new();
    let planned = plan_bucket(run, bucket, &mut |case, digest| {
        ids.push((case.id, case.tier, digest));
        ControlFlow::Continue(())
    });
    Random::of(seed).shuffle(&mut ids);
    for (id, tier, digest) in ids {
        let case = Case {
            tier,
            ..dml_plan::build(run.suite, &id)?
        };
        if visit(case, digest).is_break() {
            return Ok(Planned {
                whole: false,
                ..planned
            });
        }
    }
    Ok(planned)
}

/// Whether a planned bucket agrees with the lock.
pub(super) fn compare(run: &Run<'_>, bucket: &Bucket, planned: &Planned) -> Option<Vec<lock::Change>> {
    let lock = run
        .lock
        .filter(|_| planned.whole && run.settings.seed == lock::DEFAULT_SEED)?;
    let key = dml_plan::lock_key(run.suite, bucket);
    let old = lock
        .buckets
        .iter()
        .find(|(k, _)| *k == key)
        .map(|(_, entries)| *entries)
        .unwrap_or_default();
    Some(lock::changed(&key, &old, &planned.entries, run.settings.tier))
}
