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

/// What a program in C comes to: `mine` is compiled as a file beside it, or includes it, or there is none.
fn in_c(case: &[u8], mine: &str) -> (Option<i32>, String) {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("case.c"), case).unwrap();
    std::fs::write(path("mine.c"), mine).unwrap();
    let mut compiler = Command::new("cc");
    compiler
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(path("program"));
    match mine {
        "" => compiler.arg(path("case.c")),
        mine if mine.contains("case.c") => compiler.arg(path("mine.c")),
        _ => compiler.args([path("case.c"), path("mine.c")]).arg("-DKERNEL=mine"),
    };
    let compiled = compiler.output().unwrap();
    let told = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{told}\n{}", String::from_utf8_lossy(case));
    let ran = Command::new(path("program")).output().unwrap();
    (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
}

#[test]
fn a_program_in_c_tells_right_from_wrong() {
    let kernel = |first: u32| {
        format!(
            "#include <stdint.h>\n#include <string.h>\nstruct tensor {{ const char *name, *data_type; uint32_t width, \
             dimension_count, flags, align; const uint32_t *sizes, *strides; uint64_t total; unsigned char *data; }};\n\
             int mine(const struct tensor *in, struct tensor *out) {{\n    float v[] = {{11, 10, 9, 8, 7, 6}};\n    \
             uint32_t i[] = {{{first}, 2, 2, 3, 3, 2}};\n    memcpy(out[0].data, v, 24), memcpy(out[1].data, i, 24);\n    \
             return in[0].total != 48;\n}}\n"
        )
    };
    let case = exported(EXAMPLE, Format::C).unwrap();
    assert_eq!(in_c(&case, &kernel(3)), (Some(0), "0 elements differ\n".to_owned()));
    let told = "OutputIndexTensor[0, 0, 0, 0]: expected 0x00000003, found 0x00000002\n1 elements differ\n";
    assert_eq!(in_c(&case, &kernel(2)), (Some(1), told.to_owned()));
}

#[test]
fn a_program_in_c_without_a_kernel_tries_nothing() {
    for id in [EXAMPLE, STRIDED, FAULT] {
        assert_eq!(
            in_c(&exported(id, Format::C).unwrap(), ""),
            (Some(2), String::new()),
            "{id}"
        );
    }
}

#[test]
fn a_program_in_c_of_a_fault_asks_what_creates_the_operator() {
    let with = |returns: &str| {
        format!(
            "#define KERNEL mine\n#include \"case.c\"\nint mine(const struct tensor *in, struct tensor *out) {{\n    \
             (void)out;\n    return {returns};\n}}\n"
        )
    };
    let case = exported(FAULT, Format::C).unwrap();
    let (right, wrong) = ("refused, as expected\n".to_owned(), "wrongly accepted\n".to_owned());
    assert_eq!(in_c(&case, &with("in[0].sizes == NULL && K == 4")), (Some(0), right));
    assert_eq!(in_c(&case, &with("in[0].data != NULL")), (Some(1), wrong));
}

#[test]
fn nothing_in_an_id_leaves_its_comment() {
    let (suite, id) = (Suite::new(spec::catalog().clone()).unwrap(), EXAMPLE);
    let case = plan::build(&suite, &id.parse().unwrap()).unwrap();
    for evil in [
        "\n#error out\n",
        "\r#error out\r",
        "*/ #error out /*",
        "\u{1b}[2J\u{9b}31m\u{2028}",
        "x\\",
        "x??/",
    ] {
        let saved = Saved {
            what: What::Case(Box::new(case.clone())),
            from: From {
                id: evil.to_owned(),
                ..From::default()
            },
            found: None,
        };
        let text = export(&suite, &case, saved, Format::C).unwrap();
        assert_eq!(in_c(&text, "").0, Some(2));
        let text = String::from_utf8(text).unwrap();
        let head = text.lines().next().unwrap();
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{head}");
        assert!(
            head.starts_with("// ") && !head.contains("*/") && !head.ends_with('\\'),
            "{head}"
        );
        assert!(
            text.lines().nth(1).unwrap().starts_with("// DML_TOP_K1_OPERATOR_DESC"),
            "{head}"
        );
    }
}
