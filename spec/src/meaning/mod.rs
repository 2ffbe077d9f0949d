//! What an operator computes, as data: one expression for each output, and intermediates with names.
//!
//! Texts of the YAML become [`typed::Node`]s here, with names resolved and types checked. The crate `dml-oracle`
//! evaluates them with bounds. The grammar is that of rules, extended to elements; see `spec/README.md`.

mod calls;
mod check;
mod expr;
mod forms;
mod functions;
mod openings;
mod ranks;
mod reads;
pub mod typed;

pub use check::{Entry, Mistake, Place, check, compile};
pub use functions::Function;
pub use typed::{Definition, Meaning, Node, Op, Output, Type};
