//! Few queries that hold all cases of one set and none of another.
//!
//! A query is a set of features that a case has: operator, level, family, and its keys with their values. Of all sets
//! of few features that no unwanted case has together, the one that holds most cases is taken, and again for what is
//! left; at the end goes what the others hold as well.

use std::collections::{HashMap, HashSet};

use dml_case::id::CaseId;
use dml_plan::{self, planner::Planner};

/// Most features of a query that is no whole id.
const FEATURES: usize = 5;

/// Cases at a time from which queries are made.
const SEEDS: usize = 24;

/// A part of an id: `operator`, `level` or `family`, or a key; and its value.
type Feature<'a> = (&'a str, &'a str);

/// Names of features that are no keys. No key is written like this.
const PARTS: [&str; 3] = [":operator", ":level", ":family"];

/// A set of numbers.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn all(len: usize) -> Self {
        let mut bits = Self(vec![u64::MAX; len.div_ceil(64)]);
        if let (Some(last), rest @ 1..) = (bits.0.last_mut(), len % 64) {
            *last = (1 << rest) - 1;
        }
        bits
    }

    fn none(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    fn add(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn without(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(place, word)| {
            let set = (0..64).filter(move |bit| word >> bit & 1 == 1);
            set.map(move |bit| place * 64 + bit)
        })
    }
}

/// Features of an id, the telling ones first. Levels are kept as text beside.
fn features<'a>(id: &'a CaseId, level: &'a str) -> Vec<Feature<'a>> {
    let parts = [(PARTS[0], id.operator()), (PARTS[2], id.family()), (PARTS[1], level)];
    parts.into_iter().chain(id.params()).collect()
}

/// Levels of ids as text.
fn levels(ids: &[&CaseId]) -> Vec<String> {
    ids.iter().map(|id| id.level().to_string()).collect()
}

/// Few queries that hold all wanted cases and none of the unwanted, nor anything of a family of which nothing is known:
/// neither wanted nor unwanted nor `open` cases are in it.
pub(super) fn cover(suite: &Planner, wanted: &[&CaseId], unwanted: &[&CaseId], open: &[&CaseId]) -> Vec<String> {
    let (of_wanted, of_unwanted) = (levels(wanted), levels(unwanted));
    let unknown = unknown_families(suite, [wanted, unwanted, open].into_iter().flatten());
    let rows: Vec<Vec<Feature<'_>>> = wanted.iter().zip(&of_wanted).map(|(id, l)| features(id, l)).collect();
    let mut table = Table::new(&rows, unwanted.len() + unknown.len());
    for (at, (id, level)) in unwanted.iter().zip(&of_unwanted).enumerate() {
        for feature in features(id, level) {
            if let Some(known) = table.features.get_mut(&feature) {
                known.unwanted.add(at);
            }
        }
    }
    for (feature, known) in &mut table.features {
        for (at, bucket) in unknown.iter().enumerate() {
            if bucket.may_have(*feature) {
                known.unwanted.add(unwanted.len() + at);
            }
        }
    }
    table.cover().into_iter().map(|chosen| spelled(&chosen)).collect()
}

/// A family of an operator at a level, without a known case.
struct Unknown<'a> {
    operator: &'a str,
    level: String,
    family: &'a str,
}

impl Unknown<'_> {
    fn may_have(&self, (name, value): Feature<'_>) -> bool {
        match name {
            name if name == PARTS[0] => self.operator == value,
            name if name == PARTS[1] => self.level == value,
            name if name == PARTS[2] => self.family == value,
            _ => true,
        }
    }
}

/// Families of the plan of which no case is known, by operator and level.
fn unknown_families<'s, 'i>(suite: &'s Planner, known: impl Iterator<Item = &'i &'i CaseId>) -> Vec<Unknown<'s>> {
    let place = |id: &&'i CaseId| (id.operator(), id.level().to_string(), id.family());
    let mut seen: HashSet<(&str, String, &str)> = known.map(place).collect();
    let mut found = Vec::new();
    for bucket in dml_plan::buckets(suite) {
        let Some(operator) = suite.catalog.operators.get(bucket.operator) else {
            continue;
        };
        let Some(family) = operator.cases.families.get(bucket.family) else {
            continue;
        };
        let level = bucket.level.to_string();
        if seen.insert((&operator.name, level.clone(), &family.name)) {
            found.push(Unknown {
                operator: &operator.name,
                level,
                family: &family.name,
            });
        }
    }
    found
}

/// Which cases have a feature.
struct Known {
    wanted: Bits,
    unwanted: Bits,
}

struct Table<'a> {
    rows: &'a [Vec<Feature<'a>>],
    unwanted: usize,
    features: HashMap<Feature<'a>, Known>,
}

