//! The DirectML operator reference as data.
//!
//! YAML → [`tree`] (marked, duplicate keys rejected) → [`model::Catalog`] (plain data) → [`program::Program`]
//! (rules compiled and type-checked) → verdicts on a [`desc::Descriptor`]. Nothing here prints or reads the
//! environment.

pub mod answer;
pub mod desc;
pub mod diag;
pub mod embedded;
pub mod layout;
pub mod ledger;
pub mod level;
#[cfg(feature = "yaml")]
pub mod load;
pub mod model;
pub mod patterns;
pub mod program;
pub mod rule;
#[cfg(feature = "yaml")]
pub mod tree;

pub use desc::{Descriptor, Dims, TensorDesc, Value};
pub use diag::{Diagnostic, Place};
pub use level::FeatureLevel;
pub use model::Catalog;
