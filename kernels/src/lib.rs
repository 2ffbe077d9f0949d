//! Backends: implementations of the operators, each behind a feature.

#[cfg(feature = "cpu")]
pub mod cpu;

#[cfg(feature = "wgpu")]
pub mod wgpu;

#[cfg(feature = "directml")]
pub mod directml;

#[cfg(test)]
#[path = "../../spec/tests/support/needs.rs"]
mod needs;
