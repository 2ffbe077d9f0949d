//! The program as its users meet it: output, errors, exit codes.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod bad_inputs;
mod common;
mod comparing;
mod computing;
mod editing;
mod expecting;
mod gating;
mod importing;
mod mistakes;
mod mutants;
#[path = "../../../spec/tests/support/needs.rs"]
mod needs;
mod rendering;
mod running;
mod saved;
mod showing;
mod specification;
mod stored;
mod vectors;
