//! The CPU backend: plain Rust, any layout, validated by the generated validators.
//!
//! A kernel is one file in `operators/`, named after its operator.

mod backend;
mod candidate;
mod columns;
mod copying;
mod counting_sort;
pub mod elements;
mod error;
mod extreme;
mod first_k;
mod fused;
pub mod number;
mod operators;
mod order;
mod prefix_sort;
mod radix_sort;
mod reduction;
mod scan;
mod selection;
mod threads;
pub mod view;

pub use backend::backend;
pub use error::KernelError;
pub use operators::{OPERATORS, execute};
pub use threads::with_threads;
