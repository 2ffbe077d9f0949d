//! Names of the documents that facts come from.

use dml_spec::model::{Operator, Source};
use dml_spec_yaml::tree::splice::{quote, scalar};

use super::{
    drift,
    merge::{self, Merged},
    page::{OWN_LOCALE, Page},
    recorded, yaml_items,
};

/// The name of each page's source: one that an import recorded with the same content, for the followed page the one
/// that is in force for its document and language, else a new one.
pub fn name_sources(operator: &Operator, merged: &Merged<'_>) -> Vec<String> {
    let mut taken: Vec<String> = operator.sources.iter().map(|source| source.name.to_string()).collect();
    let in_force = drift::list_cited_sources(operator);
    let mut found = Vec::new();
    for (index, page) in merged.pages.iter().enumerate() {
        let digest = recorded::record_page(page).facts;
        // A page written from the specification counts as the page that is in force.
        let own = page.locale == OWN_LOCALE;
        let fits = |source: &&Source| source.page == page.document && (own || source.locale == page.locale);
        let recorded = operator.sources.iter().find(|source| source.facts == digest);
        let current = operator
            .sources
            .iter()
            .filter(fits)
            .find(|source| index == 0 && in_force.contains(source.name.as_ref()));
        let name = match recorded.or(current) {
            Some(source) => source.name.to_string(),
            None => yaml_items::choose_free_name(&build_stem(page), &taken),
        };
        taken.push(name.clone());
        found.push(name);
    }
    found
}

/// `en-us-3-1`: the language, and the newest level with a table.
fn build_stem(page: &Page) -> String {
    let level = merge::list_levels(page).last().map(ToString::to_string);
    let level = level.map_or("one-table".to_owned(), |level| level.replace('.', "-"));
    format!("{}-{level}", page.locale)
}

/// A new entry under `sources`.
pub fn format_source(page: &Page) -> String {
    let record = recorded::record_page(page);
    let words = [&record.page, &record.locale, &record.revision].map(|text| scalar(text));
    let mut text = format!("{{page: {}, locale: {}, revision: {}", words[0], words[1], words[2]);
    for (key, value) in list_keys(&record) {
        text += &format!(", {key}: {}", quote(value));
    }
    text + "}"
}

/// What a record has of a page, by its keys in YAML; empty lists are left out.
pub(super) fn list_keys(record: &Source) -> impl Iterator<Item = (&'static str, &str)> {
    let all = [
        ("facts", record.facts.as_ref()),
        ("stated", record.stated.as_ref()),
        ("sentences", record.sentences.as_ref()),
    ];
    all.into_iter().filter(|(_, value)| !value.is_empty())
}
