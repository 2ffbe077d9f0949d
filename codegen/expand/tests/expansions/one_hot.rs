// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_ONE_HOT_OPERATOR_DESC`, since level 2.0.
pub mod one_hot {
    use super::*;

    /// Fills every sequence along an axis with one value, but for the place that its index names.
    ///
    /// # Constraints
    /// - `ONE_HOT/axis-in-range`: The axis is one of the indices' dimensions.
    /// - `ONE_HOT/indices-dimension-count`: Indices and output have the same number of dimensions.
    /// - `ONE_HOT/values-dimension-count`: The values have as many dimensions as the output.
    /// - `ONE_HOT/same-data-type`: Values and output have the same data type.
    /// - `ONE_HOT/sizes-beside-axis`: Indices and output have the same sizes but along the axis.
    /// - `ONE_HOT/one-index-a-sequence`: Along the axis there is one index.
    /// - `ONE_HOT/two-values`: There are at least two values.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OneHot {
        /// The place of each sequence that holds the on value; negative ones count from the end.
        pub indices_tensor: Option<TensorDesc>,
        /// The off value and the on value, in this order.
        pub values_tensor: Option<TensorDesc>,
        /// The sequences.
        pub output_tensor: Option<TensorDesc>,
        /// Dimension the sequences run along.
        pub axis: u32,
    }

    impl Operator for OneHot {
        const NAME: &'static str = "ONE_HOT";
        const TYPE: u32 = 95;
        const INTRODUCED: FeatureLevel = levels::FL_2_0;
        const INPUTS: usize = 2;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 4)?;
            Ok(Self {
                indices_tensor: fields.tensor("IndicesTensor")?,
                values_tensor: fields.tensor("ValuesTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                axis: fields.uint("Axis")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.indices_tensor.clone()),
                    Value::Tensor(self.values_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.axis),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "ONE_HOT/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                Some(""),
                since,
                tensor::check,
                found,
            );
            let indices_tensor = tensors
                .one(INPUT, "IndicesTensor", &self.indices_tensor);
            let values_tensor = tensors.one(INPUT, "ValuesTensor", &self.values_tensor);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            let axis_in_range = indices_tensor.structural
                && found.normative("ONE_HOT/axis-in-range", self.axis_in_range());
            let indices_dimension_count = indices_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "ONE_HOT/indices-dimension-count",
                        self.indices_dimension_count(),
                    );
            if values_tensor.structural && output_tensor.structural {
                found
                    .disputed(
                        "ONE_HOT/values-dimension-count",
                        self.values_dimension_count(),
                        Some(true),
                    );
            }
            if values_tensor.structural && output_tensor.structural {
                found.normative("ONE_HOT/same-data-type", self.same_data_type());
            }
            if axis_in_range && indices_dimension_count {
                found.normative("ONE_HOT/sizes-beside-axis", self.sizes_beside_axis());
            }
            if axis_in_range {
                found
                    .normative(
                        "ONE_HOT/one-index-a-sequence",
                        self.one_index_a_sequence(),
                    );
            }
            if values_tensor.structural {
                found.normative("ONE_HOT/two-values", self.two_values());
            }
        }
    }

    impl OneHot {
        /// `ONE_HOT/axis-in-range`: The axis is one of the indices' dimensions.
        fn axis_in_range(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            Some(self.axis < indices_tensor.dimension_count())
        }

        /// `ONE_HOT/indices-dimension-count`: Indices and output have the same number of dimensions.
        fn indices_dimension_count(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(indices_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `ONE_HOT/values-dimension-count`: The values have as many dimensions as the output.
        fn values_dimension_count(&self) -> Option<bool> {
            let values_tensor = self.values_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(values_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `ONE_HOT/same-data-type`: Values and output have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let values_tensor = self.values_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(values_tensor.data_type == output_tensor.data_type)
        }

        /// `ONE_HOT/sizes-beside-axis`: Indices and output have the same sizes but along the axis.
        fn sizes_beside_axis(&self) -> Option<bool> {
            let output_tensor = self.output_tensor.as_ref()?;
            all(
                0..output_tensor.dimension_count(),
                |d| Some(
                    d == self.axis
                        || at(self.indices_tensor.as_ref()?.sizes.as_deref()?, d)?
                            == at(output_tensor.sizes.as_deref()?, d)?,
                ),
            )
        }

        /// `ONE_HOT/one-index-a-sequence`: Along the axis there is one index.
        fn one_index_a_sequence(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            Some(at(indices_tensor.sizes.as_deref()?, self.axis)? == 1)
        }

        /// `ONE_HOT/two-values`: There are at least two values.
        fn two_values(&self) -> Option<bool> {
            let values_tensor = self.values_tensor.as_ref()?;
            Some(product(values_tensor.sizes.as_deref()?)? >= 2)
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_2_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "IndicesTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ONE_HOT/2.0/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "ONE_HOT/2.0/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "ONE_HOT/2.0/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "ONE_HOT/2.0/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "ONE_HOT/2.0/IndicesTensor/UINT8"),
                        (DataType::INT32.0, "ONE_HOT/2.0/IndicesTensor/INT32"),
                        (DataType::INT16.0, "ONE_HOT/2.0/IndicesTensor/INT16"),
                        (DataType::INT8.0, "ONE_HOT/2.0/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "ONE_HOT/2.0/IndicesTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/2.0/IndicesTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/2.0/IndicesTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/2.0/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/2.0/IndicesTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ONE_HOT/2.0/IndicesTensor/1-D"),
                        (2, "ONE_HOT/2.0/IndicesTensor/2-D"),
                        (3, "ONE_HOT/2.0/IndicesTensor/3-D"),
                        (5, "ONE_HOT/2.0/IndicesTensor/5-D"),
                        (6, "ONE_HOT/2.0/IndicesTensor/6-D"),
                        (7, "ONE_HOT/2.0/IndicesTensor/7-D"),
                        (8, "ONE_HOT/2.0/IndicesTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "ValuesTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ONE_HOT/2.0/ValuesTensor/UNKNOWN"),
                        (DataType::UINT32.0, "ONE_HOT/2.0/ValuesTensor/UINT32"),
                        (DataType::UINT16.0, "ONE_HOT/2.0/ValuesTensor/UINT16"),
                        (DataType::UINT8.0, "ONE_HOT/2.0/ValuesTensor/UINT8"),
                        (DataType::INT32.0, "ONE_HOT/2.0/ValuesTensor/INT32"),
                        (DataType::INT16.0, "ONE_HOT/2.0/ValuesTensor/INT16"),
                        (DataType::INT8.0, "ONE_HOT/2.0/ValuesTensor/INT8"),
                        (DataType::FLOAT64.0, "ONE_HOT/2.0/ValuesTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/2.0/ValuesTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/2.0/ValuesTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/2.0/ValuesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/2.0/ValuesTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ONE_HOT/2.0/ValuesTensor/1-D"),
                        (2, "ONE_HOT/2.0/ValuesTensor/2-D"),
                        (3, "ONE_HOT/2.0/ValuesTensor/3-D"),
                        (5, "ONE_HOT/2.0/ValuesTensor/5-D"),
                        (6, "ONE_HOT/2.0/ValuesTensor/6-D"),
                        (7, "ONE_HOT/2.0/ValuesTensor/7-D"),
                        (8, "ONE_HOT/2.0/ValuesTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ONE_HOT/2.0/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "ONE_HOT/2.0/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "ONE_HOT/2.0/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "ONE_HOT/2.0/OutputTensor/UINT8"),
                        (DataType::INT32.0, "ONE_HOT/2.0/OutputTensor/INT32"),
                        (DataType::INT16.0, "ONE_HOT/2.0/OutputTensor/INT16"),
                        (DataType::INT8.0, "ONE_HOT/2.0/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "ONE_HOT/2.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/2.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/2.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/2.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/2.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ONE_HOT/2.0/OutputTensor/1-D"),
                        (2, "ONE_HOT/2.0/OutputTensor/2-D"),
                        (3, "ONE_HOT/2.0/OutputTensor/3-D"),
                        (5, "ONE_HOT/2.0/OutputTensor/5-D"),
                        (6, "ONE_HOT/2.0/OutputTensor/6-D"),
                        (7, "ONE_HOT/2.0/OutputTensor/7-D"),
                        (8, "ONE_HOT/2.0/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_2_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "IndicesTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ONE_HOT/2.1/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "ONE_HOT/2.1/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "ONE_HOT/2.1/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "ONE_HOT/2.1/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "ONE_HOT/2.1/IndicesTensor/UINT8"),
                        (DataType::INT32.0, "ONE_HOT/2.1/IndicesTensor/INT32"),
                        (DataType::INT16.0, "ONE_HOT/2.1/IndicesTensor/INT16"),
                        (DataType::INT8.0, "ONE_HOT/2.1/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "ONE_HOT/2.1/IndicesTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/2.1/IndicesTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/2.1/IndicesTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/2.1/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/2.1/IndicesTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ONE_HOT/2.1/IndicesTensor/1-D"),
                        (2, "ONE_HOT/2.1/IndicesTensor/2-D"),
                        (3, "ONE_HOT/2.1/IndicesTensor/3-D"),
                        (5, "ONE_HOT/2.1/IndicesTensor/5-D"),
                        (6, "ONE_HOT/2.1/IndicesTensor/6-D"),
                        (7, "ONE_HOT/2.1/IndicesTensor/7-D"),
                        (8, "ONE_HOT/2.1/IndicesTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "ValuesTensor",
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
                        (DataType::UNKNOWN.0, "ONE_HOT/2.1/ValuesTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "ONE_HOT/2.1/ValuesTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/2.1/ValuesTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/2.1/ValuesTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/2.1/ValuesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/2.1/ValuesTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ONE_HOT/2.1/ValuesTensor/1-D"),
                        (2, "ONE_HOT/2.1/ValuesTensor/2-D"),
                        (3, "ONE_HOT/2.1/ValuesTensor/3-D"),
                        (5, "ONE_HOT/2.1/ValuesTensor/5-D"),
                        (6, "ONE_HOT/2.1/ValuesTensor/6-D"),
                        (7, "ONE_HOT/2.1/ValuesTensor/7-D"),
                        (8, "ONE_HOT/2.1/ValuesTensor/8-D"),
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
                        (DataType::UNKNOWN.0, "ONE_HOT/2.1/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "ONE_HOT/2.1/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/2.1/OutputTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/2.1/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/2.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/2.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ONE_HOT/2.1/OutputTensor/1-D"),
                        (2, "ONE_HOT/2.1/OutputTensor/2-D"),
                        (3, "ONE_HOT/2.1/OutputTensor/3-D"),
                        (5, "ONE_HOT/2.1/OutputTensor/5-D"),
                        (6, "ONE_HOT/2.1/OutputTensor/6-D"),
                        (7, "ONE_HOT/2.1/OutputTensor/7-D"),
                        (8, "ONE_HOT/2.1/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "IndicesTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ONE_HOT/3.0/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "ONE_HOT/3.0/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "ONE_HOT/3.0/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "ONE_HOT/3.0/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "ONE_HOT/3.0/IndicesTensor/UINT8"),
                        (DataType::INT16.0, "ONE_HOT/3.0/IndicesTensor/INT16"),
                        (DataType::INT8.0, "ONE_HOT/3.0/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "ONE_HOT/3.0/IndicesTensor/FLOAT64"),
                        (DataType::UINT4.0, "ONE_HOT/3.0/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/3.0/IndicesTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "ValuesTensor",
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
                        (DataType::UNKNOWN.0, "ONE_HOT/3.0/ValuesTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "ONE_HOT/3.0/ValuesTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/3.0/ValuesTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/3.0/ValuesTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/3.0/ValuesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/3.0/ValuesTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "ONE_HOT/3.0/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "ONE_HOT/3.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "ONE_HOT/3.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "ONE_HOT/3.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ONE_HOT/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/3.0/OutputTensor/INT4"),
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
                    tensor: "IndicesTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ONE_HOT/4.1/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "ONE_HOT/4.1/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "ONE_HOT/4.1/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "ONE_HOT/4.1/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "ONE_HOT/4.1/IndicesTensor/UINT8"),
                        (DataType::INT16.0, "ONE_HOT/4.1/IndicesTensor/INT16"),
                        (DataType::INT8.0, "ONE_HOT/4.1/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "ONE_HOT/4.1/IndicesTensor/FLOAT64"),
                        (DataType::UINT4.0, "ONE_HOT/4.1/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/4.1/IndicesTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "ValuesTensor",
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
                        (DataType::UNKNOWN.0, "ONE_HOT/4.1/ValuesTensor/UNKNOWN"),
                        (DataType::UINT4.0, "ONE_HOT/4.1/ValuesTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/4.1/ValuesTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "ONE_HOT/4.1/OutputTensor/UNKNOWN"),
                        (DataType::UINT4.0, "ONE_HOT/4.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ONE_HOT/4.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_ONE_HOT_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_ONE_HOT_OPERATOR_DESC {
        /// The place of each sequence that holds the on value; negative ones count from the end.
        pub IndicesTensor: *const DML_TENSOR_DESC,
        /// The off value and the on value, in this order.
        pub ValuesTensor: *const DML_TENSOR_DESC,
        /// The sequences.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Dimension the sequences run along.
        pub Axis: u32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_ONE_HOT_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_ONE_HOT_OPERATOR_DESC, IndicesTensor) == 0);
        assert!(offset_of!(DML_ONE_HOT_OPERATOR_DESC, ValuesTensor) == 8);
        assert!(offset_of!(DML_ONE_HOT_OPERATOR_DESC, OutputTensor) == 16);
        assert!(offset_of!(DML_ONE_HOT_OPERATOR_DESC, Axis) == 24);
    };
}

pub use one_hot::OneHot;
