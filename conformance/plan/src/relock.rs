//! Making the lock anew: plans everything, in parallel, and finds cases that are in the plan twice.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
};

use dml_spec::model::Tier;
use rayon::prelude::*;

use crate::{
    bucket::Bucket,
    enumerate::{buckets, for_each_case},
    planner::Planner,
};
use dml_case::{
    id::MAX_LENGTH,
    lock::{self, DEFAULT_SEED, Entries, Key, Lock},
};

/// What a plan may not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Two cases that a backend cannot tell apart.
    #[error("two cases with the same descriptor and inputs:\n  {first}\n  {second}")]
    Twice {
        /// Id of the earlier one.
        first: String,
        /// Id of the later one.
        second: String,
    },
    /// An id that cannot be given back: nobody could run the case alone.
    #[error("an id of {} bytes, at most {MAX_LENGTH} are read: {_0}", _0.len())]
    TooLong(String),
}

/// Most of them that are named.
const NAMED: usize = 1000;

/// A case by its content and its place in the plan: bucket and number within it. The ids would take far more memory.
type Seen = (u128, u32, u32);

/// Plans every tier at the default seed. `progress` is called with the buckets done and all of them.
///
/// # Errors
/// Cases that are in the plan twice, and ids that are too long.
pub fn relock(suite: &Planner, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Lock, Vec<Unfit>> {
    let buckets = buckets(suite, Tier::Exhaustive);
    let done = AtomicUsize::new(0);
    let planned: Vec<(Entries, Vec<Seen>, Vec<Unfit>)> = buckets
        .par_iter()
        .enumerate()
        .map(|(index, bucket)| {
            let planned = plan_bucket(suite, index, bucket);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, buckets.len());
            planned
        })
        .collect();
    let long: Vec<Unfit> = planned.iter().flat_map(|(.., long)| long).cloned().collect();
    if !long.is_empty() {
        return Err(long);
    }
    let mut seen: Vec<Seen> = planned.iter().flat_map(|(_, seen, _)| seen).copied().collect();
    seen.par_sort_unstable();
    let pairs = seen.iter().zip(seen.iter().skip(1)).filter(|(a, b)| a.0 == b.0);
    let mut twice: Vec<(Seen, Seen)> = pairs.map(|(a, b)| (*a, *b)).take(NAMED).collect();
    // In the order of the plan.
    twice.sort_unstable_by_key(|(first, _)| (first.1, first.2));
    if !twice.is_empty() {
        let id = |seen: Seen| id_at(suite, &buckets, seen);
        return Err(twice
            .into_iter()
            .map(|(a, b)| Unfit::Twice {
                first: id(a),
                second: id(b),
            })
            .collect());
    }
    let mut lock = Lock::default();
    for (bucket, (entries, ..)) in buckets.iter().zip(planned) {
        let key = key_of(suite, bucket);
        match lock.tables.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => lock::merge(sum, &entries),
            None => lock.tables.push((key, entries)),
        }
    }
    Ok(lock)
}

/// The line of the lock that a bucket's cases count for.
pub fn key_of(suite: &Planner, bucket: &Bucket) -> Key {
    let operator = suite.catalog.operators.get(bucket.operator);
    Key {
        operator: operator.map(|operator| operator.name.to_string()).unwrap_or_default(),
        level: bucket.level.to_string(),
    }
}

fn plan_bucket(suite: &Planner, index: usize, bucket: &Bucket) -> (Entries, Vec<Seen>, Vec<Unfit>) {
    let (mut entries, mut seen, mut long) = (Entries::default(), Vec::new(), Vec::new());
    let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let _ = for_each_case(suite, bucket, Tier::Exhaustive, DEFAULT_SEED, &mut |case| {
        lock::count(&mut entries, &case);
        let id = case.id.as_str();
        if id.len() > MAX_LENGTH && long.len() < NAMED {
            long.push(Unfit::TooLong(id.to_owned()));
        }
        seen.push((dml_case::digest::content_digest(&case), short(index), short(seen.len())));
        ControlFlow::Continue(())
    });
    (entries, seen, long)
}

fn id_at(suite: &Planner, buckets: &[Bucket], (_, bucket, number): Seen) -> String {
    let (mut left, mut found) = (number, String::new());
    let Some(bucket) = buckets.get(bucket as usize) else {
        return found;
    };
    let _ = for_each_case(suite, bucket, Tier::Exhaustive, DEFAULT_SEED, &mut |case| {
        if left == 0 {
            found = case.id.to_string();
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    found
}
