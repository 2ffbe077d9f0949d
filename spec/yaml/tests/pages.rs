//! Citations against the pages they cite. The pages are not part of the repository: the environment variable
//! `DML_CTS_PAGES` names a folder of them, and `cargo test -p dml-spec-yaml --features pages` runs this.

#![cfg(feature = "pages")]

#[path = "../../tests/support/needs.rs"]
mod needs;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use dml_spec::model::{Citation, Source};
use dml_spec_yaml::{
    ledger::{Sentence, sentences},
    load::{embedded, load},
};

/// Sentences of every revision of every page, by page name.
type Pages = BTreeMap<String, Vec<Vec<Sentence>>>;

fn collect(folder: &Path, pages: &mut Pages) {
    let entries = fs::read_dir(folder).expect("a folder of pages");
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            collect(&path, pages);
        } else if let Some((name, text)) = fs::read_to_string(&path).ok().and_then(|t| Some((page_name(&t)?, t))) {
            pages.entry(name).or_default().push(sentences(&text));
        }
    }
}

/// `ns-directml-x` from the front matter's `UID: NS:directml.X`.
fn page_name(text: &str) -> Option<String> {
    let uid = text
        .lines()
        .take(5)
        .find_map(|line| line.trim_start_matches('\u{feff}').strip_prefix("UID: "))?;
    Some(uid.trim().to_lowercase().replace([':', '.'], "-"))
}

/// How many hashes agreed with a page.
fn agree(pages: &Pages, sources: &[Source], citations: &[(&str, &Citation)]) -> usize {
    let mut checked = 0;
    for (clause, citation) in citations.iter().filter(|(_, c)| c.sentence > 0) {
        assert!(
            !citation.sha256.is_empty(),
            "{clause} cites a sentence without its hash"
        );
        let source = sources
            .iter()
            .find(|s| s.name == citation.source)
            .expect("a known source");
        let Some(revisions) = pages.get(&*source.page) else {
            continue;
        };
        let same = |s: &&Sentence| s.anchor == citation.anchor && s.number == citation.sentence;
        let found: Vec<&Sentence> = revisions.iter().filter_map(|r| r.iter().find(same)).collect();
        let hit = found.iter().any(|s| s.sha256 == citation.sha256);
        let texts: Vec<&str> = found.iter().map(|s| s.text.as_str()).collect();
        assert!(
            hit,
            "{clause} cites {} {} of {}, which reads {texts:?}",
            citation.anchor, citation.sentence, source.page
        );
        checked += 1;
    }
    checked
}

#[test]
fn citations_hold_the_hashes_of_their_sentences() {
    let folder = env::var_os("DML_CTS_PAGES").map(PathBuf::from);
    let folder = folder.ok_or_else(|| "DML_CTS_PAGES names no folder of pages".to_owned());
    let Some(folder) = needs::found("citations_hold_the_hashes_of_their_sentences", folder) else {
        return;
    };
    let mut pages = Pages::new();
    collect(&folder, &mut pages);
    let catalog = load(&embedded()).0.expect("a catalog");
    let mut checked = 0;
    let cited = |clauses: &'_ [dml_spec::model::Clause]| -> Vec<(String, Citation)> {
        clauses
            .iter()
            .filter_map(|c| Some((c.id.to_string(), c.source.clone()?)))
            .collect()
    };
    let parts = catalog.operators.iter().map(|o| (&*o.sources, cited(&o.clauses)));
    for (sources, citations) in parts.chain([(&*catalog.sources, cited(&catalog.tensor_clauses))]) {
        let citations: Vec<(&str, &Citation)> = citations.iter().map(|(id, c)| (id.as_str(), c)).collect();
        checked += agree(&pages, sources, &citations);
    }
    assert!(checked > 0, "no page in {} is cited", folder.display());
}
