//! What feature levels require: the cases of the standard tier, by the level of their table.

use std::collections::BTreeMap;

use dml_spec::{FeatureLevel, model::Tier};

use dml_case::lock::{Entry, Lock};

/// Tier that levels require.
pub const TIER: Tier = Tier::Standard;

/// Cases by operator and table level: how many, and the sum of their digests.
pub type Sums = BTreeMap<(String, FeatureLevel), Entry>;

/// What a level requires: the lock's lines of tables up to it, without the exhaustive tier.
pub fn sums(lock: &Lock, level: FeatureLevel) -> Sums {
    let mut sums = Sums::new();
    for (key, entries) in &lock.tables {
        let Some(table) = key.level.parse().ok().filter(|table| *table <= level) else {
            continue;
        };
        let sum: &mut Entry = sums.entry((key.operator.clone(), table)).or_default();
        for entry in entries.iter().take(TIER as usize + 1) {
            sum.cases += entry.cases;
            sum.digest.add(entry.digest);
        }
    }
    sums.retain(|_, entry| entry.cases > 0);
    sums
}

/// Operators of DirectML up to a level, in their order.
pub fn operators_up_to(level: FeatureLevel) -> Vec<&'static str> {
    let lines = dml_spec::embedded::OPERATORS.lines().skip(1);
    let introduced = lines.filter_map(|line| {
        let mut words = line.split('\t');
        let (name, introduced) = (words.next()?, words.nth(1)?);
        Some((name, introduced.trim().parse::<FeatureLevel>().ok()?))
    });
    introduced
        .filter(|(_, at)| *at <= level)
        .map(|(name, _)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dml_case::{digest::Digest, lock::Key};

    #[test]
    fn levels_require_the_tables_up_to_them_without_the_exhaustive_tier() {
        let key = |operator: &str, level: &str| Key {
            operator: operator.to_owned(),
            level: level.to_owned(),
        };
        let entry = |cases: u64| Entry {
            cases,
            digest: Digest(u128::from(cases)),
        };
        let lock = Lock {
            tables: vec![
                (key("A", "2.1"), [entry(1), entry(20), entry(300)]),
                (key("A", "3.1"), [entry(0), entry(0), entry(7)]),
                (key("B", "3.1"), [entry(2), entry(0), entry(0)]),
            ],
            ..Lock::default()
        };
        let all = sums(&lock, FeatureLevel::new(5, 0));
        assert_eq!(all.len(), 2);
        let of_a = all[&("A".to_owned(), FeatureLevel::new(2, 1))];
        assert_eq!((of_a.cases, of_a.digest), (21, Digest(21)));
        assert_eq!(sums(&lock, FeatureLevel::new(2, 1)).len(), 1);
        assert!(operators_up_to(FeatureLevel::new(1, 0)).len() < operators_up_to(FeatureLevel::new(6, 4)).len());
    }
}
