//! ARGMAX on a device: the index of the largest element of every set.

use dml_ops::{AxisDirection, Stopped, argmax::Argmax};

use crate::{
    extreme::Extreme,
    program::{Limits, Program},
};

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid.
pub(super) fn plan(op: &Argmax, limits: &Limits) -> Result<Program, Stopped> {
    let extreme = Extreme {
        input: &op.input_tensor,
        output: &op.output_tensor,
        axes: op.axes.as_deref().unwrap_or_default(),
        largest: true,
        last: op.axis_direction == AxisDirection::DECREASING,
    };
    extreme.plan(limits)
}
