//! What an operator computes, as data: one expression for each output, and intermediates with names.
//!
//! Texts of the YAML become [`typed::Node`]s here, with names resolved and types checked. The crate `dml-oracle`
//! evaluates them with bounds. The grammar is that of rules, extended to elements; see `spec/README.md`.

mod check;
mod functions;
pub mod typed;
mod types;
mod walk;

pub use check::{Entry, Mistake, Mistaken, Place, built_ins, check, compile, mistaken};
pub use functions::Function;
pub use typed::{Definition, Meaning, Node, Op, Output};
pub use types::Type;
