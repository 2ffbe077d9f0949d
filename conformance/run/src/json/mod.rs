//! JSON as the suite exchanges it: values at their places, and descriptors in both directions: the form that `validate`
//! reads, programs exchange and saved cases hold.
//!
//! Field names and constants are DirectML's. A tensor is an object with `DataType`, `Sizes`, `Strides`,
//! `TotalTensorSizeInBytes`, `GuaranteedBaseOffsetAlignment` and `Flags`; an absent one is `null`. Values outside an
//! enumeration are integers, whole numbers above 2^53 decimal strings, and floats that JSON cannot express hex bits.

mod node;
mod pretty;
mod read;
mod strict;
mod write;

use std::fmt;

pub use node::Node;
pub use pretty::pretty;
pub(crate) use read::special;
pub use read::{read, read_desc, read_element, read_operator, read_subject};
pub use strict::parse;
pub(crate) use write::write_element;
pub use write::{NotExpressible, require_operator, string, write, write_desc, write_desc_exact, write_elements};

/// Why a text is not what it should be: the place, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// JSON path such as `desc.InputTensor.Sizes[2]`; empty for the whole, or if `message` has line and column.
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

/// What reading comes to.
pub type Read<T> = Result<T, JsonError>;

/// Name of the data type enumeration, whose members the catalog holds as data types.
const DATA_TYPES: &str = "DML_TENSOR_DATA_TYPE";

/// Largest whole number that every JSON reader keeps.
const SAFE: u64 = 1 << 53;

#[cfg(test)]
mod tests;
