//! Shared parts of kernels that only copy elements: only the width of a data type matters.

use dml_ops::{DataType, TensorDesc};

use super::KernelError;

/// Runs `$run::<W>($arguments)` for elements of `$width` bytes.
macro_rules! by_width {
    ($width:expr, $run:ident($($argument:expr),* $(,)?)) => {
        match $width {
            1 => $run::<1>($($argument),*),
            2 => $run::<2>($($argument),*),
            4 => $run::<4>($($argument),*),
            _ => $run::<8>($($argument),*),
        }
    };
}
pub(super) use by_width;

/// Bytes an element.
///
/// # Errors
/// If elements are not whole bytes, or of an unknown data type.
pub(super) fn width(tensor: &TensorDesc) -> Result<usize, KernelError> {
    match DataType(tensor.data_type) {
        DataType::UINT8 | DataType::INT8 => Ok(1),
        DataType::FLOAT16 | DataType::UINT16 | DataType::INT16 => Ok(2),
        DataType::FLOAT32 | DataType::UINT32 | DataType::INT32 => Ok(4),
        DataType::FLOAT64 | DataType::UINT64 | DataType::INT64 => Ok(8),
        DataType(other) => Err(KernelError::DataType(other)),
    }
}

/// Reads the element at an offset.
pub(super) type Reader = fn(&[u8], usize) -> i64;

/// The elements of a tensor of indices, of any width.
///
/// # Errors
/// If they are not 32-bit or 64-bit integers.
pub(super) fn index_reader(tensor: &TensorDesc) -> Result<Reader, KernelError> {
    use super::view::read;
    match DataType(tensor.data_type) {
        DataType::UINT32 => Ok(|bytes, at| i64::from(read::<4>(bytes, at) as u32)),
        DataType::INT32 => Ok(|bytes, at| i64::from(read::<4>(bytes, at) as u32 as i32)),
        DataType::INT64 => Ok(|bytes, at| read::<8>(bytes, at) as i64),
        // A value that an `i64` cannot hold is beyond any axis.
        DataType::UINT64 => Ok(|bytes, at| i64::try_from(read::<8>(bytes, at)).unwrap_or(i64::MAX)),
        DataType(other) => Err(KernelError::DataType(other)),
    }
}
