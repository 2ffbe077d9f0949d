//! Forms of scalars: each text is checked on reading, names of other parts once all parts are read.

use std::ops::Range;

use dml_spec::{
    FeatureLevel,
    model::{
        DataType, Level, Source as Document,
        form::{
            DataTypeName, Day, Dimensions, FieldName, Hashes, Id, KnownLevel, NewLevel, OperatorName, Sha256, Shape,
            SourceName, Verbatim, dimension_counts, is_shape,
        },
    },
};

use super::reader::{Mention, Source};
use crate::tree::{Key, Kind, Node};

impl Source<'_> {
    /// The text of a form; an empty form if it is wrong.
    pub(super) fn text_of_form(&self, form: &'static str, node: &Node) -> String {
        let quoted = matches!(node.kind, Kind::Scalar { quoted: true, .. });
        match (form, node.text()) {
            (Verbatim::NAME, text) => text.unwrap_or_default().to_owned(),
            (KnownLevel::NAME | NewLevel::NAME, Some(text)) => self.level_text(form, text, quoted, &node.span),
            (KnownLevel::NAME | NewLevel::NAME, None) => {
                self.wrong_type(node, "a feature level such as \"3.1\"");
                empty_of_form(form)
            }
            (Dimensions::NAME, text) if text.and_then(dimension_counts).is_some() => {
                text.unwrap_or_default().to_owned()
            }
            (Dimensions::NAME, _) => {
                let found = node.describe();
                let message = format!("found {found}, expected a dimension count such as 4 or 1..8");
                self.report("spec::bad-dimensions", &node.span, message);
                empty_of_form(form)
            }
            _ => {
                let text = self.string(node).into_owned();
                // Empty text that was not written as such is a value of another kind, which was reported.
                if !text.is_empty() || quoted {
                    self.check_form(form, &text, &node.span);
                }
                text
            }
        }
    }

    /// A key of a form.
    pub(super) fn key_of_form(&self, form: &'static str, key: &Key) -> String {
        if matches!(form, KnownLevel::NAME | NewLevel::NAME) {
            return self.level_text(form, &key.text, key.quoted, &key.span);
        }
        if !key.text.is_empty() || key.quoted {
            self.check_form(form, &key.text, &key.span);
        }
        key.text.clone()
    }

    /// A feature level as a key.
    pub(super) fn level_key(&self, key: &Key) -> FeatureLevel {
        self.key_of_form(KnownLevel::NAME, key).parse().unwrap_or_default()
    }

    fn level_text(&self, form: &'static str, text: &str, quoted: bool, span: &Range<usize>) -> String {
        let mention = Mention {
            form,
            text: text.to_owned(),
            quoted,
            span: span.clone(),
        };
        match form {
            NewLevel::NAME => self.known_level(&mention, &[]),
            _ => self.mentions.borrow_mut().push(mention),
        }
        level(text).map_or_else(|| empty_of_form(form), |_| text.to_owned())
    }

    fn check_form(&self, form: &'static str, text: &str, span: &Range<usize>) {
        let wrong = |code, what: &str, expected: &str| {
            self.report(code, span, format!("`{text}` is no {what}, expected {expected}"));
        };
        match form {
            Id::NAME if !is_id(text) => wrong("spec::bad-id", "id", "lower-case letters, digits and inner dashes"),
            OperatorName::NAME if !is_operator_name(text) => {
                wrong(
                    "spec::bad-name",
                    "operator name",
                    "upper-case letters, digits and underscores",
                );
            }
            OperatorName::NAME => self.same_as_file(text, span),
            FieldName::NAME if !is_field_name(text) => wrong("spec::bad-name", "field name", "one such as InputTensor"),
            Day::NAME if !is_day(text) => wrong("spec::bad-date", "day", "YYYY-MM-DD"),
            Sha256::NAME if !is_hex(text, 64) => {
                let message = "found no SHA-256, expected 64 lower-case hexadecimal digits";
                self.report("spec::bad-hash", span, message);
            }
            Hashes::NAME if !text.split(' ').all(|hash| is_hex(hash, 8)) => {
                let message = "expected short hashes of eight lower-case hex digits, separated by one blank";
                let hint = Some("`spec import` writes them".to_owned());
                self.report_hint("spec::bad-hash", span, message, hint);
            }
            Shape::NAME if !is_shape(text) => wrong(
                "spec::bad-shape",
                "list of dimensions",
                "one in braces, such as { [BatchCount], M, K }",
            ),
            SourceName::NAME | DataTypeName::NAME => self.mentions.borrow_mut().push(Mention {
                form,
                text: text.to_owned(),
                quoted: false,
                span: span.clone(),
            }),
            _ => {}
        }
    }

    /// Oracles and kernels are found by the file's name, which is therefore the operator's.
    fn same_as_file(&self, name: &str, span: &Range<usize>) {
        let file = self.name();
        let wanted = format!("{}.yaml", name.to_ascii_lowercase());
        if file != wanted {
            let message = format!("the file {file} describes the operator {name}");
            let hint = Some(format!("name the file {wanted}, or the operator after the file"));
            self.report_hint("spec::wrong-file-name", span, message, hint);
        }
    }

    /// Reports unknown names that the file mentions.
    pub(super) fn check_mentions(&self, levels: &[Level], data_types: &[DataType], sources: &[Document]) {
        for mention in self.mentions.take() {
            let Mention { form, text, span, .. } = &mention;
            match *form {
                SourceName::NAME if !sources.iter().any(|s| s.name == *text) => {
                    let message = format!("`{text}` is no source of this file");
                    let names = sources.iter().map(|s| s.name.as_ref());
                    self.unknown("spec::unknown-source", span, message, text, names);
                }
                DataTypeName::NAME if !data_types.iter().any(|t| t.name == *text) => {
                    let message = format!("`{text}` is no tensor data type");
                    let names = data_types.iter().map(|t| t.name.as_ref());
                    self.unknown("spec::unknown-data-type", span, message, text, names);
                }
                KnownLevel::NAME => self.known_level(&mention, levels),
                _ => {}
            }
        }
    }

    fn known_level(&self, mention: &Mention, levels: &[Level]) {
        let Mention { text, span, .. } = mention;
        let names: Vec<String> = levels.iter().map(|l| l.level.to_string()).collect();
        let Some(level) = level(text) else {
            let message = format!("`{text}` is no feature level, expected one such as \"3.1\"");
            let names = names.iter().map(String::as_str);
            return self.unknown("spec::unknown-level", span, message, text, names);
        };
        if !mention.quoted {
            let hint = Some(format!("write \"{text}\""));
            let message = format!("the feature level {text} is unquoted, which YAML reads as a number");
            self.report_hint("spec::unquoted-level", span, message, hint);
        }
        if !levels.is_empty() && !levels.iter().any(|l| l.level == level) {
            let all = names.join(", ");
            let message = format!("feature level {level} is not among those of directml.yaml: {all}");
            self.report("spec::unknown-level", span, message);
        }
    }
}

