//! Required cases of feature levels: those of the standard tier, by the level of their table. They do not change.
//!
//! A level requires what its own file lists and what the files of lower levels list. A file changes only as an erratum,
//! with a link to the reason; an operator that is new to the suite is added without one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use dml_spec::{FeatureLevel, model::Tier};

use dml_case::lock::{Change, Entries, Entry, Key, Lock, LockError};

/// Tier that levels require.
pub const TIER: Tier = Tier::Standard;

/// What one feature level requires beyond those below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The level.
    pub level: FeatureLevel,
    /// Reasons of its changes, the oldest first.
    pub errata: Vec<Erratum>,
    /// The buckets of tables of that level, without the exhaustive tier.
    pub lock: Lock,
}

/// A change of what was frozen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// When, as `YYYY-MM-DD`.
    pub date: String,
    /// Link to the reason.
    pub link: String,
}

/// Name of a level's file.
pub fn file_name(level: FeatureLevel) -> String {
    format!("FL_{}.lock", level.to_string().replace('.', "_"))
}

/// The level of a file of this name.
pub fn level_of(name: &str) -> Option<FeatureLevel> {
    name.strip_prefix("FL_")?.strip_suffix(".lock")?.parse().ok()
}

impl Requirements {
    /// Reads a level's file.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn from_bytes(level: FeatureLevel, bytes: &[u8]) -> Result<Self, LockError> {
        let lock = Lock::from_bytes(bytes)?;
        let text = String::from_utf8_lossy(bytes);
        let mut errata = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let Some(erratum) = line.trim().strip_prefix(ERRATUM) else {
                continue;
            };
            let (date, link) = erratum.split_once(' ').unwrap_or((erratum, ""));
            if !crate::date::is_day(date) || link.trim().is_empty() {
                let why = "expected `# erratum YYYY-MM-DD LINK`".to_owned();
                return Err(LockError { line: i + 1, why });
            }
            errata.push(Erratum {
                date: date.to_owned(),
                link: link.trim().to_owned(),
            });
        }
        Ok(Self { level, errata, lock })
    }

    /// The requirements that follow from the plan, by level; levels without tables have none.
    pub fn of_plan(lock: &Lock) -> Vec<Self> {
        let mut levels: BTreeMap<FeatureLevel, Vec<(Key, Entries)>> = BTreeMap::new();
        for (key, entries) in &lock.buckets {
            let Ok(level) = key.level.parse::<FeatureLevel>() else {
                continue;
            };
            let required = [entries[0], entries[1], Entry::default()];
            if required.iter().any(|entry| entry.cases > 0) {
                levels.entry(level).or_default().push((key.clone(), required));
            }
        }
        let made = levels.into_iter().map(|(level, buckets)| Self {
            level,
            errata: Vec::new(),
            lock: Lock {
                buckets,
                coupled: Vec::new(),
            },
        });
        made.collect()
    }

    /// Differences to a plan, except for operators that are not in `known`: these are new.
    pub fn changes(&self, plan: &Self, known: &BTreeSet<String>) -> Vec<Change> {
        let changes = self.lock.changes(&plan.lock).into_iter();
        changes.filter(|change| known.contains(&change.key.operator)).collect()
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "# What feature level {} requires beyond those below: cases of the standard tier at the default seed.\n\
             # Frozen: it changes only by `dml-cts spec lock --errata LINK`.\n\
             # operator level family data-type tier cases digest\n",
            self.level
        );
        for erratum in &self.errata {
            let _ = writeln!(text, "{ERRATUM}{} {}", erratum.date, erratum.link);
        }
        text.push_str("version 1\n");
        let body = self.lock.to_text();
        text.push_str(body.split_once("version 1\n").map_or("", |(_, body)| body));
        text
    }
}

/// Starts the line of an erratum, which readers of buckets skip as a comment.
const ERRATUM: &str = "# erratum ";

/// Cases by operator, table level and family: how many, and the sum of their digests.
pub type Sums = BTreeMap<(String, FeatureLevel, String), Entry>;

