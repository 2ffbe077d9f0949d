// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_ARGMAX_OPERATOR_DESC`, since level 3.0.
pub mod argmax {
    use super::*;

    /// Finds the index of the largest element among those that differ in the reduced axes only.
    ///
    /// # Constraints
    /// - `ARGMAX/axes-present`: The axes are given where there are any.
    /// - `ARGMAX/axes-in-range`: Every axis is one of the input's dimensions.
    /// - `ARGMAX/axis-direction-known`: The direction is INCREASING or DECREASING.
    /// - `ARGMAX/same-dimension-count`: Both tensors have the same number of dimensions.
    /// - `ARGMAX/output-sizes`: The output has size 1 in every reduced axis and the input's sizes in all others.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Argmax {
        /// Elements to compare.
        pub input_tensor: Option<TensorDesc>,
        /// One index for each set of elements.
        pub output_tensor: Option<TensorDesc>,
        /// How many axes are reduced.
        pub axis_count: u32,
        /// The reduced axes.
        pub axes: Option<Dims>,
        /// INCREASING gives the first of equal elements; DECREASING the last.
        pub axis_direction: AxisDirection,
    }

    impl Operator for Argmax {
        const NAME: &'static str = "ARGMAX";
        const TYPE: u32 = 138;
        const INTRODUCED: FeatureLevel = levels::FL_3_0;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 5)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                axis_count: fields.uint("AxisCount")?,
                axes: fields.uints("Axes")?,
                axis_direction: AxisDirection(fields.uint("AxisDirection")?),
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::UInt(self.axis_count),
                    Value::UInts(self.axes.clone()),
                    Value::UInt(self.axis_direction.0),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "ARGMAX/introduced");
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
            let axes_present = found
                .normative("ARGMAX/axes-present", self.axes_present());
            let axes_in_range = input_tensor.structural && axes_present
                && found.normative("ARGMAX/axes-in-range", self.axes_in_range());
            found.observed("ARGMAX/axis-direction-known", self.axis_direction_known());
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "ARGMAX/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if axes_in_range && same_dimension_count {
                found.normative("ARGMAX/output-sizes", self.output_sizes());
            }
        }
    }

    impl Argmax {
        /// `ARGMAX/axes-present`: The axes are given where there are any.
        fn axes_present(&self) -> Option<bool> {
            Some(self.axis_count == 0 || self.axes.is_some())
        }

        /// `ARGMAX/axes-in-range`: Every axis is one of the input's dimensions.
        fn axes_in_range(&self) -> Option<bool> {
            all(
                0..self.axis_count,
                |d| Some(
                    at(self.axes.as_deref()?, d)?
                        < self.input_tensor.as_ref()?.dimension_count(),
                ),
            )
        }

        /// `ARGMAX/axis-direction-known`: The direction is INCREASING or DECREASING.
        fn axis_direction_known(&self) -> Option<bool> {
            Some(self.axis_direction.is_known())
        }

        /// `ARGMAX/same-dimension-count`: Both tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `ARGMAX/output-sizes`: The output has size 1 in every reduced axis and the input's sizes in all others.
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
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
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
                        (DataType::UNKNOWN.0, "ARGMAX/3.0/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "ARGMAX/3.0/InputTensor/FLOAT64"),
                        (DataType::UINT64.0, "ARGMAX/3.0/InputTensor/UINT64"),
                        (DataType::INT64.0, "ARGMAX/3.0/InputTensor/INT64"),
                        (DataType::UINT4.0, "ARGMAX/3.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "ARGMAX/3.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ARGMAX/3.0/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "ARGMAX/3.0/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "ARGMAX/3.0/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "ARGMAX/3.0/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "ARGMAX/3.0/OutputTensor/UINT8"),
                        (DataType::INT16.0, "ARGMAX/3.0/OutputTensor/INT16"),
                        (DataType::INT8.0, "ARGMAX/3.0/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "ARGMAX/3.0/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "ARGMAX/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ARGMAX/3.0/OutputTensor/INT4"),
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
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ARGMAX/4.1/InputTensor/UNKNOWN"),
                        (DataType::FLOAT64.0, "ARGMAX/4.1/InputTensor/FLOAT64"),
                        (DataType::UINT4.0, "ARGMAX/4.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "ARGMAX/4.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[
                        DataType::UINT32.0,
                        DataType::INT32.0,
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ARGMAX/4.1/OutputTensor/UNKNOWN"),
                        (DataType::FLOAT32.0, "ARGMAX/4.1/OutputTensor/FLOAT32"),
                        (DataType::FLOAT16.0, "ARGMAX/4.1/OutputTensor/FLOAT16"),
                        (DataType::UINT16.0, "ARGMAX/4.1/OutputTensor/UINT16"),
                        (DataType::UINT8.0, "ARGMAX/4.1/OutputTensor/UINT8"),
                        (DataType::INT16.0, "ARGMAX/4.1/OutputTensor/INT16"),
                        (DataType::INT8.0, "ARGMAX/4.1/OutputTensor/INT8"),
                        (DataType::FLOAT64.0, "ARGMAX/4.1/OutputTensor/FLOAT64"),
                        (DataType::UINT4.0, "ARGMAX/4.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ARGMAX/4.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_ARGMAX_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_ARGMAX_OPERATOR_DESC {
        /// Elements to compare.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// One index for each set of elements.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// How many axes are reduced.
        pub AxisCount: u32,
        /// The reduced axes.
        pub Axes: *const u32,
        /// INCREASING gives the first of equal elements; DECREASING the last.
        pub AxisDirection: super::AxisDirection,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_ARGMAX_OPERATOR_DESC>();
        assert!(SIZE == 40);
        assert!(offset_of!(DML_ARGMAX_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_ARGMAX_OPERATOR_DESC, OutputTensor) == 8);
        assert!(offset_of!(DML_ARGMAX_OPERATOR_DESC, AxisCount) == 16);
        assert!(offset_of!(DML_ARGMAX_OPERATOR_DESC, Axes) == 24);
        assert!(offset_of!(DML_ARGMAX_OPERATOR_DESC, AxisDirection) == 32);
    };
}

pub use argmax::Argmax;
