//! What pages say now against what the specification says.

use std::collections::BTreeSet;

use dml_spec::model::{Catalog, Citation, Operator, Text};
use sha2::{Digest, Sha256};

use super::{
    facts::{self, Column, Facts, Key},
    groups,
    merge::{self, Conflict, Merged},
    page::{At, Page, PageSentence},
    same,
};

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// What: a fact, or a sentence with its anchor.
    pub what: String,
    /// What the specification has; `None` where it has nothing. Sentences are given by their hashes.
    pub old: Option<String>,
    /// What the page has; `None` where it has nothing.
    pub new: Option<String>,
    /// File and place on it; only the file where the page says nothing of it any more.
    pub file: String,
    /// Line on the page from 1; 0 where there is none.
    pub line: u32,
    /// Ids of clauses and support cells that rest on it.
    pub clauses: Vec<String>,
    /// Names of examples that it is about.
    pub examples: Vec<String>,
    /// Every case of the operator rests on it.
    pub whole: bool,
    /// The order of the words in its values counts, as that of the elements of an example.
    pub ordered: bool,
}

/// Content hash of everything normative on a page: its facts and its sentences that bind.
pub fn digest(page: &Page) -> String {
    let mut hash = Sha256::new();
    for (key, fact) in facts::of_page(page) {
        hash.update(format!("{key} = {}\n", fact.value));
    }
    for sentence in page.sentences.iter().filter(|s| s.normative) {
        hash.update(format!("{} {}\n", sentence.at.anchor, sentence.at.sha256));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the page is one that an import has seen, as it is, and that nothing in force rests on: an older revision or
/// a translation.
pub fn is_known(operator: &Operator, page: &Page) -> bool {
    let digest = digest(page);
    let cited = in_force(operator);
    let known = operator.sources.iter().find(|source| source.facts == digest);
    known.is_some_and(|source| !cited.contains(source.name.as_ref()))
}

/// Names of the sources that clauses, tables and examples cite.
pub fn in_force(operator: &Operator) -> BTreeSet<&str> {
    operator.citations().map(|citation| citation.source.as_ref()).collect()
}

/// Everything that the pages say otherwise than the specification.
pub fn drift(catalog: &Catalog, operator: &Operator, merged: &Merged<'_>) -> Vec<Drift> {
    let mut found = Vec::new();
    if merged.pages.first().is_some_and(|page| !is_known(operator, page)) {
        found.extend(facts_changed(catalog, operator, merged));
        found.extend(sentences_changed(operator, merged));
    }
    let others = merged.pages.iter().enumerate().skip(1);
    for (index, page) in others.filter(|(_, page)| !is_known(operator, page)) {
        found.extend(new_conflicts(operator, merged, index, page));
    }
    found
}

fn facts_changed(catalog: &Catalog, operator: &Operator, merged: &Merged<'_>) -> Vec<Drift> {
    let known = facts::of_operator(catalog, operator);
    let file = |page: usize| merged.pages.get(page).map(|page| page.file.clone()).unwrap_or_default();
    let classes = same::classes(operator);
    let mut found = Vec::new();
    for (key, (fact, page)) in &merged.facts {
        let old = known.get(key).map(|old| old.value.clone());
        let agrees = old.as_ref() == Some(&fact.value)
            || merge::implied(&classes, key)
            || is_recorded(operator, key, &fact.value);
        if !agrees {
            let line = fact.at.as_ref().map_or(0, |at| at.line);
            found.push(changed(
                catalog,
                operator,
                key,
                (old, Some(fact.value.clone())),
                (file(*page), line),
            ));
        }
    }
    for (key, fact) in missing(&known, merged) {
        let old = Some(fact.clone());
        found.push(changed(catalog, operator, key, (old, None), (file(0), 0)));
    }
    found
}

/// Facts that the pages do not state. Shared properties may stand in the prose alone: their sentences tell.
fn missing<'k>(known: &'k Facts, merged: &Merged<'_>) -> Vec<(&'k Key, &'k String)> {
    let absent = known.iter().filter(|(key, _)| !merged.facts.contains_key(key));
    let told = absent.filter(|(key, _)| !matches!(key, Key::Same { .. }));
    told.map(|(key, fact)| (key, &fact.value)).collect()
}

/// Whether the specification says that it does not follow this.
pub fn is_recorded(operator: &Operator, key: &Key, value: &str) -> bool {
    let fact = key.to_string();
    let mut recorded = operator.superseded.iter();
    recorded.any(|entry| entry.fact == fact && entry.value == value)
}

fn changed(
    catalog: &Catalog,
    operator: &Operator,
    key: &Key,
    (old, new): (Option<String>, Option<String>),
    (file, line): (String, u32),
) -> Drift {
    let (clauses, examples) = resting(catalog, operator, key, &old, &new);
    Drift {
        what: key.to_string(),
        old,
        new,
        file,
        line,
        clauses,
        examples,
        whole: matches!(key, Key::Introduced | Key::Order | Key::Field(_)),
        ordered: !matches!(key, Key::Cell { .. }),
    }
}

/// Clauses, cells and examples that rest on a fact.
fn resting(
    catalog: &Catalog,
    operator: &Operator,
    key: &Key,
    old: &Option<String>,
    new: &Option<String>,
) -> (Vec<String>, Vec<String>) {
    match key {
        Key::Introduced | Key::Order => (Vec::new(), Vec::new()),
        Key::Field(name) => (mentioning(operator, name), Vec::new()),
        Key::Cell { tensor, column, .. } => {
            let row = row_id(catalog, operator, key);
            let cells = match column {
                Column::Types => differing(old, new, &|text| text.split(' ').map(str::to_owned).collect()),
                Column::Dimensions => differing(old, new, &counts),
                Column::Shape => return (mentioning(operator, tensor), Vec::new()),
            };
            (
                cells.into_iter().map(|cell| format!("{row}/{cell}")).collect(),
                Vec::new(),
            )
        }
        Key::Same { .. } => (stating(operator, key), Vec::new()),
        Key::Example { number, .. } => {
            let numbered = operator.examples.iter().zip(facts::numbers(operator));
            let named = numbered
                .filter(|(_, n)| n == number)
                .map(|(example, _)| example.name.to_string());
            (Vec::new(), named.collect())
        }
    }
}

/// Ids of clauses whose rule mentions a field.
fn mentioning(operator: &Operator, field: &str) -> Vec<String> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let mentions = |rule: &Text| rule.split(word).any(|part| part == field);
    let clauses = operator
        .clauses
        .iter()
        .filter(|c| c.rule.as_ref().is_some_and(mentions));
    clauses.map(|c| c.id.to_string()).collect()
}

