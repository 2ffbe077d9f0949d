//! A summary of a stored run: counts, and some failing cases of each kind.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::{FeatureLevel, model::Text};

use crate::results::{Footer, GroupLine, Header};
use crate::{collect::Cell, failures::difference, summary::Ending};
use dml_case::mistake::Mistakes;
use dml_case::record::Record;

/// The type of cases that have none.
pub const NO_TYPE: &str = "other";

/// A place in which cases are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The operator.
    pub operator: String,
    /// Its table level.
    pub level: FeatureLevel,
    /// The data type that its cases are about.
    pub data_type: String,
}

/// A failing case.
#[derive(Clone, Debug)]
pub struct Failing {
    /// What its line says, but for what no document shows.
    pub record: Record,
    /// Where it is counted.
    pub place: Place,
    /// Class of the mistake, or the outcome.
    pub class: Text,
    /// Whether it passed in the run that this one is compared with.
    pub is_new: bool,
}

impl Failing {
    /// Its id.
    pub fn id(&self) -> &str {
        self.record.id.as_str()
    }

    /// The clause that is blamed first; empty if none is.
    pub fn clause(&self) -> &str {
        self.record.clauses.first().map_or("", Text::as_ref)
    }

    /// In words.
    pub fn message(&self) -> &str {
        self.record.message.as_deref().unwrap_or_default()
    }

    /// The first element that differs, in words.
    pub fn first_text(&self) -> Option<String> {
        let first = self.record.first.as_ref()?;
        Some(difference(first, self.record.differing))
    }
}

/// A stored run, summed up.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// Its first line.
    pub header: Header,
    /// Its last line, if it has one.
    pub footer: Option<Footer>,
    /// Cases by outcome, counted again.
    pub counts: BTreeMap<String, u64>,
    /// Cases by operator, level and type.
    pub cells: BTreeMap<Place, Cell>,
    /// Cases by family and level.
    pub families: BTreeMap<String, BTreeMap<FeatureLevel, Cell>>,
    /// Failures by clause and level; the clause is empty if there is none.
    pub clauses: BTreeMap<String, BTreeMap<FeatureLevel, u64>>,
    /// Failures by explanation, the largest group first.
    pub groups: Vec<GroupLine>,
    /// Skipped cases by reason.
    pub skips: BTreeMap<String, u64>,
    /// Per clause on which text and runtimes differ: how many cases follow which.
    pub follows: BTreeMap<String, BTreeMap<String, u64>>,
    /// Some failing cases of each kind.
    pub failures: Vec<Failing>,
    /// Failing cases that did not fail in the run that this one is compared with; `None` without such a run.
    pub newly: Option<u64>,
    /// What is wrong with its file, although it can be read: it was cut short, or changed.
    pub damage: Vec<String>,
}

impl StoredRun {
    /// What explains the wrong outputs, by operator.
    pub fn mistakes(&self) -> &[Mistakes] {
        self.footer.as_ref().map_or(&[], |footer| &footer.mistakes)
    }
}

/// What runs are compared with.
pub trait Before {
    /// Whether there is a run to compare this one with.
    fn knows(&self, header: &Header) -> bool;

    /// Whether a failing case of this run did not fail before.
    fn is_news(&self, header: &Header, case: &Record) -> bool;
}

/// Nothing to compare with.
impl Before for () {
    fn knows(&self, _: &Header) -> bool {
        false
    }

    fn is_news(&self, _: &Header, _: &Record) -> bool {
        false
    }
}

impl StoredRun {
    /// All cases.
    pub fn cases(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Failing cases.
    pub fn failing(&self) -> u64 {
        self.cells.values().map(|cell| cell.fail).sum()
    }

    /// Whether everything selected was judged; a run without a footer was cut short.
    pub fn is_complete(&self) -> bool {
        self.footer.as_ref().is_some_and(|footer| footer.complete)
    }

    /// Why it is incomplete, in a few words each.
    pub fn incomplete(&self) -> Vec<String> {
        match &self.footer {
            None => vec!["the file ends without a footer: the run was cut short".to_owned()],
            Some(footer) if footer.complete => Vec::new(),
            Some(footer) if footer.incomplete.is_empty() => vec!["not everything was looked at".to_owned()],
            Some(footer) => footer.incomplete.clone(),
        }
    }

    /// How it ended, up to a level if one is given.
    pub fn ending(&self, up_to: Option<FeatureLevel>) -> Ending {
        let counted = |place: &Place| up_to.is_none_or(|level| place.level <= level);
        let cells = || {
            self.cells
                .iter()
                .filter(|(place, _)| counted(place))
                .map(|(_, cell)| cell)
        };
        let judged: u64 = cells().map(|cell| cell.cases - cell.skip).sum();
        if cells().any(|cell| cell.fail > 0) {
            Ending::NotConformant
        } else if self.is_complete() && judged > 0 {
            Ending::Conformant
        } else {
            Ending::Incomplete
        }
    }

    /// Failures that are known, up to a level if one is given.
    pub fn known(&self, up_to: Option<FeatureLevel>) -> u64 {
        let counted = |place: &Place| up_to.is_none_or(|level| place.level <= level);
        let cells = self.cells.iter().filter(|(place, _)| counted(place));
        cells.map(|(_, cell)| cell.xfail).sum()
    }

    /// Table levels that it has cases of.
    pub fn levels(&self) -> BTreeSet<FeatureLevel> {
        self.cells.keys().map(|place| place.level).collect()
    }

    /// Operators of which it judged a case.
    pub fn judged_operators(&self) -> BTreeSet<&str> {
        let judged = self.cells.iter().filter(|(_, cell)| cell.cases > cell.skip);
        judged.map(|(place, _)| place.operator.as_str()).collect()
    }

    /// The command that runs a case again.
    pub fn again(&self, id: &str) -> Option<String> {
        self.header.again.as_ref().map(|again| format!("{again} '{id}'"))
    }
}
