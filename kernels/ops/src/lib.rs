//! The DirectML operators in Rust: descriptors, validators, tables and C structures, all generated from the
//! specification, and the [`Backend`] trait. A Rust implementation of an operator depends on this crate.
//!
//! ```
//! use dml_ops::{AxisDirection, DataType, Operator as _, TopK1, levels};
//! use dml_spec::TensorDesc;
//!
//! let tensor = |data_type: DataType, sizes: &[u32]| Some(TensorDesc::packed(data_type.0, 32, sizes));
//! let mut desc = TopK1 {
//!     input_tensor: tensor(DataType::FLOAT32, &[1, 1, 3, 4]),
//!     output_value_tensor: tensor(DataType::FLOAT32, &[1, 1, 3, 2]),
//!     output_index_tensor: tensor(DataType::UINT32, &[1, 1, 3, 2]),
//!     axis: 3,
//!     k: 2,
//!     axis_direction: AxisDirection::DECREASING,
//! };
//! assert!(desc.validate(levels::FL_2_1).is_ok());
//! desc.axis = 4;
//! let found = desc.validate(levels::FL_2_1).unwrap_err();
//! assert_eq!(found.errors().map(|v| v.clause).collect::<Vec<_>>(), ["TOP_K1/axis-in-range"]);
//! ```

mod backend;
mod fields;
mod operator;
mod simple;
mod tensors;
mod violation;

pub mod ffi;
pub mod rules;
pub mod support;

pub use backend::*;
pub use dml_codegen::files;
pub use dml_spec::{Descriptor, Dims, FeatureLevel, TensorDesc, Value};
pub use generated::*;
pub use operator::{FieldMismatch, Operator, OperatorEntry};
pub use simple::{Simple, Stopped, refuse};
pub use support::{SupportRow, SupportTable};
pub use violation::{Violation, Violations};

/// What generated code finds around it.
#[doc(hidden)]
pub mod expansion {
    pub use std::borrow::Cow;

    pub use dml_spec::{Descriptor, Dims, FeatureLevel, TensorDesc, Value, model::NumberClass};
    pub use smallvec::SmallVec;

    pub use crate::{
        ffi::{DML_OPERATOR_DESC, DML_SCALAR_UNION, DML_SCALE_BIAS, DML_SIZE_2D, DML_TENSOR_DESC},
        fields::{FieldValue, Fields},
        operator::{FieldMismatch, Operator, OperatorEntry},
        rules::*,
        support::{SupportRow, SupportTable},
        tensors::{Held, INPUT, OPTIONAL_INPUT, OPTIONAL_OUTPUT, OUTPUT, Subject, Tensors},
        violation::Violations,
    };
}

mod generated {
    use crate::expansion::*;

    dml_codegen::operators!();
}
