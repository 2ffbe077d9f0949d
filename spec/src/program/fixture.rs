//! A small catalog for tests: the clauses of every tensor, and those of TOP_K1.

use std::borrow::Cow;

use crate::{
    desc::{Descriptor, TensorDesc, Value},
    level::FeatureLevel,
    model::{
        Applies, Catalog, Clause, ClauseKind, DataType, Enum, EnumMember, Field, FieldKind, NumberClass, Observation,
        Operator, Role, Status, SupportRow, SupportTable, Text,
    },
};

/// A clause before its details; the builder methods fill them in.
pub(crate) fn clause(id: &'static str, rule: &'static str) -> Clause {
    Clause {
        id: id.into(),
        kind: ClauseKind::Constraint,
        status: Status::Normative,
        says: "".into(),
        applies: Applies::Operator,
        structural: false,
        needs: Cow::Borrowed(&[]),
        rule: Some(rule.into()),
        class: Cow::Borrowed(&[]),
        holds: Cow::Borrowed(&[]),
        tells: Cow::Borrowed(&[]),
        source: None,
        observed: Cow::Borrowed(&[]),
        history: Cow::Borrowed(&[]),
        retired: None,
    }
}

impl Clause {
    pub(crate) fn needing(mut self, ids: &[&'static str]) -> Self {
        self.needs = ids.iter().map(|id| Text::Borrowed(*id)).collect();
        self
    }

    pub(crate) fn about(mut self, applies: Applies) -> Self {
        self.applies = applies;
        self
    }

    pub(crate) fn structural(mut self) -> Self {
        self.structural = true;
        self
    }

    pub(crate) fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn silence(mut self) -> Self {
        self.kind = ClauseKind::Silence;
        self
    }

    pub(crate) fn seen(mut self, rule: Option<&'static str>) -> Self {
        let observation = Observation {
            runtime: "R".into(),
            date: "2026-11-21".into(),
            rule: rule.map(Into::into),
            says: "".into(),
            erratic: false,
        };
        self.observed.to_mut().push(observation);
        self
    }
}

fn tensor_clauses() -> Vec<Clause> {
    use Applies::{Any, Input, Output, Required};
    use Status::{Disputed, Observed};
    let broadcast = "has_strides(tensor) implies all(d in 0..DimensionCount: Sizes[d] > 1 implies Strides[d] > 0)";
    let limit = "bits(DataType) > 0 implies TotalTensorSizeInBytes * 8 / bits(DataType) < 4294967296";
    let alignment = "GuaranteedBaseOffsetAlignment == 0 or (is_power_of_two(GuaranteedBaseOffsetAlignment) \
                     and GuaranteedBaseOffsetAlignment * 8 >= bits(DataType))";
    let from_16 = "GuaranteedBaseOffsetAlignment == 0 or GuaranteedBaseOffsetAlignment >= 16";
    vec![
        clause("TENSOR/not-null", "present(tensor)")
            .about(Required)
            .structural()
            .status(Observed)
            .seen(None),
        clause("TENSOR/type-buffer", "Type == BUFFER")
            .about(Any)
            .structural()
            .status(Observed)
            .needing(&["TENSOR/not-null"]),
        clause("TENSOR/sizes-given", "has_sizes(tensor)")
            .about(Any)
            .structural()
            .status(Observed)
            .needing(&["TENSOR/type-buffer"]),
        clause("TENSOR/dimension-count", "1 <= DimensionCount <= 8")
            .about(Any)
            .structural()
            .needing(&["TENSOR/sizes-given"]),
        clause(
            "TENSOR/strides-per-dimension",
            "has_strides(tensor) implies count(Strides) == DimensionCount",
        )
        .about(Any)
        .structural()
        .needing(&["TENSOR/sizes-given"]),
        clause("TENSOR/size-nonzero", "all(d in 0..DimensionCount: Sizes[d] > 0)")
            .about(Any)
            .structural()
            .needing(&["TENSOR/dimension-count"]),
        clause("TENSOR/data-type-known", "is_known(DataType)")
            .about(Any)
            .needing(&["TENSOR/type-buffer"]),
        clause(
            "TENSOR/total-size",
            "bits(DataType) > 0 implies TotalTensorSizeInBytes >= minimum_total_size(tensor)",
        )
        .about(Any)
        .needing(&[
            "TENSOR/data-type-known",
            "TENSOR/strides-per-dimension",
            "TENSOR/size-nonzero",
        ]),
        clause("TENSOR/element-limit", limit)
            .about(Any)
            .needing(&["TENSOR/data-type-known", "TENSOR/type-buffer"]),
        clause("TENSOR/output-not-broadcast", broadcast)
            .about(Output)
            .status(Observed)
            .needing(&["TENSOR/strides-per-dimension", "TENSOR/size-nonzero"]),
        clause("TENSOR/output-no-overlap", "not overlaps(tensor)")
            .about(Output)
            .status(Observed)
            .needing(&["TENSOR/output-not-broadcast"]),
        clause("TENSOR/flags-known", "Flags <= 1")
            .about(Any)
            .status(Observed)
            .needing(&["TENSOR/type-buffer"]),
        clause("TENSOR/output-not-owned", "Flags != 1")
            .about(Output)
            .needing(&["TENSOR/flags-known"]),
        clause("TENSOR/alignment-power-of-two", alignment)
            .about(Any)
            .needing(&["TENSOR/data-type-known"]),
        clause("TENSOR/alignment-at-least-16", "true")
            .about(Any)
            .status(Disputed)
            .seen(Some(from_16))
            .needing(&["TENSOR/alignment-power-of-two"]),
        clause("TENSOR/input-may-overlap", "overlaps(tensor)")
            .silence()
            .about(Input)
            .status(Observed),
        clause("TENSOR/output-may-be-strided", "has_strides(tensor)")
            .silence()
            .about(Output)
            .status(Observed),
    ]
}

fn clauses() -> Vec<Clause> {
    vec![
        clause("TOP_K1/axis-in-range", "Axis < InputTensor.DimensionCount"),
        clause("TOP_K1/k-nonzero", "K > 0"),
        clause("TOP_K1/k-within-axis", "K <= InputTensor.Sizes[Axis]").needing(&["TOP_K1/axis-in-range"]),
        clause("TOP_K1/k-below-axis-size", "K < InputTensor.Sizes[Axis]")
            .status(Status::Disputed)
            .seen(Some("K <= InputTensor.Sizes[Axis]"))
            .needing(&["TOP_K1/axis-in-range", "TOP_K1/k-within-axis"]),
        clause("TOP_K1/axis-direction-known", "is_known(AxisDirection)")
            .status(Status::Observed)
            .seen(None),
        clause(
            "TOP_K1/same-dimension-count",
            "InputTensor.DimensionCount == OutputIndexTensor.DimensionCount \
             and InputTensor.DimensionCount == OutputValueTensor.DimensionCount",
        ),
        clause(
            "TOP_K1/same-data-type",
            "InputTensor.DataType == OutputValueTensor.DataType",
        ),
        clause(
            "TOP_K1/value-sizes",
            "OutputValueTensor.Sizes == InputTensor.Sizes with [Axis] = K",
        )
        .needing(&["TOP_K1/axis-in-range", "TOP_K1/same-dimension-count"]),
        clause(
            "TOP_K1/index-sizes",
            "OutputIndexTensor.Sizes == InputTensor.Sizes with [Axis] = K",
        )
        .needing(&["TOP_K1/axis-in-range", "TOP_K1/same-dimension-count"]),
        clause("TOP_K1/nan-order", "has_nan(InputTensor)")
            .silence()
            .status(Status::Open),
        clause("TOP_K1/signed-zero", "has_negative_zero(InputTensor)")
            .silence()
            .status(Status::Observed),
    ]
}

/// A field that is not optional.
pub(crate) fn field(name: &'static str, kind: FieldKind) -> Field {
    Field {
        name: name.into(),
        kind,
        optional: false,
        compare: None,
        in_place: crate::model::List::default(),
        says: "".into(),
    }
}

fn table(level: FeatureLevel, dimensions: (u32, u32), types: &[&'static str], index: &[&'static str]) -> SupportTable {
    let row = |tensor: &'static str, types: &[&'static str]| SupportRow {
        group: Text::default(),
        tensor: tensor.into(),
        dimensions,
        types: types.iter().map(|t| Text::Borrowed(*t)).collect(),
        shape: Text::default(),
        source: None,
    };
    let rows = vec![
        row("InputTensor", types),
        row("OutputValueTensor", types),
        row("OutputIndexTensor", index),
    ];
    SupportTable {
        level,
        rows: rows.into(),
        source: None,
        differs: Cow::Borrowed(&[]),
    }
}

