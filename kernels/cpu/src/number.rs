//! Conversions between the bits of any data type and numbers of Rust.

use dml_ops::DataType;
use half::f16;

use super::KernelError;

/// A number that holds every element of every data type exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Whole(i128),
    /// A floating point number.
    Real(f64),
}

/// The data types of 8 to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// FLOAT16.
    Half,
    /// FLOAT32.
    Single,
    /// FLOAT64.
    Double,
    /// Unsigned, of so many bytes.
    Unsigned(usize),
    /// Two's complement, of so many bytes.
    Signed(usize),
}

impl Type {
    /// The type of an element.
    ///
    /// # Errors
    /// If it is not one of 8 to 64 bits.
    pub fn of(data_type: u32) -> Result<Self, KernelError> {
        Ok(match DataType(data_type) {
            DataType::FLOAT16 => Self::Half,
            DataType::FLOAT32 => Self::Single,
            DataType::FLOAT64 => Self::Double,
            DataType::UINT8 => Self::Unsigned(1),
            DataType::UINT16 => Self::Unsigned(2),
            DataType::UINT32 => Self::Unsigned(4),
            DataType::UINT64 => Self::Unsigned(8),
            DataType::INT8 => Self::Signed(1),
            DataType::INT16 => Self::Signed(2),
            DataType::INT32 => Self::Signed(4),
            DataType::INT64 => Self::Signed(8),
            DataType(other) => return Err(KernelError::DataType(other)),
        })
    }

    /// Bytes an element.
    pub fn width(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Single => 4,
            Self::Double => 8,
            Self::Unsigned(width) | Self::Signed(width) => width,
        }
    }

    /// Whether it is a floating point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Half | Self::Single | Self::Double)
    }

    /// Least and greatest whole number of the type; none for floating point.
    pub fn limits(self) -> Option<(i128, i128)> {
        match self {
            Self::Unsigned(width) => Some((0, (1 << (8 * width)) - 1)),
            Self::Signed(width) => Some((-(1 << (8 * width - 1)), (1 << (8 * width - 1)) - 1)),
            _ => None,
        }
    }

    /// The number that the bits of an element, zero-extended, represent.
    pub fn number(self, bits: u64) -> Number {
        match self {
            Self::Half => Number::Real(f16::from_bits(bits as u16).to_f64()),
            Self::Single => Number::Real(f32::from_bits(bits as u32).into()),
            Self::Double => Number::Real(f64::from_bits(bits)),
            Self::Unsigned(_) => Number::Whole(bits.into()),
            Self::Signed(width) => {
                let shift = 64 - 8 * width as u32;
                Number::Whole((((bits << shift) as i64) >> shift).into())
            }
        }
    }

    /// The element nearest to a number: floats rounded to nearest even, fractions cut off. Whole numbers beyond a whole
    /// type's range wrap, others stop at its ends.
    pub fn bits(self, number: Number) -> u64 {
        match (self, number) {
            (Self::Half, Number::Real(x)) => f16::from_f64(x).to_bits().into(),
            (Self::Half, Number::Whole(n)) => f16::from_f64(n as f64).to_bits().into(),
            (Self::Single, Number::Real(x)) => (x as f32).to_bits().into(),
            (Self::Single, Number::Whole(n)) => (n as f32).to_bits().into(),
            (Self::Double, Number::Real(x)) => x.to_bits(),
            (Self::Double, Number::Whole(n)) => (n as f64).to_bits(),
            (_, Number::Whole(n)) => n as u64,
            (whole, Number::Real(x)) => {
                let (least, greatest) = whole.limits().unwrap_or((0, 0));
                (x as i128).clamp(least, greatest) as u64
            }
        }
    }
}

/// Reads and writes elements whose type is known only at run time.
#[inline]
pub fn read(ty: Type, bytes: &[u8], offset: usize) -> u64 {
    match ty.width() {
        1 => super::view::read::<1>(bytes, offset),
        2 => super::view::read::<2>(bytes, offset),
        4 => super::view::read::<4>(bytes, offset),
        _ => super::view::read::<8>(bytes, offset),
    }
}

/// See [`read`].
#[inline]
pub fn write(ty: Type, bytes: &mut [u8], offset: usize, bits: u64) {
    match ty.width() {
        1 => super::view::write::<1>(bytes, offset, bits),
        2 => super::view::write::<2>(bytes, offset, bits),
        4 => super::view::write::<4>(bytes, offset, bits),
        _ => super::view::write::<8>(bytes, offset, bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_value() {
        assert_eq!(Type::Signed(1).number(0x80), Number::Whole(-128));
        assert_eq!(Type::Unsigned(8).number(u64::MAX), Number::Whole(u64::MAX.into()));
        assert_eq!(Type::Half.number(0x3e00), Number::Real(1.5));
        assert_eq!(Type::Double.number(1.5f64.to_bits()), Number::Real(1.5));
    }

    #[test]
    fn numbers_find_the_nearest_element() {
        assert_eq!(Type::Signed(1).bits(Number::Real(-2.75)) as u8, 0xfe);
        assert_eq!(Type::Signed(1).bits(Number::Real(1e9)), 127);
        assert_eq!(Type::Unsigned(2).bits(Number::Real(f64::NAN)), 0);
        assert_eq!(Type::Unsigned(1).bits(Number::Whole(-1)) as u8, 255);
        assert_eq!(
            Type::Half.bits(Number::Real(2049.0)),
            f16::from_f32(2048.0).to_bits().into()
        );
        let n = (1i128 << 62) + (1 << 38) + 1;
        assert_eq!(
            Type::Single.bits(Number::Whole(n)),
            (2f32.powi(62) + 2f32.powi(39)).to_bits().into()
        );
    }
}
