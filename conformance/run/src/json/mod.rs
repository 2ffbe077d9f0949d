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
pub use read::{read, read_counted, read_desc, read_element, read_operator, read_subject};
pub use strict::parse;
pub(crate) use write::write_element;
pub use write::{NotExpressible, require_operator, string, write, write_desc, write_desc_exact, write_elements};

/// Why a text is not what it should be: the place, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// JSON path such as `desc.InputTensor.Sizes[2]`; empty for the whole.
    pub path: String,
    /// Line and column from 1, if the text is none of the form.
    pub place: Option<(usize, usize)>,
    /// What was found and expected.
    pub message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}: ")?;
        }
        match self.path.as_str() {
            "" => write!(f, "{}", self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for JsonError {}

impl JsonError {
    /// The mistake with the file it is in: `FILE:LINE:COLUMN: …` or `FILE: PATH: …`.
    pub fn in_file(&self, file: &str) -> String {
        match self.place {
            Some(_) => format!("{file}:{self}"),
            None => format!("{file}: {self}"),
        }
    }
}

/// What reading comes to.
pub type Read<T> = Result<T, JsonError>;

/// Name of the data type enumeration, whose members the catalog holds as data types.
const DATA_TYPES: &str = "DML_TENSOR_DATA_TYPE";

/// Largest whole number that every JSON reader keeps.
const SAFE: u64 = 1 << 53;

#[cfg(test)]
mod tests;