/// TOP_K1 with its constraints, two silences and two of its tables.
pub(crate) fn top_k1() -> Operator {
    let types = ["FLOAT32", "FLOAT16", "INT32"];
    Operator {
        name: "TOP_K1".into(),
        type_value: 112,
        introduced: FeatureLevel::new(2, 1),
        fields: vec![
            field("InputTensor", FieldKind::Tensor(Role::Input)),
            field("OutputValueTensor", FieldKind::Tensor(Role::Output)),
            field("OutputIndexTensor", FieldKind::Tensor(Role::Output)),
            field("Axis", FieldKind::UInt),
            field("K", FieldKind::UInt),
            field("AxisDirection", FieldKind::Enum("DML_AXIS_DIRECTION".into())),
        ]
        .into(),
        clauses: clauses().into(),
        support: vec![
            table(FeatureLevel::new(2, 1), (4, 4), &types, &["UINT32"]),
            table(FeatureLevel::new(5, 0), (1, 8), &types, &["UINT64", "UINT32"]),
        ]
        .into(),
        ..Operator::default()
    }
}

/// Every kind of field that rules can read.
pub(crate) fn every_kind() -> Operator {
    let count = || Text::Borrowed("Count");
    let mut operator = Operator {
        name: "EVERY_KIND".into(),
        fields: vec![
            field("InputTensors", FieldKind::Tensors(Role::Input, count())),
            Field {
                optional: true,
                ..field("BiasTensor", FieldKind::Tensor(Role::Input))
            },
            field("Count", FieldKind::UInt),
            field("Offset", FieldKind::Int),
            field("Epsilon", FieldKind::Float),
            field("Normalize", FieldKind::Bool),
            field("Axes", FieldKind::UInts(count())),
            field("Shifts", FieldKind::Ints(count())),
            field("Scales", FieldKind::Floats(count())),
            field("ScaleBias", FieldKind::ScaleBias),
            field("ScaleSize", FieldKind::Size2D),
            field("Value", FieldKind::Scalar("Type".into())),
            field("FusedActivation", FieldKind::Operator),
            field("Target", FieldKind::Enum("DML_TENSOR_DATA_TYPE".into())),
        ]
        .into(),
        support: Cow::Borrowed(&[]),
        ..top_k1()
    };
    operator.clauses = Cow::Borrowed(&[]);
    operator
}

