//! What a call is in ONNX, as data: what writes the specification reads it, and nothing does today.

/// What an operator is in ONNX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnnxForm {
    /// The type of the node, of the main domain.
    pub op_type: &'static str,
    /// The operator set that it is taken from.
    pub opset: i64,
    /// Whole numbers that the node takes as its attributes, each with its name.
    pub attributes: Vec<(&'static str, i64)>,
    /// Inputs behind the tensors: a name and a list of 64-bit integers each.
    pub lists: Vec<(&'static str, Vec<i64>)>,
    /// For each output the type that the node gives it; the descriptor's where it is `None`.
    pub gives: Vec<Option<&'static str>>,
}
