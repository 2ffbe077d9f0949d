//! The specification against pages of the reference, which are not part of the repository: `DML_CTS_PAGES` names a
//! folder of the revisions that the specification follows, and `cargo test -p dml-pages --features pages` runs this.

#[path = "../../../../../spec/tests/support/needs.rs"]
mod needs;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use dml_spec::model::ExampleValue;

use super::read_page;
use crate::import::{facts, lint_page, page::Page};
use dml_spec_yaml::load::catalog;

fn pages(folder: &Path, found: &mut Vec<Page>) {
    let entries = fs::read_dir(folder).expect("a folder of pages");
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            pages(&path, found);
        } else if let Ok(bytes) = fs::read(&path) {
            found.extend(read_page(&path.display().to_string(), &bytes, catalog()).0);
        }
    }
}

/// Fields and examples of the specification against the pages that it was written from.
#[test]
fn pages_of_the_reference_agree_with_the_specification() {
    let folder = env::var_os("DML_CTS_PAGES").map(PathBuf::from);
    let folder = folder.ok_or_else(|| "DML_CTS_PAGES names no folder of pages".to_owned());
    let Some(folder) = needs::found("pages_of_the_reference_agree_with_the_specification", folder) else {
        return;
    };
    let mut found = Vec::new();
    pages(&folder, &mut found);
    assert!(!found.is_empty(), "there are no pages in {}", folder.display());
    for page in &found {
        let Some(operator) = catalog().operator(&page.operator) else {
            continue;
        };
        let of_page = facts::collect_page_facts(page);
        for (key, fact) in facts::collect_operator_facts(catalog(), operator) {
            let is_field = matches!(key, facts::Key::Field(_) | facts::Key::Order);
            let given = of_page.get(&key);
            if is_field {
                assert_eq!(given.map(|f| &f.value), Some(&fact.value), "{} {key}", page.file);
            } else if let (facts::Key::Cell { .. } | facts::Key::Introduced, Some(given)) = (&key, given) {
                assert_eq!(given.value, fact.value, "{} {key}", page.file);
            }
        }
        let lint = lint_page(page, catalog(), None);
        for (index, example) in operator.examples.iter().enumerate() {
            // The specification holds corrected examples; the page may have them wrong.
            let name = format!("example {}:", index + 1);
            // What a sentence gives as an example in words is not a worked example of the page.
            let source = example.source.as_ref();
            let is_in_words = source.is_some_and(|source| page.examples.iter().all(|e| e.at.anchor != source.anchor));
            if is_in_words || lint.iter().any(|d| d.message.starts_with(&name)) {
                continue;
            }
            let value = |(name, value): &(dml_spec::model::Text, ExampleValue)| {
                (name.to_string(), facts::format_example_value(value))
            };
            let wanted: Vec<_> = example.values.iter().map(value).collect();
            let same = |given: &Vec<(String, ExampleValue)>| {
                let given: Vec<_> = given
                    .iter()
                    .map(|(name, value)| (name.clone(), facts::format_example_value(value)))
                    .collect();
                wanted.iter().all(|fact| given.contains(fact))
            };
            let found = page.examples.iter().any(|e| same(&e.value.values));
            assert!(found, "{} has no example {}", page.file, example.name);
        }
    }
}
