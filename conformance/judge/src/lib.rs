//! The judge: compares what a backend answered with what the specification expects.
//!
//! A passing case costs the reference outputs and a comparison; everything that explains a failure is computed for
//! failures only.

mod answer;
mod creation;
mod detectable;
mod diagnose;
mod evidence;
mod execution;
mod expected;
mod inconsistent;
mod judged;
mod open;
mod options;
mod output;
pub mod relation;
mod release;
mod scope;
mod unwritten;
mod violated;

pub use answer::{is_level_gated, judge, judge_expected};
pub use detectable::MutantCache;
pub use diagnose::clauses_of_mistake;
pub use execution::wrong_elements;
pub use expected::{Expected, accepted_bytes, expected_outputs};
pub use inconsistent::OPEN_CLASSES;
pub use open::shared_properties;
pub use options::Options;
pub use release::release_expectations;
pub use scope::{Scope, scope};
pub use violated::{guarantee_speaks_of, note_what_it_rests_on};

#[cfg(test)]
mod embedded;
#[cfg(test)]
mod tests;
