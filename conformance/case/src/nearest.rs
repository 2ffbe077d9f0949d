//! Names similar to a mistyped one, and foreign text as part of a message.

use crate::text::printable;

/// Minimum similarity of names: 1 minus the share of characters that differ.
const ALIKE: f64 = 0.4;

/// Whether lengths alone allow that similarity. The exact comparison takes time that grows with their product.
fn may_resemble(text: &str, candidate: &str) -> bool {
    let (a, b) = (text.chars().count(), candidate.chars().count());
    a.min(b) as f64 >= ALIKE * a.max(b) as f64
}

/// Similarity of a name that continues another one by words.
const CONTINUED: f64 = 0.9;

/// The least similarity of a name that ends with another one: of several, the shortest is most similar.
const ENDED: f64 = 0.8;

/// Names up to their first colon, as they are compared.
fn name(text: &str) -> String {
    text.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a name is another one and more words: `SCATTER_ND` of `SCATTER`.
fn continues(text: &str, candidate: &str) -> bool {
    let (text, candidate) = (name(text), name(candidate));
    !text.is_empty() && candidate.strip_prefix(&text).is_some_and(|more| more.starts_with('_'))
}

/// Whether a name is more words and another one: `ACTIVATION_RELU` of `RELU`.
fn ends(text: &str, candidate: &str) -> bool {
    let (text, candidate) = (name(text), name(candidate));
    !text.is_empty() && candidate.strip_suffix(&text).is_some_and(|more| more.ends_with('_'))
}

/// Up to `limit` candidates similar to `text`, the most similar first; those that consist of it and more words are similar.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted = text.to_ascii_lowercase();
    let score = |candidate: &str| {
        let alike = strsim::normalized_damerau_levenshtein(&wanted, &candidate.to_ascii_lowercase());
        if continues(&wanted, candidate) {
            alike.max(CONTINUED)
        } else if ends(&wanted, candidate) {
            alike.max(ENDED + alike * (CONTINUED - ENDED))
        } else {
            alike
        }
    };
    let may_do =
        |candidate: &&str| may_resemble(text, candidate) || continues(&wanted, candidate) || ends(&wanted, candidate);
    let candidates = candidates.into_iter().filter(may_do);
    let mut scored: Vec<(f64, &str)> = candidates.map(|c| (score(c), c)).collect();
    // Equal scores keep the order they came in.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored
        .into_iter()
        .filter(|(score, _)| *score >= ALIKE)
        .take(limit)
        .map(|(_, c)| c)
        .collect()
}

/// The hint for a mistyped name: similar names, or else all known ones.
pub fn suggestion<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<&str> = candidates.into_iter().collect();
    let near = nearest(text, all.iter().copied(), 3);
    match near.is_empty() {
        true => format!("expected: {}", all.join(", ")),
        false => format!("nearest: {}", near.join(", ")),
    }
}

/// Foreign text as part of a message: without control characters, cut if it is long.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    printable(text, LONGEST)
}

/// Foreign text in full, line by line: without anything that a terminal takes for a command.
pub fn harmless(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| printable(line, usize::MAX)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_come_first() {
        let names = ["ARGMAX", "TOP_K", "TOP_K1", "CONVOLUTION"];
        assert_eq!(nearest("TOPK1", names, 2), ["TOP_K1", "TOP_K"]);
        assert!(nearest("zzzzzzzz", names, 2).is_empty());
        // An older name of an operator is the beginning of its name.
        let names = ["CAST", "GATHER", "SCATTER_ELEMENTS", "SCATTER_ND"];
        assert_eq!(nearest("SCATTER", names, 2), ["SCATTER_ELEMENTS", "SCATTER_ND"]);
        let names = ["CAST:*:*", "GATHER:*:*", "SCATTER_ELEMENTS:*:*"];
        assert_eq!(nearest("SCATTER:*:*", names, 1), ["SCATTER_ELEMENTS:*:*"]);
        // In other projects names have no prefix.
        let names = ["REDUCE", "ACTIVATION_LEAKY_RELU", "ACTIVATION_RELU"];
        assert_eq!(nearest("RELU", names, 1), ["ACTIVATION_RELU"]);
    }

    #[test]
    fn a_suggestion_is_never_empty() {
        assert_eq!(suggestion("TOPK1", ["ARGMAX", "TOP_K1"]), "nearest: TOP_K1");
        assert_eq!(suggestion("zzz", ["ARGMAX", "TOP_K1"]), "expected: ARGMAX, TOP_K1");
    }

    #[test]
    fn excerpts_are_short_and_print_as_they_are() {
        assert_eq!(excerpt("\u{1b}[31mX"), "\\u{1b}[31mX");
        assert_eq!(excerpt(&"é".repeat(1000)).chars().count(), 61);
        assert_eq!(harmless("a\u{1b}\r\nb\u{9b}"), "a\\u{1b}\\r\nb\\u{9b}");
    }
}
