//! One file being read: what is wrong with it, scalars, and mappings whose keys the catalog names.

use std::{cell::RefCell, ops::Range};

use dml_spec::{
    diag::{Diagnostic, Lines},
    model::Text,
};

use crate::tree::{Key, Node, Plain};

/// One file being read, and what is wrong with it.
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    lines: Lines,
    found: RefCell<Vec<Diagnostic>>,
    /// Names that are checked once all parts are read.
    pub(super) mentions: RefCell<Vec<Mention>>,
}

/// A name of another part of the specification.
pub(super) struct Mention {
    pub(super) form: &'static str,
    pub(super) text: String,
    pub(super) quoted: bool,
    pub(super) span: Range<usize>,
}

/// Mistakes are reported through a shared reference, so that several readers can hold the source.
impl<'a> Source<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self {
            file,
            text,
            lines: Lines::of(text),
            found: RefCell::default(),
            mentions: RefCell::default(),
        }
    }

    pub(super) fn into_found(self) -> Vec<Diagnostic> {
        self.found.into_inner()
    }

    /// Whether a part of the file contains a mistake.
    pub(super) fn any_within(&self, part: &Range<usize>) -> bool {
        self.found
            .borrow()
            .iter()
            .any(|d| part.start <= d.place.span.start && d.place.span.end <= part.end)
    }

    /// Line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> u32 {
        self.lines.locate(self.file, self.text, at..at).line
    }

    pub(super) fn report(&self, code: &'static str, span: &Range<usize>, message: impl Into<String>) {
        self.report_hint(code, span, message, None);
    }

    pub(super) fn report_hint(
        &self,
        code: &'static str,
        span: &Range<usize>,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        let place = self.lines.locate(self.file, self.text, span.clone());
        self.found.borrow_mut().push(Diagnostic {
            code,
            place,
            message: message.into(),
            hint,
        });
    }

    pub(super) fn wrong_type(&self, node: &Node, expected: &str) {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let quoted = node.plain() == Plain::Text && node.text().is_some_and(digits);
        let hint = match node.plain() {
            Plain::Number | Plain::Bool if expected.contains("text") => Some("put it in quotes".to_owned()),
            Plain::Text if quoted => Some("remove the quotes".to_owned()),
            _ => None,
        };
        let found = if quoted { "the quoted text " } else { "" };
        let message = format!("found {found}{}, expected {expected}", node.describe());
        self.report_hint("spec::wrong-type", &node.span, message, hint);
    }

    /// Reports a name that is none of `known`, with the nearest one.
    pub(super) fn unknown<'k>(
        &self,
        code: &'static str,
        span: &Range<usize>,
        message: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let known: Vec<&str> = known.into_iter().collect();
        if !name.is_empty() {
            self.report_hint(code, span, message, nearest(name, &known));
        } else if !self.any_within(span) {
            // What is no text is read as an empty one, and has its diagnostic already.
            let hint = nearest(name, &known);
            self.report_hint("spec::wrong-type", span, "found an empty text, expected a name", hint);
        }
    }

    /// Reports the absence of a field; does nothing if there is no mapping that could have it.
    pub(super) fn missing(&self, node: &Node, what: &str, name: &str) {
        if node.entries().is_some() {
            let start = node.span.start;
            let message = format!("{what} lacks the field `{name}`");
            self.report("spec::missing-field", &(start..start), message);
        }
    }

    /// Reports the fields of a mapping that are none of `known`.
    pub(super) fn unknown_fields(&self, entries: &[(Key, Node)], what: &str, known: &[&str]) {
        for (key, _) in entries {
            // A key without text has its diagnostic from parsing.
            if !key.text.is_empty() && !known.contains(&key.text.as_str()) {
                let message = format!("unknown field `{}` in {what}", key.text);
                self.unknown(
                    "spec::unknown-field",
                    &key.span,
                    message,
                    &key.text,
                    known.iter().copied(),
                );
            }
        }
    }

    /// The fields of a structure that this file has: those about tensors stand in `directml.yaml` only.
    pub(super) fn fields_here(&self, fields: &[&'static str]) -> Vec<&'static str> {
        let here = |field: &&'static str| self.is_shared() || !matches!(*field, "applies" | "structural");
        fields.iter().copied().filter(here).collect()
    }

    /// One of `variants`; `name` says of what.
    pub(super) fn variant(&self, node: &Node, name: &str, variants: &[&'static str]) -> Option<&'static str> {
        let text = self.string(node);
        let found = variants.iter().copied().find(|variant| *variant == text);
        if found.is_none() && !text.is_empty() {
            let message = format!("`{text}` is no {name}, expected one of {}", variants.join(", "));
            self.unknown(
                "spec::unknown-value",
                &node.span,
                message,
                &text,
                variants.iter().copied(),
            );
        }
        found
    }

    /// Whether this is `directml.yaml`.
    fn is_shared(&self) -> bool {
        self.name() == "directml.yaml"
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &'a str {
        self.file.rsplit('/').next().unwrap_or(self.file)
    }

    /// Text; empty if it is not a scalar.
    pub(super) fn string(&self, node: &Node) -> Text {
        match (node.text(), node.plain()) {
            (Some(text), Plain::Text) => Text::Owned(text.to_owned()),
            _ => {
                self.wrong_type(node, "text");
                Text::default()
            }
        }
    }

    /// A number from 0 to 2^32 - 1; 0 if it is not one.
    pub(super) fn uint(&self, node: &Node) -> u32 {
        let number = (node.plain() == Plain::Number)
            .then(|| node.text()?.parse().ok())
            .flatten();
        number.unwrap_or_else(|| {
            self.wrong_type(node, "a whole number from 0 to 4294967295");
            0
        })
    }

    /// `true` or `false`.
    pub(super) fn boolean(&self, node: &Node) -> bool {
        match (node.plain(), node.text()) {
            (Plain::Bool, Some(text)) => text.eq_ignore_ascii_case("true"),
            _ => {
                self.wrong_type(node, "true or false");
                false
            }
        }
    }

    /// Items of a sequence; none if it is not one.
    pub(super) fn list<'n>(&self, node: &'n Node) -> &'n [Node] {
        node.items().unwrap_or_else(|| {
            self.wrong_type(node, "a sequence");
            &[]
        })
    }

    /// Entries of a mapping; none if it is not one.
    pub(super) fn entries<'n>(&self, node: &'n Node) -> &'n [(Key, Node)] {
        node.entries().unwrap_or_else(|| {
            self.wrong_type(node, "a mapping");
            &[]
        })
    }

    /// Entries of a mapping that has these fields and no others; `what` names it in messages, such as `a clause`.
    pub(super) fn fields<'n>(
        &self,
        node: &'n Node,
        what: &str,
        required: &[&str],
        optional: &[&str],
    ) -> &'n [(Key, Node)] {
        let entries = self.entries(node);
        for name in required.iter().filter(|name| node.get(name).is_none()) {
            self.missing(node, what, name);
        }
        self.unknown_fields(entries, what, &[required, optional].concat());
        entries
    }

    /// The text in a field; empty if it is absent.
    pub(super) fn text_at(&self, node: &Node, name: &str) -> Text {
        node.get(name).map(|n| self.string(n)).unwrap_or_default()
    }
}

/// The nearest known name to a misspelt one, or the list of known names. Of ids with a slash, the part after it counts.
pub(super) fn nearest(name: &str, known: &[&str]) -> Option<String> {
    let tail = |text: &str| text.rsplit('/').next().unwrap_or_default().to_lowercase();
    let wanted = tail(name);
    let distance = |k: &str| strsim::damerau_levenshtein(&wanted, &tail(k));
    let best = known.iter().min_by_key(|k| distance(k))?;
    if distance(best) <= (wanted.len() / 3).max(1) {
        return Some(format!("did you mean `{best}`?"));
    }
    (known.len() <= 16).then(|| format!("known: {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_the_nearest_or_list_the_few() {
        assert_eq!(
            nearest("FLOT32", &["FLOAT16", "FLOAT32"]).as_deref(),
            Some("did you mean `FLOAT32`?")
        );
        assert_eq!(nearest("x", &["axis", "rule"]).as_deref(), Some("known: axis, rule"));
        assert_eq!(nearest("x", &[]), None);
    }
}