/// A set of features, and the wanted cases that have them.
struct Choice<'a> {
    features: Vec<Feature<'a>>,
    holds: Bits,
}

impl<'a> Table<'a> {
    fn new(rows: &'a [Vec<Feature<'a>>], unwanted: usize) -> Self {
        let mut features: HashMap<Feature<'a>, Known> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            for feature in row {
                let known = features.entry(*feature).or_insert_with(|| Known {
                    wanted: Bits::none(rows.len()),
                    unwanted: Bits::none(unwanted),
                });
                known.wanted.add(at);
            }
        }
        Self {
            rows,
            unwanted,
            features,
        }
    }

    fn cover(&self) -> Vec<Vec<Feature<'a>>> {
        let mut left = Bits::all(self.rows.len());
        let mut chosen: Vec<Choice<'a>> = Vec::new();
        loop {
            let open: Vec<usize> = left.iter().collect();
            let step = open.len().div_ceil(SEEDS).max(1);
            let seeds = open.iter().step_by(step);
            let found = seeds.filter_map(|at| Some(self.widest(*at, self.rows.get(*at)?, &left)));
            let Some(best) = found.max_by_key(|choice| choice.holds.and(&left).count()) else {
                break;
            };
            left.without(&best.holds);
            chosen.push(best);
        }
        self.needed(chosen)
            .into_iter()
            .map(|choice| self.closed(choice))
            .collect()
    }

    /// The features of this case that no unwanted one has, and as many of those that are left as can be.
    fn widest(&self, at: usize, row: &'a [Feature<'a>], left: &Bits) -> Choice<'a> {
        // A whole id is about its case alone, though others may have its features.
        let mut holds = Bits::none(self.rows.len());
        holds.add(at);
        let mut search = Search {
            table: self,
            row,
            left,
            chosen: Vec::new(),
            best: Choice {
                features: row.to_vec(),
                holds,
            },
            most: 0,
        };
        search.deepen(0, &Bits::all(self.rows.len()), &Bits::all(self.unwanted));
        search.best
    }

    /// Without choices whose cases are all in others.
    fn needed(&self, mut chosen: Vec<Choice<'a>>) -> Vec<Choice<'a>> {
        let mut at = chosen.len();
        while at > 0 {
            at -= 1;
            let mut alone = chosen.get(at).map(|choice| choice.holds.clone()).unwrap_or_default();
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != at);
            others.for_each(|(_, other)| alone.without(&other.holds));
            if alone.is_empty() {
                chosen.remove(at);
            }
        }
        chosen.sort_by_key(|choice| choice.holds.iter().next());
        chosen
    }

    /// With operator, family and level as well, where all its cases have the same: so that it says no more than it knows.
    fn closed(&self, choice: Choice<'a>) -> Vec<Feature<'a>> {
        let mut features = choice.features;
        let first = choice.holds.iter().next().and_then(|at| self.rows.get(at));
        for feature in first.into_iter().flatten().take(PARTS.len()) {
            let is_shared = self.features.get(feature).is_some_and(|known| {
                let mut others = choice.holds.clone();
                others.without(&known.wanted);
                others.is_empty()
            });
            if is_shared && !features.contains(feature) {
                features.push(*feature);
            }
        }
        features
    }
}

/// A search among the sets of features of one case.
struct Search<'s, 'a> {
    table: &'s Table<'a>,
    row: &'a [Feature<'a>],
    left: &'s Bits,
    chosen: Vec<Feature<'a>>,
    best: Choice<'a>,
    most: u32,
}

