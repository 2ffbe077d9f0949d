// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC`, since level 5.1.
pub mod activation_softmax1 {
    use super::*;

    /// Turns every group of elements along some axes into shares of 1, in proportion to their exponentials.
    ///
    /// # Constraints
    /// - `ACTIVATION_SOFTMAX1/axes-present`: The axes are given where there are any.
    /// - `ACTIVATION_SOFTMAX1/axes-in-range`: Every axis is one of the input's dimensions.
    /// - `ACTIVATION_SOFTMAX1/same-data-type`: Both tensors have the same data type.
    /// - `ACTIVATION_SOFTMAX1/same-dimension-count`: Both tensors have the same number of dimensions.
    /// - `ACTIVATION_SOFTMAX1/same-sizes`: Both tensors have the same sizes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ActivationSoftmax1 {
        /// Elements whose exponentials count.
        pub input_tensor: Option<TensorDesc>,
        /// The shares.
        pub output_tensor: Option<TensorDesc>,
        /// How many axes.
        pub axis_count: u32,
        /// Dimensions that a group runs along.
        pub axes: Option<Dims>,
    }

    impl Operator for ActivationSoftmax1 {
        const NAME: &'static str = "ACTIVATION_SOFTMAX1";
        const TYPE: u32 = 158;
        const INTRODUCED: FeatureLevel = levels::FL_5_1;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 4)?;
            Ok(Self {
                input_tensor: fields.read("InputTensor")?,
                output_tensor: fields.read("OutputTensor")?,
                axis_count: fields.read("AxisCount")?,
                axes: fields.read("Axes")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    self.input_tensor.to_value(),
                    self.output_tensor.to_value(),
                    self.axis_count.to_value(),
                    self.axes.to_value(),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "ACTIVATION_SOFTMAX1/introduced");
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
                .normative("ACTIVATION_SOFTMAX1/axes-present", self.axes_present());
            if input_tensor.structural && axes_present {
                found
                    .normative(
                        "ACTIVATION_SOFTMAX1/axes-in-range",
                        self.axes_in_range(),
                    );
            }
            if input_tensor.structural && output_tensor.structural {
                found
                    .normative(
                        "ACTIVATION_SOFTMAX1/same-data-type",
                        self.same_data_type(),
                    );
            }
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "ACTIVATION_SOFTMAX1/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if same_dimension_count {
                found.normative("ACTIVATION_SOFTMAX1/same-sizes", self.same_sizes());
            }
        }
    }

    impl ActivationSoftmax1 {
        /// `ACTIVATION_SOFTMAX1/axes-present`: The axes are given where there are any.
        fn axes_present(&self) -> Option<bool> {
            Some(self.axis_count == 0 || self.axes.is_some())
        }

        /// `ACTIVATION_SOFTMAX1/axes-in-range`: Every axis is one of the input's dimensions.
        fn axes_in_range(&self) -> Option<bool> {
            all(
                0..self.axis_count,
                |d| Some(
                    at(self.axes.as_deref()?, d)?
                        < self.input_tensor.as_ref()?.dimension_count(),
                ),
            )
        }

        /// `ACTIVATION_SOFTMAX1/same-data-type`: Both tensors have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.data_type == output_tensor.data_type)
        }

        /// `ACTIVATION_SOFTMAX1/same-dimension-count`: Both tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `ACTIVATION_SOFTMAX1/same-sizes`: Both tensors have the same sizes.
        fn same_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(same(input_tensor.sizes.as_deref()?, output_tensor.sizes.as_deref()?))
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_5_1,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_SOFTMAX1/5.1/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_SOFTMAX1/5.1/InputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_SOFTMAX1/5.1/InputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/UINT8"),
                        (DataType::INT32.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/INT32"),
                        (DataType::INT16.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/INT16"),
                        (DataType::INT8.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_SOFTMAX1/5.1/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_SOFTMAX1/5.1/InputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/INT64"),
                        (DataType::UINT4.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "ACTIVATION_SOFTMAX1/5.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/INT16",
                        ),
                        (DataType::INT8.0, "ACTIVATION_SOFTMAX1/5.1/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_SOFTMAX1/5.1/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_SOFTMAX1/5.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC {
        /// Elements whose exponentials count.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// The shares.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// How many axes.
        pub AxisCount: u32,
        /// Dimensions that a group runs along.
        pub Axes: *const u32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC, OutputTensor) == 8);
        assert!(offset_of!(DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC, AxisCount) == 16);
        assert!(offset_of!(DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC, Axes) == 24);
    };
}

pub use activation_softmax1::ActivationSoftmax1;
