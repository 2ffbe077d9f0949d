//! Facts about a page from headings, front matter and the file's name.

use dml_spec_yaml::ledger::{self, Markdown};

/// Headings in the order of the page, without their marks: depth and text.
fn list_headings(markdown: &str) -> Vec<(usize, &str)> {
    let mut fence = false;
    let lines = markdown.lines().filter(|line| {
        fence ^= line.trim().starts_with("```");
        !fence && line.starts_with('#')
    });
    let heading = |line: &'_ str| line.len() - line.trim_start_matches('#').len();
    lines
        .map(|line| (heading(line), line.trim_start_matches('#')))
        .collect()
}

/// Anchors of all headings and members, including those without sentences; and the anchor of the title of a structure
/// or an enumeration, below which is the text that other layouts have in a section `description`.
pub(super) fn list_anchors(page: &str) -> (Vec<String>, Option<String>) {
    let markdown = Markdown::of(page);
    let found = list_headings(&markdown.text);
    let title = found.iter().find(|(depth, text)| *depth == 1 && text.contains("DML_"));
    let title = title.map(|(_, text)| ledger::anchor(text));
    let mut anchors: Vec<String> = found.iter().map(|(_, text)| ledger::anchor(text)).collect();
    anchors.extend(markdown.text.lines().filter_map(ledger::member).map(str::to_owned));
    (anchors, title)
}

/// Value of a key of the front matter.
fn read_front_matter<'p>(page: &'p str, key: &str) -> Option<&'p str> {
    let page = page.trim_start_matches('\u{feff}');
    let matter = page
        .strip_prefix("---")?
        .split_once("\n---")
        .map(|(matter, _)| matter)?;
    let value = matter
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    Some(value.trim().trim_matches(['"', '\''])).filter(|value| !value.is_empty())
}

/// Name of the document: from the UID, else from the name of the file, else from the title.
pub(super) fn read_document(file: &str, page: &str) -> Option<String> {
    if let Some((kind, name)) = read_front_matter(page, "UID").and_then(|uid| uid.split_once(':')) {
        let name = name.replace('.', "-").to_lowercase();
        return Some(format!("{}-{name}", kind.to_lowercase()));
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = stem.split('.').next().unwrap_or(stem);
    let known = ["ns-directml-", "ne-directml-", "dml-", "nf-directml-"];
    if known.iter().any(|prefix| stem.starts_with(prefix)) {
        return Some(stem.to_owned());
    }
    let title = page.lines().find_map(|line| line.strip_prefix("# "))?;
    let word = title.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let name = word.into_iter().find(|word| word.starts_with("DML_"))?.to_lowercase();
    let kind = if name.ends_with("_desc") { "ns" } else { "ne" };
    Some(format!("{kind}-directml-{name}"))
}

/// Locale in lower case.
pub(super) fn read_locale(page: &str) -> String {
    let told = read_front_matter(page, "ms.contentlocale").or(read_front_matter(page, "locale"));
    told.unwrap_or("en-us").to_lowercase()
}

#[cfg(test)]
mod tests {
    use crate::citations::layout::*;

    const PAGE: &str = "---\nUID: NS:directml.DML_X_OPERATOR_DESC\nms.contentlocale: fr-FR\n---\n\n\
        # DML_X_OPERATOR_DESC structure (directml.h)\nDoes a thing.\n\n## Syntax\n```cpp\n# no heading\n```\n\n\
        ## Members\n\n`Axis`\n\nType: **UINT**\n\nOne. Two.\n\n## Tensor support\n\n### DML_FEATURE_LEVEL_2_0 and above\n| A |\n";

    #[test]
    fn anchors_are_those_of_headings_and_members() {
        let (all, title) = list_anchors(PAGE);
        for anchor in ["Axis", "dml_feature_level_2_0-and-above", "members"] {
            assert!(all.iter().any(|a| a == anchor), "{anchor}: {all:?}");
        }
        assert!(!all.iter().any(|anchor| anchor.contains("no-heading")), "{all:?}");
        assert!(title.is_some_and(|title| title.starts_with("dml_x_operator_desc")));
    }

    #[test]
    fn a_page_says_what_it_is() {
        let named = "ns-directml-dml_x_operator_desc";
        assert_eq!(read_document("a/005.md", PAGE).as_deref(), Some(named));
        assert_eq!(
            read_document("a/ns-directml-dml_x_operator_desc.fr-fr.md", "text").as_deref(),
            Some(named)
        );
        assert_eq!(
            read_document("x.md", "# DML_X_OPERATOR_DESC structure").as_deref(),
            Some(named)
        );
        assert_eq!(read_document("x.md", "text"), None);
        assert_eq!(
            (read_locale(PAGE), read_locale("text")),
            ("fr-fr".to_owned(), "en-us".to_owned())
        );
    }
}
