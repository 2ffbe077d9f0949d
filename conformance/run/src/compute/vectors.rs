//! Test vectors: descriptors, inputs and the outputs that somebody else computed.
//!
//! A file holds a saved case with `expected.outputs`, or vectors of one operator, as JSON or YAML:
//!
//! ```text
//! {"operator": "TOP_K1", "judge": "who computed the outputs", "cases": [{
//!   "name": "largest-two",
//!   "fields": {"Axis": 3, "K": 2, "AxisDirection": "DML_AXIS_DIRECTION_DECREASING"},
//!   "inputs": {"InputTensor": {"type": "FLOAT32", "sizes": [1, 1, 1, 3], "values": [1, 3, 2]}},
//!   "outputs": {"OutputValueTensor": {…}, "OutputIndexTensor": {…, "undefined": [0]}}}]}
//! ```
//!
//! `undefined` lists elements that nothing defines, by their numbers in row-major order. An array of tensors is a list.
//! An output without `values` is not compared. `{"name": …, "not_expressible": "why"}` is a vector that no descriptor of the
//! operator expresses.

use dml_case::tensor::{Shape, named_tensors};
use dml_plan::{by_content::require_small_tensors, planner::Planner};
use dml_spec::{
    Catalog, Descriptor, FeatureLevel, TensorDesc,
    model::{DataType, Operator, Role},
};
use serde_json::Value as Json;

use super::{
    ComputeError, Question, placed, question,
    vector_fields::{attributes, element_bits, of_yaml, tensor_desc},
};
use crate::json::{self, Node, Read};

/// One vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The operator.
    pub operator: String,
    /// Its name within its file; empty if it is alone there.
    pub name: String,
    /// What it asks and answers, or why the specification cannot express it.
    pub subject: Result<Subject, String>,
}

/// What a vector asks and answers.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The level that the descriptor is judged by.
    pub level: FeatureLevel,
    /// What it asks.
    pub question: Question,
    /// The outputs, in struct order; `None` for one that it does not tell.
    pub outputs: Vec<Option<Answer>>,
}

/// An output of a vector.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Elements in row-major order.
    pub elements: Vec<u64>,
    /// Those that nothing defines, by their numbers, in ascending order.
    pub undefined: Vec<u64>,
}

impl Answer {
    /// Whether it states an element.
    fn says_something(&self) -> bool {
        (self.undefined.len() as u64) < self.elements.len() as u64
    }
}

/// Reads the vectors of a file: of a YAML file or of JSON.
///
/// # Errors
/// The first mistake, with its place.
pub fn read_vectors(suite: &Planner, bytes: &[u8], is_yaml: bool) -> Result<Vec<Vector>, ComputeError> {
    let value = if is_yaml { of_yaml(bytes)? } else { json::parse(bytes)? };
    if value.get("format").is_some() {
        return Ok(vec![saved_case(suite, bytes, &value)?]);
    }
    let root = Node::root(&value, "");
    Node::root(&value, "(top)").require_keys(&["operator", "judge", "cases"])?;
    let operator = json::read_operator(&suite.catalog, &root.require("operator")?)?;
    root.optional("judge", |node| node.text().map(str::to_owned))?;
    let cases = root.require("cases")?.items(|node| {
        let why_not = node.optional("not_expressible", |why| why.text().map(str::to_owned))?;
        let keys: &[&str] = match why_not {
            Some(_) => &["name", "not_expressible"],
            None => &["name", "fields", "inputs", "outputs"],
        };
        node.require_keys(keys)?;
        Ok(Vector {
            operator: operator.name.to_string(),
            name: node.require("name")?.text()?.to_owned(),
            subject: match why_not {
                Some(why) => Err(why),
                None => Ok(subject(suite, operator, node)?),
            },
        })
    })?;
    Ok(cases)
}

/// A saved case with the outputs that are expected of it.
fn saved_case(suite: &Planner, bytes: &[u8], value: &Json) -> Result<Vector, ComputeError> {
    let given = question::read(suite, bytes)?;
    let vector = |subject| Vector {
        operator: given.operator.name.to_string(),
        name: String::new(),
        subject,
    };
    let root = Node::root(value, "");
    let expected = root.get("expected");
    let outputs = expected.as_ref().and_then(|expected| expected.get("outputs"));
    let Some(outputs) = outputs.filter(|outputs| !outputs.is_null()) else {
        return Ok(vector(Err("no outputs are expected of the case".to_owned())));
    };
    let level = given.level.unwrap_or(highest(&suite.catalog));
    let tensors = named_tensors(given.operator, &given.descriptor, Role::Output);
    let names: Vec<&str> = tensors.iter().map(|(name, _)| name.as_str()).collect();
    outputs.require_keys(&names)?;
    let answer = |(name, tensor): &(String, &TensorDesc)| {
        outputs.optional(name, |node| {
            let shape = Shape::of(&suite.catalog, tensor);
            let shape = shape.ok_or_else(|| node.error(Shape::why_none(&suite.catalog, tensor)))?;
            let elements = elements(&shape.ty, shape.elements(), node)?;
            Ok(Answer {
                elements,
                undefined: Vec::new(),
            })
        })
    };
    let answers = tensors.iter().map(answer).collect::<Read<Vec<_>>>()?;
    if !answers.iter().flatten().any(Answer::says_something) {
        return Err(outputs
            .error("no output states a value: there is nothing to compare")
            .into());
    }
    Ok(vector(Ok(Subject {
        level,
        question: Question {
            inputs: given.inputs(suite)?,
            descriptor: given.descriptor.clone(),
        },
        outputs: answers,
    })))
}

