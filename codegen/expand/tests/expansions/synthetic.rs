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
    /// Its name without prefix, such as `FLOAT16`; `None` if it is not known.
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

    /// Bits an element, 0 for `UNKNOWN`; `None` if it is not known.
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

/// `DML_REDUCE_FUNCTION`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReduceFunction(pub u32);
impl ReduceFunction {
    /// `DML_REDUCE_FUNCTION_ARGMAX`
    pub const ARGMAX: Self = Self(0);
    /// `DML_REDUCE_FUNCTION_ARGMIN`
    pub const ARGMIN: Self = Self(1);
    /// `DML_REDUCE_FUNCTION_AVERAGE`
    pub const AVERAGE: Self = Self(2);
    /// `DML_REDUCE_FUNCTION_L1`
    pub const L1: Self = Self(3);
    /// `DML_REDUCE_FUNCTION_L2`
    pub const L2: Self = Self(4);
    /// `DML_REDUCE_FUNCTION_LOG_SUM`
    pub const LOG_SUM: Self = Self(5);
    /// `DML_REDUCE_FUNCTION_LOG_SUM_EXP`
    pub const LOG_SUM_EXP: Self = Self(6);
    /// `DML_REDUCE_FUNCTION_MAX`
    pub const MAX: Self = Self(7);
    /// `DML_REDUCE_FUNCTION_MIN`
    pub const MIN: Self = Self(8);
    /// `DML_REDUCE_FUNCTION_MULTIPLY`
    pub const MULTIPLY: Self = Self(9);
    /// `DML_REDUCE_FUNCTION_SUM`
    pub const SUM: Self = Self(10);
    /// `DML_REDUCE_FUNCTION_SUM_SQUARE`
    pub const SUM_SQUARE: Self = Self(11);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(
            self, Self::ARGMAX | Self::ARGMIN | Self::AVERAGE | Self::L1 | Self::L2 |
            Self::LOG_SUM | Self::LOG_SUM_EXP | Self::MAX | Self::MIN | Self::MULTIPLY |
            Self::SUM | Self::SUM_SQUARE
        )
    }
}

/// `DML_MATRIX_TRANSFORM`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatrixTransform(pub u32);
impl MatrixTransform {
    /// `DML_MATRIX_TRANSFORM_NONE`
    pub const NONE: Self = Self(0);
    /// `DML_MATRIX_TRANSFORM_TRANSPOSE`
    pub const TRANSPOSE: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::NONE | Self::TRANSPOSE)
    }
}

/// `DML_CONVOLUTION_MODE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConvolutionMode(pub u32);
impl ConvolutionMode {
    /// `DML_CONVOLUTION_MODE_CONVOLUTION`
    pub const CONVOLUTION: Self = Self(0);
    /// `DML_CONVOLUTION_MODE_CROSS_CORRELATION`
    pub const CROSS_CORRELATION: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::CONVOLUTION | Self::CROSS_CORRELATION)
    }
}

/// `DML_CONVOLUTION_DIRECTION`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConvolutionDirection(pub u32);
impl ConvolutionDirection {
    /// `DML_CONVOLUTION_DIRECTION_FORWARD`
    pub const FORWARD: Self = Self(0);
    /// `DML_CONVOLUTION_DIRECTION_BACKWARD`
    pub const BACKWARD: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::FORWARD | Self::BACKWARD)
    }
}

/// `DML_PADDING_MODE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaddingMode(pub u32);
impl PaddingMode {
    /// `DML_PADDING_MODE_CONSTANT`
    pub const CONSTANT: Self = Self(0);
    /// `DML_PADDING_MODE_EDGE`
    pub const EDGE: Self = Self(1);
    /// `DML_PADDING_MODE_REFLECTION`
    pub const REFLECTION: Self = Self(2);
    /// `DML_PADDING_MODE_SYMMETRIC`
    pub const SYMMETRIC: Self = Self(3);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::CONSTANT | Self::EDGE | Self::REFLECTION | Self::SYMMETRIC)
    }
}

/// `DML_INTERPOLATION_MODE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterpolationMode(pub u32);
impl InterpolationMode {
    /// `DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR`
    pub const NEAREST_NEIGHBOR: Self = Self(0);
    /// `DML_INTERPOLATION_MODE_LINEAR`
    pub const LINEAR: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::NEAREST_NEIGHBOR | Self::LINEAR)
    }
}

/// `DML_RECURRENT_NETWORK_DIRECTION`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecurrentNetworkDirection(pub u32);
impl RecurrentNetworkDirection {
    /// `DML_RECURRENT_NETWORK_DIRECTION_FORWARD`
    pub const FORWARD: Self = Self(0);
    /// `DML_RECURRENT_NETWORK_DIRECTION_BACKWARD`
    pub const BACKWARD: Self = Self(1);
    /// `DML_RECURRENT_NETWORK_DIRECTION_BIDIRECTIONAL`
    pub const BIDIRECTIONAL: Self = Self(2);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::FORWARD | Self::BACKWARD | Self::BIDIRECTIONAL)
    }
}

/// `DML_ROUNDING_MODE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundingMode(pub u32);
impl RoundingMode {
    /// `DML_ROUNDING_MODE_HALVES_TO_NEAREST_EVEN`
    pub const HALVES_TO_NEAREST_EVEN: Self = Self(0);
    /// `DML_ROUNDING_MODE_TOWARD_ZERO`
    pub const TOWARD_ZERO: Self = Self(1);
    /// `DML_ROUNDING_MODE_TOWARD_INFINITY`
    pub const TOWARD_INFINITY: Self = Self(2);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(
            self, Self::HALVES_TO_NEAREST_EVEN | Self::TOWARD_ZERO |
            Self::TOWARD_INFINITY
        )
    }
}

/// `DML_IS_INFINITY_MODE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IsInfinityMode(pub u32);
impl IsInfinityMode {
    /// `DML_IS_INFINITY_MODE_EITHER`
    pub const EITHER: Self = Self(0);
    /// `DML_IS_INFINITY_MODE_POSITIVE`
    pub const POSITIVE: Self = Self(1);
    /// `DML_IS_INFINITY_MODE_NEGATIVE`
    pub const NEGATIVE: Self = Self(2);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::EITHER | Self::POSITIVE | Self::NEGATIVE)
    }
}

/// `DML_DEPTH_SPACE_ORDER`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DepthSpaceOrder(pub u32);
impl DepthSpaceOrder {
    /// `DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW`
    pub const DEPTH_COLUMN_ROW: Self = Self(0);
    /// `DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH`
    pub const COLUMN_ROW_DEPTH: Self = Self(1);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::DEPTH_COLUMN_ROW | Self::COLUMN_ROW_DEPTH)
    }
}

/// `DML_RANDOM_GENERATOR_TYPE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RandomGeneratorType(pub u32);
impl RandomGeneratorType {
    /// `DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10`
    pub const PHILOX_4X32_10: Self = Self(0);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::PHILOX_4X32_10)
    }
}

/// `DML_MULTIHEAD_ATTENTION_MASK_TYPE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MultiheadAttentionMaskType(pub u32);
impl MultiheadAttentionMaskType {
    /// `DML_MULTIHEAD_ATTENTION_MASK_TYPE_NONE`
    pub const NONE: Self = Self(0);
    /// `DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_SEQUENCE_LENGTH`
    pub const KEY_SEQUENCE_LENGTH: Self = Self(1);
    /// `DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_SEQUENCE_END_START`
    pub const KEY_SEQUENCE_END_START: Self = Self(2);
    /// `DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_QUERY_SEQUENCE_LENGTH_START_END`
    pub const KEY_QUERY_SEQUENCE_LENGTH_START_END: Self = Self(3);
    /// `DML_MULTIHEAD_ATTENTION_MASK_TYPE_BOOLEAN`
    pub const BOOLEAN: Self = Self(4);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(
            self, Self::NONE | Self::KEY_SEQUENCE_LENGTH | Self::KEY_SEQUENCE_END_START |
            Self::KEY_QUERY_SEQUENCE_LENGTH_START_END | Self::BOOLEAN
        )
    }
}

/// `DML_QUANTIZATION_TYPE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuantizationType(pub u32);
impl QuantizationType {
    /// `DML_QUANTIZATION_TYPE_NONE`
    pub const NONE: Self = Self(0);
    /// `DML_QUANTIZATION_TYPE_SCALE`
    pub const SCALE: Self = Self(1);
    /// `DML_QUANTIZATION_TYPE_SCALE_ZERO_POINT`
    pub const SCALE_ZERO_POINT: Self = Self(2);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::NONE | Self::SCALE | Self::SCALE_ZERO_POINT)
    }
}

