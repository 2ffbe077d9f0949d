//! `spec import --check`: prints what pages say otherwise than the specification, and how many cases rest on it.

use std::collections::BTreeSet;

use dml_spec::model::Tier;

use super::group_by_operator;
use crate::plan_diff;
use dml_case::text::counted;
use dml_pages::import::{
    apply,
    drift::{self, Drift},
    merge,
    page::Page,
};
use dml_plan::planner::Planner;
use dml_report::{Style, Terminal};

/// The exit code if pages say otherwise than the specification.
const DRIFTED: u8 = 1;

/// Most clauses that are named for one change.
const CLAUSES: usize = 6;

/// Most changes of one operator that are shown.
const CHANGES: usize = 1000;

/// Prints what the pages say otherwise than the specification, and how many cases that affects; the exit code.
pub(super) fn check_pages(suite: &Planner, pages: &[Page], terminal: &mut Terminal) -> u8 {
    let mut changes = 0;
    for (name, pages) in group_by_operator(pages) {
        let merged = merge::merge_pages(&pages);
        let Some(operator) = suite.catalog.operator(name) else {
            let file = apply::file_name(name);
            let first = merged.pages.first().map_or("", |page| page.file.as_str());
            terminal.line(format!(
                "{first}: {name} is not in the specification; `dml-cts spec import {first} --out {file}` makes its file"
            ));
            changes += 1;
            continue;
        };
        let drifts = drift::find_drift(&suite.catalog, operator, &merged);
        let cases = plan_diff::count_affected_cases(suite, name, &drifts, Tier::Standard);
        print_drifts(terminal, &drifts, &cases, "standard");
        let known = merged
            .pages
            .iter()
            .filter(|page| drift::is_known(operator, page))
            .count();
        let older = match known {
            0 => String::new(),
            n if n == merged.pages.len() => ", as when imported".to_owned(),
            n => format!(", {n} of them as when imported"),
        };
        let said = match drifts.len() {
            0 => "nothing normative changed".to_owned(),
            n => counted(n, "change"),
        };
        terminal.line(format!(
            "{name}: {said} ({}{older})",
            counted(merged.pages.len(), "page")
        ));
        changes += drifts.len();
    }
    if changes == 0 {
        return 0;
    }
    terminal.note(
        "to take it over: the same command with --out FILE instead of --check; one sentence: dml-cts spec accept",
    );
    DRIFTED
}

/// Prints every change with what rests on it and the number of cases of the tier.
fn print_drifts(terminal: &mut Terminal, drifts: &[Drift], cases: &[u64], tier: &str) {
    for (drift, cases) in drifts.iter().zip(cases).take(CHANGES) {
        let place = match drift.line {
            0 => drift.file.clone(),
            line => format!("{}:{line}", drift.file),
        };
        terminal.line(format!("{place}: {}", terminal.paint(Style::Strong, &drift.what)));
        print_values(terminal, drift);
        print_clauses(terminal, &drift.clauses);
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

fn print_clauses(terminal: &mut Terminal, all: &[String]) {
    let shown = all.get(..CLAUSES.min(all.len())).unwrap_or_default();
    let more = match all.len() - shown.len() {
        0 => String::new(),
        n => format!("and {n} more"),
    };
    let parts = shown
        .iter()
        .map(String::as_str)
        .chain(Some(more.as_str()).filter(|more| !more.is_empty()));
    terminal.listed("  clauses  ", parts);
}

/// Most differing words that are shown one by one.
const WORDS: usize = 8;

fn print_values(terminal: &mut Terminal, drift: &Drift) {
    if let (Some(old), Some(new)) = (&drift.old, &drift.new) {
        let words = match drift.ordered {
            true => list_moved_words(old, new),
            false => list_differing_words(old, new),
        };
        // Of long values what differs says more than the values.
        if old.len().max(new.len()) > 40 && (1..=WORDS).contains(&words.len()) {
            return terminal.labelled("  changed  ", &words.join(" "));
        }
    }
    for (label, value) in [("  here     ", &drift.old), ("  page     ", &drift.new)] {
        let value = value.as_deref().unwrap_or("nothing");
        terminal.labelled(label, value);
    }
}

/// Words of one text only.
fn list_differing_words(old: &str, new: &str) -> Vec<String> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    let (old, new) = (words(old), words(new));
    let gone = old.difference(&new).map(|word| format!("-{word}"));
    gone.chain(new.difference(&old).map(|word| format!("+{word}")))
        .collect()
}

/// Words that differ at the same place; none if the texts differ in length.
fn list_moved_words(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
    if old.len() != new.len() {
        return Vec::new();
    }
    let pairs = old.iter().zip(&new).filter(|(a, b)| a != b);
    pairs.map(|(a, b)| format!("{a}->{b}")).collect()
}
