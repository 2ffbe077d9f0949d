// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_TOP_K1_OPERATOR_DESC`, since level 2.1.
pub mod top_k1 {
    use super::*;

    /// Selects the K largest or smallest elements of every sequence along an axis, with their places in it.
    ///
    /// # Constraints
    /// - `TOP_K1/axis-in-range`: The axis is one of the input's dimensions.
    /// - `TOP_K1/k-nonzero`: At least one element is selected.
    /// - `TOP_K1/k-within-axis`: No more elements are selected than the axis has.
    /// - `TOP_K1/k-below-axis-size`: Fewer elements are selected than the axis has.
    /// - `TOP_K1/axis-direction-known`: The direction is INCREASING or DECREASING.
    /// - `TOP_K1/same-dimension-count`: All three tensors have the same number of dimensions.
    /// - `TOP_K1/same-data-type`: The selected elements have the input's data type.
    /// - `TOP_K1/value-sizes`: The value tensor has the input's sizes, with K along the axis.
    /// - `TOP_K1/index-sizes`: The index tensor has the input's sizes, with K along the axis.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TopK1 {
        /// Elements to select from.
        pub input_tensor: Option<TensorDesc>,
        /// The selected elements.
        pub output_value_tensor: Option<TensorDesc>,
        /// Their indices within their sequence.
        pub output_index_tensor: Option<TensorDesc>,
        /// Dimension the sequences run along.
        pub axis: u32,
        /// Number of elements to select.
        pub k: u32,
        /// INCREASING selects the smallest elements; DECREASING the largest.
        pub axis_direction: AxisDirection,
    }

    impl Operator for TopK1 {
        const NAME: &'static str = "TOP_K1";
        const TYPE: u32 = 112;
        const INTRODUCED: FeatureLevel = levels::FL_2_1;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 6)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                output_value_tensor: fields.tensor("OutputValueTensor")?,
                output_index_tensor: fields.tensor("OutputIndexTensor")?,
                axis: fields.uint("Axis")?,
                k: fields.uint("K")?,
                axis_direction: AxisDirection(fields.uint("AxisDirection")?),
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_value_tensor.clone()),
                    Value::Tensor(self.output_index_tensor.clone()),
                    Value::UInt(self.axis),
                    Value::UInt(self.k),
                    Value::UInt(self.axis_direction.0),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "TOP_K1/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                Some(""),
                since,
                tensor::check,
                found,
            );
            let input_tensor = tensors.one(INPUT, "InputTensor", &self.input_tensor);
            let output_value_tensor = tensors
                .one(OUTPUT, "OutputValueTensor", &self.output_value_tensor);
            let output_index_tensor = tensors
                .one(OUTPUT, "OutputIndexTensor", &self.output_index_tensor);
            let axis_in_range = input_tensor.structural
                && found.normative("TOP_K1/axis-in-range", self.axis_in_range());
            found.normative("TOP_K1/k-nonzero", self.k_nonzero());
            let k_within_axis = axis_in_range
                && found.normative("TOP_K1/k-within-axis", self.k_within_axis());
            if k_within_axis {
                found
                    .disputed(
                        "TOP_K1/k-below-axis-size",
                        self.k_below_axis_size(),
                        self.k_below_axis_size_runtime(),
                    );
            }
            found.observed("TOP_K1/axis-direction-known", self.axis_direction_known());
            let same_dimension_count = input_tensor.structural
                && output_value_tensor.structural && output_index_tensor.structural
                && found
                    .normative(
                        "TOP_K1/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if input_tensor.structural && output_value_tensor.structural {
                found.normative("TOP_K1/same-data-type", self.same_data_type());
            }
            if axis_in_range && same_dimension_count {
                found.normative("TOP_K1/value-sizes", self.value_sizes());
            }
            if axis_in_range && same_dimension_count {
                found.normative("TOP_K1/index-sizes", self.index_sizes());
            }
        }
    }

    impl TopK1 {
        /// `TOP_K1/axis-in-range`: The axis is one of the input's dimensions.
        fn axis_in_range(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.axis < input_tensor.dimension_count())
        }

        /// `TOP_K1/k-nonzero`: At least one element is selected.
        fn k_nonzero(&self) -> Option<bool> {
            Some(self.k > 0)
        }

        /// `TOP_K1/k-within-axis`: No more elements are selected than the axis has.
        fn k_within_axis(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.k <= at(input_tensor.sizes.as_deref()?, self.axis)?)
        }

        /// `TOP_K1/k-below-axis-size`: Fewer elements are selected than the axis has.
        fn k_below_axis_size(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.k < at(input_tensor.sizes.as_deref()?, self.axis)?)
        }

        /// `TOP_K1/k-below-axis-size`, as the runtimes have it: Fewer elements are selected than the axis has.
        fn k_below_axis_size_runtime(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.k <= at(input_tensor.sizes.as_deref()?, self.axis)?)
        }

        /// `TOP_K1/axis-direction-known`: The direction is INCREASING or DECREASING.
        fn axis_direction_known(&self) -> Option<bool> {
            Some(self.axis_direction.is_known())
        }

        /// `TOP_K1/same-dimension-count`: All three tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_index_tensor = self.output_index_tensor.as_ref()?;
            Some(
                input_tensor.dimension_count() == output_index_tensor.dimension_count()
                    && input_tensor.dimension_count()
                        == self.output_value_tensor.as_ref()?.dimension_count(),
            )
        }

        /// `TOP_K1/same-data-type`: The selected elements have the input's data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_value_tensor = self.output_value_tensor.as_ref()?;
            Some(input_tensor.data_type == output_value_tensor.data_type)
        }

        /// `TOP_K1/value-sizes`: The value tensor has the input's sizes, with K along the axis.
        fn value_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_value_tensor = self.output_value_tensor.as_ref()?;
            Some(
                same(
                    output_value_tensor.sizes.as_deref()?,
                    &with(input_tensor.sizes.as_deref()?, self.axis, self.k)?,
                ),
            )
        }

        /// `TOP_K1/index-sizes`: The index tensor has the input's sizes, with K along the axis.
        fn index_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_index_tensor = self.output_index_tensor.as_ref()?;
            Some(
                same(
                    output_index_tensor.sizes.as_deref()?,
                    &with(input_tensor.sizes.as_deref()?, self.axis, self.k)?,
                ),
            )
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
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "TOP_K1/2.1/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "TOP_K1/2.1/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "TOP_K1/2.1/InputTensor/UINT64"),
                        (DataType::INT64.0, "TOP_K1/2.1/InputTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/2.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/2.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "TOP_K1/2.1/InputTensor/1-D"),
                        (2, "TOP_K1/2.1/InputTensor/2-D"),
                        (3, "TOP_K1/2.1/InputTensor/3-D"),
                        (5, "TOP_K1/2.1/InputTensor/5-D"),
                        (6, "TOP_K1/2.1/InputTensor/6-D"),
                        (7, "TOP_K1/2.1/InputTensor/7-D"),
                        (8, "TOP_K1/2.1/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputValueTensor",
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
                        (DataType::UNKNOWN.0, "TOP_K1/2.1/OutputValueTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "TOP_K1/2.1/OutputValueTensor/FLOAT64"),
                        (DataType::UINT64.0, "TOP_K1/2.1/OutputValueTensor/UINT64"),
                        (DataType::INT64.0, "TOP_K1/2.1/OutputValueTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/2.1/OutputValueTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/2.1/OutputValueTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "TOP_K1/2.1/OutputValueTensor/1-D"),
                        (2, "TOP_K1/2.1/OutputValueTensor/2-D"),
                        (3, "TOP_K1/2.1/OutputValueTensor/3-D"),
                        (5, "TOP_K1/2.1/OutputValueTensor/5-D"),
                        (6, "TOP_K1/2.1/OutputValueTensor/6-D"),
                        (7, "TOP_K1/2.1/OutputValueTensor/7-D"),
                        (8, "TOP_K1/2.1/OutputValueTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputIndexTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "TOP_K1/2.1/OutputIndexTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "TOP_K1/2.1/OutputIndexTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "TOP_K1/2.1/OutputIndexTensor/FLOAT16"),
                        (DataType::UINT16.0, "TOP_K1/2.1/OutputIndexTensor/UINT16"),
                        (DataType::UINT8.0, "TOP_K1/2.1/OutputIndexTensor/UINT8"),
                        (DataType::INT32.0, "TOP_K1/2.1/OutputIndexTensor/INT32"),
                        (DataType::INT16.0, "TOP_K1/2.1/OutputIndexTensor/INT16"),
                        (DataType::INT8.0, "TOP_K1/2.1/OutputIndexTensor/INT8"),
                        (DataType::FLOAT64.0, "TOP_K1/2.1/OutputIndexTensor/FLOAT64"),
                        (DataType::UINT64.0, "TOP_K1/2.1/OutputIndexTensor/UINT64"),
                        (DataType::INT64.0, "TOP_K1/2.1/OutputIndexTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/2.1/OutputIndexTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/2.1/OutputIndexTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "TOP_K1/2.1/OutputIndexTensor/1-D"),
                        (2, "TOP_K1/2.1/OutputIndexTensor/2-D"),
                        (3, "TOP_K1/2.1/OutputIndexTensor/3-D"),
                        (5, "TOP_K1/2.1/OutputIndexTensor/5-D"),
                        (6, "TOP_K1/2.1/OutputIndexTensor/6-D"),
                        (7, "TOP_K1/2.1/OutputIndexTensor/7-D"),
                        (8, "TOP_K1/2.1/OutputIndexTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensor",
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
                        (DataType::UNKNOWN.0, "TOP_K1/3.1/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "TOP_K1/3.1/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "TOP_K1/3.1/InputTensor/UINT64"),
                        (DataType::INT64.0, "TOP_K1/3.1/InputTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/3.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/3.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputValueTensor",
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
                        (DataType::UNKNOWN.0, "TOP_K1/3.1/OutputValueTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "TOP_K1/3.1/OutputValueTensor/FLOAT64"),
                        (DataType::UINT64.0, "TOP_K1/3.1/OutputValueTensor/UINT64"),
                        (DataType::INT64.0, "TOP_K1/3.1/OutputValueTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/3.1/OutputValueTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/3.1/OutputValueTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputIndexTensor",
                    dimensions: (1, 8),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "TOP_K1/3.1/OutputIndexTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "TOP_K1/3.1/OutputIndexTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "TOP_K1/3.1/OutputIndexTensor/FLOAT16"),
                        (DataType::UINT16.0, "TOP_K1/3.1/OutputIndexTensor/UINT16"),
                        (DataType::UINT8.0, "TOP_K1/3.1/OutputIndexTensor/UINT8"),
                        (DataType::INT32.0, "TOP_K1/3.1/OutputIndexTensor/INT32"),
                        (DataType::INT16.0, "TOP_K1/3.1/OutputIndexTensor/INT16"),
                        (DataType::INT8.0, "TOP_K1/3.1/OutputIndexTensor/INT8"),
                        (DataType::FLOAT64.0, "TOP_K1/3.1/OutputIndexTensor/FLOAT64"),
                        (DataType::UINT64.0, "TOP_K1/3.1/OutputIndexTensor/UINT64"),
                        (DataType::INT64.0, "TOP_K1/3.1/OutputIndexTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/3.1/OutputIndexTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/3.1/OutputIndexTensor/INT4"),
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
                        DataType::UINT16.0,
                        DataType::UINT8.0,
                        DataType::INT32.0,
                        DataType::INT16.0,
                        DataType::INT8.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "TOP_K1/5.0/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "TOP_K1/5.0/InputTensor/FLOAT64"),
                        (DataType::UINT4.0, "TOP_K1/5.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/5.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputValueTensor",
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
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "TOP_K1/5.0/OutputValueTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "TOP_K1/5.0/OutputValueTensor/FLOAT64"),
                        (DataType::UINT4.0, "TOP_K1/5.0/OutputValueTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/5.0/OutputValueTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputIndexTensor",
                    dimensions: (1, 8),
                    types: &[DataType::UINT32.0, DataType::UINT64.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "TOP_K1/5.0/OutputIndexTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "TOP_K1/5.0/OutputIndexTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "TOP_K1/5.0/OutputIndexTensor/FLOAT16"),
                        (DataType::UINT16.0, "TOP_K1/5.0/OutputIndexTensor/UINT16"),
                        (DataType::UINT8.0, "TOP_K1/5.0/OutputIndexTensor/UINT8"),
                        (DataType::INT32.0, "TOP_K1/5.0/OutputIndexTensor/INT32"),
                        (DataType::INT16.0, "TOP_K1/5.0/OutputIndexTensor/INT16"),
                        (DataType::INT8.0, "TOP_K1/5.0/OutputIndexTensor/INT8"),
                        (DataType::FLOAT64.0, "TOP_K1/5.0/OutputIndexTensor/FLOAT64"),
                        (DataType::INT64.0, "TOP_K1/5.0/OutputIndexTensor/INT64"),
                        (DataType::UINT4.0, "TOP_K1/5.0/OutputIndexTensor/UINT4"),
                        (DataType::INT4.0, "TOP_K1/5.0/OutputIndexTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_TOP_K1_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_TOP_K1_OPERATOR_DESC {
        /// Elements to select from.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// The selected elements.
        pub OutputValueTensor: *const DML_TENSOR_DESC,
        /// Their indices within their sequence.
        pub OutputIndexTensor: *const DML_TENSOR_DESC,
        /// Dimension the sequences run along.
        pub Axis: u32,
        /// Number of elements to select.
        pub K: u32,
        /// INCREASING selects the smallest elements; DECREASING the largest.
        pub AxisDirection: super::AxisDirection,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_TOP_K1_OPERATOR_DESC>();
        assert!(SIZE == 40);
        assert!(offset_of!(DML_TOP_K1_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_TOP_K1_OPERATOR_DESC, OutputValueTensor) == 8);
        assert!(offset_of!(DML_TOP_K1_OPERATOR_DESC, OutputIndexTensor) == 16);
        assert!(offset_of!(DML_TOP_K1_OPERATOR_DESC, Axis) == 24);
        assert!(offset_of!(DML_TOP_K1_OPERATOR_DESC, K) == 28);
        assert!(offset_of!(DML_TOP_K1_OPERATOR_DESC, AxisDirection) == 32);
    };
}

pub use top_k1::TopK1;
