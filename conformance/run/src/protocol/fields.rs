//! The entries of a message: what is there, what is missing, what nobody knows.

use super::Malformed;
use dml_case::text::printable;
use dml_case::{json::Tree, nearest::excerpt};

/// Characters that are kept of a text for people.
const PROSE: usize = 2000;

/// One message, cut into its entries.
pub(super) struct Fields {
    entries: Vec<(String, Tree)>,
    id: Option<u64>,
}

impl Fields {
    /// Cuts a line.
    pub(super) fn parse(line: &[u8]) -> Result<Self, Malformed> {
        let malformed = |message| Malformed { id: None, message };
        match Tree::parse(line) {
            Ok(Tree::Object(entries)) => {
                let mut fields = Self { entries, id: None };
                fields.id = fields.get("id").and_then(whole);
                Ok(fields)
            }
            Ok(other) => {
                let found = excerpt(&other.kind());
                Err(malformed(format!("expected an object, found {found}")))
            }
            Err(error) => Err(malformed(format!("no JSON: {error}"))),
        }
    }

    fn get(&self, key: &str) -> Option<&Tree> {
        self.entries.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// Whether there is such an entry, other than null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some_and(|tree| *tree != Tree::Null)
    }

    /// A mistake in this message.
    pub(super) fn error(&self, message: String) -> Malformed {
        Malformed { id: self.id, message }
    }

    fn expected(&self, key: &str, what: &str, found: &Tree) -> Malformed {
        self.error(format!("`{key}`: expected {what}, found {}", excerpt(&found.kind())))
    }

    /// Fails if an entry is left that nobody took.
    pub(super) fn nothing_else(&self) -> Result<(), Malformed> {
        match self.entries.first() {
            None => Ok(()),
            Some((key, _)) => Err(self.error(format!("unknown field `{}`", excerpt(key)))),
        }
    }

    /// An entry that has to be there, taken out.
    pub(super) fn take(&mut self, key: &str) -> Result<Tree, Malformed> {
        self.optional(key)
            .ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// An entry, taken out.
    pub(super) fn optional(&mut self, key: &str) -> Option<Tree> {
        let at = self.entries.iter().position(|(k, _)| k == key)?;
        Some(self.entries.swap_remove(at).1)
    }

    /// The number of the request.
    pub(super) fn id(&mut self) -> Result<u64, Malformed> {
        self.whole("id")
    }

    /// A whole number.
    pub(super) fn whole(&mut self, key: &str) -> Result<u64, Malformed> {
        let tree = self.take(key)?;
        whole(&tree).ok_or_else(|| self.expected(key, "a whole number", &tree))
    }

    /// A text.
    pub(super) fn text(&mut self, key: &str) -> Result<String, Malformed> {
        match self.take(key)? {
            Tree::Text(text) => Ok(text),
            other => Err(self.expected(key, "a string", &other)),
        }
    }

    /// A text that may be left out or null.
    pub(super) fn optional_text(&mut self, key: &str) -> Result<Option<String>, Malformed> {
        match self.optional(key) {
            None | Some(Tree::Null) => Ok(None),
            Some(Tree::Text(text)) => Ok(Some(text)),
            Some(other) => Err(self.expected(key, "a string", &other)),
        }
    }

    /// What is only read by people.
    pub(super) fn prose(&mut self, key: &str) -> Result<String, Malformed> {
        self.text(key).map(|text| printable(text.trim_end(), PROSE))
    }

    /// What is only read by people, and may be left out or null.
    pub(super) fn optional_prose(&mut self, key: &str) -> Result<String, Malformed> {
        let text = self.optional_text(key)?.unwrap_or_default();
        Ok(printable(text.trim_end(), PROSE))
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, Malformed> {
        let tree = self.take(key)?;
        let items = match &tree {
            Tree::Array(items) => items.iter().map(|item| match item {
                Tree::Text(text) => Some(text.clone()),
                _ => None,
            }),
            other => return Err(self.expected(key, "an array of strings", other)),
        };
        items
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| self.expected(key, "an array of strings", &tree))
    }

    /// Named values.
    pub(super) fn object(&mut self, key: &str) -> Result<Vec<(String, Tree)>, Malformed> {
        match self.take(key)? {
            Tree::Object(entries) => Ok(entries),
            other => Err(self.expected(key, "an object", &other)),
        }
    }

    /// An object's entries; none if it is left out.
    pub(super) fn optional_object(&mut self, key: &str) -> Result<Vec<(String, Tree)>, Malformed> {
        match self.optional(key) {
            None => Ok(Vec::new()),
            Some(Tree::Object(entries)) => Ok(entries),
            Some(other) => Err(self.expected(key, "an object", &other)),
        }
    }
}

fn whole(tree: &Tree) -> Option<u64> {
    match tree {
        Tree::Int(n) => u64::try_from(*n).ok(),
        _ => None,
    }
}
