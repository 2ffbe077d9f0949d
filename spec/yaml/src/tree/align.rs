//! Maps the characters of a scalar to their places in the file, which folding, indentation and escapes have moved.

/// The offset in `raw`, the scalar as written, of each byte of `text`, the scalar as read; one more for its end. A
/// folded line break is a blank. `None` if the two do not match.
pub(super) fn places(raw: &str, text: &str) -> Option<Vec<usize>> {
    if raw == text {
        return Some((0..=raw.len()).collect());
    }
    let mut at = content(raw);
    let quote = raw[..at].chars().next_back().filter(|_| at == 1);
    let mut places = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        if !c.is_whitespace() {
            at = skip_blanks(raw, at, quote);
        }
        let (len, stands) = written(raw.get(at..)?, c, quote);
        if !stands && !c.is_whitespace() {
            return None;
        }
        places.extend(std::iter::repeat_n(at, c.len_utf8()));
        at += if stands { len } else { 0 };
    }
    places.push(at);
    Some(places)
}

/// The end of the character of `raw` that starts at `at`.
pub(super) fn end(raw: &str, at: usize) -> usize {
    let rest = raw.get(at..).unwrap_or_default();
    let len = match (raw.starts_with('"'), rest.strip_prefix('\\')) {
        (true, Some(escape)) => 1 + escape_len(escape),
        _ => rest.chars().next().map_or(0, char::len_utf8),
    };
    (at + len).min(raw.len())
}

/// The start of the content: after a quote, or after the first line of a block scalar.
fn content(raw: &str) -> usize {
    match raw.chars().next() {
        Some('"' | '\'') => 1,
        Some('|' | '>') => raw.find('\n').map_or(raw.len(), |i| i + 1),
        _ => 0,
    }
}

fn skip_blanks(raw: &str, mut at: usize, quote: Option<char>) -> usize {
    loop {
        let rest = raw.get(at..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        let escaped = quote == Some('"') && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n"));
        match (blank, escaped) {
            (0, false) => return at,
            (0, true) => at += 1,
            _ => at += blank,
        }
    }
}

/// How many bytes `c` takes at the start of `rest`, and whether it is there at all.
fn written(rest: &str, c: char, quote: Option<char>) -> (usize, bool) {
    match (quote, rest.strip_prefix('\\')) {
        // What the escape means is known from the text.
        (Some('"'), Some(escape)) => (1 + escape_len(escape), true),
        _ if quote == Some('\'') && c == '\'' => (2, rest.starts_with("''")),
        _ => (c.len_utf8(), rest.starts_with(c)),
    }
}

/// Length of an escape after its backslash.
fn escape_len(escape: &str) -> usize {
    match escape.chars().next() {
        Some('x') => 3,
        Some('u') => 5,
        Some('U') => 9,
        Some(c) => c.len_utf8(),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of the file that a word of the text comes from.
    fn found<'r>(raw: &'r str, text: &str, word: &str) -> Option<&'r str> {
        let start = text.find(word)?;
        let places = places(raw, text)?;
        raw.get(places[start]..end(raw, places[start + word.len() - 1]))
    }

    #[test]
    fn words_are_found_behind_folds_and_escapes() {
        assert_eq!(found("a <\n   b", "a < b", "b"), Some("b"));
        assert_eq!(found("\"a\\t< b\\u00e9c\"", "a\t< béc", "béc"), Some("b\\u00e9c"));
        assert_eq!(found("\"a \\\n   b\"", "a b", "b"), Some("b"));
        assert_eq!(found("'it''s b'", "it's b", "s b"), Some("s b"));
        assert_eq!(found("|\n  a <\n    é b", "a <\n  é b\n", "b"), Some("b"));
        assert_eq!(found(">- # note\r\n  a <\r\n\r\n  b", "a <\nb", "b"), Some("b"));
        assert_eq!(found("abc", "abd", "d"), None);
    }
}
