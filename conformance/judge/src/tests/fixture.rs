//! A small specification and calls for tests of oracle and judge.

use std::{borrow::Cow, sync::Arc};

use dml_spec::{
    Catalog, Descriptor, Dims, FeatureLevel, TensorDesc, Value,
    model::{
        Applies, Clause, ClauseKind, Compare, Comparison, DataType, Enum, EnumMember, Field, FieldKind, NumberClass,
        Observation, Operator, Role, Status, SupportRow, SupportTable, Text, Tier,
    },
};

use dml_case::suite::Suite;
use dml_case::{
    case::{Case, Mode, Verdict},
    id::CaseId,
    tensor::Shape,
};

/// Names, widths and classes of the data types, in order of value.
const TYPES: [(&str, u32, NumberClass); 12] = [
    ("UNKNOWN", 0, NumberClass::Unknown),
    ("FLOAT32", 32, NumberClass::Float),
    ("FLOAT16", 16, NumberClass::Float),
    ("UINT32", 32, NumberClass::Unsigned),
    ("UINT16", 16, NumberClass::Unsigned),
    ("UINT8", 8, NumberClass::Unsigned),
    ("INT32", 32, NumberClass::Signed),
    ("INT16", 16, NumberClass::Signed),
    ("INT8", 8, NumberClass::Signed),
    ("FLOAT64", 64, NumberClass::Float),
    ("UINT64", 64, NumberClass::Unsigned),
    ("INT64", 64, NumberClass::Signed),
];

fn clause(id: &str, kind: ClauseKind, status: Status, rule: Option<&str>, class: &[&str]) -> Clause {
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|n| Text::Owned((*n).to_owned()))
            .collect::<Vec<_>>()
            .into()
    };
    Clause {
        id: Text::Owned(id.to_owned()),
        kind,
        status,
        says: Text::Borrowed(""),
        applies: Applies::Operator,
        structural: false,
        needs: Cow::Borrowed(&[]),
        rule: rule.map(|r| Text::Owned(r.to_owned())),
        class: list(class),
        tells: Cow::Borrowed(&[]),
        holds: Cow::Borrowed(&[]),
        source: None,
        observed: Cow::Borrowed(&[]),
        history: Cow::Borrowed(&[]),
        opens: Default::default(),
        retired: None,
    }
}

fn top_k1() -> Operator {
    let field = |name: &'static str, kind: FieldKind, compare| Field {
        name: Text::Borrowed(name),
        kind,
        optional: false,
        compare,
        in_place: dml_spec::model::List::default(),
        says: Text::Borrowed(""),
    };
    let guarantee = |id: &str, class: &[&str]| clause(id, ClauseKind::Guarantee, Status::Normative, None, class);
    let disputed = |id, rule, observed: &'static str| {
        let observed = Observation {
            runtime: Text::Borrowed("DirectML"),
            date: Text::Borrowed("2026-11-21"),
            rule: Some(Text::Borrowed(observed)),
            does: None,
            says: Text::Borrowed(""),
            erratic: false,
        };
        let clause = clause(id, ClauseKind::Constraint, Status::Disputed, Some(rule), &[]);
        Clause {
            observed: vec![observed].into(),
            ..clause
        }
    };
    let (below, within) = ("K < InputTensor.Sizes[Axis]", "K <= InputTensor.Sizes[Axis]");
    let nan = clause(
        "TOP_K1/nan-order",
        ClauseKind::Silence,
        Status::Open,
        Some("has_nan(InputTensor)"),
        &[],
    );
    let row = |tensor: &'static str| SupportRow {
        group: Text::default(),
        tensor: Text::Borrowed(tensor),
        dimensions: (1, 8),
        types: TYPES.iter().map(|t| Text::Borrowed(t.0)).collect::<Vec<_>>().into(),
        shape: Text::default(),
        source: None,
    };
    let table = |level| SupportTable {
        level,
        rows: vec![row("InputTensor"), row("OutputValueTensor"), row("OutputIndexTensor")].into(),
        source: None,
        differs: Cow::Borrowed(&[]),
    };
    Operator {
        name: Text::Borrowed("TOP_K1"),
        type_value: 112,
        introduced: FeatureLevel::new(2, 1),
        file: Text::Borrowed("spec/operators/top_k1.yaml"),
        meaning: [
            (
                "ranked[r in InputTensor.Sizes with [Axis] = 1]",
                "order(j in 0..InputTensor.Sizes[Axis], by: InputTensor[r with [Axis] = j], AxisDirection)",
            ),
            (
                "OutputValueTensor[o]",
                "InputTensor[o with [Axis] = ranked[o with [Axis] = 0][o[Axis]]]",
            ),
            ("OutputIndexTensor[o]", "ranked[o with [Axis] = 0][o[Axis]]"),
        ]
        .map(|(head, body)| (Text::Borrowed(head), Text::Borrowed(body)))
        .to_vec()
        .into(),
        fields: vec![
            field("InputTensor", FieldKind::Tensor(Role::Input), None),
            field(
                "OutputValueTensor",
                FieldKind::Tensor(Role::Output),
                Some(Comparison::all(Compare::Exact)),
            ),
            field(
                "OutputIndexTensor",
                FieldKind::Tensor(Role::Output),
                Some(Comparison::all(Compare::Exact)),
            ),
            field("Axis", FieldKind::UInt, None),
            field("K", FieldKind::UInt, None),
            field(
                "AxisDirection",
                FieldKind::Enum(Text::Borrowed("DML_AXIS_DIRECTION")),
                None,
            ),
        ]
        .into(),
        clauses: vec![
            clause(
                "TOP_K1/k-nonzero",
                ClauseKind::Constraint,
                Status::Normative,
                Some("K > 0"),
                &[],
            ),
            disputed("TOP_K1/k-below-axis-size", below, within),
            disputed("TOP_K1/k-not-seven", "true", "K != 7"),
            guarantee(
                "TOP_K1/selects-top",
                &["not-selected", "direction-flipped", "axis-confused"],
            ),
            guarantee("TOP_K1/sorted", &["not-sorted"]),
            guarantee("TOP_K1/ties-ascend", &["tie-order"]),
            nan,
        ]
        .into(),
        support: vec![table(FeatureLevel::new(2, 1)), table(FeatureLevel::new(5, 0))].into(),
        ..Operator::default()
    }
}

