//! Anchors of a page.

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
