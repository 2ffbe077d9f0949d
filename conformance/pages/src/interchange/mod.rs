//! The specification as JSON, for third-party validators.
//!
//! `specification.schema.json` next to this crate's manifest describes the JSON; its version counts up whenever a
//! reader has to change.

mod json;
mod tree;

use dml_spec::model::{Catalog, Operator};

pub use self::json::document;

/// Version of the JSON form.
pub const VERSION: u32 = 1;

/// The selected operators: all, or one.
fn chosen<'a>(catalog: &'a Catalog, only: Option<&'a str>) -> impl Iterator<Item = &'a Operator> {
    let operators = catalog.operators.iter();
    operators.filter(move |operator| only.is_none_or(|name| operator.name == name))
}
