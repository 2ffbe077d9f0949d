//! Mutants of the rules: a check dropped or another by one place, a support cell more or less, a table at the level beside
//! its own. A backend whose validator has such a mistake takes what is to be refused, or refuses what is to be taken, and
//! some case has to show that.

mod edit;
mod list;
mod place;
mod rule;
mod write;

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_case::{case::Case, id::CaseId, lock::DEFAULT_SEED};
use dml_plan::{buckets_of, for_each_case, planner::Planner};
use dml_spec::{
    Catalog, Descriptor, FeatureLevel,
    model::{Family, List, Operator, Text, Tier},
    program::{Program, Violation},
};
use rayon::prelude::*;

pub use self::{
    list::{Mutant, Part, TENSOR, of_operator, of_tensors},
    place::Places,
};
use crate::mutants::MOST_KILLS;

/// Cases that are looked at together.
const BATCH: usize = 256;

/// A mutant and the cases that show it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The operator, or [`TENSOR`].
    pub owner: String,
    /// The mutant.
    pub mutant: Mutant,
    /// The first cases that a backend with the mistake fails, in the order of the plan; at most [`MOST_KILLS`].
    pub kills: Vec<CaseId>,
    /// Clauses and cells for which descriptors are refused all the same of which the changed rules say something else.
    pub implied_by: BTreeSet<Text>,
}

impl Tried {
    /// Whether no case shows the mistake, and some would if no other clause refused them.
    pub fn is_implied(&self) -> bool {
        self.kills.is_empty() && !self.implied_by.is_empty()
    }
}

/// The rules of an operator, changed or not.
struct Rules {
    catalog: Catalog,
    program: Program,
}

/// Whether text and runtimes take a descriptor.
type Taken = (bool, bool);

fn taken(violations: &[Violation]) -> Taken {
    let text = violations.iter().all(|violation| !violation.text);
    (text, violations.iter().all(|violation| !violation.runtime))
}

impl Rules {
    /// `None` if `spec check` would refuse them.
    fn new(catalog: Catalog) -> Option<Self> {
        let program = Program::compile(&catalog, catalog.operators.first()?).ok()?;
        Some(Self { catalog, program })
    }

    fn violations(&self, descriptor: &Descriptor, level: FeatureLevel) -> Vec<Violation> {
        let operator = self.catalog.operators.first();
        let evaluate = |operator| self.program.evaluate(&self.catalog, operator, descriptor, level);
        operator.map(evaluate).unwrap_or_default()
    }
}

/// Tries the mutants of an operator's rules, and of the clauses of all tensors, on the cases of the operator at this place
/// of the catalog. `of_tensors` says what the cases of other operators showed so far of the latter, which stand first in
/// what comes back.
pub fn run(suite: &Planner, operator: usize, tier: Tier, of_tensors: Vec<Tried>) -> Vec<Tried> {
    run_on(suite, operator, (tier, &Family::ALL), of_tensors)
}

/// As [`run`], by the cases of these families alone.
fn run_on(suite: &Planner, operator: usize, (tier, families): (Tier, &[Family]), of_tensors: Vec<Tried>) -> Vec<Tried> {
    let Some(of) = suite.catalog.operators.get(operator) else {
        return of_tensors;
    };
    let small = alone(&suite.catalog, of);
    let own = of_operator(&suite.catalog, of);
    let own = own.into_iter().map(|mutant| Tried::new(&of.name, mutant));
    let changed = |tried: Tried| {
        let mut catalog = small.clone();
        tried.mutant.apply(&mut catalog);
        let rules = Rules::new(catalog);
        (tried, rules)
    };
    let all: Vec<(Tried, Option<Rules>)> = of_tensors.into_iter().chain(own).map(changed).collect();
    // Of the clauses of all tensors another operator may show what this one cannot.
    let usable = |(tried, rules): &(Tried, Option<Rules>)| rules.is_some() || tried.owner == TENSOR;
    let (mut tried, rules): (Vec<Tried>, Vec<Option<Rules>>) = all.into_iter().filter(usable).unzip();
    let Some(right) = Rules::new(small) else {
        return tried;
    };
    let mut batch: Vec<Case> = Vec::new();
    let mut buckets = buckets_of(suite, operator, tier);
    buckets.retain(|bucket| families.contains(&bucket.family));
    for bucket in buckets {
        let _ = for_each_case(suite, &bucket, tier, DEFAULT_SEED, &mut |case| {
            batch.push(case);
            if batch.len() == BATCH {
                try_batch(&right, &batch, &mut tried, &rules);
                batch.clear();
            }
            ControlFlow::Continue(())
        });
    }
    try_batch(&right, &batch, &mut tried, &rules);
    tried
}

/// The mutants of the clauses that every tensor obeys, before any operator's cases were looked at.
pub fn tensor_mutants(catalog: &Catalog) -> Vec<Tried> {
    let all = of_tensors(catalog).into_iter();
    all.map(|mutant| Tried::new(TENSOR, mutant)).collect()
}

impl Tried {
    fn new(owner: &str, mutant: Mutant) -> Self {
        Self {
            owner: owner.to_owned(),
            mutant,
            kills: Vec::new(),
            implied_by: BTreeSet::new(),
        }
    }
}

fn try_batch(right: &Rules, batch: &[Case], tried: &mut [Tried], rules: &[Option<Rules>]) {
    let due: Vec<Vec<Violation>> = batch
        .iter()
        .map(|case| right.violations(&case.descriptor, case.id.level()))
        .collect();
    tried.par_iter_mut().zip(rules).for_each(|(tried, rules)| {
        let Some(rules) = rules else { return };
        for (case, due) in batch.iter().zip(&due) {
            if tried.kills.len() == MOST_KILLS {
                return;
            }
            let now = rules.violations(&case.descriptor, case.id.level());
            if taken(&now) != taken(due) {
                tried.kills.push(case.id.clone());
                tried.implied_by.clear();
            } else if tried.kills.is_empty() && now != *due {
                // Also by a clause that the right rules do not look at before the changed one holds.
                let others = now.iter().filter(|violation| *violation.clause != *tried.mutant.clause);
                tried
                    .implied_by
                    .extend(others.map(|violation| violation.clause.clone()));
            }
        }
    });
}

/// The catalog of one operator, without what no rule depends on: changed many times, it has to be small.
fn alone(catalog: &Catalog, operator: &Operator) -> Catalog {
    let bare = Operator {
        sources: List::default(),
        ledger: List::default(),
        superseded: List::default(),
        equivalent: List::default(),
        onnx: List::default(),
        meaning: List::default(),
        ..operator.clone()
    };
    Catalog {
        sources: List::default(),
        operators: std::iter::once(bare).collect(),
        ..catalog.clone()
    }
}
