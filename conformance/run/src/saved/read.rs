//! JSON to saved cases.

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_spec::{
    Descriptor,
    model::{Operator, Role},
};
use serde_json::Value as Json;

use super::{FORMAT, Saved, VERSION, What, write::expected};
use crate::json::{self, JsonError, Node, Read};
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    nearest::excerpt,
    suite::require_level,
    tensor::{Shape, named_tensors},
};
use dml_plan::{by_content, planner::Planner};

/// Reads the text of a file; the verdict of the case is that of this specification.
///
/// # Errors
/// What is not as it should be.
pub fn read(suite: &Planner, bytes: &[u8]) -> Read<Saved> {
    let value = json::parse(bytes).map_err(|e| JsonError {
        path: "no saved case".to_owned(),
        ..e
    })?;
    require_format(&value)?;
    let root = Node::root(&value, "");
    Ok(Saved {
        what: match root.optional("order", |ids| read_order(suite, &root, ids))? {
            Some(ids) => What::Order(ids),
            None => What::Case(Box::new(read_case(suite, &root)?)),
        },
        from: root.optional("from", |node| node.parsed())?.unwrap_or_default(),
        found: root.optional("found", |node| node.parsed())?,
    })
}

/// Fails unless it is an object with the mark and the keys of a saved case.
pub(crate) fn require_format(value: &Json) -> Read<()> {
    let root = Node::root(value, "no saved case");
    let marked = format!("`\"format\": \"{FORMAT}\"`");
    if !value.is_object() {
        return root.expected(&format!("an object with {marked}"));
    }
    if value.get("format").and_then(Json::as_str) != Some(FORMAT) {
        return Err(root.error(format!("expected {marked}")));
    }
    let root = Node::root(value, "");
    if value.get("version") != Some(&VERSION.into()) {
        let found = value.get("version").map_or_else(|| "none".to_owned(), Json::to_string);
        return Err(root.error(format!("`version`: expected {VERSION}, found {}", excerpt(&found))));
    }
    root.require_keys(&[
        "format",
        "version",
        "operator",
        "feature_level",
        "mode",
        "desc",
        "inputs",
        "aliases",
        "order",
        "expected",
        "from",
        "found",
    ])
}

/// Where the `expected` of a file differs from what the specification expects of its case; nothing is expected of a
/// file without it.
pub fn differing(suite: &Planner, bytes: &[u8], case: &Case) -> Vec<String> {
    let file: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
    let Some(Json::Object(written)) = file.and_then(|mut file| Some(file.get_mut("expected")?.take())) else {
        return Vec::new();
    };
    // As it is read again: numbers have one form in files and may have another in memory.
    let computed = serde_json::from_str(&expected(suite, case).to_string()).unwrap_or(Json::Null);
    let mut found = Vec::new();
    for (key, value) in &written {
        let computed = computed.get(key);
        match (key.as_str(), value, computed) {
            ("outputs", Json::Object(outputs), Some(Json::Object(computed))) => {
                let differ = outputs.iter().filter(|(name, data)| computed.get(*name) != Some(data));
                found.extend(differ.map(|(name, _)| format!("expected.outputs.{}", excerpt(name))));
            }
            (_, value, computed) if computed != Some(value) => found.push(format!("expected.{}", excerpt(key))),
            _ => {}
        }
    }
    found
}

fn read_order(suite: &Planner, root: &Node<'_>, ids: &Node<'_>) -> Read<Vec<CaseId>> {
    if root.get("desc").is_some_and(|desc| !desc.is_null()) {
        return Err(root.error("`order` and `desc`: a file holds one of them"));
    }
    let found = ids.items(|node| {
        let id: CaseId = node.text()?.parse().map_err(|e| node.error(format!("{e}")))?;
        let known = require_level(&suite.catalog, id.level());
        known.map_err(|why| node.error(format!("{id}: {why}")))?;
        dml_plan::build(suite, &id).map_err(|e| node.error(e.to_string()))?;
        Ok(id)
    })?;
    match found.is_empty() {
        true => Err(ids.error("no id in this file")),
        false => Ok(found),
    }
}

