//! What the plan has for the run that shards are parts of: a case that is in none of them is missing, whatever their
//! footers say.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use rayon::prelude::*;

use super::MergeError;
use dml_case::{case::Case, id::CaseId};
use dml_plan::{Bucket, planner::Planner};
use dml_report::results::Header;
use dml_run::engine::{Resolved, Selection};
use dml_spec::model::Tier;

/// Ids that are named of those that are missing.
const NAMED: usize = 3;

/// The selection of a run, and what was not met of it.
pub(super) struct Planned {
    /// Nothing if files that may lie elsewhere say what was selected.
    selection: Option<Resolved>,
    /// What was selected by whole ids.
    named: HashSet<CaseId>,
    /// By the hash of the id.
    lacking: HashMap<u64, String>,
}

impl Planned {
    /// What the header of the whole asks for.
    pub(super) fn of(suite: &Planner, header: &Header) -> Result<Self, MergeError> {
        let wrong = |why: String| MergeError::Mismatch(format!("the selection of the shards: {why}"));
        let words = Selection::from_words(&header.selection).map_err(wrong)?;
        let level = header.levels.iter().filter_map(|level| level.parse().ok()).max();
        let resolve = |selection: Selection| {
            let selection = Selection { level, ..selection };
            selection.resolve(suite).map_err(|error| wrong(error.to_string()))
        };
        let selection = words.map(resolve).transpose()?;
        let named = selection.iter().flat_map(|selection| &selection.exact);
        Ok(Self {
            named: named.map(|named| named.id.clone()).collect(),
            selection,
            lacking: HashMap::new(),
        })
    }

    /// Fails if the run was not asked for this case.
    pub(super) fn require(&self, suite: &Planner, case: &Case, file: &str) -> Result<(), MergeError> {
        let Some(selection) = &self.selection else {
            return Ok(());
        };
        let is_named = self.named.contains(&case.id) && selection.wants_named(suite, case);
        match is_named || (selection.plans() && selection.wants(suite, case)) {
            true => Ok(()),
            false => Err(MergeError::Mismatch(format!(
                "{file}: {} is none of the cases that the run was asked for; run the shard again",
                case.id
            ))),
        }
    }

    /// Whether the cases can be held against the plan at all.
    pub(super) fn is_known(&self) -> bool {
        self.selection.is_some()
    }

    /// The places of all operators. What is planned of those that the run was asked for is planned side by side.
    pub(super) fn operators(&self, suite: &Planner, tier: Tier) -> Range<usize> {
        let all = 0..suite.catalog.operators.len();
        let asked = all.clone().into_par_iter().filter(|at| self.wants_operator(suite, *at));
        asked.for_each(|at| drop(dml_plan::buckets_of(suite, at, tier)));
        all
    }

    /// Whether cases of the operator may be missing.
    pub(super) fn wants_operator(&self, suite: &Planner, operator: usize) -> bool {
        let selection = self.selection.as_ref().filter(|selection| selection.plans());
        selection.is_some_and(|selection| selection.wants_operator(suite, operator))
    }

    /// Whether cases of the bucket may be missing.
    pub(super) fn wants_bucket(&self, suite: &Planner, bucket: &Bucket) -> bool {
        let selection = self.selection.as_ref().filter(|selection| selection.plans());
        selection.is_some_and(|selection| selection.wants_bucket(suite, bucket))
    }

    /// The plan has a case that no file had at its place.
    pub(super) fn passed(&mut self, suite: &Planner, case: &Case) {
        let is_wanted = |selection: &Resolved| selection.plans() && selection.wants(suite, case);
        if self.selection.as_ref().is_some_and(is_wanted) {
            self.lacking.insert(hash(&case.id), case.id.to_string());
        }
    }

    /// Every case was taken; `has` knows the hashes of their ids. Fails if the plan has others that were asked for.
    pub(super) fn finish(mut self, suite: &Planner, has: impl Fn(u64) -> bool) -> Result<(), MergeError> {
        if let Some(selection) = &self.selection {
            let named = selection.exact.iter().filter(|named| !has(hash(&named.id)));
            // Of what was named, filters may have left something out.
            let cases = named.filter_map(|named| named.case(suite).ok());
            let wanted = cases.filter(|case| selection.wants_named(suite, case));
            self.lacking
                .extend(wanted.map(|case| (hash(&case.id), case.id.to_string())));
        }
        self.lacking.retain(|hash, _| !has(*hash));
        let mut ids: Vec<&str> = self.lacking.values().map(String::as_str).collect();
        ids.sort_unstable();
        let more = if ids.len() > NAMED { ", …" } else { "" };
        match ids.len() {
            0 => Ok(()),
            n => Err(MergeError::Missing(format!(
                "the plan has cases that are in none of the shards, {n} of them: {}{more}; run the shards again",
                ids.into_iter().take(NAMED).collect::<Vec<_>>().join(", ")
            ))),
        }
    }
}

fn hash(id: &CaseId) -> u64 {
    super::hash(id.as_str())
}
