//! One clause in full: its text, its source, the behaviour of runtimes, and the cases that test it.

use std::collections::BTreeMap;

use dml_spec::{
    FeatureLevel,
    model::{Citation, Clause, ClauseKind, Status},
};

use crate::{Style, Terminal, spell::cell_text};
use dml_case::{
    clause::{Found, kind_word, retired, source, status_word},
    suite::Suite,
};

/// Cases that test a clause, by table level: positive and negative ones.
pub type TestCounts = BTreeMap<FeatureLevel, (u64, u64)>;

/// Prints a clause or a support cell.
pub fn show_clause(
    terminal: &mut Terminal,
    suite: &Suite,
    id: &str,
    found: &Found<'_>,
    tier: &str,
    counts: &TestCounts,
) {
    terminal.line(terminal.paint(Style::Strong, id));
    match found {
        Found::Clause(clause) => body(terminal, suite, clause),
        Found::Cell(cell) => {
            terminal.line(format!("  {}", cell_text(cell)));
            let table = suite
                .catalog
                .operator(cell.operator)
                .and_then(|o| o.table_at(cell.level));
            if let Some(citation) = table.and_then(|t| t.source.as_ref()) {
                terminal.labelled("  source    ", &cite(suite, cell.operator, citation));
            }
        }
    }
    terminal.heading(format!("cases (tier {tier})"));
    if counts.is_empty() {
        terminal.line(match found {
            Found::Clause(clause) if clause.kind == ClauseKind::Silence && clause.rule.is_none() => {
                "  none as a whole: it leaves single elements open, wherever they occur"
            }
            _ => "  none",
        });
        return;
    }
    for (level, (positive, negative)) in counts {
        let text = match found {
            Found::Clause(clause) if clause.kind == ClauseKind::Silence => {
                format!("{} cases where it applies", positive + negative)
            }
            Found::Clause(clause) if clause.kind == ClauseKind::Guarantee && *negative == 0 => {
                format!("{positive} cases that must keep it")
            }
            _ => format!("{positive} positive, {negative} negative"),
        };
        terminal.line(format!("  {level:<8} {text}"));
    }
    terminal.line(format!("  run them: dml-cts run --clause {id}"));
}

fn body(terminal: &mut Terminal, suite: &Suite, clause: &Clause) {
    let owner = clause.id.split('/').next().unwrap_or_default();
    let mut row = |name: &str, text: String| {
        if !text.is_empty() {
            terminal.labelled(&format!("  {name:<9} "), &text);
        }
    };
    row("says", clause.says.to_string());
    row("kind", kind_text(clause.kind));
    let status = || status_text(clause.status);
    row("status", clause.retired.as_deref().map_or_else(status, retired));
    row("rule", clause.rule.as_deref().unwrap_or_default().to_owned());
    row("needs", clause.needs.join(", "));
    row("classes", clause.class.join(", "));
    for invariant in clause.holds.iter() {
        row("holds", format!("{}: {}", invariant.name, spell(&invariant.conditions)));
    }
    for variant in clause.tells.iter() {
        row("tells", format!("{}: {}", variant.name, spell(&variant.instead)));
    }
    let source = clause.source.as_ref().map(|c| cite(suite, owner, c));
    row("source", source.unwrap_or_default());
    for observation in &*clause.observed {
        row(
            "observed",
            format!("{} ({}): {}", observation.runtime, observation.date, observation.says),
        );
        let rule = observation.rule.as_ref().map(|rule| format!("follows {rule}"));
        row("", rule.unwrap_or_default());
    }
    for change in &*clause.history {
        row("history", format!("{}: {}", change.date, change.change));
    }
}

/// The citation of the clause, in words.
fn cite(suite: &Suite, owner: &str, citation: &Citation) -> String {
    let place = match citation.sentence {
        0 => citation.anchor.to_string(),
        n => format!("{}, sentence {n}", citation.anchor),
    };
    match source(&suite.catalog, owner, &citation.source) {
        Some(source) => format!("{} ({}, {}), {place}", source.page, source.locale, source.revision),
        None => format!("{}, {place}", citation.source),
    }
}

fn kind_text(kind: ClauseKind) -> String {
    let about = match kind {
        ClauseKind::Constraint => "about the descriptor",
        ClauseKind::Guarantee => "about the results",
        ClauseKind::Silence => "what the reference leaves open",
    };
    format!("{}: {about}", kind_word(kind))
}

fn status_text(status: Status) -> String {
    let means = match status {
        Status::Normative => "the text says it",
        Status::ByExample => "only an example shows it",
        Status::Disputed => "text and runtimes differ",
        Status::Observed => "the text is silent, every runtime measured agrees",
        Status::Open => "text and runtimes leave it open",
    };
    format!("{}: {means}", status_word(status))
}

/// `InputTensor: isnan(x); …`.
fn spell(texts: &[(dml_spec::model::Text, dml_spec::model::Text)]) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let texts = texts.iter().map(|(name, text)| format!("{name}: {}", words(text)));
    texts.collect::<Vec<_>>().join("; ")
}
