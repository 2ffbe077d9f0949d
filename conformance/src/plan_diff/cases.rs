//! Cases that appear, disappear, or change what is expected of them.

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    sync::Mutex,
};

use dml_spec::model::Tier;
use rayon::prelude::*;

use dml_case::{case::Case, digest::Digest, lock::DEFAULT_SEED};
use dml_pages::diff::cases::{ChangedCase, OperatorCases};
use dml_plan::{Bucket, planner::Planner};

/// Planned cases: digest, and what is expected.
type Planned = HashMap<String, (Digest, String)>;

/// Plans the operators of both suites and compares case by case. `progress` receives the number of buckets done and in
/// all.
pub fn compare_cases(
    old: &Planner,
    new: &Planner,
    operators: &BTreeSet<String>,
    tier: Tier,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<OperatorCases> {
    let count = |name: &String| list_buckets(old, name, tier).len() + list_buckets(new, name, tier).len();
    let total = operators.iter().map(count).sum();
    let done = Mutex::new(0);
    let step = || {
        if let Ok(mut done) = done.lock() {
            *done += 1;
            progress(*done, total);
        }
    };
    let changed = operators.iter().map(|name| {
        let before = plan_operator(old, name, tier, &step);
        let after = plan_operator(new, name, tier, &step);
        compare_operator(name, &before, &after)
    });
    let found = changed.filter(|c| !(c.appear.is_empty() && c.disappear.is_empty() && c.change.is_empty()));
    found.collect()
}

fn list_buckets(suite: &Planner, name: &str, tier: Tier) -> Vec<Bucket> {
    let index = suite.catalog.operators.iter().position(|o| o.name == name);
    index
        .map(|index| dml_plan::buckets_of(suite, index, tier))
        .unwrap_or_default()
}

fn plan_operator(suite: &Planner, name: &str, tier: Tier, step: &(dyn Fn() + Sync)) -> Planned {
    let buckets = list_buckets(suite, name, tier);
    let planned = buckets.par_iter().map(|bucket| {
        let mut cases = Planned::new();
        let _ = dml_plan::for_each_case(suite, bucket, tier, DEFAULT_SEED, &mut |case| {
            let expected = describe_expectation(&case);
            cases.insert(case.id.to_string(), (Digest::of_case(&case), expected));
            ControlFlow::Continue(())
        });
        step();
        cases
    });
    planned.flatten().collect()
}

/// What is expected of a case: the word of its verdict, and the clauses it rests on.
pub(super) fn describe_expectation(case: &Case) -> String {
    match case.verdict.clauses() {
        clauses if clauses.is_empty() => case.verdict.word().to_owned(),
        clauses => format!("{} by {}", case.verdict.word(), clauses.join(", ")),
    }
}

fn compare_operator(name: &str, before: &Planned, after: &Planned) -> OperatorCases {
    let only = |these: &Planned, those: &Planned| {
        let mut ids: Vec<String> = these.keys().filter(|id| !those.contains_key(*id)).cloned().collect();
        ids.sort_unstable();
        ids
    };
    let mut change: Vec<ChangedCase> = before
        .iter()
        .filter_map(|(id, (digest, old))| {
            let (_, new) = after.get(id).filter(|(now, new)| now != digest || new != old)?;
            Some(ChangedCase {
                id: id.clone(),
                old: old.clone(),
                new: new.clone(),
            })
        })
        .collect();
    change.sort_by(|a, b| a.id.cmp(&b.id));
    OperatorCases {
        operator: name.to_owned(),
        appear: only(after, before),
        disappear: only(before, after),
        change,
    }
}
