use std::borrow::Cow;

use dml_spec::{
    Catalog, Descriptor, Dims, FeatureLevel, TensorDesc, Value,
    model::{Enum, EnumMember, Field, FieldKind, Operator, Role},
};
use proptest::prelude::*;

use super::*;

/// The real data types and enumerations, and an operator that has a field of every kind.
fn catalog() -> Catalog {
    let real = dml_spec_yaml::load::catalog();
    let text = |text: &'static str| Cow::Borrowed(text);
    let kinds = [
        ("Input", FieldKind::Tensor(Role::Input), true),
        ("Output", FieldKind::Tensor(Role::Output), false),
        ("InputCount", FieldKind::UInt, false),
        ("Inputs", FieldKind::Tensors(Role::Input, text("InputCount")), false),
        ("Count", FieldKind::UInt, false),
        ("Signed", FieldKind::Int, false),
        ("Number", FieldKind::Float, false),
        ("Switch", FieldKind::Bool, false),
        ("Direction", FieldKind::Enum(text("DML_AXIS_DIRECTION")), false),
        ("Type", FieldKind::Enum(text("DML_TENSOR_DATA_TYPE")), false),
        ("Sizes", FieldKind::UInts(text("Count")), false),
        ("Pads", FieldKind::Ints(text("Count")), false),
        ("Scales", FieldKind::Floats(text("Count")), false),
        ("ScaleBias", FieldKind::ScaleBias, true),
        ("Window", FieldKind::Size2D, false),
        ("Fill", FieldKind::Scalar(text("Type")), false),
        ("Fused", FieldKind::Operator, true),
        ("Others", FieldKind::Operators(text("Count")), true),
    ];
    let field = |(name, kind, optional)| Field {
        name: text(name),
        kind,
        optional,
        compare: None,
        in_place: dml_spec::model::List::default(),
        says: text(""),
    };
    let operator = |name, fields: Vec<Field>| Operator {
        name: text(name),
        introduced: FeatureLevel::new(1, 0),
        fields: fields.into(),
        ..Operator::default()
    };
    let direction = Enum {
        name: text("DML_AXIS_DIRECTION"),
        flags: false,
        members: vec![
            EnumMember {
                name: text("DML_AXIS_DIRECTION_INCREASING"),
                value: 0,
            },
            EnumMember {
                name: text("DML_AXIS_DIRECTION_DECREASING"),
                value: 1,
            },
        ]
        .into(),
    };
    let inner = operator("INNER", vec![field(("Alpha", FieldKind::Float, false))]);
    let whole = operator("WHOLE", kinds.into_iter().map(field).collect());
    Catalog {
        enums: vec![direction].into(),
        operators: vec![inner, whole].into(),
        ..real.clone()
    }
}

fn read_text(text: &str) -> Result<Descriptor, JsonError> {
    read(&catalog(), text.as_bytes())
}

/// The same, whatever count fields say.
fn read_uncounted(text: &str) -> Result<Descriptor, JsonError> {
    let (catalog, value) = (catalog(), parse(text.as_bytes())?);
    let root = Node::root(&value, "(top)");
    let operator = read_operator(&catalog, &root.require("operator")?)?;
    read_desc(&catalog, operator, &root.require("desc")?)
}

fn dims() -> impl Strategy<Value = Dims> {
    prop::collection::vec(any::<u32>(), 0..9).prop_map(Dims::from_vec)
}

fn tensor() -> impl Strategy<Value = TensorDesc> {
    let parts = (
        any::<u32>(),
        0..20u32,
        any::<u32>(),
        dims(),
        prop::option::of(dims()),
        any::<u64>(),
    );
    parts.prop_map(|(flags, data_type, alignment, sizes, strides, total)| TensorDesc {
        tensor_type: 1,
        data_type,
        flags,
        sizes: Some(sizes),
        strides,
        total_tensor_size_in_bytes: total,
        guaranteed_base_offset_alignment: alignment,
    })
}

/// Any float, as bits: NaN payloads count.
fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        Just(0.0),
        Just(-0.0),
        Just(f32::NAN),
        Just(f32::INFINITY)
    ]
}

fn inner() -> impl Strategy<Value = Descriptor> {
    float().prop_map(|x| Descriptor {
        operator: Cow::Borrowed("INNER"),
        fields: vec![Value::Float(x)],
    })
}

