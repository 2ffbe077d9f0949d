//! Text to marked tree. YAML beyond plain data (anchors, aliases, tags, several documents, complex keys) and duplicate
//! keys are reported as mistakes.

use std::{collections::HashMap, ops::Range};

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::{Issue, Key, Kind, Node};

/// Longest text that is read.
pub const MAX_BYTES: usize = 1 << 20;
const NO_ALIAS: &str = "aliases are not supported, write the value out";

/// Deepest nesting that is read.
pub const MAX_DEPTH: usize = 64;

/// Reads a text. There is no tree if the text is empty or a mistake ended the reading; other mistakes leave one.
pub fn parse(text: &str) -> (Option<Node>, Vec<Issue>) {
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes, at most {MAX_BYTES} are read", text.len());
        return (None, vec![issue("spec::too-large", 0..0, message)]);
    }
    let mut reader = Reader {
        text,
        offsets: offsets(text),
        stack: Vec::new(),
        root: None,
        documents: 0,
        issues: Vec::new(),
    };
    let root = if reader.run() { reader.root } else { None };
    (root, reader.issues)
}

/// Byte offset of each character, and of the end.
fn offsets(text: &str) -> Vec<usize> {
    text.char_indices().map(|(i, _)| i).chain([text.len()]).collect()
}

/// Bytes up to and with the quote that ends the quoted scalar at the start of `raw`; all of it without one.
fn quoted_length(raw: &str) -> usize {
    let Some(quote) = raw.chars().next() else { return 0 };
    let mut rest = raw.char_indices().skip(1).peekable();
    while let Some((at, found)) = rest.next() {
        let doubled = found == '\'' && quote == '\'' && rest.peek().is_some_and(|(_, next)| *next == quote);
        if doubled || found == '\\' && quote == '"' {
            rest.next();
        } else if found == quote {
            return at + 1;
        }
    }
    raw.len()
}

fn issue(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Issue {
    Issue {
        code,
        span,
        message: message.into(),
        hint: None,
    }
}

/// A collection that is not closed yet.
enum Open {
    Seq {
        start: usize,
        items: Vec<Node>,
    },
    Map {
        start: usize,
        entries: Vec<(Key, Node)>,
        key: Option<Key>,
        /// Place of each key.
        seen: HashMap<String, usize>,
    },
}

struct Reader<'t> {
    text: &'t str,
    offsets: Vec<usize>,
    stack: Vec<Open>,
    root: Option<Node>,
    documents: usize,
    issues: Vec<Issue>,
}

