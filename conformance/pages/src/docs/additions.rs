//! What the reference lacks: clauses with their rules and places, behaviour of releases, open questions, and cases.

use dml_spec::{
    Catalog, FeatureLevel,
    model::{CellDifference, Clause, ClauseKind, Family, NamedMistake, Operator},
};

use super::{Markdown, PlannedCases, escape_cell, escape_text, quote_code};
use dml_case::{
    clause::{cited, kind_word, retired, status_word},
    formula::formulas,
};

pub(super) fn write_additions(page: &mut Markdown, catalog: &Catalog, operator: &Operator, planned: &PlannedCases<'_>) {
    let (silences, clauses): (Vec<&Clause>, Vec<&Clause>) =
        operator.clauses.iter().partition(|c| c.kind == ClauseKind::Silence);
    write_meaning(page, operator);
    write_section(
        page,
        "Mistakes with a name",
        operator.mistakes.iter().map(format_mistake),
    );
    write_section(
        page,
        "Clauses",
        clauses.iter().map(|c| format_clause(catalog, operator, c)),
    );
    write_section(
        page,
        "What is left open",
        silences.iter().map(|c| format_clause(catalog, operator, c)),
    );
    write_section(page, "Observed behaviour", list_observed(operator));
    write_section(page, "Said otherwise", list_superseded(operator));
    write_section(
        page,
        "Sentences that no clause covers yet",
        list_uncovered(catalog, operator),
    );
    write_cases(page, operator, planned);
    write_section(page, "History", list_history(operator));
}

/// What the operator computes, as formulas.
fn write_meaning(page: &mut Markdown, operator: &Operator) {
    let formulas = formulas(operator);
    if formulas.is_empty() {
        return;
    }
    page.paragraph("## Meaning");
    let text = formulas
        .iter()
        .map(|(head, lines)| format!("{head} =\n    {}\n", lines.join("\n    ")));
    page.fence("", &text.collect::<String>());
}

fn format_mistake(mistake: &NamedMistake) -> String {
    let mut text = format!("**{}**: {}", mistake.name, escape_text(&mistake.says));
    for (head, line) in mistake.meaning.iter().chain(mistake.any.iter()) {
        text += &format!("\n  * {}: {}", quote_code(head), quote_code(line));
    }
    text
}

/// A list below a heading, if there is anything to list.
fn write_section(page: &mut Markdown, heading: &str, items: impl IntoIterator<Item = String>) {
    let items: Vec<String> = items.into_iter().collect();
    if items.is_empty() {
        return;
    }
    page.paragraph(&format!("## {heading}"));
    items.iter().for_each(|item| page.line(&format!("* {item}")));
}

fn shorten_id(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, name)| name)
}

fn format_clause(catalog: &Catalog, operator: &Operator, clause: &Clause) -> String {
    let status = match &clause.retired {
        Some(by) => retired(by),
        None => status_word(clause.status).to_owned(),
    };
    let mut text = format!(
        "**{}** ({}, {status}): {}",
        shorten_id(&clause.id),
        kind_word(clause.kind),
        escape_text(&clause.says)
    );
    let mut detail = |label: &str, value: String| {
        if !value.is_empty() {
            text += &format!("\n  * {label}: {value}");
        }
    };
    let codes = |list: &[dml_spec::model::Text]| list.iter().map(|t| quote_code(t)).collect::<Vec<_>>().join(", ");
    let silent = clause.kind == ClauseKind::Silence;
    let rule = clause.rule.as_deref().map(quote_code).unwrap_or_default();
    detail(if silent { "where" } else { "rule" }, rule);
    let needs: Vec<String> = clause.needs.iter().map(|id| quote_code(shorten_id(id))).collect();
    detail("needs", needs.join(", "));
    detail("failures it explains", codes(&clause.class));
    let holds: Vec<_> = clause.holds.iter().map(|invariant| invariant.name.clone()).collect();
    detail("holds all the same", codes(&holds));
    let tells: Vec<_> = clause.tells.iter().map(|variant| variant.name.clone()).collect();
    detail("reports tell apart", codes(&tells));
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

fn list_observed(operator: &Operator) -> Vec<String> {
    let mut items = Vec::new();
    for clause in operator.clauses.iter() {
        for seen in clause.observed.iter() {
            let follows = seen
                .rule
                .as_deref()
                .map(|rule| format!(" It follows {}.", quote_code(rule)));
            let erratic = if seen.erratic { " Not asked for again." } else { "" };
            items.push(format!(
                "{} ({}), **{}**: {}{}{erratic}",
                seen.runtime,
                seen.date,
                shorten_id(&clause.id),
                escape_text(&seen.says),
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
                list_cells(differs),
                differs.tensors.join(", "),
                escape_text(&differs.says)
            ));
        }
    }
    items
}

/// Data types, and dimension counts as ids have them: `INT8, 5-D`.
fn list_cells(differs: &CellDifference) -> String {
    let types = differs.types.iter().map(ToString::to_string);
    let counts = differs.dimensions.iter().map(|count| format!("{count}-D"));
    types.chain(counts).collect::<Vec<_>>().join(", ")
}

/// Facts of revisions and translations that the specification does not follow.
fn list_superseded(operator: &Operator) -> impl Iterator<Item = String> {
    operator.superseded.iter().map(|entry| {
        let by = match operator.sources.iter().any(|source| source.name == entry.by) {
            true => format!("followed: {}", quote_code(&entry.by)),
            false => escape_text(&entry.by),
        };
        let (fact, source, value) = (
            escape_text(&entry.fact),
            quote_code(&entry.source),
            quote_code(&entry.value),
        );
        format!("{fact}, in {source}: {value}; {by}")
    })
}

/// Places of binding sentences that have no clause yet.
fn list_uncovered(catalog: &Catalog, operator: &Operator) -> impl Iterator<Item = String> {
    let waiting = operator.ledger.iter().filter(|entry| entry.clause == "todo");
    waiting.map(|entry| escape_text(&cited(catalog, &operator.name, &entry.source)))
}

fn write_cases(page: &mut Markdown, operator: &Operator, planned: &PlannedCases<'_>) {
    page.paragraph("## Cases");
    if operator.cases.keys.is_empty() {
        return page.paragraph("None: only the descriptor is described.");
    }
    if !planned.is_computed {
        page.paragraph("Descriptors only: what the operator computes is not tested yet.");
    }
    let levels: Vec<FeatureLevel> = operator.table_levels().collect();
    let heads: Vec<String> = levels.iter().map(ToString::to_string).collect();
    page.paragraph(&format!("By family and table level, at the tier {}.", planned.tier));
    page.line(&format!("| Family | {} | What it shows |", heads.join(" | ")));
    page.line(&format!("| --- |{} --- |", " ---: |".repeat(levels.len())));
    for family in Family::ALL {
        let count = |level: &FeatureLevel| planned.counts.get(&(family, *level)).copied().unwrap_or(0).to_string();
        let counts: Vec<String> = levels.iter().map(count).collect();
        page.line(&format!(
            "| {} | {} | {} |",
            family.name(),
            counts.join(" | "),
            escape_cell(family.says())
        ));
    }
}

/// The history, the latest entry first.
fn list_history(operator: &Operator) -> Vec<String> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    for clause in operator.clauses.iter() {
        for change in clause.history.iter() {
            entries.push((
                &change.date,
                format!(
                    "{}, **{}**: {}",
                    change.date,
                    shorten_id(&clause.id),
                    escape_text(&change.change)
                ),
            ));
        }
    }
    entries.sort_by(|a, b| b.0.cmp(a.0));
    entries.into_iter().map(|(_, text)| text).collect()
}
