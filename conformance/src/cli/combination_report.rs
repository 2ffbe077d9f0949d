//! Reports of `zoo` about combinations of traits: how many the plan has, and which it misses.

use dml_spec::model::{Operator, Text};
use serde_json::json;

use dml_adequacy::combine::{self, Traits};
use dml_case::id::CaseId;
use dml_plan::planner::Planner;
use dml_report::{Style, Terminal};

/// Most missed combinations, and other findings of `zoo`, that are printed of an operator.
pub(super) const SHOWN: usize = 4;

/// Random cases of an operator that the list of combinations is chosen from: many more than those that are looked at
/// again whenever the suite is tried.
const CHOSEN_FROM: u64 = 131_072;

/// Combinations of traits of an operator: how many its cases have, and which of random cases they have not.
pub(super) struct CombinationReport {
    /// The operator.
    pub operator: Text,
    planned: u64,
    /// In words, each with the first random case that has it.
    pub missed: Vec<(String, CaseId)>,
}

impl CombinationReport {
    /// Those of an operator, held against its first so many random cases; `None` if it has no cases.
    pub(super) fn measure(suite: &Planner, operator: &Operator, count: u64) -> Option<Self> {
        let place = suite.catalog.operators.iter().position(|o| o.name == operator.name)?;
        let traits = Traits::of(suite, place)?;
        let covered = combine::planned(suite, place, &traits);
        let drawn = combine::drawn(suite, place, &traits, count);
        Some(Self {
            operator: operator.name.clone(),
            planned: covered.count(),
            missed: combine::missed(&traits, &drawn, &covered),
        })
    }

    /// What all come to, and some of what is missed.
    pub(super) fn print_all(all: &[Self], terminal: &mut Terminal) {
        let planned: u64 = all.iter().map(|report| report.planned).sum();
        if planned == 0 {
            return;
        }
        let missed: usize = all.iter().map(|report| report.missed.len()).sum();
        let style = if missed == 0 { Style::Strong } else { Style::Bad };
        let text = format!("{planned} combinations of traits, {missed} missed of those that random cases have");
        terminal.line(terminal.paint(style, text));
        for report in all {
            for (traits, case) in report.missed.iter().take(SHOWN) {
                terminal.labelled("  ", &format!("{traits}: no case, such as {case}"));
            }
            if report.missed.len() > SHOWN {
                let more = report.missed.len() - SHOWN;
                terminal.line(format!("  and {more} more of {}", report.operator));
            }
        }
        if missed > 0 {
            terminal.line("next: dml-cts zoo --lock, which adds cases for them; then dml-cts spec lock");
        }
    }

    /// For programs.
    pub(super) fn object(&self) -> serde_json::Value {
        let missed = self.missed.iter();
        let missed: Vec<_> = missed
            .map(|(traits, case)| json!({ "traits": traits, "case": case.as_str() }))
            .collect();
        json!({ "planned": self.planned, "missed": missed })
    }
}

/// Cases of the operator at a place that combine what its sweeps leave apart.
pub(super) fn choose_combinations(suite: &Planner, operator: usize) -> Vec<CaseId> {
    let Some(traits) = Traits::of(suite, operator) else {
        return Vec::new();
    };
    let mut covered = combine::planned(suite, operator, &traits);
    let drawn = combine::drawn(suite, operator, &traits, CHOSEN_FROM);
    combine::choose(&traits, &drawn, &mut covered)
}
