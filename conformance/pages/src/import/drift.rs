//! Differences between the pages and the specification.

mod sentences;

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::{Catalog, Operator, Source, Text};

use super::{
    facts::{self, Column, Facts, Key},
    groups,
    merge::{self, Conflict, Merged},
    page::Page,
    recorded, shared_properties,
};

pub(super) use sentences::{find_orphaned_clauses, find_unknown_sentences};

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// A fact, or a sentence with its anchor.
    pub what: String,
    /// What the specification has; `None` if it has nothing. Sentences are given by their hashes.
    pub old: Option<String>,
    /// What the page has; `None` if it has nothing.
    pub new: Option<String>,
    /// File and place on it; only the file if the page does not state it any more.
    pub file: String,
    /// Line on the page from 1; 0 if there is none.
    pub line: u32,
    /// Ids of clauses and support cells that rest on it.
    pub clauses: Vec<String>,
    /// Names of examples that it concerns.
    pub examples: Vec<String>,
    /// Every case of the operator rests on it.
    pub whole: bool,
    /// The order of the words in its values counts, as that of the elements of an example.
    pub ordered: bool,
}

impl Drift {
    /// A change that affects no known clause.
    fn new(what: String, (old, new): (Option<String>, Option<String>), page: &Page, line: u32) -> Self {
        Self {
            what,
            old,
            new,
            file: page.file.clone(),
            line,
            clauses: Vec::new(),
            examples: Vec::new(),
            whole: false,
            ordered: true,
        }
    }
}

/// Whether an import has seen the page in this form, and nothing in force rests on it: an older revision or
/// a translation.
pub fn is_known(operator: &Operator, page: &Page) -> bool {
    let digest = recorded::record_page(page).digest;
    let cited = list_cited_sources(operator);
    let known = operator.sources.iter().find(|source| source.facts == digest);
    known.is_some_and(|source| !cited.contains(source.name.as_ref()))
}

/// Names of the sources that clauses, tables and examples cite.
pub fn list_cited_sources(operator: &Operator) -> BTreeSet<&str> {
    operator.citations().map(|citation| citation.source.as_ref()).collect()
}

/// All differences between the pages and the specification. The followed page is compared with the specification, every
/// other one with its record.
pub fn find_drift(catalog: &Catalog, operator: &Operator, merged: &Merged<'_>) -> Vec<Drift> {
    let mut found = Vec::new();
    let cited = list_cited_sources(operator);
    for (index, page) in merged.pages.iter().enumerate() {
        let record = recorded::record_page(page);
        let source = recorded::find_source(operator, page, &record);
        let exact = source.is_some_and(|source| source.facts == record.digest);
        let current = source.is_none_or(|source| cited.contains(source.name.as_ref()));
        match source {
            _ if index == 0 && current => {
                found.extend(find_changed_facts(catalog, operator, merged));
                found.extend(match source.filter(|source| !source.sentences.is_empty()) {
                    Some(source) => {
                        let mut changed = sentences::find_changes_since(operator, source, page);
                        changed.extend(sentences::find_orphans(operator, source, page, &changed));
                        changed
                    }
                    None => sentences::find_changes(operator, merged),
                });
            }
            Some(_) if exact => continue,
            Some(source) if !source.stated.is_empty() => {
                found.extend(find_changes_since_record(catalog, operator, source, page));
                found.extend(sentences::find_changes_since(operator, source, page));
            }
            _ => found.extend(find_new_conflicts(operator, merged, index, page)),
        }
        if !exact {
            found.extend(find_contradictions(catalog, operator, page));
        }
    }
    found
}

/// Facts of a page that differ from its record, or are missing. The specification reconstructs the recorded facts from
/// its own and from those that it records as superseded.
fn find_changes_since_record(catalog: &Catalog, operator: &Operator, source: &Source, page: &Page) -> Vec<Drift> {
    let known = facts::collect_operator_facts(catalog, operator);
    let own = known.iter().map(|(key, fact)| (key.to_string(), fact.value.clone()));
    let others = operator.superseded.iter();
    let others = others.map(|entry| (entry.fact.to_string(), entry.value.to_string()));
    let before: BTreeMap<String, String> = own
        .chain(others)
        .filter(|(fact, value)| recorded::has_fact(source, fact, value))
        .collect();
    let mut found = Vec::new();
    for (key, fact) in recorded::find_new_facts(source, page) {
        let line = fact.at.as_ref().map_or(0, |at| at.line);
        let values = (before.get(&key.to_string()).cloned(), Some(fact.value));
        found.push(describe_change(
            catalog,
            operator,
            &key,
            values,
            (page.file.clone(), line),
        ));
    }
    let now: BTreeSet<String> = facts::collect_page_facts(page).keys().map(Key::to_string).collect();
    let gone = before.iter().filter(|(fact, _)| !now.contains(*fact));
    found.extend(gone.map(|(fact, value)| {
        let key = known.keys().find(|key| key.to_string() == *fact);
        let values = (Some(value.clone()), None);
        match key {
            Some(key) => describe_change(catalog, operator, key, values, (page.file.clone(), 0)),
            None => Drift::new(fact.clone(), values, page, 0),
        }
    }));
    found
}

