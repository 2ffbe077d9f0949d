//! What failures share and passes lack, in the keys of case ids.
//!
//! "fails 212 of 212 where axis-size ≥ 257 and dir=INCREASING; passes 1,904 of 1,904 elsewhere": a conjunction of at
//! most three predicates that covers (nearly) all failures and as few passes as possible. It is grown greedily, one
//! pass over the cases for every predicate, so that no list of cases has to be kept.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use crate::id::CaseId;

/// Most predicates in a conjunction.
const PREDICATES: usize = 3;

/// Most values in a set.
const SET: usize = 4;

/// Share of the failures that the conjunction has to cover, in percent.
const COVER: u64 = 90;

/// What is known of a case: key and value.
pub type Features = Vec<(String, String)>;

/// Says something of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// `key=value`.
    Is(String, String),
    /// `key in {a,b}`.
    In(String, Vec<String>),
    /// `key ≥ n`.
    AtLeast(String, u64),
    /// `key ≤ n`.
    AtMost(String, u64),
    /// The id has the key, whatever its value.
    Given(String),
    /// The id leaves the key at its default.
    Default(String),
}

impl Predicate {
    /// Whether it holds of a case.
    pub fn holds(&self, features: &[(String, String)]) -> bool {
        let value = |key: &str| features.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
        let number = |key: &str| value(key).and_then(|v| v.parse::<u64>().ok());
        match self {
            Self::Is(key, wanted) => value(key) == Some(wanted),
            Self::In(key, wanted) => value(key).is_some_and(|v| wanted.iter().any(|w| w == v)),
            Self::AtLeast(key, n) => number(key).is_some_and(|v| v >= *n),
            Self::AtMost(key, n) => number(key).is_some_and(|v| v <= *n),
            Self::Given(key) => value(key).is_some(),
            Self::Default(key) => value(key).is_none(),
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(key, value) => write!(f, "{key}={value}"),
            Self::In(key, values) => write!(f, "{key} in {{{}}}", values.join(",")),
            Self::AtLeast(key, n) => write!(f, "{key} ≥ {n}"),
            Self::AtMost(key, n) => write!(f, "{key} ≤ {n}"),
            Self::Given(key) => write!(f, "{key} given"),
            Self::Default(key) => write!(f, "{key} at its default"),
        }
    }
}

/// Failures and passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Cases that failed.
    pub failed: u64,
    /// Cases that did not.
    pub passed: u64,
}

impl Count {
    fn add(&mut self, failed: bool) {
        *(if failed { &mut self.failed } else { &mut self.passed }) += 1;
    }

    fn total(self) -> u64 {
        self.failed + self.passed
    }
}

/// What failures share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// All of them hold of (nearly) all failures; none where the failures have nothing in common.
    pub shared: Vec<Predicate>,
    /// Cases of which they hold.
    pub inside: Count,
    /// All others.
    pub outside: Count,
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

/// A number with commas between groups of three digits.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What an id says of its case: level, family, every key, and numbers that follow from them.
pub fn features(id: &CaseId) -> Features {
    let mut all = vec![
        ("level".to_owned(), id.level.to_string()),
        ("family".to_owned(), id.family.clone()),
    ];
    all.extend(id.params.iter().cloned());
    let mut add = |key: &str, value: u64| all.push((key.to_owned(), value.to_string()));
    let number = |key: &str| id.get(key).and_then(|v| v.parse::<u64>().ok());
    let sizes: Option<Vec<u64>> = id
        .get("sizes")
        .and_then(|s| s.split('x').map(|n| n.parse().ok()).collect());
    let Some(sizes) = sizes else { return all };
    add("rank", sizes.len() as u64);
    add(
        "elements",
        sizes.iter().fold(1, |product: u64, n| product.saturating_mul(*n)),
    );
    let axis = number("axis").and_then(|axis| usize::try_from(axis).ok());
    if let Some(size) = axis.and_then(|axis| sizes.get(axis).copied()) {
        add("axis-size", size);
        if let Some(left) = number("k").and_then(|k| size.checked_sub(k)) {
            add("axis-size-minus-k", left);
        }
    }
    all
}

