// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_REDUCE_OPERATOR_DESC`, since level 1.0.
pub mod reduce {
    use super::*;

    /// Reduces every set of elements that differ in the reduced axes only to one element, by a function.
    ///
    /// # Constraints
    /// - `REDUCE/function-known`: The function is a member of the enumeration.
    /// - `REDUCE/axes-present`: The axes are given where there are any.
    /// - `REDUCE/axes-in-range`: Every axis is one of the input's dimensions.
    /// - `REDUCE/same-dimension-count`: Both tensors have the same number of dimensions.
    /// - `REDUCE/output-sizes`: The output has size 1 in every reduced axis and the input's sizes in all others.
    /// - `REDUCE/same-data-type`: Functions other than ARGMAX and ARGMIN give elements of the input's data type.
    /// - `REDUCE/indices-integral`: ARGMAX and ARGMIN give whole numbers.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Reduce {
        /// What is made of each set.
        pub function: ReduceFunction,
        /// Elements to reduce.
        pub input_tensor: Option<TensorDesc>,
        /// One element for each set.
        pub output_tensor: Option<TensorDesc>,
        /// How many axes are reduced.
        pub axis_count: u32,
        /// The reduced axes.
        pub axes: Option<Dims>,
    }

    impl Operator for Reduce {
        const NAME: &'static str = "REDUCE";
        const TYPE: u32 = 55;
        const INTRODUCED: FeatureLevel = levels::FL_1_0;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 5)?;
            Ok(Self {
                function: ReduceFunction(fields.uint("Function")?),
                input_tensor: fields.tensor("InputTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                axis_count: fields.uint("AxisCount")?,
                axes: fields.uints("Axes")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::UInt(self.function.0),
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.axis_count),
                    Value::UInts(self.axes.clone()),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "REDUCE/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                self.group(level),
                since,
                tensor::check,
                found,
            );
            let input_tensor = tensors.one(INPUT, "InputTensor", &self.input_tensor);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            if input_tensor.structural {
                found
                    .disputed(
                        "REDUCE/function-known",
                        self.function_known(),
                        self.function_known_runtime(),
                    );
            }
            let axes_present = found
                .normative("REDUCE/axes-present", self.axes_present());
            let axes_in_range = input_tensor.structural && axes_present
                && found.normative("REDUCE/axes-in-range", self.axes_in_range());
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "REDUCE/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if axes_in_range && same_dimension_count {
                found.normative("REDUCE/output-sizes", self.output_sizes());
            }
            if input_tensor.structural && output_tensor.structural {
                found.normative("REDUCE/same-data-type", self.same_data_type());
            }
            if output_tensor.structural {
                found.normative("REDUCE/indices-integral", self.indices_integral());
            }
        }
    }

    impl Reduce {
        /// `REDUCE/function-known`: The function is a member of the enumeration.
        fn function_known(&self) -> Option<bool> {
            Some(self.function.is_known())
        }

        /// `REDUCE/function-known`, as the runtimes have it: The function is a member of the enumeration.
        fn function_known_runtime(&self) -> Option<bool> {
            Some(
                self.function.is_known()
                    || self.function.0 >= 2147483648
                        && [DataType::FLOAT32.0, DataType::FLOAT16.0]
                            .contains(&self.input_tensor.as_ref()?.data_type),
            )
        }

        /// `REDUCE/axes-present`: The axes are given where there are any.
        fn axes_present(&self) -> Option<bool> {
            Some(self.axis_count == 0 || self.axes.is_some())
        }

        /// `REDUCE/axes-in-range`: Every axis is one of the input's dimensions.
        fn axes_in_range(&self) -> Option<bool> {
            all(
                0..self.axis_count,
                |d| Some(
                    at(self.axes.as_deref()?, d)?
                        < self.input_tensor.as_ref()?.dimension_count(),
                ),
            )
        }

        /// `REDUCE/same-dimension-count`: Both tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `REDUCE/output-sizes`: The output has size 1 in every reduced axis and the input's sizes in all others.
        fn output_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(
                same(
                    output_tensor.sizes.as_deref()?,
                    &list_of(
                        0..input_tensor.dimension_count(),
                        |d| Some(
                            if self.axis_count > 0 && contains(self.axes.as_deref()?, d)
                            {
                                1i128
                            } else {
                                int(at(input_tensor.sizes.as_deref()?, d)?)
                            },
                        ),
                    )?,
                ),
            )
        }

        /// `REDUCE/same-data-type`: Functions other than ARGMAX and ARGMIN give elements of the input's data type.
        fn same_data_type(&self) -> Option<bool> {
            Some(
                [ReduceFunction::ARGMAX.0, ReduceFunction::ARGMIN.0]
                    .contains(&self.function.0)
                    || self.input_tensor.as_ref()?.data_type
                        == self.output_tensor.as_ref()?.data_type,
            )
        }

        /// `REDUCE/indices-integral`: ARGMAX and ARGMIN give whole numbers.
        fn indices_integral(&self) -> Option<bool> {
            Some(
                ![ReduceFunction::ARGMAX.0, ReduceFunction::ARGMIN.0]
                    .contains(&self.function.0)
                    || DataType(self.output_tensor.as_ref()?.data_type).is_signed()
                    || DataType(self.output_tensor.as_ref()?.data_type).is_unsigned(),
            )
        }

        /// Whether the rows of `arg` are this descriptor's.
        fn is_of_arg(&self) -> Option<bool> {
            Some(
                [ReduceFunction::ARGMAX.0, ReduceFunction::ARGMIN.0]
                    .contains(&self.function.0),
            )
        }

        /// Whether the rows of `float` are this descriptor's.
        fn is_of_float(&self) -> Option<bool> {
            Some(
                [
                    ReduceFunction::AVERAGE.0,
                    ReduceFunction::L2.0,
                    ReduceFunction::LOG_SUM.0,
                    ReduceFunction::LOG_SUM_EXP.0,
                ]
                    .contains(&self.function.0),
            )
        }

        /// Whether the rows of `norm` are this descriptor's.
        fn is_of_norm(&self) -> Option<bool> {
            Some(
                [ReduceFunction::L1.0, ReduceFunction::SUM_SQUARE.0]
                    .contains(&self.function.0),
            )
        }

        /// Whether the rows of `extreme` are this descriptor's.
        fn is_of_extreme(&self) -> Option<bool> {
            Some(
                [ReduceFunction::MAX.0, ReduceFunction::MIN.0].contains(&self.function.0),
            )
        }

        /// Whether the rows of `arithmetic` are this descriptor's.
        fn is_of_arithmetic(&self) -> Option<bool> {
            Some(
                [ReduceFunction::MULTIPLY.0, ReduceFunction::SUM.0]
                    .contains(&self.function.0),
            )
        }

        /// The descriptor's group of rows in the support tables.
        fn group(&self, _: FeatureLevel) -> Option<&'static str> {
            if self.is_of_arg() == Some(true) {
                return Some("arg");
            }
            if self.is_of_float() == Some(true) {
                return Some("float");
            }
            if self.is_of_norm() == Some(true) {
                return Some("norm");
            }
            if self.is_of_extreme() == Some(true) {
                return Some("extreme");
            }
            if self.is_of_arithmetic() == Some(true) {
                return Some("arithmetic");
            }
            None
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_1_0,
            rows: &[
                SupportRow {
                    group: "arg",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/arg/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/arg/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/arg/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/arg/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/arg/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/arg/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/arg/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/arg/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/arg/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/arg/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/arg/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/arg/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/arg/InputTensor/1-D"),
                        (2, "REDUCE/1.0/arg/InputTensor/2-D"),
                        (3, "REDUCE/1.0/arg/InputTensor/3-D"),
                        (5, "REDUCE/1.0/arg/InputTensor/5-D"),
                        (6, "REDUCE/1.0/arg/InputTensor/6-D"),
                        (7, "REDUCE/1.0/arg/InputTensor/7-D"),
                        (8, "REDUCE/1.0/arg/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "arg",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/arg/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "REDUCE/1.0/arg/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "REDUCE/1.0/arg/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "REDUCE/1.0/arg/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/arg/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/arg/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/arg/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/arg/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/arg/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/arg/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/arg/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/arg/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/arg/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/arg/OutputTensor/1-D"),
                        (2, "REDUCE/1.0/arg/OutputTensor/2-D"),
                        (3, "REDUCE/1.0/arg/OutputTensor/3-D"),
                        (5, "REDUCE/1.0/arg/OutputTensor/5-D"),
                        (6, "REDUCE/1.0/arg/OutputTensor/6-D"),
                        (7, "REDUCE/1.0/arg/OutputTensor/7-D"),
                        (8, "REDUCE/1.0/arg/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "float",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/float/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/float/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/float/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/float/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/float/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/float/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/float/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/float/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/float/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/float/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/float/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/float/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/float/InputTensor/1-D"),
                        (2, "REDUCE/1.0/float/InputTensor/2-D"),
                        (3, "REDUCE/1.0/float/InputTensor/3-D"),
                        (5, "REDUCE/1.0/float/InputTensor/5-D"),
                        (6, "REDUCE/1.0/float/InputTensor/6-D"),
                        (7, "REDUCE/1.0/float/InputTensor/7-D"),
                        (8, "REDUCE/1.0/float/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "float",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/float/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/float/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/float/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/float/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/float/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/float/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/float/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/float/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/float/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/float/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/float/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/float/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/float/OutputTensor/1-D"),
                        (2, "REDUCE/1.0/float/OutputTensor/2-D"),
                        (3, "REDUCE/1.0/float/OutputTensor/3-D"),
                        (5, "REDUCE/1.0/float/OutputTensor/5-D"),
                        (6, "REDUCE/1.0/float/OutputTensor/6-D"),
                        (7, "REDUCE/1.0/float/OutputTensor/7-D"),
                        (8, "REDUCE/1.0/float/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "norm",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/norm/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/norm/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/norm/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/norm/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/norm/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/norm/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/norm/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/norm/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/norm/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/norm/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/norm/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/norm/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/norm/InputTensor/1-D"),
                        (2, "REDUCE/1.0/norm/InputTensor/2-D"),
                        (3, "REDUCE/1.0/norm/InputTensor/3-D"),
                        (5, "REDUCE/1.0/norm/InputTensor/5-D"),
                        (6, "REDUCE/1.0/norm/InputTensor/6-D"),
                        (7, "REDUCE/1.0/norm/InputTensor/7-D"),
                        (8, "REDUCE/1.0/norm/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "norm",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/norm/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/norm/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/norm/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/norm/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/norm/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/norm/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/norm/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/norm/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/norm/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/norm/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/norm/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/norm/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/norm/OutputTensor/1-D"),
                        (2, "REDUCE/1.0/norm/OutputTensor/2-D"),
                        (3, "REDUCE/1.0/norm/OutputTensor/3-D"),
                        (5, "REDUCE/1.0/norm/OutputTensor/5-D"),
                        (6, "REDUCE/1.0/norm/OutputTensor/6-D"),
                        (7, "REDUCE/1.0/norm/OutputTensor/7-D"),
                        (8, "REDUCE/1.0/norm/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "extreme",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/extreme/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/extreme/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/extreme/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/extreme/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/extreme/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/extreme/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/extreme/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/extreme/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/extreme/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/extreme/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/extreme/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/extreme/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/extreme/InputTensor/1-D"),
                        (2, "REDUCE/1.0/extreme/InputTensor/2-D"),
                        (3, "REDUCE/1.0/extreme/InputTensor/3-D"),
                        (5, "REDUCE/1.0/extreme/InputTensor/5-D"),
                        (6, "REDUCE/1.0/extreme/InputTensor/6-D"),
                        (7, "REDUCE/1.0/extreme/InputTensor/7-D"),
                        (8, "REDUCE/1.0/extreme/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "extreme",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/1.0/extreme/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/1.0/extreme/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/extreme/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/extreme/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/extreme/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/extreme/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/extreme/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/1.0/extreme/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/1.0/extreme/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/extreme/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/extreme/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/extreme/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/extreme/OutputTensor/1-D"),
                        (2, "REDUCE/1.0/extreme/OutputTensor/2-D"),
                        (3, "REDUCE/1.0/extreme/OutputTensor/3-D"),
                        (5, "REDUCE/1.0/extreme/OutputTensor/5-D"),
                        (6, "REDUCE/1.0/extreme/OutputTensor/6-D"),
                        (7, "REDUCE/1.0/extreme/OutputTensor/7-D"),
                        (8, "REDUCE/1.0/extreme/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "arithmetic",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "REDUCE/1.0/arithmetic/InputTensor/UNKNOWN",
                        ),
                        (DataType::UINT32.0, "REDUCE/1.0/arithmetic/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/1.0/arithmetic/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/1.0/arithmetic/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/arithmetic/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/arithmetic/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/arithmetic/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/1.0/arithmetic/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "REDUCE/1.0/arithmetic/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/1.0/arithmetic/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/arithmetic/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/arithmetic/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/arithmetic/InputTensor/1-D"),
                        (2, "REDUCE/1.0/arithmetic/InputTensor/2-D"),
                        (3, "REDUCE/1.0/arithmetic/InputTensor/3-D"),
                        (5, "REDUCE/1.0/arithmetic/InputTensor/5-D"),
                        (6, "REDUCE/1.0/arithmetic/InputTensor/6-D"),
                        (7, "REDUCE/1.0/arithmetic/InputTensor/7-D"),
                        (8, "REDUCE/1.0/arithmetic/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "arithmetic",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "REDUCE/1.0/arithmetic/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "REDUCE/1.0/arithmetic/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "REDUCE/1.0/arithmetic/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "REDUCE/1.0/arithmetic/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/1.0/arithmetic/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/1.0/arithmetic/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/1.0/arithmetic/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/1.0/arithmetic/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "REDUCE/1.0/arithmetic/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "REDUCE/1.0/arithmetic/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/1.0/arithmetic/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/1.0/arithmetic/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/1.0/arithmetic/OutputTensor/1-D"),
                        (2, "REDUCE/1.0/arithmetic/OutputTensor/2-D"),
                        (3, "REDUCE/1.0/arithmetic/OutputTensor/3-D"),
                        (5, "REDUCE/1.0/arithmetic/OutputTensor/5-D"),
                        (6, "REDUCE/1.0/arithmetic/OutputTensor/6-D"),
                        (7, "REDUCE/1.0/arithmetic/OutputTensor/7-D"),
                        (8, "REDUCE/1.0/arithmetic/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_2_1,
            rows: &[
                SupportRow {
                    group: "arg",
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
                        (DataType::UNKNOWN.0, "REDUCE/2.1/arg/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/arg/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/arg/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/arg/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/arg/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/arg/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/arg/InputTensor/1-D"),
                        (2, "REDUCE/2.1/arg/InputTensor/2-D"),
                        (3, "REDUCE/2.1/arg/InputTensor/3-D"),
                        (5, "REDUCE/2.1/arg/InputTensor/5-D"),
                        (6, "REDUCE/2.1/arg/InputTensor/6-D"),
                        (7, "REDUCE/2.1/arg/InputTensor/7-D"),
                        (8, "REDUCE/2.1/arg/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "arg",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::UINT32.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/arg/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "REDUCE/2.1/arg/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "REDUCE/2.1/arg/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "REDUCE/2.1/arg/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/arg/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/2.1/arg/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/2.1/arg/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/arg/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/arg/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/arg/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/arg/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/arg/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/arg/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/arg/OutputTensor/1-D"),
                        (2, "REDUCE/2.1/arg/OutputTensor/2-D"),
                        (3, "REDUCE/2.1/arg/OutputTensor/3-D"),
                        (5, "REDUCE/2.1/arg/OutputTensor/5-D"),
                        (6, "REDUCE/2.1/arg/OutputTensor/6-D"),
                        (7, "REDUCE/2.1/arg/OutputTensor/7-D"),
                        (8, "REDUCE/2.1/arg/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "float",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/float/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/2.1/float/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/2.1/float/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/float/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/2.1/float/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/2.1/float/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/float/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/float/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/float/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/float/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/float/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/float/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/float/InputTensor/1-D"),
                        (2, "REDUCE/2.1/float/InputTensor/2-D"),
                        (3, "REDUCE/2.1/float/InputTensor/3-D"),
                        (5, "REDUCE/2.1/float/InputTensor/5-D"),
                        (6, "REDUCE/2.1/float/InputTensor/6-D"),
                        (7, "REDUCE/2.1/float/InputTensor/7-D"),
                        (8, "REDUCE/2.1/float/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "float",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/float/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/2.1/float/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/2.1/float/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/float/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/2.1/float/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/2.1/float/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/float/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/float/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/float/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/float/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/float/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/float/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/float/OutputTensor/1-D"),
                        (2, "REDUCE/2.1/float/OutputTensor/2-D"),
                        (3, "REDUCE/2.1/float/OutputTensor/3-D"),
                        (5, "REDUCE/2.1/float/OutputTensor/5-D"),
                        (6, "REDUCE/2.1/float/OutputTensor/6-D"),
                        (7, "REDUCE/2.1/float/OutputTensor/7-D"),
                        (8, "REDUCE/2.1/float/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "norm",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/norm/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/2.1/norm/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/2.1/norm/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/norm/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/2.1/norm/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/2.1/norm/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/norm/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/norm/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/norm/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/norm/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/norm/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/norm/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/norm/InputTensor/1-D"),
                        (2, "REDUCE/2.1/norm/InputTensor/2-D"),
                        (3, "REDUCE/2.1/norm/InputTensor/3-D"),
                        (5, "REDUCE/2.1/norm/InputTensor/5-D"),
                        (6, "REDUCE/2.1/norm/InputTensor/6-D"),
                        (7, "REDUCE/2.1/norm/InputTensor/7-D"),
                        (8, "REDUCE/2.1/norm/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "norm",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/norm/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/2.1/norm/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/2.1/norm/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/norm/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/2.1/norm/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/2.1/norm/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/norm/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/norm/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/norm/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/norm/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/norm/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/norm/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/norm/OutputTensor/1-D"),
                        (2, "REDUCE/2.1/norm/OutputTensor/2-D"),
                        (3, "REDUCE/2.1/norm/OutputTensor/3-D"),
                        (5, "REDUCE/2.1/norm/OutputTensor/5-D"),
                        (6, "REDUCE/2.1/norm/OutputTensor/6-D"),
                        (7, "REDUCE/2.1/norm/OutputTensor/7-D"),
                        (8, "REDUCE/2.1/norm/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "extreme",
                    tensor: "InputTensor",
                    dimensions: (4, 4),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/extreme/InputTensor/UNKNOWN"),
                        (DataType::UINT16.0, "REDUCE/2.1/extreme/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/extreme/InputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/2.1/extreme/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/extreme/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/extreme/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/extreme/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/extreme/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/extreme/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/extreme/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/extreme/InputTensor/1-D"),
                        (2, "REDUCE/2.1/extreme/InputTensor/2-D"),
                        (3, "REDUCE/2.1/extreme/InputTensor/3-D"),
                        (5, "REDUCE/2.1/extreme/InputTensor/5-D"),
                        (6, "REDUCE/2.1/extreme/InputTensor/6-D"),
                        (7, "REDUCE/2.1/extreme/InputTensor/7-D"),
                        (8, "REDUCE/2.1/extreme/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "extreme",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[
                        DataType::FLOAT32.0,
                        DataType::FLOAT16.0,
                        DataType::UINT32.0,
                        DataType::INT32.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/2.1/extreme/OutputTensor/UNKNOWN"),
                        (DataType::UINT16.0, "REDUCE/2.1/extreme/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/extreme/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/2.1/extreme/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/extreme/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/2.1/extreme/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/2.1/extreme/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/extreme/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/extreme/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/extreme/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/extreme/OutputTensor/1-D"),
                        (2, "REDUCE/2.1/extreme/OutputTensor/2-D"),
                        (3, "REDUCE/2.1/extreme/OutputTensor/3-D"),
                        (5, "REDUCE/2.1/extreme/OutputTensor/5-D"),
                        (6, "REDUCE/2.1/extreme/OutputTensor/6-D"),
                        (7, "REDUCE/2.1/extreme/OutputTensor/7-D"),
                        (8, "REDUCE/2.1/extreme/OutputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/2.1/arithmetic/InputTensor/UNKNOWN",
                        ),
                        (DataType::UINT16.0, "REDUCE/2.1/arithmetic/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/2.1/arithmetic/InputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/2.1/arithmetic/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/arithmetic/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/2.1/arithmetic/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "REDUCE/2.1/arithmetic/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/2.1/arithmetic/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/arithmetic/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/arithmetic/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/arithmetic/InputTensor/1-D"),
                        (2, "REDUCE/2.1/arithmetic/InputTensor/2-D"),
                        (3, "REDUCE/2.1/arithmetic/InputTensor/3-D"),
                        (5, "REDUCE/2.1/arithmetic/InputTensor/5-D"),
                        (6, "REDUCE/2.1/arithmetic/InputTensor/6-D"),
                        (7, "REDUCE/2.1/arithmetic/InputTensor/7-D"),
                        (8, "REDUCE/2.1/arithmetic/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/2.1/arithmetic/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "REDUCE/2.1/arithmetic/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "REDUCE/2.1/arithmetic/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/2.1/arithmetic/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/2.1/arithmetic/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/2.1/arithmetic/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "REDUCE/2.1/arithmetic/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "REDUCE/2.1/arithmetic/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/2.1/arithmetic/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/2.1/arithmetic/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "REDUCE/2.1/arithmetic/OutputTensor/1-D"),
                        (2, "REDUCE/2.1/arithmetic/OutputTensor/2-D"),
                        (3, "REDUCE/2.1/arithmetic/OutputTensor/3-D"),
                        (5, "REDUCE/2.1/arithmetic/OutputTensor/5-D"),
                        (6, "REDUCE/2.1/arithmetic/OutputTensor/6-D"),
                        (7, "REDUCE/2.1/arithmetic/OutputTensor/7-D"),
                        (8, "REDUCE/2.1/arithmetic/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_0,
            rows: &[
                SupportRow {
                    group: "arg",
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
                        (DataType::UNKNOWN.0, "REDUCE/3.0/arg/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/arg/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/arg/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/arg/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/arg/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/arg/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arg",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/3.0/arg/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "REDUCE/3.0/arg/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "REDUCE/3.0/arg/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "REDUCE/3.0/arg/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/3.0/arg/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/3.0/arg/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/arg/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/arg/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/arg/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/arg/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "float",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/3.0/float/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/3.0/float/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/3.0/float/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/3.0/float/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/3.0/float/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/3.0/float/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/float/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/float/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/float/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/float/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/float/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/float/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "float",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/3.0/float/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/3.0/float/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/3.0/float/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/3.0/float/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/3.0/float/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/3.0/float/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/float/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/float/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/float/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/float/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/float/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/float/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "norm",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/3.0/norm/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/3.0/norm/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/3.0/norm/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/3.0/norm/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/3.0/norm/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/3.0/norm/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/norm/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/norm/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/norm/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/norm/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/norm/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/norm/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "norm",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/3.0/norm/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/3.0/norm/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/3.0/norm/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/3.0/norm/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/3.0/norm/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/3.0/norm/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/norm/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/norm/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/norm/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/norm/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/norm/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/norm/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "extreme",
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
                        (DataType::UNKNOWN.0, "REDUCE/3.0/extreme/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/extreme/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/extreme/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/extreme/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/extreme/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/extreme/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "extreme",
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
                        (DataType::UNKNOWN.0, "REDUCE/3.0/extreme/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/3.0/extreme/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/3.0/extreme/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/extreme/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/extreme/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/extreme/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/3.0/arithmetic/InputTensor/UNKNOWN",
                        ),
                        (DataType::UINT16.0, "REDUCE/3.0/arithmetic/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/3.0/arithmetic/InputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/3.0/arithmetic/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/arithmetic/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/3.0/arithmetic/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "REDUCE/3.0/arithmetic/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/3.0/arithmetic/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/arithmetic/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/arithmetic/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/3.0/arithmetic/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "REDUCE/3.0/arithmetic/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "REDUCE/3.0/arithmetic/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/3.0/arithmetic/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/3.0/arithmetic/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/3.0/arithmetic/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "REDUCE/3.0/arithmetic/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "REDUCE/3.0/arithmetic/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/3.0/arithmetic/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/3.0/arithmetic/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
        SupportTable {
            level: levels::FL_4_1,
            rows: &[
                SupportRow {
                    group: "arg",
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
                        (DataType::UNKNOWN.0, "REDUCE/4.1/arg/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/arg/InputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/arg/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/arg/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arg",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/4.1/arg/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "REDUCE/4.1/arg/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "REDUCE/4.1/arg/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "REDUCE/4.1/arg/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/4.1/arg/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/4.1/arg/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/arg/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/arg/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/arg/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/arg/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "float",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/4.1/float/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/4.1/float/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/4.1/float/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/4.1/float/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/4.1/float/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/4.1/float/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/float/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/float/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/4.1/float/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/float/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/float/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/float/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "float",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/4.1/float/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/4.1/float/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/4.1/float/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/4.1/float/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/4.1/float/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/4.1/float/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/float/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/float/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/4.1/float/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/float/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/float/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/float/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "norm",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/4.1/norm/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/4.1/norm/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/4.1/norm/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/4.1/norm/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/4.1/norm/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/4.1/norm/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/norm/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/norm/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/4.1/norm/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/norm/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/norm/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/norm/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "norm",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/4.1/norm/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/4.1/norm/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/4.1/norm/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/4.1/norm/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/4.1/norm/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/4.1/norm/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/norm/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/norm/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/4.1/norm/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/norm/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/norm/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/norm/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "extreme",
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
                        (DataType::UNKNOWN.0, "REDUCE/4.1/extreme/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/extreme/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/4.1/extreme/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/extreme/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/extreme/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/extreme/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "extreme",
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
                        (DataType::UNKNOWN.0, "REDUCE/4.1/extreme/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/4.1/extreme/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/4.1/extreme/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/extreme/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/extreme/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/extreme/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/4.1/arithmetic/InputTensor/UNKNOWN",
                        ),
                        (DataType::UINT16.0, "REDUCE/4.1/arithmetic/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/4.1/arithmetic/InputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/4.1/arithmetic/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/arithmetic/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/4.1/arithmetic/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "REDUCE/4.1/arithmetic/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/4.1/arithmetic/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/arithmetic/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/arithmetic/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/4.1/arithmetic/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "REDUCE/4.1/arithmetic/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "REDUCE/4.1/arithmetic/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/4.1/arithmetic/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/4.1/arithmetic/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/4.1/arithmetic/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "REDUCE/4.1/arithmetic/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "REDUCE/4.1/arithmetic/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/4.1/arithmetic/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/4.1/arithmetic/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
        SupportTable {
            level: levels::FL_5_0,
            rows: &[
                SupportRow {
                    group: "arg",
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
                        (DataType::UNKNOWN.0, "REDUCE/5.0/arg/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/arg/InputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/arg/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/arg/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arg",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/5.0/arg/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "REDUCE/5.0/arg/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "REDUCE/5.0/arg/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "REDUCE/5.0/arg/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/5.0/arg/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/5.0/arg/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/arg/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/arg/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/arg/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/arg/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "float",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/5.0/float/InputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/5.0/float/InputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/5.0/float/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/5.0/float/InputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/5.0/float/InputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/5.0/float/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/float/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/float/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/5.0/float/InputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/5.0/float/InputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/float/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/float/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "float",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/5.0/float/OutputTensor/UNKNOWN"),
                        (DataType::UINT32.0, "REDUCE/5.0/float/OutputTensor/UINT32"),
                        (DataType::UINT16.0, "REDUCE/5.0/float/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/5.0/float/OutputTensor/UINT8"),
                        (DataType::INT32.0, "REDUCE/5.0/float/OutputTensor/INT32"),
                        (DataType::INT16.0, "REDUCE/5.0/float/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/float/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/float/OutputTensor/FLOAT64"),
                        (DataType::UINT64.0, "REDUCE/5.0/float/OutputTensor/UINT64"),
                        (DataType::INT64.0, "REDUCE/5.0/float/OutputTensor/INT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/float/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/float/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "norm",
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
                        (DataType::UNKNOWN.0, "REDUCE/5.0/norm/InputTensor/UNKNOWN"),
                        (DataType::UINT16.0, "REDUCE/5.0/norm/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/5.0/norm/InputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/5.0/norm/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/norm/InputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/norm/InputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/norm/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/norm/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "norm",
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
                        (DataType::UNKNOWN.0, "REDUCE/5.0/norm/OutputTensor/UNKNOWN"),
                        (DataType::UINT16.0, "REDUCE/5.0/norm/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/5.0/norm/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/5.0/norm/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/norm/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/norm/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/norm/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/norm/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "extreme",
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
                        (DataType::UNKNOWN.0, "REDUCE/5.0/extreme/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/extreme/InputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/extreme/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/extreme/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "extreme",
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
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "REDUCE/5.0/extreme/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "REDUCE/5.0/extreme/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "REDUCE/5.0/extreme/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/extreme/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/5.0/arithmetic/InputTensor/UNKNOWN",
                        ),
                        (DataType::UINT16.0, "REDUCE/5.0/arithmetic/InputTensor/UINT16"),
                        (DataType::UINT8.0, "REDUCE/5.0/arithmetic/InputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/5.0/arithmetic/InputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/arithmetic/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/5.0/arithmetic/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT4.0, "REDUCE/5.0/arithmetic/InputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/arithmetic/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "arithmetic",
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
                            "REDUCE/5.0/arithmetic/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT16.0,
                            "REDUCE/5.0/arithmetic/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "REDUCE/5.0/arithmetic/OutputTensor/UINT8"),
                        (DataType::INT16.0, "REDUCE/5.0/arithmetic/OutputTensor/INT16"),
                        (DataType::INT8.0, "REDUCE/5.0/arithmetic/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "REDUCE/5.0/arithmetic/OutputTensor/FLOAT64",
                        ),
                        (DataType::UINT4.0, "REDUCE/5.0/arithmetic/OutputTensor/UINT4"),
                        (DataType::INT4.0, "REDUCE/5.0/arithmetic/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_REDUCE_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_REDUCE_OPERATOR_DESC {
        /// What is made of each set.
        pub Function: super::ReduceFunction,
        /// Elements to reduce.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// One element for each set.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// How many axes are reduced.
        pub AxisCount: u32,
        /// The reduced axes.
        pub Axes: *const u32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_REDUCE_OPERATOR_DESC>();
        assert!(SIZE == 40);
        assert!(offset_of!(DML_REDUCE_OPERATOR_DESC, Function) == 0);
        assert!(offset_of!(DML_REDUCE_OPERATOR_DESC, InputTensor) == 8);
        assert!(offset_of!(DML_REDUCE_OPERATOR_DESC, OutputTensor) == 16);
        assert!(offset_of!(DML_REDUCE_OPERATOR_DESC, AxisCount) == 24);
        assert!(offset_of!(DML_REDUCE_OPERATOR_DESC, Axes) == 32);
    };
}

pub use reduce::Reduce;
