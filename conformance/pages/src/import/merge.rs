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
    for part in Part::ALL {
        let of = |facts: &Facts| facts.keys().any(|key| part.holds(key));
        let Some((index, source)) = each.iter().enumerate().find(|(_, facts)| of(facts)) else {
            continue;
        };
        let taken = source.iter().filter(|(key, _)| part.holds(key));
        merged.extend(taken.map(|(key, fact)| (key.clone(), (fact.clone(), index))));
    }
    let kept: Vec<SharedProperty> = collect_shared_properties(merged.keys());
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

/// Parts of a page that are followed as a whole: a table of one revision cannot be combined with those of another.
#[derive(Clone, Copy)]
enum Part {
    Introduced,
    Fields,
    Tables,
    Constraints,
    Examples,
}

impl Part {
    const ALL: [Self; 5] = [
        Self::Introduced,
        Self::Fields,
        Self::Tables,
        Self::Constraints,
        Self::Examples,
    ];

    fn holds(self, key: &Key) -> bool {
        match self {
            Self::Introduced => matches!(key, Key::Introduced),
            Self::Fields => matches!(key, Key::Order | Key::Field(_)),
            Self::Tables => matches!(key, Key::Cell { .. }),
            Self::Constraints => matches!(key, Key::SharedProperty { .. }),
            Self::Examples => matches!(key, Key::Example { .. }),
        }
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

/// The classes among facts.
pub fn collect_shared_properties<'k>(keys: impl Iterator<Item = &'k Key>) -> Vec<SharedProperty> {
    shared_properties::join_classes(keys.filter_map(read_shared_property))
}

fn read_shared_property(key: &Key) -> Option<SharedProperty> {
    match key {
        Key::SharedProperty { tensors, property } => Some(SharedProperty {
            tensors: tensors.split(", ").map(str::to_owned).collect(),
            property: shared_properties::parse_property(property)?,
        }),
        _ => None,
    }
}

/// Whether a statement that tensors share a property follows from classes.
pub fn is_implied(classes: &[SharedProperty], key: &Key) -> bool {
    read_shared_property(key).is_some_and(|same| {
        let holds = |class: &SharedProperty| {
            class.property == same.property && same.tensors.iter().all(|t| class.tensors.contains(t))
        };
        classes.iter().any(holds)
    })
}
