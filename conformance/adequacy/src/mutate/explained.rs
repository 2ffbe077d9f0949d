//! Survivors that are explained: a file that lists them with a reason, and that cannot rot.

use std::{collections::BTreeSet, ops::Range};

use dml_spec::{Diagnostic, Place, diag::Lines};
use dml_spec_yaml::tree::{Node, Plain, read::parse};

use super::{Fate, Tried};

/// Keys of an entry.
const KEYS: [&str; 3] = ["clause", "changes", "because"];

/// Survivors of one clause, and why they survive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was changed, as survivors are listed.
    pub clause: String,
    /// The changes, each with its place in the file.
    pub changes: Vec<(String, Place)>,
    /// Why nobody can see them.
    pub because: String,
}

/// Every explained survivor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained(pub Vec<Entry>);

impl Explained {
    /// Reads a file; `file` is its path as the user knows it.
    ///
    /// # Errors
    /// All its mistakes.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader {
            file,
            text,
            lines: Lines::of(text),
            mistakes: Vec::new(),
            seen: BTreeSet::new(),
        };
        let (root, issues) = parse(text);
        for issue in issues {
            reader.wrong(issue.code, issue.span, issue.message);
        }
        let entries = match root.as_ref().map(|root| (root, root.items())) {
            None => Vec::new(),
            Some((_, Some(items))) => items.iter().filter_map(|item| reader.entry(item)).collect(),
            Some((root, None)) => {
                let message = format!("found {}, expected a list of entries", root.describe());
                reader.wrong("mutations::ill-typed", root.span.clone(), message);
                Vec::new()
            }
        };
        match reader.mistakes.is_empty() {
            true => Ok(Self(entries)),
            false => Err(reader.mistakes),
        }
    }

    /// Why a mutant survives, where that is explained.
    pub fn of(&self, tried: &Tried) -> Option<&str> {
        let mut entries = self.0.iter().filter(|entry| entry.clause == tried.mutant.clause);
        let found = entries.find(|entry| entry.changes.iter().any(|(change, _)| *change == tried.mutant.change));
        found.map(|entry| entry.because.as_str())
    }

    /// Entries of these owners that explain nothing: no such mutant was made, or it is seen.
    pub fn stale(&self, owners: &[String], tried: &[Tried]) -> Vec<Stale> {
        let mut found = Vec::new();
        for entry in &self.0 {
            let owner = entry.clause.split('/').next().unwrap_or_default();
            if !owners.iter().any(|name| name == owner) {
                continue;
            }
            for (change, place) in &entry.changes {
                let mut mutants = tried.iter();
                let made = mutants.find(|t| t.mutant.clause == entry.clause && t.mutant.change == *change);
                if made.is_some_and(|tried| tried.fate == Fate::Survived) {
                    continue;
                }
                found.push(Stale {
                    clause: entry.clause.clone(),
                    change: change.clone(),
                    place: place.clone(),
                    is_seen: made.is_some(),
                });
            }
        }
        found
    }
}

/// An entry that explains nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// What was changed.
    pub clause: String,
    /// The change.
    pub change: String,
    /// Where the entry stands.
    pub place: Place,
    /// Whether there is such a mutant, which is seen by now.
    pub is_seen: bool,
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    lines: Lines,
    mistakes: Vec<Diagnostic>,
    seen: BTreeSet<(String, String)>,
}

