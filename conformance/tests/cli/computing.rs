//! `compute`: expected outputs of descriptors, and the backend that answers with them.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Ran, copied, folder, run, run_with_input};

const EXAMPLE: &str = "TOP_K1:2.1:examples:example=tied-values";

/// Sums, one of them rounded, one with a NaN.
pub(crate) fn sums() -> Value {
    let tensor = json!({"DataType": "FLOAT32", "Sizes": [1, 1, 1, 3]});
    json!({
        "operator": "ELEMENT_WISE_ADD1", "feature_level": "3.1",
        "desc": {"ATensor": tensor, "BTensor": tensor, "OutputTensor": tensor, "FusedActivation": null},
        "inputs": {"ATensor": {"data": [1, 0.1, "0x7fc00000"]}, "BTensor": {"data": [2, 0.2, 1]}}
    })
}

/// A mean of FLOAT16 elements whose sum is beyond FLOAT16.
pub(crate) fn mean() -> Value {
    let tensor = |n: u32| json!({"DataType": "FLOAT16", "Sizes": [1, 1, 1, n]});
    json!({
        "operator": "REDUCE", "feature_level": "3.0",
        "desc": {"Function": "DML_REDUCE_FUNCTION_AVERAGE", "InputTensor": tensor(2), "OutputTensor": tensor(1),
                 "AxisCount": 1, "Axes": [3]},
        "inputs": {"InputTensor": {"data": [60000, 60000]}}
    })
}

#[test]
fn half_precision_is_accepted_beside_what_is_expected() {
    let element = |arguments: &[&str]| {
        let Ran { out, .. } = compute(&mean(), arguments).exits(0).err_is("");
        let found: Value = serde_json::from_str(&out).unwrap();
        (
            found["half_precision"].clone(),
            found["outputs"]["OutputTensor"]["data"][0].clone(),
        )
    };
    assert_eq!(element(&[]), (Value::Null, json!(60000.0)));
    let (half_precision, accepted) = element(&["--half-precision"]);
    assert_eq!(half_precision, json!(true));
    assert_eq!((&accepted["value"], &accepted["inf"]), (&json!(60000.0), &json!("+")));
    assert!(accepted["nan"].is_null(), "{accepted}");
}

#[test]
fn an_open_element_names_the_clause_that_opened_it() {
    let tensor = |ty: &str, n: u32| json!({"DataType": ty, "Sizes": [1, 1, 1, n]});
    let open = |function: &str, output: &str, elements: Value| {
        let file = json!({
            "operator": "REDUCE", "feature_level": "3.0",
            "desc": {"Function": format!("DML_REDUCE_FUNCTION_{function}"), "InputTensor": tensor("FLOAT32", 3),
                     "OutputTensor": tensor(output, 1), "AxisCount": 1, "Axes": [3]},
            "inputs": {"InputTensor": {"data": elements}}
        });
        let Ran { out, .. } = compute(&file, &[]).exits(0).err_is("");
        let found: Value = serde_json::from_str(&out).unwrap();
        found["outputs"]["OutputTensor"]["data"][0]["open"].clone()
    };
    for (function, output) in [("SUM", "FLOAT32"), ("MAX", "FLOAT32"), ("ARGMAX", "UINT32")] {
        assert_eq!(
            open(function, output, json!([1, "0x7fc00000", 2])),
            json!("REDUCE/nan"),
            "{function}"
        );
    }
    assert_eq!(
        open("SUM", "FLOAT32", json!([1, "0x7f800000", 2])),
        json!("REDUCE/infinities")
    );
    assert_eq!(
        open("MAX", "FLOAT32", json!(["0x80000000", 1, 2])),
        json!("REDUCE/signed-zero")
    );
}

