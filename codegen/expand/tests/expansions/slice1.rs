// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_SLICE1_OPERATOR_DESC`, since level 2.1.
pub mod slice1 {
    use super::*;

    /// Copies elements at regular steps, forwards or backwards, from a window of a tensor.
    ///
    /// # Constraints
    /// - `SLICE1/dimension-count-of-tensors`: The lists have one element for each dimension of the input.
    /// - `SLICE1/lists-given`: None of the lists is null.
    /// - `SLICE1/same-dimension-count`: Input and output have the same number of dimensions.
    /// - `SLICE1/same-data-type`: Input and output have the same data type.
    /// - `SLICE1/window-not-empty`: The window holds an element at least in every dimension.
    /// - `SLICE1/window-inside`: The window ends within the input in every dimension.
    /// - `SLICE1/strides-nonzero`: No stride is 0.
    /// - `SLICE1/output-within-window`: The output is no longer than the elements that steps forward reach in the window.
    /// - `SLICE1/output-within-reversed-window`: The output is no longer than one more than the window's size less one, divided by the negative stride.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Slice1 {
        /// Elements to copy from.
        pub input_tensor: Option<TensorDesc>,
        /// The elements copied.
        pub output_tensor: Option<TensorDesc>,
        /// How many elements each of the three lists has.
        pub dimension_count: u32,
        /// Where the window starts in each dimension.
        pub input_window_offsets: Option<Dims>,
        /// How many elements it holds in each dimension.
        pub input_window_sizes: Option<Dims>,
        /// Distance between elements that are copied; where it is negative, copying starts at the window's end.
        pub input_window_strides: Option<SmallVec<[i32; 8]>>,
    }

    impl Operator for Slice1 {
        const NAME: &'static str = "SLICE1";
        const TYPE: u32 = 111;
        const INTRODUCED: FeatureLevel = levels::FL_2_1;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 6)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                dimension_count: fields.uint("DimensionCount")?,
                input_window_offsets: fields.uints("InputWindowOffsets")?,
                input_window_sizes: fields.uints("InputWindowSizes")?,
                input_window_strides: fields.ints("InputWindowStrides")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.dimension_count),
                    Value::UInts(self.input_window_offsets.clone()),
                    Value::UInts(self.input_window_sizes.clone()),
                    Value::Ints(self.input_window_strides.clone()),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "SLICE1/introduced");
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
            let dimension_count_of_tensors = input_tensor.structural
                && found
                    .normative(
                        "SLICE1/dimension-count-of-tensors",
                        self.dimension_count_of_tensors(),
                    );
            let lists_given = found.observed("SLICE1/lists-given", self.lists_given());
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "SLICE1/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if input_tensor.structural && output_tensor.structural {
                found.normative("SLICE1/same-data-type", self.same_data_type());
            }
            let window_not_empty = dimension_count_of_tensors && lists_given
                && found.normative("SLICE1/window-not-empty", self.window_not_empty());
            if dimension_count_of_tensors && lists_given {
                found.normative("SLICE1/window-inside", self.window_inside());
            }
            let strides_nonzero = dimension_count_of_tensors && lists_given
                && found.normative("SLICE1/strides-nonzero", self.strides_nonzero());
            if same_dimension_count && window_not_empty && strides_nonzero {
                found
                    .disputed(
                        "SLICE1/output-within-window",
                        self.output_within_window(),
                        self.output_within_window_runtime(),
                    );
            }
            if same_dimension_count && window_not_empty && strides_nonzero {
                found
                    .disputed(
                        "SLICE1/output-within-reversed-window",
                        self.output_within_reversed_window(),
                        self.output_within_reversed_window_runtime(),
                    );
            }
        }
    }

    impl Slice1 {
        /// `SLICE1/dimension-count-of-tensors`: The lists have one element for each dimension of the input.
        fn dimension_count_of_tensors(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.dimension_count == input_tensor.dimension_count())
        }

        /// `SLICE1/lists-given`: None of the lists is null.
        fn lists_given(&self) -> Option<bool> {
            Some(
                self.input_window_offsets.is_some() && self.input_window_sizes.is_some()
                    && self.input_window_strides.is_some(),
            )
        }

        /// `SLICE1/same-dimension-count`: Input and output have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `SLICE1/same-data-type`: Input and output have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.data_type == output_tensor.data_type)
        }

        /// `SLICE1/window-not-empty`: The window holds an element at least in every dimension.
        fn window_not_empty(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(at(self.input_window_sizes.as_deref()?, d)? > 0),
            )
        }

        /// `SLICE1/window-inside`: The window ends within the input in every dimension.
        fn window_inside(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(
                    int(at(self.input_window_offsets.as_deref()?, d)?)
                        + int(at(self.input_window_sizes.as_deref()?, d)?)
                        <= int(at(self.input_tensor.as_ref()?.sizes.as_deref()?, d)?),
                ),
            )
        }

        /// `SLICE1/strides-nonzero`: No stride is 0.
        fn strides_nonzero(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(at(self.input_window_strides.as_deref()?, d)? != 0),
            )
        }

        /// `SLICE1/output-within-window`: The output is no longer than the elements that steps forward reach in the window.
        fn output_within_window(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(
                    at(self.input_window_strides.as_deref()?, d)? < 0
                        || int(at(self.output_tensor.as_ref()?.sizes.as_deref()?, d)?)
                            <= 1
                                + div_floor(
                                    int(at(self.input_window_sizes.as_deref()?, d)?) - 1,
                                    int(at(self.input_window_strides.as_deref()?, d)?),
                                )?,
                ),
            )
        }

        /// `SLICE1/output-within-window`, as the runtimes have it: The output is no longer than the elements that steps forward reach in the window.
        fn output_within_window_runtime(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(
                    at(self.input_window_strides.as_deref()?, d)? < 0
                        || rem_floor(
                            (int(at(self.output_tensor.as_ref()?.sizes.as_deref()?, d)?)
                                - 1) * int(at(self.input_window_strides.as_deref()?, d)?),
                            4294967296,
                        )? < int(at(self.input_window_sizes.as_deref()?, d)?),
                ),
            )
        }

        /// `SLICE1/output-within-reversed-window`: The output is no longer than one more than the window's size less one, divided by the negative stride.
        fn output_within_reversed_window(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(
                    at(self.input_window_strides.as_deref()?, d)? > 0
                        || int(at(self.output_tensor.as_ref()?.sizes.as_deref()?, d)?)
                            <= 1i128
                                .checked_sub(
                                    div_floor(
                                        int(at(self.input_window_sizes.as_deref()?, d)?) - 1,
                                        int(at(self.input_window_strides.as_deref()?, d)?)
                                            .checked_abs()?,
                                    )?,
                                )?,
                ),
            )
        }

        /// `SLICE1/output-within-reversed-window`, as the runtimes have it: The output is no longer than one more than the window's size less one, divided by the negative stride.
        fn output_within_reversed_window_runtime(&self) -> Option<bool> {
            all(
                0..self.dimension_count,
                |d| Some(
                    at(self.input_window_strides.as_deref()?, d)? > 0
                        || rem_floor(
                            (int(at(self.output_tensor.as_ref()?.sizes.as_deref()?, d)?)
                                - 1)
                                .checked_mul(
                                    int(at(self.input_window_strides.as_deref()?, d)?)
                                        .checked_abs()?,
                                )?,
                            4294967296,
                        )? < int(at(self.input_window_sizes.as_deref()?, d)?),
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
                        (DataType::UNKNOWN.0, "SLICE1/2.1/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "SLICE1/2.1/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "SLICE1/2.1/InputTensor/UINT64"),
                        (DataType::INT64.0, "SLICE1/2.1/InputTensor/INT64"),
                        (DataType::UINT4.0, "SLICE1/2.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "SLICE1/2.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "SLICE1/2.1/InputTensor/1-D"),
                        (2, "SLICE1/2.1/InputTensor/2-D"),
                        (3, "SLICE1/2.1/InputTensor/3-D"),
                        (6, "SLICE1/2.1/InputTensor/6-D"),
                        (7, "SLICE1/2.1/InputTensor/7-D"),
                        (8, "SLICE1/2.1/InputTensor/8-D"),
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
                        (DataType::UNKNOWN.0, "SLICE1/2.1/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "SLICE1/2.1/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "SLICE1/2.1/OutputTensor/UINT64"),
                        (DataType::INT64.0, "SLICE1/2.1/OutputTensor/INT64"),
                        (DataType::UINT4.0, "SLICE1/2.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "SLICE1/2.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "SLICE1/2.1/OutputTensor/1-D"),
                        (2, "SLICE1/2.1/OutputTensor/2-D"),
                        (3, "SLICE1/2.1/OutputTensor/3-D"),
                        (6, "SLICE1/2.1/OutputTensor/6-D"),
                        (7, "SLICE1/2.1/OutputTensor/7-D"),
                        (8, "SLICE1/2.1/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_0,
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
                        (DataType::UNKNOWN.0, "SLICE1/3.0/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "SLICE1/3.0/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "SLICE1/3.0/InputTensor/UINT64"),
                        (DataType::INT64.0, "SLICE1/3.0/InputTensor/INT64"),
                        (DataType::UINT4.0, "SLICE1/3.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "SLICE1/3.0/InputTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "SLICE1/3.0/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "SLICE1/3.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "SLICE1/3.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "SLICE1/3.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "SLICE1/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "SLICE1/3.0/OutputTensor/INT4"),
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
                        DataType::FLOAT64.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "SLICE1/4.1/InputTensor/UNKNOWN"),
                        (DataType::UINT4.0, "SLICE1/4.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "SLICE1/4.1/InputTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "SLICE1/4.1/OutputTensor/UNKNOWN"),
                        (DataType::UINT4.0, "SLICE1/4.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "SLICE1/4.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_SLICE1_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_SLICE1_OPERATOR_DESC {
        /// Elements to copy from.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// The elements copied.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// How many elements each of the three lists has.
        pub DimensionCount: u32,
        /// Where the window starts in each dimension.
        pub InputWindowOffsets: *const u32,
        /// How many elements it holds in each dimension.
        pub InputWindowSizes: *const u32,
        /// Distance between elements that are copied; where it is negative, copying starts at the window's end.
        pub InputWindowStrides: *const i32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_SLICE1_OPERATOR_DESC>();
        assert!(SIZE == 48);
        assert!(offset_of!(DML_SLICE1_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_SLICE1_OPERATOR_DESC, OutputTensor) == 8);
        assert!(offset_of!(DML_SLICE1_OPERATOR_DESC, DimensionCount) == 16);
        assert!(offset_of!(DML_SLICE1_OPERATOR_DESC, InputWindowOffsets) == 24);
        assert!(offset_of!(DML_SLICE1_OPERATOR_DESC, InputWindowSizes) == 32);
        assert!(offset_of!(DML_SLICE1_OPERATOR_DESC, InputWindowStrides) == 40);
    };
}

pub use slice1::Slice1;
