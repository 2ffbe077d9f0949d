//! The kernels, one file for each operator, named after it: `pub(super) fn plan(&Op, &Limits) -> Result<Program, Stopped>`
//! turns a descriptor into the dispatches to record. The macro `files` finds it.

use dml_ops::{Descriptor, Operator, Stopped};

use crate::program::{Limits, Program};

macro_rules! kernels {
    ($($path:tt $module:ident $name:literal)*) => {
        $(
            #[path = $path]
            mod $module;
        )*

        /// Operators with a kernel, in order of their name.
        pub(crate) const OPERATORS: &[&str] = &[$($name),*];

        /// The program of the descriptor's operator. The result is unspecified if the descriptor is invalid.
        pub(crate) fn plan(descriptor: &Descriptor, limits: &Limits) -> Result<Program, Stopped> {
            match descriptor.operator.as_ref() {
                $($name => $module::plan(&descriptor_of(descriptor)?, limits),)*
                _ => Err(Stopped::Skipped("unsupported".to_owned())),
            }
        }
    };
}

dml_ops::files!("src/operators", "rs", kernels);

/// The operator's own type of descriptor.
fn descriptor_of<T: Operator>(descriptor: &Descriptor) -> Result<T, Stopped> {
    T::from_descriptor(descriptor).map_err(|mismatch| Stopped::Failed(mismatch.to_string()))
}
