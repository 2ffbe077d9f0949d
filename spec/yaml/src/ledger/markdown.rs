//! Pages of every layout as Markdown: bilingual ones with the English only, plain text with headings, fences and pipes.

use std::borrow::Cow;

use super::{bilingual, text};

/// A page as Markdown, and the place of each part on the page.
#[derive(Clone, Debug)]
pub struct Markdown<'a> {
    /// The Markdown.
    pub text: Cow<'a, str>,
    /// Whether the page is a web page copied as text.
    pub plain: bool,
    /// Places in the text and in the page, both ascending; the part between two places was copied in one piece.
    pieces: Vec<(usize, usize)>,
}

impl<'a> Markdown<'a> {
    /// The page as Markdown. A page that is Markdown in one language stays as it is.
    pub fn of(page: &'a str) -> Self {
        let made = if text::is_plain(page) {
            Some((text::to_markdown(page), true))
        } else if page.contains(bilingual::MARK) {
            Some((bilingual::english(page), false))
        } else {
            None
        };
        match made {
            Some((made, plain)) => Self {
                text: Cow::Owned(made.text),
                plain,
                pieces: made.pieces,
            },
            None => Self {
                text: Cow::Borrowed(page),
                plain: false,
                pieces: Vec::new(),
            },
        }
    }

    /// Place in the page of a place in the text, in bytes.
    pub fn origin(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|(to, _)| *to <= at);
        let Some((to, from)) = next.checked_sub(1).and_then(|i| self.pieces.get(i)) else {
            return at;
        };
        let end = self.pieces.get(next).map_or(usize::MAX, |(_, from)| *from);
        (from + (at - to)).min(end)
    }
}