/// Contradictions within a page.
fn find_contradictions(catalog: &Catalog, operator: &Operator, page: &Page) -> Vec<Drift> {
    let first = facts::collect_page_facts(page);
    let twice = facts::find_repeated_facts(page).into_iter();
    twice
        .map(|(key, fact)| {
            let line = fact.at.as_ref().map_or(0, |at| at.line);
            let values = (first.get(&key).map(|first| first.value.clone()), Some(fact.value));
            let drift = describe_change(catalog, operator, &key, values, (page.file.clone(), line));
            Drift {
                what: format!("{}, which the page states twice", drift.what),
                ..drift
            }
        })
        .collect()
}

fn find_changed_facts(catalog: &Catalog, operator: &Operator, merged: &Merged<'_>) -> Vec<Drift> {
    let known = facts::collect_operator_facts(catalog, operator);
    let file = |page: usize| merged.pages.get(page).map(|page| page.file.clone()).unwrap_or_default();
    let classes = shared_properties::find_classes(operator);
    let left_out = find_left_out_examples(operator, merged);
    let mut found = Vec::new();
    for (key, (fact, page)) in &merged.facts {
        let old = known.get(key).map(|old| old.value.clone());
        let agrees = old.as_ref() == Some(&fact.value)
            || merge::is_implied(&classes, key)
            || is_recorded(operator, key, &fact.value)
            || matches!(key, Key::Example { number, .. } if left_out.contains(number));
        if !agrees {
            let line = fact.at.as_ref().map_or(0, |at| at.line);
            found.push(describe_change(
                catalog,
                operator,
                key,
                (old, Some(fact.value.clone())),
                (file(*page), line),
            ));
        }
    }
    for (key, fact) in find_missing_facts(&known, merged) {
        let old = Some(fact.clone());
        found.push(describe_change(catalog, operator, key, (old, None), (file(0), 0)));
    }
    found
}

/// Numbers of the examples that the specification cannot use in their form.
pub fn find_left_out_examples(operator: &Operator, merged: &Merged<'_>) -> BTreeSet<usize> {
    let facts = || merged.facts.iter().map(|(key, (fact, _))| (key, fact));
    let numbers = facts().filter_map(|(key, _)| match key {
        Key::Example { number, .. } => Some(*number),
        _ => None,
    });
    let numbers: BTreeSet<usize> = numbers.collect();
    let recorded = |number: &usize| {
        let (fact, value) = recorded::record_example(facts(), *number);
        let mut all = operator.superseded.iter();
        all.any(|entry| entry.fact == fact && entry.value == value)
    };
    numbers.into_iter().filter(recorded).collect()
}

/// Facts that the pages do not state. Shared properties may be in the prose alone: their sentences show that.
fn find_missing_facts<'k>(known: &'k Facts, merged: &Merged<'_>) -> Vec<(&'k Key, &'k String)> {
    let absent = known.iter().filter(|(key, _)| !merged.facts.contains_key(key));
    let told = absent.filter(|(key, _)| !matches!(key, Key::SharedProperty { .. }));
    told.map(|(key, fact)| (key, &fact.value)).collect()
}

/// Whether the specification states that it does not follow this.
pub fn is_recorded(operator: &Operator, key: &Key, value: &str) -> bool {
    let fact = key.to_string();
    let mut recorded = operator.superseded.iter();
    recorded.any(|entry| entry.fact == fact && entry.value == value)
}

