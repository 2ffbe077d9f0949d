//! Sentences that ask something of one field: a bound of a number ("This value must be in the range [0, 3]"), a data type
//! that matches, a flag that a tensor may not have, tensors that it excludes.
//!
//! Of those about bounds, read is what consists of a subject, `must be` or `cannot be`, a comparison, and a number or a dimension count, and of
//! nothing else; in English, as the members of most pages are.

use dml_spec::model::{DATA_TYPE, FieldKind};

use super::source::{Text, place};
use crate::import::page::{Bound, Choice, Comparison, Exclusion, Limit, Matching, PageField, Spot};

/// Comparisons in words, longer ones before those that they start with.
const COMPARISONS: [(&str, Comparison); 15] = [
    ("less than or equal to ", Comparison::AtMost),
    ("no greater than ", Comparison::AtMost),
    ("no more than ", Comparison::AtMost),
    ("at most ", Comparison::AtMost),
    ("less than ", Comparison::Less),
    ("greater than or equal to ", Comparison::AtLeast),
    ("no less than ", Comparison::AtLeast),
    ("at least ", Comparison::AtLeast),
    ("greater than ", Comparison::Greater),
    ("larger than ", Comparison::Greater),
    ("the same as ", Comparison::Equal),
    ("the same value as ", Comparison::Equal),
    ("equal to ", Comparison::Equal),
    ("set to the same value as ", Comparison::Equal),
    ("set to ", Comparison::Equal),
];

