//! The conformance suite: plan cases from the specification, run them on backends, judge what comes back.

pub mod backends;
pub mod case;
pub mod check;
pub mod clause;
pub mod cli;
pub mod combine;
pub mod compare;
pub mod content;
pub mod core_suite;
pub mod corpus;
pub mod coverage;
pub mod date;
pub mod diff;
pub mod digest;
pub mod directml;
pub mod docs;
mod entry;
pub mod expectations;
pub mod export;
pub mod facts;
pub mod fuzz;
pub mod gate;
pub mod greedy;
pub mod id;
pub mod import;
pub mod interchange;
pub mod json;
pub mod judge;
pub mod listed;
pub mod lock;
pub mod merge;
pub mod mutate;
pub mod names;
pub mod nearest;
pub mod number;
pub mod oracle;
pub mod outcome;
pub mod pages;
pub mod path;
pub mod plan;
pub mod plan_diff;
pub mod poison;
pub mod process;
pub mod protocol;
pub mod query;
pub mod random;
pub mod record;
pub mod relock;
pub mod report;
pub mod requirements;
pub mod results;
pub mod run;
pub mod saved;
pub mod search;
pub mod shrink;
pub mod spec;
pub mod stored;
pub mod suite;
pub mod tensor;
pub mod text;
pub mod timings;
mod trials;
pub mod verify;
pub mod zoo;

pub use dml_ops;
pub use entry::{main, tests};

/// The examples in docs/rust.md compile.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
struct Readme;