/// A slice whose output is shorter than its window in a dimension that the window takes whole.
#[test]
fn a_whole_sum_is_open_if_it_may_leave_the_range_on_the_way() {
    let sum = |elements: [i32; 3]| {
        let tensor = |n: u32| json!({"DataType": "INT32", "Sizes": [1, 1, 1, n]});
        let file = json!({
            "operator": "REDUCE", "feature_level": "3.0",
            "desc": {"Function": "DML_REDUCE_FUNCTION_SUM", "InputTensor": tensor(3), "OutputTensor": tensor(1),
                     "AxisCount": 1, "Axes": [3]},
            "inputs": {"InputTensor": {"data": elements}}
        });
        let Ran { out, .. } = compute(&file, &[]).exits(0);
        serde_json::from_str::<Value>(&out).unwrap()["outputs"]["OutputTensor"]["data"][0].clone()
    };
    let open = json!({"open": "REDUCE/integer-overflow"});
    for leaving in [[i32::MAX, 1, -1], [-1, i32::MAX, 1], [i32::MIN, 1, -1]] {
        assert_eq!(sum(leaving), open, "{leaving:?}");
    }
    assert_eq!(sum([i32::MAX, -1, 0]), json!(i32::MAX - 1));
    assert_eq!(sum([i32::MIN, 1, 0]), json!(i32::MIN + 1));
}

fn short_slice() -> Value {
    let tensor = |sizes: [u32; 3]| json!({"DataType": "INT32", "Sizes": sizes});
    json!({
        "operator": "SLICE1", "feature_level": "4.1",
        "desc": {"InputTensor": tensor([2, 2, 3]), "OutputTensor": tensor([2, 2, 2]), "DimensionCount": 3,
                 "InputWindowOffsets": [0, 0, 0], "InputWindowSizes": [2, 2, 3], "InputWindowStrides": [1, 1, 1]},
        "inputs": {"InputTensor": {"data": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}}
    })
}

#[test]
fn what_nobody_has_described_of_a_release_is_open_to_runtimes_alone() {
    let elements = |basis: &str| {
        let Ran { out, .. } = compute(&short_slice(), &["--basis", basis]).exits(0).err_is("");
        let found: Value = serde_json::from_str(&out).unwrap();
        found["outputs"]["OutputTensor"]["data"].clone()
    };
    assert_eq!(elements("text"), json!([0, 1, 3, 4, 6, 7, 9, 10]));
    let open = json!({"open": "SLICE1/window-copied"});
    assert_eq!(elements("runtime"), json!([0, 1, open, open, open, open, open, open]));
}

pub(crate) fn compute(file: &Value, arguments: &[&str]) -> Ran {
    let words = [&["compute", "-"], arguments].concat();
    run_with_input(&words[..], file.to_string().as_bytes())
}

#[test]
fn elements_are_exact_or_have_bounds_or_are_open() {
    let Ran { out, .. } = compute(&sums(), &[]).exits(0).err_is("");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&found["basis"], &found["feature_level"]),
        (&json!("runtime"), &json!("3.1"))
    );
    let data = &found["outputs"]["OutputTensor"]["data"];
    assert_eq!(
        (&data[0], &data[2]),
        (&json!(3.0), &json!({"open": "ELEMENT_WISE_ADD1/nan"}))
    );
    let (lo, hi) = (data[1]["lo"].as_f64().unwrap(), data[1]["hi"].as_f64().unwrap());
    assert!(lo < 0.3 && 0.3 < hi && hi - lo < 1e-7, "{out}");
    compute(&sums(), &["--basis", "text"]).prints(0, ["\"basis\": \"text\""]);
}

