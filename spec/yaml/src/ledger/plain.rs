//! The plain text of Markdown, in time that grows with its length only.

/// The plain text of Markdown: no emphasis, links, backticks and HTML tags; white space collapsed. The same sentence
/// in another markup comes out the same.
pub fn normalise(markdown: &str) -> String {
    let plain = without_links(&without_tags(markdown));
    let plain = without_emphasis(&plain);
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let plain = entities.iter().fold(plain, |text, (from, to)| text.replace(from, to));
    let plain = plain
        .replace(['\u{2018}', '\u{2019}'], "'")
        .replace(['\u{201c}', '\u{201d}'], "\"");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at(open);
        out.push_str(before);
        let inner = tag.get(1..).unwrap_or_default();
        let named = inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match named.then(|| inner.find('>')) {
            Some(Some(close)) => rest = inner.get(close + 1..).unwrap_or_default(),
            // No tag ends any more.
            Some(None) => return out + tag,
            None => {
                out.push('<');
                rest = inner;
            }
        }
    }
    out + rest
}

/// `[text](target)` becomes `text`, also within one another; images vanish to their text.
fn without_links(text: &str) -> String {
    let text = text.replace("![", "[");
    let mut out = String::with_capacity(text.len());
    // Places of `[` in the output: those that may still open a link, and those that did.
    let (mut open, mut dropped) = (Vec::new(), Vec::new());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['[', ']']) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let target = found.strip_prefix("](");
        let close = target
            .filter(|_| !open.is_empty())
            .and_then(|t| t.find(')').map(|i| (t, i)));
        if let Some((target, close)) = close {
            dropped.extend(open.pop());
            rest = target.get(close + 1..).unwrap_or_default();
            continue;
        }
        if target.is_some() && !open.is_empty() {
            // No target ends any more.
            out.push_str(found);
            rest = "";
            break;
        }
        if found.starts_with('[') {
            open.push(out.len());
        }
        let (bracket, after) = found.split_at(1);
        out.push_str(bracket);
        rest = after;
    }
    out.push_str(rest);
    without(&out, dropped)
}

/// The text without the bytes at these places, each of which is a bracket.
fn without(text: &str, mut places: Vec<usize>) -> String {
    if places.is_empty() {
        return text.to_owned();
    }
    places.sort_unstable();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        out.push_str(text.get(from..place).unwrap_or_default());
        from = place + 1;
    }
    out + text.get(from..).unwrap_or_default()
}

/// Drops `*`, `_` and backticks that mark up, keeps those that mean something: `2 * 3`, `DML_TENSOR_DESC`, `\*`.
fn without_emphasis(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let kept = match c {
            '\\' if next.is_ascii_punctuation() => chars.next(),
            '`' => None,
            '*' => (last.is_whitespace() && next.is_whitespace()).then_some('*'),
            '_' => (last.is_alphanumeric() && (next.is_alphanumeric() || next == '_')).then_some('_'),
            c => Some(c),
        };
        out.extend(kept);
        last = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_does_not_change_a_sentence() {
        let plain = "The DML_A_B enumeration, axis 2 * 3 < 7.";
        for marked in [
            "The **[DML_A_B](/windows/x_y)** enumeration, _axis_ 2 * 3 < 7.",
            "The <b>DML_A_B</b>   enumeration,\n `axis` 2 * 3 &lt; 7.",
            "The <a href=\"x\">DML\\_A\\_B</a> enumeration, *axis* 2 \\* 3 < 7.",
        ] {
            assert_eq!(normalise(marked), plain);
        }
        assert_eq!(normalise("see [a [b](c) d](e)"), "see a b d");
        assert_eq!(
            normalise("ranging [0, a), [b](c) and [d] e](f)"),
            "ranging [0, a), b and d] e"
        );
        assert_eq!(normalise("unclosed [a](b and ]( c"), "unclosed [a](b and ]( c");
    }

    #[test]
    fn nothing_takes_time_that_grows_with_the_square() {
        for part in ["](", "[", "[](", "<a ", "< ", "[a](b)", "[(", "![", "*", "&amp;"] {
            normalise(&part.repeat(400_000));
        }
    }
}
