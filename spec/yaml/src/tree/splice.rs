//! Writing back: replacements at marked places, everything else byte for byte as it was.
//!
//! An [`Edits`] is made from a text and its tree, takes any number of changes and applies them at once. New lines
//! follow the text's own line ends and the indentation of their neighbours.

use std::ops::Range;

use super::{Kind, Node, Plain, plain_kind};

/// A change that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    /// There is no node at the path.
    #[error("there is nothing at `{0}`")]
    NoSuchPath(String),
    /// The node at the path is not a sequence or mapping, as required.
    #[error("`{path}` is no {expected}")]
    WrongKind {
        /// The path.
        path: String,
        /// `sequence` or `mapping`.
        expected: &'static str,
    },
    /// The key is there already.
    #[error("`{path}` has the key `{key}` already")]
    KeyExists {
        /// The path.
        path: String,
        /// The key.
        key: String,
    },
    /// Two changes touch the same bytes.
    #[error("two changes overlap at byte {0}")]
    Overlap(usize),
    /// The place is not within the text.
    #[error("no text at bytes {0:?}")]
    OutOfText(Range<usize>),
}

/// Changes to a text.
#[derive(Debug)]
pub struct Edits<'a> {
    text: &'a str,
    root: &'a Node,
    changes: Vec<(Range<usize>, String)>,
}

impl<'a> Edits<'a> {
    /// No changes yet. `root` is the tree of `text`.
    pub fn new(text: &'a str, root: &'a Node) -> Self {
        Self {
            text,
            root,
            changes: Vec::new(),
        }
    }

    /// Replaces a byte range; an empty one inserts.
    pub fn replace(&mut self, span: Range<usize>, with: impl Into<String>) {
        self.changes.push((span, with.into()));
    }

    /// Sets the scalar at a path, such as `clauses[id=k-nonzero].says`, to a text. It is quoted if it has to be, or if
    /// it was.
    ///
    /// # Errors
    /// If there is no node at the path, or it is a collection.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), SpliceError> {
        let raw = self.text.get(self.node(path)?.span.clone()).unwrap_or_default();
        let written = if raw.starts_with('"') {
            quote(value)
        } else {
            scalar(value)
        };
        self.set_yaml(path, &written)
    }

    /// Sets the scalar at a path to YAML of one line: a number, or what [`scalar`] or [`flow`] made.
    ///
    /// # Errors
    /// If there is no node at the path, or it is a collection.
    pub fn set_yaml(&mut self, path: &str, value: &str) -> Result<(), SpliceError> {
        let node = self.node(path)?;
        let Kind::Scalar { text, quoted } = &node.kind else {
            return Err(SpliceError::WrongKind {
                path: path.to_owned(),
                expected: "scalar",
            });
        };
        // A missing value starts right after its colon.
        let gap = if text.is_empty() && !quoted { " " } else { "" };
        self.replace(node.span.clone(), format!("{gap}{value}"));
        Ok(())
    }

    /// Adds a key to the mapping at a path (the root is the empty path). `value` is YAML of one line, as made by
    /// [`scalar`] or [`flow`].
    ///
    /// # Errors
    /// If there is no mapping at the path, or it already has the key.
    pub fn add_key(&mut self, path: &str, key: &str, value: &str) -> Result<(), SpliceError> {
        let node = self.node(path)?;
        let wrong = || SpliceError::WrongKind {
            path: path.to_owned(),
            expected: "mapping",
        };
        let entries = node.entries().ok_or_else(wrong)?;
        if node.get(key).is_some() {
            return Err(SpliceError::KeyExists {
                path: path.to_owned(),
                key: key.to_owned(),
            });
        }
        // A value of further lines starts with its line end.
        let gap = if value.starts_with('\n') { "" } else { " " };
        let entry = format!("{}:{gap}{value}", scalar(key));
        match entries.first() {
            Some((first, _)) if !self.is_flow(node) => self.insert_line(node, first.span.start, &entry),
            first => self.insert_flow(node, first.is_none(), &entry),
        }
        Ok(())
    }

    /// Adds an item to the sequence at a path. `value` is YAML of one line, as made by [`scalar`] or [`flow`].
    ///
    /// # Errors
    /// If there is no sequence at the path.
    pub fn append(&mut self, path: &str, value: &str) -> Result<(), SpliceError> {
        let node = self.node(path)?;
        let wrong = || SpliceError::WrongKind {
            path: path.to_owned(),
            expected: "sequence",
        };
        let items = node.items().ok_or_else(wrong)?;
        if self.is_flow(node) {
            self.insert_flow(node, items.is_empty(), value);
        } else {
            self.insert_line(node, node.span.start, &format!("- {value}"));
        }
        Ok(())
    }

    /// The text with all changes.
    ///
    /// # Errors
    /// If changes overlap or reach outside the text.
    pub fn apply(mut self) -> Result<String, SpliceError> {
        // Stable: insertions at one place keep their order.
        self.changes.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        for (span, with) in &self.changes {
            if span.start < at {
                return Err(SpliceError::Overlap(span.start));
            }
            let outside = || SpliceError::OutOfText(span.clone());
            out.push_str(self.text.get(at..span.start).ok_or_else(outside)?);
            self.text.get(span.clone()).ok_or_else(outside)?;
            out.push_str(with);
            at = span.end;
        }
        out.push_str(self.text.get(at..).ok_or(SpliceError::OutOfText(at..at))?);
        Ok(out)
    }

    fn node(&self, path: &str) -> Result<&'a Node, SpliceError> {
        self.root
            .at(path)
            .ok_or_else(|| SpliceError::NoSuchPath(path.to_owned()))
    }

    fn is_flow(&self, node: &Node) -> bool {
        self.text
            .get(node.span.start..)
            .is_some_and(|t| t.starts_with(['[', '{']))
    }

    /// Inserts before the closing bracket, after the last entry.
    fn insert_flow(&mut self, node: &Node, first: bool, entry: &str) {
        let last = match &node.kind {
            Kind::Seq(items) => items.last().map(|n| n.span.end),
            Kind::Map(entries) => entries.last().map(|(key, value)| value.span.end.max(key.span.end)),
            Kind::Scalar { .. } => None,
        };
        let at = last.unwrap_or(node.span.start + 1);
        self.replace(at..at, format!("{}{entry}", if first { "" } else { ", " }));
    }

    /// Inserts a line after the last one of a block collection, with the indentation of `like`.
    fn insert_line(&mut self, node: &Node, like: usize, entry: &str) {
        let line_end = |from: usize| {
            let rest = self.text.get(from..).unwrap_or_default();
            from + rest.find('\n').unwrap_or(rest.len())
        };
        let end = line_end(node.span.end);
        let before = self.text.get(..like).unwrap_or_default();
        let indent = before
            .chars()
            .rev()
            .take_while(|c| *c != '\n' && *c != '\u{feff}')
            .count();
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let line = format!("{}{entry}", " ".repeat(indent));
        if end < self.text.len() {
            self.replace(end + 1..end + 1, format!("{line}{newline}"));
        } else {
            self.replace(end..end, format!("{newline}{line}"));
        }
    }
}

