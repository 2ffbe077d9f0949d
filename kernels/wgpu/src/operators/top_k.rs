//! TOP_K on a device: the largest elements of every sequence.

use dml_ops::{Stopped, top_k::TopK};

use crate::{
    program::{Limits, Program},
    selection::Selection,
};

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid.
pub(super) fn plan(op: &TopK, limits: &Limits) -> Result<Program, Stopped> {
    let selection = Selection {
        input: &op.input_tensor,
        values: &op.output_value_tensor,
        indices: &op.output_index_tensor,
        axis: op.axis,
        k: op.k,
        largest: true,
    };
    selection.plan(limits)
}
