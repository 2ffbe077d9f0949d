//! The engine: runs cases on backends, in this process or in others, and hands the records over in order.

pub mod compute;
pub mod directml;
pub mod engine;
pub mod export;
pub mod json;
pub mod npz;
pub mod process;
pub mod protocol;
pub mod reference;
pub mod saved;
pub mod shrink;

#[cfg(test)]
mod embedded;
