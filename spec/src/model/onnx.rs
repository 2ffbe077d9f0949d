//! How a descriptor becomes a node of ONNX, as the YAML says it.

use super::{List, Text};

/// Nodes that take the same inputs, outputs and attributes from a descriptor.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct OnnxEntry {
    /// Names of nodes, each with the rule under which a descriptor is this one; an empty rule always holds.
    pub nodes: List<(Text, Text)>,
    /// Inputs by ONNX's names.
    pub inputs: List<(Text, OnnxInput)>,
    /// Outputs by ONNX's names: the tensors that receive them.
    pub outputs: List<(Text, Text)>,
    /// Attributes by ONNX's names, and expressions.
    pub attributes: List<(Text, Text)>,
    /// Fields of the descriptor, as expressions of the node's attributes and inputs: only those that cannot be found by
    /// trying.
    pub fields: List<(Text, Text)>,
}

/// An input of a node.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct OnnxInput {
    /// An expression: a tensor, an array of tensors, a number or a list.
    pub value: Text,
    /// The data type that the node takes it in; empty for that of the tensor, else `INT64` or `FLOAT32`.
    pub data_type: Text,
    /// The sizes that the node sees; empty for those of the tensor.
    pub sizes: Text,
}