fn enumeration(name: &'static str, flags: bool, members: &[&'static str]) -> Enum {
    let members = members
        .iter()
        .zip(0..)
        .map(|(name, value)| EnumMember {
            name: (*name).into(),
            value,
        })
        .collect();
    Enum {
        name: name.into(),
        flags,
        members,
    }
}

/// The catalog that holds [`top_k1`] and [`every_kind`].
pub(crate) fn catalog() -> Catalog {
    use NumberClass::{Float, Signed, Unknown, Unsigned};
    let data_type = |name: &'static str, value, bits, class| DataType {
        name: name.into(),
        value,
        bits,
        class,
        introduced: FeatureLevel::new(1, 0),
    };
    Catalog {
        levels: Cow::Borrowed(&[]),
        data_types: vec![
            data_type("UNKNOWN", 0, 0, Unknown),
            data_type("FLOAT32", 1, 32, Float),
            data_type("FLOAT16", 2, 16, Float),
            data_type("UINT32", 3, 32, Unsigned),
            data_type("INT32", 6, 32, Signed),
            data_type("UINT64", 10, 64, Unsigned),
            data_type("INT4", 13, 4, Signed),
        ]
        .into(),
        enums: vec![
            enumeration(
                "DML_TENSOR_TYPE",
                false,
                &["DML_TENSOR_TYPE_INVALID", "DML_TENSOR_TYPE_BUFFER"],
            ),
            enumeration(
                "DML_AXIS_DIRECTION",
                false,
                &["DML_AXIS_DIRECTION_INCREASING", "DML_AXIS_DIRECTION_DECREASING"],
            ),
            enumeration(
                "DML_TENSOR_FLAGS",
                true,
                &["DML_TENSOR_FLAG_NONE", "DML_TENSOR_FLAG_OWNED_BY_DML"],
            ),
        ]
        .into(),
        sources: Cow::Borrowed(&[]),
        tensor_clauses: tensor_clauses().into(),
        operators: vec![every_kind(), top_k1()].into(),
    }
}

/// Places of the fields of [`top_k1`].
pub(crate) const INPUT: usize = 0;
pub(crate) const VALUE: usize = 1;
pub(crate) const INDEX: usize = 2;
pub(crate) const AXIS: usize = 3;
pub(crate) const K: usize = 4;
pub(crate) const DIRECTION: usize = 5;

/// A valid descriptor: the two largest of each row.
pub(crate) fn valid() -> Descriptor {
    Descriptor {
        operator: "TOP_K1".into(),
        fields: vec![
            Value::Tensor(Some(TensorDesc::packed(1, 32, &[1, 1, 3, 4]))),
            Value::Tensor(Some(TensorDesc::packed(1, 32, &[1, 1, 3, 2]))),
            Value::Tensor(Some(TensorDesc::packed(3, 32, &[1, 1, 3, 2]))),
            Value::UInt(3),
            Value::UInt(2),
            Value::UInt(1),
        ],
    }
}

/// The tensor in a field.
pub(crate) fn tensor(descriptor: &mut Descriptor, field: usize) -> &mut TensorDesc {
    match &mut descriptor.fields[field] {
        Value::Tensor(Some(tensor)) => tensor,
        other => panic!("no tensor: {other:?}"),
    }
}