/// Every sentence of that kind about a number, or about all numbers of an array.
pub(super) fn read_bounds(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<Bound>> {
    let numbers = fields
        .iter()
        .map(|field| &field.value)
        .filter(|field| is_number(&field.kind));
    let numbers: Vec<&PageField> = numbers.collect();
    let of_sentence = text.sentences.iter().filter_map(|sentence| {
        let field = numbers.iter().find(|field| field.name == sentence.anchor)?;
        let limits = read_sentence(&sentence.text, &field.name)?;
        Some(Spot {
            value: Bound {
                field: field.name.clone(),
                limits,
            },
            at: place(sentence),
        })
    });
    of_sentence.collect()
}

/// Sentences of an unsigned number that name the two that it may be: "The order of the normalization (either 1 or 2)." Of
/// the length of an array the tables say more.
pub(super) fn read_choices(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<Choice>> {
    let numbers = fields.iter().map(|field| &field.value);
    let is_length = |name: &str| fields.iter().any(|field| field.value.is_counted_by(name));
    let numbers = numbers.filter(|field| field.kind == FieldKind::UInt && !is_length(&field.name));
    let numbers: Vec<&PageField> = numbers.collect();
    let of_sentence = text.sentences.iter().filter_map(|sentence| {
        let field = numbers.iter().find(|field| field.name == sentence.anchor)?;
        Some(Spot {
            value: Choice {
                field: field.name.clone(),
                values: read_choice(&sentence.text)?,
            },
            at: place(sentence),
        })
    });
    of_sentence.collect()
}

/// The numbers of "… either 1 or 2", if nothing else follows.
fn read_choice(sentence: &str) -> Option<[u64; 2]> {
    let (_, choice) = sentence.split_once("either ")?;
    let choice = choice.trim_end_matches(['.', ')', ' ']).replace('`', "");
    let (one, other) = choice.split_once(" or ")?;
    Some([one.trim().parse().ok()?, other.trim().parse().ok()?])
}

/// Sentences about a field that holds a data type: "…, which must match X.DataType".
pub(super) fn read_matching(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<Matching>> {
    let is_type = |name: &str| {
        let mut of_type = fields.iter().map(|field| &field.value);
        of_type.any(|field| field.name == name && matches!(&field.kind, FieldKind::Enum(of) if of == DATA_TYPE))
    };
    let of_sentence = text.sentences.iter().filter_map(|sentence| {
        let (_, matched) = sentence.text.split_once(", which must match ")?;
        let matched = matched.trim_end_matches('.').replace("::", ".");
        let tensor = matched
            .strip_suffix(".DataType")
            .filter(|tensor| is_tensor(fields, tensor))?;
        is_type(&sentence.anchor).then(|| Spot {
            value: Matching {
                field: sentence.anchor.clone(),
                tensor: tensor.to_owned(),
            },
            at: place(sentence),
        })
    });
    of_sentence.collect()
}

/// Sentences about a tensor that "doesn't support the DML_TENSOR_FLAG_OWNED_BY_DML flag".
pub(super) fn read_unowned(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<String>> {
    let said = text.sentences.iter().filter(|sentence| {
        let plain = sentence.text.replace('*', "");
        let mut verbs = ["doesn't support", "does not support"].iter();
        let is_refused = verbs.any(|verb| plain.contains(&format!("{verb} the DML_TENSOR_FLAG_OWNED_BY_DML flag")));
        is_refused && is_tensor(fields, &sentence.anchor)
    });
    let spots = said.map(|sentence| Spot {
        value: sentence.anchor.clone(),
        at: place(sentence),
    });
    spots.collect()
}

/// Sentences about a tensor that is "mutually exclusive with" others.
pub(super) fn read_exclusions(text: &Text<'_>, fields: &[Spot<PageField>]) -> Vec<Spot<Exclusion>> {
    let of_sentence = text.sentences.iter().filter_map(|sentence| {
        let (_, excluded) = sentence.text.split_once("mutually exclusive with ")?;
        let words = excluded.split(|c: char| !c.is_ascii_alphanumeric());
        let others: Vec<String> = words
            .filter(|word| is_tensor(fields, word))
            .map(str::to_owned)
            .collect();
        (is_tensor(fields, &sentence.anchor) && !others.is_empty()).then(|| Spot {
            value: Exclusion {
                tensor: sentence.anchor.clone(),
                others,
            },
            at: place(sentence),
        })
    });
    of_sentence.collect()
}

fn is_tensor(fields: &[Spot<PageField>], name: &str) -> bool {
    let mut all = fields.iter().map(|field| &field.value);
    all.any(|field| field.name == name && field.kind.role().is_some())
}

fn is_number(kind: &FieldKind) -> bool {
    use FieldKind::{Float, Int, Ints, UInt, UInts};
    matches!(kind, Float | Int | Ints(_) | UInt | UInts(_))
}

/// What a sentence asks of the field of this name.
fn read_sentence(sentence: &str, field: &str) -> Option<Vec<(Comparison, Limit)>> {
    let rest = sentence.trim().trim_end_matches('.');
    if let Some((_, range)) = rest.split_once(", ranging ") {
        return read_range(range);
    }
    let subjects = ["This value", "The value", "Values", "Each value", field];
    let rest = subjects.iter().find_map(|subject| rest.strip_prefix(subject))?;
    for verb in [" must match ", " must equal "] {
        if let Some(rest) = rest.strip_prefix(verb) {
            return Some(vec![(Comparison::Equal, read_limit(rest)?)]);
        }
    }
    let (is_negated, rest) = match (rest.strip_prefix(" must be "), rest.strip_prefix(" cannot be ")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    if let Some(range) = rest.strip_prefix("in the range ").filter(|_| !is_negated) {
        return read_range(range);
    }
    let (words, comparison) = COMPARISONS.iter().find(|(words, _)| rest.starts_with(words))?;
    let limit = read_limit(rest.get(words.len()..)?)?;
    let comparison = if is_negated { comparison.negated()? } else { *comparison };
    Some(vec![(comparison, limit)])
}

/// `[1, InputTensor.DimensionCount]`, or without its end: `[0, InputTensor.DimensionCount)`.
fn read_range(text: &str) -> Option<Vec<(Comparison, Limit)>> {
    let text = text.trim().trim_matches('`').strip_prefix('[')?;
    let (text, most) = match text.strip_suffix(')') {
        Some(text) => (text, Comparison::Less),
        None => (text.strip_suffix(']')?, Comparison::AtMost),
    };
    let (from, to) = text.split_once(", ")?;
    Some(vec![(Comparison::AtLeast, read_limit(from)?), (most, read_limit(to)?)])
}

/// A whole number, `InputTensor.DimensionCount`, `InputTensor.DimensionCount - 1`, `the DimensionCount of the InputTensor`, or
/// `the dimension count of InputTensor and OutputTensor`, of which the first counts.
fn read_limit(text: &str) -> Option<Limit> {
    let text = text.trim().trim_matches('`').trim_start_matches("the ");
    if let Ok(number) = text.parse() {
        return Some(Limit::Number(number));
    }
    let of = ["DimensionCount of ", "dimension count of "]
        .iter()
        .find_map(|words| text.strip_prefix(words));
    let of = of.map(|of| match of.trim_start_matches("the ") {
        "input and output tensors" => "InputTensor",
        of => of.split_once(" and ").map_or(of, |(first, _)| first),
    });
    let dotted = || {
        let (tensor, rest) = text.split_once(".DimensionCount")?;
        match rest {
            "" => Some((tensor, 0)),
            " - 1" => Some((tensor, 1)),
            _ => None,
        }
    };
    let (tensor, less) = of.map(|of| (of, 0)).or_else(dotted)?;
    let is_name = !tensor.is_empty() && tensor.chars().all(|c| c.is_ascii_alphanumeric());
    is_name.then(|| Limit::DimensionCount {
        tensor: tensor.to_owned(),
        less,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_read_whole_or_not_at_all() {
        let count = |less| Limit::DimensionCount {
            tensor: "InputTensor".to_owned(),
            less,
        };
        for (sentence, expected) in [
            (
                "Values must be in the range [0, InputTensor.DimensionCount - 1].",
                Some(vec![
                    (Comparison::AtLeast, Limit::Number(0)),
                    (Comparison::AtMost, count(1)),
                ]),
            ),
            (
                "This value must be less than the DimensionCount of the InputTensor.",
                Some(vec![(Comparison::Less, count(0))]),
            ),
            (
                "This value cannot be less than 1.",
                Some(vec![(Comparison::AtLeast, Limit::Number(1))]),
            ),
            (
                "K must be at least 1.",
                Some(vec![(Comparison::AtLeast, Limit::Number(1))]),
            ),
            (
                "This value must match the DimensionCount of the input and output tensors.",
                Some(vec![(Comparison::Equal, count(0))]),
            ),
            (
                "K must be the same value as the dimension count of InputTensor and OutputTensor.",
                Some(vec![(Comparison::Equal, count(0))]),
            ),
            (
                "Values must be larger than 0.",
                Some(vec![(Comparison::Greater, Limit::Number(0))]),
            ),
            (
                "The axis to gather on, ranging [0, InputTensor.DimensionCount).",
                Some(vec![
                    (Comparison::AtLeast, Limit::Number(0)),
                    (Comparison::Less, count(0)),
                ]),
            ),
            (
                "The number of dimensions, ranging [1, InputTensor.DimensionCount].",
                Some(vec![
                    (Comparison::AtLeast, Limit::Number(1)),
                    (Comparison::AtMost, count(0)),
                ]),
            ),
            ("An angle, ranging from 0 to 1.", None),
            ("This value cannot be equal to 0.", None),
            ("K must be greater than 0, but less than the number of elements.", None),
            ("This value should be between 0 and 1.", None),
            ("This value must be less than Other.", None),
        ] {
            assert_eq!(read_sentence(sentence, "K"), expected, "{sentence}");
        }
    }

    #[test]
    fn two_numbers_are_a_choice() {
        for (sentence, expected) in [
            ("The order of the normalization (either 1 or 2).", Some([1, 2])),
            ("This is either `0` or `1`.", Some([0, 1])),
            ("K is either 1 or the rank.", None),
            ("K is either 1 or 2 for tensors of INT8.", None),
            ("K is 1 or 2.", None),
        ] {
            assert_eq!(read_choice(sentence), expected, "{sentence}");
        }
    }
}
