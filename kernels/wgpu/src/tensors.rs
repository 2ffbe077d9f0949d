//! Tensors as kernels want them: their strides, the dimensions that several are walked through together, and how their
//! elements are ordered.

use dml_ops::{DataType, Stopped, TensorDesc};

/// The message for a descriptor that a validator would have rejected.
pub(super) fn invalid() -> Stopped {
    Stopped::Failed("the descriptor is not valid".to_owned())
}

/// A tensor that has to be there.
///
/// # Errors
/// If it is not.
pub(super) fn require_tensor(tensor: &Option<TensorDesc>) -> Result<&TensorDesc, Stopped> {
    tensor.as_ref().ok_or_else(invalid)
}

/// Strides of a tensor, also if it is packed.
///
/// # Errors
/// If they do not fit into words.
pub(super) fn strides(tensor: &TensorDesc) -> Result<Vec<u32>, Stopped> {
    if let Some(strides) = &tensor.strides {
        return Ok(strides.to_vec());
    }
    let mut stride = 1u32;
    let mut strides = Vec::new();
    for size in tensor.sizes().iter().rev() {
        strides.push(stride);
        stride = stride.checked_mul(*size).ok_or_else(invalid)?;
    }
    strides.reverse();
    Ok(strides)
}

/// A dimension as `dims` of the kernels' parameters holds it: its size, and its distances in up to three tensors.
pub(super) type Dim = [u32; 4];

/// The dimensions that `keep` names and that have more than one element.
///
/// # Errors
/// If a tensor has fewer dimensions.
pub(super) fn dims(sizes: &[u32], strides: &[Vec<u32>], keep: impl Fn(usize) -> bool) -> Result<Vec<Dim>, Stopped> {
    let mut dims = Vec::new();
    for (d, &size) in sizes.iter().enumerate().filter(|(d, size)| keep(*d) && **size > 1) {
        let mut dim = [size, 0, 0, 0];
        for (place, strides) in dim.iter_mut().skip(1).zip(strides) {
            *place = *strides.get(d).ok_or_else(invalid)?;
        }
        dims.push(dim);
    }
    Ok(dims)
}

/// Elements that dimensions have together.
///
/// # Errors
/// If there are more than kernels can count: not a fault of the descriptor.
pub(super) fn count(dims: &[Dim]) -> Result<u32, Stopped> {
    let product = dims.iter().try_fold(1u32, |product, dim| product.checked_mul(dim[0]));
    product.ok_or_else(|| Stopped::Skipped(format!("over {} elements", u32::MAX)))
}

/// Bits of an element.
///
/// # Errors
/// If kernels do not know the data type.
pub(super) fn bits(tensor: &TensorDesc) -> Result<u32, Stopped> {
    match DataType(tensor.data_type) {
        DataType::INT8 | DataType::UINT8 => Ok(8),
        DataType::FLOAT16 | DataType::INT16 | DataType::UINT16 => Ok(16),
        DataType::FLOAT32 | DataType::INT32 | DataType::UINT32 => Ok(32),
        DataType::FLOAT64 | DataType::INT64 | DataType::UINT64 => Ok(64),
        _ => Err(invalid()),
    }
}

/// Binary logarithm of an element's bytes.
///
/// # Errors
/// If kernels do not know the data type.
pub(super) fn width(tensor: &TensorDesc) -> Result<u32, Stopped> {
    bits(tensor).map(|bits| bits.trailing_zeros() - 3)
}

/// How elements are ordered by keys; see shaders/keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// Bits of an element, and of its key.
    pub bits: u32,
    /// `params.order`: 0 for unsigned integers, 1 for signed ones, 2 for floating point.
    order: u32,
    descending: bool,
}

impl Keys {
    /// Keys of a tensor's elements; whether the largest come first.
    ///
    /// # Errors
    /// If there are none for the data type.
    pub(super) fn of(tensor: &TensorDesc, descending: bool) -> Result<Self, Stopped> {
        let order = match DataType(tensor.data_type) {
            DataType::UINT8 | DataType::UINT16 | DataType::UINT32 | DataType::UINT64 => 0,
            DataType::INT8 | DataType::INT16 | DataType::INT32 | DataType::INT64 => 1,
            DataType::FLOAT16 | DataType::FLOAT32 => 2,
            _ => return Err(invalid()),
        };
        Ok(Self {
            bits: bits(tensor)?,
            order,
            descending,
        })
    }

    /// `width`, `order`, `sign` and `descending` of the kernels' parameters.
    pub(super) fn params(self) -> [u32; 4] {
        let width = self.bits.trailing_zeros() - 3;
        [width, self.order, 1 << (self.bits.min(32) - 1), self.descending.into()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(sizes: &[u32]) -> TensorDesc {
        TensorDesc::packed(DataType::INT8.0, 8, sizes)
    }

    #[test]
    fn packed_tensors_have_strides() {
        assert_eq!(strides(&tensor(&[2, 3, 4])), Ok(vec![12, 4, 1]));
        let strided = TensorDesc {
            strides: Some([0, 9].as_slice().into()),
            ..tensor(&[2, 3])
        };
        assert_eq!(strides(&strided), Ok(vec![0, 9]));
        assert_eq!(strides(&tensor(&[1 << 16, 1 << 16, 2])), Err(invalid()));
    }

    #[test]
    fn dimensions_of_one_element_are_not_walked_through() {
        let both = [vec![30, 10, 1], vec![7, 5, 2]];
        assert_eq!(dims(&[2, 1, 3], &both, |_| true), Ok(vec![[2, 30, 7, 0], [3, 1, 2, 0]]));
        assert_eq!(dims(&[2, 1, 3], &both, |d| d != 2), Ok(vec![[2, 30, 7, 0]]));
        assert_eq!(dims(&[2, 1, 3, 2], &both, |_| true), Err(invalid()));
        assert_eq!(count(&[]), Ok(1));
        assert_eq!(count(&[[5, 0, 0, 0], [7, 0, 0, 0]]), Ok(35));
        assert!(matches!(count(&[[1 << 20, 0, 0, 0]; 2]), Err(Stopped::Skipped(_))));
    }

    #[test]
    fn keys_are_as_wide_as_elements() {
        let byte = Keys::of(&tensor(&[1]), true);
        assert_eq!(byte.map(Keys::params), Ok([0, 1, 0x80, 1]));
        let double = TensorDesc::packed(DataType::FLOAT64.0, 64, &[1]);
        assert_eq!(Keys::of(&double, false), Err(invalid()));
        assert_eq!(width(&double), Ok(3));
    }
}
