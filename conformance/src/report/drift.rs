//! What pages say otherwise than the specification, for people.

use std::collections::BTreeSet;

use super::{Style, Terminal};
use crate::import::{drift::Drift, merge::Conflict};
use crate::text::{WIDTH, labelled, wrapped};

/// Most clauses that are named for one change.
const CLAUSES: usize = 6;

/// Most changes of one operator that are told.
const CHANGES: usize = 1000;

/// Prints every change with what rests on it and the number of cases of the tier.
pub fn drifts(terminal: &mut Terminal, drifts: &[Drift], cases: &[u64], tier: &str) {
    for (drift, cases) in drifts.iter().zip(cases).take(CHANGES) {
        let place = match drift.line {
            0 => drift.file.clone(),
            line => format!("{}:{line}", drift.file),
        };
        terminal.line(format!("{place}: {}", terminal.paint(Style::Strong, &drift.what)));
        values(terminal, drift);
        clauses(terminal, &drift.clauses);
        let count = match cases {
            0 if drift.clauses.is_empty() && !drift.whole => "no case: no clause covers it".to_owned(),
            1 => format!("1 {tier} case"),
            n => format!("{n} {tier} cases"),
        };
        terminal.line(format!("  affects  {count}"));
    }
    if drifts.len() > CHANGES {
        terminal.line(format!("and {} changes more", drifts.len() - CHANGES));
    }
}

fn clauses(terminal: &mut Terminal, all: &[String]) {
    let shown = all.get(..CLAUSES.min(all.len())).unwrap_or_default();
    let more = match all.len() - shown.len() {
        0 => String::new(),
        n => format!("and {n} more"),
    };
    let parts = shown
        .iter()
        .map(String::as_str)
        .chain(Some(more.as_str()).filter(|more| !more.is_empty()));
    for (index, line) in wrapped(parts, ", ", WIDTH - 11).iter().enumerate() {
        let label = if index == 0 { "  clauses  " } else { "           " };
        terminal.line(format!("{label}{line}"));
    }
}

/// Most differing words that are told one by one.
const WORDS: usize = 8;

fn values(terminal: &mut Terminal, drift: &Drift) {
    if let (Some(old), Some(new)) = (&drift.old, &drift.new) {
        let told = match drift.ordered {
            true => moved(old, new),
            false => only(old, new),
        };
        // Of long values what differs says more than the values.
        if old.len().max(new.len()) > 40 && (1..=WORDS).contains(&told.len()) {
            return labelled("  changed  ", &told.join(" "))
                .iter()
                .for_each(|line| terminal.line(line));
        }
    }
    for (label, value) in [("  here     ", &drift.old), ("  page     ", &drift.new)] {
        let value = value.as_deref().unwrap_or("nothing");
        labelled(label, value).iter().for_each(|line| terminal.line(line));
    }
}

/// Words of one text only.
fn only(old: &str, new: &str) -> Vec<String> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    let (old, new) = (words(old), words(new));
    let gone = old.difference(&new).map(|word| format!("-{word}"));
    gone.chain(new.difference(&old).map(|word| format!("+{word}")))
        .collect()
}

/// Words that differ at the same place; none where the texts differ in length.
fn moved(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
    if old.len() != new.len() {
        return Vec::new();
    }
    let pairs = old.iter().zip(&new).filter(|(a, b)| a != b);
    pairs.map(|(a, b)| format!("{a}->{b}")).collect()
}

/// Prints what pages that are not followed say, one line each.
pub fn conflicts(terminal: &mut Terminal, conflicts: &[Conflict], files: &[&str]) {
    for conflict in conflicts {
        let file = files.get(conflict.page).copied().unwrap_or_default();
        let line = conflict.fact.at.as_ref().map_or(0, |at| at.line);
        let kept = match &conflict.kept {
            Some(kept) => format!("; followed: {kept}"),
            None => "; not on the page that is followed".to_owned(),
        };
        let text = format!("{}: {}{kept}", conflict.key, conflict.fact.value);
        terminal.note(format!("{file}:{line}: superseded"));
        labelled("  ", &text).iter().for_each(|line| terminal.note(line));
    }
}
