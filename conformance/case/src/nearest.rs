//! Names similar to a mistyped one, and foreign text as part of a message.

use crate::text::printable;

/// Minimum similarity of names: 1 minus the share of characters that differ.
const ALIKE: f64 = 0.4;

/// Whether lengths alone allow that similarity. The exact comparison takes time that grows with their product.
fn may_resemble(text: &str, candidate: &str) -> bool {
    let (a, b) = (text.chars().count(), candidate.chars().count());
    a.min(b) as f64 >= ALIKE * a.max(b) as f64
}

/// Up to `limit` candidates similar to `text`, the most similar first.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted = text.to_ascii_lowercase();
    let score = |candidate: &str| strsim::normalized_damerau_levenshtein(&wanted, &candidate.to_ascii_lowercase());
    let candidates = candidates.into_iter().filter(|candidate| may_resemble(text, candidate));
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
