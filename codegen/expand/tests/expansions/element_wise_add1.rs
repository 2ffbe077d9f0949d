// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_ELEMENT_WISE_ADD1_OPERATOR_DESC`, since level 2.0.
pub mod element_wise_add1 {
    use super::*;

    /// Adds two tensors element by element and applies an activation to the sums where one is given.
    ///
    /// # Constraints
    /// - `ELEMENT_WISE_ADD1/same-data-type`: All three tensors have the same data type.
    /// - `ELEMENT_WISE_ADD1/same-dimension-count`: All three tensors have the same number of dimensions.
    /// - `ELEMENT_WISE_ADD1/same-sizes`: All three tensors have the same sizes. To broadcast one, give it strides of 0.
    /// - `ELEMENT_WISE_ADD1/fused-output-float`: An activation is only fused where the output is FLOAT32 or FLOAT16.
    /// - `ELEMENT_WISE_ADD1/fusable`: Only the activations listed for it can be fused.
    /// - `ELEMENT_WISE_ADD1/fused-unbound`: The tensors of the fused activation are null.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ElementWiseAdd1 {
        /// Left-hand operands.
        pub a_tensor: Option<TensorDesc>,
        /// Right-hand operands.
        pub b_tensor: Option<TensorDesc>,
        /// The sums.
        pub output_tensor: Option<TensorDesc>,
        /// Activation to apply to the sums; its tensors are null.
        pub fused_activation: Option<Box<Descriptor>>,
    }

    impl Operator for ElementWiseAdd1 {
        const NAME: &'static str = "ELEMENT_WISE_ADD1";
        const TYPE: u32 = 89;
        const INTRODUCED: FeatureLevel = levels::FL_2_0;
        const INPUTS: usize = 2;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 4)?;
            Ok(Self {
                a_tensor: fields.tensor("ATensor")?,
                b_tensor: fields.tensor("BTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                fused_activation: fields.operator("FusedActivation")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.a_tensor.clone()),
                    Value::Tensor(self.b_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::Operator(self.fused_activation.clone()),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "ELEMENT_WISE_ADD1/introduced");
            let mut tensors = Tensors::new(
                level,
                SUPPORT,
                Some(""),
                since,
                tensor::check,
                found,
            );
            let a_tensor = tensors.one(INPUT, "ATensor", &self.a_tensor);
            let b_tensor = tensors.one(INPUT, "BTensor", &self.b_tensor);
            let output_tensor = tensors.one(OUTPUT, "OutputTensor", &self.output_tensor);
            if a_tensor.structural && b_tensor.structural && output_tensor.structural {
                found
                    .normative(
                        "ELEMENT_WISE_ADD1/same-data-type",
                        self.same_data_type(),
                    );
            }
            let same_dimension_count = a_tensor.structural && b_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "ELEMENT_WISE_ADD1/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if same_dimension_count {
                found.normative("ELEMENT_WISE_ADD1/same-sizes", self.same_sizes());
            }
            if output_tensor.structural {
                found
                    .normative(
                        "ELEMENT_WISE_ADD1/fused-output-float",
                        self.fused_output_float(),
                    );
            }
            let fusable = found.normative("ELEMENT_WISE_ADD1/fusable", self.fusable());
            if fusable {
                found.normative("ELEMENT_WISE_ADD1/fused-unbound", self.fused_unbound());
            }
        }
    }

    impl ElementWiseAdd1 {
        /// `ELEMENT_WISE_ADD1/same-data-type`: All three tensors have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let a_tensor = self.a_tensor.as_ref()?;
            let b_tensor = self.b_tensor.as_ref()?;
            Some(
                a_tensor.data_type == b_tensor.data_type
                    && a_tensor.data_type == self.output_tensor.as_ref()?.data_type,
            )
        }

        /// `ELEMENT_WISE_ADD1/same-dimension-count`: All three tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let a_tensor = self.a_tensor.as_ref()?;
            let b_tensor = self.b_tensor.as_ref()?;
            Some(
                a_tensor.dimension_count() == b_tensor.dimension_count()
                    && a_tensor.dimension_count()
                        == self.output_tensor.as_ref()?.dimension_count(),
            )
        }

        /// `ELEMENT_WISE_ADD1/same-sizes`: All three tensors have the same sizes. To broadcast one, give it strides of 0.
        fn same_sizes(&self) -> Option<bool> {
            let a_tensor = self.a_tensor.as_ref()?;
            let b_tensor = self.b_tensor.as_ref()?;
            Some(
                same(a_tensor.sizes.as_deref()?, b_tensor.sizes.as_deref()?)
                    && same(
                        a_tensor.sizes.as_deref()?,
                        self.output_tensor.as_ref()?.sizes.as_deref()?,
                    ),
            )
        }

        /// `ELEMENT_WISE_ADD1/fused-output-float`: An activation is only fused where the output is FLOAT32 or FLOAT16.
        fn fused_output_float(&self) -> Option<bool> {
            Some(
                self.fused_activation.is_none()
                    || [DataType::FLOAT32.0, DataType::FLOAT16.0]
                        .contains(&self.output_tensor.as_ref()?.data_type),
            )
        }

        /// `ELEMENT_WISE_ADD1/fusable`: Only the activations listed for it can be fused.
        fn fusable(&self) -> Option<bool> {
            Some(
                self.fused_activation.is_none()
                    || [
                        OperatorType::ACTIVATION_ELU.0,
                        OperatorType::ACTIVATION_HARD_SIGMOID.0,
                        OperatorType::ACTIVATION_IDENTITY.0,
                        OperatorType::ACTIVATION_LEAKY_RELU.0,
                        OperatorType::ACTIVATION_LINEAR.0,
                        OperatorType::ACTIVATION_PARAMETRIC_SOFTPLUS.0,
                        OperatorType::ACTIVATION_RELU.0,
                        OperatorType::ACTIVATION_SCALED_ELU.0,
                        OperatorType::ACTIVATION_SCALED_TANH.0,
                        OperatorType::ACTIVATION_SIGMOID.0,
                        OperatorType::ACTIVATION_SOFTPLUS.0,
                        OperatorType::ACTIVATION_SOFTSIGN.0,
                        OperatorType::ACTIVATION_TANH.0,
                        OperatorType::ACTIVATION_THRESHOLDED_RELU.0,
                        OperatorType::ACTIVATION_SHRINK.0,
                        OperatorType::ACTIVATION_CELU.0,
                    ]
                        .contains(
                            &find(&self.fused_activation.as_deref()?.operator)?
                                .type_value,
                        ),
            )
        }

        /// `ELEMENT_WISE_ADD1/fused-unbound`: The tensors of the fused activation are null.
        fn fused_unbound(&self) -> Option<bool> {
            Some(
                self.fused_activation.is_none()
                    || self.fused_activation.as_deref()?.is_unbound(),
            )
        }
    }

    /// Support tables by ascending level.
    pub static SUPPORT: &[SupportTable] = &[
        SupportTable {
            level: levels::FL_2_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "ATensor",
                    dimensions: (4, 5),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ELEMENT_WISE_ADD1/2.0/ATensor/UNKNOWN"),
                        (DataType::UINT32.0, "ELEMENT_WISE_ADD1/2.0/ATensor/UINT32"),
                        (DataType::UINT16.0, "ELEMENT_WISE_ADD1/2.0/ATensor/UINT16"),
                        (DataType::UINT8.0, "ELEMENT_WISE_ADD1/2.0/ATensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_ADD1/2.0/ATensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_ADD1/2.0/ATensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_ADD1/2.0/ATensor/INT8"),
                        (DataType::FLOAT64.0, "ELEMENT_WISE_ADD1/2.0/ATensor/FLOAT64"),
                        (DataType::UINT64.0, "ELEMENT_WISE_ADD1/2.0/ATensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_ADD1/2.0/ATensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_ADD1/2.0/ATensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_ADD1/2.0/ATensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_ADD1/2.0/ATensor/1-D"),
                        (2, "ELEMENT_WISE_ADD1/2.0/ATensor/2-D"),
                        (3, "ELEMENT_WISE_ADD1/2.0/ATensor/3-D"),
                        (6, "ELEMENT_WISE_ADD1/2.0/ATensor/6-D"),
                        (7, "ELEMENT_WISE_ADD1/2.0/ATensor/7-D"),
                        (8, "ELEMENT_WISE_ADD1/2.0/ATensor/8-D"),
                    ],
                },
                SupportRow {
                    group: "",
                    tensor: "BTensor",
                    dimensions: (4, 5),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ELEMENT_WISE_ADD1/2.0/BTensor/UNKNOWN"),
                        (DataType::UINT32.0, "ELEMENT_WISE_ADD1/2.0/BTensor/UINT32"),
                        (DataType::UINT16.0, "ELEMENT_WISE_ADD1/2.0/BTensor/UINT16"),
                        (DataType::UINT8.0, "ELEMENT_WISE_ADD1/2.0/BTensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_ADD1/2.0/BTensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_ADD1/2.0/BTensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_ADD1/2.0/BTensor/INT8"),
                        (DataType::FLOAT64.0, "ELEMENT_WISE_ADD1/2.0/BTensor/FLOAT64"),
                        (DataType::UINT64.0, "ELEMENT_WISE_ADD1/2.0/BTensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_ADD1/2.0/BTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_ADD1/2.0/BTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_ADD1/2.0/BTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_ADD1/2.0/BTensor/1-D"),
                        (2, "ELEMENT_WISE_ADD1/2.0/BTensor/2-D"),
                        (3, "ELEMENT_WISE_ADD1/2.0/BTensor/3-D"),
                        (6, "ELEMENT_WISE_ADD1/2.0/BTensor/6-D"),
                        (7, "ELEMENT_WISE_ADD1/2.0/BTensor/7-D"),
                        (8, "ELEMENT_WISE_ADD1/2.0/BTensor/8-D"),
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
                            "ELEMENT_WISE_ADD1/2.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ELEMENT_WISE_ADD1/2.0/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ELEMENT_WISE_ADD1/2.0/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_ADD1/2.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ELEMENT_WISE_ADD1/2.0/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_ADD1/2.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_ADD1/2.0/OutputTensor/1-D"),
                        (2, "ELEMENT_WISE_ADD1/2.0/OutputTensor/2-D"),
                        (3, "ELEMENT_WISE_ADD1/2.0/OutputTensor/3-D"),
                        (6, "ELEMENT_WISE_ADD1/2.0/OutputTensor/6-D"),
                        (7, "ELEMENT_WISE_ADD1/2.0/OutputTensor/7-D"),
                        (8, "ELEMENT_WISE_ADD1/2.0/OutputTensor/8-D"),
                    ],
                },
            ],
        },
        SupportTable {
            level: levels::FL_3_0,
            rows: &[
                SupportRow {
                    group: "",
                    tensor: "ATensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ELEMENT_WISE_ADD1/3.0/ATensor/UNKNOWN"),
                        (DataType::UINT32.0, "ELEMENT_WISE_ADD1/3.0/ATensor/UINT32"),
                        (DataType::UINT16.0, "ELEMENT_WISE_ADD1/3.0/ATensor/UINT16"),
                        (DataType::UINT8.0, "ELEMENT_WISE_ADD1/3.0/ATensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_ADD1/3.0/ATensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_ADD1/3.0/ATensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_ADD1/3.0/ATensor/INT8"),
                        (DataType::FLOAT64.0, "ELEMENT_WISE_ADD1/3.0/ATensor/FLOAT64"),
                        (DataType::UINT64.0, "ELEMENT_WISE_ADD1/3.0/ATensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_ADD1/3.0/ATensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_ADD1/3.0/ATensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_ADD1/3.0/ATensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
                SupportRow {
                    group: "",
                    tensor: "BTensor",
                    dimensions: (1, 8),
                    types: &[DataType::FLOAT32.0, DataType::FLOAT16.0],
                    no_types: &[
                        (DataType::UNKNOWN.0, "ELEMENT_WISE_ADD1/3.0/BTensor/UNKNOWN"),
                        (DataType::UINT32.0, "ELEMENT_WISE_ADD1/3.0/BTensor/UINT32"),
                        (DataType::UINT16.0, "ELEMENT_WISE_ADD1/3.0/BTensor/UINT16"),
                        (DataType::UINT8.0, "ELEMENT_WISE_ADD1/3.0/BTensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_ADD1/3.0/BTensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_ADD1/3.0/BTensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_ADD1/3.0/BTensor/INT8"),
                        (DataType::FLOAT64.0, "ELEMENT_WISE_ADD1/3.0/BTensor/FLOAT64"),
                        (DataType::UINT64.0, "ELEMENT_WISE_ADD1/3.0/BTensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_ADD1/3.0/BTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_ADD1/3.0/BTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_ADD1/3.0/BTensor/INT4"),
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
                            "ELEMENT_WISE_ADD1/3.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ELEMENT_WISE_ADD1/3.0/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ELEMENT_WISE_ADD1/3.0/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_ADD1/3.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ELEMENT_WISE_ADD1/3.0/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_ADD1/3.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_ELEMENT_WISE_ADD1_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_ELEMENT_WISE_ADD1_OPERATOR_DESC {
        /// Left-hand operands.
        pub ATensor: *const DML_TENSOR_DESC,
        /// Right-hand operands.
        pub BTensor: *const DML_TENSOR_DESC,
        /// The sums.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Activation to apply to the sums; its tensors are null.
        pub FusedActivation: *const DML_OPERATOR_DESC,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_ELEMENT_WISE_ADD1_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_ELEMENT_WISE_ADD1_OPERATOR_DESC, ATensor) == 0);
        assert!(offset_of!(DML_ELEMENT_WISE_ADD1_OPERATOR_DESC, BTensor) == 8);
        assert!(offset_of!(DML_ELEMENT_WISE_ADD1_OPERATOR_DESC, OutputTensor) == 16);
        assert!(offset_of!(DML_ELEMENT_WISE_ADD1_OPERATOR_DESC, FusedActivation) == 24);
    };
}

pub use element_wise_add1::ElementWiseAdd1;
