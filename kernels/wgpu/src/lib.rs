//! The wgpu backend: WGSL kernels on any Vulkan, Metal or DX12 device, including software devices.
//!
//! A kernel is one file in `operators/`, named after its operator, with a function that turns a descriptor into a
//! `Program`: the dispatches to record, and the scratch memory they need. The macro `files` finds it. Parts that several
//! operators share are in `selection` and `extreme`, functions that can be fused to results are in `activation`.
//! Everything else is independent of operators: `session` takes jobs, `batch` puts many into one submission.

mod activation;
mod adapter;
mod arena;
mod backend;
mod batch;
mod device;
mod extreme;
mod operators;
mod placement;
mod profile;
mod program;
mod record;
mod selection;
mod session;
mod tensors;

pub use adapter::{AdapterChoice, AdapterError};
#[cfg(test)]
#[path = "../../../spec/tests/support/needs.rs"]
mod needs;

pub use backend::Wgpu;
pub use profile::Profiler;
