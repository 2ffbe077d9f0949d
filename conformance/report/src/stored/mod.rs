//! Comparing stored runs: read line by line, compared, tracked over time, merged from parts.

mod compare;
mod history;

pub use compare::{Baseline, Change, Compared, Comparison, Item};
pub use history::{Course, History};

use dml_case::results::is_failure;

/// What an outcome says about the backend, regardless of expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Good,
    Bad,
    Skipped,
}

impl State {
    fn of(outcome: &str) -> Self {
        match outcome {
            "skip" => Self::Skipped,
            "xpass" => Self::Good,
            "xfail" => Self::Bad,
            word if is_failure(word) => Self::Bad,
            _ => Self::Good,
        }
    }
}
