//! Identifies the operator that a page describes, its language, and the end of its properties.

use dml_spec_yaml::ledger;

use super::words;

/// What a page is.
pub struct Identity {
    /// `TOP_K1`; `None` for pages about anything else.
    pub operator: Option<String>,
    /// `ns-directml-dml_top_k1_operator_desc`; empty if nothing names it.
    pub document: String,
    /// `fr-fr`.
    pub locale: String,
    /// End of the properties, in bytes of the Markdown; `None` if there is none.
    pub body: Option<usize>,
}

/// Reads the properties, headings and declarations, and the file's name.
pub fn read_identity(file: &str, markdown: &str) -> Identity {
    let (front, body) = read_front_matter(markdown);
    let property = |name: &str| {
        let lines = front.unwrap_or_default().lines();
        let mut values = lines.filter_map(|line| {
            line.trim_start_matches('\u{feff}')
                .strip_prefix(name)?
                .strip_prefix(':')
        });
        values.find_map(|value| Some(value.trim().trim_matches(['"', '\''])).filter(|v| !v.is_empty()))
    };
    let uid = property("UID");
    let operator = match uid {
        Some(uid) => read_operator(uid),
        None => property("title").and_then(read_operator).or_else(|| declared(markdown)),
    };
    let own = operator.clone();
    let operator = operator.map(|name| read_alias(markdown, &name).unwrap_or(name));
    let document = uid.map(|uid| uid.to_lowercase().replace([':', '.'], "-"));
    let document = document.or_else(|| {
        let operator = own.as_ref()?.to_lowercase();
        Some(format!("ns-directml-dml_{operator}_operator_desc"))
    });
    let document = document.or_else(|| name_document(file, markdown));
    let locale = property("ms.contentlocale").or_else(|| property("locale"));
    let locale = locale.map(str::to_lowercase);
    Identity {
        operator,
        document: document.unwrap_or_default(),
        locale: locale
            .or_else(|| read_file_name(file))
            .unwrap_or_else(|| words::guess_locale(markdown).to_owned()),
        body,
    }
}

/// The operator whose page this is if it says that the descriptor is "aliased to the name" of another.
fn read_alias(markdown: &str, operator: &str) -> Option<String> {
    let own = format!("DML_{operator}_OPERATOR_DESC");
    let mut sentences = markdown
        .lines()
        .filter_map(|line| line.split_once("aliased to the name "));
    let (_, after) = sentences.find(|(before, _)| before.contains(&own))?;
    read_operator(after)
}

/// The properties, and their end.
fn read_front_matter(markdown: &str) -> (Option<&str>, Option<usize>) {
    if !ledger::has_front_matter(markdown) {
        return (None, Some(0));
    }
    let mut at = 0;
    for (index, line) in markdown.split_inclusive('\n').enumerate() {
        let starts = at;
        at += line.len();
        if index > 0 && line.trim() == "---" {
            return (markdown.get(..starts), Some(at));
        }
    }
    (Some(markdown), None)
}

/// `TOP_K1` of the first `DML_TOP_K1_OPERATOR_DESC`.
pub(super) fn read_operator(text: &str) -> Option<String> {
    list_operators(text).next().map(str::to_owned)
}

/// Every operator whose descriptor a text names.
pub(super) fn list_operators(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words
        .filter_map(|word| {
            let (before, _) = word.split_once("_OPERATOR_DESC")?;
            // Plain text runs words together.
            before
                .rsplit_once("DML_")
                .map_or(before.strip_prefix("DML_"), |(_, name)| Some(name))
        })
        .filter(|name| !name.is_empty())
}

/// The operator of the first structure or heading.
fn declared(markdown: &str) -> Option<String> {
    let mut lines = markdown.lines().map(str::trim);
    lines.find_map(|line| {
        let names =
            line.starts_with("# ") || line.starts_with("struct DML_") || line.starts_with("typedef struct DML_");
        names.then(|| read_operator(line)).flatten()
    })
}

