//! The specification as a reference in Markdown: pages in the layout of the rendered reference, followed by what the
//! reference lacks: rules, behaviour of releases, open questions, existing cases.
//!
//! A page that is written here and read by [`import`](crate::import) gives back the same facts.

mod additions;
mod example;
mod members;
mod support;

use dml_spec::{Catalog, model::Operator};

use crate::import::{page::OWN_LOCALE, shared_properties};
use dml_case::case::FamilyCounts;

/// Facts about an operator's cases for its page.
#[derive(Clone, Copy, Debug)]
pub struct PlannedCases<'a> {
    /// The word for the tier.
    pub tier: &'a str,
    /// Cases of each family by level.
    pub counts: &'a FamilyCounts,
    /// Whether any case runs the operator; otherwise only descriptors are tested.
    pub is_computed: bool,
}

/// Name of an operator's document, as the reference calls it: `ns-directml-dml_x_operator_desc`.
pub fn name_document(operator: &Operator) -> String {
    format!("ns-directml-dml_{}_operator_desc", operator.name.to_lowercase())
}

/// Writes the page of an operator.
pub fn write_page(catalog: &Catalog, operator: &Operator, cases: &PlannedCases<'_>) -> String {
    let mut page = Markdown::default();
    write_head(&mut page, operator);
    members::write_members(&mut page, operator);
    example::write_examples(&mut page, operator);
    write_remarks(&mut page, operator);
    write_constraints(&mut page, operator);
    support::write_support(&mut page, catalog, operator);
    additions::write_additions(&mut page, catalog, operator, cases);
    page.0
}

/// Writes the page that lists all others.
pub fn write_index(catalog: &Catalog) -> String {
    let mut page = Markdown::default();
    page.line("# DirectML operators");
    page.paragraph("Written by `dml-cts spec docs` from the specification, in its own words.");
    page.line("| Operator | Since | Tables at | Clauses | Cases | |");
    page.line("| --- | --- | --- | --- | --- | --- |");
    for operator in catalog.operators.iter() {
        let levels: Vec<String> = operator.table_levels().map(|level| level.to_string()).collect();
        let clauses = operator.clauses.iter().filter(|c| c.retired.is_none()).count();
        let cases = match operator.cases.keys.is_empty() {
            true => "none",
            false => "planned",
        };
        let (name, says) = (&operator.name, escape_cell(&operator.says));
        let (link, since, levels) = (name_document(operator), operator.introduced, levels.join(", "));
        page.line(&format!(
            "| [{name}]({link}.md) | {since} | {levels} | {clauses} | {cases} | {says} |"
        ));
    }
    page.0
}

/// Text under construction.
#[derive(Default)]
struct Markdown(String);

impl Markdown {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// A heading or a paragraph, with an empty line on either side.
    fn paragraph(&mut self, text: &str) {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
        self.line(text);
        self.0.push('\n');
    }

    fn fence(&mut self, language: &str, text: &str) {
        self.line(&format!("```{language}"));
        self.line(text.trim_end());
        self.line("```");
    }
}

/// Our own text, with Markdown markup escaped.
fn escape_text(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('*', "\\*").replace('<', "&lt;");
    escaped.replace('`', "\\`")
}

/// The same within a table.
fn escape_cell(text: &str) -> String {
    escape_text(text).replace('|', "\\|")
}

/// A rule or an id, in backticks.
fn quote_code(text: &str) -> String {
    format!("`{text}`")
}

fn write_head(page: &mut Markdown, operator: &Operator) {
    let name = format!("DML_{}_OPERATOR_DESC", operator.name);
    for line in [
        "---",
        &format!("UID: NS:directml.{name}"),
        &format!("title: {name}"),
        &format!("ms.contentlocale: {OWN_LOCALE}"),
        "---",
    ] {
        page.line(line);
    }
    page.paragraph(&format!("# {name} structure (directml.h)"));
    page.paragraph(&escape_text(&operator.says));
}

