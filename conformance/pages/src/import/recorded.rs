//! The record that an import makes of a page: short hashes of its facts and sentences. They identify the page later and
//! show what has changed on it since, including pages that nothing in force rests on.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
};

use dml_spec::model::{Operator, Source, Text};
use sha2::{Digest, Sha256};

use super::{
    facts::{self, Fact, Key},
    merge,
    page::{Page, PageSentence},
};

/// Hex digits of a short hash.
pub(super) const DIGITS: usize = 8;

/// The record of this page, as a source without a name.
pub fn record_page(page: &Page) -> Source {
    let mut hash = Sha256::new();
    let mut stated = Vec::new();
    let twice = facts::find_repeated_facts(page);
    let again = twice.iter().map(|(key, fact)| (key, fact));
    for (key, fact) in facts::collect_page_facts(page).iter().chain(again) {
        hash.update(format_fact(key, &fact.value));
        stated.push(hash_fact(&key.to_string(), &fact.value));
    }
    for sentence in &page.sentences {
        hash.update(format!("{} {}\n", sentence.at.anchor, sentence.at.sha256));
    }
    let sentences: Vec<&str> = page.sentences.iter().map(hash_sentence).collect();
    let revision = match merge::list_levels(page).last() {
        Some(level) => format!("tables to {level}"),
        None => "one table".to_owned(),
    };
    Source {
        name: Text::default(),
        page: page.document.clone().into(),
        locale: page.locale.clone().into(),
        revision: revision.into(),
        facts: format_hash(hash).into(),
        stated: stated.join(" ").into(),
        sentences: sentences.join(" ").into(),
    }
}

fn format_fact(key: &Key, value: &str) -> String {
    format!("{key} = {value}\n")
}

fn format_hash(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The short hash of a fact.
pub fn hash_fact(fact: &str, value: &str) -> String {
    let mut digest = format_hash(Sha256::new_with_prefix(format!("{fact} = {value}\n")));
    digest.truncate(DIGITS);
    digest
}

/// The record of an example that cannot be used: the fact, and a hash of everything the page says in it.
pub fn record_example<'f>(facts: impl Iterator<Item = (&'f Key, &'f Fact)>, wanted: usize) -> (String, String) {
    let mut hash = Sha256::new();
    for (key, fact) in facts.filter(|(key, _)| matches!(key, Key::Example { number, .. } if *number == wanted)) {
        hash.update(format_fact(key, &fact.value));
    }
    (format!("example {wanted}"), format!("sha256-{}", format_hash(hash)))
}

/// The short hash of a sentence.
fn hash_sentence(sentence: &PageSentence) -> &str {
    sentence.at.sha256.get(..DIGITS).unwrap_or_default()
}

/// The recorded source that a page is a copy of, possibly a changed one: that with the same content, else the one of
/// its document and language that shares most facts and sentences with it and has the fewest that it lacks.
pub fn find_source<'o>(operator: &'o Operator, page: &Page, record: &Source) -> Option<&'o Source> {
    let exact = operator.sources.iter().find(|source| source.facts == record.facts);
    if exact.is_some() {
        return exact;
    }
    let of_page: HashSet<&str> = record.stated.split(' ').chain(record.sentences.split(' ')).collect();
    // What the page shares with the source, and what of the source it lacks.
    let nearness = |source: &Source| {
        let recorded = source.stated.split(' ').chain(source.sentences.split(' '));
        let (shared, lacking): (Vec<&str>, Vec<&str>) = recorded
            .filter(|hash| !hash.is_empty())
            .partition(|hash| of_page.contains(hash));
        (shared.len(), Reverse(lacking.len()))
    };
    let fits = |source: &&Source| source.page == page.document && source.locale == page.locale;
    let ranked = operator.sources.iter().filter(fits);
    let ranked = ranked.map(|source| (nearness(source), source));
    // Of equals the first counts.
    let best = ranked.rev().max_by_key(|(nearness, _)| *nearness);
    best.filter(|((shared, _), _)| *shared > 0).map(|(_, source)| source)
}

/// Whether a source's record has this fact.
pub fn has_fact(source: &Source, fact: &str, value: &str) -> bool {
    let hash = hash_fact(fact, value);
    source.stated.split(' ').any(|recorded| recorded == hash)
}

/// A sentence that was removed, added, or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed<'a> {
    /// The short hash of the recorded one.
    pub old: Option<&'a str>,
    /// The one on the page.
    pub new: Option<&'a PageSentence>,
    /// The last unchanged sentence before it.
    pub after: Option<&'a PageSentence>,
}

/// Changes among the sentences of a page since its source was recorded. A moved sentence is not a change.
pub fn compare_sentences<'a>(source: &'a Source, page: &'a Page) -> Vec<Changed<'a>> {
    let old: Vec<&str> = source.sentences.split(' ').filter(|hash| !hash.is_empty()).collect();
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (place, hash) in old.iter().enumerate() {
        places.entry(hash).or_default().push_back(place);
    }
    let same: Vec<Option<usize>> = page
        .sentences
        .iter()
        .map(|sentence| places.get_mut(hash_sentence(sentence))?.pop_front())
        .collect();
    let mut gone: BTreeMap<usize, &str> = places
        .into_iter()
        .flat_map(|(hash, places)| places.into_iter().map(move |place| (place, hash)))
        .collect();
    let (mut found, mut after, mut next) = (Vec::new(), None, 0);
    let mut follower: HashMap<usize, &PageSentence> = HashMap::new();
    for (sentence, same) in page.sentences.iter().zip(&same) {
        if let Some(place) = same {
            (after, next) = (Some(sentence), place + 1);
            follower.insert(next, sentence);
            continue;
        }
        let old = gone.remove(&next);
        next += usize::from(old.is_some());
        found.push(Changed {
            old,
            new: Some(sentence),
            after,
        });
    }
    found.extend(gone.into_iter().map(|(place, hash)| Changed {
        old: Some(hash),
        new: None,
        after: follower.get(&place).copied(),
    }));
    found
}
