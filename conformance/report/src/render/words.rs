//! How runs, differences and clauses are put in words, the same in each document.

use dml_case::{suite::Suite, text::grouped};
use dml_spec::FeatureLevel;

use super::model::StoredRun;
use crate::summary::Ending;

/// How a run ended, in words, up to a level where one is given. A run that passes because its failures are known says so.
/// A shard is no whole run, and says so too.
pub(super) fn verdict(run: &StoredRun, up_to: Option<FeatureLevel>) -> String {
    let whole = judged(run, up_to);
    match &run.header.shard {
        None => whole,
        Some(shard) => format!("{whole} (shard {} of {} alone)", shard.index, shard.of),
    }
}

/// The verdict of what the run holds.
pub(super) fn judged(run: &StoredRun, up_to: Option<FeatureLevel>) -> String {
    let word = match run.ending(up_to) {
        Ending::Conformant => "conformant",
        Ending::NotConformant => "not conformant",
        Ending::Incomplete => "incomplete",
    };
    let known = match run.known(up_to) {
        0 => return word.to_owned(),
        1 => "1 known failure".to_owned(),
        n => format!("{} known failures", grouped(n)),
    };
    match run.ending(up_to) {
        Ending::Conformant => format!("{word} but for {known}"),
        _ => format!("{word}, beside {known}"),
    }
}

/// What a clause or cell says; empty where there is none of that name.
pub(super) fn says(suite: &Suite, id: &str) -> String {
    match dml_case::clause::find(suite, id) {
        Some(dml_case::clause::Found::Clause(clause)) => clause.says.to_string(),
        Some(dml_case::clause::Found::Cell(cell)) => crate::spell::cell_text(&cell),
        None => String::new(),
    }
}

/// Whether a character shows nothing, or turns around what others show.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `1 case`, `2 cases`.
pub(super) fn cases(n: u64) -> String {
    match n {
        1 => "1 case".to_owned(),
        n => format!("{} cases", grouped(n)),
    }
}