fn write_remarks(page: &mut Markdown, operator: &Operator) {
    page.paragraph("## Remarks");
    page.paragraph(&format!(
        "Written by `dml-cts spec docs` from `{}`, in the words of the specification. The reference itself is at \
         `https://learn.microsoft.com/windows/win32/api/directml/{}`.",
        operator.file,
        name_document(operator)
    ));
    page.paragraph("## Availability");
    page.paragraph(&format!(
        "This operator was introduced in `DML_FEATURE_LEVEL_{}_{}`.",
        operator.introduced.major(),
        operator.introduced.minor()
    ));
}

fn write_constraints(page: &mut Markdown, operator: &Operator) {
    let classes = shared_properties::find_classes(operator);
    if classes.is_empty() {
        return;
    }
    page.paragraph("## Tensor constraints");
    for class in classes {
        let names: Vec<String> = class.tensors.iter().map(|name| format!("*{name}*")).collect();
        page.line(&format!(
            "* {} must have the same *{}*.",
            join_names(&names),
            class.property.name()
        ));
    }
}

/// The text with its first letter in upper case.
fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `a`, `a and b`, `a, b, and c`.
fn join_names(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::import::{self, facts};
    use dml_spec_yaml::load::catalog;

    const NO_CASES: PlannedCases<'_> = PlannedCases {
        tier: "standard",
        counts: &FamilyCounts::new(),
        is_computed: true,
    };

    /// Tests that pages which are written and read again state what the specification says.
    #[test]
    fn what_is_written_reads_as_the_same_facts() {
        let catalog = catalog();
        for operator in catalog.operators.iter() {
            let file = name_document(operator) + ".md";
            let text = write_page(catalog, operator, &NO_CASES);
            let (read, mistakes) = import::read_page(&file, text.as_bytes(), catalog);
            let read = read.unwrap();
            let value = |facts: facts::Facts| -> BTreeMap<facts::Key, String> {
                facts.into_iter().map(|(key, fact)| (key, fact.value)).collect()
            };
            let (written, wanted) = (
                value(facts::collect_page_facts(&read)),
                value(facts::collect_operator_facts(catalog, operator)),
            );
            for (key, value) in &wanted {
                assert_eq!(written.get(key), Some(value), "{file}: {key}; {mistakes:?}");
            }
            let more: Vec<String> = written
                .keys()
                .filter(|key| !wanted.contains_key(key))
                .map(ToString::to_string)
                .collect();
            assert!(more.is_empty(), "{file}: {more:?}");
            assert_eq!(mistakes, [], "{file}");
        }
    }

    #[test]
    fn lists_read_as_in_the_reference() {
        let of = |names: &[&str]| join_names(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["a"]), "a");
        assert_eq!(of(&["a", "b"]), "a and b");
        assert_eq!(of(&["a", "b", "c"]), "a, b, and c");
    }

    #[test]
    fn a_page_has_every_part() {
        let catalog = catalog();
        let operator = catalog.operator("TOP_K1").unwrap();
        let text = write_page(catalog, operator, &NO_CASES);
        for part in [
            "# DML_TOP_K1_OPERATOR_DESC structure (directml.h)\n",
            "  const DML_TENSOR_DESC *InputTensor;\n",
            "  UINT                  Axis;\n",
            "### Example 2. Different axis\n",
            "InputTensor: (Sizes:{1,1,3,4}, DataType:FLOAT32)\n[[[[ 0,  1, 10, 11],\n   [ 3,  2,  9,  8],\n",
            "* *InputTensor*, *OutputIndexTensor*, and *OutputValueTensor* must have the same *DimensionCount*.\n",
            "### DML_FEATURE_LEVEL_5_0 and above\n",
            "| InputTensor | Input | 1 to 8 | FLOAT32, FLOAT16, INT32,",
            "* **k-below-axis-size** (constraint, disputed): ",
            "`ns-directml-dml_top_k1_operator_desc#K`, sentence 2",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
