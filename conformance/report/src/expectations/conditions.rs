//! Conditions under which an entry holds: on which backend, system, device, driver and library.

use std::{cmp::Ordering, collections::BTreeMap, str::FromStr};

use dml_spec::answer::Info;

use crate::results::Header;

/// What can be asked about where a run happens, in the order in which entries are told apart by it.
pub const CONDITION_KEYS: [&str; 6] = ["backend", "os", "vendor", "device", "driver", "library"];

/// Keys whose values are ranges of versions.
const VERSIONS: [&str; 2] = ["driver", "library"];

/// What is known of where a run happens: values by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facts {
    /// Names that the backend goes by: its own, and its label.
    names: Vec<String>,
    /// Values of the other keys; one that is not known is missing.
    values: BTreeMap<&'static str, String>,
}

impl Facts {
    /// Facts of a backend that is about to run here.
    pub fn of(info: &Info, label: &str) -> Self {
        let details: BTreeMap<&str, &str> = info.details.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        Self::from(&info.name, label, std::env::consts::OS, &info.version, |name| {
            details.get(name).copied()
        })
    }

    /// Facts of a stored run.
    pub fn of_run(header: &Header) -> Self {
        let backend = &header.backend;
        Self::from(&backend.name, &backend.label, &header.os, &backend.version, |name| {
            backend.details.get(name).map(String::as_str)
        })
    }

    fn from<'a>(
        name: &str,
        label: &str,
        os: &str,
        version: &'a str,
        detail: impl Fn(&'static str) -> Option<&'a str>,
    ) -> Self {
        let mut names = vec![name.to_owned()];
        if label != name {
            names.push(label.to_owned());
        }
        let mut values = BTreeMap::from([("os", os.to_owned())]);
        let mut add = |key, value: Option<&str>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                values.insert(key, value.to_owned());
            }
        };
        add("vendor", detail("vendor_id").map(str::trim));
        add("device", detail("device_id").map(str::trim));
        add("driver", detail("driver").and_then(Version::find));
        add(
            "library",
            detail("library_version").or(Some(version)).and_then(Version::find),
        );
        Self { names, values }
    }

    /// The value by which an entry can name this: of the backend its own name.
    pub fn value(&self, key: &str) -> Option<&str> {
        match key {
            "backend" => self.names.first().map(String::as_str),
            _ => self.values.get(key).map(String::as_str),
        }
    }

    /// How to write a condition that holds for this value of the key.
    pub fn condition(key: &str, value: &str) -> String {
        match VERSIONS.contains(&key) {
            true => format!("={value}"),
            false => value.to_owned(),
        }
    }
}

/// Conditions by key; all have to hold, and of one key any of its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions(BTreeMap<&'static str, Vec<Condition>>);

/// What a value has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Name(String),
    Number(u64),
    Range(Range),
}

impl Conditions {
    /// Adds a value that the key may have.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, key: &'static str, text: &str) -> Result<(), String> {
        let condition = match key {
            "vendor" | "device" => Condition::Number(
                number(text).ok_or_else(|| format!("invalid {key} `{text}`; expected a number such as 0x10de"))?,
            ),
            key if VERSIONS.contains(&key) => Condition::Range(text.parse()?),
            _ => Condition::Name(text.to_owned()),
        };
        self.0.entry(key).or_default().push(condition);
        Ok(())
    }

    /// Whether the entry holds there. What is not known is not so.
    pub fn holds(&self, facts: &Facts) -> bool {
        self.0
            .iter()
            .all(|(key, wanted)| wanted.iter().any(|condition| condition.holds(key, facts)))
    }

    /// Whether it holds everywhere.
    pub fn is_everywhere(&self) -> bool {
        self.0.is_empty()
    }
}

