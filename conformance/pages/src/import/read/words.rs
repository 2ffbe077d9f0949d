//! Words of the languages of pages: `words.txt`.

use std::{collections::HashMap, sync::LazyLock};

/// The lists of `words.txt` by name.
static LISTS: LazyLock<HashMap<&str, Vec<String>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, Vec<String>> = HashMap::new();
    let mut name = "";
    for line in include_str!("words.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(next) => name = next,
            None => {
                let words = line.split_whitespace().map(|word| word.replace('_', " "));
                lists.entry(name).or_default().extend(words);
            }
        }
    }
    lists
});

/// Whether a text contains a word of the list.
fn has_any(list: &str, text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = LISTS.get(list).map_or(&[][..], Vec::as_slice);
    words.iter().any(|word| lower.contains(word.as_str()))
}

/// Whether a sentence binds.
pub(super) fn binds(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words = LISTS.get("binding words").map_or(&[][..], Vec::as_slice);
    let mut found = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    found.any(|word| words.iter().any(|binding| binding == word)) || has_any("binding phrases", sentence)
}

/// Whether a sentence says that something is the same.
pub(super) fn says_same(sentence: &str) -> bool {
    has_any("same", sentence)
}

/// Whether a sentence holds under a condition only.
pub(super) fn is_conditional(sentence: &str) -> bool {
    has_any("conditional", sentence)
}

/// Whether a sentence calls operators equivalent.
pub(super) fn says_equivalent(sentence: &str) -> bool {
    has_any("equivalent", sentence)
}

/// Whether a kind or a first sentence says that something may be absent.
pub(super) fn says_optional(text: &str) -> bool {
    has_any("optional", text)
}

/// Whether the operator writes a tensor of this kind; `None` if it is not a kind.
pub(super) fn is_output(kind: &str) -> Option<bool> {
    let writes = has_any("output", kind);
    (writes || has_any("input", kind)).then_some(writes)
}

/// Whether a kind is an array.
pub(super) fn is_array(kind: &str) -> bool {
    has_any("array", kind)
}

/// Whether a sentence names a property, by its name in descriptors.
pub(super) fn names_property(property: &str, sentence: &str) -> bool {
    has_any(property, sentence)
}

/// Locale of a text without any other sign of it, by its script.
pub(super) fn guess_locale(text: &str) -> &'static str {
    const LOOKED_AT: usize = 20_000;
    const TRADITIONAL: &str = "類應與為這個張維數資選";
    let mut found = "en-us";
    for c in text.chars().take(LOOKED_AT) {
        match c {
            '\u{3040}'..='\u{30ff}' => return "ja-jp",
            '\u{ac00}'..='\u{d7af}' => return "ko-kr",
            '\u{0400}'..='\u{04ff}' => return "ru-ru",
            '\u{4e00}'..='\u{9fff}' if TRADITIONAL.contains(c) => found = "zh-tw",
            '\u{4e00}'..='\u{9fff}' if found == "en-us" => found = "zh-cn",
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_shapes_and_defaults_bind() {
        for sentence in [
            "Query with shape [batchSize, hiddenSize].",
            "The mask, of shape [1, batchSize], contains lengths.",
            "The tensor can also have 4 dimensions, as long as the leading dimensions are 1's.",
            "OutputHeight is computed as InputHeight * BlockSize.",
            "The number of spatial dimensions for the convolution operation.",
            "A tensor with the same sizes as the output of another operator.",
            "If not specified, the initial state is zero, since it defaults to 0.",
            "Concatenation of the weights of all gates.",
        ] {
            assert!(binds(sentence), "{sentence}");
        }
        assert!(!binds("The tensor to read from."));
    }
}
