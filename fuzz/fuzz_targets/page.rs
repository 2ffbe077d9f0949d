//! Any bytes are read as a page, and what was read is linted and printed.
//!
//! `cargo +nightly fuzz run page fuzz/corpus/page conformance/pages/tests/pages` (the first folder keeps what is found).

#![no_main]

use dml_pages::import::{self, facts};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let catalog = dml_conformance::spec::catalog();
    let (page, _) = import::read_page("page.md", bytes, catalog);
    if let Some(page) = page {
        import::lint_page(&page, catalog, None);
        facts::collect_page_facts(&page);
    }
});
