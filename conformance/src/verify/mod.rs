//! `spec verify`: creation cases, run on each library and counted by clause.
//!
//! The cases are descriptors of the plan: every support cell and every constraint, kept and broken. A library has one
//! set of rules, that of its highest feature level, so it is asked about the table of that level.

mod agreement;
mod ask;
mod questions;

pub use agreement::{Agreement, Row, Tally, Unexpected, find_unexpected, tally_clauses};
pub use ask::{Answers, ask_library};
pub use questions::{Question, plan_questions};

#[cfg(test)]
pub(crate) mod tests;
