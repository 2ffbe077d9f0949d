// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// Feature levels by name.
pub mod levels {
    use super::FeatureLevel;

    /// Level 1.0, since DirectML 1.0.0.
    pub const FL_1_0: FeatureLevel = FeatureLevel(0x1000);
    /// Level 2.0, since DirectML 1.1.0.
    pub const FL_2_0: FeatureLevel = FeatureLevel(0x2000);
    /// Level 2.1, since DirectML 1.2.0.
    pub const FL_2_1: FeatureLevel = FeatureLevel(0x2100);
    /// Level 3.0, since DirectML 1.4.0.
    pub const FL_3_0: FeatureLevel = FeatureLevel(0x3000);
    /// Level 3.1, since DirectML 1.5.0.
    pub const FL_3_1: FeatureLevel = FeatureLevel(0x3100);
    /// Level 4.0, since DirectML 1.6.0.
    pub const FL_4_0: FeatureLevel = FeatureLevel(0x4000);
    /// Level 4.1, since DirectML 1.7.0.
    pub const FL_4_1: FeatureLevel = FeatureLevel(0x4100);
    /// Level 5.0, since DirectML 1.8.0.
    pub const FL_5_0: FeatureLevel = FeatureLevel(0x5000);
    /// Level 5.1, since DirectML 1.9.0.
    pub const FL_5_1: FeatureLevel = FeatureLevel(0x5100);
    /// Level 5.2, since DirectML 1.10.0.
    pub const FL_5_2: FeatureLevel = FeatureLevel(0x5200);
    /// Level 6.0, since DirectML 1.11.0.
    pub const FL_6_0: FeatureLevel = FeatureLevel(0x6000);
    /// Level 6.1, since DirectML 1.12.0.
    pub const FL_6_1: FeatureLevel = FeatureLevel(0x6100);
    /// Level 6.2, since DirectML 1.13.0.
    pub const FL_6_2: FeatureLevel = FeatureLevel(0x6200);
    /// Level 6.3, since DirectML 1.15.0.
    pub const FL_6_3: FeatureLevel = FeatureLevel(0x6300);
    /// Level 6.4, since DirectML 1.15.0.
    pub const FL_6_4: FeatureLevel = FeatureLevel(0x6400);
}

/// `DML_TENSOR_DATA_TYPE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataType(pub u32);
impl DataType {
    /// Unknown, since level 1.0.
    pub const UNKNOWN: Self = Self(0);
    /// Float, 32 bits, since level 1.0.
    pub const FLOAT32: Self = Self(1);
    /// Float, 16 bits, since level 1.0.
    pub const FLOAT16: Self = Self(2);
    /// Unsigned, 32 bits, since level 1.0.
    pub const UINT32: Self = Self(3);
    /// Unsigned, 16 bits, since level 1.0.
    pub const UINT16: Self = Self(4);
    /// Unsigned, 8 bits, since level 1.0.
    pub const UINT8: Self = Self(5);
    /// Signed, 32 bits, since level 1.0.
    pub const INT32: Self = Self(6);
    /// Signed, 16 bits, since level 1.0.
    pub const INT16: Self = Self(7);
    /// Signed, 8 bits, since level 1.0.
    pub const INT8: Self = Self(8);
    /// Float, 64 bits, since level 1.0.
    pub const FLOAT64: Self = Self(9);
    /// Unsigned, 64 bits, since level 1.0.
    pub const UINT64: Self = Self(10);
    /// Signed, 64 bits, since level 1.0.
    pub const INT64: Self = Self(11);
    /// Unsigned, 4 bits, since level 6.3.
    pub const UINT4: Self = Self(12);
    /// Signed, 4 bits, since level 6.3.
    pub const INT4: Self = Self(13);
    /// Its name without prefix, such as `FLOAT16`; `None` where it is not known.
    pub const fn name(self) -> Option<&'static str> {
        Some(
            match self {
                Self::UNKNOWN => "UNKNOWN",
                Self::FLOAT32 => "FLOAT32",
                Self::FLOAT16 => "FLOAT16",
                Self::UINT32 => "UINT32",
                Self::UINT16 => "UINT16",
                Self::UINT8 => "UINT8",
                Self::INT32 => "INT32",
                Self::INT16 => "INT16",
                Self::INT8 => "INT8",
                Self::FLOAT64 => "FLOAT64",
                Self::UINT64 => "UINT64",
                Self::INT64 => "INT64",
                Self::UINT4 => "UINT4",
                Self::INT4 => "INT4",
                _ => return None,
            },
        )
    }

    /// Whether it is a member of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        self.name().is_some()
    }

    /// Bits an element, 0 for `UNKNOWN`; `None` where it is not known.
    #[inline]
    pub const fn bits(self) -> Option<u32> {
        Some(
            match self {
                Self::UNKNOWN => 0,
                Self::FLOAT32 => 32,
                Self::FLOAT16 => 16,
                Self::UINT32 => 32,
                Self::UINT16 => 16,
                Self::UINT8 => 8,
                Self::INT32 => 32,
                Self::INT16 => 16,
                Self::INT8 => 8,
                Self::FLOAT64 => 64,
                Self::UINT64 => 64,
                Self::INT64 => 64,
                Self::UINT4 => 4,
                Self::INT4 => 4,
                _ => return None,
            },
        )
    }

    /// Whether it is a floating point type.
    #[inline]
    pub const fn is_float(self) -> bool {
        matches!(self.class(), NumberClass::Float)
    }

    /// Whether it is a type of signed whole numbers.
    #[inline]
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), NumberClass::Signed)
    }

    /// Whether it is a type of unsigned whole numbers.
    #[inline]
    pub const fn is_unsigned(self) -> bool {
        matches!(self.class(), NumberClass::Unsigned)
    }

    /// What its bits mean.
    pub const fn class(self) -> NumberClass {
        match self {
            Self::UNKNOWN => NumberClass::Unknown,
            Self::FLOAT32 => NumberClass::Float,
            Self::FLOAT16 => NumberClass::Float,
            Self::UINT32 => NumberClass::Unsigned,
            Self::UINT16 => NumberClass::Unsigned,
            Self::UINT8 => NumberClass::Unsigned,
            Self::INT32 => NumberClass::Signed,
            Self::INT16 => NumberClass::Signed,
            Self::INT8 => NumberClass::Signed,
            Self::FLOAT64 => NumberClass::Float,
            Self::UINT64 => NumberClass::Unsigned,
            Self::INT64 => NumberClass::Signed,
            Self::UINT4 => NumberClass::Unsigned,
            Self::INT4 => NumberClass::Signed,
            _ => NumberClass::Unknown,
        }
    }
}

