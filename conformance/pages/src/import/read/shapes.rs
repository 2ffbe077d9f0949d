//! Sentences that list the dimensions of a tensor: "This tensor has Sizes { 1, 1, BatchCount, 8 * HiddenSize }".

use super::source::{Text, place};
use crate::import::{
    page::{Dimension, PageField, Shape, Spot, Table},
    shapes::ALL_SIZES,
};

/// What stands before the list, without articles and the tensor's name.
const INTRODUCTIONS: [&str; 8] = [
    "dimensions are",
    "dimensions should be",
    "dimensions",
    "Sizes of",
    "sizes of",
    "Sizes",
    "sizes",
    "Sizes should be",
];

/// What follows a list whose sizes may each be 1.
const REPLACED: &str = "Any dimension can be replaced with 1 to broadcast";

/// The Dimensions column of the newest table, then every sentence of that kind about a tensor, with all the lists that it
/// allows. A sentence by which a field decides which list holds is not read.
pub(super) fn read_shapes(text: &Text<'_>, tables: &[Spot<Table>], fields: &[Spot<PageField>]) -> Vec<Spot<Shape>> {
    let newest = tables.iter().max_by_key(|table| table.value.level);
    let rows = newest
        .into_iter()
        .flat_map(|table| table.value.rows.iter().map(|row| (row, &table.at)));
    let mut found: Vec<Spot<Shape>> = rows
        .filter_map(|(row, at)| {
            let inner = row.shape.as_ref()?.strip_prefix('{')?.strip_suffix('}')?;
            Some(Spot {
                value: Shape {
                    tensor: row.tensor.clone(),
                    lists: vec![read_list(inner)?],
                    broadcasts: false,
                },
                at: at.clone(),
            })
        })
        .collect();
    let of_tensors = text.sentences.iter().enumerate().filter_map(|(number, sentence)| {
        let mut tensors = fields.iter().map(|field| &field.value);
        let field = tensors.find(|field| field.name == sentence.anchor && field.kind.role().is_some())?;
        let names: Vec<&str> = fields.iter().map(|field| field.value.name.as_str()).collect();
        Some(Spot {
            value: Shape {
                tensor: field.name.clone(),
                lists: read_sentence(&sentence.text, &field.name, &names)?,
                broadcasts: text
                    .sentences
                    .get(number + 1)
                    .is_some_and(|next| next.anchor == sentence.anchor && next.text.starts_with(REPLACED)),
            },
            at: place(sentence),
        })
    });
    found.extend(of_tensors);
    let like_others = text.sentences.iter().flat_map(|sentence| {
        let (tensors, to) = read_broadcast(&sentence.text).unwrap_or_default();
        let lists = found.iter().find(|shape| shape.value.tensor == to);
        let lists = lists.map(|shape| shape.value.lists.clone());
        let shapes = tensors.into_iter().zip(std::iter::repeat(lists));
        let shapes = shapes.filter_map(|(tensor, lists)| {
            let (lists, broadcasts) = (lists?, true);
            Some(Spot {
                value: Shape {
                    tensor,
                    lists,
                    broadcasts,
                },
                at: place(sentence),
            })
        });
        shapes.collect::<Vec<_>>()
    });
    let like_others: Vec<Spot<Shape>> = like_others.collect();
    found.extend(like_others);
    found
}

/// Tensors whose sizes are 1 or those of another: "Any dimension in *A* and *B* can be set to 1, and be automatically
/// broadcast to match *C*, but otherwise must equal the corresponding dimension's size from *C*."
fn read_broadcast(sentence: &str) -> Option<(Vec<String>, String)> {
    let (tensors, to) = sentence
        .strip_prefix("Any dimension in ")?
        .split_once(" can be set to 1, and be automatically broadcast to match ")?;
    let (to, but) = to.split_once(", but otherwise must equal the corresponding dimension's size from ")?;
    let plain = |name: &str| {
        name.trim_matches(|c: char| matches!(c, '*' | '`' | '.') || c.is_whitespace())
            .to_owned()
    };
    let tensors = tensors.replace(" and ", ",");
    let tensors: Vec<String> = tensors.split(',').map(plain).filter(|name| !name.is_empty()).collect();
    let is_tensor = |name: &String| is_name(name);
    (plain(to) == plain(but) && tensors.iter().all(is_tensor)).then(|| (tensors, plain(to)))
}

