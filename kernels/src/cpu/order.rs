//! The order of elements as unsigned integers, so that one comparison serves all data types.

/// Maps elements to keys: unsigned integers of the same width, in ascending order of the elements.
pub(super) trait Order {
    /// Key of an element of `W` bytes, from its bits.
    fn key<const W: usize>(bits: u64) -> u64;
}

/// IEEE 754 floating point: both zeros share a key, and NaNs lie beyond the infinity of their sign.
pub(super) enum Float {}

/// Two's complement.
pub(super) enum Signed {}

/// Unsigned integers.
pub(super) enum Unsigned {}

impl Order for Float {
    #[inline]
    fn key<const W: usize>(bits: u64) -> u64 {
        let magnitude = bits & !sign_bit::<W>();
        if bits == magnitude {
            sign_bit::<W>() + magnitude
        } else {
            sign_bit::<W>() - magnitude
        }
    }
}

impl Order for Signed {
    #[inline]
    fn key<const W: usize>(bits: u64) -> u64 {
        bits ^ sign_bit::<W>()
    }
}

impl Order for Unsigned {
    #[inline]
    fn key<const W: usize>(bits: u64) -> u64 {
        bits
    }
}

/// The highest bit of an element of `W` bytes.
pub(super) const fn sign_bit<const W: usize>() -> u64 {
    1 << (8 * W - 1)
}

/// Every bit of an element of `W` bytes.
pub(super) const fn all_ones<const W: usize>() -> u64 {
    u64::MAX >> (64 - 8 * W)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ascend_with_the_elements() {
        let floats = [
            f32::NEG_INFINITY,
            -1.5,
            -f32::MIN_POSITIVE,
            0.0,
            1e-40,
            1.0,
            f32::INFINITY,
        ];
        let keys = floats.map(|x| Float::key::<4>(x.to_bits().into()));
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:x?}");
        assert_eq!(Float::key::<4>(0x8000_0000), Float::key::<4>(0), "both zeros are one");
        let signed = [i8::MIN, -1, 0, i8::MAX].map(|n| Signed::key::<1>(u64::from(n.cast_unsigned())));
        assert_eq!(signed, [0, 0x7f, 0x80, 0xff]);
        assert_eq!(Unsigned::key::<8>(u64::MAX), all_ones::<8>());
    }
}
