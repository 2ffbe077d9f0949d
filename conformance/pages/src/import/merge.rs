//! Several pages of one operator as one set of facts: which page is followed, and what the others state differently.

use std::{cmp::Reverse, collections::BTreeMap};

use dml_spec::FeatureLevel;

use super::{
    facts::{self, Fact, Facts, Key},
    page::{Layout, Page, SharedProperty},
    shared_properties,
};

/// Facts of several pages.
#[derive(Debug)]
pub struct Merged<'a> {
    /// The pages, the followed one first.
    pub pages: Vec<&'a Page>,
    /// The followed facts, with the index of their page.
    pub facts: BTreeMap<Key, (Fact, usize)>,
    /// Differing facts of other pages, page by page.
    pub conflicts: Vec<Conflict>,
}

impl Merged<'_> {
    /// The fact, if it is this page's that is followed.
    pub fn follows(&self, page: usize, key: &Key) -> Option<&Fact> {
        self.facts
            .get(key)
            .filter(|(_, from)| *from == page)
            .map(|(fact, _)| fact)
    }
}

/// A fact of a page that is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What it is about.
    pub key: Key,
    /// What is followed instead; `None` if the followed pages do not state it.
    pub kept: Option<String>,
    /// What the page says.
    pub fact: Fact,
    /// Index of the page.
    pub page: usize,
}

/// Merges the pages of one operator. The newest set of levels wins, then English before translations, then Markdown
/// before plain text, then the first one given; what the winner does not state at all comes from the next.
pub fn merge_pages<'a>(pages: &[&'a Page]) -> Merged<'a> {
    let mut pages: Vec<&Page> = pages.to_vec();
    pages.sort_by_key(|page| Reverse(rank_page(page)));
    let each: Vec<Facts> = pages.iter().map(|page| facts::collect_page_facts(page)).collect();
    let mut merged: BTreeMap<Key, (Fact, usize)> = BTreeMap::new();
    let mut follow: BTreeMap<u8, usize> = BTreeMap::new();
    for (index, facts) in each.iter().enumerate() {
        for (key, fact) in facts {
            if *follow.entry(part_of(key)).or_insert(index) == index {
                merged.insert(key.clone(), (fact.clone(), index));
            }
        }
    }
    let stated = merged.keys().filter_map(|key| match key {
        Key::SharedProperty(same) => Some(same.clone()),
        _ => None,
    });
    let kept = shared_properties::join_classes(stated);
    let mut conflicts = Vec::new();
    for (page, facts) in each.iter().enumerate() {
        for (key, fact) in facts {
            let followed = merged.get(key).map(|(kept, _)| kept.value.clone());
            let agrees = followed.as_ref() == Some(&fact.value) || is_implied(&kept, key);
            if !agrees {
                conflicts.push(Conflict {
                    key: key.clone(),
                    kept: followed,
                    fact: fact.clone(),
                    page,
                });
            }
        }
    }
    Merged {
        pages,
        facts: merged,
        conflicts,
    }
}

/// The part of a page that a fact belongs to, which is followed as a whole: a table of one revision cannot be combined
/// with those of another.
fn part_of(key: &Key) -> u8 {
    match key {
        Key::Introduced => 0,
        Key::Order | Key::Field(_) => 1,
        Key::Cell { .. } => 2,
        Key::SharedProperty(_) => 3,
        Key::Example { .. } => 4,
    }
}

/// The order of pages; the greatest wins.
fn rank_page(page: &Page) -> (Vec<FeatureLevel>, bool, bool) {
    (
        list_levels(page).into_iter().rev().collect(),
        page.locale.starts_with("en"),
        page.layout != Layout::PlainText,
    )
}

/// Levels of a page's tables, ascending.
pub fn list_levels(page: &Page) -> Vec<FeatureLevel> {
    let mut levels: Vec<FeatureLevel> = page.tables.iter().filter_map(|table| table.value.level).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// Whether a statement that tensors share a property follows from classes.
pub fn is_implied(classes: &[SharedProperty], key: &Key) -> bool {
    let Key::SharedProperty(same) = key else {
        return false;
    };
    let holds = |class: &SharedProperty| {
        class.property == same.property && same.tensors.iter().all(|t| class.tensors.contains(t))
    };
    classes.iter().any(holds)
}
