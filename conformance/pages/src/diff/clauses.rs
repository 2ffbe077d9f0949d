//! Clauses, property by property.

use dml_spec::model::{Citation, Clause};

use super::{Entry, Section, Thing};
use crate::citations::refresh::format_place;
use dml_case::clause::{applies_word, kind_word, retired, status_word};

pub(super) fn compare_clauses(old: &[Clause], new: &[Clause]) -> Vec<Entry> {
    let things = |clauses: &[Clause]| clauses.iter().map(describe_clause).collect::<Vec<_>>();
    super::compare_things(Section::Clauses, &things(old), &things(new))
}

fn describe_clause(clause: &Clause) -> Thing {
    let observed = clause.observed.iter().map(|seen| {
        let rule = seen
            .rule
            .as_deref()
            .map(|rule| format!(" [{rule}]"))
            .unwrap_or_default();
        let erratic = if seen.erratic { " [erratic]" } else { "" };
        format!("{} ({}): {}{rule}{erratic}", seen.runtime, seen.date, seen.says)
    });
    let history = clause.history.iter().map(|c| format!("{}: {}", c.date, c.change));
    Thing {
        id: clause.id.to_string(),
        properties: vec![
            ("kind", kind_word(clause.kind).to_owned()),
            ("status", status_word(clause.status).to_owned()),
            ("says", clause.says.to_string()),
            ("applies", applies_word(clause.applies).to_owned()),
            ("structural", if clause.structural { "true" } else { "" }.to_owned()),
            ("needs", clause.needs.join(", ")),
            ("rule", clause.rule.as_deref().unwrap_or_default().to_owned()),
            ("class", clause.class.join(", ")),
            ("holds", clause.holds.join(", ")),
            ("tells", clause.tells.join(", ")),
            (
                "source",
                clause.source.as_ref().map(format_citation).unwrap_or_default(),
            ),
            ("observed", observed.collect::<Vec<_>>().join("; ")),
            ("history", history.collect::<Vec<_>>().join("; ")),
            ("retired", clause.retired.as_deref().map(retired).unwrap_or_default()),
        ],
    }
}

/// `en-2022 Axis sentence 2 d0461cff`.
pub(super) fn format_citation(citation: &Citation) -> String {
    let hash: String = citation.sha256.chars().take(8).collect();
    let text = format!(
        "{} {} {hash}",
        citation.source,
        format_place(&citation.anchor, citation.sentence)
    );
    text.trim_end().to_owned()
}
