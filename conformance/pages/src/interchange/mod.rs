//! The specification for other people's validators: as JSON.
//!
//! `specification.schema.json` beside this crate's manifest describes the JSON; its version counts up whenever a
//! reader has to change.

mod json;
mod tree;

use dml_spec::model::{Catalog, Operator};

pub use self::json::document;

/// Version of the JSON form.
pub const VERSION: u32 = 1;

/// The operators that were asked for: all, or one.
fn chosen<'a>(catalog: &'a Catalog, only: Option<&'a str>) -> impl Iterator<Item = &'a Operator> {
    let operators = catalog.operators.iter();
    operators.filter(move |operator| only.is_none_or(|name| operator.name == name))
}