fn highest(catalog: &Catalog) -> FeatureLevel {
    let levels = catalog.levels.iter().map(|level| level.level);
    levels.max().unwrap_or(FeatureLevel(0))
}

/// A vector of a known operator.
fn subject(suite: &Planner, operator: &Operator, node: &Node<'_>) -> Read<Subject> {
    let catalog = &suite.catalog;
    let (inputs, outputs) = (node.require("inputs")?, node.require("outputs")?);
    let mut desc = attributes(catalog, operator, &node.require("fields")?)?;
    for (role, tensors) in [(Role::Input, &inputs), (Role::Output, &outputs)] {
        let fields = operator.fields.iter().filter(|field| field.kind.role() == Some(role));
        tensors.require_keys(&fields.map(|field| field.name.as_ref()).collect::<Vec<_>>())?;
        desc.extend(tensors.entries(|key, tensor| Ok((key.to_owned(), tensor_desc(tensor)?)))?);
    }
    let desc = Json::Object(desc);
    let read = json::read_counted(catalog, operator, &Node::root(&desc, ""));
    let descriptor = read.map_err(|error| node.error(error.to_string()))?;
    require_small_tensors(suite, operator, &descriptor).map_err(|why| node.error(why))?;
    let answers = |role, tensors| answers(catalog, operator, &descriptor, role, tensors);
    let inputs = answers(Role::Input, &inputs)?;
    let told = outputs;
    let outputs = answers(Role::Output, &told)?;
    if !outputs.iter().flatten().any(Answer::says_something) {
        return Err(told.error("no output states a value: there is nothing to compare; give `values`"));
    }
    let inputs: Option<Vec<_>> = inputs.into_iter().map(|told| Some(told?.elements)).collect();
    let inputs = inputs.ok_or_else(|| node.error("an input without values"))?;
    Ok(Subject {
        level: highest(catalog),
        outputs,
        question: Question { descriptor, inputs },
    })
}

/// The elements of the tensors of one role, in struct order; `None` for a tensor without values.
fn answers(
    catalog: &Catalog,
    operator: &Operator,
    descriptor: &Descriptor,
    role: Role,
    tensors: &Node<'_>,
) -> Read<Vec<Option<Answer>>> {
    let mut found = Vec::new();
    let fields = operator.fields.iter().enumerate();
    for (at, field) in fields.filter(|(_, field)| field.kind.role() == Some(role)) {
        let descs = placed(operator, descriptor, role)
            .into_iter()
            .filter(|(of, ..)| *of == at);
        let Some(node) = tensors.get(&field.name).filter(|node| !node.is_null()) else {
            continue;
        };
        let mut descs = descs.map(|(_, _, desc)| desc);
        let mut next = |node: &Node<'_>| {
            let Some(desc) = descs.next() else {
                return Err(node.error("there is no such tensor in the descriptor"));
            };
            let shape = Shape::of(catalog, desc);
            answer(&shape.ok_or_else(|| node.error(Shape::why_none(catalog, desc)))?, node)
        };
        match node.value.is_array() {
            true => found.extend(node.items(next)?),
            false => found.push(next(&node)?),
        }
    }
    Ok(found)
}

fn answer(shape: &Shape, node: &Node<'_>) -> Read<Option<Answer>> {
    let Some(values) = node.get("values") else {
        return Ok(None);
    };
    let count = shape.elements();
    let undefined = node.optional("undefined", |list| {
        list.items(|at| at.whole_to(count.saturating_sub(1)))
    })?;
    let mut undefined = undefined.unwrap_or_default();
    undefined.sort_unstable();
    undefined.dedup();
    Ok(Some(Answer {
        elements: elements(&shape.ty, count, &values)?,
        undefined,
    }))
}

/// This many elements as raw bits.
fn elements(ty: &DataType, count: u64, node: &Node<'_>) -> Read<Vec<u64>> {
    match node.value.as_array().map(Vec::len) {
        Some(found) if found as u64 != count => Err(node.error(format!("{found} elements, expected {count}"))),
        _ => node.items(|element| element_bits(ty, element)),
    }
}