impl Condition {
    fn holds(&self, key: &str, facts: &Facts) -> bool {
        match self {
            Self::Name(name) if key == "backend" => facts.names.contains(name),
            Self::Name(name) => facts.value(key) == Some(name),
            Self::Number(wanted) => facts.value(key).and_then(number) == Some(*wanted),
            Self::Range(range) => {
                let version = facts.value(key).and_then(|text| text.parse().ok());
                version.is_some_and(|version| range.holds(&version))
            }
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u64::from_str_radix(hex, 16).ok(),
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// Numbers with dots between; what is missing at the end counts as zero. Behind a dash stands what comes before the
/// release: `1.9.0-rc.1`, ordered as semantic versioning has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    numbers: Vec<u64>,
    /// Words of what comes before the release; none of the release itself.
    before: Vec<Word>,
}

/// Numbers come before names, and are ordered by value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Number(u64),
    Name(String),
}

impl Version {
    /// The first version in a text: `FL 6.2`, `llvmpipe Mesa 25.0.7 (LLVM 19)`. Words with digits inside are none.
    fn find(text: &str) -> Option<&str> {
        let words = text.split(|c: char| c.is_whitespace() || "(),;".contains(c));
        let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        let word = words.map(|word| word.strip_prefix('v').unwrap_or(word)).find(starts)?;
        let end = |of: &str, more: &str| {
            let fits = |c: char| c.is_ascii_digit() || c == '.' || (c.is_ascii_alphabetic() && more.contains('a'));
            of.find(|c: char| !fits(c) && !more.contains(c)).unwrap_or(of.len())
        };
        let numbers = end(word, "");
        // What distributions put behind a dash, such as `-1ubuntu2`, begins with a digit.
        let before = word.get(numbers..)?.strip_prefix('-');
        let before = before.filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        let end = before.map_or(numbers, |rest| numbers + 1 + end(rest, "a-"));
        word.get(..end).map(|version| version.trim_end_matches(['.', '-']))
    }

    fn part(&self, place: usize) -> u64 {
        self.numbers.get(place).copied().unwrap_or(0)
    }

    fn compare(&self, other: &Self) -> Ordering {
        let places = 0..self.numbers.len().max(other.numbers.len());
        let mut parts = places.map(|place| self.part(place).cmp(&other.part(place)));
        let numbers = parts.find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        // The release comes behind everything that comes before it.
        let released = self.before.is_empty().cmp(&other.before.is_empty());
        numbers.then(released).then_with(|| self.before.cmp(&other.before))
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("invalid version `{text}`; expected one such as 1.15.4 or 1.9.0-rc1");
        let (numbers, before) = match text.split_once('-') {
            Some((numbers, before)) => (numbers, Some(before)),
            None => (text, None),
        };
        let is_plain = numbers.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let numbers: Option<Vec<u64>> = numbers.split('.').map(|part| part.parse().ok()).collect();
        let words: Option<Vec<Word>> = before.into_iter().flat_map(|text| text.split('.')).map(word).collect();
        match (numbers.filter(|_| is_plain), words) {
            (Some(numbers), Some(before)) => Ok(Self { numbers, before }),
            _ => Err(wrong()),
        }
    }
}

/// A word of what comes before a release; none where it has other than letters, digits and dashes.
fn word(text: &str) -> Option<Word> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    match text.bytes().all(|b| b.is_ascii_digit()) {
        true => text.parse().ok().map(Word::Number),
        false => text.bytes().all(fits).then(|| Word::Name(text.to_owned())),
    }
}

/// Bounds that all have to hold: `>=1.13, <1.15.4`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range(Vec<(Bound, Version)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    AtLeast,
    Above,
    AtMost,
    Below,
    Is,
}

const BOUNDS: [(&str, Bound); 5] = [
    (">=", Bound::AtLeast),
    ("<=", Bound::AtMost),
    (">", Bound::Above),
    ("<", Bound::Below),
    ("=", Bound::Is),
];

impl Range {
    fn holds(&self, version: &Version) -> bool {
        self.0.iter().all(|(bound, limit)| {
            let order = version.compare(limit);
            match bound {
                Bound::AtLeast => order.is_ge(),
                Bound::Above => order.is_gt(),
                Bound::AtMost => order.is_le(),
                Bound::Below => order.is_lt(),
                Bound::Is => order.is_eq(),
            }
        })
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bound = |part: &str| {
            let part = part.trim();
            let found = BOUNDS
                .iter()
                .find_map(|(sign, bound)| Some((*bound, part.strip_prefix(sign)?)));
            let (bound, version) = found.unwrap_or((Bound::Is, part));
            Ok((bound, version.trim().parse()?))
        };
        text.split(',').map(bound).collect::<Result<_, String>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        let details = [
            ("vendor_id", "0x10de"),
            ("device_id", "0x2330"),
            ("driver", "NVIDIA 550.54.14"),
        ];
        Facts::from("wgpu", "mine", "linux", "0.1.0", |name| {
            details.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
        })
    }

