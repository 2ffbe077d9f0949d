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

/// A planned case: digest, and what is expected as a place in a list of texts.
type Planned = HashMap<String, (Digest, u32)>;

/// Plans the operators of both suites and compares case by case. `progress` receives the number of buckets done and in
/// all.
pub fn compare_cases(
    old: &Planner,
    new: &Planner,
    operators: &BTreeSet<String>,
    tier: Tier,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<OperatorCases> {
    let total = list_buckets(old, None, operators).len() + list_buckets(new, None, operators).len();
    let done = Mutex::new(0);
    let step = || {
        if let Ok(mut done) = done.lock() {
            *done += 1;
            progress(*done, total);
        }
    };
    let changed = operators.iter().map(|name| {
        let texts = Texts::default();
        let before = plan_operator(old, name, operators, tier, &texts, &step);
        let after = plan_operator(new, name, operators, tier, &texts, &step);
        compare_operator(name, &before, &after, &texts)
    });
    let found = changed.filter(|c| !(c.appear.is_empty() && c.disappear.is_empty() && c.change.is_empty()));
    found.collect()
}

fn list_buckets(suite: &Planner, name: Option<&str>, operators: &BTreeSet<String>) -> Vec<Bucket> {
    let of = |bucket: &Bucket| {
        let operator = suite.catalog.operators.get(bucket.operator);
        operator.is_some_and(|o| operators.contains(&*o.name) && name.is_none_or(|name| o.name == name))
    };
    dml_plan::buckets(suite).into_iter().filter(of).collect()
}

fn plan_operator(
    suite: &Planner,
    name: &str,
    operators: &BTreeSet<String>,
    tier: Tier,
    texts: &Texts,
    step: &(dyn Fn() + Sync),
) -> Planned {
    let buckets = list_buckets(suite, Some(name), operators);
    let planned: Vec<Planned> = buckets
        .par_iter()
        .map(|bucket| {
            let mut cases = Planned::new();
            let _ = dml_plan::for_each_case(suite, bucket, tier, DEFAULT_SEED, &mut |case| {
                let expected = texts.number(describe_expectation(&case));
                cases.insert(case.id.to_string(), (Digest::of_case(&case), expected));
                ControlFlow::Continue(())
            });
            step();
            cases
        })
        .collect();
    planned.into_iter().flatten().collect()
}

/// What is expected of a case: the word of its verdict, and the clauses it rests on.
pub(super) fn describe_expectation(case: &Case) -> String {
    match case.verdict.clauses() {
        clauses if clauses.is_empty() => case.verdict.word().to_owned(),
        clauses => format!("{} by {}", case.verdict.word(), clauses.join(", ")),
    }
}

fn compare_operator(name: &str, before: &Planned, after: &Planned, texts: &Texts) -> OperatorCases {
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
                old: texts.text(*old),
                new: texts.text(*new),
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

/// Texts that many cases share, once each.
#[derive(Default)]
struct Texts(Mutex<(HashMap<String, u32>, Vec<String>)>);

impl Texts {
    fn number(&self, text: String) -> u32 {
        let Ok(mut known) = self.0.lock() else { return 0 };
        if let Some(number) = known.0.get(&text) {
            return *number;
        }
        let number = u32::try_from(known.1.len()).unwrap_or(u32::MAX);
        known.1.push(text.clone());
        known.0.insert(text, number);
        number
    }

    fn text(&self, number: u32) -> String {
        let known = self.0.lock().ok();
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        known.and_then(|known| known.1.get(at).cloned()).unwrap_or_default()
    }
}
