//! Reading one page.

mod blocks;
mod bounds;
mod claims;
mod examples;
mod fields;
mod formulas;
mod identity;
mod literal;
mod prose;
mod shapes;
mod source;
mod syntax;
mod tables;
mod words;

pub use self::identity::read_identity;
pub(super) use self::{
    examples::{count_elements, find_miscount},
    fields::DATA_TYPE,
};

use dml_spec::{Catalog, Diagnostic};

use self::{
    blocks::Blocks,
    identity::Identity,
    source::{Source, Text},
};
use super::page::{Layout, Page};

/// Reads a page of any layout. `file` is its path as given by the user; types, enumerations and levels are those of the
/// catalog. Returns what could be read and all mistakes, each with its place on the page; there is no page if even the
/// operator is unknown.
pub fn read_page(file: &str, bytes: &[u8], catalog: &Catalog) -> (Option<Page>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let source = Source::new(file, bytes, &mut found);
    let text = Text::new(&source);
    let identity = identity::read_identity(file, &text.markdown.text);
    let Some(operator) = &identity.operator else {
        let message = "the page describes no operator's descriptor".to_owned();
        let hint = "pages of operators have the title DML_…_OPERATOR_DESC";
        found.push(text.diagnostic("page::not-an-operator", 0, message, Some(hint)));
        return (None, found);
    };
    if identity.body.is_none() {
        let message = "the properties at the start of the page never end".to_owned();
        found.push(text.diagnostic("page::truncated", 0, message, Some("a line of three dashes ends them")));
    }
    let body = identity.body.unwrap_or(text.markdown.text.len());
    let blocks = blocks::read_blocks(&text, body);
    found.extend(blocks.open_fence.map(|at| {
        let message = "a block of code never ends".to_owned();
        text.diagnostic(
            "page::truncated",
            at,
            message,
            Some("close it with three backticks, or download the page again"),
        )
    }));
    let page = page(&text, &identity, operator, &blocks, catalog, &mut found);
    (Some(page), found)
}

fn page(
    text: &Text<'_>,
    identity: &Identity,
    operator: &str,
    blocks: &Blocks,
    catalog: &Catalog,
    found: &mut Vec<Diagnostic>,
) -> Page {
    let tables = tables::read_tables(text, blocks, catalog);
    let fields = fields::read_fields(text, blocks, &tables, found);
    if fields.is_empty() {
        let message = format!("the page shows no field of {operator}");
        let hint = "fields stand in the syntax block, or each in a section with its type";
        found.push(text.diagnostic(
            "page::no-fields",
            identity.body.unwrap_or_default(),
            message,
            Some(hint),
        ));
    }
    Page {
        file: text.source.file().to_owned(),
        document: identity.document.clone(),
        locale: identity.locale.clone(),
        layout: layout(text, blocks),
        operator: operator.to_owned(),
        introduced: prose::read_introduction(text),
        constraints: prose::read_constraints(text, &fields),
        bounds: bounds::read_bounds(text, &fields),
        shapes: shapes::read_shapes(text, &tables, &fields),
        formulas: formulas::read_formulas(text, blocks, &fields),
        choices: bounds::read_choices(text, &fields),
        matching: bounds::read_matching(text, &fields),
        unowned: bounds::read_unowned(text, &fields),
        exclusions: bounds::read_exclusions(text, &fields),
        examples: examples::read_examples(text, blocks, &fields),
        equivalents: prose::read_equivalents(text, operator),
        claims: claims::read_claims(text, blocks, &fields, catalog),
        sentences: prose::read_sentences(text),
        fields,
        tables,
    }
}

fn layout(text: &Text<'_>, blocks: &Blocks) -> Layout {
    let sdk = |section: &blocks::Section| section.is_sdk;
    if text.markdown.plain {
        Layout::PlainText
    } else if blocks.sections.iter().any(sdk) {
        Layout::SdkApi
    } else {
        Layout::Rendered
    }
}

#[cfg(all(test, feature = "pages"))]
mod reference_tests;
#[cfg(test)]
mod tests;
