//! Adequacy: how much the plan tests, and which mistakes it finds.

pub mod check;
pub mod combine;
pub mod corpus;
pub mod coverage;
pub mod fuzz;
pub mod greedy;
pub mod mutants;
pub mod mutate;
pub mod zoo;
