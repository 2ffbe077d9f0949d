//! Claims of sentences and comments in addition to the facts.

use std::collections::HashSet;

use dml_spec::{
    Catalog,
    model::{FieldKind, Role},
};

use super::{
    blocks::{Blocks, What},
    literal,
    source::{Text, place},
    words,
};
use crate::import::page::{Claim, PageField, Spot};

/// Every claim of the page, in English as the sentences of most pages are.
pub(super) fn read_claims(
    text: &Text<'_>,
    blocks: &Blocks,
    fields: &[Spot<PageField>],
    catalog: &Catalog,
) -> Vec<Spot<Claim>> {
    let mut found = read_data_types(text, fields, catalog);
    found.extend(read_in_place(text, fields));
    found.extend(read_sums(text, blocks));
    found
}

/// Sentences that require a data type of a tensor.
fn read_data_types(text: &Text<'_>, fields: &[Spot<PageField>], catalog: &Catalog) -> Vec<Spot<Claim>> {
    let is_tensor = |kind: &FieldKind| kind.role().is_some();
    let tensors = fields.iter().filter(|f| is_tensor(&f.value.kind));
    let tensors: HashSet<&str> = tensors.map(|f| f.value.name.as_str()).collect();
    let claims = text.sentences.iter().filter_map(|sentence| {
        let says = &sentence.text;
        let about = tensors.contains(sentence.anchor.as_str()) && says.contains("his tensor") && says.contains("must");
        if !about || !says.contains("type") || words::is_conditional(says) || says.starts_with("For ") {
            return None;
        }
        let words = says.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let names = words.map(|word| word.strip_prefix("DML_TENSOR_DATA_TYPE_").unwrap_or(word));
        let types = names.filter(|name| catalog.data_type_named(name).is_some());
        let types: Vec<String> = types.map(str::to_owned).collect();
        let tensor = sentence.anchor.clone();
        (!types.is_empty()).then(|| Spot {
            value: Claim::DataType { tensor, types },
            at: place(sentence),
        })
    });
    claims.collect()
}

/// The first sentence about execution in place.
fn read_in_place(text: &Text<'_>, fields: &[Spot<PageField>]) -> Option<Spot<Claim>> {
    text.sentences.iter().find_map(|sentence| {
        let lower = sentence.text.to_lowercase();
        let about = lower.contains("in-place execution") || lower.contains("executed in-place");
        about.then(|| Spot {
            value: Claim::InPlace {
                may: ![" not ", "n't "].iter().any(|word| lower.contains(word)),
                inputs: list_aliased(&sentence.text, fields),
            },
            at: place(sentence),
        })
    })
}

/// The inputs that such a sentence permits the output to alias: those that it names, or all if it names none.
fn list_aliased(sentence: &str, fields: &[Spot<PageField>]) -> Vec<String> {
    let Some((_, aliased)) = sentence.split_once("alias ") else {
        return Vec::new();
    };
    let inputs = fields.iter().filter(|f| f.value.kind == FieldKind::Tensor(Role::Input));
    let inputs: Vec<String> = inputs.map(|f| f.value.name.clone()).collect();
    let words: HashSet<&str> = aliased.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let named: Vec<String> = inputs
        .iter()
        .filter(|name| words.contains(name.as_str()))
        .cloned()
        .collect();
    match named.is_empty() && aliased.contains("input tensor") {
        true => inputs,
        false => named,
    }
}

/// `9] // sum({3, 4, 2})` in examples.
fn read_sums(text: &Text<'_>, blocks: &Blocks) -> Vec<Spot<Claim>> {
    let mut found = Vec::new();
    for block in &blocks.blocks {
        let What::Code(code) = &block.what else { continue };
        let anchor = blocks.anchor(block);
        if !code.contains("sum({") || !blocks.ancestors(block.section).any(|s| s.anchor.starts_with("example")) {
            continue;
        }
        let at = text.at(anchor, block.at);
        for (index, line) in code.lines().enumerate() {
            found.extend(read_sum(line).map(|value| {
                let mut at = at.clone();
                // The first line of code comes after the fence.
                at.line += u32::try_from(index + 1).unwrap_or_default();
                at.column = 1;
                Spot { value, at }
            }));
        }
    }
    found
}

fn read_sum(line: &str) -> Option<Claim> {
    let (code, comment) = line.split_once("//")?;
    let list = comment.trim().strip_prefix("sum({")?.split('}').next()?;
    let numbers: Option<Vec<f64>> = literal::split_words(list)
        .map(|word| literal::read_number(word)?.parse().ok())
        .collect();
    Some(Claim::Sum {
        stated: literal::read_number(literal::split_words(code).last()?)?,
        comes_to: numbers?.iter().sum::<f64>().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_add_up_are_read() {
        let claim = |stated: &str, comes_to: &str| {
            Some(Claim::Sum {
                stated: stated.to_owned(),
                comes_to: comes_to.to_owned(),
            })
        };
        assert_eq!(read_sum("  9]] // sum({3, 4, 2})"), claim("9", "9"));
        assert_eq!(read_sum("[[21]]  // sum({20, 2})"), claim("21", "22"));
        for line in ["9 // sum of all", "// sum({1})", "9 // sum({a})"] {
            assert_eq!(read_sum(line), None, "{line}");
        }
    }
}
