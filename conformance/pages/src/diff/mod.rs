//! Differences between two specifications, or between the facts of two pages.

pub mod cases;
mod clauses;
mod operators;

use dml_spec::Catalog;
use serde::Serialize;

use self::cases::{OperatorCases, RunChanges};
use crate::import::facts::Facts;

/// Version of the JSON form.
pub const VERSION: u32 = 1;

/// What differs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Diff {
    /// Statements, in the order of reports.
    pub entries: Vec<Entry>,
    /// Cases, by operator; only operators with any.
    pub cases: Vec<OperatorCases>,
    /// Tier in which cases were planned; empty if none were.
    pub tier: String,
    /// Stored runs.
    pub runs: Vec<RunChanges>,
}

/// A part of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// Levels, data types, enumerations.
    Shared,
    /// Operators as such.
    Operators,
    /// Documents that are cited.
    Sources,
    /// Fields of descriptors.
    Fields,
    /// Clauses.
    Clauses,
    /// Rows of support tables; changes are counted in cells.
    Cells,
    /// Citations of tables, and the behaviour of releases.
    Tables,
    /// Worked examples.
    Examples,
    /// How cases are made.
    Families,
    /// Binding sentences, and what covers them.
    Ledger,
    /// Facts of sources that the specification does not follow.
    Superseded,
    /// Facts of pages.
    Facts,
}

impl Section {
    /// Its word in headings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Operators => "operators",
            Self::Sources => "sources",
            Self::Fields => "fields",
            Self::Clauses => "clauses",
            Self::Cells => "cells",
            Self::Tables => "tables",
            Self::Examples => "examples",
            Self::Families => "families",
            Self::Ledger => "ledger",
            Self::Superseded => "superseded",
            Self::Facts => "facts",
        }
    }
}

/// What became of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another.
    Changed,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The operator it belongs to.
    pub section: Section,
    /// Its id or name.
    pub id: String,
    /// What became of it.
    pub change: Change,
    /// Differing properties; the old side is empty for new things, the new side for removed ones.
    pub details: Vec<Detail>,
}

/// A property that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// Its name in the YAML.
    pub what: String,
    /// What it was.
    pub old: String,
    /// What it is.
    pub new: String,
}

/// A thing in the form in which it is compared: its id, and its properties in order. Empty properties count as absent.
struct Thing {
    id: String,
    properties: Vec<(&'static str, String)>,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.cases.is_empty()
    }

    /// How many things were added, removed and changed in a section; in tables, cells are counted.
    pub fn count(&self, section: Section) -> (usize, usize, usize) {
        let mut counts = (0, 0, 0);
        for entry in self.entries.iter().filter(|entry| entry.section == section) {
            match entry.change {
                _ if section == Section::Cells => {
                    let cells = |of: fn(&Detail) -> &str| -> usize {
                        entry.details.iter().map(|d| of(d).split_whitespace().count()).sum()
                    };
                    counts.0 += cells(|detail| &detail.new);
                    counts.1 += cells(|detail| &detail.old);
                }
                Change::Added => counts.0 += 1,
                Change::Removed => counts.1 += 1,
                Change::Changed => counts.2 += 1,
            }
        }
        counts
    }

    /// Sections with differences.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = self.entries.iter().map(|entry| entry.section).collect();
        sections.sort_unstable();
        sections.dedup();
        sections
    }
}

/// Differences between two specifications, without their cases.
pub fn compare_catalogs(old: &Catalog, new: &Catalog) -> Vec<Entry> {
    let mut entries = operators::compare_shared(old, new);
    entries.extend(clauses::compare_clauses(&old.tensor_clauses, &new.tensor_clauses));
    let names = |catalog: &Catalog| catalog.operators.iter().map(|o| o.name.to_string()).collect::<Vec<_>>();
    let mut all = names(old);
    all.extend(names(new));
    all.sort_unstable();
    all.dedup();
    for name in all {
        entries.extend(operators::compare_operator(old.operator(&name), new.operator(&name)));
    }
    entries.sort_by_key(|entry| entry.section);
    entries
}

/// Differences between the facts of two pages, or of a page and an operator.
pub fn compare_facts(old: &Facts, new: &Facts) -> Vec<Entry> {
    let things = |facts: &Facts| {
        let thing = |(key, fact): (&crate::import::facts::Key, &crate::import::facts::Fact)| Thing {
            id: key.to_string(),
            properties: vec![("value", fact.value.clone())],
        };
        facts.iter().map(thing).collect::<Vec<_>>()
    };
    compare_things(Section::Facts, &things(old), &things(new))
}

/// Pairs things by their ids: first removed or changed ones, in the old order, then new ones.
fn compare_things(section: Section, old: &[Thing], new: &[Thing]) -> Vec<Entry> {
    let entry = |id: &str, change, details| Entry {
        section,
        id: id.to_owned(),
        change,
        details,
    };
    let mut entries = Vec::new();
    for thing in old {
        match new.iter().find(|other| other.id == thing.id) {
            None => entries.push(entry(&thing.id, Change::Removed, list_details(&thing.properties, &[]))),
            Some(other) => {
                let details = list_details(&thing.properties, &other.properties);
                if !details.is_empty() {
                    entries.push(entry(&thing.id, Change::Changed, details));
                }
            }
        }
    }
    for thing in new.iter().filter(|thing| !old.iter().any(|o| o.id == thing.id)) {
        entries.push(entry(&thing.id, Change::Added, list_details(&[], &thing.properties)));
    }
    entries
}

/// The properties that differ.
fn list_details(old: &[(&'static str, String)], new: &[(&'static str, String)]) -> Vec<Detail> {
    let mut names: Vec<&'static str> = old.iter().map(|(name, _)| *name).collect();
    names.extend(
        new.iter()
            .map(|(name, _)| *name)
            .filter(|name| !old.iter().any(|(o, _)| o == name)),
    );
    let value = |side: &[(&'static str, String)], name: &str| {
        let found = side.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let pairs = names.into_iter().map(|name| Detail {
        what: name.to_owned(),
        old: value(old, name),
        new: value(new, name),
    });
    pairs.filter(|detail| detail.old != detail.new).collect()
}
