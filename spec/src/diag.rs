//! Diagnostics: what is wrong in a file, where, and how to fix it.

use std::{fmt, ops::Range};

/// A place in a text file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Path as the user knows it, such as `spec/operators/top_k1.yaml`.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
    /// Byte range in the file, for snippets and splices.
    pub span: Range<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One mistake in a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, such as `spec::unknown-tensor`.
    pub code: &'static str,
    /// Its place.
    pub place: Place,
    /// What was found and what was expected; lower case, no final period.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place, self.message, self.code)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Byte offsets of the lines of a text, to locate many places of one text without counting lines for each as [`locate`]
/// does.
#[derive(Clone, Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(behind.map(|(at, _)| at + 1)).collect())
    }

    /// Place of a byte range in that text.
    pub fn locate(&self, file: &str, text: &str, span: Range<usize>) -> Place {
        let at = text.floor_char_boundary(span.start.min(text.len()));
        let line = self.0.partition_point(|start| *start <= at);
        let start = self.0.get(line.saturating_sub(1)).copied().unwrap_or(0).min(at);
        place(file, line, &text[start..at], span)
    }
}

/// The place on a line; `before` is the part of the line in front of it.
fn place(file: &str, line: usize, before: &str, span: Range<usize>) -> Place {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Place {
        file: file.to_owned(),
        line: count(line),
        column: count(before.trim_start_matches('\u{feff}').chars().count() + 1),
        span,
    }
}

/// Place of a byte range in `text`.
pub fn locate(file: &str, text: &str, span: Range<usize>) -> Place {
    let before = &text[..text.floor_char_boundary(span.start.min(text.len()))];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    place(file, line, &before[start..], span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_a_place_agree() {
        for text in ["", "a\n", "\u{feff}é:\n\n  ü: [1]\r\nx", "one line"] {
            let lines = Lines::of(text);
            for at in 0..text.len() + 3 {
                assert_eq!(
                    lines.locate("f", text, at..at),
                    locate("f", text, at..at),
                    "{text:?} {at}"
                );
            }
        }
        let place = Lines::of("a\nbé c").locate("f", "a\nbé c", 6..7);
        assert_eq!((place.line, place.column), (2, 4));
    }
}
