//! ARGMIN: the index of the smallest element of every set; of equal ones the first or the last.

use crate::oracle::extreme::OfExtreme;

/// The oracle.
pub(super) static ORACLE: OfExtreme = OfExtreme { largest: false };
