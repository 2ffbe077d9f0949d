//! Which entries cover what the kept ones do not.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::observed::{Observed, Outcomes, PASS, Place};
use crate::expectations::{Allowed, Entry, Facts, OUTCOMES, Seen, group::queries, only};
use dml_case::{id::CaseId, query::Query};
use dml_plan::planner::Planner;

/// An entry that is to be written.
#[derive(Clone, Debug)]
pub(super) struct Fresh {
    pub(super) query: String,
    pub(super) allowed: Allowed,
    pub(super) class: Option<String>,
    /// Keys with their values; nothing where it holds everywhere.
    pub(super) only: Vec<(&'static str, Vec<String>)>,
    pub(super) because: String,
    pub(super) link: Option<String>,
    pub(super) until: Option<String>,
    /// The place of the entry that it comes in the place of.
    pub(super) instead: Option<usize>,
}

/// Cases that fail alike: where, with which outcomes, and which of the entries that go spoke of them. Nowhere stands for
/// everywhere.
type Group = (Vec<usize>, Outcomes, Option<usize>);

/// The entries for what the kept ones do not expect; `gone` are those that go.
pub(super) fn fresh(suite: &Planner, observed: &Observed, kept: &[&Entry], gone: &[&Entry]) -> Vec<Fresh> {
    let mut fresh = Vec::new();
    for ((places, outcomes, of_entry), cases) in groups(observed, kept, gone) {
        let entry = of_entry.and_then(|at| gone.get(at)).copied();
        let ids = |cases: &[usize]| -> Vec<&CaseId> { cases.iter().filter_map(|at| observed.ids.get(*at)).collect() };
        let here = |place: usize| places.is_empty() || places.contains(&place);
        let passes = |case: usize| {
            let mut seen = observed.of_case(case).filter(|(place, _)| here(*place));
            seen.any(|(_, seen)| seen.passes_always() || (seen.outcomes & !outcomes & PASS != 0))
        };
        let all = 0..observed.ids.len();
        // What an entry says was said of its own cases. What nobody defines may fail any day.
        let is_strange = |case: usize| match (entry, observed.ids.get(case)) {
            (Some(entry), Some(id)) => !entry.covers(id),
            _ => false,
        };
        let is_none = |case: usize| passes(case) || observed.is_open(case) || is_strange(case);
        let (passing, open): (Vec<usize>, Vec<usize>) = all.partition(|case| is_none(*case));
        let queries = queries(suite, &ids(&cases), &ids(&passing), &ids(&open));
        for query in queries {
            let of_query = held(observed, &query, &cases);
            for only in conditions(observed, &places) {
                let told = Told {
                    observed,
                    places: &places,
                    old: entry,
                };
                fresh.push(told.entry(&query, outcomes, &of_query, only));
            }
        }
    }
    fresh
}

/// Groups of failures that no kept entry expects, in the order of their first cases.
fn groups(observed: &Observed, kept: &[&Entry], gone: &[&Entry]) -> Vec<(Group, Vec<usize>)> {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for case in 0..observed.ids.len() {
        let failing: Vec<(usize, Outcomes)> = observed
            .of_case(case)
            .filter(|(_, seen)| seen.fails())
            .map(|(place, seen)| (place, seen.outcomes))
            .collect();
        let is_open = |place: usize| !kept.iter().any(|entry| observed.is_expected(entry, case, place));
        if !failing.iter().any(|(place, _)| is_open(*place)) {
            continue;
        }
        let passes_elsewhere = observed.of_case(case).any(|(_, seen)| seen.passes_always());
        let outcomes = failing.iter().fold(0, |all, (_, outcomes)| all | outcomes);
        let places = match passes_elsewhere {
            true => failing.iter().map(|(place, _)| *place).collect(),
            false => Vec::new(),
        };
        let id = observed.ids.get(case);
        let of_entry = gone.iter().position(|entry| id.is_some_and(|id| entry.covers(id)));
        groups.entry((places, outcomes, of_entry)).or_default().push(case);
    }
    let mut groups: Vec<(Group, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, cases)| cases.first().copied());
    groups
}

/// The cases that a query covers.
fn held(observed: &Observed, query: &str, cases: &[usize]) -> Vec<usize> {
    let id: Option<CaseId> = query.parse().ok();
    let parsed: Option<Query> = query.parse().ok();
    let covers = |case: &usize| {
        let Some(found) = observed.ids.get(*case) else {
            return false;
        };
        id.as_ref() == Some(found) || parsed.as_ref().is_some_and(|query| query.matches(found))
    };
    cases.iter().copied().filter(covers).collect()
}

/// What tells these places apart from all others, as few conditions as can be; one entry each.
fn conditions(observed: &Observed, places: &[usize]) -> Vec<Vec<(&'static str, Vec<String>)>> {
    if places.is_empty() {
        return vec![Vec::new()];
    }
    let at = |place: &usize| observed.places.get(*place);
    let others: Vec<&Place> = (0..observed.places.len())
        .filter(|at| !places.contains(at))
        .filter_map(|p| at(&p))
        .collect();
    let ours: Vec<&Place> = places.iter().filter_map(at).collect();
    for key in KEYS {
        if let Some(values) = told_apart(*key, &ours, &others) {
            return vec![vec![(key.0, values)]];
        }
    }
    ours.iter().map(|place| alone(place, &others)).collect()
}

