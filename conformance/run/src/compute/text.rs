//! Expected outputs as JSON, as `conformance/expected.schema.json` describes it.

use dml_case::{
    number::{decode, encode_float},
    outcome::Basis,
};
use dml_oracle::{Element, Interval};
use dml_spec::{FeatureLevel, model::DataType};
use serde_json::json;

use super::{Clauses, ComputeError, Computer, Output, Question};
use crate::json::write_element;

/// Marks the format.
const FORMAT: &str = "dml-cts-expected";

/// Version of the format.
const VERSION: u32 = 1;

/// What is expected of a descriptor and its inputs, one line an output.
///
/// # Errors
/// If the meaning has no value for the descriptor.
pub fn text(computer: &Computer<'_>, question: &Question, level: FeatureLevel) -> Result<String, ComputeError> {
    let name = &question.descriptor.operator;
    let (_, clauses) = computer.operator(name)?;
    let basis = match computer.basis {
        Basis::Text => "text",
        Basis::Runtime => "runtime",
    };
    let mut head = vec![
        ("format", json!(FORMAT)),
        ("version", json!(VERSION)),
        ("operator", json!(name)),
        ("feature_level", json!(level.to_string())),
        ("basis", json!(basis)),
    ];
    if computer.half_precision {
        head.push(("half_precision", json!(true)));
    }
    let mut text = "{\n".to_owned();
    for (key, value) in head {
        text.push_str(&format!("  \"{key}\": {value},\n"));
    }
    text.push_str("  \"outputs\": {");
    let mut before: Option<String> = None;
    computer.compute(question, &mut |output, elements| {
        let is_new = before.as_ref() != Some(&output.name);
        if is_new {
            text.push_str(if before.is_some() { "]},\n    " } else { "\n    " });
            text.push_str(&start(output));
            before = Some(output.name.clone());
        }
        for (at, element) in elements.iter().enumerate() {
            let comma = if is_new && at == 0 { "" } else { ", " };
            text.push_str(comma);
            text.push_str(&element_text(&output.shape.ty, element, &clauses));
        }
    })?;
    text.push_str(if before.is_some() { "]}\n  }\n}\n" } else { "}\n}\n" });
    Ok(text)
}

/// The line of an output up to its first element.
fn start(output: &Output) -> String {
    let (name, ty, sizes) = (
        json!(output.name),
        json!(output.shape.ty.name),
        json!(&output.shape.sizes[..]),
    );
    format!("{name}: {{\"DataType\": {ty}, \"Sizes\": {sizes}, \"data\": [")
}

/// An element as the format has it: a number alone if it is exact, else an object.
pub fn element_text(ty: &DataType, element: &Element, clauses: &Clauses<'_>) -> String {
    let value = |bits: u64| write_element(ty, bits);
    match element {
        Element::Exact(bits) => value(*bits).to_string(),
        Element::Interval(interval) => within(ty, interval),
        Element::Among(all) => {
            let all: Vec<String> = all.iter().map(|one| element_text(ty, one, clauses)).collect();
            let first = value(element.reference());
            format!("{{\"value\": {first}, \"among\": [{}]}}", all.join(", "))
        }
        Element::Open(clause) => format!("{{\"open\": {}}}", json!(clauses.id(*clause))),
    }
}

fn within(ty: &DataType, interval: &Interval) -> String {
    let end = |x: f64| match x.is_finite() {
        true => json!(x),
        false => write_element(ty, encode_float(ty, x)),
    };
    let mut text = format!("{{\"value\": {}", write_element(ty, interval.reference));
    if !interval.lo.is_nan() && !interval.hi.is_nan() {
        text.push_str(&format!(", \"lo\": {}, \"hi\": {}", end(interval.lo), end(interval.hi)));
    }
    if interval.nan || decode(ty, interval.reference).is_nan() {
        text.push_str(", \"nan\": true");
    }
    let signs = [(interval.infinity, '+'), (interval.negative_infinity, '-')];
    let signs: String = signs
        .into_iter()
        .filter_map(|(may_be, sign)| may_be.then_some(sign))
        .collect();
    if !signs.is_empty() {
        text.push_str(&format!(", \"inf\": \"{signs}\""));
    }
    text + "}"
}
