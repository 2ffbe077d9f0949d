//! The specification as JSON, for third-party validators.
//!
//! `specification.schema.json` next to this crate's manifest describes the JSON; its version counts up whenever a
//! reader has to change.

mod json;
mod tree;

pub use self::json::document;

/// Version of the JSON form.
pub const VERSION: u32 = 1;