/// `DML_OPERATOR_TYPE`: any value, known or not.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorType(pub u32);
impl OperatorType {
    /// `DML_OPERATOR_INVALID`
    pub const INVALID: Self = Self(0);
    /// `DML_OPERATOR_ELEMENT_WISE_IDENTITY`
    pub const ELEMENT_WISE_IDENTITY: Self = Self(1);
    /// `DML_OPERATOR_ELEMENT_WISE_ABS`
    pub const ELEMENT_WISE_ABS: Self = Self(2);
    /// `DML_OPERATOR_ELEMENT_WISE_ACOS`
    pub const ELEMENT_WISE_ACOS: Self = Self(3);
    /// `DML_OPERATOR_ELEMENT_WISE_ADD`
    pub const ELEMENT_WISE_ADD: Self = Self(4);
    /// `DML_OPERATOR_ELEMENT_WISE_ASIN`
    pub const ELEMENT_WISE_ASIN: Self = Self(5);
    /// `DML_OPERATOR_ELEMENT_WISE_ATAN`
    pub const ELEMENT_WISE_ATAN: Self = Self(6);
    /// `DML_OPERATOR_ELEMENT_WISE_CEIL`
    pub const ELEMENT_WISE_CEIL: Self = Self(7);
    /// `DML_OPERATOR_ELEMENT_WISE_CLIP`
    pub const ELEMENT_WISE_CLIP: Self = Self(8);
    /// `DML_OPERATOR_ELEMENT_WISE_COS`
    pub const ELEMENT_WISE_COS: Self = Self(9);
    /// `DML_OPERATOR_ELEMENT_WISE_DIVIDE`
    pub const ELEMENT_WISE_DIVIDE: Self = Self(10);
    /// `DML_OPERATOR_ELEMENT_WISE_EXP`
    pub const ELEMENT_WISE_EXP: Self = Self(11);
    /// `DML_OPERATOR_ELEMENT_WISE_FLOOR`
    pub const ELEMENT_WISE_FLOOR: Self = Self(12);
    /// `DML_OPERATOR_ELEMENT_WISE_LOG`
    pub const ELEMENT_WISE_LOG: Self = Self(13);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_AND`
    pub const ELEMENT_WISE_LOGICAL_AND: Self = Self(14);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS`
    pub const ELEMENT_WISE_LOGICAL_EQUALS: Self = Self(15);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN`
    pub const ELEMENT_WISE_LOGICAL_GREATER_THAN: Self = Self(16);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN`
    pub const ELEMENT_WISE_LOGICAL_LESS_THAN: Self = Self(17);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_NOT`
    pub const ELEMENT_WISE_LOGICAL_NOT: Self = Self(18);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_OR`
    pub const ELEMENT_WISE_LOGICAL_OR: Self = Self(19);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_XOR`
    pub const ELEMENT_WISE_LOGICAL_XOR: Self = Self(20);
    /// `DML_OPERATOR_ELEMENT_WISE_MAX`
    pub const ELEMENT_WISE_MAX: Self = Self(21);
    /// `DML_OPERATOR_ELEMENT_WISE_MEAN`
    pub const ELEMENT_WISE_MEAN: Self = Self(22);
    /// `DML_OPERATOR_ELEMENT_WISE_MIN`
    pub const ELEMENT_WISE_MIN: Self = Self(23);
    /// `DML_OPERATOR_ELEMENT_WISE_MULTIPLY`
    pub const ELEMENT_WISE_MULTIPLY: Self = Self(24);
    /// `DML_OPERATOR_ELEMENT_WISE_POW`
    pub const ELEMENT_WISE_POW: Self = Self(25);
    /// `DML_OPERATOR_ELEMENT_WISE_CONSTANT_POW`
    pub const ELEMENT_WISE_CONSTANT_POW: Self = Self(26);
    /// `DML_OPERATOR_ELEMENT_WISE_RECIP`
    pub const ELEMENT_WISE_RECIP: Self = Self(27);
    /// `DML_OPERATOR_ELEMENT_WISE_SIN`
    pub const ELEMENT_WISE_SIN: Self = Self(28);
    /// `DML_OPERATOR_ELEMENT_WISE_SQRT`
    pub const ELEMENT_WISE_SQRT: Self = Self(29);
    /// `DML_OPERATOR_ELEMENT_WISE_SUBTRACT`
    pub const ELEMENT_WISE_SUBTRACT: Self = Self(30);
    /// `DML_OPERATOR_ELEMENT_WISE_TAN`
    pub const ELEMENT_WISE_TAN: Self = Self(31);
    /// `DML_OPERATOR_ELEMENT_WISE_THRESHOLD`
    pub const ELEMENT_WISE_THRESHOLD: Self = Self(32);
    /// `DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR`
    pub const ELEMENT_WISE_QUANTIZE_LINEAR: Self = Self(33);
    /// `DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR`
    pub const ELEMENT_WISE_DEQUANTIZE_LINEAR: Self = Self(34);
    /// `DML_OPERATOR_ACTIVATION_ELU`
    pub const ACTIVATION_ELU: Self = Self(35);
    /// `DML_OPERATOR_ACTIVATION_HARDMAX`
    pub const ACTIVATION_HARDMAX: Self = Self(36);
    /// `DML_OPERATOR_ACTIVATION_HARD_SIGMOID`
    pub const ACTIVATION_HARD_SIGMOID: Self = Self(37);
    /// `DML_OPERATOR_ACTIVATION_IDENTITY`
    pub const ACTIVATION_IDENTITY: Self = Self(38);
    /// `DML_OPERATOR_ACTIVATION_LEAKY_RELU`
    pub const ACTIVATION_LEAKY_RELU: Self = Self(39);
    /// `DML_OPERATOR_ACTIVATION_LINEAR`
    pub const ACTIVATION_LINEAR: Self = Self(40);
    /// `DML_OPERATOR_ACTIVATION_LOG_SOFTMAX`
    pub const ACTIVATION_LOG_SOFTMAX: Self = Self(41);
    /// `DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU`
    pub const ACTIVATION_PARAMETERIZED_RELU: Self = Self(42);
    /// `DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS`
    pub const ACTIVATION_PARAMETRIC_SOFTPLUS: Self = Self(43);
    /// `DML_OPERATOR_ACTIVATION_RELU`
    pub const ACTIVATION_RELU: Self = Self(44);
    /// `DML_OPERATOR_ACTIVATION_SCALED_ELU`
    pub const ACTIVATION_SCALED_ELU: Self = Self(45);
    /// `DML_OPERATOR_ACTIVATION_SCALED_TANH`
    pub const ACTIVATION_SCALED_TANH: Self = Self(46);
    /// `DML_OPERATOR_ACTIVATION_SIGMOID`
    pub const ACTIVATION_SIGMOID: Self = Self(47);
    /// `DML_OPERATOR_ACTIVATION_SOFTMAX`
    pub const ACTIVATION_SOFTMAX: Self = Self(48);
    /// `DML_OPERATOR_ACTIVATION_SOFTPLUS`
    pub const ACTIVATION_SOFTPLUS: Self = Self(49);
    /// `DML_OPERATOR_ACTIVATION_SOFTSIGN`
    pub const ACTIVATION_SOFTSIGN: Self = Self(50);
    /// `DML_OPERATOR_ACTIVATION_TANH`
    pub const ACTIVATION_TANH: Self = Self(51);
    /// `DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU`
    pub const ACTIVATION_THRESHOLDED_RELU: Self = Self(52);
    /// `DML_OPERATOR_CONVOLUTION`
    pub const CONVOLUTION: Self = Self(53);
    /// `DML_OPERATOR_GEMM`
    pub const GEMM: Self = Self(54);
    /// `DML_OPERATOR_REDUCE`
    pub const REDUCE: Self = Self(55);
    /// `DML_OPERATOR_AVERAGE_POOLING`
    pub const AVERAGE_POOLING: Self = Self(56);
    /// `DML_OPERATOR_LP_POOLING`
    pub const LP_POOLING: Self = Self(57);
    /// `DML_OPERATOR_MAX_POOLING`
    pub const MAX_POOLING: Self = Self(58);
    /// `DML_OPERATOR_ROI_POOLING`
    pub const ROI_POOLING: Self = Self(59);
    /// `DML_OPERATOR_SLICE`
    pub const SLICE: Self = Self(60);
    /// `DML_OPERATOR_CAST`
    pub const CAST: Self = Self(61);
    /// `DML_OPERATOR_SPLIT`
    pub const SPLIT: Self = Self(62);
    /// `DML_OPERATOR_JOIN`
    pub const JOIN: Self = Self(63);
    /// `DML_OPERATOR_PADDING`
    pub const PADDING: Self = Self(64);
    /// `DML_OPERATOR_VALUE_SCALE_2D`
    pub const VALUE_SCALE_2D: Self = Self(65);
    /// `DML_OPERATOR_UPSAMPLE_2D`
    pub const UPSAMPLE_2D: Self = Self(66);
    /// `DML_OPERATOR_GATHER`
    pub const GATHER: Self = Self(67);
    /// `DML_OPERATOR_SPACE_TO_DEPTH`
    pub const SPACE_TO_DEPTH: Self = Self(68);
    /// `DML_OPERATOR_DEPTH_TO_SPACE`
    pub const DEPTH_TO_SPACE: Self = Self(69);
    /// `DML_OPERATOR_TILE`
    pub const TILE: Self = Self(70);
    /// `DML_OPERATOR_TOP_K`
    pub const TOP_K: Self = Self(71);
    /// `DML_OPERATOR_BATCH_NORMALIZATION`
    pub const BATCH_NORMALIZATION: Self = Self(72);
    /// `DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION`
    pub const MEAN_VARIANCE_NORMALIZATION: Self = Self(73);
    /// `DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION`
    pub const LOCAL_RESPONSE_NORMALIZATION: Self = Self(74);
    /// `DML_OPERATOR_LP_NORMALIZATION`
    pub const LP_NORMALIZATION: Self = Self(75);
    /// `DML_OPERATOR_RNN`
    pub const RNN: Self = Self(76);
    /// `DML_OPERATOR_LSTM`
    pub const LSTM: Self = Self(77);
    /// `DML_OPERATOR_GRU`
    pub const GRU: Self = Self(78);
    /// `DML_OPERATOR_ELEMENT_WISE_SIGN`
    pub const ELEMENT_WISE_SIGN: Self = Self(79);
    /// `DML_OPERATOR_ELEMENT_WISE_IS_NAN`
    pub const ELEMENT_WISE_IS_NAN: Self = Self(80);
    /// `DML_OPERATOR_ELEMENT_WISE_ERF`
    pub const ELEMENT_WISE_ERF: Self = Self(81);
    /// `DML_OPERATOR_ELEMENT_WISE_SINH`
    pub const ELEMENT_WISE_SINH: Self = Self(82);
    /// `DML_OPERATOR_ELEMENT_WISE_COSH`
    pub const ELEMENT_WISE_COSH: Self = Self(83);
    /// `DML_OPERATOR_ELEMENT_WISE_TANH`
    pub const ELEMENT_WISE_TANH: Self = Self(84);
    /// `DML_OPERATOR_ELEMENT_WISE_ASINH`
    pub const ELEMENT_WISE_ASINH: Self = Self(85);
    /// `DML_OPERATOR_ELEMENT_WISE_ACOSH`
    pub const ELEMENT_WISE_ACOSH: Self = Self(86);
    /// `DML_OPERATOR_ELEMENT_WISE_ATANH`
    pub const ELEMENT_WISE_ATANH: Self = Self(87);
    /// `DML_OPERATOR_ELEMENT_WISE_IF`
    pub const ELEMENT_WISE_IF: Self = Self(88);
    /// `DML_OPERATOR_ELEMENT_WISE_ADD1`
    pub const ELEMENT_WISE_ADD1: Self = Self(89);
    /// `DML_OPERATOR_ACTIVATION_SHRINK`
    pub const ACTIVATION_SHRINK: Self = Self(90);
    /// `DML_OPERATOR_MAX_POOLING1`
    pub const MAX_POOLING1: Self = Self(91);
    /// `DML_OPERATOR_MAX_UNPOOLING`
    pub const MAX_UNPOOLING: Self = Self(92);
    /// `DML_OPERATOR_DIAGONAL_MATRIX`
    pub const DIAGONAL_MATRIX: Self = Self(93);
    /// `DML_OPERATOR_SCATTER_ELEMENTS`
    pub const SCATTER_ELEMENTS: Self = Self(94);
    /// `DML_OPERATOR_ONE_HOT`
    pub const ONE_HOT: Self = Self(95);
    /// `DML_OPERATOR_RESAMPLE`
    pub const RESAMPLE: Self = Self(96);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT`
    pub const ELEMENT_WISE_BIT_SHIFT_LEFT: Self = Self(97);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_RIGHT`
    pub const ELEMENT_WISE_BIT_SHIFT_RIGHT: Self = Self(98);
    /// `DML_OPERATOR_ELEMENT_WISE_ROUND`
    pub const ELEMENT_WISE_ROUND: Self = Self(99);
    /// `DML_OPERATOR_ELEMENT_WISE_IS_INFINITY`
    pub const ELEMENT_WISE_IS_INFINITY: Self = Self(100);
    /// `DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE`
    pub const ELEMENT_WISE_MODULUS_TRUNCATE: Self = Self(101);
    /// `DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR`
    pub const ELEMENT_WISE_MODULUS_FLOOR: Self = Self(102);
    /// `DML_OPERATOR_FILL_VALUE_CONSTANT`
    pub const FILL_VALUE_CONSTANT: Self = Self(103);
    /// `DML_OPERATOR_FILL_VALUE_SEQUENCE`
    pub const FILL_VALUE_SEQUENCE: Self = Self(104);
    /// `DML_OPERATOR_CUMULATIVE_SUMMATION`
    pub const CUMULATIVE_SUMMATION: Self = Self(105);
    /// `DML_OPERATOR_REVERSE_SUBSEQUENCES`
    pub const REVERSE_SUBSEQUENCES: Self = Self(106);
    /// `DML_OPERATOR_GATHER_ELEMENTS`
    pub const GATHER_ELEMENTS: Self = Self(107);
    /// `DML_OPERATOR_GATHER_ND`
    pub const GATHER_ND: Self = Self(108);
    /// `DML_OPERATOR_SCATTER_ND`
    pub const SCATTER_ND: Self = Self(109);
    /// `DML_OPERATOR_MAX_POOLING2`
    pub const MAX_POOLING2: Self = Self(110);
    /// `DML_OPERATOR_SLICE1`
    pub const SLICE1: Self = Self(111);
    /// `DML_OPERATOR_TOP_K1`
    pub const TOP_K1: Self = Self(112);
    /// `DML_OPERATOR_DEPTH_TO_SPACE1`
    pub const DEPTH_TO_SPACE1: Self = Self(113);
    /// `DML_OPERATOR_SPACE_TO_DEPTH1`
    pub const SPACE_TO_DEPTH1: Self = Self(114);
    /// `DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION1`
    pub const MEAN_VARIANCE_NORMALIZATION1: Self = Self(115);
    /// `DML_OPERATOR_RESAMPLE1`
    pub const RESAMPLE1: Self = Self(116);
    /// `DML_OPERATOR_MATRIX_MULTIPLY_INTEGER`
    pub const MATRIX_MULTIPLY_INTEGER: Self = Self(117);
    /// `DML_OPERATOR_QUANTIZED_LINEAR_MATRIX_MULTIPLY`
    pub const QUANTIZED_LINEAR_MATRIX_MULTIPLY: Self = Self(118);
    /// `DML_OPERATOR_CONVOLUTION_INTEGER`
    pub const CONVOLUTION_INTEGER: Self = Self(119);
    /// `DML_OPERATOR_QUANTIZED_LINEAR_CONVOLUTION`
    pub const QUANTIZED_LINEAR_CONVOLUTION: Self = Self(120);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_AND`
    pub const ELEMENT_WISE_BIT_AND: Self = Self(121);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_OR`
    pub const ELEMENT_WISE_BIT_OR: Self = Self(122);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_XOR`
    pub const ELEMENT_WISE_BIT_XOR: Self = Self(123);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_NOT`
    pub const ELEMENT_WISE_BIT_NOT: Self = Self(124);
    /// `DML_OPERATOR_ELEMENT_WISE_BIT_COUNT`
    pub const ELEMENT_WISE_BIT_COUNT: Self = Self(125);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL`
    pub const ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL: Self = Self(126);
    /// `DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL`
    pub const ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL: Self = Self(127);
    /// `DML_OPERATOR_ACTIVATION_CELU`
    pub const ACTIVATION_CELU: Self = Self(128);
    /// `DML_OPERATOR_ACTIVATION_RELU_GRAD`
    pub const ACTIVATION_RELU_GRAD: Self = Self(129);
    /// `DML_OPERATOR_AVERAGE_POOLING_GRAD`
    pub const AVERAGE_POOLING_GRAD: Self = Self(130);
    /// `DML_OPERATOR_MAX_POOLING_GRAD`
    pub const MAX_POOLING_GRAD: Self = Self(131);
    /// `DML_OPERATOR_RANDOM_GENERATOR`
    pub const RANDOM_GENERATOR: Self = Self(132);
    /// `DML_OPERATOR_NONZERO_COORDINATES`
    pub const NONZERO_COORDINATES: Self = Self(133);
    /// `DML_OPERATOR_RESAMPLE_GRAD`
    pub const RESAMPLE_GRAD: Self = Self(134);
    /// `DML_OPERATOR_SLICE_GRAD`
    pub const SLICE_GRAD: Self = Self(135);
    /// `DML_OPERATOR_ADAM_OPTIMIZER`
    pub const ADAM_OPTIMIZER: Self = Self(136);
    /// `DML_OPERATOR_ARGMIN`
    pub const ARGMIN: Self = Self(137);
    /// `DML_OPERATOR_ARGMAX`
    pub const ARGMAX: Self = Self(138);
    /// `DML_OPERATOR_ROI_ALIGN`
    pub const ROI_ALIGN: Self = Self(139);
    /// `DML_OPERATOR_GATHER_ND1`
    pub const GATHER_ND1: Self = Self(140);
    /// `DML_OPERATOR_ELEMENT_WISE_ATAN_YX`
    pub const ELEMENT_WISE_ATAN_YX: Self = Self(141);
    /// `DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD`
    pub const ELEMENT_WISE_CLIP_GRAD: Self = Self(142);
    /// `DML_OPERATOR_ELEMENT_WISE_DIFFERENCE_SQUARE`
    pub const ELEMENT_WISE_DIFFERENCE_SQUARE: Self = Self(143);
    /// `DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION_GRAD`
    pub const LOCAL_RESPONSE_NORMALIZATION_GRAD: Self = Self(144);
    /// `DML_OPERATOR_CUMULATIVE_PRODUCT`
    pub const CUMULATIVE_PRODUCT: Self = Self(145);
    /// `DML_OPERATOR_BATCH_NORMALIZATION_GRAD`
    pub const BATCH_NORMALIZATION_GRAD: Self = Self(146);
    /// `DML_OPERATOR_ELEMENT_WISE_QUANTIZED_LINEAR_ADD`
    pub const ELEMENT_WISE_QUANTIZED_LINEAR_ADD: Self = Self(147);
    /// `DML_OPERATOR_DYNAMIC_QUANTIZE_LINEAR`
    pub const DYNAMIC_QUANTIZE_LINEAR: Self = Self(148);
    /// `DML_OPERATOR_ROI_ALIGN1`
    pub const ROI_ALIGN1: Self = Self(149);
    /// `DML_OPERATOR_ROI_ALIGN_GRAD`
    pub const ROI_ALIGN_GRAD: Self = Self(150);
    /// `DML_OPERATOR_BATCH_NORMALIZATION_TRAINING`
    pub const BATCH_NORMALIZATION_TRAINING: Self = Self(151);
    /// `DML_OPERATOR_BATCH_NORMALIZATION_TRAINING_GRAD`
    pub const BATCH_NORMALIZATION_TRAINING_GRAD: Self = Self(152);
    /// `DML_OPERATOR_ELEMENT_WISE_CLIP1`
    pub const ELEMENT_WISE_CLIP1: Self = Self(153);
    /// `DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1`
    pub const ELEMENT_WISE_CLIP_GRAD1: Self = Self(154);
    /// `DML_OPERATOR_PADDING1`
    pub const PADDING1: Self = Self(155);
    /// `DML_OPERATOR_ELEMENT_WISE_NEGATE`
    pub const ELEMENT_WISE_NEGATE: Self = Self(156);
    /// `DML_OPERATOR_ACTIVATION_GELU`
    pub const ACTIVATION_GELU: Self = Self(157);
    /// `DML_OPERATOR_ACTIVATION_SOFTMAX1`
    pub const ACTIVATION_SOFTMAX1: Self = Self(158);
    /// `DML_OPERATOR_ACTIVATION_LOG_SOFTMAX1`
    pub const ACTIVATION_LOG_SOFTMAX1: Self = Self(159);
    /// `DML_OPERATOR_ACTIVATION_HARDMAX1`
    pub const ACTIVATION_HARDMAX1: Self = Self(160);
    /// `DML_OPERATOR_RESAMPLE2`
    pub const RESAMPLE2: Self = Self(161);
    /// `DML_OPERATOR_RESAMPLE_GRAD1`
    pub const RESAMPLE_GRAD1: Self = Self(162);
    /// `DML_OPERATOR_DIAGONAL_MATRIX1`
    pub const DIAGONAL_MATRIX1: Self = Self(163);
    /// `DML_OPERATOR_MULTIHEAD_ATTENTION`
    pub const MULTIHEAD_ATTENTION: Self = Self(164);
    /// `DML_OPERATOR_LP_POOLING1`
    pub const LP_POOLING1: Self = Self(165);
    /// `DML_OPERATOR_AVERAGE_POOLING1`
    pub const AVERAGE_POOLING1: Self = Self(166);
    /// `DML_OPERATOR_ACTIVATION_SWISH`
    pub const ACTIVATION_SWISH: Self = Self(167);
    /// `DML_OPERATOR_ACTIVATION_HARD_SWISH`
    pub const ACTIVATION_HARD_SWISH: Self = Self(168);
    /// `DML_OPERATOR_QUANTIZED_LINEAR_AVERAGE_POOLING`
    pub const QUANTIZED_LINEAR_AVERAGE_POOLING: Self = Self(169);
    /// `DML_OPERATOR_MATRIX_MULTIPLY_INTEGER_TO_FLOAT`
    pub const MATRIX_MULTIPLY_INTEGER_TO_FLOAT: Self = Self(170);
    /// `DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION2`
    pub const MEAN_VARIANCE_NORMALIZATION2: Self = Self(171);
    /// `DML_OPERATOR_MULTIHEAD_ATTENTION1`
    pub const MULTIHEAD_ATTENTION1: Self = Self(172);
    /// `DML_OPERATOR_QUANTIZE`
    pub const QUANTIZE: Self = Self(173);
    /// `DML_OPERATOR_DEQUANTIZE`
    pub const DEQUANTIZE: Self = Self(174);
    /// `DML_OPERATOR_RESAMPLE3`
    pub const RESAMPLE3: Self = Self(175);
    /// `DML_OPERATOR_FOLD`
    pub const FOLD: Self = Self(176);
    /// `DML_OPERATOR_UNFOLD`
    pub const UNFOLD: Self = Self(177);
    /// Whether it is made of members of the enumeration.
    #[inline]
    pub const fn is_known(self) -> bool {
        matches!(
            self, Self::INVALID | Self::ELEMENT_WISE_IDENTITY | Self::ELEMENT_WISE_ABS |
            Self::ELEMENT_WISE_ACOS | Self::ELEMENT_WISE_ADD | Self::ELEMENT_WISE_ASIN |
            Self::ELEMENT_WISE_ATAN | Self::ELEMENT_WISE_CEIL | Self::ELEMENT_WISE_CLIP |
            Self::ELEMENT_WISE_COS | Self::ELEMENT_WISE_DIVIDE | Self::ELEMENT_WISE_EXP |
            Self::ELEMENT_WISE_FLOOR | Self::ELEMENT_WISE_LOG |
            Self::ELEMENT_WISE_LOGICAL_AND | Self::ELEMENT_WISE_LOGICAL_EQUALS |
            Self::ELEMENT_WISE_LOGICAL_GREATER_THAN |
            Self::ELEMENT_WISE_LOGICAL_LESS_THAN | Self::ELEMENT_WISE_LOGICAL_NOT |
            Self::ELEMENT_WISE_LOGICAL_OR | Self::ELEMENT_WISE_LOGICAL_XOR |
            Self::ELEMENT_WISE_MAX | Self::ELEMENT_WISE_MEAN | Self::ELEMENT_WISE_MIN |
            Self::ELEMENT_WISE_MULTIPLY | Self::ELEMENT_WISE_POW |
            Self::ELEMENT_WISE_CONSTANT_POW | Self::ELEMENT_WISE_RECIP |
            Self::ELEMENT_WISE_SIN | Self::ELEMENT_WISE_SQRT |
            Self::ELEMENT_WISE_SUBTRACT | Self::ELEMENT_WISE_TAN |
            Self::ELEMENT_WISE_THRESHOLD | Self::ELEMENT_WISE_QUANTIZE_LINEAR |
            Self::ELEMENT_WISE_DEQUANTIZE_LINEAR | Self::ACTIVATION_ELU |
            Self::ACTIVATION_HARDMAX | Self::ACTIVATION_HARD_SIGMOID |
            Self::ACTIVATION_IDENTITY | Self::ACTIVATION_LEAKY_RELU |
            Self::ACTIVATION_LINEAR | Self::ACTIVATION_LOG_SOFTMAX |
            Self::ACTIVATION_PARAMETERIZED_RELU | Self::ACTIVATION_PARAMETRIC_SOFTPLUS |
            Self::ACTIVATION_RELU | Self::ACTIVATION_SCALED_ELU |
            Self::ACTIVATION_SCALED_TANH | Self::ACTIVATION_SIGMOID |
            Self::ACTIVATION_SOFTMAX | Self::ACTIVATION_SOFTPLUS |
            Self::ACTIVATION_SOFTSIGN | Self::ACTIVATION_TANH |
            Self::ACTIVATION_THRESHOLDED_RELU | Self::CONVOLUTION | Self::GEMM |
            Self::REDUCE | Self::AVERAGE_POOLING | Self::LP_POOLING | Self::MAX_POOLING |
            Self::ROI_POOLING | Self::SLICE | Self::CAST | Self::SPLIT | Self::JOIN |
            Self::PADDING | Self::VALUE_SCALE_2D | Self::UPSAMPLE_2D | Self::GATHER |
            Self::SPACE_TO_DEPTH | Self::DEPTH_TO_SPACE | Self::TILE | Self::TOP_K |
            Self::BATCH_NORMALIZATION | Self::MEAN_VARIANCE_NORMALIZATION |
            Self::LOCAL_RESPONSE_NORMALIZATION | Self::LP_NORMALIZATION | Self::RNN |
            Self::LSTM | Self::GRU | Self::ELEMENT_WISE_SIGN | Self::ELEMENT_WISE_IS_NAN
            | Self::ELEMENT_WISE_ERF | Self::ELEMENT_WISE_SINH | Self::ELEMENT_WISE_COSH
            | Self::ELEMENT_WISE_TANH | Self::ELEMENT_WISE_ASINH |
            Self::ELEMENT_WISE_ACOSH | Self::ELEMENT_WISE_ATANH | Self::ELEMENT_WISE_IF |
            Self::ELEMENT_WISE_ADD1 | Self::ACTIVATION_SHRINK | Self::MAX_POOLING1 |
            Self::MAX_UNPOOLING | Self::DIAGONAL_MATRIX | Self::SCATTER_ELEMENTS |
            Self::ONE_HOT | Self::RESAMPLE | Self::ELEMENT_WISE_BIT_SHIFT_LEFT |
            Self::ELEMENT_WISE_BIT_SHIFT_RIGHT | Self::ELEMENT_WISE_ROUND |
            Self::ELEMENT_WISE_IS_INFINITY | Self::ELEMENT_WISE_MODULUS_TRUNCATE |
            Self::ELEMENT_WISE_MODULUS_FLOOR | Self::FILL_VALUE_CONSTANT |
            Self::FILL_VALUE_SEQUENCE | Self::CUMULATIVE_SUMMATION |
            Self::REVERSE_SUBSEQUENCES | Self::GATHER_ELEMENTS | Self::GATHER_ND |
            Self::SCATTER_ND | Self::MAX_POOLING2 | Self::SLICE1 | Self::TOP_K1 |
            Self::DEPTH_TO_SPACE1 | Self::SPACE_TO_DEPTH1 |
            Self::MEAN_VARIANCE_NORMALIZATION1 | Self::RESAMPLE1 |
            Self::MATRIX_MULTIPLY_INTEGER | Self::QUANTIZED_LINEAR_MATRIX_MULTIPLY |
            Self::CONVOLUTION_INTEGER | Self::QUANTIZED_LINEAR_CONVOLUTION |
            Self::ELEMENT_WISE_BIT_AND | Self::ELEMENT_WISE_BIT_OR |
            Self::ELEMENT_WISE_BIT_XOR | Self::ELEMENT_WISE_BIT_NOT |
            Self::ELEMENT_WISE_BIT_COUNT |
            Self::ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL |
            Self::ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL | Self::ACTIVATION_CELU |
            Self::ACTIVATION_RELU_GRAD | Self::AVERAGE_POOLING_GRAD |
            Self::MAX_POOLING_GRAD | Self::RANDOM_GENERATOR | Self::NONZERO_COORDINATES |
            Self::RESAMPLE_GRAD | Self::SLICE_GRAD | Self::ADAM_OPTIMIZER | Self::ARGMIN
            | Self::ARGMAX | Self::ROI_ALIGN | Self::GATHER_ND1 |
            Self::ELEMENT_WISE_ATAN_YX | Self::ELEMENT_WISE_CLIP_GRAD |
            Self::ELEMENT_WISE_DIFFERENCE_SQUARE |
            Self::LOCAL_RESPONSE_NORMALIZATION_GRAD | Self::CUMULATIVE_PRODUCT |
            Self::BATCH_NORMALIZATION_GRAD | Self::ELEMENT_WISE_QUANTIZED_LINEAR_ADD |
            Self::DYNAMIC_QUANTIZE_LINEAR | Self::ROI_ALIGN1 | Self::ROI_ALIGN_GRAD |
            Self::BATCH_NORMALIZATION_TRAINING | Self::BATCH_NORMALIZATION_TRAINING_GRAD
            | Self::ELEMENT_WISE_CLIP1 | Self::ELEMENT_WISE_CLIP_GRAD1 | Self::PADDING1 |
            Self::ELEMENT_WISE_NEGATE | Self::ACTIVATION_GELU | Self::ACTIVATION_SOFTMAX1
            | Self::ACTIVATION_LOG_SOFTMAX1 | Self::ACTIVATION_HARDMAX1 | Self::RESAMPLE2
            | Self::RESAMPLE_GRAD1 | Self::DIAGONAL_MATRIX1 | Self::MULTIHEAD_ATTENTION |
            Self::LP_POOLING1 | Self::AVERAGE_POOLING1 | Self::ACTIVATION_SWISH |
            Self::ACTIVATION_HARD_SWISH | Self::QUANTIZED_LINEAR_AVERAGE_POOLING |
            Self::MATRIX_MULTIPLY_INTEGER_TO_FLOAT | Self::MEAN_VARIANCE_NORMALIZATION2 |
            Self::MULTIHEAD_ATTENTION1 | Self::QUANTIZE | Self::DEQUANTIZE |
            Self::RESAMPLE3 | Self::FOLD | Self::UNFOLD
        )
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
        /// The clauses that every other rule about the tensor needs.
        pub structural: bool,
        /// `TENSOR/data-type-known`
        pub data_type_known: bool,
        /// `TENSOR/total-size-far`
        pub total_size_far: bool,
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
            total_size_far: true,
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
                total_size_far: self.total_size_far && other.total_size_far,
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
        let total_size_far = strides_per_dimension && size_nonzero && data_type_known
            && on.normative("TENSOR/total-size-far", total_size_far);
        let total_size = total_size_far && on.normative("TENSOR/total-size", total_size);
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
            total_size_far,
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

    /// `TENSOR/total-size-far`: A tensor that reaches 4 GiB or more is held against all of its bytes, not against what 32 bits keep of their number.
    fn total_size_far(tensor: &TensorDesc) -> Option<bool> {
        Some(
            !(DataType(tensor.data_type).bits()? > 0
                && minimum_total_size(tensor, DataType(tensor.data_type).bits()?)?
                    >= 4294967296)
                || tensor.total_tensor_size_in_bytes
                    >= minimum_total_size(tensor, DataType(tensor.data_type).bits()?)?,
        )
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

/// `DML_EVERYTHING_OPERATOR_DESC`, since level 2.0.
pub mod everything {
    use super::*;

    /// Does nothing with everything.
    ///
    /// # Constraints
    /// - `EVERYTHING/arithmetic`: Sums, products, quotients.
    /// - `EVERYTHING/overflow`: Beyond 128 bits nothing is defined.
    /// - `EVERYTHING/division`: By zero nothing is defined.
    /// - `EVERYTHING/rounding`: Rounding up.
    /// - `EVERYTHING/extremes`: The smaller and the larger.
    /// - `EVERYTHING/floats`: Floating point.
    /// - `EVERYTHING/float-lists`: Lists of them.
    /// - `EVERYTHING/truth`: Truth values.
    /// - `EVERYTHING/named`: Constants by name.
    /// - `EVERYTHING/types`: Kinds of data types.
    /// - `EVERYTHING/levels`: Some things come later.
    /// - `EVERYTHING/numbers-in-sets`: Numbers in sets.
    /// - `EVERYTHING/lists`: Lists.
    /// - `EVERYTHING/more-lists`: More lists.
    /// - `EVERYTHING/chosen`: One or the other.
    /// - `EVERYTHING/nested-type`: What follows is known by its type.
    /// - `EVERYTHING/size`: Extents are lists of two.
    /// - `EVERYTHING/presence`: What is there.
    /// - `EVERYTHING/mask-matches`: The mask, where given, has the input's sizes.
    /// - `EVERYTHING/all-alike`: All inputs are of one type.
    /// - `EVERYTHING/nested`: Quantifiers in quantifiers.
    /// - `EVERYTHING/joined`: Sums over arrays.
    /// - `EVERYTHING/made-lists`: Lists made by rules.
    /// - `EVERYTHING/long-range`: Ranges have a limit.
    /// - `EVERYTHING/layouts`: Layouts.
    /// - `EVERYTHING/outputs-known`: Rests on what holds for every output.
    /// - `EVERYTHING/disputed-count`: Fewer than three.
    /// - `EVERYTHING/rests-on-disputed`: Goes by what the runtimes accept.
    /// - `EVERYTHING/observed-flag`: Nobody says so.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Everything {
        /// Must be there.
        pub input_tensor: Option<TensorDesc>,
        /// May be absent.
        pub mask_tensor: Option<TensorDesc>,
        /// Length of the inputs.
        pub input_count: u32,
        /// Several.
        pub input_tensors: Option<Vec<TensorDesc>>,
        /// Must be there.
        pub output_tensor: Option<TensorDesc>,
        /// Several or none.
        pub output_tensors: Option<Vec<TensorDesc>>,
        /// An enumeration.
        pub direction: AxisDirection,
        /// A data type.
        pub type_: DataType,
        /// A truth value.
        pub flag: u32,
        /// A signed number.
        pub shift: i32,
        /// A number.
        pub alpha: f32,
        /// Length of the lists.
        pub dimension_count: u32,
        /// Unsigned numbers.
        pub window: Option<Dims>,
        /// Signed numbers.
        pub pads: Option<SmallVec<[i32; 8]>>,
        /// Numbers.
        pub scales: Option<SmallVec<[f32; 8]>>,
        /// A linear function.
        pub scale_bias: Option<(f32, f32)>,
        /// An extent.
        pub stretch: (u32, u32),
        /// A number of that type.
        pub fill: [u8; 8],
        /// What follows.
        pub activation: Option<Box<Descriptor>>,
        /// What follows further.
        pub activations: Option<Vec<Descriptor>>,
    }

    impl Operator for Everything {
        const NAME: &'static str = "EVERYTHING";
        const TYPE: u32 = 1000;
        const INTRODUCED: FeatureLevel = levels::FL_2_0;
        const INPUTS: usize = 3;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 20)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                mask_tensor: fields.tensor("MaskTensor")?,
                input_count: fields.uint("InputCount")?,
                input_tensors: fields.tensors("InputTensors")?,
                output_tensor: fields.tensor("OutputTensor")?,
                output_tensors: fields.tensors("OutputTensors")?,
                direction: AxisDirection(fields.uint("Direction")?),
                type_: DataType(fields.uint("Type")?),
                flag: fields.uint("Flag")?,
                shift: fields.int("Shift")?,
                alpha: fields.float("Alpha")?,
                dimension_count: fields.uint("DimensionCount")?,
                window: fields.uints("Window")?,
                pads: fields.ints("Pads")?,
                scales: fields.floats("Scales")?,
                scale_bias: fields.scale_bias("ScaleBias")?,
                stretch: fields.size2d("Stretch")?,
                fill: fields.scalar("Fill")?,
                activation: fields.operator("Activation")?,
                activations: fields.operators("Activations")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.mask_tensor.clone()),
                    Value::UInt(self.input_count),
                    Value::Tensors(self.input_tensors.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::Tensors(self.output_tensors.clone()),
                    Value::UInt(self.direction.0),
                    Value::UInt(self.type_.0),
                    Value::UInt(self.flag),
                    Value::Int(self.shift),
                    Value::Float(self.alpha),
                    Value::UInt(self.dimension_count),
                    Value::UInts(self.window.clone()),
                    Value::Ints(self.pads.clone()),
                    Value::Floats(self.scales.clone()),
                    Value::ScaleBias(self.scale_bias),
                    Value::Size2D(self.stretch.0, self.stretch.1),
                    Value::Scalar(self.fill),
                    Value::Operator(self.activation.clone()),
                    Value::Operators(self.activations.clone()),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "EVERYTHING/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                self.group(level),
                since,
                tensor::check,
                found,
            );
            let input_tensor = tensors.one(INPUT, "InputTensor", &self.input_tensor);
            let mask_tensor = tensors
                .one(OPTIONAL_INPUT, "MaskTensor", &self.mask_tensor);
            let input_tensors = tensors.each(INPUT, "InputTensors", &self.input_tensors);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            let output_tensors = tensors
                .each(OPTIONAL_OUTPUT, "OutputTensors", &self.output_tensors);
            found.normative("EVERYTHING/arithmetic", self.arithmetic());
            found.normative("EVERYTHING/overflow", self.overflow());
            found.normative("EVERYTHING/division", self.division());
            found.normative("EVERYTHING/rounding", self.rounding());
            found.normative("EVERYTHING/extremes", self.extremes());
            found.normative("EVERYTHING/floats", self.floats());
            found.normative("EVERYTHING/float-lists", self.float_lists());
            found.normative("EVERYTHING/truth", self.truth());
            found.normative("EVERYTHING/named", self.named());
            if input_tensor.structural {
                found.normative("EVERYTHING/types", self.types());
            }
            found.normative("EVERYTHING/levels", self.levels(level));
            if input_tensor.structural {
                found.normative("EVERYTHING/numbers-in-sets", self.numbers_in_sets());
            }
            if input_tensor.structural {
                found.normative("EVERYTHING/lists", self.lists());
            }
            found.normative("EVERYTHING/more-lists", self.more_lists());
            found.normative("EVERYTHING/chosen", self.chosen());
            found.normative("EVERYTHING/nested-type", self.nested_type());
            found.normative("EVERYTHING/size", self.size());
            if mask_tensor.structural && input_tensors.structural {
                found.normative("EVERYTHING/presence", self.presence());
            }
            if input_tensor.structural && mask_tensor.structural {
                found.normative("EVERYTHING/mask-matches", self.mask_matches());
            }
            let all_alike = input_tensors.structural
                && found.normative("EVERYTHING/all-alike", self.all_alike());
            if output_tensor.structural && all_alike {
                found.normative("EVERYTHING/nested", self.nested());
            }
            if input_tensors.structural && output_tensor.structural {
                found.normative("EVERYTHING/joined", self.joined());
            }
            if input_tensor.structural && output_tensor.structural {
                found.normative("EVERYTHING/made-lists", self.made_lists());
            }
            found.normative("EVERYTHING/long-range", self.long_range());
            if input_tensor.structural && output_tensor.structural {
                found.normative("EVERYTHING/layouts", self.layouts());
            }
            if output_tensors.structural && output_tensors.data_type_known {
                found.normative("EVERYTHING/outputs-known", self.outputs_known());
            }
            let disputed_count = found
                .disputed(
                    "EVERYTHING/disputed-count",
                    self.disputed_count(),
                    self.disputed_count_runtime(),
                );
            if disputed_count {
                found
                    .normative("EVERYTHING/rests-on-disputed", self.rests_on_disputed());
            }
            found.observed("EVERYTHING/observed-flag", self.observed_flag());
        }
    }

    impl Everything {
        /// `EVERYTHING/arithmetic`: Sums, products, quotients.
        fn arithmetic(&self) -> Option<bool> {
            Some(
                (int(self.input_count) + 3) * 2 - rem_floor(int(self.shift), 5)?
                    >= -div_floor(int(self.shift), 7)?
                        - int(self.dimension_count) * int(self.dimension_count),
            )
        }

        /// `EVERYTHING/overflow`: Beyond 128 bits nothing is defined.
        fn overflow(&self) -> Option<bool> {
            Some(
                product_of(
                    0..self.input_count,
                    |_| Some(4294967295 * (int(self.shift) + 1)),
                )? > -5,
            )
        }

        /// `EVERYTHING/division`: By zero nothing is defined.
        fn division(&self) -> Option<bool> {
            Some(
                div_floor(int(self.dimension_count), int(self.input_count))? < 9
                    || rem_floor(int(self.input_count), int(self.shift))? == 0,
            )
        }

        /// `EVERYTHING/rounding`: Rounding up.
        fn rounding(&self) -> Option<bool> {
            Some(
                div_ceil(int(self.shift), 4)?
                    <= align_up(int(self.input_count), int(self.dimension_count))?
                    && is_power_of_two(int(self.input_count) + 1)
                    && !self.dimension_count.is_power_of_two(),
            )
        }

        /// `EVERYTHING/extremes`: The smaller and the larger.
        fn extremes(&self) -> Option<bool> {
            Some(
                int(self.input_count).min(int(self.shift))
                    <= 5i128.max(int(self.dimension_count))
                    && int(self.shift).checked_abs()? < 5,
            )
        }

        /// `EVERYTHING/floats`: Floating point.
        fn floats(&self) -> Option<bool> {
            Some(
                f64::from(self.alpha) * 2.0 - 1.0
                    < div_float(f64::from(self.alpha), f64::from(self.scale_bias?.0))?
                    && !(f64::from(self.alpha) >= f64::from(self.scale_bias?.1)),
            )
        }

        /// `EVERYTHING/float-lists`: Lists of them.
        fn float_lists(&self) -> Option<bool> {
            Some(
                count(self.scales.as_deref()?) != self.dimension_count
                    || all(
                        0..self.dimension_count,
                        |d| Some(f64::from(at(self.scales.as_deref()?, d)?) > 0.0 - 1.5),
                    )?,
            )
        }

        /// `EVERYTHING/truth`: Truth values.
        fn truth(&self) -> Option<bool> {
            Some(
                self.flag != 0
                    || self.scale_bias.is_none() && (self.flag != 0) == (self.shift > 0),
            )
        }

        /// `EVERYTHING/named`: Constants by name.
        fn named(&self) -> Option<bool> {
            Some(
                self.direction.is_known()
                    && (self.direction.0 == AxisDirection::INCREASING.0
                        || [DataType::FLOAT32.0, DataType::FLOAT16.0]
                            .contains(&self.type_.0))
                    && self.direction.0 != AxisDirection::DECREASING.0,
            )
        }

        /// `EVERYTHING/types`: Kinds of data types.
        fn types(&self) -> Option<bool> {
            Some(
                self.type_.is_known() && !self.type_.is_float()
                    && (self.type_.is_signed()
                        || DataType(self.input_tensor.as_ref()?.data_type).is_unsigned())
                    && self.type_.bits()? <= 32,
            )
        }

        /// `EVERYTHING/levels`: Some things come later.
        fn levels(&self, level: FeatureLevel) -> Option<bool> {
            Some(
                level.0 >= levels::FL_3_1.0 || [1, 4, 8].contains(&self.dimension_count),
            )
        }

        /// `EVERYTHING/numbers-in-sets`: Numbers in sets.
        fn numbers_in_sets(&self) -> Option<bool> {
            Some(
                [-1i128, 0i128, 4294967296i128].contains(&int(self.shift))
                    || [64, 4]
                        .contains(
                            &self.input_tensor.as_ref()?.total_tensor_size_in_bytes,
                        ),
            )
        }

        /// `EVERYTHING/lists`: Lists.
        fn lists(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(
                same(
                    self.window.as_deref()?,
                    &with(input_tensor.sizes.as_deref()?, 0, self.input_count)?,
                ) || same(self.pads.as_deref()?, &[1u32, 2, raw(self.shift)?])
                    || sum(self.window.as_deref()?)? == product(self.pads.as_deref()?)?,
            )
        }

        /// `EVERYTHING/more-lists`: More lists.
        fn more_lists(&self) -> Option<bool> {
            Some(
                contains(self.window.as_deref()?, self.shift)
                    || distinct(self.pads.as_deref()?)
                        && !same(
                            self.window.as_deref()?,
                            &with(self.pads.as_deref()?, 1, 3)?,
                        ),
            )
        }

        /// `EVERYTHING/chosen`: One or the other.
        fn chosen(&self) -> Option<bool> {
            Some(
                !same(
                    &(if self.flag != 0 {
                        ints(self.window.as_deref()?)
                    } else {
                        ints(self.pads.as_deref()?)
                    }),
                    &[0_u32; 0],
                ) && (if self.shift > 2 { int(self.input_count) } else { 7i128 }) > 1
                    && (if self.flag != 0 { f64::from(self.alpha) } else { 0.5 }) < 100.0,
            )
        }

        /// `EVERYTHING/nested-type`: What follows is known by its type.
        fn nested_type(&self) -> Option<bool> {
            Some(
                self.activation.is_none()
                    || [OperatorType::INVALID.0, OperatorType::ACTIVATION_RELU.0]
                        .contains(
                            &find(&self.activation.as_deref()?.operator)?.type_value,
                        ) || self.activation.as_deref()?.is_unbound(),
            )
        }

        /// `EVERYTHING/size`: Extents are lists of two.
        fn size(&self) -> Option<bool> {
            Some(
                int(at(&[self.stretch.0, self.stretch.1], 0)?)
                    <= int(at(&[self.stretch.0, self.stretch.1], 1)?) + 2
                    && !same(&[self.stretch.0, self.stretch.1], &[3u32, 4]),
            )
        }

        /// `EVERYTHING/presence`: What is there.
        fn presence(&self) -> Option<bool> {
            Some(
                self.activation.is_some() || self.activations.is_some()
                    || self.mask_tensor.is_some() || self.window.is_some()
                    || element(self.input_tensors.as_deref()?, 1).map(|_| true)?,
            )
        }

        /// `EVERYTHING/mask-matches`: The mask, where given, has the input's sizes.
        fn mask_matches(&self) -> Option<bool> {
            Some(
                self.mask_tensor.is_none()
                    || same(
                        self.mask_tensor.as_ref()?.sizes.as_deref()?,
                        self.input_tensor.as_ref()?.sizes.as_deref()?,
                    ),
            )
        }

        /// `EVERYTHING/all-alike`: All inputs are of one type.
        fn all_alike(&self) -> Option<bool> {
            all(
                0..count(self.input_tensors.as_deref()?),
                |d| Some(
                    element(self.input_tensors.as_deref()?, d)?.data_type
                        == element(self.input_tensors.as_deref()?, 0)?.data_type,
                ),
            )
        }

        /// `EVERYTHING/nested`: Quantifiers in quantifiers.
        fn nested(&self) -> Option<bool> {
            any(
                0..count(self.input_tensors.as_deref()?),
                |d| all(
                    0..element(self.input_tensors.as_deref()?, d)?.dimension_count(),
                    |d1| Some(
                        at(
                            element(self.input_tensors.as_deref()?, d)?
                                .sizes
                                .as_deref()?,
                            d1,
                        )? == at(self.output_tensor.as_ref()?.sizes.as_deref()?, d1)?,
                    ),
                ),
            )
        }

        /// `EVERYTHING/joined`: Sums over arrays.
        fn joined(&self) -> Option<bool> {
            let output_tensor = self.output_tensor.as_ref()?;
            Some(
                sum_of(
                    0..count(self.input_tensors.as_deref()?),
                    |d| Some(
                        int(
                            at(
                                element(self.input_tensors.as_deref()?, d)?
                                    .sizes
                                    .as_deref()?,
                                0,
                            )?,
                        ),
                    ),
                )? >= int(at(output_tensor.sizes.as_deref()?, 0)?),
            )
        }

        /// `EVERYTHING/made-lists`: Lists made by rules.
        fn made_lists(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(
                same(
                    output_tensor.sizes.as_deref()?,
                    &list_of(
                        0..input_tensor.dimension_count(),
                        |d| Some(
                            int(at(input_tensor.sizes.as_deref()?, d)?)
                                + int(at(self.pads.as_deref()?, d)?),
                        ),
                    )?,
                ) || at(&layout_strides(input_tensor)?, 0)? > 2,
            )
        }

        /// `EVERYTHING/long-range`: Ranges have a limit.
        fn long_range(&self) -> Option<bool> {
            all(int(self.shift)..int(self.input_count), |d| Some(d < 4000))
        }

        /// `EVERYTHING/layouts`: Layouts.
        fn layouts(&self) -> Option<bool> {
            let output_tensor = self.output_tensor.as_ref()?;
            Some(
                output_tensor.sizes.is_some()
                    && (self.input_tensor.as_ref()?.strides.is_none()
                        || !overlaps(self.input_tensor.as_ref()?)?)
                    && int(
                        minimum_total_size(
                            self.input_tensor.as_ref()?,
                            DataType(self.input_tensor.as_ref()?.data_type).bits()?,
                        )?,
                    ) + 64 >= int(self.input_tensor.as_ref()?.total_tensor_size_in_bytes),
            )
        }

        /// `EVERYTHING/outputs-known`: Rests on what holds for every output.
        fn outputs_known(&self) -> Option<bool> {
            Some(
                count(self.output_tensors.as_deref()?) == 0
                    || DataType(element(self.output_tensors.as_deref()?, 0)?.data_type)
                        .bits()? >= 8,
            )
        }

        /// `EVERYTHING/disputed-count`: Fewer than three.
        fn disputed_count(&self) -> Option<bool> {
            Some(self.input_count < 3)
        }

        /// `EVERYTHING/disputed-count`, as the runtimes have it: Fewer than three.
        fn disputed_count_runtime(&self) -> Option<bool> {
            Some(self.input_count <= 3)
        }

        /// `EVERYTHING/rests-on-disputed`: Goes by what the runtimes accept.
        fn rests_on_disputed(&self) -> Option<bool> {
            Some(self.input_count != 1)
        }

        /// `EVERYTHING/observed-flag`: Nobody says so.
        fn observed_flag(&self) -> Option<bool> {
            Some(self.flag == 0)
        }

        /// Whether the rows of `flagged` are this descriptor's.
        fn is_of_flagged(&self, level: FeatureLevel) -> Option<bool> {
            Some(self.flag != 0 && level.0 >= levels::FL_2_1.0)
        }

        /// Whether the rows of `plain` are this descriptor's.
        fn is_of_plain(&self) -> Option<bool> {
            Some(self.flag == 0 && self.input_tensor.as_ref()?.dimension_count() > 0)
        }

        /// The descriptor's group of rows in the support tables.
        fn group(&self, level: FeatureLevel) -> Option<&'static str> {
            if self.is_of_flagged(level) == Some(true) {
                return Some("flagged");
            }
            if self.is_of_plain() == Some(true) {
                return Some("plain");
            }
            None
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_2_0,
            rows: &[
                SupportRow {
                    group: "flagged",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/flagged/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/flagged/InputTensor/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/2.0/flagged/InputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/2.0/flagged/InputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/2.0/flagged/InputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/flagged/InputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/flagged/InputTensor/INT16"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/flagged/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/2.0/flagged/InputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/2.0/flagged/InputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/flagged/InputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/flagged/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "EVERYTHING/2.0/flagged/InputTensor/1-D"),
                        (2, "EVERYTHING/2.0/flagged/InputTensor/2-D"),
                        (3, "EVERYTHING/2.0/flagged/InputTensor/3-D"),
                        (5, "EVERYTHING/2.0/flagged/InputTensor/5-D"),
                        (6, "EVERYTHING/2.0/flagged/InputTensor/6-D"),
                        (7, "EVERYTHING/2.0/flagged/InputTensor/7-D"),
                        (8, "EVERYTHING/2.0/flagged/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "MaskTensor",
                    dimensions: (1, 8),
                    types: &[DataType::UINT8.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/flagged/MaskTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT32.0,
                            "EVERYTHING/2.0/flagged/MaskTensor/FLOAT32",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/flagged/MaskTensor/FLOAT16",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/2.0/flagged/MaskTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/2.0/flagged/MaskTensor/UINT16"),
                        (DataType::INT32.0, "EVERYTHING/2.0/flagged/MaskTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/flagged/MaskTensor/INT16"),
                        (DataType::INT8.0, "EVERYTHING/2.0/flagged/MaskTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/flagged/MaskTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "EVERYTHING/2.0/flagged/MaskTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/2.0/flagged/MaskTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/flagged/MaskTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/flagged/MaskTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "InputTensors",
                    dimensions: (4, 5),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT4.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/flagged/InputTensors/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/2.0/flagged/InputTensors/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/2.0/flagged/InputTensors/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/2.0/flagged/InputTensors/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/flagged/InputTensors/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/flagged/InputTensors/INT16"),
                        (DataType::INT8.0, "EVERYTHING/2.0/flagged/InputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/flagged/InputTensors/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/2.0/flagged/InputTensors/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/2.0/flagged/InputTensors/INT64"),
                        (DataType::INT4.0, "EVERYTHING/2.0/flagged/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "EVERYTHING/2.0/flagged/InputTensors/1-D"),
                        (2, "EVERYTHING/2.0/flagged/InputTensors/2-D"),
                        (3, "EVERYTHING/2.0/flagged/InputTensors/3-D"),
                        (6, "EVERYTHING/2.0/flagged/InputTensors/6-D"),
                        (7, "EVERYTHING/2.0/flagged/InputTensors/7-D"),
                        (8, "EVERYTHING/2.0/flagged/InputTensors/8-D"),
                    ],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/flagged/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/flagged/OutputTensor/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/2.0/flagged/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/2.0/flagged/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/2.0/flagged/OutputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/flagged/OutputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/flagged/OutputTensor/INT16"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/flagged/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/2.0/flagged/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/2.0/flagged/OutputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/flagged/OutputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/flagged/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "OutputTensors",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/INT16",
                        ),
                        (DataType::INT8.0, "EVERYTHING/2.0/flagged/OutputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "EVERYTHING/2.0/flagged/OutputTensors/UINT4",
                        ),
                        (DataType::INT4.0, "EVERYTHING/2.0/flagged/OutputTensors/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "InputTensor",
                    dimensions: (4, 5),
                    types: &[DataType::FLOAT32.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/plain/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/plain/InputTensor/FLOAT16",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/2.0/plain/InputTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/2.0/plain/InputTensor/UINT16"),
                        (DataType::UINT8.0, "EVERYTHING/2.0/plain/InputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/plain/InputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/plain/InputTensor/INT16"),
                        (DataType::INT8.0, "EVERYTHING/2.0/plain/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/plain/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "EVERYTHING/2.0/plain/InputTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/2.0/plain/InputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/plain/InputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/plain/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "EVERYTHING/2.0/plain/InputTensor/1-D"),
                        (2, "EVERYTHING/2.0/plain/InputTensor/2-D"),
                        (3, "EVERYTHING/2.0/plain/InputTensor/3-D"),
                        (6, "EVERYTHING/2.0/plain/InputTensor/6-D"),
                        (7, "EVERYTHING/2.0/plain/InputTensor/7-D"),
                        (8, "EVERYTHING/2.0/plain/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "plain",
                    tensor: "MaskTensor",
                    dimensions: (1, 8),
                    types: &[DataType::UINT8.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "EVERYTHING/2.0/plain/MaskTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "EVERYTHING/2.0/plain/MaskTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "EVERYTHING/2.0/plain/MaskTensor/FLOAT16"),
                        (DataType::UINT32.0, "EVERYTHING/2.0/plain/MaskTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/2.0/plain/MaskTensor/UINT16"),
                        (DataType::INT32.0, "EVERYTHING/2.0/plain/MaskTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/plain/MaskTensor/INT16"),
                        (DataType::INT8.0, "EVERYTHING/2.0/plain/MaskTensor/INT8"),
                        (DataType::FLOAT64.0, "EVERYTHING/2.0/plain/MaskTensor/FLOAT64"),
                        (DataType::UINT64.0, "EVERYTHING/2.0/plain/MaskTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/2.0/plain/MaskTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/plain/MaskTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/plain/MaskTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "InputTensors",
                    dimensions: (4, 5),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT4.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/plain/InputTensors/UNKNOWN",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/2.0/plain/InputTensors/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/2.0/plain/InputTensors/UINT16"),
                        (DataType::UINT8.0, "EVERYTHING/2.0/plain/InputTensors/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/plain/InputTensors/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/plain/InputTensors/INT16"),
                        (DataType::INT8.0, "EVERYTHING/2.0/plain/InputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/plain/InputTensors/FLOAT64",
                        ),
                        (DataType::UINT64.0, "EVERYTHING/2.0/plain/InputTensors/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/2.0/plain/InputTensors/INT64"),
                        (DataType::INT4.0, "EVERYTHING/2.0/plain/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "EVERYTHING/2.0/plain/InputTensors/1-D"),
                        (2, "EVERYTHING/2.0/plain/InputTensors/2-D"),
                        (3, "EVERYTHING/2.0/plain/InputTensors/3-D"),
                        (6, "EVERYTHING/2.0/plain/InputTensors/6-D"),
                        (7, "EVERYTHING/2.0/plain/InputTensors/7-D"),
                        (8, "EVERYTHING/2.0/plain/InputTensors/8-D"),
                    ],
                },
                SupportRow {
                    group: "plain",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/plain/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/plain/OutputTensor/FLOAT16",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/2.0/plain/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/2.0/plain/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "EVERYTHING/2.0/plain/OutputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/plain/OutputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/plain/OutputTensor/INT16"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/plain/OutputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "EVERYTHING/2.0/plain/OutputTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/2.0/plain/OutputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/plain/OutputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/plain/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "OutputTensors",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/2.0/plain/OutputTensors/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/2.0/plain/OutputTensors/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/2.0/plain/OutputTensors/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/2.0/plain/OutputTensors/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/2.0/plain/OutputTensors/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/2.0/plain/OutputTensors/INT32"),
                        (DataType::INT16.0, "EVERYTHING/2.0/plain/OutputTensors/INT16"),
                        (DataType::INT8.0, "EVERYTHING/2.0/plain/OutputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/2.0/plain/OutputTensors/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/2.0/plain/OutputTensors/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/2.0/plain/OutputTensors/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/2.0/plain/OutputTensors/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/2.0/plain/OutputTensors/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
        SupportTable {
            level: levels::FL_4_0,
            rows: &[
                SupportRow {
                    group: "flagged",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0, DataType::FLOAT64.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/flagged/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/flagged/InputTensor/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/4.0/flagged/InputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/4.0/flagged/InputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/4.0/flagged/InputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/flagged/InputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/flagged/InputTensor/INT16"),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/4.0/flagged/InputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/4.0/flagged/InputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/flagged/InputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/flagged/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "MaskTensor",
                    dimensions: (1, 8),
                    types: &[DataType::UINT8.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/flagged/MaskTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT32.0,
                            "EVERYTHING/4.0/flagged/MaskTensor/FLOAT32",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/flagged/MaskTensor/FLOAT16",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/4.0/flagged/MaskTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/4.0/flagged/MaskTensor/UINT16"),
                        (DataType::INT32.0, "EVERYTHING/4.0/flagged/MaskTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/flagged/MaskTensor/INT16"),
                        (DataType::INT8.0, "EVERYTHING/4.0/flagged/MaskTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/4.0/flagged/MaskTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "EVERYTHING/4.0/flagged/MaskTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/4.0/flagged/MaskTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/flagged/MaskTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/flagged/MaskTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "InputTensors",
                    dimensions: (1, 5),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT4.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/flagged/InputTensors/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/4.0/flagged/InputTensors/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/4.0/flagged/InputTensors/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/4.0/flagged/InputTensors/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/flagged/InputTensors/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/flagged/InputTensors/INT16"),
                        (DataType::INT8.0, "EVERYTHING/4.0/flagged/InputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/4.0/flagged/InputTensors/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/4.0/flagged/InputTensors/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/4.0/flagged/InputTensors/INT64"),
                        (DataType::INT4.0, "EVERYTHING/4.0/flagged/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (6, "EVERYTHING/4.0/flagged/InputTensors/6-D"),
                        (7, "EVERYTHING/4.0/flagged/InputTensors/7-D"),
                        (8, "EVERYTHING/4.0/flagged/InputTensors/8-D"),
                    ],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0, DataType::FLOAT64.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/flagged/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/flagged/OutputTensor/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/4.0/flagged/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/4.0/flagged/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/4.0/flagged/OutputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/flagged/OutputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/flagged/OutputTensor/INT16"),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/4.0/flagged/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/4.0/flagged/OutputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/flagged/OutputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/flagged/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "flagged",
                    tensor: "OutputTensors",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/INT16",
                        ),
                        (DataType::INT8.0, "EVERYTHING/4.0/flagged/OutputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "EVERYTHING/4.0/flagged/OutputTensors/UINT4",
                        ),
                        (DataType::INT4.0, "EVERYTHING/4.0/flagged/OutputTensors/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0, DataType::FLOAT64.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/plain/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/plain/InputTensor/FLOAT16",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/4.0/plain/InputTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/4.0/plain/InputTensor/UINT16"),
                        (DataType::UINT8.0, "EVERYTHING/4.0/plain/InputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/plain/InputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/plain/InputTensor/INT16"),
                        (DataType::UINT64.0, "EVERYTHING/4.0/plain/InputTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/4.0/plain/InputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/plain/InputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/plain/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "MaskTensor",
                    dimensions: (1, 8),
                    types: &[DataType::UINT8.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "EVERYTHING/4.0/plain/MaskTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "EVERYTHING/4.0/plain/MaskTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "EVERYTHING/4.0/plain/MaskTensor/FLOAT16"),
                        (DataType::UINT32.0, "EVERYTHING/4.0/plain/MaskTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/4.0/plain/MaskTensor/UINT16"),
                        (DataType::INT32.0, "EVERYTHING/4.0/plain/MaskTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/plain/MaskTensor/INT16"),
                        (DataType::INT8.0, "EVERYTHING/4.0/plain/MaskTensor/INT8"),
                        (DataType::FLOAT64.0, "EVERYTHING/4.0/plain/MaskTensor/FLOAT64"),
                        (DataType::UINT64.0, "EVERYTHING/4.0/plain/MaskTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/4.0/plain/MaskTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/plain/MaskTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/plain/MaskTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "InputTensors",
                    dimensions: (1, 5),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT4.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/plain/InputTensors/UNKNOWN",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/4.0/plain/InputTensors/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/4.0/plain/InputTensors/UINT16"),
                        (DataType::UINT8.0, "EVERYTHING/4.0/plain/InputTensors/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/plain/InputTensors/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/plain/InputTensors/INT16"),
                        (DataType::INT8.0, "EVERYTHING/4.0/plain/InputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/4.0/plain/InputTensors/FLOAT64",
                        ),
                        (DataType::UINT64.0, "EVERYTHING/4.0/plain/InputTensors/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/4.0/plain/InputTensors/INT64"),
                        (DataType::INT4.0, "EVERYTHING/4.0/plain/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (6, "EVERYTHING/4.0/plain/InputTensors/6-D"),
                        (7, "EVERYTHING/4.0/plain/InputTensors/7-D"),
                        (8, "EVERYTHING/4.0/plain/InputTensors/8-D"),
                    ],
                },
                SupportRow {
                    group: "plain",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::INT8.0, DataType::FLOAT64.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/plain/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/plain/OutputTensor/FLOAT16",
                        ),
                        (DataType::UINT32.0, "EVERYTHING/4.0/plain/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "EVERYTHING/4.0/plain/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "EVERYTHING/4.0/plain/OutputTensor/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/plain/OutputTensor/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/plain/OutputTensor/INT16"),
                        (DataType::UINT64.0, "EVERYTHING/4.0/plain/OutputTensor/UINT64"),
                        (DataType::INT64.0, "EVERYTHING/4.0/plain/OutputTensor/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/plain/OutputTensor/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/plain/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "plain",
                    tensor: "OutputTensors",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "EVERYTHING/4.0/plain/OutputTensors/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT16.0,
                            "EVERYTHING/4.0/plain/OutputTensors/FLOAT16",
                        ),
                        (
                            DataType::UINT32.0,
                            "EVERYTHING/4.0/plain/OutputTensors/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "EVERYTHING/4.0/plain/OutputTensors/UINT16",
                        ),
                        (DataType::UINT8.0, "EVERYTHING/4.0/plain/OutputTensors/UINT8"),
                        (DataType::INT32.0, "EVERYTHING/4.0/plain/OutputTensors/INT32"),
                        (DataType::INT16.0, "EVERYTHING/4.0/plain/OutputTensors/INT16"),
                        (DataType::INT8.0, "EVERYTHING/4.0/plain/OutputTensors/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "EVERYTHING/4.0/plain/OutputTensors/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "EVERYTHING/4.0/plain/OutputTensors/UINT64",
                        ),
                        (DataType::INT64.0, "EVERYTHING/4.0/plain/OutputTensors/INT64"),
                        (DataType::UINT4.0, "EVERYTHING/4.0/plain/OutputTensors/UINT4"),
                        (DataType::INT4.0, "EVERYTHING/4.0/plain/OutputTensors/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_EVERYTHING_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct DML_EVERYTHING_OPERATOR_DESC {
        /// Must be there.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// May be absent.
        pub MaskTensor: *const DML_TENSOR_DESC,
        /// Length of the inputs.
        pub InputCount: u32,
        /// Several.
        pub InputTensors: *const DML_TENSOR_DESC,
        /// Must be there.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Several or none.
        pub OutputTensors: *const DML_TENSOR_DESC,
        /// An enumeration.
        pub Direction: super::AxisDirection,
        /// A data type.
        pub Type: super::DataType,
        /// A truth value.
        pub Flag: i32,
        /// A signed number.
        pub Shift: i32,
        /// A number.
        pub Alpha: f32,
        /// Length of the lists.
        pub DimensionCount: u32,
        /// Unsigned numbers.
        pub Window: *const u32,
        /// Signed numbers.
        pub Pads: *const i32,
        /// Numbers.
        pub Scales: *const f32,
        /// A linear function.
        pub ScaleBias: *const DML_SCALE_BIAS,
        /// An extent.
        pub Stretch: DML_SIZE_2D,
        /// A number of that type.
        pub Fill: DML_SCALAR_UNION,
        /// What follows.
        pub Activation: *const DML_OPERATOR_DESC,
        /// What follows further.
        pub Activations: *const DML_OPERATOR_DESC,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_EVERYTHING_OPERATOR_DESC>();
        assert!(SIZE == 136);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, MaskTensor) == 8);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, InputCount) == 16);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, InputTensors) == 24);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, OutputTensor) == 32);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, OutputTensors) == 40);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Direction) == 48);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Type) == 52);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Flag) == 56);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Shift) == 60);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Alpha) == 64);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, DimensionCount) == 68);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Window) == 72);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Pads) == 80);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Scales) == 88);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, ScaleBias) == 96);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Stretch) == 104);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Fill) == 112);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Activation) == 120);
        assert!(offset_of!(DML_EVERYTHING_OPERATOR_DESC, Activations) == 128);
    };
}