/// Receives the features of a case and whether it failed.
pub type Visit<'a> = dyn FnMut(&[(String, String)], bool) + 'a;

/// What the failed ones of some cases share. `cases` goes through all of them each time it is called; `None` where
/// none failed.
pub fn summarise(mut cases: impl FnMut(&mut Visit)) -> Option<Summary> {
    let mut all = Count::default();
    cases(&mut |_, failed| all.add(failed));
    if all.failed == 0 {
        return None;
    }
    let mut summary = Summary {
        shared: Vec::new(),
        inside: all,
        outside: Count::default(),
    };
    while summary.shared.len() < PREDICATES && summary.inside.passed > 0 {
        let Some((predicate, inside)) = best(&mut cases, &summary.shared, all, summary.inside) else {
            break;
        };
        summary.shared.push(predicate);
        summary.inside = inside;
        summary.outside = Count {
            failed: all.failed - inside.failed,
            passed: all.passed - inside.passed,
        };
    }
    Some(summary)
}

/// The predicate that, joined with the ones there are, leaves the fewest passes inside and failures outside. It has
/// to save something worth its words.
fn best(
    cases: &mut impl FnMut(&mut Visit),
    shared: &[Predicate],
    all: Count,
    inside: Count,
) -> Option<(Predicate, Count)> {
    let mut table: BTreeMap<String, BTreeMap<String, Count>> = BTreeMap::new();
    cases(&mut |features, failed| {
        if shared.iter().all(|p| p.holds(features)) {
            for (key, value) in features {
                count(&mut table, key, value, failed);
            }
        }
    });
    let least = (all.failed * COVER).div_ceil(100);
    let cost = |count: &Count| count.passed + (inside.failed - count.failed);
    let mut found: Option<(Predicate, Count)> = None;
    for (key, values) in &table {
        for (predicate, count) in candidates(key, values, inside, least) {
            if count.failed >= least && found.as_ref().is_none_or(|(_, best)| cost(&count) < cost(best)) {
                found = Some((predicate, count));
            }
        }
    }
    // One case in twenty, or a single one where there are few, may be chance.
    found.filter(|(_, count)| cost(count) + (inside.passed / 20).max(1) <= inside.passed)
}

/// Counts a value without allocating where it is known.
fn count(table: &mut BTreeMap<String, BTreeMap<String, Count>>, key: &str, value: &str, failed: bool) {
    if !table.contains_key(key) {
        table.insert(key.to_owned(), BTreeMap::new());
    }
    let Some(values) = table.get_mut(key) else { return };
    match values.get_mut(value) {
        Some(count) => count.add(failed),
        None => values.entry(value.to_owned()).or_default().add(failed),
    }
}

/// Predicates about one key and the cases each holds of; the plainest first, since the first of equals is taken.
fn candidates(key: &str, values: &BTreeMap<String, Count>, inside: Count, least: u64) -> Vec<(Predicate, Count)> {
    let sum = |counts: &mut dyn Iterator<Item = &Count>| {
        counts.fold(Count::default(), |a, b| Count {
            failed: a.failed + b.failed,
            passed: a.passed + b.passed,
        })
    };
    let given = sum(&mut values.values());
    let absent = Count {
        failed: inside.failed - given.failed,
        passed: inside.passed - given.passed,
    };
    let name = || key.to_owned();
    let mut all: Vec<(Predicate, Count)> = Vec::new();
    all.extend(
        values
            .iter()
            .map(|(value, count)| (Predicate::Is(name(), value.clone()), *count)),
    );
    if absent.total() > 0 {
        all.push((Predicate::Given(name()), given));
        all.push((Predicate::Default(name()), absent));
    }
    let numbers: Option<BTreeMap<u64, Count>> = values.iter().map(|(v, c)| Some((v.parse().ok()?, *c))).collect();
    if let Some(numbers) = numbers.filter(|n| n.len() > 1) {
        for bound in bounds(&numbers, least) {
            all.push((
                Predicate::AtLeast(name(), bound),
                sum(&mut numbers.range(bound..).map(|(_, c)| c)),
            ));
            all.push((
                Predicate::AtMost(name(), bound),
                sum(&mut numbers.range(..=bound).map(|(_, c)| c)),
            ));
        }
    }
    if let Some((set, count)) = set(values, least) {
        all.push((Predicate::In(name(), set), count));
    }
    all
}

