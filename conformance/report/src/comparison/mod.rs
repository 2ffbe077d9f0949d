//! Comparing stored runs: compared, and tracked over time.

mod compare;
mod history;

pub use compare::{Baseline, Change, Compared, Comparison, Item};
pub use history::{Course, History};

use dml_case::outcome::Outcome;

/// What an outcome says about the backend, regardless of expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Good,
    Bad,
    Skipped,
}

impl State {
    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Skip => Self::Skipped,
            Outcome::XPass => Self::Good,
            Outcome::XFail => Self::Bad,
            outcome if outcome.is_failure() => Self::Bad,
            _ => Self::Good,
        }
    }
}
