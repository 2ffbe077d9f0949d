//! TOP_K: the K largest elements of every sequence, largest first, ties by ascending index.

use crate::oracle::selection::OfSelection;

/// The oracle.
pub(super) static ORACLE: OfSelection = OfSelection {
    decreasing: |_| Some(true),
};
