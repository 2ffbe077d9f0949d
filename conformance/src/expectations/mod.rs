//! Files of known failures: YAML to entries, and updates of a file from stored runs.

mod read;
mod update;
mod write;

pub use read::read_expectations;
pub use update::{UpdateError, Updated, update_expectations};

#[cfg(test)]
mod read_tests;
#[cfg(test)]
mod update_tests;
