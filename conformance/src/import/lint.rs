//! Mistakes of pages.

use dml_spec::{Catalog, Diagnostic};

use super::{page::Page, schema::Schema};

/// What is wrong in the page itself.
pub fn lint(page: &Page, catalog: &Catalog, schema: Option<&Schema>) -> Vec<Diagnostic> {
    let _ = (page, catalog, schema);
    Vec::new()
}
