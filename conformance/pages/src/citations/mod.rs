//! Pages of the reference on disk, for those who hold citations against them. Sentences are read from the user's own
//! copy each time; none is kept.

mod layout;
pub mod refresh;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use dml_spec::model::{Citation, Source};
use dml_spec_yaml::ledger::{self, Markdown, Sentence};

use crate::import;

/// A page and its sentences.
#[derive(Clone, Debug)]
pub struct Page {
    /// Path as the user gave it.
    pub file: String,
    /// Name of the document, if the page or its file contains it.
    pub document: Option<String>,
    /// Locale in lower case; `en-us` if nothing says otherwise.
    pub locale: String,
    /// Anchors in the order of the page.
    pub anchors: Vec<String>,
    /// Sentences in the order of the page.
    pub sentences: Vec<Sentence>,
}

/// The current place of a citation's sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located<'a> {
    /// At the cited place, word for word.
    Same(&'a Sentence),
    /// Word for word, but elsewhere.
    Moved(&'a Sentence),
    /// Another sentence is at that place.
    Changed(&'a Sentence),
    /// The citation is of a whole anchor, which exists.
    Whole,
    /// The anchor does not exist.
    NoAnchor,
    /// The anchor has only so many sentences.
    TooFew(usize),
}

/// A file that is not a page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The system could not read it.
    #[error("{0}: {1}")]
    Read(String, io::Error),
    /// It is not text.
    #[error("{0}: byte {1} is not UTF-8")]
    NotText(String, usize),
    /// It holds nothing that could be cited.
    #[error("{0} holds no sentence")]
    Empty(String),
}

/// Reads a page.
///
/// # Errors
/// If it cannot be read, or holds no sentence.
pub fn open_page(path: &Path) -> Result<Page, PageError> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| PageError::Read(file.clone(), error))?;
    read_page(&file, &bytes)
}

/// Reads a page from its bytes.
///
/// # Errors
/// If they are not text, or hold no sentence.
pub fn read_page(file: &str, bytes: &[u8]) -> Result<Page, PageError> {
    let text = str::from_utf8(bytes).map_err(|error| PageError::NotText(file.to_owned(), error.valid_up_to()))?;
    let mut sentences = ledger::sentences(text);
    let (mut anchors, title) = layout::list_anchors(text);
    anchors.extend(sentences.iter().map(|sentence| sentence.anchor.clone()));
    let own = sentences.iter_mut().map(|sentence| &mut sentence.anchor);
    for anchor in own.chain(&mut anchors).filter(|anchor| title.as_ref() == Some(anchor)) {
        *anchor = "description".to_owned();
    }
    let identity = import::read_identity(file, &Markdown::of(text).text);
    let mut seen = std::collections::HashSet::new();
    anchors.retain(|anchor| !anchor.is_empty() && seen.insert(anchor.clone()));
    if sentences.is_empty() {
        return Err(PageError::Empty(file.to_owned()));
    }
    Ok(Page {
        file: file.to_owned(),
        document: Some(identity.document).filter(|name| !name.is_empty()),
        locale: identity.locale,
        anchors,
        sentences,
    })
}

/// Files of a folder that may be pages, by name, including subfolders.
///
/// # Errors
/// What the system says.
pub fn list_files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut left = vec![dir.to_owned()];
    while let Some(dir) = left.pop() {
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|e| e == "md" || e == "txt") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

impl Page {
    /// Whether it is the page of a source: document and locale.
    pub fn is(&self, source: &Source) -> bool {
        self.document.as_deref() == Some(&source.page) && self.locale.eq_ignore_ascii_case(&source.locale)
    }

    /// Finds the sentence of a citation: its own words count for more than its place.
    pub fn locate(&self, citation: &Citation) -> Located<'_> {
        let at = |s: &&Sentence| s.anchor == citation.anchor && s.number == citation.sentence;
        let stands = self.sentences.iter().find(at);
        if citation.sentence == 0 {
            let whole = self.anchors.iter().any(|anchor| *anchor == citation.anchor);
            return if whole { Located::Whole } else { Located::NoAnchor };
        }
        if let Some(same) = stands.filter(|s| s.sha256 == citation.sha256) {
            return Located::Same(same);
        }
        let mut alike = self.sentences.iter().filter(|s| s.sha256 == citation.sha256);
        if let Some(first) = alike.next() {
            let near = std::iter::once(first).chain(alike).min_by_key(|s| {
                let elsewhere = s.anchor != citation.anchor;
                (elsewhere, s.number.abs_diff(citation.sentence))
            });
            return Located::Moved(near.unwrap_or(first));
        }
        match stands {
            Some(other) => Located::Changed(other),
            None if self.anchors.iter().any(|anchor| *anchor == citation.anchor) => {
                let there = self.sentences.iter().filter(|s| s.anchor == citation.anchor);
                Located::TooFew(there.count())
            }
            None => Located::NoAnchor,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::citations::*;

    const PAGE: &str = "---\nUID: NS:directml.DML_X_OPERATOR_DESC\n---\n\n\
        # DML_X_OPERATOR_DESC structure (directml.h)\nDoes a thing.\n\n## Members\n\n`Axis`\n\nType: **UINT**\n\n\
        One thing. Another thing.\n\n`K`\n\nType: **UINT**\n\nA third. One thing.\n";

    fn citation(anchor: &'static str, sentence: u32, text: &str) -> Citation {
        Citation {
            source: "en".into(),
            anchor: anchor.into(),
            sentence,
            sha256: ledger::hash(text).into(),
        }
    }

    #[test]
    fn words_count_for_more_than_places() {
        let page = read_page("x.md", PAGE.as_bytes()).unwrap();
        assert_eq!(page.document.as_deref(), Some("ns-directml-dml_x_operator_desc"));
        let at = |located: Located<'_>| match located {
            Located::Same(s) => format!("same {} {} line {}", s.anchor, s.number, s.line),
            Located::Moved(s) => format!("moved {} {}", s.anchor, s.number),
            Located::Changed(s) => format!("changed {}", s.text),
            other => format!("{other:?}"),
        };
        for (anchor, sentence, text, expected) in [
            ("description", 1, "Does a thing.", "same description 1 line 6"),
            ("Axis", 2, "Another thing.", "same Axis 2 line 14"),
            ("K", 1, "One thing.", "moved K 2"),
            ("description", 1, "Another thing.", "moved Axis 2"),
            ("K", 1, "Gone.", "changed A third."),
            ("K", 3, "Gone.", "TooFew(2)"),
            ("L", 1, "Gone.", "NoAnchor"),
            ("L", 0, "", "NoAnchor"),
            ("K", 0, "", "Whole"),
        ] {
            assert_eq!(
                at(page.locate(&citation(anchor, sentence, text))),
                expected,
                "{anchor} {sentence}"
            );
        }
    }

    #[test]
    fn what_is_no_page_is_told() {
        let of = |bytes: &[u8]| read_page("x.md", bytes).unwrap_err().to_string();
        assert_eq!(of(b"a \xff"), "x.md: byte 2 is not UTF-8");
        assert_eq!(of(b"# Title\n"), "x.md holds no sentence");
    }
}
