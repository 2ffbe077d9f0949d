//! What single sentences say.

use std::collections::HashSet;

use dml_spec::{FeatureLevel, model::FieldKind};
use dml_spec_yaml::ledger::Sentence;

use super::{
    identity,
    source::{Text, place},
    tables, words,
};
use crate::import::page::{PageField, PageSentence, Property, SharedProperty, Spot};

/// Every sentence, and whether it binds.
pub(super) fn read_sentences(text: &Text<'_>) -> Vec<PageSentence> {
    let each = text.sentences.iter().map(|sentence| PageSentence {
        at: place(sentence),
        normative: words::binds(&sentence.text),
    });
    each.collect()
}

fn under<'t>(text: &'t Text<'_>, anchor: &'static str) -> impl Iterator<Item = &'t Sentence> {
    text.sentences.iter().filter(move |s| s.anchor == anchor)
}

/// The level that the section about availability names.
pub(super) fn read_introduction(text: &Text<'_>) -> Option<Spot<FeatureLevel>> {
    under(text, "availability").find_map(|sentence| {
        Some(Spot {
            value: tables::read_level(&sentence.text)?,
            at: place(sentence),
        })
    })
}

/// Operators that remarks call equivalent.
pub(super) fn read_equivalents(text: &Text<'_>, own: &str) -> Vec<Spot<String>> {
    let sentences = under(text, "remarks").filter(|s| words::says_equivalent(&s.text));
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for sentence in sentences {
        for name in identity::list_operators(&sentence.text).filter(|name| *name != own) {
            if seen.insert(name) {
                found.push(Spot {
                    value: name.to_owned(),
                    at: place(sentence),
                });
            }
        }
    }
    found
}

/// Sentences that only say what tensors have in common: those of the constraints section, then those about members.
pub(super) fn read_constraints(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<SharedProperty>> {
    let mut found = read_section_constraints(text, fields);
    found.extend(read_member_constraints(text, fields));
    found
}

fn read_section_constraints(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<SharedProperty>> {
    let tensors: Vec<&str> = fields
        .iter()
        .filter(|f| matches!(f.value.kind, FieldKind::Tensor(_) | FieldKind::Tensors(..)))
        .map(|f| f.value.name.as_str())
        .collect();
    let mut found = Vec::new();
    for sentence in under(text, "tensor-constraints") {
        if !words::says_same(&sentence.text) || words::is_conditional(&sentence.text) {
            continue;
        }
        let named = find_names(&sentence.text, &tensors);
        if named.len() < 2 {
            continue;
        }
        found.extend(read_properties(&sentence.text).into_iter().map(|property| Spot {
            value: SharedProperty {
                tensors: named.clone(),
                property,
            },
            at: place(sentence),
        }));
    }
    found
}

/// Sentences about a member that only say what it has in common with another tensor: "The Sizes of this tensor must match
/// those of X", in English as the members of most pages are.
fn read_member_constraints(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<SharedProperty>> {
    let is_tensor = |f: &&Spot<PageField>| matches!(f.value.kind, FieldKind::Tensor(_));
    let tensors: Vec<&str> = fields.iter().filter(is_tensor).map(|f| f.value.name.as_str()).collect();
    let mut found = Vec::new();
    let about = |sentence: &&Sentence| tensors.contains(&sentence.anchor.as_str());
    for sentence in text.sentences.iter().filter(about) {
        let says = &sentence.text;
        let Some((before, after)) = says.split_once(" must ") else {
            continue;
        };
        let is_match = after.starts_with("match ") || after.starts_with("exactly match ");
        let properties = match (is_match, after.strip_prefix("have the same ")) {
            (true, _) if before.ends_with(" of this tensor") => read_properties(before),
            (_, Some(rest)) if before == "This tensor" => read_properties(rest),
            _ => continue,
        };
        let named = find_names(says, &tensors);
        let [other] = named.as_slice() else { continue };
        let is_part = words::is_conditional(says) || says.contains("for every") || *other == sentence.anchor;
        if is_part || !tensors.contains(&other.as_str()) {
            continue;
        }
        let mut both = vec![other.clone(), sentence.anchor.clone()];
        both.sort_unstable();
        found.extend(properties.into_iter().map(|property| Spot {
            value: SharedProperty {
                tensors: both.clone(),
                property,
            },
            at: place(sentence),
        }));
    }
    found
}

/// Tensors that a sentence names, in alphabetical order, including unknown names that look like a tensor.
fn find_names(sentence: &str, tensors: &[&str]) -> Vec<String> {
    let runs = sentence.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut found: Vec<String> = runs.flat_map(|run| split_run(run, tensors)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Tensors in a run of letters; plain text joins names.
fn split_run(run: &str, tensors: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = run;
    while !rest.is_empty() {
        let longest = tensors
            .iter()
            .filter(|name| rest.starts_with(**name))
            .max_by_key(|name| name.len());
        let (name, length) = match longest {
            Some(name) => (Some(*name), name.len()),
            None => (None, find_property(rest)),
        };
        if length == 0 {
            break;
        }
        found.extend(name.map(str::to_owned));
        rest = rest.get(length..).unwrap_or_default();
    }
    let looks_like_one = run.ends_with("Tensor") || run.ends_with("Tensors");
    if rest.is_empty() {
        found
    } else if looks_like_one && run.len() > "Tensors".len() {
        vec![run.to_owned()]
    } else {
        Vec::new()
    }
}

fn find_property(text: &str) -> usize {
    let mut names = Property::ALL.iter().map(|property| property.name());
    names.find(|name| text.starts_with(name)).map_or(0, str::len)
}

fn read_properties(sentence: &str) -> Vec<Property> {
    let named = |property: &Property| words::names_property(property.name(), sentence);
    Property::ALL.into_iter().filter(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_every_language() {
        let tensors = [
            "InputTensor",
            "OutputIndexTensor",
            "OutputValueTensor",
            "InputTensors",
            "A",
        ];
        for (sentence, expected) in [
            (
                "InputTensor and OutputValueTensor must have the same Sizes.",
                vec!["InputTensor", "OutputValueTensor"],
            ),
            (
                "InputTensorOutputIndexTensor、および OutputValueTensor は",
                vec!["InputTensor", "OutputIndexTensor", "OutputValueTensor"],
            ),
            (
                "InputTensor と OutputValueTensor 、DataType同じ",
                vec!["InputTensor", "OutputValueTensor"],
            ),
            (
                "InputTensors and OtherTensor, an Axis",
                vec!["InputTensors", "OtherTensor"],
            ),
            ("All tensors and Tensor, Another", vec![]),
        ] {
            assert_eq!(find_names(sentence, &tensors), expected, "{sentence}");
        }
    }

    #[test]
    fn properties_are_found_in_every_language() {
        assert_eq!(
            read_properties("the same DataType, DimensionCount, and Sizes."),
            Property::ALL
        );
        assert_eq!(read_properties("el mismo dimensioncount."), [Property::DimensionCount]);
        assert_eq!(read_properties("必須有相同的 資料類型。"), [Property::DataType]);
        assert_eq!(read_properties("同じ DimensionCountを持つ"), [Property::DimensionCount]);
    }
}
