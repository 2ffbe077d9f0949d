//! Finds clauses by what they cite or by their words.

use dml_spec::{Catalog, model::Citation};
use dml_spec_yaml::ledger;

use dml_case::clause::{cited, clauses, owner, source};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Id of the clause; `X/3.1` is the table of a level, `X/examples/name` an example.
    pub id: String,
    /// What it says, in our words.
    pub says: String,
    /// Citation; empty if there is none.
    pub place: String,
}

/// Everything that cites the reference: clauses in force, tables, examples.
fn list_citing(catalog: &Catalog) -> Vec<(Hit, &Citation)> {
    let hit = |id: String, says: String, owner: &str, citation: &Citation| Hit {
        id,
        says,
        place: cited(catalog, owner, citation),
    };
    let mut found = Vec::new();
    for clause in clauses(catalog).filter(|clause| clause.retired.is_none()) {
        if let Some(citation) = &clause.source {
            let owner = owner(&clause.id);
            found.push((
                hit(clause.id.to_string(), clause.says.to_string(), owner, citation),
                citation,
            ));
        }
    }
    for operator in catalog.operators.iter() {
        for table in operator.support.iter() {
            let says = || format!("The table of level {}.", table.level);
            let id = |group: &str| match group {
                "" => format!("{}/{}", operator.name, table.level),
                group => format!("{}/{}/{group}", operator.name, table.level),
            };
            if let Some(citation) = &table.source {
                found.push((hit(id(""), says(), &operator.name, citation), citation));
            }
            let mut groups: Vec<&str> = Vec::new();
            for row in table.rows.iter().filter(|row| row.source != table.source) {
                if let Some(citation) = row.source.as_ref().filter(|_| !groups.contains(&&*row.group)) {
                    groups.push(&row.group);
                    found.push((hit(id(&row.group), says(), &operator.name, citation), citation));
                }
            }
        }
        for example in operator.examples.iter() {
            if let Some(citation) = &example.source {
                let id = format!("{}/examples/{}", operator.name, example.name);
                found.push((
                    hit(id, "A worked example.".to_owned(), &operator.name, citation),
                    citation,
                ));
            }
        }
    }
    found
}

/// Everything that cites an anchor of a page; empty parts match all pages, or all anchors.
pub fn find_resting_on(catalog: &Catalog, page: &str, anchor: &str) -> Vec<Hit> {
    let page = page.trim_end_matches(".md");
    let rests = |hit: &Hit, citation: &Citation| {
        let of = source(catalog, owner(&hit.id), &citation.source);
        let on_page = page.is_empty() || of.is_some_and(|source| source.page.eq_ignore_ascii_case(page));
        on_page && (anchor.is_empty() || citation.anchor.eq_ignore_ascii_case(anchor))
    };
    let found = list_citing(catalog).into_iter();
    found
        .filter(|(hit, citation)| rests(hit, citation))
        .map(|(hit, _)| hit)
        .collect()
}

/// Cited pages and their anchors.
pub fn list_places(catalog: &Catalog) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (hit, citation) in list_citing(catalog) {
        if let Some(source) = source(catalog, owner(&hit.id), &citation.source) {
            found.push((source.page.to_string(), citation.anchor.to_string()));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Everything that cites sentences of a text copied from the reference, by their hashes.
pub fn find_sentence(catalog: &Catalog, text: &str) -> Vec<Hit> {
    let mut hashes: Vec<String> = ledger::sentences(text).into_iter().map(|s| s.sha256).collect();
    hashes.push(ledger::hash(&ledger::normalise(text)));
    let found = list_citing(catalog).into_iter();
    let rests = |citation: &Citation| !citation.sha256.is_empty() && hashes.iter().any(|h| *h == citation.sha256);
    found
        .filter(|(_, citation)| rests(citation))
        .map(|(hit, _)| hit)
        .collect()
}

/// Clauses whose id, words or rule contain every word of a text, in upper or lower case.
pub fn find_words(catalog: &Catalog, text: &str) -> Vec<Hit> {
    let words: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let in_force = clauses(catalog).filter(|clause| clause.retired.is_none());
    let holds = |all: &str| words.iter().all(|word| all.contains(word.as_str()));
    let found = in_force.filter(|clause| {
        let rule = clause.rule.as_deref().unwrap_or_default();
        !words.is_empty() && holds(&format!("{} {} {rule}", clause.id, clause.says).to_lowercase())
    });
    let hit = |clause: &dml_spec::model::Clause| Hit {
        id: clause.id.to_string(),
        says: clause.says.to_string(),
        place: match &clause.source {
            Some(citation) => cited(catalog, owner(&clause.id), citation),
            None => String::new(),
        },
    };
    found.map(hit).collect()
}
