//! Features that failures share and passes lack, in the keys of case ids.
//!
//! "fails 212 of 212 if axis-size ≥ 257 and dir=INCREASING; passes 1,904 of 1,904 elsewhere": a conjunction of at
//! most three predicates that covers (nearly) all failures and as few passes as possible, grown greedily.

mod predicate;
mod table;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use dml_case::text::grouped;
pub(crate) use predicate::{Count, Predicate};
pub(crate) use table::{Table, features};

/// Maximum number of predicates in a conjunction.
const PREDICATES: usize = 3;

/// Most values in a set.
const SET: usize = 4;

/// Share of the failures that the conjunction has to cover, in percent.
const COVER: u64 = 90;

/// What the failures of a clause share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// All of them hold for (nearly) all failures; empty if the failures have nothing in common.
    pub(crate) shared: Vec<Predicate>,
    /// Cases of which they hold.
    pub(crate) inside: Count,
    /// All others.
    pub(crate) outside: Count,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "fails {} of {}",
            grouped(self.inside.failed),
            grouped(self.inside.total())
        )?;
        if self.shared.is_empty() {
            return Ok(());
        }
        let shared: Vec<String> = self.shared.iter().map(Predicate::to_string).collect();
        let (passed, total) = (grouped(self.outside.passed), grouped(self.outside.total()));
        write!(
            f,
            " where {}; passes {passed} of {total} elsewhere",
            shared.join(" and ")
        )
    }
}

impl Table {
    /// Features that the cases failing on these lists of clauses share and those that pass lack; `None` if none fails.
    pub(crate) fn summarise(&self, is_of: &dyn Fn(usize) -> bool) -> Option<Summary> {
        let mut rows = self.rows_of(is_of);
        let all = count(&rows);
        if all.failed == 0 {
            return None;
        }
        let mut shared = Vec::new();
        while shared.len() < PREDICATES && rows.iter().any(|(_, failed)| !failed) {
            let Some(predicate) = best(self, &rows, all) else { break };
            rows.retain(|(row, _)| self.holds(&predicate, *row));
            shared.push(predicate);
        }
        let inside = count(&rows);
        Some(Summary {
            shared,
            inside,
            outside: all.without(inside),
        })
    }
}

fn count(rows: &[(usize, bool)]) -> Count {
    let mut count = Count::default();
    rows.iter().for_each(|(_, failed)| count.add(*failed));
    count
}

/// The predicate that, joined with the ones that led to `rows`, leaves the fewest passes inside and failures outside.
/// It has to exclude enough to be worth printing.
fn best(table: &Table, rows: &[(usize, bool)], all: Count) -> Option<Predicate> {
    let inside = count(rows);
    let least = (all.failed * COVER).div_ceil(100);
    let cost = |count: &Count| count.passed + inside.without(*count).failed;
    let mut found: Option<(Predicate, Count)> = None;
    for (key, values) in table.counts(rows) {
        for (predicate, count) in candidates(key, &values, inside, least) {
            if count.failed >= least && found.as_ref().is_none_or(|(_, best)| cost(&count) < cost(best)) {
                found = Some((predicate, count));
            }
        }
    }
    // One case in twenty, or a single one if there are few, may be chance.
    let (predicate, count) = found?;
    (cost(&count) + (inside.passed / 20).max(1) <= inside.passed).then_some(predicate)
}

/// Predicates about one key and the cases each holds for; the simplest first, since the first of equals is taken.
fn candidates(key: &str, values: &BTreeMap<&str, Count>, inside: Count, least: u64) -> Vec<(Predicate, Count)> {
    let given = Count::sum(values.values());
    let absent = inside.without(given);
    let name = || key.to_owned();
    let is = |(value, count): (&&str, &Count)| (Predicate::Is(name(), (*value).to_owned()), *count);
    let mut all: Vec<(Predicate, Count)> = values.iter().map(is).collect();
    if absent.total() > 0 {
        all.push((Predicate::Given(name()), given));
        all.push((Predicate::Default(name()), absent));
    }
    let numbers: Option<BTreeMap<u64, Count>> = values.iter().map(|(v, c)| Some((v.parse().ok()?, *c))).collect();
    if let Some(numbers) = numbers.filter(|n| n.len() > 1) {
        for bound in bounds(&numbers, least) {
            all.push((
                Predicate::AtLeast(name(), bound),
                Count::sum(numbers.range(bound..).map(|(_, c)| c)),
            ));
            all.push((
                Predicate::AtMost(name(), bound),
                Count::sum(numbers.range(..=bound).map(|(_, c)| c)),
            ));
        }
    }
    all.extend(set(values, least).map(|(set, count)| (Predicate::In(name(), set), count)));
    all
}

/// Candidate limits: the least and the greatest number that fails, with and without outliers.
fn bounds(numbers: &BTreeMap<u64, Count>, least: u64) -> BTreeSet<u64> {
    let failing: Vec<(u64, u64)> = numbers
        .iter()
        .filter(|(_, c)| c.failed > 0)
        .map(|(n, c)| (*n, c.failed))
        .collect();
    let ends = [failing.first(), failing.last()].into_iter().flatten().map(|(n, _)| *n);
    ends.chain(covering(failing.iter(), least))
        .chain(covering(failing.iter().rev(), least))
        .collect()
}

