//! Descriptors and inputs from files: saved cases, and descriptors as `validate` reads them.

use std::io::{Read, Seek};

use dml_case::{
    suite::require_level,
    tensor::{Shape, named_tensors},
};
use dml_plan::{by_content::require_small_tensors, planner::Planner};
use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Operator, Role},
};

use super::ComputeError;
use crate::{
    json::{self, Node},
    npz::Reader,
    saved,
};

/// What is asked: the outputs of this descriptor for these inputs.
#[derive(Clone, Debug)]
pub struct Question {
    /// The descriptor.
    pub descriptor: Descriptor,
    /// Elements of the input tensors that are present, in struct order, each in row-major order.
    pub inputs: Vec<Vec<u64>>,
}

/// What a file says.
pub struct Given<'a> {
    /// The operator.
    pub operator: &'a Operator,
    /// The feature level; `None` if the file names none.
    pub level: Option<FeatureLevel>,
    /// The descriptor.
    pub descriptor: Descriptor,
    root: serde_json::Value,
}

/// Reads a saved case, or `{"operator": …, "feature_level": …, "desc": {…}, "inputs": {…}}` of which level and inputs may
/// be absent. Inputs are read by [`Given::inputs`], once the descriptor is known to be valid.
///
/// # Errors
/// The first mistake, with its place.
pub fn read<'a>(suite: &'a Planner, bytes: &[u8]) -> Result<Given<'a>, ComputeError> {
    let value = json::parse(bytes)?;
    let root = Node::root(&value, "");
    if value.get("format").is_some() {
        saved::require_format(&value)?;
        root.optional("expected", |node| node.require_keys(&["verdict", "clauses", "outputs"]))?;
        if root.get("order").is_some_and(|order| !order.is_null()) {
            return Err(root.error("`order`: a sequence of cases; expected one case").into());
        }
    } else {
        Node::root(&value, "(top)").require_keys(&["operator", "feature_level", "desc", "inputs"])?;
    }
    let operator = json::read_operator(&suite.catalog, &root.require("operator")?)?;
    let level = root.optional("feature_level", |node| {
        let level = node.feature_level()?;
        let known = require_level(&suite.catalog, level);
        known.map_err(|why| node.error(why)).map(|()| level)
    })?;
    let descriptor = json::read_counted(&suite.catalog, operator, &root.require("desc")?)?;
    Ok(Given {
        operator,
        level,
        descriptor,
        root: value,
    })
}

impl Given<'_> {
    /// Whether the file has inputs.
    pub fn has_inputs(&self) -> bool {
        self.root.get("inputs").is_some_and(|inputs| !inputs.is_null())
    }

    /// The elements of the inputs that the file has.
    ///
    /// # Errors
    /// The first input that is missing or does not fit its tensor.
    pub fn inputs(&self, suite: &Planner) -> Result<Vec<Vec<u64>>, ComputeError> {
        let root = Node::root(&self.root, "");
        let buffers = saved::read_inputs(suite, self.operator, &self.descriptor, &root)?;
        let shapes = shapes(suite, self.operator, &self.descriptor)?;
        Ok(shapes
            .iter()
            .zip(&buffers)
            .map(|((_, shape), bytes)| shape.read(bytes))
            .collect())
    }
}

/// The elements of the inputs of a descriptor from an archive, whose arrays have the names of the tensors.
///
/// # Errors
/// The first array that is missing or does not fit its tensor.
pub fn take_arrays<R: Read + Seek>(
    suite: &Planner,
    operator: &Operator,
    descriptor: &Descriptor,
    source: R,
) -> Result<Vec<Vec<u64>>, ComputeError> {
    let mut archive = Reader::open(source)?;
    let shapes = shapes(suite, operator, descriptor)?;
    let elements = shapes.iter().map(|(name, shape)| archive.elements(name, shape));
    Ok(elements.collect::<Result<_, _>>()?)
}

/// Names and shapes of the inputs, none of them too large.
fn shapes(suite: &Planner, operator: &Operator, descriptor: &Descriptor) -> Result<Vec<(String, Shape)>, ComputeError> {
    require_small_tensors(suite, operator, descriptor).map_err(ComputeError::Tensor)?;
    let shape = |(name, tensor)| match Shape::of(&suite.catalog, tensor) {
        Some(shape) => Ok((name, shape)),
        None => {
            let why = Shape::why_none(&suite.catalog, tensor);
            Err(ComputeError::Tensor(format!("{name}: {why}")))
        }
    };
    let tensors = named_tensors(operator, descriptor, Role::Input);
    tensors.into_iter().map(shape).collect()
}
