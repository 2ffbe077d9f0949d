//! Cases that an explanation says fail, and that are not known to: it may be wrong though none of those that were compared
//! contradicts it.
//!
//! They are cases of the plan at standard. Where made cases speak for an explanation, because few of the run fail, they are
//! also cases that differ in two things from the failing one: with one change all else is the same in every case.

use std::collections::BTreeSet;

use dml_case::{
    case::{Case, Mode},
    context::Context,
    digest::Digest,
    id::CaseId,
    mistake::{Claim, Mistakes},
    record::Record,
    sample::{ELEMENTS, Sampled, Samples},
    traits::traits,
};
use dml_oracle::Claims;
use dml_plan::{
    buckets_of,
    builder::Builder,
    design::{Around, parameters},
    ids_of,
};
use dml_spec::model::{Family, Text, Tier};

use super::{BATCH, LOSSES, as_follow_up};
use crate::engine::{Run, Shared, batch, explain::of_oracle};

/// Most cases that are looked at each time.
const TRIED: usize = 2048;

/// Most cases that are asked each time for explanations, and for what failing cases have in common.
const ASKED: usize = 8;

/// Most cases with one change that are made of one.
const CHANGED: usize = 12;

/// What is held against cases.
struct Held<'a> {
    known: Claims<'a>,
    claims: Vec<&'a Claim>,
    of: &'a Mistakes,
}