/// The number at which this many failures are covered.
fn covering<'a>(mut failing: impl Iterator<Item = &'a (u64, u64)>, least: u64) -> Option<u64> {
    let mut covered = 0;
    let reached = |(_, failed): &&(u64, u64)| {
        covered += failed;
        covered >= least
    };
    failing.find(reached).map(|(n, _)| *n)
}

/// The values that fail most, until enough failures are covered; `None` for one value or too many.
fn set(values: &BTreeMap<&str, Count>, least: u64) -> Option<(Vec<String>, Count)> {
    let mut failing: Vec<(&str, Count)> = values
        .iter()
        .map(|(v, c)| (*v, *c))
        .filter(|(_, c)| c.failed > 0)
        .collect();
    let share = |count: &Count| (count.failed * 1000).checked_div(count.total()).unwrap_or(0);
    failing.sort_by_key(|(_, count)| std::cmp::Reverse((share(count), count.failed)));
    let (mut set, mut sum) = (Vec::new(), Count::default());
    for (value, count) in failing {
        // A value that mostly passes joins only if it is needed.
        if sum.failed >= least && count.passed >= count.failed {
            break;
        }
        set.push(value.to_owned());
        sum = Count::sum([&sum, &count]);
    }
    set.sort();
    ((2..=SET).contains(&set.len()) && set.len() < values.len()).then_some((set, sum))
}

#[cfg(test)]
mod tests {
    use crate::shared::*;
    use dml_case::id::CaseId;

    const TYPES: [&str; 6] = ["FLOAT16", "FLOAT32", "INT16", "INT32", "INT8", "UINT8"];

    /// A corpus of all types, directions, some sizes and layouts, with a mistake in it.
    fn summary(fails: impl Fn(&CaseId) -> bool) -> Option<Summary> {
        let mut table = Table::default();
        for ty in TYPES {
            for size in [2, 33, 255, 256, 257, 1025] {
                for k in [1, size / 2, size - 1, size] {
                    for (dir, layout) in [("INCREASING", ""), ("DECREASING", ""), ("DECREASING", ",layout=padded")] {
                        let id = format!("TOP_K1:2.1:sizes:type={ty},sizes=1x3x{size},axis=2,k={k},dir={dir}{layout}");
                        let id: CaseId = id.parse().unwrap();
                        table.add(features(&id), fails(&id).then_some(0));
                    }
                }
            }
        }
        table.add([("family", "other".to_owned())], Some(1));
        table.summarise(&|list| list == 0)
    }

    fn number(id: &CaseId, key: &str) -> u64 {
        features(id)
            .into_iter()
            .find(|(k, _)| *k == key)
            .unwrap()
            .1
            .parse()
            .unwrap()
    }

    #[test]
    fn two_conditions_are_found() {
        let found = summary(|id| number(id, "axis-size") >= 257 && id.get("dir") == Some("INCREASING")).unwrap();
        assert_eq!(
            found.to_string(),
            "fails 48 of 48 where axis-size ≥ 257 and dir=INCREASING; passes 384 of 384 elsewhere"
        );
    }

    #[test]
    fn sets_and_missing_keys_are_found() {
        let found = summary(|id| ["INT8", "UINT8"].contains(&id.get("type").unwrap())).unwrap();
        assert_eq!(
            found.shared,
            [Predicate::In(
                "type".to_owned(),
                vec!["INT8".to_owned(), "UINT8".to_owned()]
            )]
        );
        let found = summary(|id| id.get("layout").is_some()).unwrap();
        assert_eq!(
            (found.shared.len(), found.inside.passed, found.outside.failed),
            (1, 0, 0)
        );
        let found = summary(|id| id.get("layout").is_none() && id.get("type") == Some("FLOAT16")).unwrap();
        let shared: BTreeSet<String> = found.shared.iter().map(Predicate::to_string).collect();
        assert_eq!(
            shared,
            ["layout at its default", "type=FLOAT16"].map(str::to_owned).into()
        );
    }

    #[test]
    fn derived_numbers_are_found() {
        let found = summary(|id| number(id, "axis-size-minus-k") == 0).unwrap();
        assert_eq!(
            found.shared,
            [Predicate::Is("axis-size-minus-k".to_owned(), "0".to_owned())]
        );
        assert_eq!((found.inside.passed, found.outside.failed), (0, 0));
        let found = summary(|id| number(id, "axis-size") <= 33).unwrap();
        assert_eq!(found.shared, [Predicate::AtMost("axis-size".to_owned(), 33)]);
    }

    #[test]
    fn a_few_failures_may_stand_apart() {
        let found = summary(|id| {
            let apart = id.get("sizes") == Some("1x3x33") && id.get("k") == Some("1");
            id.get("type") == Some("INT16") || (apart && id.get("type") == Some("FLOAT32"))
        });
        let found = found.unwrap();
        assert_eq!(found.shared, [Predicate::Is("type".to_owned(), "INT16".to_owned())]);
        assert_eq!(found.outside.failed, 3);
    }

    #[test]
    fn nothing_in_common_is_said_plainly() {
        let found = summary(|_| true).unwrap();
        assert_eq!(
            (found.shared.len(), found.to_string()),
            (0, "fails 432 of 432".to_owned())
        );
        assert_eq!(summary(|_| false), None);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
