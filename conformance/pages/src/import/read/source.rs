//! The page's text, and places in it.

use std::borrow::Cow;

use dml_spec::{Diagnostic, Place};
use dml_spec_yaml::ledger::{self, Markdown, Sentence};

use crate::import::page::At;

/// A page before parsing.
pub(super) struct Source<'a> {
    file: &'a str,
    page: Cow<'a, str>,
    /// Start of every line of the page.
    lines: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Decodes the page; bytes that are not text are reported once.
    pub(super) fn new(file: &'a str, bytes: &'a [u8], found: &mut Vec<Diagnostic>) -> Self {
        let mut page = String::from_utf8_lossy(bytes);
        if page.contains('\r') && !page.contains('\n') {
            page = Cow::Owned(page.replace('\r', "\n"));
        }
        let breaks = page.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let lines = [0].into_iter().chain(breaks.map(|(at, _)| at + 1)).collect();
        let source = Self { file, page, lines };
        if let Err(error) = std::str::from_utf8(bytes) {
            let at = error.valid_up_to();
            let bad = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            let times = if bad == 1 {
                "1 place is".to_owned()
            } else {
                format!("{bad} places are")
            };
            let hint = "save the page as UTF-8";
            found.push(source.diagnostic("page::utf-8", at, format!("{times} no UTF-8, first here"), Some(hint)));
        }
        source
    }

    pub(super) fn page(&self) -> &str {
        &self.page
    }

    pub(super) fn file(&self) -> &str {
        self.file
    }

    /// Line and column, from 1, of a place in bytes.
    pub(super) fn line_and_column(&self, at: usize) -> (u32, u32) {
        /// Longer columns are counted in bytes, so that a long line takes little time.
        const COUNTED: usize = 4096;
        let line = self.lines.partition_point(|start| *start <= at).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or_default();
        let before = self.page.get(start..at).unwrap_or_default();
        let column = match before.len() <= COUNTED {
            true => before.trim_start_matches('\u{feff}').chars().count(),
            false => before.len(),
        };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (number(line), number(column + 1))
    }

    pub(super) fn diagnostic(&self, code: &'static str, at: usize, message: String, hint: Option<&str>) -> Diagnostic {
        let (line, column) = self.line_and_column(at);
        let rest = self.page.get(at..).unwrap_or_default();
        let end = rest.find('\n').unwrap_or(rest.len());
        let place = Place {
            file: self.file.to_owned(),
            line,
            column,
            span: at..at + rest.get(..end).map_or(0, |line| line.trim_end().len()),
        };
        Diagnostic {
            code,
            place,
            message,
            hint: hint.map(str::to_owned),
        }
    }
}

/// The page as Markdown, with its sentences.
pub(super) struct Text<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) markdown: Markdown<'a>,
    pub(super) sentences: Vec<Sentence>,
}

impl<'a> Text<'a> {
    pub(super) fn new(source: &'a Source<'a>) -> Self {
        let markdown = Markdown::of(source.page());
        let sentences = ledger::sentences_of(&markdown, source.page());
        Self {
            source,
            markdown,
            sentences,
        }
    }

    /// A place in the Markdown that is not a sentence.
    pub(super) fn at(&self, anchor: &str, at: usize) -> At {
        let (line, column) = self.source.line_and_column(self.markdown.origin(at));
        At {
            anchor: anchor.to_owned(),
            column,
            ..At::line(line)
        }
    }

    /// A diagnostic at a place in the Markdown.
    pub(super) fn diagnostic(&self, code: &'static str, at: usize, message: String, hint: Option<&str>) -> Diagnostic {
        self.source.diagnostic(code, self.markdown.origin(at), message, hint)
    }
}

/// Place of a sentence.
pub(super) fn place(sentence: &Sentence) -> At {
    At {
        anchor: sentence.anchor.clone(),
        sentence: sentence.number,
        sha256: sentence.sha256.clone(),
        line: sentence.line,
        column: 1,
    }
}
