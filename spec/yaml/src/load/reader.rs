//! Reading fields: each mistake becomes a diagnostic and a default, so that one load reports them all.

use std::{cell::RefCell, ops::Range};

use crate::tree::{Key, Node, Plain};
use dml_spec::{
    diag::{Diagnostic, Lines},
    level::FeatureLevel,
    model::{Level, List, Text},
};

/// One file being read, and what is wrong with it.
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    lines: Lines,
    found: RefCell<Vec<Diagnostic>>,
}

/// Mistakes are reported through a shared reference, so that readers of parts can hold the source together.
impl<'a> Source<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self {
            file,
            text,
            lines: Lines::of(text),
            found: RefCell::default(),
        }
    }

    pub(super) fn into_found(self) -> Vec<Diagnostic> {
        self.found.into_inner()
    }

    /// Whether something is wrong within a part of the file.
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
        self.report_hint(code, span, message, nearest(name, &known));
    }

    /// Text; empty where it is none.
    pub(super) fn string(&self, node: &Node) -> Text {
        match (node.text(), node.plain()) {
            (Some(text), Plain::Text) => Text::Owned(text.to_owned()),
            _ => {
                self.wrong_type(node, "text");
                Text::default()
            }
        }
    }

    /// A number from 0 to 2^32 - 1; 0 where it is none.
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

    /// Items of a sequence; none where it is none.
    pub(super) fn list<'n>(&self, node: &'n Node) -> &'n [Node] {
        node.items().unwrap_or_else(|| {
            self.wrong_type(node, "a sequence");
            &[]
        })
    }

    /// A sequence of texts.
    pub(super) fn strings(&self, node: &Node) -> List<Text> {
        self.list(node).iter().map(|n| self.string(n)).collect()
    }

    /// Entries of a mapping; none where it is none.
    pub(super) fn entries<'n>(&self, node: &'n Node) -> &'n [(Key, Node)] {
        node.entries().unwrap_or_else(|| {
            self.wrong_type(node, "a mapping");
            &[]
        })
    }

    /// A mapping with known fields; `what` names it in messages, such as `a clause`.
    pub(super) fn fields<'n>(&'n self, node: &'n Node, what: &'static str) -> Fields<'n> {
        Fields {
            source: self,
            what,
            entries: self.entries(node),
            node,
            known: Vec::new(),
        }
    }

    /// A feature level, quoted and known.
    pub(super) fn level(&self, node: &Node, levels: &[Level]) -> FeatureLevel {
        match (node.text(), &node.kind) {
            (Some(text), crate::tree::Kind::Scalar { quoted, .. }) => {
                self.level_text(text, *quoted, &node.span, levels)
            }
            _ => {
                self.wrong_type(node, "a feature level such as \"3.1\"");
                FeatureLevel(0)
            }
        }
    }

    /// A feature level as a key.
    pub(super) fn level_key(&self, key: &Key, levels: &[Level]) -> FeatureLevel {
        self.level_text(&key.text, key.quoted, &key.span, levels)
    }

    fn level_text(&self, text: &str, quoted: bool, span: &Range<usize>, levels: &[Level]) -> FeatureLevel {
        let level = text
            .parse()
            .ok()
            .filter(|level: &FeatureLevel| level.to_string() == text);
        let Some(level) = level else {
            let names: Vec<String> = levels.iter().map(|l| l.level.to_string()).collect();
            let message = format!("`{text}` is no feature level, expected one such as \"3.1\"");
            self.unknown(
                "spec::unknown-level",
                span,
                message,
                text,
                names.iter().map(String::as_str),
            );
            return FeatureLevel(0);
        };
        if !quoted {
            let hint = Some(format!("write \"{text}\""));
            let message = format!("the feature level {text} is unquoted, which YAML reads as a number");
            self.report_hint("spec::unquoted-level", span, message, hint);
        }
        if !levels.is_empty() && !levels.iter().any(|l| l.level == level) {
            let all = levels
                .iter()
                .map(|l| l.level.to_string())
                .collect::<Vec<_>>()
                .join(", ");
            let message = format!("feature level {level} is not among those of directml.yaml: {all}");
            self.report("spec::unknown-level", span, message);
        }
        level
    }

    /// A name of lower-case letters, digits and dashes.
    pub(super) fn id(&self, node: &Node) -> Text {
        let text = self.string(node);
        self.check_id(&text, &node.span);
        text
    }

    /// Reports a name that is not made of lower-case letters, digits and dashes.
    pub(super) fn check_id(&self, text: &str, span: &Range<usize>) {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let good = text.starts_with(plain) && text.ends_with(plain) && text.chars().all(|c| plain(c) || c == '-');
        if !good && !text.is_empty() {
            let message = format!("`{text}` is no id, expected lower-case letters, digits and inner dashes");
            self.report("spec::bad-id", span, message);
        }
    }

    /// A day, `YYYY-MM-DD`.
    pub(super) fn date(&self, node: &Node) -> Text {
        let text = self.string(node);
        if !text.is_empty() && !is_day(&text) {
            self.report(
                "spec::bad-date",
                &node.span,
                format!("`{text}` is no day, expected YYYY-MM-DD"),
            );
        }
        text
    }
}

