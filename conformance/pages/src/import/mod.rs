//! Pages of the reference as facts, facts as YAML, and what changed between them.
//!
//! A page is read into a [`page::Page`]; merging, drift, differences and the written reference compare its single facts
//! ([`facts`]). No sentence of a page is kept: a place and a hash represent it.

pub mod apply;
pub mod create;
pub mod declared;
pub mod drift;
pub mod facts;
pub mod groups;
pub mod merge;
pub mod page;
pub mod recorded;
pub mod shared_properties;
pub mod sources;
pub mod update;

mod binding;
mod cases;
mod lint;
mod read;
mod relocate;
mod schema;
mod shapes;
mod yaml_items;

pub use lint::lint_page;
pub use read::{read_identity, read_page};
pub use schema::{BadSchema, Schema, SchemaField};

#[cfg(test)]
mod tests;