/// What a place can be told by: a name in the file, and whether the label stands for the backend.
type Key = (&'static str, bool);

const KEYS: &[Key] = &[
    (only::KEYS[0], false),
    (only::KEYS[1], false),
    (only::KEYS[2], false),
    (only::KEYS[3], false),
    (only::KEYS[4], false),
    (only::KEYS[5], false),
    (only::KEYS[0], true),
];

fn value(place: &Place, (key, by_label): Key) -> Option<String> {
    match by_label {
        true => Some(place.label.clone()),
        false => place.facts.value(key).map(|value| Facts::condition(key, value)),
    }
}

/// The values of a key that these places have and no other one has.
fn told_apart(key: Key, ours: &[&Place], others: &[&Place]) -> Option<Vec<String>> {
    let values: Option<BTreeSet<String>> = ours.iter().map(|place| value(place, key)).collect();
    let values = values?;
    let is_free = |place: &&Place| value(place, key).is_none_or(|value| !values.contains(&value));
    others.iter().all(is_free).then(|| values.into_iter().collect())
}

/// Conditions that hold for this place and no other.
fn alone(place: &Place, others: &[&Place]) -> Vec<(&'static str, Vec<String>)> {
    let (mut left, mut found): (Vec<&Place>, Vec<(&'static str, Vec<String>)>) = (others.to_vec(), Vec::new());
    for key in KEYS.iter().rev() {
        let Some(own) = value(place, *key) else { continue };
        let before = left.len();
        left.retain(|other| value(other, *key).as_ref() == Some(&own));
        if left.len() < before && found.iter().all(|(known, _)| *known != key.0) {
            found.push((key.0, vec![own]));
        }
    }
    found
}

/// What an entry says beside its query.
struct Told<'a> {
    observed: &'a Observed,
    places: &'a [usize],
    /// The entry that spoke of the cases, which goes.
    old: Option<&'a Entry>,
}

impl Told<'_> {
    fn entry(&self, query: &str, outcomes: Outcomes, cases: &[usize], only: Vec<(&'static str, Vec<String>)>) -> Fresh {
        let is_here = |place: usize| self.places.is_empty() || self.places.contains(&place);
        let failures = cases.iter().flat_map(|case| self.observed.of_case(*case));
        let failures: Vec<_> = failures
            .filter(|(place, seen)| is_here(*place) && seen.fails())
            .collect();
        let classes: BTreeSet<Option<&str>> = failures.iter().map(|(_, seen)| seen.class.as_deref()).collect();
        let class = match classes.into_iter().collect::<Vec<_>>()[..] {
            [Some(class)] if !OUTCOMES.contains(&class) => Some(class.to_owned()),
            _ => None,
        };
        let clause = failures.iter().find_map(|(_, seen)| seen.clause.clone());
        let old = self.old;
        let unexplained = || match (&class, clause) {
            (Some(class), Some(clause)) => format!("not investigated yet: {class}, breaks {clause}"),
            (None, Some(clause)) => format!("not investigated yet: breaks {clause}"),
            (Some(class), None) => format!("not investigated yet: {class}"),
            (None, None) => "not investigated yet".to_owned(),
        };
        Fresh {
            query: query.to_owned(),
            allowed: allowed(outcomes),
            because: old.map_or_else(unexplained, |entry| entry.because.clone()),
            link: old.and_then(|entry| entry.link.clone()),
            until: old.and_then(|entry| entry.until.clone()),
            instead: old.map(|entry| entry.place.span.start),
            class,
            only,
        }
    }
}

/// The words of a set of outcomes, passing first.
fn allowed(outcomes: Outcomes) -> Allowed {
    let word = |bit: usize| OUTCOMES.get(bit).copied().filter(|_| outcomes >> bit & 1 == 1);
    let last = OUTCOMES.len() - 1;
    Allowed::new(std::iter::once(last).chain(0..last).filter_map(word)).unwrap_or_default()
}

/// The failing cases that queries with wildcards cover.
pub(super) fn seen(observed: &Observed, kept: &[&Entry], fresh: &[Fresh]) -> Seen {
    let ids: HashSet<&str> = observed.ids.iter().map(CaseId::as_str).collect();
    let wild: Vec<Query> = fresh
        .iter()
        .filter(|entry| !ids.contains(entry.query.as_str()))
        .filter_map(|entry| entry.query.parse().ok())
        .collect();
    let is_covered = |id: &CaseId| {
        let by_kept = kept.iter().any(|entry| entry.id.is_none() && entry.covers(id));
        by_kept || wild.iter().any(|query| query.matches(id))
    };
    let fails = |case: usize| observed.of_case(case).any(|(_, seen)| seen.fails());
    let failing = observed
        .ids
        .iter()
        .enumerate()
        .filter(|(case, id)| fails(*case) && is_covered(id));
    failing.map(|(_, id)| id.as_str()).collect()
}
