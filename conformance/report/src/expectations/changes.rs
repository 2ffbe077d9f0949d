//! What stored runs change in a file of known failures: which entries stay, go and come.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use dml_spec::Catalog;

use super::{
    Allowed, CONDITION_KEYS, Corpus, Entry, Facts, OUTCOMES, SeenCases,
    group::cover_cases,
    observed::{CaseSeen, Observed, Outcomes, PASS, Place},
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
/// `corpus` is what the file was written for.
pub fn plan_changes<'e>(
    catalog: &Catalog,
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
    let added = new_entries(observed, &kept, &gone);
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
fn new_entries(observed: &Observed, kept: &[&Entry], gone: &[&Entry]) -> Vec<NewEntry> {
    let mut found = Vec::new();
    for ((places, outcomes, of_entry), cases) in groups(observed, kept, gone) {
        let entry = of_entry.and_then(|at| gone.get(at)).copied();
        let here = |place: usize| places.is_empty() || places.contains(&place);
        let passes = |case: usize| {
            let mut seen = observed.of_case(case).filter(|(place, _)| here(*place));
            seen.any(|(_, seen)| seen.passes_always() || (seen.outcomes & !outcomes & PASS != 0))
        };
        // What an entry says was said of its own cases. What nobody defines may fail any day.
        let is_strange = |id: &CaseId| entry.is_some_and(|entry| !entry.covers(id));
        let is_unwanted = |case, id: &CaseId| passes(case) || observed.is_open(case) || is_strange(id);
        for (query, cases) in cover_cases(observed.ids(), &cases, is_unwanted) {
            let seen = cases.iter().flat_map(|case| observed.of_case(*case));
            let failures = seen.filter(|(place, seen)| here(*place) && seen.fails());
            let (class, clause) = describe(&failures.map(|(_, seen)| seen).collect::<Vec<_>>());
            let unexplained = || {
                let breaks = clause.iter().map(|clause| format!("breaks {clause}"));
                let what: Vec<String> = class.iter().cloned().chain(breaks).collect();
                let gap = if what.is_empty() { "" } else { ": " };
                format!("not investigated yet{gap}{}", what.join(", "))
            };
            let because = entry.map_or_else(unexplained, |entry| entry.because.clone());
            for only in conditions(observed, &places) {
                found.push(NewEntry {
                    query: query.clone(),
                    allowed: allowed(outcomes),
                    class: class.clone(),
                    only,
                    because: because.clone(),
                    link: entry.and_then(|entry| entry.link.clone()),
                    until: entry.and_then(|entry| entry.until.clone()),
                    instead: entry.map(|entry| entry.place.span.start),
                });
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

/// The class of these failures, if they share one, and the first clause that was broken.
fn describe(failures: &[&CaseSeen]) -> (Option<String>, Option<String>) {
    let classes: BTreeSet<Option<&str>> = failures.iter().map(|seen| seen.class.as_deref()).collect();
    let class = match classes.into_iter().collect::<Vec<_>>()[..] {
        [Some(class)] if !OUTCOMES.contains(&class) => Some(class.to_owned()),
        _ => None,
    };
    (class, failures.iter().find_map(|seen| seen.clause.clone()))
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
