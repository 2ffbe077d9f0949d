//! How many cases rest on what changed on a page.

use std::ops::ControlFlow;

use dml_spec::model::{Family, Tier};
use rayon::prelude::*;

use dml_case::{
    case::Case,
    clause::{self, Found},
    lock::DEFAULT_SEED,
};
use dml_judge::MutantCache;
use dml_pages::import::drift::Drift;
use dml_plan::planner::Planner;

/// Counts the cases of the tier that rest on each change: on one of its clauses, on its examples, or on the operator as
/// a whole. A sentence that no clause covers yet has none.
pub fn count_affected_cases(suite: &Planner, operator: &str, drifts: &[Drift], tier: Tier) -> Vec<u64> {
    let index = suite.catalog.operators.iter().position(|o| o.name == operator);
    let mut buckets = dml_plan::buckets(suite, tier);
    buckets.retain(|bucket| Some(bucket.operator) == index);
    // Most sentences of a page are covered by no clause: only what something rests on is asked for.
    let bearing: Vec<(usize, Bearing<'_>)> = drifts
        .iter()
        .enumerate()
        .filter(|(_, drift)| drift.whole || !drift.clauses.is_empty() || !drift.examples.is_empty())
        .map(|(index, drift)| {
            let clauses = drift.clauses.iter().map(|id| clause::find(suite, id)).collect();
            (index, Bearing { drift, clauses })
        })
        .collect();
    let mut all = vec![0; drifts.len()];
    if bearing.is_empty() {
        return all;
    }
    let mutants = MutantCache::default();
    let counted = buckets.par_iter().map(|bucket| {
        let mut counts = vec![0; bearing.len()];
        let _ = dml_plan::for_each_case(suite, bucket, tier, DEFAULT_SEED, &mut |case| {
            for (count, (_, bearing)) in counts.iter_mut().zip(&bearing) {
                *count += u64::from(rests_on(suite, &mutants, &case, bearing));
            }
            ControlFlow::Continue(())
        });
        counts
    });
    let counts: Vec<u64> = counted.reduce(
        || vec![0; bearing.len()],
        |mut sum, counts| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sum
        },
    );
    for ((index, _), count) in bearing.iter().zip(counts) {
        if let Some(all) = all.get_mut(*index) {
            *all = count;
        }
    }
    all
}

/// A change with its clauses.
struct Bearing<'a> {
    drift: &'a Drift,
    clauses: Vec<Option<Found<'a>>>,
}

fn rests_on(suite: &Planner, mutants: &MutantCache, case: &Case, bearing: &Bearing<'_>) -> bool {
    let Bearing { drift, clauses } = bearing;
    if !drift.examples.is_empty() {
        let names: Vec<&str> = case.id.params().map(|(_, value)| value).collect();
        return is_example(case) && drift.examples.iter().any(|name| names.contains(&name.as_str()));
    }
    let mut all = drift.clauses.iter().zip(clauses);
    let tests = |(id, found): (&String, &Option<Found<'_>>)| {
        dml_judge::relation::relate_to(suite, mutants, case, (id, found.as_ref())).is_some()
    };
    drift.whole || all.any(tests)
}

fn is_example(case: &Case) -> bool {
    Family::named(case.id.family()) == Some(Family::Examples)
}