/// The value used instead of a text that is wrong or missing.
pub(super) fn empty_of_form(form: &'static str) -> String {
    match form {
        KnownLevel::NAME | NewLevel::NAME => FeatureLevel::default().to_string(),
        Dimensions::NAME => "1..8".to_owned(),
        _ => String::new(),
    }
}

/// The level, if it is written as levels are.
fn level(text: &str) -> Option<FeatureLevel> {
    text.parse()
        .ok()
        .filter(|level: &FeatureLevel| level.to_string() == text)
}

fn is_id(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(plain) && text.ends_with(plain) && text.chars().all(|c| plain(c) || c == '-')
}

fn is_operator_name(text: &str) -> bool {
    let good = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(good)
}

fn is_field_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether the text is an existing day, as `YYYY-MM-DD`.
pub fn is_day(text: &str) -> bool {
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
        for day in ["2026-11-21", "2024-02-29", "2000-02-29", "1999-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for day in [
            "2026-02-29",
            "1900-02-29",
            "2026-00-01",
            "2026-13-01",
            "2026-04-31",
            "2026-1-01",
            "26-01-01",
            "2026/01/01",
            "",
            "2026-01-00",
            "+026-01-01",
            "é026-01-0",
        ] {
            assert!(!is_day(day), "{day}");
        }
    }
}
