//! Stored runs as documents: JUnit and Markdown for CI, HTML for people, and the table of conformance.

mod conforms;
mod html;
mod junit;
mod markdown;
mod model;
mod read;
mod source;
mod words;

use std::{io::Write, path::Path};

pub use conforms::conforms;
pub use model::{Before, Failing, NO_TYPE, Place, StoredRun};
pub use read::read;
pub use source::CaseSource;

use dml_spec::FeatureLevel;

use crate::Ending;
use dml_case::{case::Case, id::CaseId, suite::Suite};

/// Builds cases again from their ids, and what is expected of them: a document shows some cases in full.
pub trait CaseSource: Sync {
    /// The case of an id; `None` if there is none.
    fn build(&self, id: &CaseId) -> Option<Case>;

    /// Expected elements of each present output in row-major order; empty if they are unspecified.
    fn expected(&self, case: &Case) -> Vec<Vec<u64>>;

    /// For each output whose bytes came back, which elements are wrong; empty if that cannot be said.
    fn wrong_elements(&self, case: &Case, outputs: &[Vec<u8>]) -> Vec<Vec<bool>>;
}

/// Form of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// HTML: one self-contained file.
    Html,
    /// For the summary of a CI step.
    Markdown,
    /// JUnit, for test reports of CI systems.
    Junit,
}

impl Form {
    /// The form that an extension names.
    pub fn of(extension: &str) -> Option<Self> {
        match extension {
            "html" => Some(Self::Html),
            "md" => Some(Self::Markdown),
            "xml" => Some(Self::Junit),
            _ => None,
        }
    }
}

/// Writes the runs of these files, whose summaries are `runs` in the same order. `spec_digest` is that of the suite.
///
/// # Errors
/// If nothing can be written, or a file changed meanwhile.
pub fn render(
    form: Form,
    suite: &Suite,
    cases: &dyn CaseSource,
    spec_digest: &str,
    runs: &[StoredRun],
    paths: &[impl AsRef<Path>],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match form {
        Form::Html => html::html(out, suite, cases, spec_digest, runs),
        Form::Markdown => Ok(out.write_all(markdown::markdown(suite, runs).as_bytes())?),
        Form::Junit => junit::junit(out, runs, paths),
    }
}

/// How a run ended, in words, up to a level where one is given. A run that passes because its failures are known says so.
/// A shard is no whole run, and says so too.
fn verdict(run: &StoredRun, up_to: Option<FeatureLevel>) -> String {
    let whole = judged(run, up_to);
    match &run.header.shard {
        None => whole,
        Some(shard) => format!("{whole} (shard {} of {} alone)", shard.index, shard.of),
    }
}

/// The verdict of what the run holds.
fn judged(run: &StoredRun, up_to: Option<FeatureLevel>) -> String {
    let word = match run.ending(up_to) {
        Ending::Conformant => "conformant",
        Ending::NotConformant => "not conformant",
        Ending::Incomplete => "incomplete",
    };
    let known = match run.known(up_to) {
        0 => return word.to_owned(),
        1 => "1 known failure".to_owned(),
        n => format!("{} known failures", dml_case::text::grouped(n)),
    };
    match run.ending(up_to) {
        Ending::Conformant => format!("{word} but for {known}"),
        _ => format!("{word}, beside {known}"),
    }
}

/// What a clause or cell says; empty where there is none of that name.
fn says(suite: &Suite, id: &str) -> String {
    match dml_case::clause::find(suite, id) {
        Some(dml_case::clause::Found::Clause(clause)) => clause.says.to_string(),
        Some(dml_case::clause::Found::Cell(cell)) => crate::cell_text(&cell),
        None => String::new(),
    }
}

/// Whether a character shows nothing, or turns around what others show.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `1 case`, `2 cases`.
fn cases(n: u64) -> String {
    match n {
        1 => "1 case".to_owned(),
        n => format!("{} cases", dml_case::text::grouped(n)),
    }
}

#[cfg(test)]
mod tests;
