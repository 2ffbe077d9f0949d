//! Sentences of pages: removed ones, new ones, and the clauses that rest on them.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::{Citation, Clause, Operator, Source};

use super::{Drift, shorten_hash};
use crate::import::{
    merge::Merged,
    page::{At, Page, PageSentence},
    recorded,
};

/// Clauses that rest on a sentence which is not on the page any more and was not reported yet: an import recorded the
/// change, and the clause was not reviewed.
pub(super) fn find_orphans(operator: &Operator, source: &Source, page: &Page, reported: &[Drift]) -> Vec<Drift> {
    let is_reported = |clause: &Clause| {
        reported
            .iter()
            .any(|drift| drift.clauses.iter().any(|id| *id == clause.id))
    };
    let resting = find_orphaned_clauses(operator, source, page).filter(|(clause, _)| !is_reported(clause));
    resting
        .map(|(clause, citation)| {
            let now = page.sentences.iter().find(|s| is_at(&s.at, citation));
            let mut drift = describe_gone(page, citation, now);
            drift.clauses.push(clause.id.to_string());
            drift
        })
        .collect()
}

/// Clauses whose sentence of this source is not on the page.
pub(in crate::import) fn find_orphaned_clauses<'o>(
    operator: &'o Operator,
    source: &'o Source,
    page: &Page,
) -> impl Iterator<Item = (&'o Clause, &'o Citation)> {
    let on_page: BTreeSet<String> = page.sentences.iter().map(|s| s.at.sha256.clone()).collect();
    let clauses = operator.clauses.iter().filter(|clause| clause.retired.is_none());
    let citing = clauses.filter_map(|clause| Some((clause, clause.source.as_ref()?)));
    citing.filter(move |(_, citation)| {
        let of_sentence = citation.source == source.name && !citation.sha256.is_empty();
        of_sentence && !on_page.contains(citation.sha256.as_ref())
    })
}

/// Sentences that changed since the page was recorded.
pub(super) fn find_changes_since(operator: &Operator, source: &Source, page: &Page) -> Vec<Drift> {
    let mut citing: BTreeMap<&str, Vec<(&Citation, Option<String>)>> = BTreeMap::new();
    for (citation, clause) in list_citations(operator).filter(|(citation, _)| citation.source == source.name) {
        let short = citation.sha256.get(..recorded::DIGITS).unwrap_or_default();
        citing.entry(short).or_default().push((citation, clause));
    }
    let changes = recorded::compare_sentences(source, page).into_iter();
    changes
        .map(|change| {
            let citing = change
                .old
                .and_then(|old| citing.get(old))
                .map_or(&[][..], Vec::as_slice);
            let at = change.new.map(|sentence| &sentence.at);
            let what = match (citing.first(), at, change.after) {
                (Some((citation, _)), ..) => format!("sentence {} of {}", citation.sentence, citation.anchor),
                (None, Some(at), _) => format!("sentence {} of {}", at.sentence, at.anchor),
                (None, None, Some(after)) => {
                    format!(
                        "the sentence behind sentence {} of {}",
                        after.at.sentence, after.at.anchor
                    )
                }
                (None, None, None) => "the first sentence".to_owned(),
            };
            let values = (change.old.map(shorten_hash), at.map(|at| shorten_hash(&at.sha256)));
            let line = at.or(change.after.map(|after| &after.at)).map_or(0, |at| at.line);
            let mut drift = Drift::new(what, values, page, line);
            drift.clauses = citing.iter().filter_map(|(_, clause)| clause.clone()).collect();
            drift
        })
        .collect()
}

/// Removed sentences that clauses rest on, and binding sentences that the specification does not know.
pub(super) fn find_changes(operator: &Operator, merged: &Merged<'_>) -> Vec<Drift> {
    let mut found = Vec::new();
    let Some(page) = merged.pages.first() else {
        return found;
    };
    let on_page: BTreeSet<&str> = page.sentences.iter().map(|s| s.at.sha256.as_str()).collect();
    let mut replaced = BTreeSet::new();
    for (citation, clause) in list_citations_of(operator, page) {
        if citation.sha256.is_empty() || on_page.contains(citation.sha256.as_ref()) {
            continue;
        }
        let now = page
            .sentences
            .iter()
            .find(|s| is_at(&s.at, citation) && !is_cited(operator, s));
        replaced.extend(now.map(|s| s.at.sha256.as_str()));
        let mut drift = describe_gone(page, citation, now);
        drift.clauses.extend(clause);
        match found.iter_mut().find(|known: &&mut Drift| known.what == drift.what) {
            Some(known) => known.clauses.append(&mut drift.clauses),
            None => found.push(drift),
        }
    }
    // A page that no citation of this language rests on has no sentences to compare with.
    if list_citations_of(operator, page).next().is_some() {
        let new = find_unknown_sentences(operator, page).filter(|s| !replaced.contains(s.at.sha256.as_str()));
        found.extend(new.map(|sentence| describe_added(page, sentence)));
    }
    found
}

/// A cited sentence that is not on the page, and the one that is there now.
fn describe_gone(page: &Page, citation: &Citation, now: Option<&PageSentence>) -> Drift {
    let what = format!("sentence {} of {}", citation.sentence, citation.anchor);
    let values = (
        Some(shorten_hash(&citation.sha256)),
        now.map(|s| shorten_hash(&s.at.sha256)),
    );
    Drift::new(what, values, page, now.map_or(0, |s| s.at.line))
}

fn is_at(at: &At, citation: &Citation) -> bool {
    at.anchor == citation.anchor && at.sentence == citation.sentence
}

fn describe_added(page: &Page, sentence: &PageSentence) -> Drift {
    let what = format!("sentence {} of {}", sentence.at.sentence, sentence.at.anchor);
    Drift::new(
        what,
        (None, Some(shorten_hash(&sentence.at.sha256))),
        page,
        sentence.at.line,
    )
}

/// Binding sentences that no clause and no entry of the ledger covers.
pub(in crate::import) fn find_unknown_sentences<'p>(
    operator: &'p Operator,
    page: &'p Page,
) -> impl Iterator<Item = &'p PageSentence> {
    page.sentences.iter().filter(|s| s.normative && !is_cited(operator, s))
}

fn is_cited(operator: &Operator, sentence: &PageSentence) -> bool {
    list_citations(operator).any(|(citation, _)| citation.sha256 == sentence.at.sha256)
}

/// Citations with their clauses.
fn list_citations(operator: &Operator) -> impl Iterator<Item = (&Citation, Option<String>)> {
    let clauses = operator
        .clauses
        .iter()
        .filter(|clause| clause.retired.is_none())
        .filter_map(|clause| Some((clause.source.as_ref()?, Some(clause.id.to_string()))));
    let ledger = operator.ledger.iter().map(|entry| {
        let id = Some(entry.clause.to_string()).filter(|id| id.contains('/'));
        (&entry.source, id)
    });
    clauses.chain(ledger)
}

/// Citations of this document in this language.
fn list_citations_of<'o>(
    operator: &'o Operator,
    page: &'o Page,
) -> impl Iterator<Item = (&'o Citation, Option<String>)> {
    list_citations(operator).filter(|(citation, _)| {
        let source = operator.sources.iter().find(|source| source.name == citation.source);
        source.is_some_and(|source| source.page == page.document && source.locale == page.locale)
    })
}
