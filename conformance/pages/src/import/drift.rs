//! Differences between the pages and the specification.

mod sentences;

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::{Catalog, Operator, Source, SupportRow, Text};

use super::{
    facts::{self, Column, Fact, Facts, Key},
    groups,
    merge::{self, Merged},
    page::{Page, SharedProperty},
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
    let digest = recorded::record_page(page).facts;
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
    let search = Search {
        catalog,
        operator,
        merged,
        known: facts::collect_operator_facts(catalog, operator),
    };
    let mut found = Vec::new();
    let cited = list_cited_sources(operator);
    for (index, page) in merged.pages.iter().enumerate() {
        let record = recorded::record_page(page);
        let source = recorded::find_source(operator, page, &record);
        let exact = source.is_some_and(|source| source.facts == record.facts);
        let current = source.is_none_or(|source| cited.contains(source.name.as_ref()));
        match source {
            _ if index == 0 && current => {
                found.extend(search.find_changed_facts());
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
                found.extend(search.find_changes_since_record(source, page));
                found.extend(sentences::find_changes_since(operator, source, page));
            }
            _ => found.extend(search.find_new_conflicts(index, page, &record)),
        }
        if !exact {
            found.extend(search.find_contradictions(page));
        }
    }
    found
}

/// A specification's operator and the pages that are held against it.
struct Search<'a> {
    catalog: &'a Catalog,
    operator: &'a Operator,
    merged: &'a Merged<'a>,
    /// The facts of the operator.
    known: Facts,
}

impl Search<'_> {
    /// Facts of a page that differ from its record, or are missing. The specification reconstructs the recorded facts
    /// from its own and from those that it records as superseded.
    fn find_changes_since_record(&self, source: &Source, page: &Page) -> Vec<Drift> {
        let own = self
            .known
            .iter()
            .map(|(key, fact)| (key.to_string(), fact.value.clone()));
        let others = self.operator.superseded.iter();
        let others = others.map(|entry| (entry.fact.to_string(), entry.value.to_string()));
        let before: BTreeMap<String, String> = own
            .chain(others)
            .filter(|(fact, value)| recorded::has_fact(source, fact, value))
            .collect();
        let now = facts::collect_page_facts(page);
        let new = now
            .iter()
            .filter(|(key, fact)| !recorded::has_fact(source, &key.to_string(), &fact.value));
        let new = new.map(|(key, fact)| self.describe(key, before.get(&key.to_string()).cloned(), Some(fact), page));
        let stated: BTreeSet<String> = now.keys().map(Key::to_string).collect();
        let gone = before.iter().filter(|(fact, _)| !stated.contains(*fact));
        let gone = gone.map(|(fact, value)| {
            let (old, mut known) = (Some(value.clone()), self.known.keys());
            match known.find(|key| key.to_string() == *fact) {
                Some(key) => self.describe(key, old, None, page),
                None => Drift::new(fact.clone(), (old, None), page, 0),
            }
        });
        new.chain(gone).collect()
    }

    /// Contradictions within a page.
    fn find_contradictions(&self, page: &Page) -> Vec<Drift> {
        let first = facts::collect_page_facts(page);
        let twice = facts::find_repeated_facts(page).into_iter();
        let drifts = twice.map(|(key, fact)| {
            let old = first.get(&key).map(|first| first.value.clone());
            let mut drift = self.describe(&key, old, Some(&fact), page);
            drift.what += ", which the page states twice";
            drift
        });
        drifts.collect()
    }

    /// Facts of the followed pages that the specification has otherwise, and facts that the pages do not state.
    fn find_changed_facts(&self) -> Vec<Drift> {
        let classes = shared_properties::find_classes(self.operator);
        let left_out = find_left_out_examples(self.operator, self.merged);
        // An example that cannot be used as written may stand here in another form.
        let is_left_out = |key: &Key| matches!(key, Key::Example { number, .. } if left_out.contains(number));
        let changed = self.merged.facts.iter().filter_map(|(key, (fact, page))| {
            let old = self.known.get(key).map(|old| &old.value);
            let agrees = old == Some(&fact.value)
                || merge::is_implied(&classes, key)
                || is_recorded(self.operator, key, &fact.value)
                || is_left_out(key);
            let page = self.merged.pages.get(*page).filter(|_| !agrees)?;
            Some(self.describe(key, old.cloned(), Some(fact), page))
        });
        let missing = find_missing_facts(&self.known, self.merged);
        let missing = missing.filter(|(key, _)| !is_left_out(key) && !self.is_of_another_document(key));
        let missing = missing.filter_map(|(key, fact)| {
            let page = self.merged.pages.first()?;
            Some(self.describe(key, Some(fact.value.clone()), None, page))
        });
        changed.chain(missing).collect()
    }

    /// Whether a fact is a cell of a table that cites a document which none of the pages is.
    fn is_of_another_document(&self, key: &Key) -> bool {
        let Key::Cell { level, .. } = key else {
            return false;
        };
        let mut tables = self.operator.support.iter().filter(|table| table.level == *level);
        let cited = tables.find_map(|table| table.source.as_ref());
        let source = cited.and_then(|cited| self.operator.sources.iter().find(|source| source.name == cited.source));
        source.is_some_and(|source| !self.merged.pages.iter().any(|page| page.document == source.page))
    }

    /// Facts of a page that is not followed, without those that are recorded.
    fn find_new_conflicts(&self, index: usize, page: &Page, record: &Source) -> Vec<Drift> {
        let conflicts = self.merged.conflicts.iter().filter(|conflict| {
            conflict.page == index && !is_recorded(self.operator, &conflict.key, &conflict.fact.value)
        });
        let mut found: Vec<Drift> = conflicts
            .map(|conflict| {
                let what = format!("{}, which another page says otherwise", conflict.key);
                let values = (conflict.kept.clone(), Some(conflict.fact.value.clone()));
                Drift::new(what, values, page, conflict.fact.line)
            })
            .collect();
        if found.is_empty() {
            let what = "a page that no import has recorded, or whose prose changed since".to_owned();
            found.push(Drift::new(what, (None, Some(shorten_hash(&record.facts))), page, 1));
        }
        found
    }

    /// A change of a fact, with what rests on it.
    fn describe(&self, key: &Key, old: Option<String>, new: Option<&Fact>, page: &Page) -> Drift {
        let values = (old, new.map(|fact| fact.value.clone()));
        let mut drift = Drift::new(key.to_string(), values, page, new.map_or(0, |fact| fact.line));
        drift.whole = matches!(key, Key::Introduced | Key::Order | Key::Field(_));
        drift.ordered = !matches!(key, Key::Cell { .. });
        match key {
            Key::Introduced | Key::Order => {}
            Key::Field(name) => drift.clauses = self.find_clauses(|rule| mentions(rule, name)),
            Key::Cell {
                tensor,
                column: Column::Shape | Column::Kind,
                ..
            } => drift.clauses = self.find_clauses(|rule| mentions(rule, tensor)),
            Key::Cell { column, .. } => {
                let cells = match column {
                    Column::Types => list_differences(&drift, |text| text.split(' ').map(str::to_owned).collect()),
                    _ => list_differences(&drift, list_dimension_counts),
                };
                let row = self.build_row_id(key);
                drift.clauses = cells.iter().map(|cell| format!("{row}/{cell}")).collect();
            }
            Key::SharedProperty(same) => drift.clauses = self.find_clauses(|rule| states_part(rule, same)),
            Key::Example { number, .. } => {
                let numbered = self.operator.examples.iter().zip(facts::number_examples(self.operator));
                let named = numbered
                    .filter(|(_, n)| n == number)
                    .map(|(example, _)| example.name.to_string());
                drift.examples = named.collect();
            }
        }
        drift
    }

    /// Ids of clauses with such a rule.
    fn find_clauses(&self, fits: impl Fn(&Text) -> bool) -> Vec<String> {
        let clauses = self.operator.clauses.iter();
        let clauses = clauses.filter(|clause| clause.rule.as_ref().is_some_and(&fits));
        clauses.map(|clause| clause.id.to_string()).collect()
    }

    /// First part of the ids of a row's cells. A level without a table uses those of the table that is in force there.
    fn build_row_id(&self, key: &Key) -> String {
        let Key::Cell {
            functions,
            level,
            tensor,
            ..
        } = key
        else {
            return String::new();
        };
        let rows = groups::list_rows(self.catalog, self.operator);
        let fits = |(of, at, row): &&(Vec<String>, _, &SupportRow)| {
            of.join("+") == *functions && *at <= *level && row.tensor == tensor.as_str()
        };
        let group = rows
            .iter()
            .rev()
            .find(fits)
            .map_or("", |(_, _, row)| row.group.as_ref());
        let level = self.operator.table_at(*level).map_or(*level, |table| table.level);
        let space = if group.is_empty() { "" } else { "/" };
        format!("{}/{level}{space}{group}/{tensor}", self.operator.name)
    }
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
        has_superseded(operator, &fact, &value)
    };
    numbers.into_iter().filter(recorded).collect()
}