#[test]
fn the_schema_takes_what_is_printed() {
    let text = include_str!("../../expected.schema.json");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    let schema = serde_json::from_str(text).unwrap();
    compiler.add_resource("mem:///expected", schema).unwrap();
    let schema = compiler.compile("mem:///expected", &mut schemas).unwrap();
    let denormal = json!({
        "operator": "ACTIVATION_LEAKY_RELU",
        "desc": {"InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 2]},
                 "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 2]}, "Alpha": 2},
        "inputs": {"InputTensor": {"data": [-1e-40, "0xff800000"]}}
    });
    for (file, arguments) in [(sums(), &[][..]), (denormal, &[]), (mean(), &["--half-precision"])] {
        let Ran { out, .. } = compute(&file, arguments).exits(0);
        let found: Value = serde_json::from_str(&out).unwrap();
        let wrong = schemas.validate(&found, schema).err().map(|error| error.to_string());
        assert_eq!(wrong, None, "{out}");
    }
}

#[test]
fn inputs_may_come_from_an_archive() {
    let folder = folder("compute archive");
    let (case, inputs) = (folder.join("case.json"), folder.join("in.npz"));
    let (case_path, inputs) = (case.to_str().unwrap(), inputs.to_str().unwrap());
    run(&["show", EXAMPLE, "--export", "json", "-o", case_path]).exits(0);
    run(&["show", EXAMPLE, "--export", "npz", "-o", inputs]).exits(0);
    let Ran { out: expected, .. } = run(&["compute", case_path]).exits(0);
    run(&["compute", case_path, "--inputs", inputs]).warns(2, ["has inputs, and so does --inputs"]);
    let mut file: Value = serde_json::from_str(&fs::read_to_string(&case).unwrap()).unwrap();
    file.as_object_mut().unwrap().remove("inputs");
    compute(&file, &[]).warns(2, ["`inputs` is missing"]);
    compute(&file, &["--inputs", inputs]).exits(0).out_is(&expected);
    file["desc"]["InputTensor"]["DataType"] = "FLOAT16".into();
    file["desc"]["OutputValueTensor"]["DataType"] = "FLOAT16".into();
    compute(&file, &["--inputs", inputs]).warns(2, ["in.npz: array `InputTensor`: elements of type <f4, expected <f2"]);
    let whole = fs::read(inputs).unwrap();
    for length in [0, 10, whole.len() / 2, whole.len() - 1] {
        fs::write(inputs, &whole[..length]).unwrap();
        compute(&file, &["--inputs", inputs]).warns(2, ["in.npz: not a readable .npz archive"]);
    }
    compute(&file, &["--inputs", "no-such.npz"]).warns(2, ["no-such.npz: "]);
}

#[test]
fn results_may_go_to_an_archive() {
    let out = folder("compute to npz").join("out.npz");
    compute(&sums(), &["--npz", out.to_str().unwrap()]).exits(0).out_is("");
    let mut archive = zip::ZipArchive::new(fs::File::open(out).unwrap()).unwrap();
    let mut array = |name: &str, width: usize| {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_name(&format!("{name}.npy")).unwrap(), &mut bytes).unwrap();
        bytes.split_off(bytes.len() - 3 * width)
    };
    let floats = |bytes: Vec<u8>| {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|raw| f64::from_le_bytes(*raw))
            .collect::<Vec<_>>()
    };
    assert_eq!(array("OutputTensor", 4)[..4], 3f32.to_le_bytes());
    let (lo, hi) = (floats(array("OutputTensor.lo", 8)), floats(array("OutputTensor.hi", 8)));
    assert!(
        lo[0] == 3.0 && hi[0] == 3.0 && lo[1] < 0.3 && 0.3 < hi[1],
        "{lo:?} {hi:?}"
    );
    assert_eq!((lo[2], hi[2]), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(array("OutputTensor.nan", 1), [0, 0, 1]);
    let open = array("OutputTensor.open", 2);
    assert!(open[..4] == [0; 4] && open[4..] != [0; 2], "{open:?}");
}

#[test]
fn what_cannot_be_computed_says_why() {
    let changed = |change: fn(&mut Value)| {
        let mut file = sums();
        change(&mut file);
        file
    };
    for (file, expected) in [
        (
            changed(|f| f["operator"] = "ELEMENT_WISE_ADD7".into()),
            "operator: unknown operator `ELEMENT_WISE_ADD7`",
        ),
        (
            changed(|f| f["inputs"]["ATensor"]["data"] = json!([1])),
            "inputs.ATensor.data: 1 elements, expected 3",
        ),
        (
            changed(|f| f["inputs"]["ATensor"] = json!({"base64": "AAAA"})),
            "3 bytes, expected 12",
        ),
        (
            changed(|f| f["inputs"]["CTensor"] = json!({})),
            "inputs: unknown field `CTensor`",
        ),
        (changed(|f| f["inputs"] = json!({})), "`ATensor` is missing"),
        (
            changed(|f| f["feature_level"] = "9.9".into()),
            "feature_level: unknown feature level 9.9",
        ),
        (
            changed(|f| f["description"] = "x".into()),
            "unknown field `description`",
        ),
        (
            changed(|f| f["desc"]["BTensor"]["Sizes"] = json!([1, 1, 3, 1])),
            "it violates\n  ELEMENT_WISE_ADD1/same-sizes: All three tensors have the same sizes.",
        ),
        (
            changed(|f| f["feature_level"] = "1.0".into()),
            "the operator does not exist at this level",
        ),
        (
            changed(|f| {
                for tensor in ["ATensor", "BTensor", "OutputTensor"] {
                    f["desc"][tensor]["Sizes"] = json!([1, 1, 30_000, 30_000]);
                }
            }),
            "desc: ATensor is larger than 1 GiB, or has more than 2^26 elements: 900000000 elements in",
        ),
        (
            changed(|f| {
                for tensor in ["ATensor", "BTensor", "OutputTensor"] {
                    f["desc"][tensor]["Sizes"] = json!([4_294_967_295u32, 4_294_967_295u32, 4_294_967_295u32, 7]);
                }
            }),
            "invalid descriptor of ELEMENT_WISE_ADD1 at level 3.1; it violates",
        ),
        (
            json!({"format": "dml-cts-case", "version": 1, "order": [EXAMPLE]}),
            "a sequence of cases",
        ),
        (json!({"format": "dml-cts-case", "version": 7}), "expected 1, found 7"),
        (json!([]), "expected an object"),
    ] {
        compute(&file, &[]).warns(2, ["-: ", expected]).out_is("").stays_plain();
    }
    run_with_input("compute -", b"{\"operator\": ").warns(2, ["error: -:1:13: "]);
    run("compute no-such-file.json").warns(2, ["no-such-file.json: "]);
    run("compute").warns(2, ["required", "FILE.json"]);
    compute(&sums(), &["--level", "1.0"]).warns(2, ["ELEMENT_WISE_ADD1/introduced"]);
}

