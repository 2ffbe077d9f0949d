//! A file of expectations to entries: every mistake with its place, none of them fatal to the others.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use dml_spec::{Diagnostic, diag::Lines};
use dml_spec_yaml::{
    load::is_day,
    tree::{Kind, Node, Plain, read::parse},
};

use dml_case::{
    digest::Digest,
    id::CaseId,
    names::{EARLIER_CLASSES, HARNESS_CLASSES, SYMPTOMS},
    nearest::suggestion,
    outcome::Outcome,
    query::Query,
    text::printable,
};
use dml_plan::planner::Planner;
use dml_report::expectations::{Allowed, CONDITION_KEYS, Conditions, Corpus, Entry, Expectations, OUTCOMES, SeenCases};
use dml_run::engine::Selection;

/// Keys of an entry.
const KEYS: [&str; 7] = ["query", "outcome", "class", "because", "link", "until", "only"];

/// Keys of a file that says more than its entries.
const FILE_KEYS: [&str; 3] = ["corpus", "expect", "seen"];

/// What older files call a key.
const RENAMED: [(&str, &str); 2] = [("reason", "because"), ("issue", "link")];

/// Reads a file; `file` is its path as the user knows it.
///
/// # Errors
/// All its mistakes, among them queries that match no case of the plan.
pub fn read_expectations(suite: &Planner, file: &str, text: &str) -> Result<Expectations, Vec<Diagnostic>> {
    let mut read = read_file(suite, file, text);
    read.mistakes.append(&mut read.unmatched);
    match read.mistakes.is_empty() {
        true => Ok(Expectations::new(read.entries)),
        false => {
            read.mistakes.sort_by_key(|found| found.place.span.start);
            Err(read.mistakes)
        }
    }
}

/// What a file comes to.
#[derive(Debug, Default)]
pub(super) struct ReadFile {
    /// Entries without mistakes, also those that match nothing.
    pub entries: Vec<Entry>,
    /// Mistakes but for queries that match no case of the plan.
    pub mistakes: Vec<Diagnostic>,
    /// Queries that match no case of the plan.
    pub unmatched: Vec<Diagnostic>,
    /// The tree of the text.
    pub root: Option<Node>,
    /// The corpus that it was written for.
    pub corpus: Arc<Corpus>,
}

/// Queries that match nothing for which others are looked for that resemble them.
const HINTED: usize = 50;

/// Reads a file, also past queries that match nothing.
pub(super) fn read_file(suite: &Planner, file: &str, text: &str) -> ReadFile {
    let mut reader = Reader {
        suite,
        file,
        text,
        lines: Lines::of(text),
        corpus: Arc::default(),
        found: ReadFile::default(),
    };
    let (root, issues) = parse(text);
    for issue in issues {
        reader.wrong(issue.code, issue.span, issue.message, issue.hint);
    }
    if let Some(root) = &root {
        reader.found.entries = reader.file(root);
    }
    reader.found.root = root;
    reader.found.corpus = Arc::clone(&reader.corpus);
    reader.found
}

/// Every class that a failure can have, in order: those that guarantees name, the harness's, the properties that silences
/// leave, and the outcomes that speak for themselves.
fn classes(suite: &Planner) -> BTreeSet<String> {
    let operators = &suite.catalog.operators;
    let clauses = operators.iter().flat_map(|operator| operator.clauses.iter());
    let clauses = clauses.chain(suite.catalog.tensor_clauses.iter());
    let named = clauses.flat_map(|clause| {
        let names = clause.holds.iter().map(|invariant| &invariant.name);
        let names = names.chain(clause.tells.iter().map(|variant| &variant.name));
        clause.class.iter().chain(names)
    });
    let losses = [
        Outcome::Crash,
        Outcome::Timeout,
        Outcome::DeviceLost,
        Outcome::Flaky,
        Outcome::HarnessError,
    ];
    let harness = [HARNESS_CLASSES, &SYMPTOMS, EARLIER_CLASSES].concat();
    let mut known: BTreeSet<String> = named.map(ToString::to_string).collect();
    known.extend(harness.into_iter().map(str::to_owned));
    known.extend(losses.iter().map(|outcome| outcome.word().to_owned()));
    known
}

