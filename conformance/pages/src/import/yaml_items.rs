//! Parts of operator files that an import writes: rows, rules, examples, citations.

use dml_spec::model::{ExampleTensor, ExampleValue, FieldKind};
use dml_spec_yaml::tree::splice::{flow, quote, scalar};

use super::{
    facts,
    page::{At, Page, PageExample, PageField, PageSentence, Property, Row, SharedProperty, Spot},
};

/// Stands in place of a source if an example cannot be used as written.
pub(super) const LEFT_OUT: &str = "left out";

/// `{in: en-2022, anchor: Axis, sentence: 2, sha256: "…"}`.
pub(super) fn format_citation(source: &str, at: &At) -> String {
    let mut text = format!("{{in: {}, anchor: {}", scalar(source), scalar(&at.anchor));
    if at.sentence > 0 {
        text += &format!(", sentence: {}, sha256: {}", at.sentence, quote(&at.sha256));
    }
    text + "}"
}

/// `{dimensions: 1..8, types: [FLOAT32]}`.
pub(super) fn format_row(row: &Row) -> String {
    let counts = row
        .dimensions
        .map_or_else(|| "1..8".to_owned(), facts::format_dimensions);
    let mut text = format!("{{dimensions: {counts}, types: [{}]", row.types.join(", "));
    if let Some(shape) = &row.shape {
        text += &format!(", shape: {}", quote(shape));
    }
    text + "}"
}

/// Stands in place of a clause if a sentence has to be reviewed.
pub(super) const TODO: &str = "todo";

/// A new entry of the ledger: which clause a sentence says again.
pub(super) fn format_ledger_entry(source: &str, sentence: &PageSentence, clause: &str) -> String {
    let place = format_citation(source, &sentence.at);
    format!("{}, clause: {clause}}}", place.trim_end_matches('}'))
}

/// An entry under `superseded`.
pub(super) fn format_superseded(source: &str, fact: &str, value: &str, by: &str) -> String {
    flow([("in", source), ("fact", fact), ("value", value), ("by", by)])
}

/// The rule of a sentence of the kind "A and B must have the same P". Of tensors that may be absent only the present
/// ones count, of arrays each element does.
pub(super) fn write_rule(same: &SharedProperty, fields: &[Spot<PageField>]) -> Option<String> {
    let of = |name: &String| fields.iter().map(|f| &f.value).find(|field| field.name == *name);
    let mut tensors: Vec<&PageField> = same.tensors.iter().filter_map(of).collect();
    if tensors.len() < same.tensors.len() || tensors.len() < 2 {
        return None;
    }
    let is_array = |field: &PageField| matches!(field.kind, FieldKind::Tensors(..));
    let place = |field: &PageField| fields.iter().position(|f| f.value.name == field.name);
    tensors.sort_by_key(|field| (is_array(field), field.optional, place(field)));
    let (first, rest) = tensors.split_first()?;
    let parts: Vec<String> = rest
        .iter()
        .map(|other| write_equality(first, other, same.property.name()))
        .collect();
    match parts.as_slice() {
        [only] => Some(only.clone()),
        all => {
            let closed = |part: &String| match part.contains(" implies ") {
                true => format!("({part})"),
                false => part.clone(),
            };
            Some(all.iter().map(closed).collect::<Vec<_>>().join(" and "))
        }
    }
}

fn write_equality(first: &PageField, other: &PageField, property: &str) -> String {
    let side = |field: &PageField, index: &str| match field.kind {
        FieldKind::Tensors(..) => format!("{}[{index}].{property}", field.name),
        _ => format!("{}.{property}", field.name),
    };
    let mut text = format!("{} == {}", side(first, "0"), side(other, "i"));
    if let FieldKind::Tensors(_, count) = &other.kind {
        text = format!("all(i in 0..{count}: {text})");
    }
    let absent: Vec<String> = [first, other]
        .into_iter()
        .filter(|field| field.optional)
        .map(|field| format!("present({})", field.name))
        .collect();
    match absent.is_empty() {
        true => text,
        false => format!("{} implies {text}", absent.join(" and ")),
    }
}

/// A constraint that an import adds.
#[derive(Clone, Debug)]
pub(super) struct Constraint<'a> {
    /// Its id, without the operator's name.
    pub(super) id: String,
    /// What it asks, in words.
    pub(super) says: String,
    /// The rule.
    pub(super) rule: String,
    /// The constraint without which the rule has no meaning.
    pub(super) needs: Option<String>,
    /// Where the page says it.
    pub(super) at: &'a At,
}

