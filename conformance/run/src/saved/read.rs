//! JSON to saved cases.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Operator, Role},
};
use serde::Deserialize;
use serde_json::Value as Json;

use super::{
    FORMAT, Found, From, Saved, VERSION, What,
    write::{expected, mode_word},
};
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    json::{self, Tree},
    nearest::{excerpt, harmless, suggestion},
    suite::require_level,
    tensor::{Shape, named_tensors},
};
use dml_plan::{by_content, planner::Planner};

/// Why a text is no saved case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

impl ReadError {
    /// The file may come from anywhere, and so may what is quoted of it.
    fn new(why: impl AsRef<str>) -> Self {
        Self(harmless(why.as_ref()))
    }
}

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    operator: Option<String>,
    feature_level: Option<String>,
    mode: Option<String>,
    desc: Option<Tree>,
    #[serde(default)]
    inputs: BTreeMap<String, Input>,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    order: Option<Vec<String>>,
    #[serde(rename = "expected")]
    _expected: Option<Tree>,
    #[serde(default)]
    from: From,
    found: Option<Found>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    data: Option<Vec<Tree>>,
    base64: Option<String>,
}

/// What tells whether it is a saved case at all.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
}

/// Reads the text of a file; the verdict of the case is that of this specification.
///
/// # Errors
/// What is not as it should be.
pub fn read(suite: &Planner, bytes: &[u8]) -> Result<Saved, ReadError> {
    let root = Tree::parse(bytes).map_err(|e| ReadError::new(format!("no saved case: {e}")))?;
    let marked = format!("`\"format\": \"{FORMAT}\"`");
    if !matches!(root, Tree::Object(_)) {
        let found = excerpt(&root.kind());
        return Err(ReadError(format!(
            "no saved case: expected an object with {marked}, found {found}"
        )));
    }
    let head: Head = serde_json::from_slice(bytes).map_err(|e| ReadError::new(format!("no saved case: {e}")))?;
    match (head.format.as_deref(), head.version) {
        (Some(FORMAT), Some(VERSION)) => {}
        (Some(FORMAT), version) => {
            let found = version.map_or_else(|| "none".to_owned(), |v| v.to_string());
            return Err(ReadError(format!("`version`: expected {VERSION}, found {found}")));
        }
        _ => return Err(ReadError(format!("no saved case: expected {marked}"))),
    }
    let file: File = serde_json::from_slice(bytes).map_err(|e| ReadError::new(e.to_string()))?;
    let what = what(suite, &file).map_err(ReadError::new)?;
    Ok(Saved {
        what,
        from: file.from,
        found: file.found,
    })
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

fn what(suite: &Planner, file: &File) -> Result<What, String> {
    debug_assert!(file.format == FORMAT && file.version == VERSION);
    if let Some(ids) = &file.order {
        if file.desc.is_some() {
            return Err("`order` and `desc`: a file holds one of them".to_owned());
        }
        let ids = ids
            .iter()
            .map(|id| id.parse::<CaseId>().map_err(|e| format!("`order`: {e}")));
        let ids: Vec<CaseId> = ids.collect::<Result<_, _>>()?;
        for id in &ids {
            let known = require_level(&suite.catalog, id.level());
            known.map_err(|why| format!("`order`: {id}: {why}"))?;
            dml_plan::build(suite, id).map_err(|e| format!("`order`: {e}"))?;
        }
        return if ids.is_empty() {
            Err("`order`: no id in this file".to_owned())
        } else {
            Ok(What::Order(ids))
        };
    }
    let missing = |key: &str| format!("`{key}` is missing");
    let name = file.operator.as_deref().ok_or_else(|| missing("operator"))?;
    let (operator, _) = suite.operator(name).ok_or_else(|| {
        let names = suite.catalog.operators.iter().map(|o| o.name.as_ref());
        format!(
            "`operator`: there is no `{}`; {}",
            excerpt(name),
            suggestion(name, names)
        )
    })?;
    let level = file.feature_level.as_deref().ok_or_else(|| missing("feature_level"))?;
    let level: FeatureLevel = level.parse().map_err(|e| format!("`feature_level`: {e}"))?;
    require_level(&suite.catalog, level).map_err(|why| format!("`feature_level`: {why}"))?;
    if operator.table_at(level).is_none() {
        return Err(format!("`feature_level`: {name} has no table at {level}"));
    }
    let mode = match file.mode.as_deref() {
        Some(word) if word == mode_word(Mode::Create) => Mode::Create,
        Some(word) if word == mode_word(Mode::Execute) => Mode::Execute,
        Some(other) => {
            return Err(format!(
                "`mode`: expected create or execute, found `{}`",
                excerpt(other)
            ));
        }
        None => Mode::Execute,
    };
    let desc = file.desc.as_ref().ok_or_else(|| missing("desc"))?;
    let descriptor = json::read_desc(&suite.catalog, operator, desc).map_err(|e| e.to_string())?;
    let inputs = match mode {
        Mode::Create => Vec::new(),
        Mode::Execute => inputs(suite, operator, &descriptor, &file.inputs)?,
    };
    let aliases: Vec<(String, String)> = file.aliases.clone().into_iter().collect();
    if mode == Mode::Create && !aliases.is_empty() {
        return Err("`aliases`: nothing runs, so nothing lies in place".to_owned());
    }
    let case =
        by_content::build_from_parts(suite, level, mode, descriptor, inputs, &aliases).map_err(|e| e.to_string())?;
    Ok(What::Case(Box::new(case)))
}

/// The buffers of the inputs, in struct order.
fn inputs(
    suite: &Planner,
    operator: &Operator,
    descriptor: &Descriptor,
    found: &BTreeMap<String, Input>,
) -> Result<Vec<Vec<u8>>, String> {
    by_content::require_small_tensors(suite, operator, descriptor).map_err(|why| format!("`desc`: {why}"))?;
    let tensors = named_tensors(operator, descriptor, Role::Input);
    if let Some(unknown) = found.keys().find(|key| tensors.iter().all(|(name, _)| name != *key)) {
        return Err(format!("`inputs`: the descriptor has no input `{}`", excerpt(unknown)));
    }
    let buffers = tensors.iter().map(|(name, tensor)| {
        let input = found.get(name).ok_or_else(|| format!("`inputs.{name}` is missing"))?;
        // A descriptor that makes no sense is to be refused, whatever the data is.
        let Some(shape) = Shape::of(&suite.catalog, tensor) else {
            return Ok(Vec::new());
        };
        buffer(&shape, input).map_err(|why| format!("`inputs.{name}`: {why}"))
    });
    buffers.collect()
}

fn buffer(shape: &Shape, input: &Input) -> Result<Vec<u8>, String> {
    let elements = |data: &[Tree]| -> Result<Vec<u64>, String> {
        if data.len() as u64 != shape.elements() {
            return Err(format!(
                "`data` has {} elements, expected {}",
                data.len(),
                shape.elements()
            ));
        }
        let read = |(at, tree)| json::read_element(&shape.ty, tree).map_err(|why| format!("`data[{at}]`: {why}"));
        data.iter().enumerate().map(read).collect()
    };
    let data = input.data.as_deref().map(elements).transpose()?;
    let Some(text) = &input.base64 else {
        let data = data.ok_or("neither `data` nor `base64` is there")?;
        let length = usize::try_from(shape.total_bytes).map_err(|e| e.to_string())?;
        let mut bytes = vec![0; length];
        shape.write(&mut bytes, data);
        return Ok(bytes);
    };
    let bytes = STANDARD.decode(text).map_err(|e| format!("`base64`: {e}"))?;
    if bytes.len() as u64 != shape.total_bytes {
        return Err(format!(
            "`base64` holds {} bytes, expected {}",
            bytes.len(),
            shape.total_bytes
        ));
    }
    match data {
        Some(data) if data != shape.read(&bytes) => {
            Err("`data` and `base64` differ; leave out the one that is not meant".to_owned())
        }
        _ => Ok(bytes),
    }
}
