//! Pages that hold two languages: each translated sentence, then its English in a lookup.

use super::made::Made;

/// Text that every bilingual page contains.
pub(super) const MARK: &str = "<span class=\"sxs-lookup\">";

const TRANSLATION: &str = "<span data-ttu-id=";
const CLOSE: &str = "</span>";
/// No tag of these pages is longer.
const LONGEST_TAG: usize = 200;

/// The page in English, with the translation of sentences that have no English.
pub(super) fn english(page: &str) -> Made {
    let mut made = Made::default();
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        one_line(line, at, &mut made);
        at += line.len();
    }
    made
}

/// Sentences never run over the end of a line, so a tag that is not closed affects its line only.
fn one_line(line: &str, start: usize, made: &mut Made) {
    let mut at = 0;
    let mut close = Close::default();
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(open) = rest.find('<') else {
            made.push(start + at, rest);
            return;
        };
        let (before, tagged) = rest.split_at(open);
        if !before.is_empty() {
            made.push(start + at, before);
        }
        at += open;
        let is_span = tagged.starts_with("<span") || tagged.starts_with(CLOSE);
        let mut translation = || {
            let end = tagged.starts_with(TRANSLATION).then(|| close.behind(line, at))??;
            line.get(end..)?.starts_with(MARK).then_some(end - at)
        };
        let skipped = is_span.then(|| translation().or(tag(tagged))).flatten();
        if skipped.is_none() {
            made.push(start + at, "<");
        }
        at += skipped.unwrap_or(1);
    }
}

/// Place of the next closing tag of a line, searched for once.
#[derive(Default)]
struct Close(Option<Option<usize>>);

impl Close {
    /// Place after the next closing tag that starts at or after a place, in bytes.
    fn behind(&mut self, line: &str, at: usize) -> Option<usize> {
        let known = self.0.filter(|end| end.is_none_or(|end| end >= at + CLOSE.len()));
        let end = known.unwrap_or_else(|| Some(at + line.get(at..)?.find(CLOSE)? + CLOSE.len()));
        self.0 = Some(end);
        end
    }
}

/// Length of a tag.
fn tag(text: &str) -> Option<usize> {
    let end = text.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')?;
    Some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_stands_where_there_is_any() {
        let pair = |fr: &str, en: &str| {
            format!("<span data-ttu-id=\"1\">{fr}</span>{MARK}<span data-stu-id=\"1\">{en}</span></span>")
        };
        let page = format!(
            "## <a name=\"x\"></a>{}\n* {} {}\n<span data-ttu-id=\"2\">seul</span> <spa\n",
            pair("Un", "One"),
            pair("Deux <i>a</i>.", "Two *a*."),
            pair("Trois.", "Three."),
        );
        let made = english(&page);
        assert_eq!(made.text, "## <a name=\"x\"></a>One\n* Two *a*. Three.\nseul <spa\n");
        let three = made.text.find("Three").unwrap();
        let (to, from) = made.pieces.iter().rev().find(|(to, _)| *to <= three).unwrap();
        assert_eq!(page.get(from + three - to..).unwrap().get(..5), Some("Three"));
    }

    #[test]
    fn long_lines_take_linear_time() {
        for part in [
            "<span",
            "<span data-ttu-id=\"",
            "</span",
            "<span data-ttu-id=\"1\">a</span>",
        ] {
            english(&part.repeat(200_000));
        }
    }
}
