//! The kernels, one file for each operator: `pub(super) fn execute(&Op, &[&[u8]], &mut [&mut [u8]]) -> Result<(),
//! KernelError>` in a file named after the operator. The macro `files` finds it.

use dml_ops::{Descriptor, Operator};

use crate::KernelError;

macro_rules! kernels {
    ($($path:tt $module:ident $name:literal)*) => {
        $(
            #[path = $path]
            mod $module;
        )*

        /// Operators with a kernel, in order of their name.
        pub const OPERATORS: &[&str] = &[$($name),*];

        /// Runs the kernel of the descriptor's operator: reads one buffer for each input tensor, writes one for each
        /// output tensor, both in struct order. The result is unspecified if the descriptor is invalid.
        ///
        /// # Errors
        /// If there is no kernel, or descriptor and buffers do not fit together.
        pub fn execute(descriptor: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
            match descriptor.operator.as_ref() {
                $($name => $module::execute(&Operator::from_descriptor(descriptor)?, inputs, outputs),)*
                other => Err(KernelError::Operator(other.to_owned())),
            }
        }
    };
}

dml_ops::files!("src/operators", "rs", kernels);
