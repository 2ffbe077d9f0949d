//! TOP_K1: the first K elements of every sequence in the order of a direction, ties by ascending index.

use crate::oracle::selection::OfSelection;

/// The oracle.
pub(super) static ORACLE: OfSelection = OfSelection {
    // `DML_AXIS_DIRECTION_DECREASING` is 1.
    decreasing: |call| Some(call.uint("AxisDirection")? == 1),
};
