//! The kernels, one file for each operator, named after it: `pub(super) fn plan(&Op, &Limits) -> Result<Program, Stopped>`
//! turns a descriptor into the dispatches to record. The build script finds it.

use dml_ops::{Descriptor, Operator, Stopped};

use crate::program::{Limits, Program};

include!(concat!(env!("OUT_DIR"), "/operators.rs"));

/// The operator's own type of descriptor.
fn descriptor_of<T: Operator>(descriptor: &Descriptor) -> Result<T, Stopped> {
    T::from_descriptor(descriptor).map_err(|mismatch| Stopped::Failed(mismatch.to_string()))
}