fn describe_change(
    catalog: &Catalog,
    operator: &Operator,
    key: &Key,
    (old, new): (Option<String>, Option<String>),
    (file, line): (String, u32),
) -> Drift {
    let (clauses, examples) = find_resting_on(catalog, operator, key, &old, &new);
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
fn find_resting_on(
    catalog: &Catalog,
    operator: &Operator,
    key: &Key,
    old: &Option<String>,
    new: &Option<String>,
) -> (Vec<String>, Vec<String>) {
    match key {
        Key::Introduced | Key::Order => (Vec::new(), Vec::new()),
        Key::Field(name) => (find_clauses_naming(operator, name), Vec::new()),
        Key::Cell { tensor, column, .. } => {
            let row = build_row_id(catalog, operator, key);
            let cells = match column {
                Column::Types => list_differences(old, new, &|text| text.split(' ').map(str::to_owned).collect()),
                Column::Dimensions => list_differences(old, new, &list_dimension_counts),
                Column::Shape | Column::Kind => return (find_clauses_naming(operator, tensor), Vec::new()),
            };
            (
                cells.into_iter().map(|cell| format!("{row}/{cell}")).collect(),
                Vec::new(),
            )
        }
        Key::SharedProperty { .. } => (find_clauses_stating(operator, key), Vec::new()),
        Key::Example { number, .. } => {
            let numbered = operator.examples.iter().zip(facts::number_examples(operator));
            let named = numbered
                .filter(|(_, n)| n == number)
                .map(|(example, _)| example.name.to_string());
            (Vec::new(), named.collect())
        }
    }
}

/// Ids of clauses whose rule mentions a field.
fn find_clauses_naming(operator: &Operator, field: &str) -> Vec<String> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let mentions = |rule: &Text| rule.split(word).any(|part| part == field);
    let clauses = operator
        .clauses
        .iter()
        .filter(|c| c.rule.as_ref().is_some_and(mentions));
    clauses.map(|c| c.id.to_string()).collect()
}

/// Ids of clauses that state a part of what the key states.
fn find_clauses_stating(operator: &Operator, key: &Key) -> Vec<String> {
    let Key::SharedProperty { tensors, property } = key else {
        return Vec::new();
    };
    let tensors: Vec<&str> = tensors.split(", ").collect();
    let part = |rule: &Text| {
        let mut all = shared_properties::read_rule(rule).into_iter();
        all.any(|s| {
            s.property.name() == *property && s.tensors.iter().filter(|t| tensors.contains(&t.as_str())).count() > 1
        })
    };
    let clauses = operator.clauses.iter().filter(|c| c.rule.as_ref().is_some_and(part));
    clauses.map(|c| c.id.to_string()).collect()
}

/// What only one of two cells contains.
fn list_differences(old: &Option<String>, new: &Option<String>, parts: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let split = |cell: &Option<String>| -> BTreeSet<String> { cell.iter().flat_map(|text| parts(text)).collect() };
    split(old).symmetric_difference(&split(new)).cloned().collect()
}

/// `4-D`, `5-D` of `4..5`.
fn list_dimension_counts(text: &str) -> Vec<String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let bounds = low.parse().ok().zip(high.parse().ok());
    let (low, high): (u32, u32) = bounds.unwrap_or((1, 0));
    (low..=high.min(8)).map(|count| format!("{count}-D")).collect()
}

/// First part of the ids of a row's cells. A level without a table uses those of the table that is in force there.
fn build_row_id(catalog: &Catalog, operator: &Operator, key: &Key) -> String {
    let Key::Cell {
        functions,
        level,
        tensor,
        ..
    } = key
    else {
        return String::new();
    };
    let rows = groups::list_rows(catalog, operator);
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

/// Facts of a page that is not followed, without those that are recorded.
fn find_new_conflicts(operator: &Operator, merged: &Merged<'_>, index: usize, page: &Page) -> Vec<Drift> {
    let of =
        |conflict: &&Conflict| conflict.page == index && !is_recorded(operator, &conflict.key, &conflict.fact.value);
    let conflicts = merged.conflicts.iter().filter(of);
    let mut found: Vec<Drift> = conflicts
        .map(|conflict| {
            let what = format!("{}, which another page says otherwise", conflict.key);
            let line = conflict.fact.at.as_ref().map_or(0, |at| at.line);
            let values = (conflict.kept.clone(), Some(conflict.fact.value.clone()));
            Drift::new(what, values, page, line)
        })
        .collect();
    if found.is_empty() {
        let what = "a page that no import has recorded, or whose prose changed since".to_owned();
        let digest = recorded::record_page(page).digest;
        found.push(Drift::new(what, (None, Some(shorten_hash(&digest))), page, 1));
    }
    found
}

/// The first digits of a hash.
fn shorten_hash(sha256: &str) -> String {
    format!("sha256 {}", sha256.get(..recorded::DIGITS).unwrap_or(sha256))
}
