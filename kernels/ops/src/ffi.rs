//! The C structures of DirectML, laid out as in `DirectML.h`. Those of the operators are generated.
//!
//! They are for programs that hand descriptors to a DirectML library, or take them from one. Nothing here follows
//! a pointer.

#![allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]

use std::ffi::c_void;

pub use crate::generated::descs::*;

/// An operator descriptor after its type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DML_OPERATOR_DESC {
    /// `DML_OPERATOR_TYPE`.
    pub Type: u32,
    /// The operator's own structure.
    pub Desc: *const c_void,
}

/// A tensor descriptor after its type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DML_TENSOR_DESC {
    /// `DML_TENSOR_TYPE`.
    pub Type: u32,
    /// For type `BUFFER` a [`DML_BUFFER_TENSOR_DESC`].
    pub Desc: *const c_void,
}

/// A tensor in a buffer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DML_BUFFER_TENSOR_DESC {
    /// `DML_TENSOR_DATA_TYPE`.
    pub DataType: u32,
    /// `DML_TENSOR_FLAGS`.
    pub Flags: u32,
    /// Length of `Sizes` and `Strides`.
    pub DimensionCount: u32,
    /// Elements in each dimension.
    pub Sizes: *const u32,
    /// Elements between neighbours of each dimension, or null.
    pub Strides: *const u32,
    /// Bytes of the buffer range.
    pub TotalTensorSizeInBytes: u64,
    /// Alignment of the range in bytes, or 0.
    pub GuaranteedBaseOffsetAlignment: u32,
}

/// A linear function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DML_SCALE_BIAS {
    /// Factor.
    pub Scale: f32,
    /// Summand.
    pub Bias: f32,
}

/// An extent of two dimensions.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DML_SIZE_2D {
    /// Elements across.
    pub Width: u32,
    /// Elements down.
    pub Height: u32,
}

/// A number of any type.
#[repr(C)]
#[derive(Clone, Copy)]
pub union DML_SCALAR_UNION {
    /// Its bytes, little-endian.
    pub Bytes: [u8; 8],
    /// `INT8`.
    pub Int8: i8,
    /// `UINT8`.
    pub UInt8: u8,
    /// `INT16`.
    pub Int16: i16,
    /// `UINT16`.
    pub UInt16: u16,
    /// `INT32`.
    pub Int32: i32,
    /// `UINT32`.
    pub UInt32: u32,
    /// `INT64`.
    pub Int64: i64,
    /// `UINT64`.
    pub UInt64: u64,
    /// `FLOAT32`.
    pub Float32: f32,
    /// `FLOAT64`.
    pub Float64: f64,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<DML_OPERATOR_DESC>() == 16 && offset_of!(DML_OPERATOR_DESC, Desc) == 8);
    assert!(size_of::<DML_TENSOR_DESC>() == 16 && offset_of!(DML_TENSOR_DESC, Desc) == 8);
    assert!(size_of::<DML_BUFFER_TENSOR_DESC>() == 48);
    assert!(offset_of!(DML_BUFFER_TENSOR_DESC, Sizes) == 16);
    assert!(offset_of!(DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes) == 32);
    assert!(offset_of!(DML_BUFFER_TENSOR_DESC, GuaranteedBaseOffsetAlignment) == 40);
    assert!(size_of::<DML_SCALE_BIAS>() == 8 && size_of::<DML_SIZE_2D>() == 8);
    assert!(size_of::<DML_SCALAR_UNION>() == 8);
};