impl Reader<'_> {
    /// False if a mistake ended the reading.
    fn run(&mut self) -> bool {
        let text = self.text;
        let mut parser = Parser::new_from_str(text);
        while let Some(next) = parser.next_event() {
            match next {
                Ok((Event::StreamEnd, _)) => return true,
                Ok((event, span)) => {
                    if !self.event(event, span) {
                        return false;
                    }
                }
                Err(error) => {
                    let at = self.byte(error.marker().index());
                    // The parser resolves aliases before it reports them.
                    let (code, message) = match error.info() {
                        info if info.contains("unknown anchor") => ("spec::alias", NO_ALIAS.to_owned()),
                        info => ("spec::yaml-syntax", info.to_lowercase()),
                    };
                    self.issues.push(issue(code, at..at, message));
                    return false;
                }
            }
        }
        true
    }

    /// Takes one event; false ends the reading.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        let bytes = self.byte(span.start.index())..self.byte(span.end.index());
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.issues.push(issue(
                        "spec::several-documents",
                        bytes,
                        "a second document, expected one",
                    ));
                    return false;
                }
            }
            Event::Alias(_) => {
                self.issues.push(issue("spec::alias", bytes.clone(), NO_ALIAS));
                self.value(Node {
                    kind: Kind::Scalar {
                        text: String::new(),
                        quoted: true,
                    },
                    span: bytes,
                });
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_extras(anchor, tag.is_some(), &bytes);
                self.scalar(text.into_owned(), style, bytes);
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_extras(anchor, tag.is_some(), &bytes);
                return self.open(Open::Seq {
                    start: bytes.start,
                    items: Vec::new(),
                });
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_extras(anchor, tag.is_some(), &bytes);
                return self.open(Open::Map {
                    start: bytes.start,
                    entries: Vec::new(),
                    key: None,
                    seen: HashMap::new(),
                });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(bytes.end),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        true
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, mut span: Range<usize>) {
        let quoted = style != ScalarStyle::Plain;
        if text.is_empty() && !quoted {
            // The parser places a missing value where it noticed it.
            span = self.behind_colon().unwrap_or(span);
        } else if matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            // The parser includes a comment after the quotes.
            let raw = self.text.get(span.clone()).unwrap_or_default();
            span.end = span.start + quoted_length(raw);
        } else {
            if style != ScalarStyle::Plain {
                span.start = self.block_start(span.start);
            }
            // Plain and block scalars may end after their line break.
            span = self.trimmed(span);
        }
        self.value(Node {
            kind: Kind::Scalar { text, quoted },
            span,
        });
    }

    /// The range that the value of the pending key would have.
    fn behind_colon(&self) -> Option<Range<usize>> {
        let Some(Open::Map { key: Some(key), .. }) = self.stack.last() else {
            return None;
        };
        let rest = self.text.get(key.span.end..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let colon = rest.get(blank..)?.starts_with(':');
        let at = key.span.end + if colon { blank + 1 } else { 0 };
        Some(at..at)
    }

    /// The place of the `|` or `>` that opens the block scalar whose content starts at `content`.
    fn block_start(&self, content: usize) -> usize {
        let before = self.text.get(..content).unwrap_or_default().trim_end();
        let line = before.rfind('\n').map_or(0, |i| i + 1);
        let header = |at: &usize| {
            let opens = before[..*at].ends_with([' ', '\t']);
            let rest = before[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
            opens && (rest.is_empty() || rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#'))
        };
        let found = before[line..].match_indices(['|', '>']).map(|(i, _)| line + i);
        found.into_iter().find(header).unwrap_or(content)
    }

    fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        let raw = self.text.get(span.clone()).unwrap_or_default();
        span.start..span.start + raw.trim_end().len()
    }

    fn refuse_extras(&mut self, anchor: usize, tagged: bool, span: &Range<usize>) {
        if anchor != 0 {
            self.issues
                .push(issue("spec::anchor", span.clone(), "anchors are not supported"));
        }
        if tagged {
            self.issues
                .push(issue("spec::tag", span.clone(), "tags are not supported"));
        }
    }

    fn open(&mut self, open: Open) -> bool {
        if self.stack.len() >= MAX_DEPTH {
            let (Open::Seq { start, .. } | Open::Map { start, .. }) = open;
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            self.issues.push(issue("spec::too-deep", start..start, message));
            return false;
        }
        self.stack.push(open);
        true
    }

    /// Closes the innermost collection; `end` is the end by the parser.
    fn close(&mut self, end: usize) {
        let Some(open) = self.stack.pop() else { return };
        let node = self.collect(open, end);
        self.value(node);
    }

    fn collect(&self, open: Open, end: usize) -> Node {
        let (start, last, kind) = match open {
            Open::Seq { start, items } => (start, items.last().map(|n| n.span.end), Kind::Seq(items)),
            Open::Map { start, entries, .. } => {
                let last = entries.last().map(|(k, n)| n.span.end.max(k.span.end));
                (start, last, Kind::Map(entries))
            }
        };
        let flow = self.text.get(start..).is_some_and(|t| t.starts_with(['[', '{']));
        // By the parser, block collections end where the next token starts.
        let end = if flow { end } else { last.unwrap_or(start) };
        Node {
            kind,
            span: start..end.max(start),
        }
    }

    /// Puts a finished node where it belongs: value of a key, item, key or root.
    fn value(&mut self, node: Node) {
        match self.stack.last_mut() {
            None => {
                self.root.get_or_insert(node);
            }
            Some(Open::Seq { items, .. }) => items.push(node),
            Some(Open::Map { entries, key, seen, .. }) => match key.take() {
                None => *key = Some(into_key(node, &mut self.issues)),
                Some(name) => match seen.get(&name.text) {
                    None => {
                        seen.insert(name.text.clone(), name.span.start);
                        entries.push((name, node));
                    }
                    Some(first) => self.issues.push(twice(self.text, &name, *first)),
                },
            },
        }
    }

    fn byte(&self, char_index: usize) -> usize {
        self.offsets.get(char_index).copied().unwrap_or(self.text.len())
    }
}

/// Reports a key that was already seen at `first`.
fn twice(text: &str, key: &Key, first: usize) -> Issue {
    let line = text.get(..first).unwrap_or_default().matches('\n').count() + 1;
    let message = format!("the key `{}` stands twice in one mapping", key.text);
    let mut issue = issue("spec::duplicate-key", key.span.clone(), message);
    issue.hint = Some(format!("the first one is in line {line}"));
    issue
}

fn into_key(node: Node, issues: &mut Vec<Issue>) -> Key {
    match node.kind {
        Kind::Scalar { text, quoted } => Key {
            text,
            quoted,
            span: node.span,
        },
        _ => {
            issues.push(issue(
                "spec::complex-key",
                node.span.clone(),
                "a collection as a key, expected text",
            ));
            Key {
                text: String::new(),
                quoted: true,
                span: node.span,
            }
        }
    }
}
