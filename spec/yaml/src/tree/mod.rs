//! Marked trees: a YAML file as nodes with their places.
//!
//! One parse, made by [`read`]; [`splice`] writes back into the text without touching what it does not change. Only
//! this folder names the YAML libraries.

mod align;
pub mod read;
pub mod splice;

use std::ops::Range;

/// A value of a YAML file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the text: of a block collection from its first key or dash to the end of its last value, of a
    /// missing value the empty range after its colon.
    pub span: Range<usize>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Text, still untyped.
    Scalar {
        /// The text without quotes, escapes resolved.
        text: String,
        /// Any style but plain: such a scalar is text whatever it looks like.
        quoted: bool,
    },
    /// A sequence.
    Seq(Vec<Node>),
    /// A mapping, in the order of the file, without duplicate keys.
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping; always a scalar.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The text without quotes.
    pub text: String,
    /// Any style but plain.
    pub quoted: bool,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// What is wrong with a text as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Code of the diagnostic.
    pub code: &'static str,
    /// Byte range of the mistake.
    pub span: Range<usize>,
    /// What was found and expected.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

/// What a plain scalar means to YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Text.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`, `~` or nothing.
    Null,
}

impl Node {
    /// Text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Value of a mapping's key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()?
            .iter()
            .find(|(k, _)| k.text == key)
            .map(|(_, node)| node)
    }

    /// A key of a mapping itself, for its place.
    pub fn key(&self, key: &str) -> Option<&Key> {
        self.entries()?.iter().find(|(k, _)| k.text == key).map(|(k, _)| k)
    }

    /// Entries of a mapping.
    pub fn entries(&self) -> Option<&[(Key, Node)]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Items of a sequence.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// What the node means to YAML; collections count as text.
    pub fn plain(&self) -> Plain {
        match &self.kind {
            Kind::Scalar { text, quoted: false } => plain_kind(text),
            _ => Plain::Text,
        }
    }

    /// What was found, for messages: `a sequence`, `the number 3`.
    pub fn describe(&self) -> String {
        let Kind::Scalar { text, .. } = &self.kind else {
            return if matches!(self.kind, Kind::Seq(_)) {
                "a sequence".into()
            } else {
                "a mapping".into()
            };
        };
        let short: String = text.chars().take(40).collect();
        match self.plain() {
            Plain::Null => "nothing".into(),
            Plain::Number => format!("the number {short}"),
            Plain::Bool => short,
            Plain::Text => format!("`{short}`"),
        }
    }

    /// The node at a path such as `clauses[id=k-nonzero].observed[0].date`.
    pub fn at(&self, path: &str) -> Option<&Node> {
        let mut node = self;
        for step in steps(path)? {
            node = match step {
                Step::Key(key) => node.get(key)?,
                Step::Index(index) => node.items()?.get(index)?,
                Step::Where(key, value) => node
                    .items()?
                    .iter()
                    .find(|n| n.get(key).and_then(Node::text) == Some(value))?,
            };
        }
        Some(node)
    }

    /// Equality of content, regardless of place and quoting.
    pub fn same(&self, other: &Node) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Scalar { text: a, .. }, Kind::Scalar { text: b, .. }) => a == b && self.plain() == other.plain(),
            (Kind::Seq(a), Kind::Seq(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Kind::Map(a), Kind::Map(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0.text == b.0.text && a.1.same(&b.1))
            }
            _ => false,
        }
    }

    /// Byte range in the file of a range of this scalar's text, through folding and escapes; the start of the scalar if
    /// the two do not match.
    pub fn inner_span(&self, source: &str, inner: Range<usize>) -> Range<usize> {
        let start = self.span.start;
        let (Some(text), Some(raw)) = (self.text(), source.get(self.span.clone())) else {
            return start..start;
        };
        let Some(places) = align::places(raw, text) else {
            return start..start;
        };
        let at = |offset: usize| start + places.get(offset).copied().unwrap_or(raw.len());
        let last = inner.end.saturating_sub(1).max(inner.start);
        // The end of the last character of the range, not the start of the next one: line breaks may lie between.
        let end = match inner.is_empty() {
            true => at(inner.start),
            false => start + align::end(raw, at(last) - start),
        };
        at(inner.start)..end.max(at(inner.start))
    }
}

/// What a plain scalar means to YAML.
pub fn plain_kind(text: &str) -> Plain {
    use serde_yaml::Value;
    match serde_yaml::from_str(text) {
        Ok(Value::Null) => Plain::Null,
        Ok(Value::Bool(_)) => Plain::Bool,
        Ok(Value::Number(_)) => Plain::Number,
        _ => Plain::Text,
    }
}

/// A step of a path.
enum Step<'a> {
    Key(&'a str),
    Index(usize),
    Where(&'a str, &'a str),
}

/// Splits `clauses[id=x].observed[0]` into steps. A key with a dot in it is written in double quotes: `support."2.1"`.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (selector, tail) = inner.split_once(']')?;
            steps.push(match selector.split_once('=') {
                Some((key, value)) => Step::Where(key, value),
                None => Step::Index(selector.parse().ok()?),
            });
            rest = tail;
        } else {
            let name = if steps.is_empty() {
                rest
            } else {
                rest.strip_prefix('.')?
            };
            let (key, tail) = match name.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?,
                None => name.split_at(name.find(['.', '[']).unwrap_or(name.len())),
            };
            steps.push(Step::Key(key));
            rest = tail;
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_nodes() {
        let text = "clauses:\n  - {id: a, n: 1}\n  - id: b\n    observed: [x, {date: y}]\nsupport: {\"2.1\": z}\n";
        let root = read::parse(text).0.expect("a tree");
        let found = |path: &str| root.at(path).and_then(Node::text);
        assert_eq!(found("clauses[id=b].observed[1].date"), Some("y"));
        assert_eq!(found("clauses[0].n"), Some("1"));
        assert_eq!(found("support.\"2.1\""), Some("z"));
        for path in [
            "clauses[id=c]",
            "clauses[9]",
            "clauses[",
            "x",
            "clauses.id",
            "clauses[0]n",
        ] {
            assert!(root.at(path).is_none(), "{path}");
        }
    }

    #[test]
    fn plain_scalars_mean_what_yaml_says() {
        for (text, kind) in [
            ("2.1", Plain::Number),
            ("-3", Plain::Number),
            (".nan", Plain::Number),
            ("1..8", Plain::Text),
            ("2x3", Plain::Text),
            ("2026-11-21", Plain::Text),
            ("true", Plain::Bool),
            ("", Plain::Null),
            ("~", Plain::Null),
            ("1.0.0", Plain::Text),
        ] {
            assert_eq!(plain_kind(text), kind, "{text}");
        }
    }

    #[test]
    fn inner_spans_are_exact_where_the_text_stands_in_the_file() {
        let text = "a: x < y\nb: \"x < y\"\nc: \"x \\u003c y\"\nd: x\n  < y\n";
        let root = read::parse(text).0.expect("a tree");
        let place = |key: &str| {
            let node = root.get(key).expect("a node");
            &text[node.inner_span(text, 2..3)]
        };
        assert_eq!(
            (place("a"), place("b"), place("c"), place("d")),
            ("<", "<", "\\u003c", "<")
        );
    }
}
