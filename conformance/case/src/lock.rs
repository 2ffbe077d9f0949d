//! The lock of the plan: the number of cases of every operator and table level and a digest of them, at the default seed.
//!
//! The file is made for `diff`: one line for each operator, table level and tier, in the order of the plan.

use std::{collections::BTreeMap, fmt::Write as _};

use dml_spec::model::Tier;

pub use crate::case::tier_word;
use crate::{case::Case, digest::Digest};

/// Seed of the plan that the lock describes.
pub const DEFAULT_SEED: u64 = 0;

/// The tiers, smallest first.
pub const TIERS: [Tier; 3] = [Tier::Smoke, Tier::Standard, Tier::Exhaustive];

const HEAD: &str = "\
# What the plan holds at the default seed. Written by `dml-cts spec lock`, not by hand.
# operator level tier cases digest frozen-since
version 2
";

const COUPLED: &str = "[coupled]";

/// An operator and a level with a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Operator name.
    pub operator: String,
    /// Table level.
    pub level: String,
}

/// The cases of an operator and level whose lowest tier is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// How many.
    pub cases: u64,
    /// Sum of their digests.
    pub digest: Digest,
}

/// One entry for each tier, smallest first.
pub type Entries = [Entry; 3];

/// The whole lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// Operators and levels in the order of the plan.
    pub tables: Vec<(Key, Entries)>,
    /// Since when smoke and standard are as they are, as `YYYY-MM-DD`.
    pub since: BTreeMap<Key, String>,
    /// Lines of the section on coupled clauses, kept as they are.
    pub coupled: Vec<String>,
}

/// A lock that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}; rewrite it with `dml-cts spec lock`")]
pub struct LockError {
    /// Line from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// A table and tier whose entry differs between two locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The table.
    pub key: Key,
    /// The tier.
    pub tier: Tier,
    /// Entry before.
    pub old: Entry,
    /// Entry now.
    pub new: Entry,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.operator, self.level)
    }
}

/// Adds a case to its entries.
pub fn count(entries: &mut Entries, case: &Case) -> Digest {
    let digest = Digest::of_case(case);
    add(entries, case.tier, digest);
    digest
}

/// Adds a case of this lowest tier and digest to its entries.
pub fn add(entries: &mut Entries, tier: Tier, digest: Digest) {
    let entry = &mut entries[tier as usize];
    entry.cases += 1;
    entry.digest.add(digest);
}

/// Adds entries to others.
pub fn merge(sum: &mut Entries, more: &Entries) {
    for (sum, more) in sum.iter_mut().zip(more) {
        sum.cases += more.cases;
        sum.digest.add(more.digest);
    }
}

impl Lock {
    /// Reads the file's bytes.
    ///
    /// # Errors
    /// The first line that makes no sense.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LockError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            LockError {
                line: before.iter().filter(|b| **b == b'\n').count() + 1,
                why: format!("byte {} of the file is not UTF-8", error.valid_up_to()),
            }
        })?;
        Self::parse(text)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// The first line that makes no sense.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let mut lock = Self::default();
        let mut index: BTreeMap<Key, usize> = BTreeMap::new();
        let mut lines = text.lines().enumerate();
        for (i, line) in lines.by_ref() {
            let err = |why: String| LockError { line: i + 1, why };
            match line.trim() {
                "" | "version 2" => {}
                COUPLED => break,
                line if line.starts_with('#') => {}
                line if line.starts_with("version") => return Err(err(format!("`{line}`, expected `version 2`"))),
                line => {
                    let (line, since) = split_day(line);
                    let (key, tier, entry) = parse_entry(line).map_err(err)?;
                    if let Some(since) = since {
                        lock.since.insert(key.clone(), since.to_owned());
                    }
                    let at = *index.entry(key.clone()).or_insert(lock.tables.len());
                    if at == lock.tables.len() {
                        lock.tables.push((key, Entries::default()));
                    }
                    if let Some((_, entries)) = lock.tables.get_mut(at) {
                        entries[tier as usize] = entry;
                    }
                }
            }
        }
        lock.coupled = lines.map(|(_, line)| line.to_owned()).collect();
        Ok(lock)
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut text = HEAD.to_owned();
        let mut group = "";
        for (key, entries) in &self.tables {
            if key.operator != group {
                text.push('\n');
                group = &key.operator;
            }
            let since = self.since.get(key).map(|since| format!(" {since}")).unwrap_or_default();
            text.push_str(&lines_of(key, entries).replace('\n', &format!("{since}\n")));
        }
        if !self.coupled.is_empty() {
            let _ = write!(text, "\n{COUPLED}\n");
            for line in &self.coupled {
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }

    /// Digest of the tables: identifies the corpus.
    pub fn digest(&self) -> Digest {
        let lines: String = self
            .tables
            .iter()
            .map(|(key, entries)| lines_of(key, entries))
            .collect();
        Digest::of_text(&lines)
    }

    /// Takes over from an older lock since when its lines are as they are; what changed of smoke and standard is so since
    /// `today`.
    pub fn date(&mut self, old: &Self, today: &str) {
        let known = old.index();
        for (key, entries) in &self.tables {
            let is_same = known
                .get(key)
                .is_some_and(|old| old.iter().zip(entries).take(2).all(|(old, new)| old == new));
            let since = old.since.get(key).filter(|_| is_same);
            let since = since.map_or_else(|| today.to_owned(), Clone::clone);
            self.since.insert(key.clone(), since);
        }
    }

    /// The entries of a table; all zero if the lock has none.
    pub fn index(&self) -> BTreeMap<&Key, &Entries> {
        self.tables.iter().map(|(key, entries)| (key, entries)).collect()
    }

    /// What changed from this lock to `new`.
    pub fn changes(&self, new: &Self) -> Vec<Change> {
        let (old_index, new_index) = (self.index(), new.index());
        let gone = self.tables.iter().filter(|(key, _)| !new_index.contains_key(key));
        let mut changes = Vec::new();
        for (key, _) in new.tables.iter().chain(gone) {
            let entries = |index: &BTreeMap<&Key, &Entries>| index.get(key).map(|e| **e).unwrap_or_default();
            changes.extend(changed(
                key,
                &entries(&old_index),
                &entries(&new_index),
                Tier::Exhaustive,
            ));
        }
        changes
    }
}

