//! Stored runs as documents: JUnit and Markdown for CI, HTML for people, and the table of conformance.

mod conforms;
mod html;
mod junit;
mod markdown;
mod model;
mod read;

use std::{io::Write, path::Path};

pub use conforms::conforms;
pub use model::{Before, Failing, NO_TYPE, Place, StoredRun};
pub use read::read;

use dml_spec::FeatureLevel;

use crate::Ending;
use dml_case::{case::Case, id::CaseId, results::FirstDifference, suite::Suite};

/// Rebuilds cases from their ids, with what is expected of them: a document shows some cases in full.
pub trait CaseSource: Sync {
    /// The case of an id; `None` if there is none.
    fn build(&self, id: &CaseId) -> Option<Case>;

    /// Expected elements of each present output in row-major order; empty if they are unspecified.
    fn expected(&self, case: &Case) -> Vec<Vec<u64>>;

    /// For each stored output, which elements are wrong; empty if that is unknown.
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

/// How a run ended, in words, up to a level if one is given. It says if a run passes only because its failures are
/// known, and if it is a shard.
fn verdict(run: &StoredRun, up_to: Option<FeatureLevel>) -> String {
    let whole = judged(run, up_to);
    match &run.header.shard {
        None => whole,
        Some(shard) => format!("{whole} (shard {} of {} alone)", shard.index, shard.of),
    }
}

/// The verdict of the run's content.
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

/// `OutputTensor[0, 1]: expected 3 (0x40400000), found 2 (0x40000000); 4 elements differ`.
fn first_text(first: &FirstDifference, differing: u64) -> String {
    let at: Vec<String> = first.at.iter().map(u32::to_string).collect();
    let expected = match (&first.expected, &first.expected_bits) {
        (Some(value), Some(bits)) => format!("expected {value} ({bits}), "),
        _ => String::new(),
    };
    let more = match differing {
        0 | 1 => String::new(),
        n => format!("; {n} elements differ"),
    };
    let (tensor, at) = (&first.tensor, at.join(", "));
    format!(
        "{tensor}[{at}]: {expected}found {} ({}){more}",
        first.actual, first.actual_bits
    )
}

/// The text of a clause or cell; empty if the name is unknown.
fn says(suite: &Suite, id: &str) -> String {
    match dml_case::clause::find(suite, id) {
        Some(dml_case::clause::Found::Clause(clause)) => clause.says.to_string(),
        Some(dml_case::clause::Found::Cell(cell)) => crate::cell_text(&cell),
        None => String::new(),
    }
}

/// Whether a character is invisible, or changes the direction of others.
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