impl Search<'_, '_> {
    fn deepen(&mut self, from: usize, wanted: &Bits, unwanted: &Bits) {
        let gain = wanted.and(self.left).count();
        let is_better = gain > self.most || (gain == self.most && self.chosen.len() < self.best.features.len());
        if !is_better {
            return;
        }
        if unwanted.is_empty() {
            self.most = gain;
            self.best = Choice {
                features: self.chosen.clone(),
                holds: wanted.clone(),
            };
            return;
        }
        if self.chosen.len() == FEATURES {
            return;
        }
        let is_whole_id = |features: usize| features > PARTS.len() && features == self.row.len();
        if is_whole_id(self.chosen.len() + 1) {
            return;
        }
        for at in from..self.row.len() {
            let Some(feature) = self.row.get(at) else { continue };
            let Some(known) = self.table.features.get(feature) else {
                continue;
            };
            self.chosen.push(*feature);
            self.deepen(at + 1, &wanted.and(&known.wanted), &unwanted.and(&known.unwanted));
            self.chosen.pop();
        }
    }
}

/// The features as a query, keys in the order of the id.
fn spelled(features: &[Feature<'_>]) -> String {
    let part = |name: &str| {
        let found = features.iter().find(|(known, _)| *known == name);
        found.map_or("*", |(_, value)| value)
    };
    let keys = features.iter().filter(|(name, _)| !PARTS.contains(name));
    let keys: Vec<String> = keys.map(|(key, value)| format!("{key}={value}")).collect();
    let mut text = PARTS.map(part).join(":");
    if !keys.is_empty() {
        text.push(':');
        text.push_str(&keys.join(","));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use dml_case::query::Query;

    fn ids(texts: &[&str]) -> Vec<CaseId> {
        texts.iter().map(|text| text.parse().expect("an id")).collect()
    }

    /// Queries over ids of operators that no plan has, so that no bucket is unknown.
    fn covered(wanted: &[&str], unwanted: &[&str]) -> Vec<String> {
        let catalog = dml_spec::Catalog {
            operators: Vec::new().into(),
            ..crate::spec::catalog().clone()
        };
        let suite = Planner::new(catalog).unwrap();
        let (wanted, unwanted) = (ids(wanted), ids(unwanted));
        let queries = cover(
            &suite,
            &wanted.iter().collect::<Vec<_>>(),
            &unwanted.iter().collect::<Vec<_>>(),
            &[],
        );
        let parsed: Vec<Query> = queries.iter().map(|query| query.parse().unwrap()).collect();
        assert!(wanted.iter().all(|id| parsed.iter().any(|query| query.matches(id))));
        assert!(!unwanted.iter().any(|id| parsed.iter().any(|query| query.matches(id))));
        queries
    }

    #[test]
    fn one_query_where_the_cases_share_something() {
        let queries = covered(
            &[
                "A:2.1:ties:t=X,k=1,d=up",
                "A:3.1:ties:t=Y,k=2,d=up",
                "A:3.1:order:t=Y,k=2,d=up",
            ],
            &["A:2.1:ties:t=X,k=1", "A:3.1:order:t=Y,k=2", "B:3.1:order:t=Y,k=2"],
        );
        assert_eq!(queries, ["A:*:*:d=up"]);
    }

    #[test]
    fn several_where_they_do_not() {
        let queries = covered(
            &["A:2.1:ties:t=X,k=1", "A:2.1:ties:t=Y,k=1", "A:2.1:nan:t=Z,k=7"],
            &["A:2.1:ties:t=X,k=2", "A:2.1:nan:t=Z,k=1", "A:2.1:nan:t=X,k=3"],
        );
        assert_eq!(queries, ["A:2.1:ties:k=1", "A:2.1:nan:k=7"]);
    }

    #[test]
    fn what_is_left_over_goes() {
        // The widest first is not needed once its parts are covered.
        let wanted = ["A:2.1:f:a=1,b=1", "A:2.1:f:a=1,b=2", "A:2.1:f:a=2,b=1"];
        assert_eq!(covered(&wanted, &[]), ["A:2.1:f"]);
        assert_eq!(covered(&[], &wanted), Vec::<String>::new());
        assert_eq!(covered(&wanted, &["A:2.1:f:a=2,b=2"]).len(), 2);
    }

    #[test]
    fn nothing_is_said_of_what_nobody_ran() {
        let suite = Planner::new(crate::spec::catalog().clone()).unwrap();
        let wanted = ids(&["TOP_K1:2.1:ties:type=FLOAT32,k=1", "TOP_K1:2.1:ties:type=FLOAT32,k=2"]);
        let queries = cover(&suite, &wanted.iter().collect::<Vec<_>>(), &[], &[]);
        assert_eq!(queries, ["TOP_K1:2.1:ties"]);
    }
}