/// Any value of a field of this kind.
fn value(kind: &FieldKind) -> BoxedStrategy<Value> {
    use prop::{collection::vec, option::of};

    match kind {
        FieldKind::Tensor(_) => of(tensor()).prop_map(Value::Tensor).boxed(),
        FieldKind::Tensors(..) => of(vec(tensor(), 0..3)).prop_map(Value::Tensors).boxed(),
        FieldKind::UInt => any::<u32>().prop_map(Value::UInt).boxed(),
        FieldKind::Bool | FieldKind::Enum(_) => (0..16u32).prop_map(Value::UInt).boxed(),
        FieldKind::Int => any::<i32>().prop_map(Value::Int).boxed(),
        FieldKind::Float => float().prop_map(Value::Float).boxed(),
        FieldKind::UInts(_) => of(dims()).prop_map(Value::UInts).boxed(),
        FieldKind::Ints(_) => of(vec(any::<i32>(), 0..4))
            .prop_map(|list| Value::Ints(list.map(Into::into)))
            .boxed(),
        FieldKind::Floats(_) => of(vec(float(), 0..4))
            .prop_map(|list| Value::Floats(list.map(Into::into)))
            .boxed(),
        FieldKind::ScaleBias => of((float(), float())).prop_map(Value::ScaleBias).boxed(),
        FieldKind::Size2D => any::<(u32, u32)>().prop_map(|(w, h)| Value::Size2D(w, h)).boxed(),
        FieldKind::Scalar(_) => any::<[u8; 8]>().prop_map(Value::Scalar).boxed(),
        FieldKind::Operator => of(inner())
            .prop_map(|inner| Value::Operator(inner.map(Box::new)))
            .boxed(),
        FieldKind::Operators(_) => of(vec(inner(), 0..3)).prop_map(Value::Operators).boxed(),
    }
}

fn descriptor() -> impl Strategy<Value = Descriptor> {
    let catalog = catalog();
    let fields = catalog.operator("WHOLE").unwrap().fields.iter();
    let values: Vec<_> = fields.map(|field| value(&field.kind)).collect();
    values.prop_map(|fields| Descriptor {
        operator: Cow::Borrowed("WHOLE"),
        fields,
    })
}

proptest! {
    /// Bits count, so descriptors are compared by the bytes of their digest.
    #[test]
    fn every_descriptor_survives_the_round_trip(descriptor in descriptor()) {
        let text = write(&catalog(), &descriptor).unwrap().to_string();
        let back = read_uncounted(&text).unwrap();
        let bytes = |d: &Descriptor| {
            let mut bytes = Vec::new();
            dml_case::digest::descriptor_bytes(d, &mut bytes);
            bytes
        };
        prop_assert_eq!(bytes(&back), bytes(&descriptor), "{}", text);
    }

    #[test]
    fn no_cut_or_changed_text_makes_it_panic(descriptor in descriptor(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = write(&catalog(), &descriptor).unwrap().to_string().into_bytes();
        let at = at.index(bytes.len());
        let _ = read(&catalog(), &bytes[..at]);
        bytes[at] = byte;
        let _ = read(&catalog(), &bytes);
    }
}

const TENSOR: &str = r#"{"DataType":"FLOAT32","Sizes":[1,1,3,4],"Strides":null,"TotalTensorSizeInBytes":48,"GuaranteedBaseOffsetAlignment":0,"Flags":0}"#;

fn top_k1(change: impl Fn(String) -> String) -> Result<Descriptor, JsonError> {
    let index = TENSOR.replace("FLOAT32", "UINT32");
    let text = format!(
        r#"{{"operator":"TOP_K1","desc":{{"InputTensor":{TENSOR},"OutputValueTensor":{TENSOR},
        "OutputIndexTensor":{index},"Axis":3,"K":4,"AxisDirection":"DML_AXIS_DIRECTION_DECREASING"}}}}"#
    );
    read(dml_spec_yaml::load::catalog(), change(text).as_bytes())
}