/// Numbers worth cutting at: the least and the greatest that fail, with and without outliers.
fn bounds(numbers: &BTreeMap<u64, Count>, least: u64) -> BTreeSet<u64> {
    let failing = || numbers.iter().filter(|(_, count)| count.failed > 0);
    let mut bounds: BTreeSet<u64> = failing()
        .next()
        .into_iter()
        .chain(failing().next_back())
        .map(|(n, _)| *n)
        .collect();
    let mut covered = 0;
    bounds.extend(
        failing()
            .find(|(_, c)| {
                covered += c.failed;
                covered >= least
            })
            .map(|(n, _)| *n),
    );
    covered = 0;
    bounds.extend(
        failing()
            .rev()
            .find(|(_, c)| {
                covered += c.failed;
                covered >= least
            })
            .map(|(n, _)| *n),
    );
    bounds
}

/// The values that fail most, until enough failures are covered; `None` for one value or too many.
fn set(values: &BTreeMap<String, Count>, least: u64) -> Option<(Vec<String>, Count)> {
    let mut failing: Vec<(&String, &Count)> = values.iter().filter(|(_, count)| count.failed > 0).collect();
    let share = |count: &Count| (count.failed * 1000).checked_div(count.total()).unwrap_or(0);
    failing.sort_by_key(|(_, count)| std::cmp::Reverse((share(count), count.failed)));
    let (mut set, mut sum) = (Vec::new(), Count::default());
    for (value, count) in failing {
        // A value that mostly passes joins only where it is needed.
        if sum.failed >= least && count.passed >= count.failed {
            break;
        }
        set.push(value.clone());
        sum = Count {
            failed: sum.failed + count.failed,
            passed: sum.passed + count.passed,
        };
    }
    set.sort();
    ((2..=SET).contains(&set.len()) && set.len() < values.len()).then_some((set, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [&str; 6] = ["FLOAT16", "FLOAT32", "INT16", "INT32", "INT8", "UINT8"];

    /// A corpus of all types, directions, some sizes and layouts, with a mistake in it.
    fn summary(fails: impl Fn(&CaseId) -> bool) -> Option<Summary> {
        let mut ids: Vec<CaseId> = Vec::new();
        for ty in TYPES {
            for size in [2, 33, 255, 256, 257, 1025] {
                for k in [1, size / 2, size - 1, size] {
                    for (dir, layout) in [("INCREASING", ""), ("DECREASING", ""), ("DECREASING", ",layout=padded")] {
                        let id = format!("TOP_K1:2.1:sizes:type={ty},sizes=1x3x{size},axis=2,k={k},dir={dir}{layout}");
                        ids.push(id.parse().unwrap());
                    }
                }
            }
        }
        ids.dedup();
        summarise(|visit| ids.iter().for_each(|id| visit(&features(id), fails(id))))
    }

    fn number(id: &CaseId, key: &str) -> u64 {
        features(id)
            .into_iter()
            .find(|(k, _)| k == key)
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
        assert_eq!(
            found.shared.iter().map(Predicate::to_string).collect::<BTreeSet<_>>(),
            BTreeSet::from(["layout at its default".to_owned(), "type=FLOAT16".to_owned()])
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
    }

    #[test]
    fn a_few_failures_may_stand_apart() {
        let found = summary(|id| {
            let apart =
                id.get("type") == Some("FLOAT32") && id.get("sizes") == Some("1x3x33") && id.get("k") == Some("1");
            id.get("type") == Some("INT16") || apart
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
