//! Classes of mutants that compute the same for a sample of the cases.

use std::collections::{BTreeMap, BTreeSet};

use dml_case::case::Case;
use dml_oracle::Computed;
use dml_plan::planner::Planner;
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{Plan, Tried, for_each_judged, mutant_run};

/// Cases of the sample.
const CASES: usize = 128;

/// Most elements of a case of the sample.
const ELEMENTS: u64 = 4096;

/// Numbers the classes, in the order of their first mutant.
pub(super) fn classify(suite: &Planner, operator: usize, plan: Plan, tried: &mut [Tried]) {
    let cases = sample(suite, operator, plan);
    let computed: Vec<Vec<Option<u64>>> = cases.par_iter().map(|case| digests(suite, case, plan, tried)).collect();
    let mut known: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, tried) in tried.iter_mut().enumerate() {
        let mut all = Xxh3::new();
        for digests in &computed {
            let digest = digests.get(at).copied().flatten();
            all.update(&digest.unwrap_or_default().to_le_bytes());
        }
        let next = known.len();
        tried.class = *known.entry(all.digest()).or_insert(next);
    }
}

/// The small judged cases that come first by the hash of their ids.
fn sample(suite: &Planner, operator: usize, plan: Plan) -> Vec<Case> {
    let mut first: BTreeSet<u64> = BTreeSet::new();
    let mut cases: BTreeMap<u64, Case> = BTreeMap::new();
    for_each_judged(suite, operator, plan, &mut |case| {
        if case.elements(&suite.catalog) > ELEMENTS {
            return;
        }
        let hash = xxh3_64(case.id.to_string().as_bytes());
        if first.len() < CASES || first.last().is_some_and(|last| hash < *last) {
            first.insert(hash);
            cases.insert(hash, case);
            if first.len() > CASES
                && let Some(last) = first.pop_last()
            {
                cases.remove(&last);
            }
        }
    });
    cases.into_values().collect()
}

/// A digest of what each mutant computes of a case; `None` if nothing can be said.
fn digests(suite: &Planner, case: &Case, plan: Plan, tried: &[Tried]) -> Vec<Option<u64>> {
    let Some(run) = mutant_run(suite, case, plan.basis) else {
        return Vec::new();
    };
    let digest = |expected: &dml_oracle::Expectation| {
        let mut bytes = Vec::new();
        for (output, acceptance) in expected.outputs.iter().zip(&expected.acceptances) {
            output
                .iter()
                .for_each(|element| bytes.extend_from_slice(&element.to_le_bytes()));
            acceptance.write_bytes(&mut bytes);
        }
        xxh3_64(&bytes)
    };
    let own = digest(run.right());
    let one = |tried: &Tried| match run.compute(&tried.mutant) {
        Computed::Right => Some(own),
        Computed::Other(wrong) => Some(digest(&wrong)),
        Computed::Unknown => None,
    };
    tried.iter().map(one).collect()
}
