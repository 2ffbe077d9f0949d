//! The order of elements as unsigned integers, so that one comparison serves all data types.
//!
//! A *key* is an unsigned integer of an element's width; the smaller it is, the earlier the element comes. Equal
//! elements share a key, both zeros too. A *rank* is the same without that exception, and goes both ways. What makes
//! scans fast is [`Order::until`]: on the ring of all bit patterns, the elements up to a key are one interval, so that
//! whether one belongs to them takes a subtraction and a comparison, whatever its data type.

use std::{
    fmt::Debug,
    hash::Hash,
    ops::{BitAnd, BitXor},
};

use dml_ops::{DataType, TensorDesc};

use super::{KernelError, candidate::Candidate};

/// An unsigned integer that holds the bits of an element.
pub(super) trait Word:
    Copy + Ord + Hash + Debug + Send + Sync + BitAnd<Output = Self> + BitXor<Output = Self> + 'static
{
    /// As in a buffer, little-endian.
    type Bytes: Copy + Send + Sync + Debug;
    /// What holds a key and an index.
    type Candidate: Candidate;

    const WIDTH: usize;
    const ZERO: Self;
    const ONE: Self;
    /// The highest bit.
    const SIGN: Self;
    /// Every bit.
    const ONES: Self;
    const ZERO_BYTES: Self::Bytes;

    fn load(bytes: Self::Bytes) -> Self;
    /// The words of a buffer; a rest at its end is left out.
    fn split(bytes: &[u8]) -> &[Self::Bytes];
    /// The words of a buffer, to be written.
    fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes];
    /// Writes to an offset in words; nothing if it would not fit.
    fn store(bytes: &mut [u8], offset: usize, word: Self::Bytes);
    fn minus(self, other: Self) -> Self;
    /// The highest bit in all places.
    fn signs(self) -> Self;
    fn to_u64(self) -> u64;
    /// The low bits.
    fn from_u64(bits: u64) -> Self;
}

macro_rules! word {
    ($word:ty, $candidate:ty) => {
        impl Word for $word {
            type Bytes = [u8; size_of::<$word>()];
            type Candidate = $candidate;

            const WIDTH: usize = size_of::<$word>();
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const SIGN: Self = 1 << (<$word>::BITS - 1);
            const ONES: Self = <$word>::MAX;
            const ZERO_BYTES: Self::Bytes = [0; size_of::<$word>()];

            #[inline(always)]
            fn load(bytes: Self::Bytes) -> Self {
                <$word>::from_le_bytes(bytes)
            }

            #[inline(always)]
            fn split(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }

            #[inline(always)]
            fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes] {
                bytes.as_chunks_mut().0
            }

            #[inline(always)]
            fn store(bytes: &mut [u8], offset: usize, word: Self::Bytes) {
                if let Some(place) = Self::split_mut(bytes).get_mut(offset) {
                    *place = word;
                }
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn signs(self) -> Self {
                (self.cast_signed() >> (<$word>::BITS - 1)).cast_unsigned()
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn from_u64(bits: u64) -> Self {
                bits as $word
            }
        }
    };
}

word!(u8, u64);
word!(u16, u64);
word!(u32, u64);
word!(u64, u128);

/// What the bits of an element represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// IEEE 754 floating point: both zeros are equal, and NaNs lie beyond the infinity of their sign.
    Float,
    /// Two's complement.
    Signed,
    /// Unsigned integers.
    Unsigned,
}

/// What the elements of a tensor represent, and their width in bytes.
///
/// # Errors
/// If no operator orders elements of this data type.
pub(super) fn kind(tensor: &TensorDesc) -> Result<(Kind, usize), KernelError> {
    Ok(match DataType(tensor.data_type) {
        DataType::FLOAT32 => (Kind::Float, 4),
        DataType::FLOAT16 => (Kind::Float, 2),
        DataType::UINT64 => (Kind::Unsigned, 8),
        DataType::UINT32 => (Kind::Unsigned, 4),
        DataType::UINT16 => (Kind::Unsigned, 2),
        DataType::UINT8 => (Kind::Unsigned, 1),
        DataType::INT64 => (Kind::Signed, 8),
        DataType::INT32 => (Kind::Signed, 4),
        DataType::INT16 => (Kind::Signed, 2),
        DataType::INT8 => (Kind::Signed, 1),
        DataType(other) => return Err(KernelError::DataType(other)),
    })
}