/// A text as a YAML scalar that is safe in block and in flow collections: plain if that is clear, else quoted.
pub fn scalar(text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '+' | '(' | ')' | '=' | '<' | '>' | '.' | ';');
    let inner = |c: char| word(c) || matches!(c, ' ' | '-' | '\'');
    let plain = text.starts_with(|c: char| c.is_alphanumeric())
        && text.ends_with(word)
        && text.chars().all(inner)
        && plain_kind(text) == Plain::Text;
    if plain { text.to_owned() } else { quote(text) }
}

/// A text in double quotes.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A flow mapping of texts: `{date: "2026-11-21", change: accepted}`.
pub fn flow<'e>(entries: impl IntoIterator<Item = (&'e str, &'e str)>) -> String {
    let entry = |(key, value): (&str, &str)| format!("{}: {}", scalar(key), scalar(value));
    let entries: Vec<String> = entries.into_iter().map(entry).collect();
    format!("{{{}}}", entries.join(", "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::read::parse;

    const TEXT: &str = "\
# the head — kept
a:   one   # trailing
list:
    - {id: x,  says: 'old' }   # odd spacing

    - id: y
      says: \"two\"

      # a comment inside
flow: [1,  2 ]
none: []
void:
deep:
  er:
    k: v
";

    fn edited(text: &str, edit: impl FnOnce(&mut Edits<'_>) -> Result<(), SpliceError>) -> String {
        let (root, issues) = parse(text);
        assert_eq!(issues, []);
        let root = root.expect("a tree");
        let mut edits = Edits::new(text, &root);
        edit(&mut edits).expect("an edit");
        edits.apply().expect("a text")
    }

    #[test]
    fn only_the_edited_lines_change() {
        let out = edited(TEXT, |e| {
            e.set("a", "uno")?;
            e.set("list[id=x].says", "new: text")?;
            e.add_key("list[id=x]", "rule", &scalar("a < b"))?;
            e.set("list[id=y].says", "deux")?;
            e.add_key("list[id=y]", "source", &flow([("in", "p"), ("date", "2026-11-21")]))?;
            e.append("list", &flow([("id", "z")]))?;
            e.append("flow", "3")?;
            e.append("none", "4")?;
            e.set("void", "5")?;
            e.add_key("deep.er", "l", "w")
        });
        let expected = "\
# the head — kept
a:   uno   # trailing
list:
    - {id: x,  says: \"new: text\", rule: a < b }   # odd spacing

    - id: y
      says: \"deux\"
      source: {in: p, date: 2026-11-21}
    - {id: z}

      # a comment inside
flow: [1,  2, 3 ]
none: [4]
void: \"5\"
deep:
  er:
    k: v
    l: w
";
        assert_eq!(out, expected);
        let root = parse(&out).0.expect("a tree");
        assert_eq!(root.at("list[id=y].source.in").and_then(Node::text), Some("p"));
        assert_eq!(root.at("list[2].id").and_then(Node::text), Some("z"));
    }

    #[test]
    fn block_scalars_go_with_their_header() {
        let text = "a: |\n  one\n  two\n\nb: >- # why\n    p | q\n    r # no comment\n# kept\nl:\n- |2-\n    x\n- y\nc: |\nd: 1\n";
        let out = edited(text, |e| {
            e.set("a", "p: q")?;
            e.set("b", "s")?;
            e.set("l[0]", "z")?;
            e.set("c", "t")
        });
        assert_eq!(out, "a: \"p: q\"\n\nb: s\n# kept\nl:\n- z\n- y\nc: t\nd: 1\n");
    }

    #[test]
    fn crlf_and_a_missing_last_line_end_survive() {
        let text = "\u{feff}a: é\r\nb:\r\n  - 1\r\nc: x";
        let out = edited(text, |e| {
            e.append("b", "2")?;
            e.set("a", "ö")?;
            e.add_key("", "d", "y")
        });
        assert_eq!(out, "\u{feff}a: ö\r\nb:\r\n  - 1\r\n  - 2\r\nc: x\r\nd: y");
    }

    #[test]
    fn impossible_edits_say_why() {
        let root = parse("a: {b: c}\n").0.expect("a tree");
        let mut edits = Edits::new("a: {b: c}\n", &root);
        assert!(matches!(edits.set("x", "y"), Err(SpliceError::NoSuchPath(_))));
        assert!(matches!(edits.set("a", "y"), Err(SpliceError::WrongKind { .. })));
        assert!(matches!(edits.append("a", "y"), Err(SpliceError::WrongKind { .. })));
        assert!(matches!(
            edits.add_key("a", "b", "y"),
            Err(SpliceError::KeyExists { .. })
        ));
        edits.replace(0..3, "");
        edits.replace(2..4, "");
        assert_eq!(edits.apply(), Err(SpliceError::Overlap(2)));
        let mut edits = Edits::new("a: {b: c}\n", &root);
        edits.replace(90..91, "");
        assert!(matches!(edits.apply(), Err(SpliceError::OutOfText(_))));
    }

    proptest! {
        #[test]
        fn any_text_can_be_set_anywhere(value in ".*|[ -~]{0,12}", crlf: bool) {
            let text = if crlf { TEXT.replace('\n', "\r\n") } else { TEXT.to_owned() };
            for path in ["a", "list[id=x].says", "list[id=y].says", "void", "deep.er.k"] {
                let out = edited(&text, |e| e.set(path, &value));
                let (before, after) = (parse(&text).0.expect("a tree"), parse(&out).0.expect("a tree"));
                prop_assert_eq!(after.at(path).and_then(Node::text), Some(value.as_str()));
                prop_assert_eq!(after.at(path).map(Node::plain), Some(Plain::Text));
                for other in ["a", "list", "flow", "none", "deep"].iter().filter(|o| !path.starts_with(**o)) {
                    let same = before.get(other).zip(after.get(other)).is_some_and(|(a, b)| a.same(b));
                    prop_assert!(same, "{other} changed with {path}");
                }
            }
        }

        #[test]
        fn any_text_can_be_added_anywhere(value in ".*|[ -~]{0,12}", key in "[ -~é]{1,8}") {
            let out = edited(TEXT, |e| {
                e.append("list", &flow([("id", value.as_str())]))?;
                e.append("flow", &scalar(&value))?;
                e.add_key("list[id=x]", &format!("{key}!"), &scalar(&value))?;
                e.add_key("", &format!("{key}!"), &quote(&value))
            });
            let (root, issues) = parse(&out);
            prop_assert_eq!(issues, []);
            let root = root.expect("a tree");
            let found = |path: &str| root.at(path).and_then(Node::text).map(str::to_owned);
            prop_assert_eq!(found("list[2].id"), Some(value.clone()));
            prop_assert_eq!(found("flow[2]"), Some(value.clone()));
            let added = root.get("list").and_then(|n| n.items()?.first()?.get(&format!("{key}!")));
            prop_assert_eq!(added.and_then(Node::text), Some(value.as_str()));
            prop_assert_eq!(root.get(&format!("{key}!")).and_then(Node::text), Some(value.as_str()));
        }
    }
}