fn read_case(suite: &Planner, root: &Node<'_>) -> Read<Case> {
    let (operator, level, descriptor) = json::read_subject(&suite.catalog, root)?;
    let table = match require_level(&suite.catalog, level) {
        Ok(()) if operator.table_at(level).is_none() => Err(format!("{} has no table at {level}", operator.name)),
        known => known,
    };
    table.map_err(|message| JsonError {
        path: "feature_level".to_owned(),
        place: None,
        message,
    })?;
    let mode = root.optional("mode", |node| match node.text()? {
        "create" => Ok(Mode::Create),
        "execute" => Ok(Mode::Execute),
        _ => node.expected("create or execute"),
    })?;
    let mode = mode.unwrap_or(Mode::Execute);
    let inputs = match mode {
        Mode::Create => Vec::new(),
        Mode::Execute => read_inputs(suite, operator, &descriptor, root)?,
    };
    let alias = |output: &str, input: &Node<'_>| Ok((output.to_owned(), input.text()?.to_owned()));
    let aliases = root
        .optional("aliases", |node| node.entries(alias))?
        .unwrap_or_default();
    if mode == Mode::Create && !aliases.is_empty() {
        return Err(root.error("`aliases`: nothing runs, so nothing lies in place"));
    }
    by_content::build_from_parts(suite, level, mode, descriptor, inputs, &aliases)
        .map_err(|e| root.error(e.to_string()))
}

/// The buffers of the inputs, in struct order.
pub(crate) fn read_inputs(
    suite: &Planner,
    operator: &Operator,
    descriptor: &Descriptor,
    root: &Node<'_>,
) -> Read<Vec<Vec<u8>>> {
    let small = by_content::require_small_tensors(suite, operator, descriptor);
    small.map_err(|why| root.get("desc").as_ref().unwrap_or(root).error(why))?;
    let tensors = named_tensors(operator, descriptor, Role::Input);
    if tensors.is_empty() && root.get("inputs").is_none() {
        return Ok(Vec::new());
    }
    let inputs = root.require("inputs")?;
    let names: Vec<&str> = tensors.iter().map(|(name, _)| name.as_str()).collect();
    inputs.require_keys(&names)?;
    let buffers = tensors.iter().map(|(name, tensor)| {
        let input = inputs.require(name)?;
        input.require_keys(&["data", "base64"])?;
        // A descriptor that makes no sense is to be refused, whatever the data is.
        match Shape::of(&suite.catalog, tensor) {
            Some(shape) => read_buffer(&shape, &input),
            None => Ok(Vec::new()),
        }
    });
    buffers.collect()
}

fn read_buffer(shape: &Shape, input: &Node<'_>) -> Read<Vec<u8>> {
    let data = input.optional("data", |data| match data.value.as_array().map(Vec::len) {
        Some(found) if found as u64 != shape.elements() => {
            Err(data.error(format!("{found} elements, expected {}", shape.elements())))
        }
        _ => data.items(|node| json::read_element(&shape.ty, node)),
    })?;
    let bytes = input.optional("base64", |node| {
        let bytes = STANDARD.decode(node.text()?);
        let bytes = bytes.map_err(|e| node.error(format!("not base64: {e}")))?;
        match bytes.len() as u64 == shape.total_bytes {
            true => Ok(bytes),
            false => Err(node.error(format!("{} bytes, expected {}", bytes.len(), shape.total_bytes))),
        }
    })?;
    match (data, bytes) {
        (None, None) => Err(input.error("neither `data` nor `base64` is there")),
        (Some(data), Some(bytes)) if data != shape.read(&bytes) => {
            Err(input.error("`data` and `base64` differ; leave out the one that is not meant"))
        }
        (_, Some(bytes)) => Ok(bytes),
        (Some(data), None) => {
            let length = usize::try_from(shape.total_bytes).map_err(|e| input.error(e.to_string()))?;
            let mut bytes = vec![0; length];
            shape.write(&mut bytes, data);
            Ok(bytes)
        }
    }
}