/// `DML_TENSOR_TYPE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorType(pub u32);
impl TensorType {
    /// `DML_TENSOR_TYPE_INVALID`
    pub const INVALID: Self = Self(0);
    /// `DML_TENSOR_TYPE_BUFFER`
    pub const BUFFER: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::INVALID | Self::BUFFER)
    }
}

/// `DML_AXIS_DIRECTION`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AxisDirection(pub u32);
impl AxisDirection {
    /// `DML_AXIS_DIRECTION_INCREASING`
    pub const INCREASING: Self = Self(0);
    /// `DML_AXIS_DIRECTION_DECREASING`
    pub const DECREASING: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::INCREASING | Self::DECREASING)
    }
}

/// `DML_TENSOR_FLAGS`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorFlags(pub u32);
impl TensorFlags {
    /// `DML_TENSOR_FLAG_NONE`
    pub const NONE: Self = Self(0);
    /// `DML_TENSOR_FLAG_OWNED_BY_DML`
    pub const OWNED_BY_DML: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        self.0 & !0x1 == 0
    }
}

/// What every tensor obeys.
pub mod tensor {
    use super::*;

    /// Which clauses hold for a tensor.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Clauses {
        /// All without which no other rule about the tensor means anything.
        pub structural: bool,
        /// `TENSOR/data-type-known`
        pub data_type_known: bool,
        /// `TENSOR/total-size`
        pub total_size: bool,
        /// `TENSOR/element-limit`
        pub element_limit: bool,
        /// `TENSOR/output-not-broadcast`
        pub output_not_broadcast: bool,
        /// `TENSOR/output-reach`
        pub output_reach: bool,
        /// `TENSOR/output-strides-differ`
        pub output_strides_differ: bool,
        /// `TENSOR/flags-known`
        pub flags_known: bool,
        /// `TENSOR/output-not-owned`
        pub output_not_owned: bool,
        /// `TENSOR/alignment-power-of-two`
        pub alignment_power_of_two: bool,
        /// `TENSOR/alignment-at-least-16`
        pub alignment_at_least_16: bool,
    }

    impl Held for Clauses {
        const ALL: Self = Self {
            structural: true,
            data_type_known: true,
            total_size: true,
            element_limit: true,
            output_not_broadcast: true,
            output_reach: true,
            output_strides_differ: true,
            flags_known: true,
            output_not_owned: true,
            alignment_power_of_two: true,
            alignment_at_least_16: true,
        };

        #[inline]
        fn and(self, other: Self) -> Self {
            Self {
                structural: self.structural && other.structural,
                data_type_known: self.data_type_known && other.data_type_known,
                total_size: self.total_size && other.total_size,
                element_limit: self.element_limit && other.element_limit,
                output_not_broadcast: self.output_not_broadcast
                    && other.output_not_broadcast,
                output_reach: self.output_reach && other.output_reach,
                output_strides_differ: self.output_strides_differ
                    && other.output_strides_differ,
                flags_known: self.flags_known && other.flags_known,
                output_not_owned: self.output_not_owned && other.output_not_owned,
                alignment_power_of_two: self.alignment_power_of_two
                    && other.alignment_power_of_two,
                alignment_at_least_16: self.alignment_at_least_16
                    && other.alignment_at_least_16,
            }
        }

        #[inline]
        fn structural(&self) -> bool {
            self.structural
        }
    }

    /// Checks a tensor.
    pub fn check(on: &mut Subject<'_, '_>) -> Clauses {
        let not_null = on.part.optional
            || on.judge("TENSOR/not-null", Some(true), not_null(on.tensor));
        let type_buffer = not_null && on.observed("TENSOR/type-buffer", type_buffer);
        let sizes_given = type_buffer && on.observed("TENSOR/sizes-given", sizes_given);
        let dimension_count = sizes_given
            && on.normative("TENSOR/dimension-count", dimension_count);
        let strides_per_dimension = sizes_given
            && on.normative("TENSOR/strides-per-dimension", strides_per_dimension);
        let size_nonzero = dimension_count
            && on.normative("TENSOR/size-nonzero", size_nonzero);
        let data_type_known = type_buffer
            && on.normative("TENSOR/data-type-known", data_type_known);
        let total_size = strides_per_dimension && size_nonzero && data_type_known
            && on.normative("TENSOR/total-size", total_size);
        let element_limit = data_type_known
            && on.normative("TENSOR/element-limit", element_limit);
        let output_not_broadcast = !on.part.output
            || strides_per_dimension && size_nonzero
                && on.observed("TENSOR/output-not-broadcast", output_not_broadcast);
        let output_reach = !on.part.output
            || output_not_broadcast && on.observed("TENSOR/output-reach", output_reach);
        let output_strides_differ = !on.part.output
            || output_not_broadcast
                && on.observed("TENSOR/output-strides-differ", output_strides_differ);
        let flags_known = type_buffer && on.observed("TENSOR/flags-known", flags_known);
        let output_not_owned = !on.part.output
            || flags_known && on.normative("TENSOR/output-not-owned", output_not_owned);
        let alignment_power_of_two = data_type_known
            && on.normative("TENSOR/alignment-power-of-two", alignment_power_of_two);
        let alignment_at_least_16 = alignment_power_of_two
            && on
                .disputed(
                    "TENSOR/alignment-at-least-16",
                    |_| Some(true),
                    alignment_at_least_16_runtime,
                );
        Clauses {
            structural: not_null && type_buffer && sizes_given && dimension_count
                && strides_per_dimension && size_nonzero,
            data_type_known,
            total_size,
            element_limit,
            output_not_broadcast,
            output_reach,
            output_strides_differ,
            flags_known,
            output_not_owned,
            alignment_power_of_two,
            alignment_at_least_16,
        }
    }

    /// `TENSOR/not-null`: A tensor that is not optional is given.
    fn not_null(tensor: Option<&TensorDesc>) -> Option<bool> {
        Some(tensor.is_some())
    }

    /// `TENSOR/type-buffer`: The tensor is of type BUFFER, the only type there is.
    fn type_buffer(tensor: &TensorDesc) -> Option<bool> {
        Some(tensor.tensor_type == TensorType::BUFFER.0)
    }

    /// `TENSOR/sizes-given`: The sizes are given.
    fn sizes_given(tensor: &TensorDesc) -> Option<bool> {
        Some(tensor.sizes.is_some())
    }

    /// `TENSOR/dimension-count`: A tensor has 1 to 8 dimensions.
    fn dimension_count(tensor: &TensorDesc) -> Option<bool> {
        Some((1..=8).contains(&tensor.dimension_count()))
    }

    /// `TENSOR/strides-per-dimension`: Strides, where given, are one for each dimension.
    fn strides_per_dimension(tensor: &TensorDesc) -> Option<bool> {
        Some(
            tensor.strides.is_none()
                || count(tensor.strides.as_deref()?) == tensor.dimension_count(),
        )
    }

    /// `TENSOR/size-nonzero`: No dimension has size 0.
    fn size_nonzero(tensor: &TensorDesc) -> Option<bool> {
        all(0..tensor.dimension_count(), |d| Some(at(tensor.sizes.as_deref()?, d)? > 0))
    }

    /// `TENSOR/data-type-known`: The data type is a member of the enumeration.
    fn data_type_known(tensor: &TensorDesc) -> Option<bool> {
        Some(DataType(tensor.data_type).is_known())
    }

    /// `TENSOR/total-size`: The buffer holds at least every element that sizes and strides reach, rounded up to 4 bytes.
    fn total_size(tensor: &TensorDesc) -> Option<bool> {
        Some(
            DataType(tensor.data_type).bits()? == 0
                || tensor.total_tensor_size_in_bytes
                    >= minimum_total_size(tensor, DataType(tensor.data_type).bits()?)?,
        )
    }

    /// `TENSOR/element-limit`: The buffer is no larger than 2^32 - 1 elements.
    fn element_limit(tensor: &TensorDesc) -> Option<bool> {
        Some(
            DataType(tensor.data_type).bits()? == 0
                || div_floor(
                    int(tensor.total_tensor_size_in_bytes) * 8,
                    int(DataType(tensor.data_type).bits()?),
                )? < 4294967296,
        )
    }

    /// `TENSOR/output-not-broadcast`: An output has no stride of 0 where the size is above 1.
    fn output_not_broadcast(tensor: &TensorDesc) -> Option<bool> {
        Some(
            tensor.strides.is_none()
                || all(
                    0..tensor.dimension_count(),
                    |d| Some(
                        at(tensor.sizes.as_deref()?, d)? <= 1
                            || at(tensor.strides.as_deref()?, d)? > 0,
                    ),
                )?,
        )
    }

    /// `TENSOR/output-reach`: The places from an output's first element to its last are no fewer than its elements.
    fn output_reach(tensor: &TensorDesc) -> Option<bool> {
        Some(
            tensor.strides.is_none()
                || 1i128
                    .checked_add(
                        sum_of(
                            0..tensor.dimension_count(),
                            |d| Some(
                                (int(at(tensor.sizes.as_deref()?, d)?) - 1)
                                    * int(at(tensor.strides.as_deref()?, d)?),
                            ),
                        )?,
                    )? >= product(tensor.sizes.as_deref()?)?,
        )
    }

    /// `TENSOR/output-strides-differ`: No two dimensions of an output that have more than one element have the same stride.
    fn output_strides_differ(tensor: &TensorDesc) -> Option<bool> {
        Some(
            tensor.strides.is_none()
                || all(
                    0..tensor.dimension_count(),
                    |d| all(
                        0..d,
                        |d1| Some(
                            !(at(tensor.sizes.as_deref()?, d)? > 1
                                && at(tensor.sizes.as_deref()?, d1)? > 1)
                                || at(tensor.strides.as_deref()?, d)?
                                    != at(tensor.strides.as_deref()?, d1)?,
                        ),
                    ),
                )?,
        )
    }

    /// `TENSOR/flags-known`: No flag is set but OWNED_BY_DML.
    fn flags_known(tensor: &TensorDesc) -> Option<bool> {
        Some(tensor.flags <= 1)
    }

    /// `TENSOR/output-not-owned`: Only inputs may be owned by DirectML.
    fn output_not_owned(tensor: &TensorDesc) -> Option<bool> {
        Some(tensor.flags != 1)
    }

    /// `TENSOR/alignment-power-of-two`: A promised alignment is a power of two that is no smaller than an element.
    fn alignment_power_of_two(tensor: &TensorDesc) -> Option<bool> {
        Some(
            tensor.guaranteed_base_offset_alignment == 0
                || tensor.guaranteed_base_offset_alignment.is_power_of_two()
                    && int(tensor.guaranteed_base_offset_alignment) * 8
                        >= int(DataType(tensor.data_type).bits()?),
        )
    }

    /// `TENSOR/alignment-at-least-16`, as the runtimes have it: Any power of two from the element size on may be promised, also one below 16.
    fn alignment_at_least_16_runtime(tensor: &TensorDesc) -> Option<bool> {
        Some(
            tensor.guaranteed_base_offset_alignment == 0
                || tensor.guaranteed_base_offset_alignment >= 16,
        )
    }
}
