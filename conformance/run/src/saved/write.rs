//! Saved cases to JSON.

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_spec::{TensorDesc, model::Role};
use serde_json::{Map, Value as Json, json};

use super::{FORMAT, Saved, VERSION, What};
use crate::json::{self, NotExpressible};
use dml_case::{
    case::{Case, Mode, Verdict},
    tensor::{Shape, named_tensors},
};
use dml_plan::planner::Planner;

/// Tensors of more elements than this are not spelled out.
const READABLE: u64 = 1024;

/// The text of a file.
///
/// # Errors
/// If the case has no form in JSON.
pub fn write(suite: &Planner, saved: &Saved) -> Result<String, NotExpressible> {
    let mut entries = vec![("format", json!(FORMAT)), ("version", json!(VERSION))];
    match &saved.what {
        What::Case(case) => entries.extend(of_case(suite, case)?),
        What::Order(ids) => {
            let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
            entries.push(("order", json!(ids)));
        }
    }
    entries.push(("from", json!(saved.from)));
    if let Some(found) = &saved.found {
        entries.push(("found", json!(found)));
    }
    Ok(json::pretty(&entries))
}

fn of_case(suite: &Planner, case: &Case) -> Result<Vec<(&'static str, Json)>, NotExpressible> {
    let operator = json::require_operator(&suite.catalog, &case.descriptor)?;
    let desc = json::write_desc_exact(&suite.catalog, &case.descriptor)?;
    let mut entries = vec![
        ("operator", json!(operator.name)),
        ("feature_level", json!(case.id.level().to_string())),
        ("mode", json!(mode_word(case.mode))),
        ("desc", desc),
    ];
    if case.mode == Mode::Execute {
        let tensors = named_tensors(operator, &case.descriptor, Role::Input);
        let inputs = tensors.into_iter().zip(&case.inputs);
        let inputs = inputs.map(|((name, tensor), bytes)| (name, input(suite, tensor, bytes)));
        entries.push(("inputs", Json::Object(inputs.collect())));
        let aliases: Map<String, Json> = dml_plan::aliases::name_aliases(operator, &case.descriptor, &case.aliases)
            .into_iter()
            .map(|(output, input)| (output, json!(input)))
            .collect();
        if !aliases.is_empty() {
            entries.push(("aliases", Json::Object(aliases)));
        }
    }
    entries.push(("expected", expected(suite, case)));
    Ok(entries)
}

/// What the specification expects of a case.
pub(super) fn expected(suite: &Planner, case: &Case) -> Json {
    let mut expected = json!({"verdict": case.verdict.word()});
    if !case.verdict.clauses().is_empty() {
        expected["clauses"] = json!(case.verdict.clauses());
    }
    let operator = suite.operator(case.id.operator());
    if let (Some((operator, _)), Mode::Execute, Verdict::Valid | Verdict::Observed { .. }) =
        (operator, case.mode, &case.verdict)
    {
        let outputs = dml_judge::expected_outputs(suite, case).unwrap_or_default();
        let tensors = named_tensors(operator, &case.descriptor, Role::Output);
        let outputs = tensors.into_iter().zip(outputs);
        let outputs: Map<String, Json> = outputs
            .filter_map(|((name, tensor), elements)| Some((name, spelled(suite, tensor, &elements)?)))
            .collect();
        if !outputs.is_empty() {
            expected["outputs"] = Json::Object(outputs);
        }
    }
    expected
}

fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Create => "create",
        Mode::Execute => "execute",
    }
}

/// The elements, and the buffer itself if they are not all of it.
fn input(suite: &Planner, tensor: &TensorDesc, bytes: &[u8]) -> Json {
    let shape = Shape::of(&suite.catalog, tensor);
    let data = shape
        .as_ref()
        .and_then(|shape| spelled(suite, tensor, &shape.read(bytes)));
    let is_all = data.is_some() && shape.is_some_and(|shape| is_plain(tensor, &shape));
    let mut object = Map::new();
    object.extend(data.map(|data| ("data".to_owned(), data)));
    if !is_all {
        object.insert("base64".to_owned(), json!(STANDARD.encode(bytes)));
    }
    Json::Object(object)
}

/// Whether the elements, one after the other, are the whole buffer.
pub(crate) fn is_plain(tensor: &TensorDesc, shape: &Shape) -> bool {
    tensor.strides.is_none() && shape.elements() * shape.width() as u64 == shape.total_bytes
}

/// The elements one by one, if there are few.
fn spelled(suite: &Planner, tensor: &TensorDesc, elements: &[u64]) -> Option<Json> {
    let ty = suite.catalog.data_type(tensor.data_type)?;
    let few = elements.len() as u64 <= READABLE;
    few.then(|| json::write_elements(ty, elements))
}