/// The lists of a sentence about a tensor, if it lists nothing else.
fn read_sentence(sentence: &str, tensor: &str, fields: &[&str]) -> Option<Vec<Vec<Dimension>>> {
    let plain = sentence.replace('`', "");
    let (before, mut rest) = plain.split_once('{')?;
    let before = before.trim_end();
    let before = [format!(" of the {tensor} are"), format!(" of {tensor} are")]
        .iter()
        .find_map(|of| Some(format!("{} are", before.strip_suffix(of)?)))
        .unwrap_or_else(|| before.to_owned());
    INTRODUCTIONS.iter().find(|words| before.ends_with(**words))?;
    if before.contains("example") || before.contains(" if ") {
        return None;
    }
    let mut lists = Vec::new();
    loop {
        let (inner, after) = rest.split_once('}')?;
        lists.push(read_list(inner)?);
        let (between, next) = match after.split_once('{') {
            Some((between, next)) => (between, Some(next)),
            None => (after, None),
        };
        // "if per-row quantization is required" names no field: either list is right for any descriptor.
        let depends = between.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
            fields.contains(&word) || matches!(word, "4D" | "5D" | "when" | "DimensionCount") || word.starts_with("DML")
        });
        if depends || (next.is_some() && !between.trim_end().ends_with([',', 'r'])) {
            return None;
        }
        match next {
            Some(next) => rest = next,
            None => return Some(lists),
        }
    }
}

/// `1, NumDirections, 4 * hidden_size`, or the Dimensions column's `[BatchCount], M, [1]`.
fn read_list(inner: &str) -> Option<Vec<Dimension>> {
    let parts = inner.split([',', '、']).map(|part| {
        let part = part.trim();
        let may_drop = part.strip_prefix('[').and_then(|part| part.strip_suffix(']'));
        let said = may_drop.unwrap_or(part).trim();
        let (factor, name) = match (said.split_once('*'), said.parse()) {
            (_, Ok(number)) => (number, None),
            (None, Err(_)) => (1, Some(said)),
            (Some((factor, name)), Err(_)) => (factor.trim().parse().ok()?, Some(name.trim())),
        };
        name.is_none_or(is_name).then(|| Dimension {
            factor,
            name: name.map(str::to_owned),
            may_drop: may_drop.is_some(),
        })
    });
    parts.collect()
}

fn is_name(name: &str) -> bool {
    let name = name.strip_suffix(ALL_SIZES).unwrap_or(name);
    let starts = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    starts && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(sentence: &str) -> Option<Vec<String>> {
        let lists = read_sentence(sentence, "ATensor", &["ATensor", "TransA", "PooledSize"])?;
        let spell = |of: &Dimension| match &of.name {
            None => of.factor.to_string(),
            Some(name) if of.factor == 1 => name.clone(),
            Some(name) => format!("{}{name}", of.factor),
        };
        Some(
            lists
                .iter()
                .map(|list| list.iter().map(spell).collect::<Vec<_>>().join(" "))
                .collect(),
        )
    }

    #[test]
    fn tensors_that_are_broadcast_are_named_with_the_one_that_they_match() {
        let says = |tensors: &str, other: &str| {
            let sentence = format!(
                "Any dimension in {tensors} can be set to 1, and be automatically broadcast to match *InputTensor*, but \
                 otherwise must equal the corresponding dimension's size from *{other}*."
            );
            read_broadcast(&sentence).map(|(tensors, to)| (tensors.join(" "), to))
        };
        let expected = |tensors: &str| Some((tensors.to_owned(), "InputTensor".to_owned()));
        assert_eq!(says("*A*, *B*, and *C*", "InputTensor"), expected("A B C"));
        assert_eq!(says("*A* and *B*", "InputTensor"), expected("A B"));
        assert_eq!(says("*A*", "InputTensor"), expected("A"));
        assert_eq!(says("*A*", "OutputTensor"), None);
        assert_eq!(says("either of the two", "InputTensor"), None);
    }

    #[test]
    fn lists_of_dimensions_are_read_whole_or_not_at_all() {
        for (sentence, expected) in [
            (
                "This tensor has sizes `{ 1, heads, 8 * hidden_size }`.",
                Some(vec!["1 heads 8hidden_size"]),
            ),
            ("This tensor's dimensions should be { N, C }.", Some(vec!["N C"])),
            ("Packed into one tensor with the Sizes of { 1, N }.", Some(vec!["1 N"])),
            (
                "The expected dimensions of the ATensor are { 1, 1 } if per tensor quantization is required, or { 1, M } if per row quantization is required.",
                Some(vec!["1 1", "1 M"]),
            ),
            (
                "The allowed dimensions of ATensor are { N }, { 1, N }, or { 1, 1, N }.",
                Some(vec!["N", "1 N", "1 1 N"]),
            ),
            (
                "This tensor's Sizes should be { M, K } if TransA is NONE, or { K, M } if it is not.",
                None,
            ),
            (
                "An input tensor of Sizes { N, C } for 4D, and { N, C, D } for 5D.",
                None,
            ),
            ("The expected dimensions of ATensor are { N, PooledSize.Height }.", None),
            ("For example, a tensor with sizes { 1, 2 } is valid.", None),
            ("The dimensions of the window in { Height, Width }.", None),
            ("An open list: sizes { 1, 2", None),
        ] {
            let expected = expected.map(|lists| lists.iter().map(|&list| list.to_owned()).collect());
            assert_eq!(spelled(sentence), expected, "{sentence}");
        }
    }
}