/// Ids of clauses that state a part of what the key states.
fn stating(operator: &Operator, key: &Key) -> Vec<String> {
    let Key::Same { tensors, property } = key else {
        return Vec::new();
    };
    let tensors: Vec<&str> = tensors.split(", ").collect();
    let part = |rule: &Text| {
        let mut all = same::of_rule(rule).into_iter();
        all.any(|s| {
            s.property.name() == *property && s.tensors.iter().filter(|t| tensors.contains(&t.as_str())).count() > 1
        })
    };
    let clauses = operator.clauses.iter().filter(|c| c.rule.as_ref().is_some_and(part));
    clauses.map(|c| c.id.to_string()).collect()
}

/// What is in one of two cells only.
fn differing(old: &Option<String>, new: &Option<String>, parts: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let split = |cell: &Option<String>| -> BTreeSet<String> { cell.iter().flat_map(|text| parts(text)).collect() };
    split(old).symmetric_difference(&split(new)).cloned().collect()
}

/// `4-D`, `5-D` of `4..5`.
fn counts(text: &str) -> Vec<String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let bounds = low.parse().ok().zip(high.parse().ok());
    let (low, high): (u32, u32) = bounds.unwrap_or((1, 0));
    (low..=high.min(8)).map(|count| format!("{count}-D")).collect()
}

/// First part of the ids of a row's cells. A level without a table has those of the table that is in force there.
fn row_id(catalog: &Catalog, operator: &Operator, key: &Key) -> String {
    let Key::Cell {
        functions,
        level,
        tensor,
        ..
    } = key
    else {
        return String::new();
    };
    let rows = groups::rows(catalog, operator);
    let fits = |(of, at, row): &&(Vec<String>, _, &dml_spec::model::SupportRow)| {
        of.join("+") == *functions && *at <= *level && row.tensor == tensor.as_str()
    };
    let group = rows
        .iter()
        .rev()
        .find(fits)
        .map(|(_, _, row)| row.group.as_ref())
        .unwrap_or_default();
    let level = operator.table_at(*level).map_or(*level, |table| table.level);
    let space = if group.is_empty() { "" } else { "/" };
    format!("{}/{level}{space}{group}/{tensor}", operator.name)
}

