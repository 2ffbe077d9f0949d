//! The DirectML operator reference as data.
//!
//! [`model::Catalog`] (plain data) → [`program::Program`] (rules compiled and type-checked) → verdicts on a
//! [`desc::Descriptor`]. `dml-spec-yaml` reads the catalog; its files are [`embedded`] here. Nothing here prints or
//! reads the environment.

pub mod answer;
pub mod desc;
pub mod diag;
pub mod embedded;
pub mod evidence;
pub mod example;
pub mod layout;
pub mod level;
pub mod meaning;
pub mod model;
pub mod onnx;
pub mod path;
pub mod patterns;
pub mod program;
pub mod rule;
pub mod scalar;

pub use desc::{Descriptor, Dims, TensorDesc, Value};
pub use diag::{Diagnostic, Place};
pub use level::FeatureLevel;
pub use model::Catalog;
