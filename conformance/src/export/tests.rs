use std::io::{Cursor, Read};

use super::*;
use crate::{
    plan,
    saved::{From, What},
    spec,
    tensor::Shape,
};

const EXAMPLE: &str = "TOP_K1:2.1:examples:example=largest-two";
const STRIDED: &str = "TOP_K1:2.1:layout:type=INT8,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded";
const NAN: &str = "TOP_K1:2.1:nan:type=FLOAT32,index=UINT32,sizes=1x1x2x9,axis=3,k=5,dir=DECREASING,values=nan-one";
const FAULT: &str =
    "TOP_K1:2.1:faults:type=FLOAT32,index=UINT32,sizes=2x3x4x5,axis=3,k=4,dir=DECREASING,InputTensor.Sizes=null";

fn exported(id: &str, format: Format) -> Result<Vec<u8>, String> {
    let suite = Suite::new(spec::catalog().clone()).unwrap();
    let case = plan::build(&suite, &id.parse().unwrap()).unwrap();
    let saved = Saved {
        what: What::Case(Box::new(case.clone())),
        from: From {
            id: id.to_owned(),
            ..From::default()
        },
        found: None,
    };
    export(&suite, &case, saved, format)
}

fn text(id: &str, format: Format) -> String {
    String::from_utf8(exported(id, format).unwrap()).unwrap()
}

#[test]
fn what_a_form_cannot_say_is_told() {
    for (id, format, told) in [
        (NAN, Format::C, "nobody defines the outputs"),
        (NAN, Format::Onnx, "nobody defines the outputs"),
        (STRIDED, Format::Onnx, "ONNX has no strides"),
        (FAULT, Format::Onnx, "is to be refused"),
    ] {
        let error = exported(id, format).unwrap_err();
        assert!(error.contains(told), "{id}: {error}");
    }
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
    let suite = Suite::new(spec::catalog().clone()).unwrap();
    let case = plan::build(&suite, &STRIDED.parse().unwrap()).unwrap();
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
    let indices = &crate::judge::expected(&suite, &case).unwrap()[1];
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
fn a_model_of_onnx_holds_data_and_outputs() {
    let model = exported(EXAMPLE, Format::Onnx).unwrap();
    let holds = |word: &str| model.windows(word.len()).any(|part| part == word.as_bytes());
    for word in ["TopK", "largest", "Cast", "expected.OutputIndexTensor", EXAMPLE] {
        assert!(holds(word), "{word}");
    }
}

#[test]
fn a_program_in_c_tells_right_from_wrong() {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let kernel = |first: u32| {
        format!(
            "#include <stdint.h>\n#include <string.h>\nstruct tensor {{ const char *name, *data_type; uint32_t width, \
             dimension_count, flags, align; const uint32_t *sizes, *strides; uint64_t total; unsigned char *data; }};\n\
             int mine(const struct tensor *in, struct tensor *out) {{\n    float v[] = {{11, 10, 9, 8, 7, 6}};\n    \
             uint32_t i[] = {{{first}, 2, 2, 3, 3, 2}};\n    memcpy(out[0].data, v, 24), memcpy(out[1].data, i, 24);\n    \
             return in[0].total != 48;\n}}\n"
        )
    };
    for (id, first, built_in, code) in [
        (EXAMPLE, 3, false, 0),
        (EXAMPLE, 2, false, 1),
        (EXAMPLE, 3, true, 1),
        (STRIDED, 3, true, 1),
        (FAULT, 3, true, 0),
    ] {
        std::fs::write(path("case.c"), exported(id, Format::C).unwrap()).unwrap();
        std::fs::write(path("mine.c"), kernel(first)).unwrap();
        let mut compiler = Command::new("cc");
        compiler
            .args(["-Wall", "-Wextra", "-Werror", "-o"])
            .args([path("program"), path("case.c")]);
        if !built_in {
            compiler.arg("-DKERNEL=mine").arg(path("mine.c"));
        }
        let compiled = compiler.output().unwrap();
        assert!(
            compiled.status.success(),
            "{id}: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        let ran = Command::new(path("program")).output().unwrap();
        let out = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(code), "{id}: {out}");
        if first == 2 {
            let told = "OutputIndexTensor[0, 0, 0, 0]: expected 0x00000003, found 0x00000002\n1 elements differ\n";
            assert_eq!(out, told);
        }
    }
}