#[test]
fn the_documented_form_is_read() {
    let descriptor = top_k1(|text| text).unwrap();
    assert_eq!(
        descriptor.fields[0],
        Value::Tensor(Some(TensorDesc::packed(1, 32, &[1, 1, 3, 4])))
    );
    assert_eq!(descriptor.fields[3..], [Value::UInt(3), Value::UInt(4), Value::UInt(1)]);
    // What is left out has a default; what is unknown may be said as a number.
    let short = top_k1(|text| {
        text.replace(
            r#","Strides":null,"TotalTensorSizeInBytes":48,"GuaranteedBaseOffsetAlignment":0,"Flags":0"#,
            "",
        )
    });
    assert_eq!(short.as_ref(), Ok(&descriptor));
    let odd = top_k1(|text| text.replace(r#""DML_AXIS_DIRECTION_DECREASING""#, "7")).unwrap();
    assert_eq!(odd.fields[5], Value::UInt(7));
}

#[test]
fn a_list_is_as_long_as_its_count_says() {
    let reduce = |lists: &str| {
        let text = format!(
            r#"{{"operator":"REDUCE","desc":{{"Function":"SUM","InputTensor":{TENSOR},"OutputTensor":{TENSOR},{lists}}}}}"#
        );
        read(dml_spec_yaml::load::catalog(), text.as_bytes())
    };
    let wrong = reduce(r#""AxisCount":1,"Axes":[2,3]"#).unwrap_err();
    let expected = "desc: `Axes` has 2 elements, but `AxisCount` says 1";
    assert!(wrong.to_string().starts_with(expected), "{wrong}");
    for fine in [
        r#""AxisCount":2,"Axes":[2,3]"#,
        r#""Axes":[2,3]"#,
        r#""AxisCount":2,"Axes":null"#,
    ] {
        reduce(fine).unwrap();
    }
}

#[test]
fn mistakes_say_where() {
    let cases: [(&str, &str, &str); 10] = [
        (
            "\"Axis\":3",
            "\"Axis\":\"3\"",
            "desc.Axis: expected a whole number from 0 to 4294967295, found ",
        ),
        (
            "\"Axis\":3",
            "\"Axi\":3",
            "desc: unknown field `Axi`; did you mean `Axis`?",
        ),
        ("\"Axis\":3,", "", "desc: `Axis` is missing"),
        (
            "\"Axis\":3",
            "\"Axis\":-1",
            "desc.Axis: expected a whole number from 0 to 4294967295, found -1",
        ),
        ("\"Axis\":3", "\"Axis\":3,\"Axis\":3", "2:"),
        ("TOP_K1", "TOPK1", "operator: unknown operator `TOPK1`; nearest: TOP_K1"),
        (
            "[1,1,3,4]",
            "[1,1,3,\"x\"]",
            "desc.InputTensor.Sizes[3]: expected a whole number",
        ),
        (
            "FLOAT32",
            "FLOAT33",
            "desc.InputTensor.DataType: `FLOAT33` is no constant of DML_TENSOR_DATA_TYPE; did you mean `FLOAT32`?",
        ),
        (
            "DML_AXIS_DIRECTION_DECREASING",
            "DOWN",
            "desc.AxisDirection: `DOWN` is no constant of DML_AXIS_DIRECTION",
        ),
        ("{\"operator\"", "{operator", "1:2: key must be a string"),
    ];
    for (from, to, expected) in cases {
        let error = top_k1(|text| text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{from} -> {to}: {error}");
    }
}

#[test]
fn what_json_lacks_is_named() {
    let mut descriptor = top_k1(|text| text).unwrap();
    let mut tensor = TensorDesc::packed(1, 32, &[4]);
    tensor.sizes = None;
    descriptor.fields[0] = Value::Tensor(Some(tensor));
    let error = write(dml_spec_yaml::load::catalog(), &descriptor)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "`InputTensor` is not expressible in JSON: its sizes are null");
}

#[test]
fn numbers_fit_their_types() {
    let catalog = dml_spec_yaml::load::catalog();
    let read = |ty: &str, value: serde_json::Value| {
        let ty = catalog.data_type_named(ty).unwrap();
        read_element(ty, &Node::root(&value, "element"))
    };
    for (ty, text, bits) in [
        ("UINT8", "\"255\"", 255),
        ("INT8", "-128", 0x80),
        ("INT64", "\"9223372036854775807\"", u64::MAX >> 1),
        ("FLOAT32", "3.4028234e38", 0x7f7f_ffff),
        ("FLOAT16", "65519", 0x7bff),
        ("FLOAT32", "\"-inf\"", 0xff80_0000),
        ("UINT8", "\"0xff\"", 255),
    ] {
        assert_eq!(read(ty, serde_json::from_str(text).unwrap()), Ok(bits), "{ty} {text}");
    }
    for (ty, text, expected) in [
        ("UINT8", "256", "expected a number of type UINT8"),
        ("UINT8", "\"256\"", "expected a number of type UINT8"),
        ("UINT8", "\"0x100\"", "expected a number of type UINT8"),
        ("INT8", "\"-129\"", "expected a number of type INT8"),
        ("INT64", "\"9223372036854775808\"", "expected a number of type INT64"),
        ("UINT64", "1e30", "expected a number of type UINT64"),
        ("INT32", "\"inf\"", "expected a number of type INT32"),
        ("FLOAT32", "1e39", "1e+39 lies beyond FLOAT32"),
        ("FLOAT16", "-65520", "-65520 lies beyond FLOAT16"),
    ] {
        let error = read(ty, serde_json::from_str(text).unwrap()).unwrap_err();
        assert!(error.message.starts_with(expected), "{ty} {text}: {error}");
    }
}

#[test]
fn scalars_fit_their_types() {
    let catalog = catalog();
    let descriptor = Descriptor::zeroed(catalog.operator("WHOLE").unwrap());
    let mut text: serde_json::Value = write(&catalog, &descriptor).unwrap();
    text["desc"]["Type"] = "UINT8".into();
    for (value, fits) in [
        (serde_json::json!(255), true),
        (serde_json::json!(300), false),
        (serde_json::json!("300"), false),
    ] {
        text["desc"]["Fill"] = value;
        let found = read_text(&text.to_string());
        let place = found.err().map(|error| error.path);
        assert_eq!(place.as_deref(), (!fits).then_some("desc.Fill"), "{text}");
    }
}
