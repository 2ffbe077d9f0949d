//! Failures that are known: a file lists them, each with its reason, so that a run fails for news only.
//!
//! A case that fails as an entry says is `xfail`, one that passes although an entry says it fails is `xpass`: such an
//! entry is to be removed, or narrowed. The file says nothing of what is right, so an entry cannot hide anything but
//! the failures that it names.

mod read;

use dml_spec::Place;

use crate::{
    outcome::{Diagnosis, Outcome},
    query::Query,
    run::Record,
    shrink::explanations,
};

pub use read::{OUTCOMES, read};

/// Failures that are known.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// An entry: which cases fail, how, and why that is accepted.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// The cases.
    pub query: Query,
    /// Their outcome, one of [`OUTCOMES`]; any failure where it is left open. `flaky` ones may pass as well.
    pub outcome: Option<&'static str>,
    /// Class of the mistake, such as `tie-order`; any where it is left open.
    pub class: Option<String>,
    /// Why that is accepted.
    pub reason: String,
    /// Where it is followed up.
    pub issue: Option<String>,
}

impl Entry {
    /// Reason and issue in a line.
    pub fn why(&self) -> String {
        match &self.issue {
            Some(issue) => format!("{} ({issue})", self.reason),
            None => self.reason.clone(),
        }
    }

    /// Whether a case of the query fails as the entry says.
    fn expects(&self, record: &Record) -> bool {
        let word = record.judged.outcome.word();
        let is_outcome = self.outcome.is_none_or(|known| known == word || known == FLAKY);
        let has_class = |class: &String| explanations(record).iter().any(|(found, _)| found == class);
        is_outcome && self.class.as_ref().is_none_or(has_class)
    }
}

/// The outcome that is not the same every time.
const FLAKY: &str = "flaky";

/// The outcome of cases that were not judged.
const SKIP: &str = "skip";

impl Expectations {
    /// Compares a case with what is known of it, and makes its outcome `xfail` or `xpass` accordingly. Whether it is a
    /// skip that is known.
    pub fn apply(&self, record: &mut Record) -> bool {
        let mut of_case = self.entries.iter().filter(|entry| entry.query.matches(&record.id));
        match &record.judged.outcome {
            Outcome::Skip(_) => of_case.any(|entry| entry.outcome == Some(SKIP)),
            Outcome::Pass => {
                if let Some(entry) = of_case.find(|entry| entry.outcome != Some(FLAKY)) {
                    let message = format!("it passes, but {} expects a failure: {}", entry.place, entry.why());
                    record.judged.diagnosis = Some(Diagnosis::new(Outcome::XPass.word(), Vec::new(), message));
                    record.judged.outcome = Outcome::XPass;
                }
                false
            }
            outcome if outcome.is_failure() => {
                if let Some(entry) = of_case.find(|entry| entry.expects(record)) {
                    record.judged.outcome = Outcome::XFail(entry.why());
                }
                false
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
