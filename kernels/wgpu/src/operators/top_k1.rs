//! TOP_K1 on a device: the largest or smallest elements of every sequence.

use dml_ops::{AxisDirection, Stopped, top_k1::TopK1};

use crate::{
    program::{Limits, Program},
    selection::Selection,
};

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid.
pub(super) fn plan(op: &TopK1, limits: &Limits) -> Result<Program, Stopped> {
    let selection = Selection {
        input: &op.input_tensor,
        values: &op.output_value_tensor,
        indices: &op.output_index_tensor,
        axis: op.axis,
        k: op.k,
        largest: op.axis_direction == AxisDirection::DECREASING,
    };
    selection.plan(limits)
}
