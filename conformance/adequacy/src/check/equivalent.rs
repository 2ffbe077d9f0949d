//! Reasons why no case shows a mistake, of mistakes that are none; and names of mistakes that are taken.

use dml_case::names::SYMPTOMS;
use dml_oracle::{Kind, mutants};
use dml_plan::builder::Builder;
use dml_spec::{Diagnostic, model::Equivalent};

use super::Source;

/// Entries under `equivalent` without a reason, and ids there that no mutant of the operator has.
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
        let mut without = |message: &str, span| {
            found.push(source.mistake("spec::no-reason", span, message.to_owned(), None));
        };
        if entry.because.trim().is_empty() {
            without("no reason is given", &node.span);
        }
        if entry.mutants.is_empty() {
            without("the reason is about no mutant", &node.span);
        }
        let ids = node.at("mutants").and_then(|ids| ids.items()).unwrap_or_default();
        for (id, node) in entry.mutants.iter().zip(ids) {
            if id == Equivalent::REST {
                let message = "a reason is about some mutants, not about all".to_owned();
                found.push(source.mistake("spec::no-reason", &node.span, message, None));
            } else if !known.iter().any(|mutant| Equivalent::is_named(id, &mutant.id)) {
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

/// Named mistakes whose name is one of a kind or a symptom, or of which nothing is said.
pub(super) fn check_names(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let entries = source
        .root
        .at("mistakes")
        .and_then(|node| node.entries())
        .unwrap_or_default();
    let mut found = Vec::new();
    for (mistake, (key, _)) in builder.operator.mistakes.iter().zip(entries) {
        let name = &*mistake.name;
        let mut wrong = |message: String| found.push(source.mistake("spec::mistake-name", &key.span, message, None));
        if SYMPTOMS.contains(&name) || Kind::ALL.iter().any(|kind| kind.word() == name) {
            wrong(format!("`{name}` is the name of a kind of mistakes or of a symptom"));
        }
        if mistake.says.trim().is_empty() {
            wrong(format!("nothing is said of `{name}`"));
        }
    }
    found
}
