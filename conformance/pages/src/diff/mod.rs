//! Differences between two specifications, or between the facts of two pages.

pub mod cases;
mod things;

use std::collections::BTreeSet;

use dml_spec::Catalog;
use serde::Serialize;

use self::{
    cases::{OperatorCases, RunChanges},
    things::Thing,
};
use crate::import::facts::{Fact, Facts, Key};

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
    /// Mistakes with a name.
    Mistakes,
    /// Rows of support tables; changes are counted in cells.
    Cells,
    /// Citations of tables, and the behaviour of releases.
    Tables,
    /// Worked examples.
    Examples,
    /// How cases are made.
    Parameters,
    /// Binding sentences, and what covers them.
    Ledger,
    /// Facts of sources that the specification does not follow.
    Superseded,
    /// Facts of pages.
    Facts,
}

impl Section {
    /// Its word in headings.
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
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
    let mut entries = compare_things(&things::describe_shared(old), &things::describe_shared(new));
    let names: BTreeSet<&str> = old
        .operators
        .iter()
        .chain(new.operators.iter())
        .map(|o| &*o.name)
        .collect();
    for name in names {
        let describe = |catalog: &Catalog| {
            catalog
                .operator(name)
                .map(things::describe_operator)
                .unwrap_or_default()
        };
        entries.extend(compare_things(&describe(old), &describe(new)));
    }
    let row = |entry: &Entry| (entry.section == Section::Cells).then(|| entry.id.clone());
    entries.sort_by_cached_key(|entry| (entry.section, row(entry)));
    entries
}

/// Differences between the facts of two pages, or of a page and an operator.
pub fn compare_facts(old: &Facts, new: &Facts) -> Vec<Entry> {
    let things = |facts: &Facts| {
        let thing = |(key, fact): (&Key, &Fact)| Thing {
            section: Section::Facts,
            id: key.to_string(),
            properties: vec![("value", fact.value.clone())],
        };
        facts.iter().map(thing).collect::<Vec<_>>()
    };
    compare_things(&things(old), &things(new))
}

/// Pairs things by section and id: first removed or changed ones, in the old order, then new ones.
fn compare_things(old: &[Thing], new: &[Thing]) -> Vec<Entry> {
    let is_same = |a: &Thing, b: &Thing| a.section == b.section && a.id == b.id;
    let gone = old
        .iter()
        .map(|thing| (Some(thing), new.iter().find(|other| is_same(thing, other))));
    let added = new
        .iter()
        .filter(|thing| !old.iter().any(|other| is_same(thing, other)));
    let pairs = gone.chain(added.map(|thing| (None, Some(thing))));
    pairs.filter_map(|(old, new)| compare_pair(old, new)).collect()
}

fn compare_pair(old: Option<&Thing>, new: Option<&Thing>) -> Option<Entry> {
    let thing = old.or(new)?;
    let change = match (old, new) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ => Change::Changed,
    };
    let details = thing.properties.iter().enumerate().map(|(at, (name, _))| {
        let value = |side: &'_ Thing| side.properties.get(at).map(|(_, value)| value.clone());
        let [old, new] = [old, new].map(|side| side.and_then(value).unwrap_or_default());
        // Of cells only those that one side has alone.
        let (old, new) = match thing.section {
            Section::Cells => (subtract_words(&old, &new), subtract_words(&new, &old)),
            _ => (old, new),
        };
        let what = (*name).to_owned();
        Detail { what, old, new }
    });
    let details: Vec<Detail> = details.filter(|detail| detail.old != detail.new).collect();
    let differs = change != Change::Changed || !details.is_empty();
    differs.then(|| Entry {
        section: thing.section,
        id: thing.id.clone(),
        change,
        details,
    })
}

/// Words of one text that another does not have.
fn subtract_words(text: &str, other: &str) -> String {
    let others: Vec<&str> = other.split(' ').collect();
    let kept: Vec<&str> = text.split(' ').filter(|word| !others.contains(word)).collect();
    kept.join(" ")
}
