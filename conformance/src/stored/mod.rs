//! Stored runs put beside one another: read line by line, compared, followed through time, put together from parts.

mod compare;
mod history;
mod merge;

pub use compare::{Baseline, Change, Compared, Comparison, Item};
pub use history::{Course, History};
pub use merge::{MergeError, Merged, Source, merge};

use crate::{id::CaseId, results::is_failure};

/// The id of a stored case. Nobody types it, so it may be longer than ids that are typed.
pub fn id(text: &str) -> Option<CaseId> {
    let mut parts = text.splitn(4, ':');
    let (operator, level, family, params) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let params: Option<Vec<(&str, &str)>> = params
        .split(',')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('='))
        .collect();
    Some(CaseId::new(operator, level.parse().ok()?, family, params?))
}

/// What an outcome says about the backend, whatever somebody expected.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_stored_cases_may_be_long() {
        let long = format!("TOP_K1:2.1:ties:type=INT8,sizes={}", "1x".repeat(150));
        let short = "TOP_K1:2.1:ties:type=INT8,k=1";
        for text in [short, &long, "TOP_K1:2.1:nan:"] {
            assert_eq!(id(text).map(|id| id.to_string()).as_deref(), Some(text));
        }
        assert_eq!(id(short), short.parse().ok());
        for text in [
            "",
            "TOP_K1",
            "TOP_K1:2.1:ties",
            "TOP_K1:x:ties:k=1",
            "TOP_K1:2.1:ties:k",
        ] {
            assert_eq!(id(text), None, "{text}");
        }
    }
}
