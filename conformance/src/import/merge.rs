//! Several pages of one operator as one set of facts: which page is followed, and what the others say otherwise.

use std::{cmp::Reverse, collections::BTreeMap};

use dml_spec::FeatureLevel;

use super::{
    facts::{self, Fact, Facts, Key},
    page::{Layout, Page, Same},
    same,
};

/// Facts of several pages.
#[derive(Debug)]
pub struct Merged<'a> {
    /// The pages, the one that is followed first.
    pub pages: Vec<&'a Page>,
    /// What is followed, with the index of its page.
    pub facts: BTreeMap<Key, (Fact, usize)>,
    /// What other pages say otherwise, page by page.
    pub conflicts: Vec<Conflict>,
}

/// A fact of a page that is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What it is about.
    pub key: Key,
    /// What is followed instead; `None` where the pages that are followed say nothing of it.
    pub kept: Option<String>,
    /// What the page says.
    pub fact: Fact,
    /// Index of the page.
    pub page: usize,
}

/// Merges the pages of one operator. The newest set of levels wins, then English before translations, then Markdown
/// before plain text, then the first one given; what the winner says nothing at all about comes from the next.
pub fn merge<'a>(pages: &[&'a Page]) -> Merged<'a> {
    let mut pages: Vec<&Page> = pages.to_vec();
    pages.sort_by_key(|page| Reverse(rank(page)));
    let each: Vec<Facts> = pages.iter().map(|page| facts::of_page(page)).collect();
    let mut merged: BTreeMap<Key, (Fact, usize)> = BTreeMap::new();
    for part in Part::ALL {
        let of = |facts: &Facts| facts.keys().any(|key| part.holds(key));
        let Some((index, source)) = each.iter().enumerate().find(|(_, facts)| of(facts)) else {
            continue;
        };
        let taken = source.iter().filter(|(key, _)| part.holds(key));
        merged.extend(taken.map(|(key, fact)| (key.clone(), (fact.clone(), index))));
    }
    let kept: Vec<Same> = sames(merged.keys());
    let mut conflicts = Vec::new();
    for (page, facts) in each.iter().enumerate() {
        for (key, fact) in facts {
            let followed = merged.get(key).map(|(kept, _)| kept.value.clone());
            let agrees = followed.as_ref() == Some(&fact.value) || implied(&kept, key);
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

/// Parts of a page that are followed as a whole: a table of one revision says nothing beside those of another.
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
            Self::Constraints => matches!(key, Key::Same { .. }),
            Self::Examples => matches!(key, Key::Example { .. }),
        }
    }
}

/// What decides which page is followed; the greatest wins.
fn rank(page: &Page) -> (Vec<FeatureLevel>, bool, bool) {
    (
        levels(page).into_iter().rev().collect(),
        page.locale.starts_with("en"),
        page.layout != Layout::PlainText,
    )
}

/// Levels of a page's tables, ascending.
pub fn levels(page: &Page) -> Vec<FeatureLevel> {
    let mut levels: Vec<FeatureLevel> = page.tables.iter().filter_map(|table| table.value.level).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// The classes among facts.
pub fn sames<'k>(keys: impl Iterator<Item = &'k Key>) -> Vec<Same> {
    same::joined(keys.filter_map(to_same))
}

fn to_same(key: &Key) -> Option<Same> {
    match key {
        Key::Same { tensors, property } => Some(Same {
            tensors: tensors.split(", ").map(str::to_owned).collect(),
            property: same::property(property)?,
        }),
        _ => None,
    }
}

/// Whether a statement that tensors share a property follows from classes.
pub fn implied(classes: &[Same], key: &Key) -> bool {
    to_same(key).is_some_and(|same| {
        let holds =
            |class: &Same| class.property == same.property && same.tensors.iter().all(|t| class.tensors.contains(t));
        classes.iter().any(holds)
    })
}
