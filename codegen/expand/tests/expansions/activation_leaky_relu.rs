// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC`, since level 1.0.
pub mod activation_leaky_relu {
    use super::*;

    /// Scales every element below zero.
    ///
    /// # Constraints
    /// - `ACTIVATION_LEAKY_RELU/same-data-type`: Both tensors have the same data type.
    /// - `ACTIVATION_LEAKY_RELU/same-dimension-count`: Both tensors have the same number of dimensions.
    /// - `ACTIVATION_LEAKY_RELU/same-sizes`: Both tensors have the same sizes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ActivationLeakyRelu {
        /// Elements to activate.
        pub input_tensor: Option<TensorDesc>,
        /// The activated elements.
        pub output_tensor: Option<TensorDesc>,
        /// Coefficient of elements below zero.
        pub alpha: f32,
    }

    impl Operator for ActivationLeakyRelu {
        const NAME: &'static str = "ACTIVATION_LEAKY_RELU";
        const TYPE: u32 = 39;
        const INTRODUCED: FeatureLevel = levels::FL_1_0;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 3)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                alpha: fields.float("Alpha")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::Float(self.alpha),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "ACTIVATION_LEAKY_RELU/introduced");
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
            if input_tensor.structural && output_tensor.structural {
                found
                    .normative(
                        "ACTIVATION_LEAKY_RELU/same-data-type",
                        self.same_data_type(),
                    );
            }
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "ACTIVATION_LEAKY_RELU/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if same_dimension_count {
                found.normative("ACTIVATION_LEAKY_RELU/same-sizes", self.same_sizes());
            }
        }
    }

    impl ActivationLeakyRelu {
        /// `ACTIVATION_LEAKY_RELU/same-data-type`: Both tensors have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.data_type == output_tensor.data_type)
        }

        /// `ACTIVATION_LEAKY_RELU/same-dimension-count`: Both tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `ACTIVATION_LEAKY_RELU/same-sizes`: Both tensors have the same sizes.
        fn same_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(same(input_tensor.sizes.as_deref()?, output_tensor.sizes.as_deref()?))
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
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/INT16",
                        ),
                        (DataType::INT8.0, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_LEAKY_RELU/1.0/InputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/1-D"),
                        (2, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/2-D"),
                        (3, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/3-D"),
                        (5, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/5-D"),
                        (6, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/6-D"),
                        (7, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/7-D"),
                        (8, "ACTIVATION_LEAKY_RELU/1.0/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (4, 4),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/INT16",
                        ),
                        (
                            DataType::INT8.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/INT8",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/1-D"),
                        (2, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/2-D"),
                        (3, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/3-D"),
                        (5, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/5-D"),
                        (6, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/6-D"),
                        (7, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/7-D"),
                        (8, "ACTIVATION_LEAKY_RELU/1.0/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_2_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "InputTensor",
                    dimensions: (4, 5),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/INT16",
                        ),
                        (DataType::INT8.0, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_LEAKY_RELU/2.0/InputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/1-D"),
                        (2, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/2-D"),
                        (3, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/3-D"),
                        (6, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/6-D"),
                        (7, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/7-D"),
                        (8, "ACTIVATION_LEAKY_RELU/2.0/InputTensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "OutputTensor",
                    dimensions: (4, 5),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/INT16",
                        ),
                        (
                            DataType::INT8.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/INT8",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/1-D"),
                        (2, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/2-D"),
                        (3, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/3-D"),
                        (6, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/6-D"),
                        (7, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/7-D"),
                        (8, "ACTIVATION_LEAKY_RELU/2.0/OutputTensor/8-D"),
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
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/INT16",
                        ),
                        (DataType::INT8.0, "ACTIVATION_LEAKY_RELU/3.0/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_LEAKY_RELU/3.0/InputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_LEAKY_RELU/3.0/InputTensor/INT4"),
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
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/UINT16",
                        ),
                        (
                            DataType::UINT8.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/UINT8",
                        ),
                        (
                            DataType::INT32.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/INT32",
                        ),
                        (
                            DataType::INT16.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/INT16",
                        ),
                        (
                            DataType::INT8.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/INT8",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/UINT64",
                        ),
                        (
                            DataType::INT64.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/INT64",
                        ),
                        (
                            DataType::UINT4.0,
                            "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/UINT4",
                        ),
                        (DataType::INT4.0, "ACTIVATION_LEAKY_RELU/3.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC {
        /// Elements to activate.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// The activated elements.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Coefficient of elements below zero.
        pub Alpha: f32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC>();
        assert!(SIZE == 24);
        assert!(offset_of!(DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC, OutputTensor) == 8);
        assert!(offset_of!(DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC, Alpha) == 16);
    };
}

pub use activation_leaky_relu::ActivationLeakyRelu;
