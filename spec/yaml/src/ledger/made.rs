//! Markdown built from a page, with the places of its parts on the page.

/// Text under construction, with the places of its parts on the page.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) text: String,
    pub(super) pieces: Vec<(usize, usize)>,
}

impl Made {
    /// Adds a part that is at `from` on the page.
    pub(super) fn push(&mut self, from: usize, part: &str) {
        self.pieces.push((self.text.len(), from));
        self.text.push_str(part);
    }
}