/// A mapping whose keys are known by name.
pub(super) struct Fields<'n> {
    source: &'n Source<'n>,
    what: &'static str,
    entries: &'n [(Key, Node)],
    node: &'n Node,
    known: Vec<String>,
}

impl<'n> Fields<'n> {
    /// The field, if it is given.
    pub(super) fn optional(&mut self, name: &str) -> Option<&'n Node> {
        self.known.push(name.to_owned());
        self.entries
            .iter()
            .find(|(key, _)| key.text == name)
            .map(|(_, node)| node)
    }

    /// The field; reports its absence.
    pub(super) fn required(&mut self, name: &str) -> Option<&'n Node> {
        let found = self.optional(name);
        if found.is_none() && self.node.entries().is_some() {
            let start = self.node.span.start;
            let message = format!("{} lacks the field `{name}`", self.what);
            self.source.report("spec::missing-field", &(start..start), message);
        }
        found
    }

    /// A required text.
    pub(super) fn string(&mut self, name: &str) -> Text {
        self.required(name).map(|n| self.source.string(n)).unwrap_or_default()
    }

    /// A text that may be absent.
    pub(super) fn optional_string(&mut self, name: &str) -> Option<Text> {
        self.optional(name).map(|n| self.source.string(n))
    }

    /// A required whole number.
    pub(super) fn uint(&mut self, name: &str) -> u32 {
        self.required(name).map(|n| self.source.uint(n)).unwrap_or_default()
    }

    /// A truth value that is false where absent.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.optional(name).is_some_and(|n| self.source.boolean(n))
    }

    /// A sequence that is empty where absent, item by item.
    pub(super) fn each<T: Clone>(&mut self, name: &str, read: impl FnMut(&'n Node) -> T) -> List<T> {
        let items = self.optional(name).map_or(&[][..], |n| self.source.list(n));
        items.iter().map(read).collect()
    }

    /// One of `choices` by name.
    pub(super) fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        let node = self.optional(name)?;
        let text = self.source.string(node);
        if text.is_empty() {
            return None;
        }
        let found = choices.iter().find(|(choice, _)| *choice == text);
        if found.is_none() {
            let all = choices.iter().map(|(choice, _)| *choice).collect::<Vec<_>>().join(", ");
            let message = format!("`{text}` is no {name}, expected one of {all}");
            let names = choices.iter().map(|(choice, _)| *choice);
            self.source
                .unknown("spec::unknown-value", &node.span, message, &text, names);
        }
        found.map(|(_, value)| *value)
    }

    /// Reports the fields nobody asked for.
    pub(super) fn finish(self) {
        for (key, _) in self.entries {
            // A key without text has its diagnostic from parsing.
            if !key.text.is_empty() && !self.known.contains(&key.text) {
                let message = format!("unknown field `{}` in {}", key.text, self.what);
                let known = self.known.iter().map(String::as_str);
                self.source
                    .unknown("spec::unknown-field", &key.span, message, &key.text, known);
            }
        }
    }
}

/// What a misspelt name was meant to be, or what there is. Of ids with a slash the part behind it counts.
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

fn is_day(text: &str) -> bool {
    let digits = |range: Range<usize>| -> Option<u32> {
        let part = text.get(range)?;
        part.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| part.parse().ok())
            .flatten()
    };
    let dashes = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let (true, Some(year), Some(month), Some(day)) = (dashes, digits(0..4), digits(5..7), digits(8..10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_the_calendar() {
        for day in ["2026-11-21", "2024-02-29", "2000-02-29"] {
            assert!(is_day(day), "{day}");
        }
        for day in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-04-31",
            "2026-1-01",
            "2026-01-00",
            "+026-01-01",
            "é026-01-0",
        ] {
            assert!(!is_day(day), "{day}");
        }
    }

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
