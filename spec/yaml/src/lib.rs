//! The YAML of the specification: read with places, checked, edited in place.
//!
//! Text → [`tree`] (marked, duplicate keys rejected) → [`load`] → `dml_spec::Catalog`, or diagnostics with file, line
//! and column. [`ledger`] cuts the reference pages that the YAML cites into numbered sentences. Nothing here prints.

pub mod ledger;
pub mod load;
pub mod tree;
