//! A file of expectations to entries: every mistake with its place, none of them fatal to the others.

use std::{collections::BTreeSet, ops::Range};

use dml_spec::{
    Diagnostic,
    diag::locate,
    tree::{Kind, Node, read::parse},
};

use super::{Entry, Expectations, FLAKY, SKIP};
use crate::{
    judge, nearest::suggestion, oracle, outcome::Outcome, protocol::printable, query::Query, run::Selection,
    suite::Suite,
};

/// Outcomes that an entry can name.
pub const OUTCOMES: [&str; 7] = ["fail", "crash", "timeout", "device-lost", "harness-error", FLAKY, SKIP];

/// Keys of an entry.
const KEYS: [&str; 5] = ["query", "outcome", "class", "reason", "issue"];

/// Reads a file; `file` is its path as the user knows it.
///
/// # Errors
/// All its mistakes, among them queries that match no case of the plan.
pub fn read(suite: &Suite, file: &str, text: &str) -> Result<Expectations, Vec<Diagnostic>> {
    let mut reader = Reader {
        suite,
        file,
        text,
        found: Vec::new(),
    };
    let (root, issues) = parse(text);
    for issue in issues {
        reader.wrong(issue.code, issue.span, issue.message, issue.hint);
    }
    let entries = root.map(|root| reader.entries(&root)).unwrap_or_default();
    if reader.found.is_empty() {
        Ok(Expectations { entries })
    } else {
        Err(reader.found)
    }
}

/// Every class that a failure can have, in order: the oracles', the harness's, the properties that silences leave, and
/// the outcomes that speak for themselves.
fn classes(suite: &Suite) -> BTreeSet<String> {
    let operators = &suite.catalog.operators;
    let oracles = operators.iter().filter_map(|operator| oracle::oracle(&operator.name));
    let clauses = operators.iter().flat_map(|operator| operator.clauses.iter());
    let clauses = clauses.chain(suite.catalog.tensor_clauses.iter());
    let named = clauses.flat_map(|clause| clause.class.iter().chain(clause.holds.iter()));
    let losses = [Outcome::Crash, Outcome::Timeout, Outcome::Flaky, Outcome::HarnessError];
    let harness = [judge::HARNESS_CLASSES, judge::DIAGNOSED, oracle::guess::CLASSES].concat();
    let mut known: BTreeSet<String> = named.map(ToString::to_string).collect();
    known.extend(oracles.flat_map(|oracle| oracle.classes()).map(ToString::to_string));
    known.extend(harness.into_iter().map(str::to_owned));
    known.extend(losses.iter().map(|outcome| outcome.word().to_owned()));
    known
}

struct Reader<'a> {
    suite: &'a Suite,
    file: &'a str,
    text: &'a str,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn wrong(&mut self, code: &'static str, span: Range<usize>, message: String, hint: Option<String>) {
        let place = locate(self.file, self.text, span);
        self.found.push(Diagnostic {
            code,
            place,
            message,
            hint,
        });
    }

    fn entries(&mut self, root: &Node) -> Vec<Entry> {
        let Some(items) = root.items() else {
            let message = format!("expected a list of entries, found {}", root.describe());
            let hint = "an entry is `- {query: …, reason: …}`".to_owned();
            self.wrong("expectations::type", root.span.clone(), message, Some(hint));
            return Vec::new();
        };
        items.iter().filter_map(|node| self.entry(node)).collect()
    }

    fn entry(&mut self, node: &Node) -> Option<Entry> {
        let Kind::Map(entries) = &node.kind else {
            let message = format!("expected an entry with {}, found {}", KEYS.join(", "), node.describe());
            self.wrong("expectations::type", node.span.clone(), message, None);
            return None;
        };
        for (key, _) in entries {
            if !KEYS.contains(&key.text.as_str()) {
                let message = format!("unknown field `{}`", key.text);
                let hint = suggestion(&key.text, KEYS);
                self.wrong("expectations::unknown-field", key.span.clone(), message, Some(hint));
            }
        }
        let query = self.required(node, "query").and_then(|at| self.query(at));
        let reason = self.required(node, "reason").and_then(|at| self.word(at));
        let outcome = node.get("outcome").and_then(|at| self.outcome(at));
        let class = node.get("class").and_then(|at| self.class(at));
        let issue = node.get("issue").and_then(|at| self.word(at));
        Some(Entry {
            place: locate(self.file, self.text, node.span.clone()),
            query: query?,
            outcome,
            class,
            reason: reason?,
            issue,
        })
    }

    fn required<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n Node> {
        let found = node.get(key);
        if found.is_none() {
            let message = format!("the entry has no `{key}`");
            let hint = (key == "reason").then(|| "say why the failure is accepted".to_owned());
            self.wrong("expectations::missing-field", node.span.clone(), message, hint);
        }
        found
    }

    /// Text that is not empty.
    fn word(&mut self, node: &Node) -> Option<String> {
        match node.text().map(str::trim) {
            // Reports repeat it, on one line.
            Some(text) if !text.is_empty() => Some(printable(text, usize::MAX)),
            _ => {
                let message = format!("expected text, found {}", node.describe());
                self.wrong("expectations::type", node.span.clone(), message, None);
                None
            }
        }
    }

    fn query(&mut self, node: &Node) -> Option<Query> {
        let text = self.word(node)?;
        let query: Query = match text.parse() {
            Ok(query) => query,
            Err(why) => {
                let why: crate::query::ParseQueryError = why;
                self.wrong("expectations::query", node.span.clone(), why.to_string(), None);
                return None;
            }
        };
        let alone = Selection {
            queries: vec![query.clone()],
            ..Selection::default()
        };
        match alone.resolve(self.suite) {
            Ok(_) => Some(query),
            Err(nothing) => {
                let hint = Some("remove the entry, or correct its query".to_owned());
                self.wrong("expectations::query", node.span.clone(), nothing.to_string(), hint);
                None
            }
        }
    }

    fn class(&mut self, node: &Node) -> Option<String> {
        let text = self.word(node)?;
        let known = classes(self.suite);
        if !known.contains(&text) {
            let message = format!("no failure is of the class `{text}`");
            let hint = Some(suggestion(&text, known.iter().map(String::as_str)));
            self.wrong("expectations::class", node.span.clone(), message, hint);
        }
        Some(text)
    }

    fn outcome(&mut self, node: &Node) -> Option<&'static str> {
        let text = self.word(node)?;
        let known = OUTCOMES.into_iter().find(|known| *known == text);
        if known.is_none() {
            let message = format!(
                "there is no outcome `{text}` to expect; there are {}",
                OUTCOMES.join(", ")
            );
            self.wrong("expectations::outcome", node.span.clone(), message, None);
        }
        known
    }
}