/// The requirements of a level: sums over the files up to it.
pub fn sums(files: &[Requirements], level: FeatureLevel) -> Sums {
    let mut sums = Sums::new();
    for file in files.iter().filter(|file| file.level <= level) {
        for (key, entries) in &file.lock.buckets {
            let sum = sums
                .entry((key.operator.clone(), file.level, key.family.clone()))
                .or_default();
            for entry in entries {
                sum.cases += entry.cases;
                sum.digest.add(entry.digest);
            }
        }
    }
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

/// Summary of the file of a level: `12 cases in 3 buckets`.
pub fn spelled(file: &Requirements) -> String {
    let cases: u64 = file
        .lock
        .buckets
        .iter()
        .flat_map(|(_, entries)| entries)
        .map(|entry| entry.cases)
        .sum();
    format!("{cases} cases in {} buckets", file.lock.buckets.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dml_case::digest::Digest;

    fn plan() -> Lock {
        let key = |operator: &str, level: &str| Key {
            operator: operator.to_owned(),
            level: level.to_owned(),
            family: "ties".to_owned(),
            data_type: "INT8".to_owned(),
        };
        let entry = |cases: u64| Entry {
            cases,
            digest: Digest(u128::from(cases)),
        };
        Lock {
            buckets: vec![
                (key("A", "2.1"), [entry(1), entry(20), entry(300)]),
                (key("A", "3.1"), [entry(0), entry(0), entry(7)]),
                (key("B", "3.1"), [entry(2), entry(0), entry(0)]),
            ],
            coupled: vec!["x".to_owned()],
        }
    }

    #[test]
    fn levels_hold_their_own_tables_without_the_exhaustive_tier() {
        let files = Requirements::of_plan(&plan());
        let counted: Vec<(String, usize)> = files
            .iter()
            .map(|f| (f.level.to_string(), f.lock.buckets.len()))
            .collect();
        assert_eq!(counted, [("2.1".to_owned(), 1), ("3.1".to_owned(), 1)]);
        let sums = sums(&files, FeatureLevel::new(5, 0));
        let of_a = sums[&("A".to_owned(), FeatureLevel::new(2, 1), "ties".to_owned())];
        assert_eq!((of_a.cases, of_a.digest), (21, Digest(21)));
        assert_eq!(super::sums(&files, FeatureLevel::new(2, 1)).len(), 1);
    }

    #[test]
    fn files_survive_the_round_trip() {
        let mut file = Requirements::of_plan(&plan()).remove(0);
        file.errata.push(Erratum {
            date: "2026-11-22".to_owned(),
            link: "https://example.org/errata 7".to_owned(),
        });
        let text = file.to_text();
        assert_eq!(
            Requirements::from_bytes(file.level, text.as_bytes()),
            Ok(file.clone()),
            "{text}"
        );
        assert_eq!(
            Requirements::from_bytes(file.level, text.replace('\n', "\r\n").as_bytes()),
            Ok(file)
        );
        let broken = Requirements::from_bytes(FeatureLevel::new(2, 1), b"# erratum soon\n").unwrap_err();
        assert_eq!(broken.line, 1);
        assert_eq!(level_of("FL_3_1.lock"), Some(FeatureLevel::new(3, 1)));
        assert_eq!(level_of("FL_3.lock"), None);
    }

    #[test]
    fn new_operators_change_nothing_that_is_frozen() {
        let (old, mut plan) = (Requirements::of_plan(&plan()), plan());
        plan.buckets[0].1[0].digest = Digest(99);
        plan.buckets[2].1[0].digest = Digest(99);
        let new = Requirements::of_plan(&plan);
        let known = BTreeSet::from(["A".to_owned()]);
        let message = |at: usize| {
            old[at]
                .changes(&new[at], &known)
                .iter()
                .map(Change::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(message(0), ["A 2.1 ties INT8 smoke: 1 cases with other content"]);
        assert!(message(1).is_empty(), "B is new");
    }

    #[test]
    fn every_operator_of_the_specification_is_one_of_directml() {
        for operator in dml_spec_yaml::load::catalog().operators.iter() {
            let name = &*operator.name;
            assert!(operators_up_to(operator.introduced).contains(&name), "{name}");
            // An operator is not required before its page has it.
            let line = dml_spec::embedded::OPERATORS
                .lines()
                .find(|line| line.starts_with(&format!("{name}\t")));
            let level = line.and_then(|line| line.rsplit('\t').next());
            assert_eq!(level, Some(operator.introduced.to_string().as_str()), "{name}");
        }
        assert_eq!(operators_up_to(FeatureLevel::new(6, 4)).len(), 177);
    }
}