/// A specification of TOP_K1 with just the clauses that tests name.
pub(crate) fn suite() -> Suite {
    let data_type = |(value, (name, bits, class)): (usize, &(&'static str, u32, NumberClass))| DataType {
        name: Text::Borrowed(name),
        value: value as u32,
        bits: *bits,
        class: *class,
        introduced: FeatureLevel::new(1, 0),
    };
    let direction = |name, value| EnumMember {
        name: Text::Borrowed(name),
        value,
    };
    let guarantee = |id: &str, class: &str| clause(id, ClauseKind::Guarantee, Status::Normative, None, &[class]);
    let strided = Clause {
        applies: Applies::Output,
        ..clause(
            "TENSOR/output-may-be-strided",
            ClauseKind::Silence,
            Status::Observed,
            Some("has_strides(tensor)"),
            &[],
        )
    };
    let catalog = Catalog {
        levels: Cow::Borrowed(&[]),
        asked: Vec::new().into(),
        data_types: TYPES.iter().enumerate().map(data_type).collect::<Vec<_>>().into(),
        enums: vec![Enum {
            name: Text::Borrowed("DML_AXIS_DIRECTION"),
            flags: false,
            members: vec![
                direction("DML_AXIS_DIRECTION_INCREASING", 0),
                direction("DML_AXIS_DIRECTION_DECREASING", 1),
            ]
            .into(),
        }]
        .into(),
        sources: Cow::Borrowed(&[]),
        tensor_clauses: vec![
            guarantee("TENSOR/strides-followed", "strides-ignored"),
            guarantee("TENSOR/no-stray-writes", "guard-touched"),
            guarantee("TENSOR/padding-preserved", "padding-touched"),
            strided,
        ]
        .into(),
        operators: vec![top_k1()].into(),
    };
    Suite::new(catalog)
}

/// What a test wants TOP_K1 to do.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) ty: &'static str,
    pub(crate) index: &'static str,
    pub(crate) sizes: Vec<u32>,
    pub(crate) axis: usize,
    pub(crate) k: u32,
    pub(crate) decreasing: bool,
    /// Strides of the input and of both outputs.
    pub(crate) strides: [Option<Vec<u32>>; 2],
    /// Elements of the input in row-major order, raw bits.
    pub(crate) elements: Vec<u64>,
}

impl Recipe {
    /// FLOAT32 along the last axis.
    pub(crate) fn floats(sizes: &[u32], axis: usize, k: u32, decreasing: bool, elements: &[f32]) -> Self {
        let elements = elements.iter().map(|x| u64::from(x.to_bits())).collect();
        Self {
            ty: "FLOAT32",
            index: "UINT32",
            sizes: sizes.to_vec(),
            axis,
            k,
            decreasing,
            strides: [None, None],
            elements,
        }
    }

    fn tensor(&self, catalog: &Catalog, ty: &str, k: Option<u32>, strides: Option<&Vec<u32>>) -> TensorDesc {
        let mut sizes = self.sizes.clone();
        sizes[self.axis] = k.unwrap_or(sizes[self.axis]);
        let ty = catalog.data_type_named(ty).unwrap();
        let mut tensor = TensorDesc::packed(ty.value, ty.bits, &sizes);
        tensor.strides = strides.map(|s| Dims::from_slice(s));
        tensor.total_tensor_size_in_bytes = tensor.minimum_total_size(ty.bits).unwrap();
        tensor
    }

    /// The descriptor.
    pub(crate) fn descriptor(&self, catalog: &Catalog) -> Descriptor {
        let [input, output] = self.strides.each_ref().map(Option::as_ref);
        Descriptor {
            operator: Cow::Borrowed("TOP_K1"),
            fields: vec![
                Value::Tensor(Some(self.tensor(catalog, self.ty, None, input))),
                Value::Tensor(Some(self.tensor(catalog, self.ty, Some(self.k), output))),
                Value::Tensor(Some(self.tensor(catalog, self.index, Some(self.k), output))),
                Value::UInt(self.axis as u32),
                Value::UInt(self.k),
                Value::UInt(u32::from(self.decreasing)),
            ],
        }
    }

    /// The case.
    pub(crate) fn case(&self, suite: &Suite) -> Case {
        let descriptor = self.descriptor(&suite.catalog);
        let input = self.tensor(&suite.catalog, self.ty, None, self.strides[0].as_ref());
        let shape = Shape::of(&suite.catalog, &input).unwrap();
        let mut bytes = vec![0; shape.total_bytes as usize];
        shape.write(&mut bytes, self.elements.iter().copied());
        let k = self.k.to_string();
        Case {
            id: CaseId::new(
                "TOP_K1",
                FeatureLevel::new(2, 1),
                "test",
                [("type", self.ty), ("k", &k)],
            ),
            tier: Tier::Smoke,
            mode: Mode::Execute,
            descriptor: Arc::new(descriptor),
            inputs: vec![bytes],
            aliases: Vec::new(),
            given: None,
            verdict: Verdict::Valid,
            gate: None,
        }
    }
}
