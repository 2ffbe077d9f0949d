//! The conformance suite: plan cases from the specification, run them on backends, judge what comes back.

pub mod backends;
pub mod cli;
mod entry;
pub mod expectations;
pub mod merge;
mod mistakes;
pub mod plan_diff;
pub mod rebuilt_cases;
pub mod spec;
mod trials;
pub mod verify;

pub use dml_ops;
pub use entry::{main, tests};

/// The examples in docs/rust.md compile.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
struct Readme;
