//! The sentence ledger: reference pages cut into numbered sentences, each known by a hash of its plain text.
//!
//! Citations hold anchor, number and hash, never the text. When a page changes, the hashes show which clauses rest on
//! sentences that moved, changed or vanished.

mod bilingual;
mod made;
mod markdown;
mod plain;
mod text;

use sha2::{Digest, Sha256};

pub use self::{markdown::Markdown, plain::normalise};

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

/// The sentences of a page of any layout. `### -field X`, a name alone in backticks among the members, and
/// `## -description` are anchors, other headings by their slug. List items are sentences, `Type:` lines, tables and
/// code are not.
pub fn sentences(page: &str) -> Vec<Sentence> {
    sentences_of(&Markdown::of(page), page)
}

/// The sentences of a page whose Markdown is at hand.
pub fn sentences_of(markdown: &Markdown<'_>, page: &str) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    let mut fence = None;
    let mut front = has_front_matter(&markdown.text);
    let (mut at, mut line, mut counted) = (0, 1, 0);
    for (index, whole) in markdown.text.split_inclusive('\n').enumerate() {
        let text = whole.trim();
        // Lines of the page before the one that this came from.
        let origin = markdown.origin(at);
        line += breaks(page.get(counted..origin).unwrap_or_default());
        counted = counted.max(origin);
        at += whole.len();
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
            (None, None) => cutter.line(text, line),
        }
    }
    cutter.paragraph_ends();
    cutter.found
}

/// Whether a page starts with a block of properties between two lines of dashes.
pub fn has_front_matter(page: &str) -> bool {
    page.trim_start_matches('\u{feff}').starts_with("---")
}

fn breaks(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|b| *b == b'\n').count()).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Cutter {
    anchor: String,
    members: bool,
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
            self.members = self.anchor == MEMBERS;
            self.number = 0;
            return;
        }
        if let Some(name) = member(text).filter(|_| self.members && self.paragraph.is_empty()) {
            self.anchor = name.to_owned();
            self.number = 0;
            return;
        }
        let starts_field = self.number == 0 && self.paragraph.is_empty();
        if text.starts_with('|') || (starts_field && is_type_line(text)) {
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

/// Section of the members in the rendered layout.
pub const MEMBERS: &str = "members";

/// Each sentence stores its anchor, so the length of a heading is limited. In characters.
const LONGEST_ANCHOR: usize = 200;

/// Anchor of a heading without its `#`: `X` of `-field X`, `description` of `-description`, the name of its
/// `<a name="…">`, else its slug.
pub fn anchor(heading: &str) -> String {
    let heading = heading.trim();
    if let Some(field) = heading.strip_prefix("-field ") {
        return normalise(field).chars().take(LONGEST_ANCHOR).collect();
    }
    let named = heading
        .strip_prefix("<a name=\"")
        .and_then(|rest| rest.split_once("\"></a>"));
    if let Some((name, _)) = named.filter(|(name, _)| !name.is_empty() && !name.contains('"')) {
        return name.chars().take(LONGEST_ANCHOR).collect();
    }
    let slug = normalise(heading.strip_prefix('-').unwrap_or(heading)).to_lowercase();
    let kept = slug
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    let kept = kept.map(|c| if c == ' ' { '-' } else { c });
    kept.take(LONGEST_ANCHOR).collect()
}

/// The name of a member that stands alone in backticks.
pub fn member(paragraph: &str) -> Option<&str> {
    let name = paragraph.trim().strip_prefix('`')?.strip_suffix('`')?;
    is_identifier(name).then_some(name)
}

/// Whether a paragraph is the declared type of a member, in any language of the reference.
pub fn is_type_line(paragraph: &str) -> bool {
    const WORDS: [&str; 10] = [
        "Type", "Tipo", "Typ", "型", "類型", "类型", "種類", "유형", "형식", "Тип",
    ];
    WORDS.iter().any(|word| {
        let rest = paragraph.strip_prefix(word).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with([':', '：']))
    })
}

/// Whether this is a name in C.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The text after a bullet or a number.
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

/// Cuts normalised text after full stops that a new sentence follows.
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

/// Whether the text after a full stop starts a new sentence.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn members_names_and_lines_of_other_layouts_are_found() {
        let pair =
            "<span data-ttu-id=\"1\">Un.</span><span class=\"sxs-lookup\"><span data-stu-id=\"1\">One.</span></span>";
        let page = format!(
            "## <a name=\"members\"></a>成員\n\n`Axis`\n\n類型： [ **UINT**](x)\n\n軸。\n\n`K` alone.\n\n## <a name=\"b\"></a>X\n`Axis`\n{pair} {pair}\n"
        );
        let found = sentences(&page);
        let seen: Vec<(&str, u32, &str, u32)> = found
            .iter()
            .map(|s| (s.anchor.as_str(), s.number, s.text.as_str(), s.line))
            .collect();
        let expected = [
            ("Axis", 1, "軸。", 7),
            ("Axis", 2, "K alone.", 9),
            ("b", 1, "Axis One.", 12),
            ("b", 2, "One.", 12),
        ];
        assert_eq!(seen, expected);
        let text = "DML_A_OPERATOR_DESC\n\nstruct DML_A_OPERATOR_DESC {\n  UINT K;\n};\n\nMembers\n\nK\n\nType: UINT\n\nHow many.\n\nRemarks\n• One\n";
        let found = sentences(text);
        let seen: Vec<(&str, &str, u32)> = found
            .iter()
            .map(|s| (s.anchor.as_str(), s.text.as_str(), s.line))
            .collect();
        assert_eq!(seen, [("K", "How many.", 13), ("remarks", "One", 16)]);
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
