//! Cases by design: a covering array of an operator's parameters, in place of sweeps and lists.
//!
//! A row has one value of every parameter. It is keyed by a pair of values that no row before it holds, and all its other
//! values follow from a hash of that key: no row depends on what another one holds, so that a value more or less moves few
//! others. What a row may be is left to the specification's own rules.

mod bound;
mod choice;
mod cover;
mod effect;
mod maker;
mod parameters;
mod row;

#[cfg(test)]
mod tests;

pub use choice::{Choice, Parameter, Sets};
pub use cover::{Design, design, missing};
pub use maker::{Row, family};
pub use parameters::{Mistake, parameters};