impl Reader<'_> {
    fn wrong(&mut self, code: &'static str, span: Range<usize>, message: String) {
        self.mistakes.push(Diagnostic {
            code,
            place: self.lines.locate(self.file, self.text, span),
            message,
            hint: None,
        });
    }

    fn entry(&mut self, node: &Node) -> Option<Entry> {
        let Some(entries) = node.entries() else {
            let message = format!("found {}, expected an entry with {}", node.describe(), KEYS.join(", "));
            self.wrong("mutations::ill-typed", node.span.clone(), message);
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !KEYS.contains(&key.text.as_str())) {
            let message = format!("`{}` is no key of an entry; there are {}", key.text, KEYS.join(", "));
            self.wrong("mutations::unknown-key", key.span.clone(), message);
        }
        let [clause, changes, because] = KEYS.map(|key| {
            let found = node.get(key);
            if found.is_none() {
                let message = format!("an entry lacks `{key}`");
                self.wrong("mutations::missing-key", node.span.clone(), message);
            }
            found
        });
        let (clause, because) = (self.word(clause?), self.word(because?));
        let changes = self.changes(changes?, clause.as_deref().unwrap_or_default());
        Some(Entry {
            clause: clause?,
            because: because?,
            changes,
        })
    }

    fn changes(&mut self, node: &Node, clause: &str) -> Vec<(String, Place)> {
        let Some(items) = node.items().filter(|items| !items.is_empty()) else {
            let message = format!("found {}, expected a list of changes", node.describe());
            self.wrong("mutations::ill-typed", node.span.clone(), message);
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items {
            let Some(change) = self.word(item) else { continue };
            if !self.seen.insert((clause.to_owned(), change.clone())) {
                let message = format!("{clause}: `{change}` is explained twice");
                self.wrong("mutations::twice", item.span.clone(), message);
            }
            found.push((change, self.lines.locate(self.file, self.text, item.span.clone())));
        }
        found
    }

    fn word(&mut self, node: &Node) -> Option<String> {
        let text = node.text().map(str::trim).filter(|text| !text.is_empty());
        if text.is_none() || node.plain() == Plain::Null {
            let message = format!("found {}, expected text", node.describe());
            self.wrong("mutations::ill-typed", node.span.clone(), message);
            return None;
        }
        text.map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{of_operator, of_tensors};

    #[test]
    fn entries_are_read_with_their_places() {
        let text = "- clause: A/b\n  changes: [dropped, K > 0 -> K > 1]\n  because: it is so\n";
        let found = Explained::read("x.yaml", text).expect("entries");
        let [entry] = &found.0[..] else { panic!("{found:?}") };
        assert_eq!((entry.clause.as_str(), entry.because.as_str()), ("A/b", "it is so"));
        assert_eq!(entry.changes[1].0, "K > 0 -> K > 1");
        assert_eq!(entry.changes[1].1.line, 2);
        assert_eq!(Explained::read("x.yaml", ""), Ok(Explained::default()));
        assert_eq!(Explained::read("x.yaml", "# none yet\n[]\n"), Ok(Explained::default()));
    }

    #[test]
    fn mistakes_are_found_all_at_once() {
        let text = "- clause: A/b\n  change: dropped\n- {clause: A/b, changes: [], because: x}\n- 3\n\
                    - {clause: A/c, changes: [dropped, dropped], because: \"\"}\n";
        let found = Explained::read("x.yaml", text).expect_err("mistakes");
        let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
        for code in [
            "mutations::unknown-key",
            "mutations::missing-key",
            "mutations::ill-typed",
            "mutations::twice",
        ] {
            assert!(codes.contains(&code), "{code}: {codes:?}");
        }
        let text = "clause: A/b\n";
        let found = Explained::read("x.yaml", text).expect_err("a mistake");
        assert!(found[0].message.contains("expected a list"), "{found:?}");
    }

    #[test]
    fn an_entry_that_explains_nothing_is_stale() {
        let catalog = dml_spec_yaml::load::catalog();
        let operator = catalog.operator("TOP_K1").expect("the operator");
        let mutant = of_operator(catalog, operator).swap_remove(0);
        let tried = |fate| Tried {
            owner: "TOP_K1".to_owned(),
            mutant: mutant.clone(),
            fate,
            descriptors: (1, 0),
        };
        let text = format!(
            "- clause: {}\n  changes: [{}, gone]\n  because: x\n",
            mutant.clause, mutant.change
        );
        let explained = Explained::read("x.yaml", &text).expect("entries");
        let owners = ["TOP_K1".to_owned()];
        let survived = [tried(Fate::Survived)];
        assert_eq!(explained.of(&survived[0]), Some("x"));
        let stale = |tried: &[Tried]| -> Vec<(String, bool)> {
            let found = explained.stale(&owners, tried);
            found.into_iter().map(|s| (s.change, s.is_seen)).collect()
        };
        assert_eq!(stale(&survived), [("gone".to_owned(), false)]);
        let seen = [tried(Fate::Lock("TOP_K1:2.1:f:k=1".parse().expect("an id")))];
        assert_eq!(
            stale(&seen),
            [(mutant.change.clone(), true), ("gone".to_owned(), false)]
        );
        assert_eq!(explained.stale(&["TENSOR".to_owned()], &[]), []);
    }

    /// What no run of minutes is needed for: every entry names a mutant that is made.
    #[test]
    fn the_file_of_the_specification_names_mutants_that_there_are() {
        let explained = Explained::read("spec/mutations.yaml", dml_spec::embedded::MUTATIONS).expect("entries");
        let catalog = dml_spec_yaml::load::catalog();
        let mut made = of_tensors(catalog);
        made.extend(catalog.operators.iter().flat_map(|o| of_operator(catalog, o)));
        for entry in &explained.0 {
            for (change, place) in &entry.changes {
                let is_made = made.iter().any(|m| m.clause == entry.clause && m.change == *change);
                assert!(is_made, "{place}: {}: {change}", entry.clause);
            }
        }
    }
}
