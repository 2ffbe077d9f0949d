//! Updates a file of expectations from stored runs. Entries that still hold stay as they are, byte for byte.

use dml_spec::Diagnostic;

use super::{
    read::read_file,
    write::{EditError, write_changes},
};
use dml_plan::planner::Planner;
use dml_report::expectations::{Entry, Observed, plan_changes};

/// Why a file cannot be updated.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// It has mistakes.
    #[error("the file has mistakes")]
    Mistakes(Vec<Diagnostic>),
    /// Its form cannot be edited.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The result of an update.
#[derive(Clone, Debug, Default)]
pub struct Updated {
    /// The file.
    pub text: String,
    /// How many entries stay.
    pub kept: usize,
    /// Removed entries, with their places and the reasons.
    pub removed: Vec<String>,
    /// Queries of new entries.
    pub added: Vec<String>,
}

/// Brings a file up to stored runs. `text` is its content, empty if it is new.
///
/// # Errors
/// Mistakes of the file, or a form that cannot be edited.
pub fn update_expectations(
    suite: &Planner,
    file: &str,
    text: &str,
    observed: &Observed,
) -> Result<Updated, UpdateError> {
    let old = read_file(suite, file, text);
    if !old.mistakes.is_empty() {
        return Err(UpdateError::Mistakes(old.mistakes));
    }
    let unmatched: Vec<usize> = old.unmatched.iter().map(|found| found.place.span.start).collect();
    let is_unmatched = |entry: &Entry| unmatched.iter().any(|at| entry.place.span.contains(at));
    let changes = plan_changes(&suite.catalog, observed, &old.entries, is_unmatched, &old.corpus);
    let describe = |(entry, why): &(&Entry, &str)| format!("{}: `{}`: {why}", entry.place, entry.query);
    let updated = Updated {
        text: write_changes(text, old.root, &changes)?,
        kept: changes.kept,
        removed: changes.removed.iter().map(describe).collect(),
        added: changes.added.iter().map(|entry| entry.query.clone()).collect(),
    };
    match read_file(suite, file, &updated.text) {
        again if again.mistakes.is_empty() && again.unmatched.is_empty() => Ok(updated),
        again => Err(UpdateError::Mistakes([again.mistakes, again.unmatched].concat())),
    }
}
