//! Combinations of traits: which two and three of them occur together in some case, and which do not.
//!
//! Kernels come in variants, and a mistake that sits in one of them shows where all of its conditions hold: tensors of
//! that type, in so many dimensions, with strides. Sweeps are written by people, who think of one or two conditions at a
//! time. A covering array has every combination of up to three values of traits in some case (Kuhn, Kacker, Lei:
//! Introduction to Combinatorial Testing); what the sweeps leave out of it, `spec/combinations.lock` adds: random cases,
//! chosen so that few have all combinations that many have. Which combinations there can be nobody says: those count
//! that random cases have.

mod covered;
mod traits;

use std::{
    ops::{ControlFlow, Range},
    sync::Arc,
};

use dml_spec::model::Tier;
use rayon::prelude::*;

pub use self::{covered::Covered, traits::Traits};
use crate::{
    fuzz::{Fuzz, Limit},
    greedy,
    zoo::Scene,
};
use dml_case::{id::CaseId, query::Query};
use dml_plan::{Bucket, builder::Builder, planner::Planner};

/// Family that drawn cases belong to, beside those whose outputs lie in the place of inputs.
pub const FAMILY: &str = "variants";

/// Seed of the random cases.
const SEED: u64 = 2;

/// Random cases that are drawn at a time.
const AT_ONCE: u64 = 256;

/// Elements that make a case twice as dear as the smallest.
const DEAR: u64 = 4096;

/// A random case and what it is like.
#[derive(Debug)]
pub struct Drawn {
    /// The case.
    pub case: CaseId,
    /// Values of its traits, in ascending order.
    pub values: Vec<usize>,
    /// What it costs to run.
    cost: u64,
}

/// What the planned cases of an operator combine at the standard tier.
pub fn planned(suite: &Planner, operator: usize, traits: &Traits) -> Covered {
    let look = |bucket: &Bucket| {
        let mut covered = Covered::new(traits.values());
        let Some(known) = suite.catalog.operators.get(operator) else {
            return covered;
        };
        let _ = dml_plan::for_each_case(suite, bucket, Tier::Standard, 0, &mut |case| {
            if let Some(values) = traits.of_case(&Scene::new(suite, known, &case)) {
                covered.add(traits, &values);
            }
            ControlFlow::Continue(())
        });
        covered
    };
    let buckets = dml_plan::buckets_of(suite, operator);
    buckets
        .par_iter()
        .map(look)
        .reduce(|| Covered::new(traits.values()), Covered::or)
}

/// The first so many random cases of an operator that run, whose outputs are defined, and that can be planned.
pub fn drawn(suite: &Planner, operator: usize, traits: &Traits, count: u64) -> Vec<Drawn> {
    let Some((fuzz, builder)) = fuzz(suite, operator, count).zip(Builder::new(suite, operator)) else {
        return Vec::new();
    };
    let has_a_bucket = dml_plan::bucketed(suite, operator);
    let known = builder.operator;
    let look = |number: u64| {
        let case = fuzz.case(number)?;
        if !has_a_bucket(&case.id) {
            return None;
        }
        let values = traits.of_case(&Scene::new(suite, known, &case))?;
        Some(Drawn {
            values,
            cost: 1 + case.elements(&suite.catalog) / DEAR,
            case: case.id,
        })
    };
    let ranges: Vec<Range<u64>> = (0..count.div_ceil(AT_ONCE))
        .map(|n| n * AT_ONCE..((n + 1) * AT_ONCE).min(count))
        .collect();
    let found = ranges
        .into_par_iter()
        .map(|range| range.filter_map(look).collect::<Vec<_>>());
    found.flatten_iter().collect()
}

/// What random cases are drawn from.
fn fuzz(suite: &Planner, operator: usize, count: u64) -> Option<Fuzz> {
    let builder = Builder::new(suite, operator)?;
    let name = &builder.operator.name;
    let families = builder.operator.cases.families.iter().zip(&builder.recipe.families);
    let wanted = families.filter(|(family, recipe)| family.name == FAMILY || recipe.shares_memory());
    let queries: Result<Vec<Query>, _> = wanted
        .map(|(family, _)| format!("{name}:*:{}", family.name).parse())
        .collect();
    let queries = queries.ok().filter(|queries| !queries.is_empty())?;
    let level = suite.catalog.levels.iter().map(|level| level.level).max()?;
    let limit = Limit::Cases(count);
    let fuzz = Fuzz::new(
        Arc::new(suite.clone()),
        queries,
        &[name.to_string()],
        level,
        SEED,
        limit,
    );
    fuzz.ok().map(Fuzz::wide)
}

/// Cases of `drawn` that have all combinations that those have and `covered` has not: at each step the one that adds
/// most for what it costs.
pub fn choose(traits: &Traits, drawn: &[Drawn], covered: &mut Covered) -> Vec<CaseId> {
    let mut sorted: Vec<&Drawn> = drawn.iter().collect();
    sorted.sort_by_key(|drawn| drawn.case.as_str());
    let mut chosen = Vec::new();
    let adds = |covered: &Covered, at: usize| {
        let worth = |drawn: &&Drawn| covered.lacking(traits, &drawn.values).count() as u64 * 1024 / drawn.cost;
        sorted.get(at).map_or(0, worth)
    };
    greedy::cover(sorted.len(), covered, adds, |covered, at| {
        if let Some(best) = sorted.get(at) {
            covered.add(traits, &best.values);
            chosen.push(best.case.clone());
        }
    });
    chosen.sort_by_key(ToString::to_string);
    chosen
}

/// Combinations that random cases have and `covered` has not, in words, each with the first such case.
pub fn missed(traits: &Traits, drawn: &[Drawn], covered: &Covered) -> Vec<(String, CaseId)> {
    let mut covered = covered.clone();
    let mut found = Vec::new();
    for one in drawn {
        let lacking: Vec<_> = covered.lacking(traits, &one.values).collect();
        for values in lacking {
            let (a, b, c) = values;
            let names: Vec<&str> = [Some(a), Some(b), c]
                .into_iter()
                .flatten()
                .map(|value| traits.name(value))
                .collect();
            found.push((names.join(", "), one.case.clone()));
        }
        covered.add(traits, &one.values);
    }
    found
}

#[cfg(test)]
mod tests;
