//! Bringing a file of expectations up to stored runs: entries that still hold stay as they are, byte for byte.

mod observed;
mod plan;
mod write;

use dml_spec::Diagnostic;

use self::plan::Fresh;
use super::{Entry, read::read_all};
use dml_case::id::CaseId;
use dml_plan::planner::Planner;

pub use observed::Observed;

/// A file that cannot be brought up to the runs.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// It has mistakes.
    #[error("the file has mistakes")]
    Mistakes(Vec<Diagnostic>),
    /// It is written in a form that cannot be edited, or the runs do not fit together.
    #[error("{0}")]
    Form(String),
}

/// What an update came to.
#[derive(Clone, Debug, Default)]
pub struct Updated {
    /// The file.
    pub text: String,
    /// How many entries stay.
    pub kept: usize,
    /// Entries that go, with their places and why.
    pub removed: Vec<String>,
    /// Queries that come.
    pub added: Vec<String>,
}

/// Brings a file up to stored runs. `text` is what it holds, nothing where it is new.
///
/// # Errors
/// Mistakes of the file, or a form that cannot be edited.
pub fn update(suite: &Planner, file: &str, text: &str, observed: &Observed) -> Result<Updated, UpdateError> {
    let mut old = read_all(suite, file, text);
    if !old.mistakes.is_empty() {
        return Err(UpdateError::Mistakes(old.mistakes));
    }
    let dead: Vec<_> = old.unmatched.iter().map(|found| found.place.span.start).collect();
    let mut fates = Vec::new();
    for entry in &old.entries {
        let is_dead = dead.iter().any(|at| entry.place.span.contains(at));
        fates.push(match is_dead {
            true => Some("it matches no case any more"),
            false => observed.against(entry),
        });
    }
    let kept: Vec<&Entry> = survivors(&old.entries, &fates, false).collect();
    let gone: Vec<&Entry> = survivors(&old.entries, &fates, true).collect();
    let fresh = plan::fresh(suite, observed, &kept, &gone);
    let told = |(entry, why): (&Entry, &str)| format!("{}: `{}`: {why}", entry.place, entry.query);
    let removed = old
        .entries
        .iter()
        .zip(&fates)
        .filter_map(|(entry, why)| Some((entry, (*why)?)));
    let mut updated = Updated {
        kept: kept.len(),
        removed: removed.map(told).collect(),
        added: fresh.iter().map(|entry| entry.query.clone()).collect(),
        text: String::new(),
    };
    let seen = plan::seen(observed, &kept, &fresh).with(&old.corpus.seen, observed.ids.iter().map(CaseId::as_str));
    // Cases that a part of the plan does not show may still be newer than the file.
    let tables = suite
        .catalog
        .operators
        .iter()
        .flat_map(|operator| operator.support.iter());
    let is_whole = observed.is_whole(tables.map(|table| table.level));
    let corpus = old.corpus.digest.filter(|_| !is_whole).or(observed.corpus());
    updated.text = write::write(text, old.root.take(), &gone, &fresh, corpus, &seen)?;
    match read_all(suite, file, &updated.text) {
        again if again.mistakes.is_empty() && again.unmatched.is_empty() => Ok(updated),
        again => Err(UpdateError::Mistakes([again.mistakes, again.unmatched].concat())),
    }
}

fn survivors<'e>(
    entries: &'e [Entry],
    fates: &'e [Option<&'static str>],
    is_gone: bool,
) -> impl Iterator<Item = &'e Entry> {
    let pairs = entries.iter().zip(fates);
    pairs
        .filter(move |(_, fate)| fate.is_some() == is_gone)
        .map(|(entry, _)| entry)
}

#[cfg(test)]
mod tests;
