//! One case as something that others can run alone, without this suite: with its data, and with what is expected.

mod dxdispatch;
mod npz;

use dml_spec::{
    TensorDesc,
    model::{Operator, Role},
};

use crate::saved::{self, Saved};
use dml_case::{
    case::{Case, Mode},
    tensor::{Shape, named_tensors},
    text::printable,
};
use dml_plan::planner::Planner;

/// What a case can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A saved case, which `dml-cts repro` runs.
    Json,
    /// Arrays that NumPy reads.
    Npz,
    /// A model of Microsoft's DxDispatch.
    DxDispatch,
}

impl Format {
    /// Whether it is no text.
    pub fn is_binary(self) -> bool {
        self == Self::Npz
    }
}

/// A case in this form.
///
/// # Errors
/// Why the form cannot express it.
pub fn export(suite: &Planner, case: &Case, saved: Saved, format: Format) -> Result<Vec<u8>, String> {
    if format == Format::Json {
        let text = saved::write(suite, &saved).map_err(|error| error.to_string())?;
        return Ok(text.into_bytes());
    }
    let parts = Parts::of(suite, case, &saved.from.id)?;
    match format {
        Format::Json => Err("it is a saved case".to_owned()),
        Format::Npz => npz::npz(&parts),
        Format::DxDispatch => dxdispatch::dxdispatch(&parts).map(String::into_bytes),
    }
}

/// A case, taken apart.
struct Parts<'a> {
    suite: &'a Planner,
    operator: &'a Operator,
    case: &'a Case,
    /// Id that people know it by, fit for a line of any text.
    id: String,
    inputs: Vec<Input<'a>>,
    outputs: Vec<Output<'a>>,
}

/// An input tensor; without data if nothing runs.
struct Input<'a> {
    name: String,
    tensor: &'a TensorDesc,
    shape: Option<Shape>,
    bytes: &'a [u8],
}

/// An output tensor.
struct Output<'a> {
    name: String,
    tensor: &'a TensorDesc,
    shape: Option<Shape>,
    /// Elements in row-major order, if they are defined.
    expected: Option<Vec<u64>>,
}

impl<'a> Parts<'a> {
    fn of(suite: &'a Planner, case: &'a Case, id: &str) -> Result<Self, String> {
        let name = case.id.operator();
        let (operator, _) = suite
            .operator(name)
            .ok_or_else(|| format!("operator {name} is not in the specification"))?;
        let shape = |tensor: &TensorDesc| Shape::of(&suite.catalog, tensor);
        let runs = case.mode == Mode::Execute;
        let input = |(at, (name, tensor)): (usize, (String, &'a TensorDesc))| Input {
            name,
            tensor,
            shape: shape(tensor),
            bytes: case.inputs.get(at).map_or(&[], Vec::as_slice),
        };
        let inputs = named_tensors(operator, &case.descriptor, Role::Input);
        let inputs = inputs.into_iter().enumerate().map(input).collect();
        let outputs = named_tensors(operator, &case.descriptor, Role::Output);
        let mut expected = dml_judge::expected_outputs(suite, case)
            .filter(|_| runs)
            .unwrap_or_default()
            .into_iter();
        let outputs = outputs.into_iter().map(|(name, tensor)| Output {
            name,
            tensor,
            shape: shape(tensor),
            expected: expected.next(),
        });
        Ok(Self {
            suite,
            operator,
            case,
            id: printable(id, usize::MAX),
            inputs,
            outputs: outputs.collect(),
        })
    }

    /// The input in whose memory an output lies.
    fn place_of(&self, output: usize) -> Option<&Input<'a>> {
        let alias = self.case.aliases.iter().find(|alias| alias.output == output)?;
        self.inputs.get(alias.input)
    }

    fn runs(&self) -> bool {
        self.case.mode == Mode::Execute
    }

    /// Attributes as people and JSON spell them: `Axis`, `3`.
    fn attributes(&self) -> Result<Vec<(String, serde_json::Value)>, String> {
        let desc = crate::json::write_desc_exact(&self.suite.catalog, &self.case.descriptor);
        let desc = desc.map_err(|error| error.to_string())?;
        let fields = self.operator.fields.iter().filter(|field| field.kind.role().is_none());
        let spelled = fields.filter_map(|field| Some((field.name.to_string(), desc.get(field.name.as_ref())?.clone())));
        Ok(spelled.collect())
    }
}

impl Input<'_> {
    /// The shape and the elements in row-major order.
    fn elements(&self) -> Option<(&Shape, Vec<u64>)> {
        let shape = self.shape.as_ref()?;
        Some((shape, shape.read(self.bytes)))
    }
}

/// Elements as bytes, one after the other.
fn packed(shape: &Shape, elements: &[u64]) -> Vec<u8> {
    let width = shape.width();
    elements
        .iter()
        .flat_map(|bits| bits.to_le_bytes().into_iter().take(width))
        .collect()
}

#[cfg(test)]
mod tests;
