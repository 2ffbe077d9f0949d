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

use dml_case::suite::Suite;

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

#[cfg(test)]
mod tests;
