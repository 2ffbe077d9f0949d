// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_JOIN_OPERATOR_DESC`, since level 1.0.
pub mod join {
    use super::*;

    /// Puts tensors one behind the other along an axis.
    ///
    /// # Constraints
    /// - `JOIN/input-count-nonzero`: There is at least one input.
    /// - `JOIN/axis-in-range`: The axis is one of the output's dimensions.
    /// - `JOIN/same-dimension-count`: All tensors have the same number of dimensions.
    /// - `JOIN/same-data-type`: All tensors have the same data type.
    /// - `JOIN/same-sizes-beside-axis`: Every input has the output's sizes but along the axis.
    /// - `JOIN/axis-size-is-sum`: Along the axis the output is as long as all inputs together.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Join {
        /// How many tensors are joined.
        pub input_count: u32,
        /// The tensors to join.
        pub input_tensors: Option<Vec<TensorDesc>>,
        /// All of them in one.
        pub output_tensor: Option<TensorDesc>,
        /// Dimension they follow each other along.
        pub axis: u32,
    }

    impl Operator for Join {
        const NAME: &'static str = "JOIN";
        const TYPE: u32 = 63;
        const INTRODUCED: FeatureLevel = levels::FL_1_0;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 4)?;
            Ok(Self {
                input_count: fields.uint("InputCount")?,
                input_tensors: fields.tensors("InputTensors")?,
                output_tensor: fields.tensor("OutputTensor")?,
                axis: fields.uint("Axis")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::UInt(self.input_count),
                    Value::Tensors(self.input_tensors.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.axis),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "JOIN/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                Some(""),
                since,
                tensor::check,
                found,
            );
            let input_tensors = tensors.each(INPUT, "InputTensors", &self.input_tensors);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            let input_count_nonzero = found
                .normative("JOIN/input-count-nonzero", self.input_count_nonzero());
            let axis_in_range = output_tensor.structural
                && found.normative("JOIN/axis-in-range", self.axis_in_range());
            let same_dimension_count = input_tensors.structural
                && output_tensor.structural
                && found
                    .normative("JOIN/same-dimension-count", self.same_dimension_count());
            if input_tensors.structural && output_tensor.structural {
                found.normative("JOIN/same-data-type", self.same_data_type());
            }
            if axis_in_range && same_dimension_count {
                found
                    .normative(
                        "JOIN/same-sizes-beside-axis",
                        self.same_sizes_beside_axis(),
                    );
            }
            if input_count_nonzero && axis_in_range && same_dimension_count {
                found.normative("JOIN/axis-size-is-sum", self.axis_size_is_sum());
            }
        }
    }

    impl Join {
        /// `JOIN/input-count-nonzero`: There is at least one input.
        fn input_count_nonzero(&self) -> Option<bool> {
            Some(self.input_count > 0)
        }

        /// `JOIN/axis-in-range`: The axis is one of the output's dimensions.
        fn axis_in_range(&self) -> Option<bool> {
            let output_tensor = self.output_tensor.as_ref()?;
            Some(self.axis < output_tensor.dimension_count())
        }

        /// `JOIN/same-dimension-count`: All tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            all(
                0..self.input_count,
                |d| Some(
                    element(self.input_tensors.as_deref()?, d)?.dimension_count()
                        == self.output_tensor.as_ref()?.dimension_count(),
                ),
            )
        }

        /// `JOIN/same-data-type`: All tensors have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            all(
                0..self.input_count,
                |d| Some(
                    element(self.input_tensors.as_deref()?, d)?.data_type
                        == self.output_tensor.as_ref()?.data_type,
                ),
            )
        }

        /// `JOIN/same-sizes-beside-axis`: Every input has the output's sizes but along the axis.
        fn same_sizes_beside_axis(&self) -> Option<bool> {
            all(
                0..self.input_count,
                |d| all(
                    0..self.output_tensor.as_ref()?.dimension_count(),
                    |d1| Some(
                        d1 == self.axis
                            || at(
                                element(self.input_tensors.as_deref()?, d)?
                                    .sizes
                                    .as_deref()?,
                                d1,
                            )? == at(self.output_tensor.as_ref()?.sizes.as_deref()?, d1)?,
                    ),
                ),
            )
        }

        /// `JOIN/axis-size-is-sum`: Along the axis the output is as long as all inputs together.
        fn axis_size_is_sum(&self) -> Option<bool> {
            let output_tensor = self.output_tensor.as_ref()?;
            Some(
                int(at(output_tensor.sizes.as_deref()?, self.axis)?)
                    == sum_of(
                        0..self.input_count,
                        |d| Some(
                            int(
                                at(
                                    element(self.input_tensors.as_deref()?, d)?
                                        .sizes
                                        .as_deref()?,
                                    self.axis,
                                )?,
                            ),
                        ),
                    )?,
            )
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_1_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensors",
                    dimensions: (4, 4),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::UINT16.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/1.0/InputTensors/UNKNOWN"),
                        (DataType::UINT8.0, "JOIN/1.0/InputTensors/UINT8"),
                        (DataType::INT8.0, "JOIN/1.0/InputTensors/INT8"),
                        (DataType::FLOAT64.0, "JOIN/1.0/InputTensors/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/1.0/InputTensors/UINT64"),
                        (DataType::INT64.0, "JOIN/1.0/InputTensors/INT64"),
                        (DataType::UINT4.0, "JOIN/1.0/InputTensors/UINT4"),
                        (DataType::INT4.0, "JOIN/1.0/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "JOIN/1.0/InputTensors/1-D"),
                        (2, "JOIN/1.0/InputTensors/2-D"),
                        (3, "JOIN/1.0/InputTensors/3-D"),
                        (5, "JOIN/1.0/InputTensors/5-D"),
                        (6, "JOIN/1.0/InputTensors/6-D"),
                        (7, "JOIN/1.0/InputTensors/7-D"),
                        (8, "JOIN/1.0/InputTensors/8-D"),
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
                        DataType::UINT16.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/1.0/OutputTensor/UNKNOWN"),
                        (DataType::UINT8.0, "JOIN/1.0/OutputTensor/UINT8"),
                        (DataType::INT8.0, "JOIN/1.0/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "JOIN/1.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/1.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "JOIN/1.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "JOIN/1.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "JOIN/1.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "JOIN/1.0/OutputTensor/1-D"),
                        (2, "JOIN/1.0/OutputTensor/2-D"),
                        (3, "JOIN/1.0/OutputTensor/3-D"),
                        (5, "JOIN/1.0/OutputTensor/5-D"),
                        (6, "JOIN/1.0/OutputTensor/6-D"),
                        (7, "JOIN/1.0/OutputTensor/7-D"),
                        (8, "JOIN/1.0/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_2_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensors",
                    dimensions: (4, 4),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/2.1/InputTensors/UNKNOWN"),
                        (DataType::FLOAT64.0, "JOIN/2.1/InputTensors/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/2.1/InputTensors/UINT64"),
                        (DataType::INT64.0, "JOIN/2.1/InputTensors/INT64"),
                        (DataType::UINT4.0, "JOIN/2.1/InputTensors/UINT4"),
                        (DataType::INT4.0, "JOIN/2.1/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "JOIN/2.1/InputTensors/1-D"),
                        (2, "JOIN/2.1/InputTensors/2-D"),
                        (3, "JOIN/2.1/InputTensors/3-D"),
                        (5, "JOIN/2.1/InputTensors/5-D"),
                        (6, "JOIN/2.1/InputTensors/6-D"),
                        (7, "JOIN/2.1/InputTensors/7-D"),
                        (8, "JOIN/2.1/InputTensors/8-D"),
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
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/2.1/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "JOIN/2.1/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/2.1/OutputTensor/UINT64"),
                        (DataType::INT64.0, "JOIN/2.1/OutputTensor/INT64"),
                        (DataType::UINT4.0, "JOIN/2.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "JOIN/2.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "JOIN/2.1/OutputTensor/1-D"),
                        (2, "JOIN/2.1/OutputTensor/2-D"),
                        (3, "JOIN/2.1/OutputTensor/3-D"),
                        (5, "JOIN/2.1/OutputTensor/5-D"),
                        (6, "JOIN/2.1/OutputTensor/6-D"),
                        (7, "JOIN/2.1/OutputTensor/7-D"),
                        (8, "JOIN/2.1/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensors",
                    dimensions: (4, 5),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/3.0/InputTensors/UNKNOWN"),
                        (DataType::FLOAT64.0, "JOIN/3.0/InputTensors/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/3.0/InputTensors/UINT64"),
                        (DataType::INT64.0, "JOIN/3.0/InputTensors/INT64"),
                        (DataType::UINT4.0, "JOIN/3.0/InputTensors/UINT4"),
                        (DataType::INT4.0, "JOIN/3.0/InputTensors/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "JOIN/3.0/InputTensors/1-D"),
                        (2, "JOIN/3.0/InputTensors/2-D"),
                        (3, "JOIN/3.0/InputTensors/3-D"),
                        (6, "JOIN/3.0/InputTensors/6-D"),
                        (7, "JOIN/3.0/InputTensors/7-D"),
                        (8, "JOIN/3.0/InputTensors/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (4, 5),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/3.0/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "JOIN/3.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/3.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "JOIN/3.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "JOIN/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "JOIN/3.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "JOIN/3.0/OutputTensor/1-D"),
                        (2, "JOIN/3.0/OutputTensor/2-D"),
                        (3, "JOIN/3.0/OutputTensor/3-D"),
                        (6, "JOIN/3.0/OutputTensor/6-D"),
                        (7, "JOIN/3.0/OutputTensor/7-D"),
                        (8, "JOIN/3.0/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensors",
                    dimensions: (1, 8),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/3.1/InputTensors/UNKNOWN"),
                        (DataType::FLOAT64.0, "JOIN/3.1/InputTensors/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/3.1/InputTensors/UINT64"),
                        (DataType::INT64.0, "JOIN/3.1/InputTensors/INT64"),
                        (DataType::UINT4.0, "JOIN/3.1/InputTensors/UINT4"),
                        (DataType::INT4.0, "JOIN/3.1/InputTensors/INT4"),
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
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/3.1/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "JOIN/3.1/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "JOIN/3.1/OutputTensor/UINT64"),
                        (DataType::INT64.0, "JOIN/3.1/OutputTensor/INT64"),
                        (DataType::UINT4.0, "JOIN/3.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "JOIN/3.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
        SupportTable {
            level: levels::FL_4_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensors",
                    dimensions: (1, 8),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                        DataType::FLOAT64.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/4.1/InputTensors/UNKNOWN"),
                        (DataType::UINT4.0, "JOIN/4.1/InputTensors/UINT4"),
                        (DataType::INT4.0, "JOIN/4.1/InputTensors/INT4"),
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
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                        DataType::FLOAT64.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "JOIN/4.1/OutputTensor/UNKNOWN"),
                        (DataType::UINT4.0, "JOIN/4.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "JOIN/4.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_JOIN_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_JOIN_OPERATOR_DESC {
        /// How many tensors are joined.
        pub InputCount: u32,
        /// The tensors to join.
        pub InputTensors: *const DML_TENSOR_DESC,
        /// All of them in one.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Dimension they follow each other along.
        pub Axis: u32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_JOIN_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_JOIN_OPERATOR_DESC, InputCount) == 0);
        assert!(offset_of!(DML_JOIN_OPERATOR_DESC, InputTensors) == 8);
        assert!(offset_of!(DML_JOIN_OPERATOR_DESC, OutputTensor) == 16);
        assert!(offset_of!(DML_JOIN_OPERATOR_DESC, Axis) == 24);
    };
}

pub use join::Join;