struct Reader<'a> {
    suite: &'a Planner,
    file: &'a str,
    text: &'a str,
    lines: Lines,
    corpus: Arc<Corpus>,
    found: ReadFile,
}

impl Reader<'_> {
    fn wrong(&mut self, code: &'static str, span: Range<usize>, message: String, hint: Option<String>) {
        let found = self.diagnostic(code, span, message, hint);
        self.found.mistakes.push(found);
    }

    fn diagnostic(&self, code: &'static str, span: Range<usize>, message: String, hint: Option<String>) -> Diagnostic {
        Diagnostic {
            code,
            place: self.lines.locate(self.file, self.text, span),
            message,
            hint,
        }
    }

    /// A list of entries, or a mapping with that list and what it was written for.
    fn file(&mut self, root: &Node) -> Vec<Entry> {
        match &root.kind {
            Kind::Seq(items) => items.iter().filter_map(|node| self.entry(node)).collect(),
            Kind::Map(_) => {
                self.keys(root, &FILE_KEYS);
                let digest = root.get("corpus").and_then(|at| {
                    let text = self.word(at)?;
                    self.parsed(
                        at,
                        Digest::parse(&text),
                        "32 hex digits, as `expect update` writes them",
                    )
                });
                let seen = root.get("seen").and_then(|at| {
                    let text = self.word(at)?;
                    self.parsed(at, SeenCases::parse(&text), "what `expect update` wrote here")
                });
                let seen = seen.unwrap_or_default();
                self.corpus = Arc::new(Corpus { digest, seen });
                match self.required(root, "expect").map(|at| (at, at.items())) {
                    Some((_, Some(items))) => items.iter().filter_map(|node| self.entry(node)).collect(),
                    Some((at, None)) if at.plain() != Plain::Null => self.no_list(at),
                    _ => Vec::new(),
                }
            }
            Kind::Scalar { .. } => self.no_list(root),
        }
    }

    fn no_list(&mut self, node: &Node) -> Vec<Entry> {
        let message = format!("expected a list of entries, found {}", node.describe());
        let hint = "an entry is `- {query: …, because: …}`".to_owned();
        self.wrong("expectations::type", node.span.clone(), message, Some(hint));
        Vec::new()
    }

    fn parsed<T>(&mut self, node: &Node, parsed: Option<T>, expected: &str) -> Option<T> {
        if parsed.is_none() {
            let message = format!("expected {expected}");
            let hint = Some("`dml-cts expect update` rewrites it".to_owned());
            self.wrong("expectations::type", node.span.clone(), message, hint);
        }
        parsed
    }

    fn entry(&mut self, node: &Node) -> Option<Entry> {
        if node.entries().is_none() {
            let message = format!("expected an entry with {}, found {}", KEYS.join(", "), node.describe());
            self.wrong("expectations::type", node.span.clone(), message, None);
            return None;
        }
        self.keys(node, &KEYS);
        let query = self.required(node, "query").and_then(|at| self.query(at));
        let because = match node.get("because").or_else(|| node.get("reason")) {
            Some(at) => self.word(at),
            None => self.required(node, "because").and(None),
        };
        let allowed = node.get("outcome").map(|at| self.outcome(at));
        let class = node.get("class").and_then(|at| self.class(at));
        let link = node.get("link").and_then(|at| self.word(at));
        let until = node.get("until").and_then(|at| self.day(at));
        let only = node.get("only").map(|at| self.only(at)).unwrap_or_default();
        let (query, id) = query?;
        Some(Entry {
            place: self.lines.locate(self.file, self.text, node.span.clone()),
            query,
            id,
            allowed: allowed.unwrap_or_default(),
            class,
            because: because?,
            link,
            until,
            only,
            corpus: Arc::clone(&self.corpus),
        })
    }

    /// Complains about keys that are none.
    fn keys(&mut self, node: &Node, known: &[&str]) {
        for (key, _) in node.entries().unwrap_or_default() {
            if known.contains(&key.text.as_str()) {
                continue;
            }
            let message = format!("unknown field `{}`", key.text);
            let renamed = RENAMED.iter().find(|(old, _)| *old == key.text);
            let hint = match renamed.filter(|(_, new)| known.contains(new)) {
                Some((_, new)) => format!("it is called `{new}`"),
                None => suggestion(&key.text, known.iter().copied()),
            };
            self.wrong("expectations::unknown-field", key.span.clone(), message, Some(hint));
        }
    }

    fn required<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n Node> {
        let found = node.get(key);
        if found.is_none() {
            let (message, hint) = match key {
                "expect" => (
                    "the file has no `expect`".to_owned(),
                    Some("put the list of entries there"),
                ),
                "because" => (
                    format!("the entry has no `{key}`"),
                    Some("add the reason why the failure is accepted"),
                ),
                _ => (format!("the entry has no `{key}`"), None),
            };
            let hint = hint.map(str::to_owned);
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

    /// A word, or words in a list.
    fn words<'n>(&mut self, node: &'n Node) -> Vec<(&'n Node, String)> {
        let nodes = node.items().unwrap_or(std::slice::from_ref(node));
        if nodes.is_empty() {
            let message = "the list is empty".to_owned();
            self.wrong("expectations::type", node.span.clone(), message, None);
        }
        nodes.iter().filter_map(|node| Some((node, self.word(node)?))).collect()
    }

    /// The query, and the case if it is a whole id.
    fn query(&mut self, node: &Node) -> Option<(Query, Option<CaseId>)> {
        let text = self.word(node)?;
        let query: Query = match text.parse() {
            Ok(query) => query,
            Err(why) => {
                let why: dml_case::query::ParseQueryError = why;
                self.wrong("expectations::query", node.span.clone(), why.to_string(), None);
                return None;
            }
        };
        let alone = Selection {
            queries: vec![query.clone()],
            unhinted: self.found.unmatched.len() >= HINTED,
            ..Selection::default()
        };
        let id = match alone.resolve(self.suite) {
            Ok(resolved) => resolved.exact.into_iter().next().map(|named| named.id),
            Err(nothing) => {
                let hint = Some("remove the entry, or correct its query".to_owned());
                let found = self.diagnostic("expectations::query", node.span.clone(), nothing.to_string(), hint);
                self.found.unmatched.push(found);
                None
            }
        };
        Some((query, id))
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

    fn outcome(&mut self, node: &Node) -> Allowed {
        let words = self.words(node);
        for (at, word) in &words {
            if !OUTCOMES.contains(&word.as_str()) {
                let message = format!("unknown outcome `{word}`; expected {}", OUTCOMES.join(", "));
                self.wrong("expectations::outcome", at.span.clone(), message, None);
            }
        }
        let allowed = Allowed::new(words.iter().map(|(_, word)| word.as_str()));
        if allowed.is_none() && words.iter().all(|(_, word)| word == "pass") && !words.is_empty() {
            let message = "`pass` alone is not a known failure".to_owned();
            let hint = Some("name the failure as well: [pass, fail]; or remove the entry".to_owned());
            self.wrong("expectations::outcome", node.span.clone(), message, hint);
        }
        allowed.unwrap_or_default()
    }

    fn day(&mut self, node: &Node) -> Option<String> {
        let text = self.word(node)?;
        if is_day(&text) {
            return Some(text);
        }
        let message = format!("invalid date `{text}`");
        let hint = Some("days are written YYYY-MM-DD".to_owned());
        self.wrong("expectations::date", node.span.clone(), message, hint);
        None
    }

    fn only(&mut self, node: &Node) -> Conditions {
        let mut conditions = Conditions::default();
        let Some(entries) = node.entries() else {
            let message = format!("expected a mapping, found {}", node.describe());
            let hint = format!(
                "such as {{backend: wgpu, os: linux}}; expected {}",
                CONDITION_KEYS.join(", ")
            );
            self.wrong("expectations::only", node.span.clone(), message, Some(hint));
            return conditions;
        };
        self.keys(node, &CONDITION_KEYS);
        for (key, value) in entries {
            let Some(known) = CONDITION_KEYS.into_iter().find(|known| *known == key.text) else {
                continue;
            };
            for (at, word) in self.words(value) {
                if let Err(why) = conditions.add(known, &word) {
                    self.wrong("expectations::only", at.span.clone(), why, None);
                }
            }
        }
        conditions
    }
}
