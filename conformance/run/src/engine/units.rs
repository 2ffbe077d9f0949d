//! What a worker takes at a time: a bucket of the plan, or cases that were named one by one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::ControlFlow,
    sync::Arc,
};

use rayon::prelude::*;

use crate::engine::{Run, select::Named};
use dml_case::{
    case::Case,
    digest::Digest,
    lock::{self, Entries, Key},
    random::Random,
};
use dml_plan::{Bucket, BuildError, relock::key_of};

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
        units.extend(planned_buckets(run).into_iter().filter(wanted).map(Unit::Bucket));
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

/// The buckets of operators that may be selected.
fn planned_buckets(run: &Run<'_>) -> Vec<Bucket> {
    let operators: Vec<usize> = (0..run.suite.catalog.operators.len()).collect();
    let wanted = operators
        .par_iter()
        .filter(|at| run.selection.wants_operator(run.suite, **at));
    let found: Vec<Vec<Bucket>> = wanted
        .map(|at| dml_plan::buckets_of(run.suite, *at, run.settings.tier))
        .collect();
    found.concat()
}

/// What a planned bucket adds to its line of the lock; `None` if nothing is to be compared.
pub(super) fn counted(run: &Run<'_>, bucket: &Bucket, planned: &Planned) -> Option<(Key, Entries)> {
    let is_comparable = run.lock.is_some() && planned.whole && run.settings.seed == lock::DEFAULT_SEED;
    is_comparable.then(|| (key_of(run.suite, bucket), planned.entries))
}

/// How many buckets each line of the lock has at a tier: only a line whose buckets were all planned can be compared.
pub(super) fn lines(run: &Run<'_>, of: &[Unit]) -> BTreeMap<Key, usize> {
    let mut found = BTreeMap::new();
    let operators: BTreeSet<usize> = of
        .iter()
        .filter_map(|unit| match unit {
            Unit::Bucket(bucket) => Some(bucket.operator),
            Unit::Cases(_) | Unit::Made(..) => None,
        })
        .collect();
    for operator in operators {
        for bucket in dml_plan::buckets_of(run.suite, operator, run.settings.tier) {
            *found.entry(key_of(run.suite, &bucket)).or_default() += 1;
        }
    }
    found
}