pub use everything::Everything;
/// `DML_NOTHING_OPERATOR_DESC`, since level 3.0.
pub mod nothing {
    use super::*;

    /// Does nothing with nothing.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Nothing {}
    impl Operator for Nothing {
        const NAME: &'static str = "NOTHING";
        const TYPE: u32 = 1001;
        const INTRODUCED: FeatureLevel = levels::FL_3_0;
        const INPUTS: usize = 0;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let _ = Fields::of::<Self>(descriptor, 0)?;
            Ok(Self {})
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "NOTHING/introduced");
            Tensors::new(level, SUPPORT, Some(""), since, tensor::check, found);
        }
    }

    impl Nothing {}
    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[];
    /// `DML_NOTHING_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_NOTHING_OPERATOR_DESC {}
    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_NOTHING_OPERATOR_DESC>();
        assert!(SIZE == 0);
    };
}

pub use nothing::Nothing;
/// Every operator, in order of name.
pub static OPERATORS: &[OperatorEntry] = &[
    OperatorEntry::of::<Everything>(),
    OperatorEntry::of::<Nothing>(),
];

/// The operator of this name, such as `TOP_K1`.
pub fn find(name: &str) -> Option<&'static OperatorEntry> {
    OPERATORS.iter().find(|o| o.name == name)
}

/// The C structures of all operators.
pub mod descs {
    pub use super::everything::DML_EVERYTHING_OPERATOR_DESC;
    pub use super::nothing::DML_NOTHING_OPERATOR_DESC;
}
