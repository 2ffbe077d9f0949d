//! What stored runs change in a file of known failures: which entries stay, go and come.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use dml_spec::Catalog;

use super::{
    Allowed, CONDITION_KEYS, Corpus, Entry, Facts, OUTCOMES, SeenCases,
    group::{PlannedFamily, cover_cases},
    observed::{Observed, Outcomes, PASS, Place},
};
use dml_case::{digest::Digest, id::CaseId, query::Query};

/// What to change in a file.
#[derive(Clone, Debug)]
pub struct Changes<'e> {
    /// How many entries stay.
    pub kept: usize,
    /// Entries that go, each with the reason.
    pub removed: Vec<(&'e Entry, &'static str)>,
    /// Entries that come.
    pub added: Vec<NewEntry>,
    /// The corpus that the changed file is written for.
    pub corpus: Option<Digest>,
    /// The failing cases that its queries with wildcards cover.
    pub seen: SeenCases,
}

/// Plans the changes that bring a file up to stored runs. `unmatched` says whether an entry matches no case of the plan;
/// `planned` has the families of the plan, `corpus` is what the file was written for.
pub fn plan_changes<'e>(
    catalog: &Catalog,
    planned: &[PlannedFamily],
    observed: &Observed,
    entries: &'e [Entry],
    unmatched: impl Fn(&Entry) -> bool,
    corpus: &Corpus,
) -> Changes<'e> {
    let (mut kept, mut removed) = (Vec::new(), Vec::new());
    for entry in entries {
        let why = match unmatched(entry) {
            true => Some("it matches no case any more"),
            false => observed.against(entry),
        };
        match why {
            Some(why) => removed.push((entry, why)),
            None => kept.push(entry),
        }
    }
    let gone: Vec<&Entry> = removed.iter().map(|(entry, _)| *entry).collect();
    let added = new_entries(planned, observed, &kept, &gone);
    let seen = failing_cases(observed, &kept, &added);
    // Cases that a part of the plan does not show may still be newer than the file.
    let tables = catalog.operators.iter().flat_map(|operator| operator.support.iter());
    let is_whole = observed.is_whole(tables.map(|table| table.level));
    Changes {
        kept: kept.len(),
        seen: seen.with(&corpus.seen, observed.ids().iter().map(CaseId::as_str)),
        corpus: corpus.digest.filter(|_| !is_whole).or(observed.corpus()),
        removed,
        added,
    }
}

/// An entry to write.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// Its query.
    pub query: String,
    /// The outcomes that it allows.
    pub allowed: Allowed,
    /// Class of the failures, if they share one.
    pub class: Option<String>,
    /// Conditions: keys with their values; empty if it holds everywhere.
    pub only: Vec<(&'static str, Vec<String>)>,
    /// The reason.
    pub because: String,
    /// Where it is followed up.
    pub link: Option<String>,
    /// The last day on which nobody has to look at it again.
    pub until: Option<String>,
    /// Offset in the file of the removed entry that it replaces.
    pub instead: Option<usize>,
}

/// Cases that fail alike: where, with which outcomes, and which of the entries that go spoke of them. No place
/// stands for all places.
type Group = (Vec<usize>, Outcomes, Option<usize>);

/// The entries for what the kept ones do not expect; `gone` are those that go.
fn new_entries(planned: &[PlannedFamily], observed: &Observed, kept: &[&Entry], gone: &[&Entry]) -> Vec<NewEntry> {
    let mut found = Vec::new();
    for ((places, outcomes, of_entry), cases) in groups(observed, kept, gone) {
        let entry = of_entry.and_then(|at| gone.get(at)).copied();
        let ids = |cases: &[usize]| -> Vec<&CaseId> { cases.iter().filter_map(|at| observed.ids().get(*at)).collect() };
        let here = |place: usize| places.is_empty() || places.contains(&place);
        let passes = |case: usize| {
            let mut seen = observed.of_case(case).filter(|(place, _)| here(*place));
            seen.any(|(_, seen)| seen.passes_always() || (seen.outcomes & !outcomes & PASS != 0))
        };
        let all = 0..observed.ids().len();
        // What an entry says was said of its own cases. What nobody defines may fail any day.
        let is_strange = |case: usize| match (entry, observed.ids().get(case)) {
            (Some(entry), Some(id)) => !entry.covers(id),
            _ => false,
        };
        let is_none = |case: usize| passes(case) || observed.is_open(case) || is_strange(case);
        let (passing, open): (Vec<usize>, Vec<usize>) = all.partition(|case| is_none(*case));
        let queries = cover_cases(planned, &ids(&cases), &ids(&passing), &ids(&open));
        for query in queries {
            let of_query = held(observed, &query, &cases);
            for only in conditions(observed, &places) {
                let answer = Description {
                    observed,
                    places: &places,
                    old: entry,
                };
                found.push(answer.entry(&query, outcomes, &of_query, only));
            }
        }
    }
    found
}

/// Groups of failures that no kept entry expects, in the order of their first cases.
fn groups(observed: &Observed, kept: &[&Entry], gone: &[&Entry]) -> Vec<(Group, Vec<usize>)> {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for case in 0..observed.ids().len() {
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
        let id = observed.ids().get(case);
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
        let Some(found) = observed.ids().get(*case) else {
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
        if let Some(values) = shared_values(*key, &ours, &others) {
            return vec![vec![(key.0, values)]];
        }
    }
    ours.iter().map(|place| alone(place, &others)).collect()
}

/// What a place can be told by: a name in the file, and whether the label stands for the backend.
type Key = (&'static str, bool);

const KEYS: &[Key] = &[
    (CONDITION_KEYS[0], false),
    (CONDITION_KEYS[1], false),
    (CONDITION_KEYS[2], false),
    (CONDITION_KEYS[3], false),
    (CONDITION_KEYS[4], false),
    (CONDITION_KEYS[5], false),
    (CONDITION_KEYS[0], true),
];

fn value(place: &Place, (key, by_label): Key) -> Option<String> {
    match by_label {
        true => Some(place.label.clone()),
        false => place.facts.value(key).map(|value| Facts::condition(key, value)),
    }
}

/// The values of a key that these places have and no other one has.
fn shared_values(key: Key, ours: &[&Place], others: &[&Place]) -> Option<Vec<String>> {
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
struct Description<'a> {
    observed: &'a Observed,
    places: &'a [usize],
    /// The entry that spoke of the cases, which goes.
    old: Option<&'a Entry>,
}

impl Description<'_> {
    fn entry(
        &self,
        query: &str,
        outcomes: Outcomes,
        cases: &[usize],
        only: Vec<(&'static str, Vec<String>)>,
    ) -> NewEntry {
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
        NewEntry {
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
fn failing_cases(observed: &Observed, kept: &[&Entry], added: &[NewEntry]) -> SeenCases {
    let ids: HashSet<&str> = observed.ids().iter().map(CaseId::as_str).collect();
    let wild: Vec<Query> = added
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
        .ids()
        .iter()
        .enumerate()
        .filter(|(case, id)| fails(*case) && is_covered(id));
    failing.map(|(_, id)| id.as_str()).collect()
}
