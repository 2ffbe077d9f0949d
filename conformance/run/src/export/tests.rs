use std::io::{Cursor, Read};

use super::*;
use crate::saved::tests;
use dml_case::tensor::Shape;

const EXAMPLE: &str = "TOP_K1:2.1:examples:example=largest-two";
const STRIDED: &str = "TOP_K1:2.1:layout:type=INT8,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded";
const NAN: &str = "TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes=1x1x2x9,axis=3,k=5,dir=DECREASING,values=nan-one";

fn exported(id: &str, format: Format) -> Result<Vec<u8>, String> {
    exported_from(id, id, format)
}

fn exported_from(id: &str, from: &str, format: Format) -> Result<Vec<u8>, String> {
    let suite = crate::embedded::suite();
    let saved = tests::saved(suite, id, from);
    let case = tests::case(saved.clone());
    export(suite, &case, saved, format)
}

fn text(id: &str, format: Format) -> String {
    String::from_utf8(exported(id, format).unwrap()).unwrap()
}

#[test]
fn an_archive_holds_inputs_attributes_and_outputs() {
    let mut archive = zip::ZipArchive::new(Cursor::new(exported(STRIDED, Format::Npz).unwrap())).unwrap();
    let mut array = |name: &str| {
        let mut bytes = Vec::new();
        archive
            .by_name(&format!("{name}.npy"))
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!(head % 64, 0);
        (
            String::from_utf8(bytes[10..head].to_vec()).unwrap(),
            bytes[head..].to_vec(),
        )
    };
    let (head, data) = array("InputTensor");
    assert!(
        head.starts_with("{'descr': '|i1', 'fortran_order': False, 'shape': (2,3,4,5,), }"),
        "{head}"
    );
    let suite = crate::embedded::suite();
    let case = dml_plan::build(suite, &STRIDED.parse().unwrap()).unwrap();
    let dml_spec::Value::Tensor(Some(tensor)) = &case.descriptor.fields[0] else {
        panic!("no input")
    };
    let elements = Shape::of(&suite.catalog, tensor).unwrap().read(&case.inputs[0]);
    assert_eq!(data, elements.iter().map(|bits| *bits as u8).collect::<Vec<u8>>());
    assert_eq!(array("bytes.InputTensor").1, case.inputs[0]);
    let strides = tensor.strides.as_ref().unwrap();
    let strides: Vec<u8> = strides.iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(array("strides.InputTensor").1, strides);
    assert_eq!(array("K").1, 2u64.to_le_bytes());
    let (head, data) = array("expected.OutputIndexTensor");
    assert!(head.contains("'<u4'"), "{head}");
    let indices = &dml_judge::expected_outputs(suite, &case).unwrap()[1];
    let indices: Vec<u8> = indices.iter().flat_map(|n| (*n as u32).to_le_bytes()).collect();
    assert_eq!(data, indices);
    // A case with NaN has no outputs, but still its inputs.
    assert!(exported(NAN, Format::Npz).is_ok());
}

#[test]
fn a_model_of_dxdispatch_binds_every_tensor() {
    let model: serde_json::Value = serde_json::from_str(&text(EXAMPLE, Format::DxDispatch)).unwrap();
    assert_eq!(model["dispatchables"]["case"]["type"], "DML_OPERATOR_TOP_K1");
    let desc = &model["dispatchables"]["case"]["desc"]["InputTensor"];
    assert_eq!(
        desc,
        &serde_json::json!({"DataType": "FLOAT32", "Sizes": [1, 1, 3, 4], "TotalTensorSizeInBytes": 48})
    );
    let bindings = model["commands"][0]["bindings"].as_object().unwrap();
    for (tensor, resource) in bindings {
        assert_eq!(tensor.as_str(), resource);
        assert!(model["resources"][tensor]["initialValues"].is_array() || tensor != "InputTensor");
    }
    assert_eq!((bindings.len(), model["commands"].as_array().unwrap().len()), (3, 3));
    // NaN has bits that no number says.
    let model: serde_json::Value = serde_json::from_str(&text(NAN, Format::DxDispatch)).unwrap();
    assert_eq!(model["resources"]["InputTensor"]["initialValuesDataType"], "UINT8");
    assert_eq!(
        model["resources"]["InputTensor"]["initialValues"]
            .as_array()
            .unwrap()
            .len(),
        72
    );
}

#[test]
fn nothing_in_an_id_controls_a_terminal() {
    let evil = "\u{1b}[2J\u{9b}31m\u{2028}";
    let text = String::from_utf8(exported_from(EXAMPLE, evil, Format::DxDispatch).unwrap()).unwrap();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text}");
}