/// The tiers up to `tier` in which two tables differ.
pub fn changed(key: &Key, old: &Entries, new: &Entries, tier: Tier) -> Vec<Change> {
    let pairs = TIERS
        .iter()
        .zip(old.iter().zip(new))
        .filter(|(t, (old, new))| **t <= tier && old != new);
    pairs
        .map(|(t, (old, new))| Change {
            key: key.clone(),
            tier: *t,
            old: *old,
            new: *new,
        })
        .collect()
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (old, new) = (self.old.cases, self.new.cases);
        write!(f, "{} {}: ", self.key, tier_word(self.tier))?;
        if old == new {
            write!(f, "{new} cases with other content")
        } else {
            write!(f, "{old} -> {new} cases")
        }
    }
}

fn lines_of(key: &Key, entries: &Entries) -> String {
    let present = TIERS.iter().zip(entries).filter(|(_, e)| e.cases > 0);
    present
        .map(|(tier, e)| format!("{key} {} {} {}\n", tier_word(*tier), e.cases, e.digest))
        .collect()
}

/// A line without the day at its end, and the day.
fn split_day(line: &str) -> (&str, Option<&str>) {
    let is_day = |word: &&str| word.len() == 10 && word.matches('-').count() == 2;
    match line.rsplit_once(' ') {
        Some((rest, day)) if is_day(&day) => (rest, Some(day)),
        _ => (line, None),
    }
}

fn parse_entry(line: &str) -> Result<(Key, Tier, Entry), String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [operator, level, tier, cases, digest] = words[..] else {
        return Err(format!(
            "{} words, expected operator level tier cases digest",
            words.len()
        ));
    };
    let tier_found = TIERS
        .into_iter()
        .find(|t| tier_word(*t) == tier)
        .ok_or_else(|| format!("no tier `{tier}`"))?;
    let cases = cases
        .parse()
        .map_err(|_| format!("invalid number of cases `{cases}`"))?;
    let digest = Digest::parse(digest).ok_or_else(|| format!("invalid digest `{digest}`; expected 32 hex digits"))?;
    let own = str::to_owned;
    let key = Key {
        operator: own(operator),
        level: own(level),
    };
    Ok((key, tier_found, Entry { cases, digest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        let key = |level: &str| Key {
            operator: "TOP_K1".to_owned(),
            level: level.to_owned(),
        };
        let entry = |cases: u64| Entry {
            cases,
            digest: Digest(u128::from(cases) << 100),
        };
        Lock {
            tables: vec![
                (key("2.1"), [entry(1), entry(20), entry(0)]),
                (key("3.1"), [entry(0), entry(3), entry(4)]),
            ],
            since: BTreeMap::from([(key("3.1"), "2026-11-26".to_owned())]),
            coupled: vec!["anything at all".to_owned(), String::new(), "# more".to_owned()],
        }
    }

    #[test]
    fn the_file_survives_the_round_trip() {
        let text = lock().to_text();
        assert_eq!(Lock::parse(&text), Ok(lock()), "{text}");
        assert_eq!(text.lines().filter(|l| l.starts_with("TOP_K1")).count(), 4, "{text}");
        assert_eq!(Lock::parse(""), Ok(Lock::default()));
    }

    #[test]
    fn broken_lines_say_where() {
        for (line, why) in [
            ("TOP_K1 2.1", "2 words"),
            ("TOP_K1 2.1 tiny 1 00000000000000000000000000000000", "no tier"),
            ("TOP_K1 2.1 smoke x 00000000000000000000000000000000", "invalid number"),
            ("TOP_K1 2.1 smoke 1 0", "invalid digest"),
            ("version 1", "expected `version 2`"),
        ] {
            let error = Lock::parse(&format!("# x\n{line}\n")).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.why.contains(why), "{error}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_say_where() {
        let error = Lock::from_bytes(b"# x\n\xff\n").unwrap_err();
        assert_eq!((error.line, error.why.as_str()), (2, "byte 4 of the file is not UTF-8"));
        assert_eq!(Lock::from_bytes(lock().to_text().as_bytes()), Ok(lock()));
    }

    #[test]
    fn changes_name_table_and_tier() {
        let (old, mut new) = (lock(), lock());
        assert!(old.changes(&new).is_empty());
        new.tables[0].1[0].digest = Digest(7);
        new.tables.remove(1);
        let text: Vec<String> = old.changes(&new).iter().map(Change::to_string).collect();
        assert_eq!(
            text,
            [
                "TOP_K1 2.1 smoke: 1 cases with other content",
                "TOP_K1 3.1 standard: 3 -> 0 cases",
                "TOP_K1 3.1 exhaustive: 4 -> 0 cases",
            ]
        );
        assert_ne!(old.digest(), new.digest());
    }
}
