//! The kernels, one file for each operator: `pub(super) fn execute(&Op, &[&[u8]], &mut [&mut [u8]]) -> Result<(),
//! KernelError>` in a file named after the operator. The build script finds it.

use dml_ops::{Descriptor, Operator};

use crate::KernelError;

include!(concat!(env!("OUT_DIR"), "/operators.rs"));
