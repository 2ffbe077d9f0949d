// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_GATHER_OPERATOR_DESC`, since level 1.0.
pub mod gather {
    use super::*;

    /// Takes elements along an axis by their indices, which stand in a tensor of their own.
    ///
    /// # Constraints
    /// - `GATHER/axis-in-range`: The axis is one of the input's dimensions.
    /// - `GATHER/same-dimension-count`: All three tensors have the same number of dimensions.
    /// - `GATHER/same-data-type`: The elements taken have the input's data type.
    /// - `GATHER/index-dimensions-within-rank`: No more dimensions of the indices count than there are.
    /// - `GATHER/index-dimensions-below-rank`: Fewer dimensions of the indices count than there are.
    /// - `GATHER/leading-index-ones`: Dimensions of the indices that do not count have one element.
    /// - `GATHER/axis-kept`: The dimensions of the input that the output has no room for, one less than dimensions of the indices count, lie before the axis.
    /// - `GATHER/cropped-sizes-one`: The dimensions of the input that the output has no room for have one element.
    /// - `GATHER/output-sizes`: From the last dimension on, the output has the sizes of the input, with those of the indices that count in the place of the axis.
    /// - `GATHER/output-padded-with-one`: Where no dimension of the indices counts, the output's first dimension has one element.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Gather {
        /// Elements to take.
        pub input_tensor: Option<TensorDesc>,
        /// Which of them; negative indices count from the end.
        pub indices_tensor: Option<TensorDesc>,
        /// The elements taken.
        pub output_tensor: Option<TensorDesc>,
        /// Dimension of the input that the indices count along.
        pub axis: u32,
        /// How many dimensions of the indices count, from the last one on.
        pub index_dimensions: u32,
    }

    impl Operator for Gather {
        const NAME: &'static str = "GATHER";
        const TYPE: u32 = 67;
        const INTRODUCED: FeatureLevel = levels::FL_1_0;
        const INPUTS: usize = 2;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 5)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                indices_tensor: fields.tensor("IndicesTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                axis: fields.uint("Axis")?,
                index_dimensions: fields.uint("IndexDimensions")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.indices_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.axis),
                    Value::UInt(self.index_dimensions),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "GATHER/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                Some(""),
                since,
                tensor::check,
                found,
            );
            let input_tensor = tensors.one(INPUT, "InputTensor", &self.input_tensor);
            let indices_tensor = tensors
                .one(INPUT, "IndicesTensor", &self.indices_tensor);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            let axis_in_range = input_tensor.structural
                && found.normative("GATHER/axis-in-range", self.axis_in_range());
            let same_dimension_count = input_tensor.structural
                && indices_tensor.structural && output_tensor.structural
                && found
                    .normative(
                        "GATHER/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if input_tensor.structural && output_tensor.structural {
                found.normative("GATHER/same-data-type", self.same_data_type());
            }
            let index_dimensions_within_rank = indices_tensor.structural
                && found
                    .normative(
                        "GATHER/index-dimensions-within-rank",
                        self.index_dimensions_within_rank(),
                    );
            if index_dimensions_within_rank {
                found
                    .disputed(
                        "GATHER/index-dimensions-below-rank",
                        self.index_dimensions_below_rank(),
                        self.index_dimensions_below_rank_runtime(),
                    );
            }
            let axis_kept = index_dimensions_within_rank
                && found.normative("GATHER/axis-kept", self.axis_kept());
            if input_tensor.structural && axis_kept {
                found
                    .disputed(
                        "GATHER/cropped-sizes-one",
                        self.cropped_sizes_one(),
                        Some(true),
                    );
            }
            if axis_in_range && same_dimension_count && axis_kept {
                found.normative("GATHER/output-sizes", self.output_sizes());
            }
            if same_dimension_count {
                found
                    .disputed(
                        "GATHER/output-padded-with-one",
                        self.output_padded_with_one(),
                        Some(true),
                    );
            }
            if axis_in_range && same_dimension_count && axis_kept {
                found
                    .disputed(
                        "GATHER/leading-index-ones",
                        self.leading_index_ones(),
                        self.leading_index_ones_runtime(),
                    );
            }
        }
    }

    impl Gather {
        /// `GATHER/axis-in-range`: The axis is one of the input's dimensions.
        fn axis_in_range(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            Some(self.axis < input_tensor.dimension_count())
        }

        /// `GATHER/same-dimension-count`: All three tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let indices_tensor = self.indices_tensor.as_ref()?;
            Some(
                input_tensor.dimension_count() == indices_tensor.dimension_count()
                    && input_tensor.dimension_count()
                        == self.output_tensor.as_ref()?.dimension_count(),
            )
        }

        /// `GATHER/same-data-type`: The elements taken have the input's data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.data_type == output_tensor.data_type)
        }

        /// `GATHER/index-dimensions-within-rank`: No more dimensions of the indices count than there are.
        fn index_dimensions_within_rank(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            Some(self.index_dimensions <= indices_tensor.dimension_count())
        }

        /// `GATHER/index-dimensions-below-rank`: Fewer dimensions of the indices count than there are.
        fn index_dimensions_below_rank(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            Some(self.index_dimensions < indices_tensor.dimension_count())
        }

        /// `GATHER/index-dimensions-below-rank`, as the runtimes have it: Fewer dimensions of the indices count than there are.
        fn index_dimensions_below_rank_runtime(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            Some(self.index_dimensions <= indices_tensor.dimension_count())
        }

        /// `GATHER/axis-kept`: The dimensions of the input that the output has no room for, one less than dimensions of the indices count, lie before the axis.
        fn axis_kept(&self) -> Option<bool> {
            Some(int(self.index_dimensions) <= int(self.axis) + 1)
        }

        /// `GATHER/cropped-sizes-one`: The dimensions of the input that the output has no room for have one element.
        fn cropped_sizes_one(&self) -> Option<bool> {
            all(
                0i128..int(self.index_dimensions) - 1,
                |d| Some(at(self.input_tensor.as_ref()?.sizes.as_deref()?, d)? == 1),
            )
        }

        /// `GATHER/output-sizes`: From the last dimension on, the output has the sizes of the input, with those of the indices that count in the place of the axis.
        fn output_sizes(&self) -> Option<bool> {
            let output_tensor = self.output_tensor.as_ref()?;
            all(
                0..output_tensor.dimension_count(),
                |d| Some(
                    int(d) + int(self.index_dimensions) < 1
                        || at(output_tensor.sizes.as_deref()?, d)?
                            == (if int(d) + int(self.index_dimensions) - 1
                                < int(self.axis)
                            {
                                at(
                                    self.input_tensor.as_ref()?.sizes.as_deref()?,
                                    int(d) + int(self.index_dimensions) - 1,
                                )?
                            } else {
                                if d <= self.axis {
                                    at(
                                        self.indices_tensor.as_ref()?.sizes.as_deref()?,
                                        int(self.indices_tensor.as_ref()?.dimension_count())
                                            + int(d) - 1 - int(self.axis),
                                    )?
                                } else {
                                    at(self.input_tensor.as_ref()?.sizes.as_deref()?, d)?
                                }
                            }),
                ),
            )
        }

        /// `GATHER/output-padded-with-one`: Where no dimension of the indices counts, the output's first dimension has one element.
        fn output_padded_with_one(&self) -> Option<bool> {
            Some(
                self.index_dimensions > 0
                    || at(self.output_tensor.as_ref()?.sizes.as_deref()?, 0)? == 1,
            )
        }

        /// `GATHER/leading-index-ones`: Dimensions of the indices that do not count have one element.
        fn leading_index_ones(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            all(
                0i128..int(indices_tensor.dimension_count())
                    - int(self.index_dimensions),
                |d| Some(at(indices_tensor.sizes.as_deref()?, d)? == 1),
            )
        }

        /// `GATHER/leading-index-ones`, as the runtimes have it: Dimensions of the indices that do not count have one element.
        fn leading_index_ones_runtime(&self) -> Option<bool> {
            let indices_tensor = self.indices_tensor.as_ref()?;
            all(
                sum_of(
                    0..indices_tensor.dimension_count(),
                    |d| Some(
                        if any(
                            0i128..int(d) + 1,
                            |d1| Some(at(indices_tensor.sizes.as_deref()?, d1)? > 1),
                        )? {
                            1i128
                        } else {
                            0i128
                        },
                    ),
                )?..1i128
                    .checked_add(
                        sum_of(
                            0..indices_tensor.dimension_count(),
                            |d| Some(
                                if any(
                                    0i128..int(d) + 1,
                                    |d1| Some(at(indices_tensor.sizes.as_deref()?, d1)? > 1),
                                )? {
                                    1i128
                                } else {
                                    0i128
                                },
                            ),
                        )?,
                    )?,
                |d| all(
                    sum_of(
                        0..self.input_tensor.as_ref()?.dimension_count(),
                        |d1| Some(
                            if any(
                                0i128..int(d1) + 1,
                                |d2| Some(
                                    at(self.input_tensor.as_ref()?.sizes.as_deref()?, d2)? > 1,
                                ),
                            )? {
                                1i128
                            } else {
                                0i128
                            },
                        ),
                    )?..1i128
                        .checked_add(
                            sum_of(
                                0..self.input_tensor.as_ref()?.dimension_count(),
                                |d1| Some(
                                    if any(
                                        0i128..int(d1) + 1,
                                        |d2| Some(
                                            at(self.input_tensor.as_ref()?.sizes.as_deref()?, d2)? > 1,
                                        ),
                                    )? {
                                        1i128
                                    } else {
                                        0i128
                                    },
                                ),
                            )?,
                        )?,
                    |d1| Some(
                        d.checked_sub(int(self.index_dimensions))? <= int(self.axis)
                            && d.checked_sub(int(self.index_dimensions))? <= d1
                            && all(
                                0i128..0i128
                                    .max(d.checked_sub(int(self.index_dimensions))?),
                                |d2| Some(
                                    at(
                                        indices_tensor.sizes.as_deref()?,
                                        int(indices_tensor.dimension_count())
                                            .checked_sub(d)?
                                            .checked_add(d2)?,
                                    )?
                                        == at(
                                            self.input_tensor.as_ref()?.sizes.as_deref()?,
                                            int(self.input_tensor.as_ref()?.dimension_count())
                                                .checked_sub(d1)?
                                                .checked_add(d2)?,
                                        )?,
                                ),
                            )?,
                    ),
                ),
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
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "GATHER/1.0/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "GATHER/1.0/InputTensor/UINT32"),
                        (DataType::UINT16.0, "GATHER/1.0/InputTensor/UINT16"),
                        (DataType::UINT8.0, "GATHER/1.0/InputTensor/UINT8"),
                        (DataType::INT32.0, "GATHER/1.0/InputTensor/INT32"),
                        (DataType::INT16.0, "GATHER/1.0/InputTensor/INT16"),
                        (DataType::INT8.0, "GATHER/1.0/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "GATHER/1.0/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/1.0/InputTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/1.0/InputTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/1.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/1.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "GATHER/1.0/InputTensor/1-D"),
                        (2, "GATHER/1.0/InputTensor/2-D"),
                        (3, "GATHER/1.0/InputTensor/3-D"),
                        (5, "GATHER/1.0/InputTensor/5-D"),
                        (6, "GATHER/1.0/InputTensor/6-D"),
                        (7, "GATHER/1.0/InputTensor/7-D"),
                        (8, "GATHER/1.0/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "IndicesTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "GATHER/1.0/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "GATHER/1.0/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "GATHER/1.0/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "GATHER/1.0/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "GATHER/1.0/IndicesTensor/UINT8"),
                        (DataType::INT32.0, "GATHER/1.0/IndicesTensor/INT32"),
                        (DataType::INT16.0, "GATHER/1.0/IndicesTensor/INT16"),
                        (DataType::INT8.0, "GATHER/1.0/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "GATHER/1.0/IndicesTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/1.0/IndicesTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/1.0/IndicesTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/1.0/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/1.0/IndicesTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "GATHER/1.0/IndicesTensor/1-D"),
                        (2, "GATHER/1.0/IndicesTensor/2-D"),
                        (3, "GATHER/1.0/IndicesTensor/3-D"),
                        (5, "GATHER/1.0/IndicesTensor/5-D"),
                        (6, "GATHER/1.0/IndicesTensor/6-D"),
                        (7, "GATHER/1.0/IndicesTensor/7-D"),
                        (8, "GATHER/1.0/IndicesTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "GATHER/1.0/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "GATHER/1.0/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "GATHER/1.0/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "GATHER/1.0/OutputTensor/UINT8"),
                        (DataType::INT32.0, "GATHER/1.0/OutputTensor/INT32"),
                        (DataType::INT16.0, "GATHER/1.0/OutputTensor/INT16"),
                        (DataType::INT8.0, "GATHER/1.0/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "GATHER/1.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/1.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/1.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/1.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/1.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "GATHER/1.0/OutputTensor/1-D"),
                        (2, "GATHER/1.0/OutputTensor/2-D"),
                        (3, "GATHER/1.0/OutputTensor/3-D"),
                        (5, "GATHER/1.0/OutputTensor/5-D"),
                        (6, "GATHER/1.0/OutputTensor/6-D"),
                        (7, "GATHER/1.0/OutputTensor/7-D"),
                        (8, "GATHER/1.0/OutputTensor/8-D"),
                    ],
                },
            ],
        },
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
                        (DataType::UNKNOWN.0, "GATHER/2.1/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "GATHER/2.1/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/2.1/InputTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/2.1/InputTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/2.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/2.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "GATHER/2.1/InputTensor/1-D"),
                        (2, "GATHER/2.1/InputTensor/2-D"),
                        (3, "GATHER/2.1/InputTensor/3-D"),
                        (5, "GATHER/2.1/InputTensor/5-D"),
                        (6, "GATHER/2.1/InputTensor/6-D"),
                        (7, "GATHER/2.1/InputTensor/7-D"),
                        (8, "GATHER/2.1/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "IndicesTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "GATHER/2.1/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "GATHER/2.1/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "GATHER/2.1/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "GATHER/2.1/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "GATHER/2.1/IndicesTensor/UINT8"),
                        (DataType::INT32.0, "GATHER/2.1/IndicesTensor/INT32"),
                        (DataType::INT16.0, "GATHER/2.1/IndicesTensor/INT16"),
                        (DataType::INT8.0, "GATHER/2.1/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "GATHER/2.1/IndicesTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/2.1/IndicesTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/2.1/IndicesTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/2.1/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/2.1/IndicesTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "GATHER/2.1/IndicesTensor/1-D"),
                        (2, "GATHER/2.1/IndicesTensor/2-D"),
                        (3, "GATHER/2.1/IndicesTensor/3-D"),
                        (5, "GATHER/2.1/IndicesTensor/5-D"),
                        (6, "GATHER/2.1/IndicesTensor/6-D"),
                        (7, "GATHER/2.1/IndicesTensor/7-D"),
                        (8, "GATHER/2.1/IndicesTensor/8-D"),
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
                        (DataType::UNKNOWN.0, "GATHER/2.1/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "GATHER/2.1/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/2.1/OutputTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/2.1/OutputTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/2.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/2.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "GATHER/2.1/OutputTensor/1-D"),
                        (2, "GATHER/2.1/OutputTensor/2-D"),
                        (3, "GATHER/2.1/OutputTensor/3-D"),
                        (5, "GATHER/2.1/OutputTensor/5-D"),
                        (6, "GATHER/2.1/OutputTensor/6-D"),
                        (7, "GATHER/2.1/OutputTensor/7-D"),
                        (8, "GATHER/2.1/OutputTensor/8-D"),
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
                        (DataType::UNKNOWN.0, "GATHER/3.0/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "GATHER/3.0/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/3.0/InputTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/3.0/InputTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/3.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/3.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
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
                        (DataType::UNKNOWN.0, "GATHER/3.0/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "GATHER/3.0/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "GATHER/3.0/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "GATHER/3.0/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "GATHER/3.0/IndicesTensor/UINT8"),
                        (DataType::INT16.0, "GATHER/3.0/IndicesTensor/INT16"),
                        (DataType::INT8.0, "GATHER/3.0/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "GATHER/3.0/IndicesTensor/FLOAT64"),
                        (DataType::UINT4.0, "GATHER/3.0/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/3.0/IndicesTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "GATHER/3.0/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "GATHER/3.0/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "GATHER/3.0/OutputTensor/UINT64"),
                        (DataType::INT64.0, "GATHER/3.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "GATHER/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/3.0/OutputTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "GATHER/4.1/InputTensor/UNKNOWN"),
                        (DataType::UINT4.0, "GATHER/4.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/4.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
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
                        (DataType::UNKNOWN.0, "GATHER/4.1/IndicesTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "GATHER/4.1/IndicesTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "GATHER/4.1/IndicesTensor/FLOAT16"),
                        (DataType::UINT16.0, "GATHER/4.1/IndicesTensor/UINT16"),
                        (DataType::UINT8.0, "GATHER/4.1/IndicesTensor/UINT8"),
                        (DataType::INT16.0, "GATHER/4.1/IndicesTensor/INT16"),
                        (DataType::INT8.0, "GATHER/4.1/IndicesTensor/INT8"),
                        (DataType::FLOAT64.0, "GATHER/4.1/IndicesTensor/FLOAT64"),
                        (DataType::UINT4.0, "GATHER/4.1/IndicesTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/4.1/IndicesTensor/INT4"),
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
                        (DataType::UNKNOWN.0, "GATHER/4.1/OutputTensor/UNKNOWN"),
                        (DataType::UINT4.0, "GATHER/4.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "GATHER/4.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_GATHER_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_GATHER_OPERATOR_DESC {
        /// Elements to take.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// Which of them; negative indices count from the end.
        pub IndicesTensor: *const DML_TENSOR_DESC,
        /// The elements taken.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Dimension of the input that the indices count along.
        pub Axis: u32,
        /// How many dimensions of the indices count, from the last one on.
        pub IndexDimensions: u32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_GATHER_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_GATHER_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_GATHER_OPERATOR_DESC, IndicesTensor) == 8);
        assert!(offset_of!(DML_GATHER_OPERATOR_DESC, OutputTensor) == 16);
        assert!(offset_of!(DML_GATHER_OPERATOR_DESC, Axis) == 24);
        assert!(offset_of!(DML_GATHER_OPERATOR_DESC, IndexDimensions) == 28);
    };
}

pub use gather::Gather;
