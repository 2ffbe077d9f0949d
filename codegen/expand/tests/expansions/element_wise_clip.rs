// Written by `UPDATE_EXPECT=1 cargo test -p dml-codegen-expand`.

/// `DML_ELEMENT_WISE_CLIP_OPERATOR_DESC`, since level 1.0.
pub mod element_wise_clip {
    use super::*;

    /// Limits every element to an interval, after scaling and shifting it where that is asked for.
    ///
    /// # Constraints
    /// - `ELEMENT_WISE_CLIP/same-data-type`: Both tensors have the same data type.
    /// - `ELEMENT_WISE_CLIP/same-dimension-count`: Both tensors have the same number of dimensions.
    /// - `ELEMENT_WISE_CLIP/same-sizes`: Both tensors have the same sizes.
    /// - `ELEMENT_WISE_CLIP/scale-bias-of-64-bits`: 64-bit elements are neither scaled nor shifted; a scale of 1 and a bias of 0 may stand there.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ElementWiseClip {
        /// Elements to limit.
        pub input_tensor: Option<TensorDesc>,
        /// The limited elements.
        pub output_tensor: Option<TensorDesc>,
        /// Scale and bias to apply before limiting.
        pub scale_bias: Option<(f32, f32)>,
        /// Least value that is left.
        pub min: f32,
        /// Greatest value that is left.
        pub max: f32,
    }

    impl Operator for ElementWiseClip {
        const NAME: &'static str = "ELEMENT_WISE_CLIP";
        const TYPE: u32 = 8;
        const INTRODUCED: FeatureLevel = levels::FL_1_0;
        const INPUTS: usize = 1;
        const SUPPORT: &'static [SupportTable] = SUPPORT;

        fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch> {
            let mut fields = Fields::of::<Self>(descriptor, 5)?;
            Ok(Self {
                input_tensor: fields.tensor("InputTensor")?,
                output_tensor: fields.tensor("OutputTensor")?,
                scale_bias: fields.scale_bias("ScaleBias")?,
                min: fields.float("Min")?,
                max: fields.float("Max")?,
            })
        }

        fn to_descriptor(&self) -> Descriptor {
            Descriptor {
                operator: Cow::Borrowed(Self::NAME),
                fields: Vec::from([
                    Value::Tensor(self.input_tensor.clone()),
                    Value::Tensor(self.output_tensor.clone()),
                    Value::ScaleBias(self.scale_bias),
                    Value::Float(self.min),
                    Value::Float(self.max),
                ]),
            }
        }

        fn check(&self, level: FeatureLevel, found: &mut Violations) {
            let since = (Self::INTRODUCED, "ELEMENT_WISE_CLIP/introduced");
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
                        "ELEMENT_WISE_CLIP/same-data-type",
                        self.same_data_type(),
                    );
            }
            let same_dimension_count = input_tensor.structural
                && output_tensor.structural
                && found
                    .normative(
                        "ELEMENT_WISE_CLIP/same-dimension-count",
                        self.same_dimension_count(),
                    );
            if same_dimension_count {
                found.normative("ELEMENT_WISE_CLIP/same-sizes", self.same_sizes());
            }
            if input_tensor.structural {
                found
                    .observed(
                        "ELEMENT_WISE_CLIP/scale-bias-of-64-bits",
                        self.scale_bias_of_64_bits(),
                    );
            }
        }
    }

    impl ElementWiseClip {
        /// `ELEMENT_WISE_CLIP/same-data-type`: Both tensors have the same data type.
        fn same_data_type(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.data_type == output_tensor.data_type)
        }

        /// `ELEMENT_WISE_CLIP/same-dimension-count`: Both tensors have the same number of dimensions.
        fn same_dimension_count(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(input_tensor.dimension_count() == output_tensor.dimension_count())
        }

        /// `ELEMENT_WISE_CLIP/same-sizes`: Both tensors have the same sizes.
        fn same_sizes(&self) -> Option<bool> {
            let input_tensor = self.input_tensor.as_ref()?;
            let output_tensor = self.output_tensor.as_ref()?;
            Some(same(input_tensor.sizes.as_deref()?, output_tensor.sizes.as_deref()?))
        }

        /// `ELEMENT_WISE_CLIP/scale-bias-of-64-bits`: 64-bit elements are neither scaled nor shifted; a scale of 1 and a bias of 0 may stand there.
        fn scale_bias_of_64_bits(&self) -> Option<bool> {
            Some(
                !(self.scale_bias.is_some()
                    && [DataType::INT64.0, DataType::UINT64.0]
                        .contains(&self.input_tensor.as_ref()?.data_type))
                    || f64::from(self.scale_bias?.0) == 1.0
                        && f64::from(self.scale_bias?.1) == 0.0,
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
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/1.0/InputTensor/UNKNOWN",
                        ),
                        (DataType::UINT32.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/UINT32"),
                        (DataType::UINT16.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/UINT16"),
                        (DataType::UINT8.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/1.0/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/1.0/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_CLIP/1.0/InputTensor/1-D"),
                        (2, "ELEMENT_WISE_CLIP/1.0/InputTensor/2-D"),
                        (3, "ELEMENT_WISE_CLIP/1.0/InputTensor/3-D"),
                        (5, "ELEMENT_WISE_CLIP/1.0/InputTensor/5-D"),
                        (6, "ELEMENT_WISE_CLIP/1.0/InputTensor/6-D"),
                        (7, "ELEMENT_WISE_CLIP/1.0/InputTensor/7-D"),
                        (8, "ELEMENT_WISE_CLIP/1.0/InputTensor/8-D"),
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
                            "ELEMENT_WISE_CLIP/1.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::UINT32.0,
                            "ELEMENT_WISE_CLIP/1.0/OutputTensor/UINT32",
                        ),
                        (
                            DataType::UINT16.0,
                            "ELEMENT_WISE_CLIP/1.0/OutputTensor/UINT16",
                        ),
                        (DataType::UINT8.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/UINT8"),
                        (DataType::INT32.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/INT32"),
                        (DataType::INT16.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/INT16"),
                        (DataType::INT8.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/INT8"),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/1.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ELEMENT_WISE_CLIP/1.0/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/1.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_CLIP/1.0/OutputTensor/1-D"),
                        (2, "ELEMENT_WISE_CLIP/1.0/OutputTensor/2-D"),
                        (3, "ELEMENT_WISE_CLIP/1.0/OutputTensor/3-D"),
                        (5, "ELEMENT_WISE_CLIP/1.0/OutputTensor/5-D"),
                        (6, "ELEMENT_WISE_CLIP/1.0/OutputTensor/6-D"),
                        (7, "ELEMENT_WISE_CLIP/1.0/OutputTensor/7-D"),
                        (8, "ELEMENT_WISE_CLIP/1.0/OutputTensor/8-D"),
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
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/2.1/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/2.1/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "ELEMENT_WISE_CLIP/2.1/InputTensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_CLIP/2.1/InputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/2.1/InputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/2.1/InputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_CLIP/2.1/InputTensor/1-D"),
                        (2, "ELEMENT_WISE_CLIP/2.1/InputTensor/2-D"),
                        (3, "ELEMENT_WISE_CLIP/2.1/InputTensor/3-D"),
                        (5, "ELEMENT_WISE_CLIP/2.1/InputTensor/5-D"),
                        (6, "ELEMENT_WISE_CLIP/2.1/InputTensor/6-D"),
                        (7, "ELEMENT_WISE_CLIP/2.1/InputTensor/7-D"),
                        (8, "ELEMENT_WISE_CLIP/2.1/InputTensor/8-D"),
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
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/2.1/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/2.1/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ELEMENT_WISE_CLIP/2.1/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "ELEMENT_WISE_CLIP/2.1/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/2.1/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/2.1/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[
                        (1, "ELEMENT_WISE_CLIP/2.1/OutputTensor/1-D"),
                        (2, "ELEMENT_WISE_CLIP/2.1/OutputTensor/2-D"),
                        (3, "ELEMENT_WISE_CLIP/2.1/OutputTensor/3-D"),
                        (5, "ELEMENT_WISE_CLIP/2.1/OutputTensor/5-D"),
                        (6, "ELEMENT_WISE_CLIP/2.1/OutputTensor/6-D"),
                        (7, "ELEMENT_WISE_CLIP/2.1/OutputTensor/7-D"),
                        (8, "ELEMENT_WISE_CLIP/2.1/OutputTensor/8-D"),
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
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/3.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/3.0/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT64.0, "ELEMENT_WISE_CLIP/3.0/InputTensor/UINT64"),
                        (DataType::INT64.0, "ELEMENT_WISE_CLIP/3.0/InputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/3.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/3.0/InputTensor/INT4"),
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
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/3.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/3.0/OutputTensor/FLOAT64",
                        ),
                        (
                            DataType::UINT64.0,
                            "ELEMENT_WISE_CLIP/3.0/OutputTensor/UINT64",
                        ),
                        (DataType::INT64.0, "ELEMENT_WISE_CLIP/3.0/OutputTensor/INT64"),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/3.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/3.0/OutputTensor/INT4"),
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
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/5.0/InputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/5.0/InputTensor/FLOAT64",
                        ),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/5.0/InputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/5.0/InputTensor/INT4"),
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
                        DataType::UINT64.0,
                        DataType::INT64.0,
                    ],
                    no_types: &[
                        (
                            DataType::UNKNOWN.0,
                            "ELEMENT_WISE_CLIP/5.0/OutputTensor/UNKNOWN",
                        ),
                        (
                            DataType::FLOAT64.0,
                            "ELEMENT_WISE_CLIP/5.0/OutputTensor/FLOAT64",
                        ),
                        (DataType::UINT4.0, "ELEMENT_WISE_CLIP/5.0/OutputTensor/UINT4"),
                        (DataType::INT4.0, "ELEMENT_WISE_CLIP/5.0/OutputTensor/INT4"),
                    ],
                    no_dimensions: &[],
                },
            ],
        },
    ];

    /// `DML_ELEMENT_WISE_CLIP_OPERATOR_DESC` of `DirectML.h`.
    #[allow(non_camel_case_types, non_snake_case, reason = "named as in DirectML.h")]
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct DML_ELEMENT_WISE_CLIP_OPERATOR_DESC {
        /// Elements to limit.
        pub InputTensor: *const DML_TENSOR_DESC,
        /// The limited elements.
        pub OutputTensor: *const DML_TENSOR_DESC,
        /// Scale and bias to apply before limiting.
        pub ScaleBias: *const DML_SCALE_BIAS,
        /// Least value that is left.
        pub Min: f32,
        /// Greatest value that is left.
        pub Max: f32,
    }

    #[cfg(target_pointer_width = "64")]
    const _: () = {
        use std::mem::{offset_of, size_of};

        const SIZE: usize = size_of::<DML_ELEMENT_WISE_CLIP_OPERATOR_DESC>();
        assert!(SIZE == 32);
        assert!(offset_of!(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, InputTensor) == 0);
        assert!(offset_of!(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, OutputTensor) == 8);
        assert!(offset_of!(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, ScaleBias) == 16);
        assert!(offset_of!(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, Min) == 24);
        assert!(offset_of!(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC, Max) == 28);
    };
}

pub use element_wise_clip::ElementWiseClip;
