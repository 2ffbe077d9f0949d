//! ARGMIN on a device: the index of the smallest element of every set.

use dml_ops::{AxisDirection, Stopped, argmin::Argmin};

use crate::{
    extreme::Extreme,
    program::{Limits, Program},
};

/// The dispatches that run a valid descriptor.
///
/// # Errors
/// If the descriptor is not valid.
pub(super) fn plan(op: &Argmin, limits: &Limits) -> Result<Program, Stopped> {
    let extreme = Extreme {
        input: &op.input_tensor,
        output: &op.output_tensor,
        axes: op.axes.as_deref().unwrap_or_default(),
        largest: false,
        last: op.axis_direction == AxisDirection::DECREASING,
    };
    extreme.plan(limits)
}
