//! Reasons why no case shows a mistake, of mistakes that are none.

use dml_oracle::mutants;
use dml_plan::builder::Builder;
use dml_spec::{Diagnostic, model::Equivalent};

use super::Source;

/// Ids under `equivalent` that no mutant of the operator has.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let operator = builder.operator;
    // Without a meaning nothing is known of any mutant.
    let Some(meaning) = builder
        .program
        .meaning
        .as_ref()
        .filter(|_| !operator.equivalent.is_empty())
    else {
        return Vec::new();
    };
    let known = mutants(&builder.suite.catalog, operator, meaning);
    let mut found = Vec::new();
    for (entry, node) in operator.equivalent.iter().zip(source.items("equivalent")) {
        let ids = node.at("mutants").and_then(|ids| ids.items()).unwrap_or_default();
        for (id, node) in entry.mutants.iter().zip(ids) {
            if !known.iter().any(|mutant| Equivalent::is_named(id, &mutant.id)) {
                let message = format!("no mutant of {} has the id `{id}`", operator.name);
                let hint = format!(
                    "`dml-cts spec mutants {}` lists those that no case shows",
                    operator.name
                );
                found.push(source.mistake("spec::unknown-mutant", &node.span, message, Some(hint)));
            }
        }
    }
    found
}
