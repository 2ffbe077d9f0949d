//! Descriptors as JSON, in both directions: the form that `validate` reads and programs exchange.
//!
//! Field names and constants are DirectML's. A tensor is an object with `DataType`, `Sizes`, `Strides`,
//! `TotalTensorSizeInBytes`, `GuaranteedBaseOffsetAlignment` and `Flags`; an absent one is `null`. Values outside an
//! enumeration are integers, whole numbers above 2^53 decimal strings, and floats that JSON cannot express hex bits.

mod pretty;
mod read;
mod tree;
mod write;

use std::fmt;

pub use pretty::pretty;
pub use read::{read, read_desc, read_element};
pub use tree::Tree;
pub use write::string;
pub use write::{NotExpressible, write, write_desc, write_desc_exact, write_element};

/// Why a text is not a descriptor: the place, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// JSON path such as `desc.InputTensor.Sizes[2]`; empty if `message` has line and column.
    pub path: String,
    /// What was found and expected.
    pub message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "{}", self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for JsonError {}

/// Name of the data type enumeration, whose members the catalog holds as data types.
const DATA_TYPES: &str = "DML_TENSOR_DATA_TYPE";

/// Largest whole number that every JSON reader keeps.
const SAFE: u64 = 1 << 53;

#[cfg(test)]
mod tests;
