//! Microsoft's own implementation: DirectML's library, loaded at run time.
//!
//! It works on a D3D12 device (`runtime`, `gpu`), on which jobs run batch by batch (`batch`), or on a null device
//! (`null`), with which operators are created, so that the library judges their descriptors, and nothing is executed.
//! On Linux there are stand-ins for the libraries that only WSL has. This is the only crate of the project with
//! `unsafe` code; each use states why it is sound.

mod adapters;
mod backend;
mod batch;
mod binding;
mod choice;
mod com;
mod d3d12;
mod dml;
mod error;
mod gpu;
mod library;
mod library_file;
mod marshal;
mod null;
mod pools;
mod runtime;
mod session;

#[cfg(all(test, windows))]
mod headers;
#[cfg(all(test, target_arch = "x86_64"))]
#[path = "../tests/mock/mod.rs"]
mod mock;

#[cfg(test)]
#[path = "../../../spec/tests/support/needs.rs"]
mod needs;

pub use backend::DirectMl;
pub use choice::{Adapter, DeviceChoice, LIBRARY, NullDevice, Options};
pub use error::{DeviceError, LoadError};
