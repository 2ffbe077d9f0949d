//! Cases by design: a covering array of an operator's parameters.
//!
//! A row has one value of every parameter. It is keyed by a pair of values that no row before it holds, and all its other
//! values follow from a hash of that key: no row depends on what another one holds, so that a value more or less moves few
//! others. What a row may be is left to the specification's own rules.

mod bound;
mod choice;
mod combined;
mod cover;
mod decide;
mod effect;
mod maker;
mod parameters;
mod plain;
mod row;
mod together;
mod vary;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vary_tests;

pub use choice::{Choice, Parameter, Sets};
pub use combined::{Combined, combined};
pub use cover::{Design, design, missing, missing_together, obstacle};
pub use maker::Row;
pub use parameters::{Mistake, Place, parameters};
pub(crate) use plain::allowed_cells;
pub use plain::bases;
pub use together::together;
pub use vary::{Around, Change, Dial};
