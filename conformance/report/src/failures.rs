//! Failures, grouped by violated clause: how many, what they have in common, and the smallest one to run again.

use std::path::PathBuf;

use dml_spec::model::{Status, Text};

use crate::{Collected, Group, Style, Terminal, groups::word_for_others};
use dml_case::{
    clause,
    outcome::{Difference, Outcome},
    suite::Suite,
};

/// Maximum number of groups that are printed without `verbose`.
const SHOWN: usize = 12;

/// A saved case and the reason.
#[derive(Clone, Debug)]
pub struct SavedCase {
    /// The violated clause; empty if there is none.
    pub clause: String,
    /// The class of the mistake.
    pub class: Text,
    /// Its outcome.
    pub outcome: Outcome,
    /// The file.
    pub path: PathBuf,
    /// Its result, in a few words.
    pub says: String,
    /// The command that runs it again.
    pub command: String,
}

/// Prints the groups; all of them and their ids if `verbose`. `again` is the command that runs a case again, up to
/// its id.
pub fn failures(
    terminal: &mut Terminal,
    suite: &Suite,
    again: &str,
    collected: &Collected,
    saved: &[SavedCase],
    verbose: bool,
) {
    let groups = collected.failures();
    if groups.is_empty() {
        return;
    }
    let shown = if verbose { groups.len() } else { SHOWN };
    terminal.heading("Failures by clause");
    for group in groups.iter().take(shown) {
        let pattern = collected.failed.pattern(group);
        one(terminal, suite, again, group, pattern);
        let of_group = saved
            .iter()
            .filter(|case| case.clause == group.clause && case.outcome.is_failure());
        for case in of_group {
            terminal.line(format!("  saved     {}: {}", case.class, case.says));
            terminal.line(format!("            {}", case.command));
        }
        if verbose {
            group
                .ids
                .iter()
                .for_each(|id| terminal.line(format!("            {id}")));
        }
    }
    if groups.len() > shown {
        terminal.line(format!("… and {} more groups; -v shows all", groups.len() - shown));
    }
}

fn one(terminal: &mut Terminal, suite: &Suite, again: &str, group: &Group, pattern: Option<String>) {
    let cases = if group.count == 1 {
        "1 case".to_owned()
    } else {
        format!("{} cases", group.count)
    };
    let name = if group.clause.is_empty() {
        "(no clause)"
    } else {
        &group.clause
    };
    terminal.line("");
    let classes: Vec<String> = match &group.kinds[..] {
        [kind] => vec![kind.class.to_string()],
        kinds => kinds
            .iter()
            .map(|kind| format!("{} {}", kind.count, kind.class))
            .collect(),
    };
    terminal.line(format!(
        "{} {cases}: {}",
        terminal.paint(Style::Bad, name),
        classes.join(", ")
    ));
    if let Some(clause::Found::Clause(found)) = clause::find(suite, &group.clause) {
        terminal.line(format!("  says      {}", found.says));
        if found.status == Status::Disputed {
            for observed in found.observed.iter() {
                terminal.line(format!("  runtimes  {}", observed.says));
            }
        }
    }
    for (number, other) in group.others.iter().enumerate() {
        let word = if number == 0 {
            word_for_others(&group.clause)
        } else {
            ""
        };
        terminal.line(format!("  {word:<9} {other}"));
    }
    if let Some(pattern) = pattern {
        terminal.line(format!("  pattern   {pattern}"));
    }
    let smallest = &group.smallest;
    if let Some(message) = &smallest.message {
        terminal.line(format!("  smallest  {message}"));
    }
    if let Some(first) = &smallest.first {
        terminal.line(format!("            {}", difference(first, smallest.differing)));
    }
    terminal.line(format!("  again     {again} '{}'", smallest.id));
}

/// `OutputValueTensor[0, 1]: expected 3 (0x40400000), found 2 (0x40000000); 4 elements differ`.
pub fn difference(first: &Difference, differing: u64) -> String {
    let at: Vec<String> = first.at.iter().map(u32::to_string).collect();
    let expected = match (&first.expected, &first.expected_bits) {
        (Some(value), Some(bits)) => format!("expected {value} ({bits}), "),
        _ => String::new(),
    };
    let (value, bits) = (&first.actual, &first.actual_bits);
    let more = if differing > 1 {
        format!("; {differing} elements differ")
    } else {
        String::new()
    };
    format!(
        "{}[{}]: {expected}found {value} ({bits}){more}",
        first.tensor,
        at.join(", ")
    )
}