/// Sentences that clauses rest on and that are gone, and sentences that bind and that nobody knows.
fn sentences_changed(operator: &Operator, merged: &Merged<'_>) -> Vec<Drift> {
    let mut found = Vec::new();
    let Some(page) = merged.pages.first() else {
        return found;
    };
    let on_page: BTreeSet<&str> = page.sentences.iter().map(|s| s.at.sha256.as_str()).collect();
    let mut replaced = BTreeSet::new();
    for (citation, clause) in cited(operator, page) {
        if citation.sha256.is_empty() || on_page.contains(citation.sha256.as_ref()) {
            continue;
        }
        let now = page
            .sentences
            .iter()
            .find(|s| is_at(&s.at, citation) && !is_cited(operator, s));
        replaced.extend(now.map(|s| s.at.sha256.as_str()));
        let what = format!("sentence {} of {}", citation.sentence, citation.anchor);
        let again = found.iter_mut().find(|drift: &&mut Drift| drift.what == what);
        match again {
            Some(drift) => drift.clauses.extend(clause),
            None => found.push(Drift {
                what,
                old: Some(short(&citation.sha256)),
                new: now.map(|s| short(&s.at.sha256)),
                file: page.file.clone(),
                line: now.map_or(0, |s| s.at.line),
                clauses: clause.into_iter().collect(),
                examples: Vec::new(),
                whole: false,
                ordered: true,
            }),
        }
    }
    // A page that no citation of this language rests on has no sentences to compare with.
    if cited(operator, page).next().is_some() {
        let new = unknown(operator, page).filter(|s| !replaced.contains(s.at.sha256.as_str()));
        found.extend(new.map(|sentence| added(page, sentence)));
    }
    found
}

fn is_at(at: &At, citation: &Citation) -> bool {
    at.anchor == citation.anchor && at.sentence == citation.sentence
}

fn added(page: &Page, sentence: &PageSentence) -> Drift {
    Drift {
        what: format!("sentence {} of {}", sentence.at.sentence, sentence.at.anchor),
        old: None,
        new: Some(short(&sentence.at.sha256)),
        file: page.file.clone(),
        line: sentence.at.line,
        clauses: Vec::new(),
        examples: Vec::new(),
        whole: false,
        ordered: true,
    }
}

/// Sentences that bind and that no clause and no entry of the ledger knows.
pub fn unknown<'p>(operator: &'p Operator, page: &'p Page) -> impl Iterator<Item = &'p PageSentence> {
    page.sentences.iter().filter(|s| s.normative && !is_cited(operator, s))
}

fn is_cited(operator: &Operator, sentence: &PageSentence) -> bool {
    citations(operator).any(|(citation, _)| citation.sha256 == sentence.at.sha256)
}

/// Citations with the clauses they stand for.
fn citations(operator: &Operator) -> impl Iterator<Item = (&Citation, Option<String>)> {
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
fn cited<'o>(operator: &'o Operator, page: &'o Page) -> impl Iterator<Item = (&'o Citation, Option<String>)> {
    citations(operator).filter(|(citation, _)| {
        let source = operator.sources.iter().find(|source| source.name == citation.source);
        source.is_some_and(|source| source.page == page.document && source.locale == page.locale)
    })
}

/// What a page that is not followed says, and is not recorded to say.
fn new_conflicts(operator: &Operator, merged: &Merged<'_>, index: usize, page: &Page) -> Vec<Drift> {
    let of =
        |conflict: &&Conflict| conflict.page == index && !is_recorded(operator, &conflict.key, &conflict.fact.value);
    let conflicts = merged.conflicts.iter().filter(of);
    let mut found: Vec<Drift> = conflicts
        .map(|conflict| Drift {
            what: format!("{}, which another page says otherwise", conflict.key),
            old: conflict.kept.clone(),
            new: Some(conflict.fact.value.clone()),
            file: page.file.clone(),
            line: conflict.fact.at.as_ref().map_or(0, |at| at.line),
            clauses: Vec::new(),
            examples: Vec::new(),
            whole: false,
            ordered: true,
        })
        .collect();
    if found.is_empty() {
        found.push(Drift {
            what: "a page that no import has recorded, or whose prose changed since".to_owned(),
            old: None,
            new: Some(short(&digest(page))),
            file: page.file.clone(),
            line: 1,
            clauses: Vec::new(),
            examples: Vec::new(),
            whole: false,
            ordered: true,
        });
    }
    found
}

/// The first digits of a hash.
fn short(sha256: &str) -> String {
    format!("sha256 {}", sha256.get(..12).unwrap_or(sha256))
}
