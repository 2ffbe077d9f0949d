//! Adequacy: how much the plan tests, and which mistakes it finds.

pub mod check;
pub mod corpus;
pub mod coverage;
pub mod fuzz;
pub mod mutants;
pub mod rules;
#[cfg(test)]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the old faults go whole once they have served as a yardstick"
)]
mod zoo;
