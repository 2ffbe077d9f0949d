//! Classes of failures that guarantees name and no failure has: such a guarantee would never be blamed.

use dml_case::{names::SYMPTOMS, nearest::nearest};
use dml_oracle::Kind;
use dml_plan::builder::Builder;
use dml_spec::Diagnostic;

use super::Source;

/// Classes under `clauses` that are neither a symptom, nor a kind of mistakes, nor the name of one of `mistakes`.
pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let own = builder.operator.mistakes.iter().map(|mistake| &*mistake.name);
    let kinds = Kind::ALL.iter().map(|kind| kind.word());
    let known: Vec<&str> = SYMPTOMS.into_iter().chain(kinds).chain(own).collect();
    let mut found = Vec::new();
    for (clause, node) in builder.operator.clauses.iter().zip(source.items("clauses")) {
        let named = node.at("class").and_then(|class| class.items()).unwrap_or_default();
        for (class, node) in clause.class.iter().zip(named) {
            if known.contains(&&**class) {
                continue;
            }
            let message = format!("no failure has the class `{class}`");
            let meant = nearest(class, known.iter().copied(), 1).into_iter().next();
            let hint = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!(
                    "a class is a symptom ({}), a kind of `dml-cts spec mutants`, or a name of `mistakes`",
                    SYMPTOMS.join(", ")
                ),
            };
            found.push(source.mistake("spec::unknown-class", &node.span, message, Some(hint)));
        }
    }
    found
}