impl Constraint<'_> {
    /// The lines of an item of `clauses`, the first without its dash.
    pub(super) fn lines(&self, source: &str) -> Vec<String> {
        let needs_quotes = self.rule.contains([':', '"']);
        let rule = if needs_quotes {
            quote(&self.rule)
        } else {
            self.rule.clone()
        };
        let needs = self.needs.as_ref().map(|needs| format!("needs: [{needs}]"));
        let head = [
            format!("id: {}", self.id),
            "kind: constraint".to_owned(),
            format!("says: {}", scalar(&self.says)),
        ];
        let tail = [
            format!("rule: {rule}"),
            format!("source: {}", format_citation(source, self.at)),
        ];
        head.into_iter().chain(needs).chain(tail).collect()
    }
}

/// The sentence that tensors have a property in common, as a constraint.
pub(super) fn same_property<'a>(id: &str, same: &SharedProperty, rule: String, at: &'a At) -> Constraint<'a> {
    let tensors = join_names(&same.tensors);
    Constraint {
        id: id.to_owned(),
        says: format!("{tensors} have the same {}.", same.property.name()),
        rule,
        needs: None,
        at,
    }
}

/// `AScaleTensor` as `a-scale`, `HasExclusiveSum` as `has-exclusive-sum`.
pub(super) fn kebab(name: &str) -> String {
    let name = name
        .strip_suffix("Tensor")
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name);
    let mut text = String::new();
    let mut before = ' ';
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let starts_word = rest.peek().is_some_and(char::is_ascii_lowercase) || before.is_ascii_lowercase();
        if c.is_ascii_uppercase() && starts_word && before != ' ' {
            text.push('-');
        }
        text.push(c.to_ascii_lowercase());
        before = c;
    }
    text
}

/// `A, B and C`.
fn join_names(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// An id for such a clause that is not taken.
pub(super) fn choose_clause_id(same: &SharedProperty, taken: &[String]) -> String {
    let name = match same.property {
        Property::DataType => "same-data-type",
        Property::DimensionCount => "same-dimension-count",
        Property::Sizes => "same-sizes",
    };
    choose_free_name(name, taken)
}

/// The name, or the first of `name-2`, `name-3` … that is not taken.
pub(super) fn choose_free_name(name: &str, taken: &[String]) -> String {
    let is_free = |candidate: &String| !taken.contains(candidate);
    let mut candidates = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}-{n}")));
    candidates.find(is_free).unwrap_or_default()
}

/// A worked example: the lines of an item of `examples`, the first without its dash. Every field in struct order.
pub(super) fn format_example(name: &str, example: &PageExample, page: &Page, source: &str, at: &At) -> Vec<String> {
    let place = At {
        sentence: 0,
        ..at.clone()
    };
    let mut lines = vec![
        format!("name: {name}"),
        format!("source: {}", format_citation(source, &place)),
    ];
    for field in &page.fields {
        let name = &field.value.name;
        if let Some((_, value)) = example.values.iter().find(|(n, _)| n == name) {
            lines.push(format!("{name}: {}", format_example_value(value, &field.value.kind)));
        }
    }
    lines
}

/// A value of an example as YAML.
pub(super) fn format_example_value(value: &ExampleValue, kind: &FieldKind) -> String {
    match value {
        ExampleValue::Tensor(tensor) => format_example_tensor(tensor),
        ExampleValue::Tensors(list) => {
            let all: Vec<String> = list.iter().map(format_example_tensor).collect();
            format!("[{}]", all.join(", "))
        }
        ExampleValue::Attribute(text) => match kind {
            FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Floats(_) | FieldKind::ScaleBias => {
                format!("[{}]", text.split_whitespace().collect::<Vec<_>>().join(", "))
            }
            _ => text.to_string(),
        },
    }
}

/// `{sizes: [1, 4], type: FLOAT32, data: [0, .inf]}`.
fn format_example_tensor(tensor: &ExampleTensor) -> String {
    let sizes: Vec<String> = tensor.sizes.iter().map(ToString::to_string).collect();
    let number = |text: &str| match text {
        "inf" | "+inf" => ".inf".to_owned(),
        "-inf" => "-.inf".to_owned(),
        "nan" | "NaN" => ".nan".to_owned(),
        other => other.to_owned(),
    };
    let data: Vec<String> = tensor.data.split(' ').filter(|t| !t.is_empty()).map(number).collect();
    format!(
        "{{sizes: [{}], type: {}, data: [{}]}}",
        sizes.join(", "),
        tensor.data_type,
        data.join(", ")
    )
}

/// A name for an example: the part of its heading's slug after the number, else its number.
pub(super) fn choose_example_name(anchor: &str, number: usize, taken: &[String]) -> String {
    let behind = anchor.strip_prefix("example-").unwrap_or_default();
    let words = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let good = !words.is_empty() && words.chars().all(plain) && !words.ends_with('-');
    match good {
        true => choose_free_name(words, taken),
        false => choose_free_name(&format!("example-{number}"), taken),
    }
}
