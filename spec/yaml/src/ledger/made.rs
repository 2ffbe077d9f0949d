//! Markdown made of a page, with the places its parts came from.

/// Text in the making, with the places its parts came from.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) text: String,
    pub(super) pieces: Vec<(usize, usize)>,
}

impl Made {
    /// Adds a part that stands at `from` in the page.
    pub(super) fn push(&mut self, from: usize, part: &str) {
        self.pieces.push((self.text.len(), from));
        self.text.push_str(part);
    }
}