/// Name of a document about anything else: from the name of the file, else from the title.
fn name_document(file: &str, markdown: &str) -> Option<String> {
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = stem.split('.').next().unwrap_or(stem);
    let known = ["ns-directml-", "ne-directml-", "dml-", "nf-directml-"];
    if known.iter().any(|prefix| stem.starts_with(prefix)) {
        return Some(stem.to_owned());
    }
    let title = markdown.lines().find_map(|line| line.strip_prefix("# "))?;
    let mut words = title.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let name = words.find(|word| word.starts_with("DML_"))?.to_lowercase();
    let kind = if name.ends_with("_desc") { "ns" } else { "ne" };
    Some(format!("{kind}-directml-{name}"))
}

/// `fr-fr` of `001_fr-fr.md`.
fn read_file_name(file: &str) -> Option<String> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let mut words = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let letters = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_lowercase());
    let is_locale = |word: &&str| word.split_once('-').is_some_and(|(a, b)| letters(a) && letters(b));
    words.find(is_locale).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_an_alias_is_that_of_the_operator_behind_it() {
        let page = "---\nUID: NS:directml.DML_A_OPERATOR_DESC\n---\n# DML_A_OPERATOR_DESC structure\n\nPuts things in order.\n\n\
            **DML_A_OPERATOR_DESC** has been aliased to the name **DML_A_ELEMENTS_OPERATOR_DESC**, as the counterpart of DML_B_OPERATOR_DESC.\n";
        let found = read_identity("x.md", page);
        assert_eq!(found.operator.as_deref(), Some("A_ELEMENTS"));
        assert_eq!(found.document, "ns-directml-dml_a_operator_desc");
        // Another operator's alias is none of this page's.
        let other = page.replace("**DML_A_OPERATOR_DESC** has", "**DML_C_OPERATOR_DESC** has");
        assert_eq!(read_identity("x.md", &other).operator.as_deref(), Some("A"));
    }

    #[test]
    fn operator_and_locale_are_found_wherever_they_stand() {
        let found = read_identity(
            "x.md",
            "---\nUID: NS:directml.DML_A1_OPERATOR_DESC\nms.contentlocale: fr-FR\n---\nx",
        );
        assert_eq!(found.operator.as_deref(), Some("A1"));
        assert_eq!(
            (found.document.as_str(), found.locale.as_str()),
            ("ns-directml-dml_a1_operator_desc", "fr-fr")
        );
        let found = read_identity("a/7_es-es.md", "# DML_A_B_OPERATOR_DESC x");
        assert_eq!(
            (found.operator.as_deref(), found.locale.as_str()),
            (Some("A_B"), "es-es")
        );
        assert_eq!(read_identity("x", "# DML_A_OPERATOR_DESC 構造体です。").locale, "ja-jp");
        for (file, text, document) in [
            ("a/ns-directml-dml_x_desc.fr-fr.md", "text", "ns-directml-dml_x_desc"),
            ("x.md", "# DML_X_DESC structure", "ns-directml-dml_x_desc"),
            ("x.md", "# DML_X enumeration", "ne-directml-dml_x"),
            ("x.md", "text", ""),
        ] {
            assert_eq!(read_identity(file, text).document, document, "{file} {text}");
        }
        let other = read_identity("x", "---\nUID: NE:directml.DML_A\n---\n# DML_A_OPERATOR_DESC");
        assert_eq!((other.operator, other.document.as_str()), (None, "ne-directml-dml_a"));
        assert_eq!(
            read_identity("x", "---\nUID: NS:directml.DML_A_OPERATOR_DESC\n").body,
            None
        );
    }

    #[test]
    fn words_that_run_together_are_told_apart() {
        let text = "AxisDirectionDML_TOP_K_OPERATOR_DESCと DML_OPERATOR_DESC";
        assert_eq!(list_operators(text).collect::<Vec<_>>(), ["TOP_K"]);
    }
}