    fn holds(conditions: &[(&'static str, &str)]) -> bool {
        let mut only = Conditions::default();
        for (key, text) in conditions {
            only.add(key, text).unwrap();
        }
        only.holds(&facts())
    }

    #[test]
    fn every_key_has_to_hold_and_one_of_its_values() {
        assert!(holds(&[]));
        for (key, yes, no) in [
            ("backend", "wgpu", "cpu"),
            ("backend", "mine", "yours"),
            ("os", "linux", "windows"),
            ("vendor", "0x10DE", "0x1002"),
            ("vendor", "4318", "4319"),
            ("device", "0x2330", "0x2331"),
            ("driver", ">=550, <551", "<550.54.14"),
            ("driver", "550.54.14", "550.54"),
            ("driver", "<=550.54.14.0", ">550.54.14"),
            ("library", "0.1", "0.2"),
        ] {
            assert!(holds(&[(key, yes)]), "{key} {yes}");
            assert!(!holds(&[(key, no)]), "{key} {no}");
            assert!(holds(&[(key, no), (key, yes)]), "{key}: any of its values");
        }
        assert!(!holds(&[("backend", "wgpu"), ("os", "windows")]));
    }

    #[test]
    fn what_is_not_known_is_not_so() {
        let bare = Facts::from("x", "x", "linux", "-", |_| None);
        for (key, text) in [("vendor", "0"), ("driver", ">=0"), ("library", ">=0")] {
            let mut only = Conditions::default();
            only.add(key, text).unwrap();
            assert!(!only.holds(&bare), "{key}");
        }
    }

    #[test]
    fn versions_are_found_in_what_drivers_say() {
        for (text, found) in [
            ("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", Some("22.3.6")),
            ("FL 6.2", Some("6.2")),
            ("v1.20.0-rc1", Some("1.20.0-rc1")),
            ("Mesa 23.1.0-devel (git-0a1b)", Some("23.1.0-devel")),
            ("550.54.14-1ubuntu2", Some("550.54.14")),
            ("1.9.0-beta.2+cuda", Some("1.9.0-beta.2")),
            ("1.9.", Some("1.9")),
            ("H200 none", None),
            ("-", None),
        ] {
            assert_eq!(Version::find(text), found, "{text}");
        }
    }

    #[test]
    fn what_comes_before_a_release_is_ordered_as_semantic_versioning_has_it() {
        let ordered = [
            "1.8",
            "1.9.0-1",
            "1.9.0-alpha",
            "1.9.0-alpha.1",
            "1.9.0-alpha.beta",
            "1.9.0-beta",
            "1.9.0-beta.2",
            "1.9.0-beta.11",
            "1.9.0-rc1",
            "1.9",
            "1.9.1-rc1",
        ];
        let parsed = ordered.map(|text| text.parse::<Version>().unwrap());
        for (i, a) in parsed.iter().enumerate() {
            for (j, b) in parsed.iter().enumerate() {
                assert_eq!(a.compare(b), i.cmp(&j), "{} {}", ordered[i], ordered[j]);
            }
        }
        let facts = Facts::from("x", "x", "linux", "1.9.0-rc1", |_| None);
        for (text, wanted) in [
            ("=1.9.0-rc1", true),
            (">=1.9", false),
            (">=1.9.0-alpha, <1.9", true),
            ("=1.9.0", false),
        ] {
            let mut only = Conditions::default();
            only.add("library", text).unwrap();
            assert_eq!(only.holds(&facts), wanted, "{text}");
        }
    }

    #[test]
    fn values_that_make_no_sense_are_refused() {
        let mut only = Conditions::default();
        for (key, text) in [
            ("vendor", "nvidia"),
            ("device", "0x"),
            ("device", "-1"),
            ("driver", ""),
            ("driver", ">=x"),
            ("library", "1..2"),
            ("library", "99999999999999999999"),
            ("library", "1.9-"),
            ("library", "1.9-rc..1"),
            ("library", "1.9-rc 1"),
        ] {
            let _ = only.add(key, text).expect_err(text);
        }
    }
}