#[test]
fn a_meaning_without_a_value_names_its_place() {
    let value = "InputTensor[o with [Axis] = ranked[o with [Axis] = 0][o[Axis]]]";
    let copy = |name: &str, changed: &str| {
        let spec = copied(name, &[(value, changed)]);
        spec.to_str().unwrap().to_owned()
    };
    // Of none of the examples.
    let spec = copy(
        "compute fault",
        "InputTensor[o with [Axis] = if InputTensor.Sizes[3] == 5 then 7 else ranked[o with [Axis] = 0][o[Axis]]]",
    );
    let tensor = |sizes: [u32; 4], data_type: &str| json!({"DataType": data_type, "Sizes": sizes});
    let case = json!({
        "operator": "TOP_K1", "feature_level": "3.1",
        "desc": {
            "InputTensor": tensor([1, 1, 1, 5], "FLOAT32"), "OutputValueTensor": tensor([1, 1, 1, 2], "FLOAT32"),
            "OutputIndexTensor": tensor([1, 1, 1, 2], "UINT32"), "Axis": 3, "K": 2,
            "AxisDirection": "DML_AXIS_DIRECTION_INCREASING"
        },
        "inputs": {"InputTensor": {"data": [1, 2, 3, 4, 5]}}
    });
    compute(&case, &["--spec", &spec]).warns(
        2,
        [
            "the meaning has no value here\n",
            "operators/top_k1.yaml:27:5: ",
            "lies outside",
            "in `InputTensor[o with",
        ],
    );
    // Of an example: the file is wrong.
    let spec = copy("compute wrong example", "InputTensor[o with [Axis] = 7]");
    compute(&case, &["--spec", &spec]).warns(
        2,
        [
            "operators/top_k1.yaml:27:5: error[spec::wrong-example]: index [0, 0, 0, 7] lies outside",
            "in the example largest-two",
        ],
    );
}

#[test]
fn the_reference_answers_by_the_meanings() {
    run("run --backend reference --tier smoke *:*:examples").prints(0, ["reference: conformant", " pass"]);
    run("run --backend reference --isolate TOP_K1:2.1:examples").exits(0);
    run("backends").prints(
        0,
        ["reference ", "evidence: none: expectations come from the same meanings"],
    );
}

#[test]
fn of_an_operator_without_a_meaning_descriptors_are_judged() {
    let text = fs::read_to_string(crate::common::root().join("spec/operators/top_k1.yaml")).unwrap();
    let start = text.find("\nmeaning:\n").unwrap();
    let meaning = &text[start..start + text[start..].find("\nclauses:").unwrap()];
    let spec = copied("compute without meaning", &[(meaning, "\n")]);
    let spec = spec.to_str().unwrap();
    run(&["run", "--backend", "reference", "--spec", spec, EXAMPLE]).prints(0, ["reference: conformant"]);
    let Ran { out, .. } = run(&["show", EXAMPLE, "--export", "json"]).exits(0);
    let case: Value = serde_json::from_str(&out).unwrap();
    compute(&case, &["--spec", spec]).warns(2, ["TOP_K1 has no meaning"]);
}
