//! Adequacy: how much the plan tests, and which mistakes it finds.

pub mod check;
pub mod corpus;
pub mod coverage;
pub mod fuzz;
pub mod mutants;
pub mod rules;

#[cfg(test)]
mod embedded;
