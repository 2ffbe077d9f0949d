//! Names that resemble a mistyped one.

/// Up to `limit` candidates that resemble `text`, the most similar first.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted = text.to_ascii_lowercase();
    let score = |candidate: &str| strsim::normalized_damerau_levenshtein(&wanted, &candidate.to_ascii_lowercase());
    let mut scored: Vec<(f64, &str)> = candidates.into_iter().map(|c| (score(c), c)).collect();
    // Equal scores keep the order they came in.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored
        .into_iter()
        .filter(|(score, _)| *score >= 0.4)
        .take(limit)
        .map(|(_, c)| c)
        .collect()
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
}
