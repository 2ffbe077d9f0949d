//! The cases of the plan, bucket by bucket.

use std::ops::ControlFlow;

use dml_spec::model::{Family, Tier};

use crate::{bucket::Bucket, builder::Builder, canonical, ids, planner::Planner};
use dml_case::{case::Case, digest::content_digest, id::CaseId};

/// All buckets with cases at a tier, in the order of the plan.
pub fn buckets(suite: &Planner, tier: Tier) -> Vec<Bucket> {
    use rayon::prelude::*;
    let operators = 0..suite.catalog.operators.len();
    let of_each: Vec<Vec<Bucket>> = operators
        .into_par_iter()
        .map(|operator| buckets_of(suite, operator, tier))
        .collect();
    of_each.concat()
}

/// The buckets of the operator at this place of the catalog that have cases at a tier, in the order of the plan.
pub fn buckets_of(suite: &Planner, operator: usize, tier: Tier) -> Vec<Bucket> {
    let planned = ids::planned(suite, operator, tier).iter();
    planned.map(|planned| planned.bucket.clone()).collect()
}

/// The ids of a bucket's cases with the lowest tier of each, smoke first.
pub fn ids_of(suite: &Planner, bucket: &Bucket, tier: Tier, seed: u64) -> Vec<(CaseId, Tier)> {
    let mut planned = ids::planned(suite, bucket.operator, tier).iter();
    let cases = planned.find(|planned| planned.bucket == *bucket);
    let builder = Builder::new(suite, bucket.operator);
    let (Some(planned), Some(builder)) = (cases, builder) else {
        return Vec::new();
    };
    // Descriptors with faults and examples hold no random data.
    if seed == 0 || matches!(bucket.family, Family::Examples | Family::Faults) {
        return planned.cases.clone();
    }
    let seeded = |id: &CaseId| {
        let seed = seed.to_string();
        let params = id.params().chain([("seed", seed.as_str())]);
        canonical::canonicalize_id(&builder, &bucket.id(builder.operator, params), bucket.family)
    };
    planned.cases.iter().map(|(id, tier)| (seeded(id), *tier)).collect()
}

/// Builds the cases of a bucket in order, smoke first; stops if `visit` breaks.
pub fn for_each_case(
    suite: &Planner,
    bucket: &Bucket,
    tier: Tier,
    seed: u64,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(builder) = Builder::new(suite, bucket.operator) else {
        return ControlFlow::Continue(());
    };
    for (id, tier) in ids_of(suite, bucket, tier, seed) {
        // Whatever is planned can be built.
        if let Ok(case) = builder.case(id, bucket.family) {
            visit(Case { tier, ..case })?;
        }
    }
    ControlFlow::Continue(())
}

/// As [`for_each_case`], with the digest of what a backend sees of each case ([`content_digest`]).
pub fn for_each_digested(
    suite: &Planner,
    bucket: &Bucket,
    tier: Tier,
    seed: u64,
    visit: &mut dyn FnMut(Case, u128) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for_each_case(suite, bucket, tier, seed, &mut |case| {
        let content = content_digest(&case);
        visit(case, content)
    })
}
