//! Cases that appear, disappear, or change what is expected of them.

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    sync::Mutex,
};

use dml_spec::{
    Catalog,
    model::{Clause, List, Operator, Tier},
};
use rayon::prelude::*;
use serde::Serialize;

use crate::{
    case::Case,
    digest::Digest,
    lock::DEFAULT_SEED,
    plan::{self, Bucket},
    suite::Suite,
};

/// Cases of one operator that differ, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OperatorCases {
    /// The operator.
    pub operator: String,
    /// Ids of the new plan alone.
    pub appear: Vec<String>,
    /// Ids of the old plan alone.
    pub disappear: Vec<String>,
    /// Ids of both with other expectations, or other inputs.
    pub change: Vec<Expectation>,
}

/// What is expected of a case, before and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Expectation {
    /// Id of the case.
    pub id: String,
    /// What was expected.
    pub old: String,
    /// What is expected now; the same where only inputs or given outputs differ.
    pub new: String,
}

/// Operators of which any case may differ: what it rests on is not the same on both sides.
pub fn affected(old: &Catalog, new: &Catalog) -> BTreeSet<String> {
    let names = |catalog: &Catalog| {
        catalog
            .operators
            .iter()
            .map(|o| o.name.to_string())
            .collect::<BTreeSet<_>>()
    };
    let all: BTreeSet<String> = names(old).union(&names(new)).cloned().collect();
    let shared = |catalog: &Catalog| Catalog {
        operators: List::default(),
        sources: List::default(),
        tensor_clauses: catalog.tensor_clauses.iter().map(bare).collect(),
        ..catalog.clone()
    };
    if shared(old) != shared(new) {
        return all;
    }
    let side = |catalog: &Catalog, name: &str| catalog.operator(name).map(skeleton);
    let mut found: BTreeSet<String> = all
        .iter()
        .filter(|name| side(old, name) != side(new, name))
        .cloned()
        .collect();
    // Operators that nest others plan with their rules.
    for operator in old.operators.iter().chain(new.operators.iter()) {
        if operator
            .cases
            .nested
            .iter()
            .any(|nested| found.contains(&*nested.operator))
        {
            found.insert(operator.name.to_string());
        }
    }
    found
}

/// An operator without what no case depends on: words, places and days.
fn skeleton(operator: &Operator) -> Operator {
    let mut bare_operator = operator.clone();
    bare_operator.file = Default::default();
    bare_operator.says = Default::default();
    bare_operator.sources = List::default();
    bare_operator.clauses = operator.clauses.iter().map(bare).collect();
    for table in bare_operator.support.to_mut() {
        table.source = None;
        table.rows.to_mut().iter_mut().for_each(|row| row.source = None);
    }
    bare_operator
        .fields
        .to_mut()
        .iter_mut()
        .for_each(|f| f.says = Default::default());
    bare_operator.examples.to_mut().iter_mut().for_each(|e| e.source = None);
    for family in bare_operator.cases.families.to_mut() {
        family.says = Default::default();
        family.catches = List::default();
    }
    bare_operator
}

fn bare(clause: &Clause) -> Clause {
    let mut clause = clause.clone();
    clause.says = Default::default();
    clause.source = None;
    clause.history = List::default();
    for seen in clause.observed.to_mut() {
        seen.says = Default::default();
        seen.date = Default::default();
        seen.runtime = Default::default();
    }
    clause
}

/// A planned case: digest, and what is expected as a place in a list of texts.
type Planned = HashMap<String, (Digest, u32)>;

/// Plans the operators on both sides and compares case by case. `progress` is called with the buckets done and all.
pub fn compare(
    old: &Suite,
    new: &Suite,
    operators: &BTreeSet<String>,
    tier: Tier,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<OperatorCases> {
    let total = buckets(old, None, operators).len() + buckets(new, None, operators).len();
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
        differences(name, &before, &after, &texts)
    });
    let found = changed.filter(|c| !(c.appear.is_empty() && c.disappear.is_empty() && c.change.is_empty()));
    found.collect()
}

fn buckets(suite: &Suite, name: Option<&str>, operators: &BTreeSet<String>) -> Vec<Bucket> {
    let of = |bucket: &Bucket| {
        let operator = suite.catalog.operators.get(bucket.operator);
        operator.is_some_and(|o| operators.contains(&*o.name) && name.is_none_or(|name| o.name == name))
    };
    plan::buckets(suite).into_iter().filter(of).collect()
}

fn plan_operator(
    suite: &Suite,
    name: &str,
    operators: &BTreeSet<String>,
    tier: Tier,
    texts: &Texts,
    step: &(dyn Fn() + Sync),
) -> Planned {
    let buckets = buckets(suite, Some(name), operators);
    let planned: Vec<Planned> = buckets
        .par_iter()
        .map(|bucket| {
            let mut cases = Planned::new();
            let _ = plan::for_each_case(suite, bucket, tier, DEFAULT_SEED, &mut |case| {
                let expected = texts.number(expected(&case));
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
pub fn expected(case: &Case) -> String {
    match case.verdict.clauses() {
        clauses if clauses.is_empty() => case.verdict.word().to_owned(),
        clauses => format!("{} by {}", case.verdict.word(), clauses.join(", ")),
    }
}

fn differences(name: &str, before: &Planned, after: &Planned, texts: &Texts) -> OperatorCases {
    let only = |these: &Planned, those: &Planned| {
        let mut ids: Vec<String> = these.keys().filter(|id| !those.contains_key(*id)).cloned().collect();
        ids.sort_unstable();
        ids
    };
    let mut change: Vec<Expectation> = before
        .iter()
        .filter_map(|(id, (digest, old))| {
            let (_, new) = after.get(id).filter(|(now, new)| now != digest || new != old)?;
            Some(Expectation {
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