/// Facts that the pages do not state. Shared properties may be in the prose alone: their sentences show that.
pub(super) fn find_missing_facts<'k>(
    known: &'k Facts,
    merged: &Merged<'_>,
) -> impl Iterator<Item = (&'k Key, &'k Fact)> {
    let absent = known.iter().filter(|(key, _)| !merged.facts.contains_key(key));
    absent.filter(|(key, _)| !matches!(key, Key::SharedProperty(_)))
}

/// Whether the specification states that it does not follow this.
pub fn is_recorded(operator: &Operator, key: &Key, value: &str) -> bool {
    has_superseded(operator, &key.to_string(), value)
}

fn has_superseded(operator: &Operator, fact: &str, value: &str) -> bool {
    let mut entries = operator.superseded.iter();
    entries.any(|entry| entry.fact == fact && entry.value == value)
}

/// Whether a rule mentions a field.
fn mentions(rule: &str, field: &str) -> bool {
    let mut words = rule.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| word == field)
}

/// Whether a rule states a part of what tensors share.
fn states_part(rule: &str, same: &SharedProperty) -> bool {
    let mut all = shared_properties::read_rule(rule).into_iter();
    all.any(|stated| {
        let both = stated.tensors.iter().filter(|tensor| same.tensors.contains(tensor));
        stated.property == same.property && both.count() > 1
    })
}

/// What only one of the two cells contains.
fn list_differences(cells: &Drift, parts: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let [old, new] = [&cells.old, &cells.new].map(|cell| {
        let parts = cell.iter().flat_map(|text| parts(text));
        parts.collect::<BTreeSet<String>>()
    });
    old.symmetric_difference(&new).cloned().collect()
}

/// `4-D`, `5-D` of `4..5`.
fn list_dimension_counts(text: &str) -> Vec<String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let bounds = low.parse().ok().zip(high.parse().ok());
    let (low, high): (u32, u32) = bounds.unwrap_or((1, 0));
    (low..=high.min(8)).map(|count| format!("{count}-D")).collect()
}

/// The first digits of a hash.
fn shorten_hash(sha256: &str) -> String {
    format!("sha256 {}", sha256.get(..recorded::DIGITS).unwrap_or(sha256))
}
