//! The sentence ledger: reference pages cut into numbered sentences, each known by a hash of its plain text.
//!
//! Citations hold anchor, number and hash, never the text. When a page changes, the hashes tell which clauses rest on
//! sentences that moved, changed or vanished.

use sha2::{Digest, Sha256};

/// A sentence of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Member, or section by its slug.
    pub anchor: String,
    /// From 1 within its anchor.
    pub number: u32,
    /// SHA-256 of [`Sentence::text`] in lower-case hex.
    pub sha256: String,
    /// Line of the page, from 1, where its paragraph starts.
    pub line: u32,
    /// The normalised text. It is never stored.
    pub text: String,
}

/// SHA-256 of a normalised sentence in lower-case hex.
pub fn hash(normalised: &str) -> String {
    Sha256::digest(normalised).iter().map(|b| format!("{b:02x}")).collect()
}

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

/// The sentences of a page in the layout of the SDK reference: `### -field X` and `## -description` are anchors, other
/// headings by their slug. List items are sentences, `Type:` lines, tables and code are not.
pub fn sentences(page: &str) -> Vec<Sentence> {
    let mut cutter = Cutter {
        anchor: String::new(),
        number: 0,
        paragraph: String::new(),
        line: 0,
        found: Vec::new(),
    };
    let mut fence = None;
    let mut front = page.trim_start_matches('\u{feff}').starts_with("---");
    for (index, line) in page.lines().enumerate() {
        let text = line.trim();
        if front {
            front = index == 0 || text != "---";
            continue;
        }
        let mark = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => {
                cutter.paragraph_ends();
                fence = mark;
            }
            (Some(open), _) => fence = (mark != Some(open)).then_some(open),
            (None, None) => cutter.line(text, u32::try_from(index + 1).unwrap_or(u32::MAX)),
        }
    }
    cutter.paragraph_ends();
    cutter.found
}

struct Cutter {
    anchor: String,
    number: u32,
    paragraph: String,
    line: u32,
    found: Vec<Sentence>,
}

impl Cutter {
    fn line(&mut self, text: &str, line: u32) {
        let text = text.trim_start_matches('>').trim_start();
        if text.is_empty() || text.starts_with("[!") {
            return self.paragraph_ends();
        }
        if let Some(heading) = text.strip_prefix('#') {
            self.paragraph_ends();
            self.anchor = anchor(heading.trim_start_matches('#'));
            self.number = 0;
            return;
        }
        let starts_field = self.number == 0 && self.paragraph.is_empty();
        if text.starts_with('|') || (starts_field && text.starts_with("Type:")) {
            return self.paragraph_ends();
        }
        let item = list_item(text);
        if item.is_some() {
            self.paragraph_ends();
        }
        if self.paragraph.is_empty() {
            self.line = line;
        }
        self.paragraph.push_str(item.unwrap_or(text));
        self.paragraph.push('\n');
    }

    fn paragraph_ends(&mut self) {
        let plain = normalise(&std::mem::take(&mut self.paragraph));
        for text in split(&plain) {
            self.number += 1;
            self.found.push(Sentence {
                anchor: self.anchor.clone(),
                number: self.number,
                sha256: hash(text),
                line: self.line,
                text: text.to_owned(),
            });
        }
    }
}