/// Maps elements to keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order<T> {
    /// Bits that count as zero; zero itself if there are no others.
    zero: T,
    /// Makes a rank of bits without a sign, by exclusive or.
    positive: T,
    /// What that needs in addition for bits with a sign.
    turn: T,
}

/// Consecutive bit patterns, around the end of the ring if necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval<T> {
    first: T,
    /// How far the last one is from the first.
    span: T,
    /// The last rank that belongs.
    last: T,
}

impl<T: Word> Interval<T> {
    /// All bit patterns.
    pub(super) const ALL: Self = Self {
        first: T::ZERO,
        span: T::ONES,
        last: T::ONES,
    };

    /// The last rank of the interval, which is that of any element.
    pub(super) fn last(self) -> T {
        self.last
    }

    #[inline(always)]
    pub(super) fn holds(self, bits: T) -> bool {
        bits.minus(self.first) <= self.span
    }
}

impl<T: Word> Order<T> {
    /// The order in which the smallest elements come first, or the largest.
    pub(super) fn new(kind: Kind, largest: bool) -> Self {
        let (negative, positive) = match kind {
            Kind::Float => (T::ONES, T::SIGN),
            Kind::Signed => (T::SIGN, T::SIGN),
            Kind::Unsigned => (T::ZERO, T::ZERO),
        };
        let flip = if largest { T::ONES } else { T::ZERO };
        Self {
            zero: if kind == Kind::Float { T::SIGN } else { T::ZERO },
            positive: positive ^ flip,
            turn: positive ^ negative,
        }
    }

    /// The element's place among all bit patterns.
    #[inline(always)]
    pub(super) fn rank(self, bits: T) -> T {
        bits ^ self.positive ^ (bits.signs() & self.turn)
    }

    /// The bits of this rank.
    #[inline(always)]
    pub(super) fn bits(self, rank: T) -> T {
        let bits = rank ^ self.positive;
        bits ^ (bits.signs() & self.turn)
    }

    #[inline(always)]
    pub(super) fn key(self, bits: T) -> T {
        self.rank(if bits == self.zero { T::ZERO } else { bits })
    }

    /// The key of the element of this rank.
    pub(super) fn key_of_rank(self, rank: T) -> T {
        self.key(self.bits(rank))
    }

    /// The last rank of elements with this key, which is that of an element.
    pub(super) fn last_rank(self, key: T) -> T {
        let (zero, other) = (self.rank(T::ZERO), self.rank(self.zero));
        if key == zero { zero.max(other) } else { key }
    }

    /// The elements whose key is `last` or less. `last` is the key of an element.
    pub(super) fn until(self, last: T) -> Interval<T> {
        self.ranks(self.last_rank(last))
    }

    /// Whether this key is that of the two zeros of floating point.
    pub(super) fn is_zero(self, key: T) -> bool {
        self.zero != T::ZERO && key == self.rank(T::ZERO)
    }

    /// What makes ranks by exclusive or: of the bits in the half that comes first, which has ranks without the highest bit,
    /// and of those in the other half. They are the same if one serves all.
    pub(super) fn flips(self) -> [T; 2] {
        let (positive, negative) = (self.positive, self.positive ^ self.turn);
        if positive & T::SIGN == T::ZERO {
            [positive, negative]
        } else {
            [negative, positive]
        }
    }

    /// The elements whose key is less than `end`, if there are any. `end` is the key of an element.
    pub(super) fn before(self, end: T) -> Option<Interval<T>> {
        let (zero, other) = (self.rank(T::ZERO), self.rank(self.zero));
        let end = if end == zero { zero.min(other) } else { end };
        (end > T::ZERO).then(|| self.ranks(end.minus(T::ONE)))
    }

    /// The bit patterns up to this rank. If bits ascend from the first rank on the interval begins there; if they
    /// descend it ends there. In floating point they descend in the half that comes first, and ascend in the other.
    fn ranks(self, last: T) -> Interval<T> {
        let (lowest, at) = (self.bits(T::ZERO), self.bits(last));
        let (descends, is_float) = (self.bits(T::ONE) < lowest, self.turn != T::ZERO);
        let (first, end) = match descends {
            false => (lowest, at),
            // The whole of the half that comes first, and some of the other.
            true if is_float && last >= T::SIGN => (lowest ^ T::SIGN.minus(T::ONE), at),
            true => (at, lowest),
        };
        Interval {
            first,
            span: end.minus(first),
            last,
        }
    }
}

#[cfg(test)]
mod tests;
