//! What the reference lacks: clauses with their rules and places, what releases did, what is left open, and cases.

use dml_spec::{
    Catalog, FeatureLevel,
    model::{Clause, ClauseKind, Operator},
};

use super::{Markdown, cell, code, plain};
use crate::{
    clause::{cited, kind_word, retired, status_word},
    oracle::oracle,
    report::FamilyCounts,
};

pub(super) fn write(page: &mut Markdown, catalog: &Catalog, operator: &Operator, tier: &str, counts: &FamilyCounts) {
    let (silences, clauses): (Vec<&Clause>, Vec<&Clause>) =
        operator.clauses.iter().partition(|c| c.kind == ClauseKind::Silence);
    section(page, "Clauses", clauses.iter().map(|c| clause(catalog, operator, c)));
    section(
        page,
        "What is left open",
        silences.iter().map(|c| clause(catalog, operator, c)),
    );
    section(page, "Observed behaviour", observed(operator));
    section(page, "Said otherwise", superseded(operator));
    section(
        page,
        "Sentences that no clause covers yet",
        uncovered(catalog, operator),
    );
    cases(page, operator, tier, counts);
    section(page, "History", history(operator));
}

/// A list below a heading, where there is anything to list.
fn section(page: &mut Markdown, heading: &str, items: impl IntoIterator<Item = String>) {
    let items: Vec<String> = items.into_iter().collect();
    if items.is_empty() {
        return;
    }
    page.paragraph(&format!("## {heading}"));
    items.iter().for_each(|item| page.line(&format!("* {item}")));
}

fn short(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, name)| name)
}

fn clause(catalog: &Catalog, operator: &Operator, clause: &Clause) -> String {
    let status = match &clause.retired {
        Some(by) => retired(by),
        None => status_word(clause.status).to_owned(),
    };
    let mut text = format!(
        "**{}** ({}, {status}): {}",
        short(&clause.id),
        kind_word(clause.kind),
        plain(&clause.says)
    );
    let mut detail = |label: &str, value: String| {
        if !value.is_empty() {
            text += &format!("\n  * {label}: {value}");
        }
    };
    let codes = |list: &[dml_spec::model::Text]| list.iter().map(|t| code(t)).collect::<Vec<_>>().join(", ");
    let silent = clause.kind == ClauseKind::Silence;
    let rule = clause.rule.as_deref().map(code).unwrap_or_default();
    detail(if silent { "where" } else { "rule" }, rule);
    let needs: Vec<String> = clause.needs.iter().map(|id| code(short(id))).collect();
    detail("needs", needs.join(", "));
    detail("failures it explains", codes(&clause.class));
    detail("holds all the same", codes(&clause.holds));
    detail("reports tell apart", codes(&clause.tells));
    if let Some(source) = &clause.source {
        let cited = cited(catalog, &operator.name, source);
        let (place, sentence) = cited.split_once(", ").unwrap_or((&cited, ""));
        let sentence = if sentence.is_empty() {
            ""
        } else {
            &format!(", {sentence}")
        };
        detail("reference", format!("`{place}`{sentence}"));
    }
    text
}

fn observed(operator: &Operator) -> Vec<String> {
    let mut items = Vec::new();
    for clause in operator.clauses.iter() {
        for seen in clause.observed.iter() {
            let follows = seen.rule.as_deref().map(|rule| format!(" It follows {}.", code(rule)));
            let erratic = if seen.erratic { " Not asked for again." } else { "" };
            items.push(format!(
                "{} ({}), **{}**: {}{}{erratic}",
                seen.runtime,
                seen.date,
                short(&clause.id),
                plain(&seen.says),
                follows.unwrap_or_default(),
            ));
        }
    }
    for table in operator.support.iter() {
        for differs in table.differs.iter() {
            items.push(format!(
                "{} ({}), table of level {}, {} of {}: {}",
                differs.runtime,
                differs.date,
                table.level,
                differs.types.join(", "),
                differs.tensors.join(", "),
                plain(&differs.says)
            ));
        }
    }
    items
}

/// What revisions and translations say that is not followed.
fn superseded(operator: &Operator) -> impl Iterator<Item = String> {
    operator.superseded.iter().map(|entry| {
        let by = match operator.sources.iter().any(|source| source.name == entry.by) {
            true => format!("followed: {}", code(&entry.by)),
            false => plain(&entry.by),
        };
        let (fact, source, value) = (plain(&entry.fact), code(&entry.source), code(&entry.value));
        format!("{fact}, in {source}: {value}; {by}")
    })
}

/// Places of sentences that bind and wait for a clause.
fn uncovered(catalog: &Catalog, operator: &Operator) -> impl Iterator<Item = String> {
    let waiting = operator.ledger.iter().filter(|entry| entry.clause == "todo");
    waiting.map(|entry| plain(&cited(catalog, &operator.name, &entry.source)))
}

fn cases(page: &mut Markdown, operator: &Operator, tier: &str, counts: &FamilyCounts) {
    page.paragraph("## Cases");
    if operator.cases.families.is_empty() {
        return page.paragraph("None: only the descriptor is described.");
    }
    if oracle(&operator.name).is_none() {
        page.paragraph("Descriptors only: what the operator computes is not tested yet.");
    }
    let levels: Vec<FeatureLevel> = operator.table_levels().collect();
    let heads: Vec<String> = levels.iter().map(ToString::to_string).collect();
    page.paragraph(&format!("By family and table level, at the tier {tier}."));
    page.line(&format!("| Family | {} | Why | Catches |", heads.join(" | ")));
    page.line(&format!("| --- |{} --- | --- |", " ---: |".repeat(levels.len())));
    for (index, family) in operator.cases.families.iter().enumerate() {
        let count = |level: &FeatureLevel| counts.get(&(index, *level)).copied().unwrap_or(0).to_string();
        let counts: Vec<String> = levels.iter().map(count).collect();
        page.line(&format!(
            "| {} | {} | {} | {} |",
            family.name,
            counts.join(" | "),
            cell(&family.says),
            cell(&family.catches.join("; "))
        ));
    }
}

/// What happened, the latest first.
fn history(operator: &Operator) -> Vec<String> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    for clause in operator.clauses.iter() {
        for change in clause.history.iter() {
            entries.push((
                &change.date,
                format!("{}, **{}**: {}", change.date, short(&clause.id), plain(&change.change)),
            ));
        }
    }
    entries.sort_by(|a, b| b.0.cmp(a.0));
    entries.into_iter().map(|(_, text)| text).collect()
}
