//! Diagnostics: what is wrong in a file, where, and what mends it.

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
    /// Where it is.
    pub place: Place,
    /// What was found and what was expected; lower case, no final period.
    pub message: String,
    /// What mends it.
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

/// Place of a byte range in `text`.
pub fn locate(file: &str, text: &str, span: Range<usize>) -> Place {
    let mut at = span.start.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Place {
        file: file.to_owned(),
        line: count(before.bytes().filter(|byte| *byte == b'\n').count() + 1),
        column: count(before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1),
        span,
    }
}