impl Run<'_> {
    /// What the backend gives in cases that are said to fail and not known to; `None` if it was lost.
    pub(super) fn contradicting(&self, of: &Mistakes, samples: &Samples) -> Option<Vec<Sampled>> {
        let cases = self.predicted(of, samples);
        if cases.is_empty() {
            return Some(Vec::new());
        }
        let shared = Shared {
            expects_losses: true,
            ..self.shared(Vec::new())
        };
        let mut runner = batch::BatchRunner::open(&shared).ok()?;
        for cases in cases.chunks(BATCH) {
            let before: Vec<batch::Before> = cases.iter().map(batch::Before::of).collect();
            let mut records: Vec<Record> = Vec::new();
            runner.run(cases, &before, &mut records).ok()?;
            if records.iter().any(|record| LOSSES.contains(&record.outcome)) {
                return None;
            }
        }
        drop(runner);
        Some(as_follow_up(shared.samples.into_inner()))
    }

    /// Small cases that an explanation or a condition says fail, and that are not known to. Which are tried rests on their
    /// ids alone.
    fn predicted(&self, of: &Mistakes, samples: &Samples) -> Vec<Case> {
        let claims = of.found.iter().filter_map(|found| found.claim.as_ref());
        // What gives all outputs of all cases compared was held against enough, unless few of the run fail.
        let claims: Vec<&Claim> = claims
            .filter(|claim| claim.demand.traits() > 0 || of.failing_made > 0)
            .collect();
        if claims.is_empty() && of.fails_if_demand.is_none() {
            return Vec::new();
        }
        let Some(known) = Claims::new(self.suite, &of.operator, of_oracle(self.settings.basis)) else {
            return Vec::new();
        };
        let held = Held { known, claims, of };
        let planned = self.not_compared(&of.operator, samples);
        let mut found = self.said_to_fail(
            &held,
            planned.iter().filter_map(|id| dml_plan::build(self.suite, id).ok()),
        );
        if of.failing_made > 0 {
            let compared = compared(samples, &of.operator);
            let twice = self.changed_twice(of).into_iter();
            let twice = twice.filter(|case| !compared.contains(&case.id) && !samples.is_wrong(&case.id));
            found.extend(self.said_to_fail(&held, twice));
        }
        let mut asked = BTreeSet::new();
        found.retain(|case| asked.insert(case.id.clone()));
        found
    }

    /// The first small cases of these that are said to fail.
    fn said_to_fail(&self, held: &Held<'_>, cases: impl Iterator<Item = Case>) -> Vec<Case> {
        let (mut by_claims, mut by_common) = (Vec::new(), Vec::new());
        for case in cases.filter(|case| self.is_small(case)).take(TRIED) {
            let mut claims = held.claims.iter();
            if by_claims.len() < ASKED && claims.any(|claim| held.known.predicts_failure(claim, &case)) {
                by_claims.push(case);
            } else if by_common.len() < ASKED && self.is_common(held.of, &case) {
                by_common.push(case);
            }
            let is_enough = |cases: &[Case], asks: bool| !asks || cases.len() == ASKED;
            let asks_common = held.of.fails_if_demand.is_some();
            if is_enough(&by_claims, !held.claims.is_empty()) && is_enough(&by_common, asks_common) {
                break;
            }
        }
        by_claims.append(&mut by_common);
        by_claims
    }

    /// Cases that differ in two things from the smallest failing one of each doubtful explanation, by hash.
    fn changed_twice(&self, of: &Mistakes) -> Vec<Case> {
        let index = self.index_of(&of.operator);
        let builder = index.and_then(|index| Builder::new(self.suite, index));
        let parameters = builder.as_ref().and_then(|builder| parameters(builder).ok());
        let (Some(builder), Some(parameters)) = (builder, parameters) else {
            return Vec::new();
        };
        let once = |base: &CaseId| {
            let around = Around::new(&builder, &parameters, base, self.level());
            around.map_or_else(Vec::new, |around| {
                let mut changes = around.changes();
                changes.sort_by_cached_key(|change| Digest::of_text(&format!("{base} {change:?}")));
                let cases = changes.iter().filter_map(|change| around.case(change));
                cases.filter(|case| self.is_small(case)).take(CHANGED).collect()
            })
        };
        let bases = of.found.iter().filter_map(|found| found.smallest.as_ref());
        let first: Vec<Case> = bases.flat_map(once).collect();
        first.iter().flat_map(|case| once(&case.id)).collect()
    }

    /// Whether the outputs of a case are judged, and few enough to be compared.
    fn is_small(&self, case: &Case) -> bool {
        let is_judged = case.mode == Mode::Execute && !case.verdict.is_rejection();
        is_judged && case.elements(&self.suite.catalog) <= ELEMENTS
    }

    /// Whether a case is what most failing ones are that nothing explains.
    fn is_common(&self, of: &Mistakes, case: &Case) -> bool {
        let context = Context::new(self.suite, case);
        let demand = of.fails_if_demand.as_ref().zip(context);
        demand.is_some_and(|(demand, context)| demand.is_met(&traits(context)))
    }

    /// The plan's cases of an operator whose outputs are not known to be wrong and were not compared, in an order that rests
    /// on their ids.
    fn not_compared(&self, operator: &Text, samples: &Samples) -> Vec<CaseId> {
        let Some(index) = self.index_of(operator) else {
            return Vec::new();
        };
        // Cases of smoke are too few to refute what they have in common.
        let (tier, level) = (self.settings.tier.max(Tier::Standard), self.level());
        let compared = compared(samples, operator);
        let buckets = buckets_of(self.suite, index, tier).into_iter();
        let buckets = buckets.filter(|bucket| bucket.level <= level && bucket.family != Family::Faults);
        let ids = buckets.flat_map(|bucket| ids_of(self.suite, &bucket, tier, self.settings.seed));
        let ids = ids.map(|(id, _)| id);
        let mut ids: Vec<CaseId> = ids
            .filter(|id| !compared.contains(id) && !samples.is_wrong(id))
            .collect();
        ids.sort_by_cached_key(|id| Digest::of_text(id.as_str()));
        ids
    }
}

/// The cases of an operator that were compared.
fn compared<'s>(samples: &'s Samples, operator: &Text) -> BTreeSet<&'s CaseId> {
    let compared = [true, false].map(|failed| samples.of(operator, failed).map(|(_, id, ..)| id));
    compared.into_iter().flatten().collect()
}