/// Anchor of a heading: `X` of `-field X`, `description` of `-description`, else its slug.
fn anchor(heading: &str) -> String {
    let heading = heading.trim();
    if let Some(field) = heading.strip_prefix("-field ") {
        return normalise(field);
    }
    let slug = normalise(heading.strip_prefix('-').unwrap_or(heading)).to_lowercase();
    let kept = slug
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The text behind a bullet or a number.
fn list_item(text: &str) -> Option<&str> {
    if let Some(item) = ["* ", "- ", "+ "].iter().find_map(|bullet| text.strip_prefix(bullet)) {
        return Some(item.trim_start());
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text.get(digits..)?;
    (digits > 0)
        .then(|| rest.strip_prefix(". ").or(rest.strip_prefix(") ")))
        .flatten()
}

/// Cuts normalised text behind full stops that a new sentence follows.
fn split(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let (before, after) = text.split_at(end);
        let ends = match c {
            '.' | '!' | '?' => follows_sentence(after) && !is_abbreviation(before),
            '。' | '！' | '？' => true,
            _ => false,
        };
        if !ends {
            continue;
        }
        let closing = after.len() - after.trim_start_matches([')', '"', '\'', ']']).len();
        found.push(text.get(start..end + closing).unwrap_or_default().trim());
        start = end + closing;
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// Whether what stands behind a full stop starts a new sentence.
fn follows_sentence(after: &str) -> bool {
    let rest = after.trim_start_matches([')', '"', '\'', ']']);
    match rest.strip_prefix(' ') {
        Some(next) => !next.starts_with(|c: char| c.is_lowercase()),
        None => rest.is_empty(),
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    matches!(word, "e.g." | "i.e." | "vs." | "cf." | "approx." | "No.")
}

fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at(open);
        out.push_str(before);
        let inner = tag.get(1..).unwrap_or_default();
        let named = inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match inner.find('>').filter(|_| named) {
            Some(close) => rest = inner.get(close + 1..).unwrap_or_default(),
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
    let mut out = text.replace("![", "[");
    let mut from = 0;
    while let Some(middle) = out.get(from..).and_then(|t| t.find("](")).map(|i| i + from) {
        let open = out.get(..middle).and_then(|t| t.rfind('['));
        let close = out.get(middle..).and_then(|t| t.find(')')).map(|i| i + middle);
        match (open, close) {
            (Some(open), Some(close)) => {
                out.replace_range(middle..=close, "");
                out.replace_range(open..=open, "");
                from = middle.saturating_sub(1);
            }
            _ => from = middle + 2,
        }
    }
    out
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
    use proptest::prelude::*;

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
        assert_eq!(normalise("unclosed [a](b and ]( c"), "unclosed [a](b and ]( c");
    }

    #[test]
    fn pages_are_cut_at_their_anchors() {
        let page = "---\ntitle: x. Y\n---\n\n## -description\n\nOne thing (e.g. This). Another,\nlonger one.\n\n\
            ### -field Axis\n\nType: **[UINT](x)**\n\nAt 1.5 it holds. See *b*.\n\n```\nCode. Here.\n```\n\n\
            ### Example 2. Using a different axis\n\n## Tensor constraints\n* *A* and *B*.\n* No stop\n\n\
            ### DML_FEATURE_LEVEL_5_0 and above\n| A. B | C |\n\nBehind \"it.\" End\n";
        let found = sentences(page);
        let seen: Vec<(&str, u32, &str, u32)> = found
            .iter()
            .map(|s| (s.anchor.as_str(), s.number, s.text.as_str(), s.line))
            .collect();
        let expected = [
            ("description", 1, "One thing (e.g. This).", 7),
            ("description", 2, "Another, longer one.", 7),
            ("Axis", 1, "At 1.5 it holds.", 14),
            ("Axis", 2, "See b.", 14),
            ("tensor-constraints", 1, "A and B.", 23),
            ("tensor-constraints", 2, "No stop", 24),
            ("dml_feature_level_5_0-and-above", 1, "Behind \"it.\"", 29),
            ("dml_feature_level_5_0-and-above", 2, "End", 29),
        ];
        assert_eq!(seen, expected);
        assert_eq!(found[0].sha256, hash("One thing (e.g. This)."));
        assert_eq!(
            anchor(" Example 2. Using a different axis"),
            "example-2-using-a-different-axis"
        );
    }

    #[test]
    fn a_hash_is_sha_256_in_hex() {
        assert_eq!(
            hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    proptest! {
        #[test]
        fn any_page_is_cut(page in "([#*_<>`\\[\\]()!.|A-zé \n-]|Type: |---\n){0,80}") {
            for sentence in sentences(&page) {
                prop_assert!(!sentence.text.contains('\n'));
                prop_assert!(sentence.number >= 1);
            }
            normalise(&page);
        }
    }
}
