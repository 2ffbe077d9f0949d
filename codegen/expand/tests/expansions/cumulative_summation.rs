// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_CUMULATIVE_SUMMATION_OPERATOR_DESC`, since level 2.1.
pub mod cumulative_summation {
    use super::*;

    /// Sums the elements of every sequence along an axis and writes the running tally.
    ///
    /// # Constraints
    /// - `CUMULATIVE_SUMMATION/axis-in-range`: The axis is one of the input's dimensions.
    /// - `CUMULATIVE_SUMMATION/axis-direction-known`: The direction is INCREASING or DECREASING.
    /// - `CUMULATIVE_SUMMATION/same-data-type`: Both tensors have the same data type.
    /// - `CUMULATIVE_SUMMATION/same-dimension-count`: Both tensors have the same number of dimensions.
    /// - `CUMULATIVE_SUMMATION/same-sizes`: Both tensors have the same sizes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CumulativeSummation {
        /// Elements to sum.
        pub input_tensor: Option<TensorDesc>,
        /// The running tally of every sequence.
        pub output_tensor: Option<TensorDesc>,
        /// Dimension the sequences run along.
        pub axis: u32,
        /// INCREASING adds by ascending index; DECREASING by descending.
        pub axis_direction: AxisDirection,
        /// Whether an element is left out of the tally that is written in its place.
        pub has_exclusive_sum: u32,
    }

    impl Operator for CumulativeSummation {
        const NAME: &'static str = "CUMULATIVE_SUMMATION";
        const TYPE: u32 = 105;
        const INTRODUCED: FeatureLevel = levels::FL_2_1;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 5)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                axis: fields.uint("Axis")?,
                axis_direction: AxisDirection(fields.uint("AxisDirection")?),
                has_exclusive_sum: fields.uint("HasExclusiveSum")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.axis),
                    Value::UInt(self.axis_direction.0),
                    Value::UInt(self.has_exclusive_sum),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "CUMULATIVE_SUMMATION/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                Some(""),
                since,
                tensor::check,
                found,
            );
            let input_tensor = tensors.one(INPUT, "InputTensor", &self.input_tensor);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            if input_tensor.structural {
                found
                    .normative(
                        "CUMULATIVE_SUMMATION/axis-in-range",
                        self.axis_in_range(),
                    );
            }
            found
                .normative(
                    "CUMULATIVE_SUMMATION/axis-direction-known",
                    self.axis_direction_known(),
                );
            if input_tensor.structural && output_tensor.structural {
                found
                    .normative(
                        "CUMULATIVE_SUMMATION/same-data-type",
                        self.same_data_type(),
                    );
            }
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "CUMULATIVE_SUMMATION/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if same_dimension_count {
                found.normative("CUMULATIVE_SUMMATION/same-sizes", self.same_sizes());
            }
        }
    }

    impl CumulativeSummation {
        /// `CUMULATIVE_SUMMATION/axis-in-range`: The axis is one of the input's dimensions.
        fn axis_in_range(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.axis < input_tensor.dimension_count())
        }

        /// `CUMULATIVE_SUMMATION/axis-direction-known`: The direction is INCREASING or DECREASING.
        fn axis_direction_known(&self) -> Option<bool> {
            Some(self.axis_direction.is_known())
        }

        /// `CUMULATIVE_SUMMATION/same-data-type`: Both tensors have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.data_type == output_tensor.data_type)
        }

        /// `CUMULATIVE_SUMMATION/same-dimension-count`: Both tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `CUMULATIVE_SUMMATION/same-sizes`: Both tensors have the same sizes.
        fn same_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(same(input_tensor.sizes.as_deref()?, output_tensor.sizes.as_deref()?))
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_2_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/UINT8",
                        ),
                        (
                            DataType::INT16.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/INT16",
                        ),
                        (DataType::INT8.0, "CUMULATIVE_SUMMATION/2.1/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "CUMULATIVE_SUMMATION/2.1/InputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "CUMULATIVE_SUMMATION/2.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "CUMULATIVE_SUMMATION/2.1/InputTensor/1-D"),
                        (2, "CUMULATIVE_SUMMATION/2.1/InputTensor/2-D"),
                        (3, "CUMULATIVE_SUMMATION/2.1/InputTensor/3-D"),
                        (5, "CUMULATIVE_SUMMATION/2.1/InputTensor/5-D"),
                        (6, "CUMULATIVE_SUMMATION/2.1/InputTensor/6-D"),
                        (7, "CUMULATIVE_SUMMATION/2.1/InputTensor/7-D"),
                        (8, "CUMULATIVE_SUMMATION/2.1/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT16.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/INT16",
                        ),
                        (DataType::INT8.0, "CUMULATIVE_SUMMATION/2.1/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "CUMULATIVE_SUMMATION/2.1/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "CUMULATIVE_SUMMATION/2.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "CUMULATIVE_SUMMATION/2.1/OutputTensor/1-D"),
                        (2, "CUMULATIVE_SUMMATION/2.1/OutputTensor/2-D"),
                        (3, "CUMULATIVE_SUMMATION/2.1/OutputTensor/3-D"),
                        (5, "CUMULATIVE_SUMMATION/2.1/OutputTensor/5-D"),
                        (6, "CUMULATIVE_SUMMATION/2.1/OutputTensor/6-D"),
                        (7, "CUMULATIVE_SUMMATION/2.1/OutputTensor/7-D"),
                        (8, "CUMULATIVE_SUMMATION/2.1/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_4_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/UINT8",
                        ),
                        (
                            DataType::INT16.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/INT16",
                        ),
                        (DataType::INT8.0, "CUMULATIVE_SUMMATION/4.0/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "CUMULATIVE_SUMMATION/4.0/InputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "CUMULATIVE_SUMMATION/4.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT16.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/INT16",
                        ),
                        (DataType::INT8.0, "CUMULATIVE_SUMMATION/4.0/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "CUMULATIVE_SUMMATION/4.0/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "CUMULATIVE_SUMMATION/4.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
        SupportTable {
            level: levels::FL_5_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "CUMULATIVE_SUMMATION/5.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "CUMULATIVE_SUMMATION/5.0/InputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "CUMULATIVE_SUMMATION/5.0/InputTensor/UINT8",
                        ),
                        (
                            DataType::INT16.0,
                            "CUMULATIVE_SUMMATION/5.0/InputTensor/INT16",
                        ),
                        (DataType::INT8.0, "CUMULATIVE_SUMMATION/5.0/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "CUMULATIVE_SUMMATION/5.0/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "CUMULATIVE_SUMMATION/5.0/InputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "CUMULATIVE_SUMMATION/5.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "CUMULATIVE_SUMMATION/5.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "CUMULATIVE_SUMMATION/5.0/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "CUMULATIVE_SUMMATION/5.0/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT16.0,
                            "CUMULATIVE_SUMMATION/5.0/OutputTensor/INT16",
                        ),
                        (DataType::INT8.0, "CUMULATIVE_SUMMATION/5.0/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "CUMULATIVE_SUMMATION/5.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "CUMULATIVE_SUMMATION/5.0/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "CUMULATIVE_SUMMATION/5.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_CUMULATIVE_SUMMATION_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
        /// Elements to sum.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// The running tally of every sequence.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Dimension the sequences run along.
        pub Axis: u32,
        /// INCREASING adds by ascending index; DECREASING by descending.
        pub AxisDirection: super::AxisDirection,
        /// Whether an element is left out of the tally that is written in its place.
        pub HasExclusiveSum: i32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_CUMULATIVE_SUMMATION_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, OutputTensor) == 8);
        assert!(offset_of!(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, Axis) == 16);
        assert!(offset_of!(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, AxisDirection) == 20);
        assert!(
            offset_of!(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, HasExclusiveSum) == 24
        );
    };
}

pub use cumulative_summation::CumulativeSummation;
