//! `compute` and what is no input of it: each mistake ends with exit code 2 and one line that names its place.

use std::fs;

use serde_json::{Value, json};

use crate::{
    common::{Ran, folder, run, run_with_input},
    computing::{compute, mean, sums},
};

/// The greatest of two whole numbers.
fn greatest() -> Value {
    let tensor = |ty: &str, n: u32| json!({"DataType": ty, "Sizes": [1, 1, 1, n]});
    json!({
        "operator": "TOP_K1",
        "desc": {"InputTensor": tensor("INT32", 2), "OutputValueTensor": tensor("INT32", 1),
                 "OutputIndexTensor": tensor("UINT32", 1), "Axis": 3, "K": 1, "AxisDirection": "DECREASING"},
        "inputs": {"InputTensor": {"data": [1, "2"]}}
    })
}

/// An activation with an attribute that is a number.
fn slope() -> Value {
    let tensor = json!({"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1]});
    json!({
        "operator": "ACTIVATION_LEAKY_RELU", "desc": {"InputTensor": tensor, "OutputTensor": tensor, "Alpha": 2},
        "inputs": {"InputTensor": {"data": [1]}}
    })
}

/// A file, the place of a value in it, what is put there, and what is said of that.
const WRONG: &str = r#"
sums /operator 7 => operator: expected a string, found 7
sums /operator null => operator: expected a string, found null
sums /operator [] => operator: expected a string, found an array
sums /feature_level 3.1 => feature_level: expected a string, found 3.1
sums /feature_level "x" => feature_level: expected a feature level like 3.1, found "x"
sums /desc [] => desc: expected an object, found an array
sums /desc {} => desc: `ATensor` is missing
sums /desc/ATensor "x" => desc.ATensor: expected an object, found "x"
sums /desc/ATensor {} => desc.ATensor: `DataType` is missing
sums /desc/ATensor/DataType true => desc.ATensor.DataType: expected a constant of DML_TENSOR_DATA_TYPE
sums /desc/ATensor/DataType "FLOAT31" => desc.ATensor.DataType: `FLOAT31` is no constant of DML_TENSOR_DATA_TYPE
sums /desc/ATensor/Sizes 3 => desc.ATensor.Sizes: expected an array, found 3
sums /desc/ATensor/Sizes/3 -1 => desc.ATensor.Sizes[3]: expected a whole number from 0 to 4294967295, found -1
sums /desc/ATensor/Sizes/3 1.5 => desc.ATensor.Sizes[3]: expected a whole number from 0 to 4294967295, found 1.5
sums /desc/ATensor/Sizes/3 "3" => desc.ATensor.Sizes[3]: expected a whole number from 0 to 4294967295, found "3"
sums /desc/ATensor/Sizes/3 4294967296 => desc.ATensor.Sizes[3]: expected a whole number from 0 to 4294967295
sums /desc/ATensor/Sizes/3 1e30 => desc.ATensor.Sizes[3]: expected a whole number from 0 to 4294967295, found 1e+30
sums /desc/ATensor/Strides [-1,1,1,1] => desc.ATensor.Strides[0]: expected a whole number from 0 to 4294967295, found -1
sums /desc/ATensor/TotalTensorSizeInBytes -1 => desc.ATensor.TotalTensorSizeInBytes: expected a whole number from 0 to
sums /desc/ATensor/TotalTensorSizeInBytes "99999999999999999999" => desc.ATensor.TotalTensorSizeInBytes: expected a whole
sums /desc/ATensor/Flags "OWNED" => desc.ATensor.Flags: `OWNED` is no constant of DML_TENSOR_FLAGS
sums /desc/ATensor/Size [1] => desc.ATensor: unknown field `Size`; did you mean `Sizes`?
sums /desc/FusedActivation {} => desc.FusedActivation: `Type` is missing
sums /desc/FusedActivation {"Type":7,"Desc":{}} => desc.FusedActivation.Type: expected a string, found 7
sums /desc/FusedActivation {"Type":"ACTIVATION_RELU","Desc":7} => desc.FusedActivation.Desc: expected an object, found 7
sums /inputs 7 => inputs: expected an object, found 7
sums /inputs/ATensor [1] => inputs.ATensor: expected an object, found an array
sums /inputs/ATensor {} => inputs.ATensor: neither `data` nor `base64` is there
sums /inputs/ATensor {"base64":7} => inputs.ATensor.base64: expected a string, found 7
sums /inputs/ATensor {"base64":"$"} => inputs.ATensor.base64: not base64
sums /inputs/ATensor/data {} => inputs.ATensor.data: expected an array, found an object
sums /inputs/ATensor/data/0 1e39 => inputs.ATensor.data[0]: 1e+39 lies beyond FLOAT32; an infinity is "inf" or "-inf"
sums /inputs/ATensor/data/0 "one" => inputs.ATensor.data[0]: expected a number of type FLOAT32, or its bits in hex
sums /inputs/ATensor/data/0 "0x1ffffffff" => inputs.ATensor.data[0]: expected a number of type FLOAT32
sums /inputs/ATensor/data/0 null => inputs.ATensor.data[0]: expected a number of type FLOAT32
mean /inputs/InputTensor/data/0 65520 => inputs.InputTensor.data[0]: 65520 lies beyond FLOAT16
mean /desc/Axes "3" => desc.Axes: expected an array, found "3"
mean /desc/Axes [-1] => desc.Axes[0]: expected a whole number from 0 to 4294967295, found -1
mean /desc/Function "MEAN" => desc.Function: `MEAN` is no constant of DML_REDUCE_FUNCTION
mean /desc/AxisCount "1" => desc.AxisCount: expected a whole number from 0 to 4294967295, found "1"
greatest /inputs/InputTensor/data/0 "nan" => inputs.InputTensor.data[0]: expected a number of type INT32
greatest /inputs/InputTensor/data/0 1.5 => inputs.InputTensor.data[0]: expected a number of type INT32
greatest /inputs/InputTensor/data/0 2147483648 => inputs.InputTensor.data[0]: expected a number of type INT32
greatest /inputs/InputTensor/data/0 "2147483648" => inputs.InputTensor.data[0]: expected a number of type INT32
greatest /inputs/InputTensor/data/0 true => inputs.InputTensor.data[0]: expected a number of type INT32
slope /desc/Alpha 1e39 => desc.Alpha: 1e+39 lies beyond FLOAT32
slope /desc/Alpha "x" => desc.Alpha: expected a number, or its bits like "0x7fc00000", found "x"
"#;

/// Puts a value at a place whose last key need not be there.
fn put(file: &mut Value, place: &str, value: Value) {
    let (parent, key) = place.rsplit_once('/').unwrap();
    let parent = file.pointer_mut(parent).unwrap();
    match key.parse::<usize>() {
        Ok(at) => parent[at] = value,
        Err(_) => parent[key] = value,
    }
}

#[test]
fn wrong_values_are_named_with_their_places() {
    for (change, expected) in WRONG.lines().filter_map(|line| line.split_once(" => ")) {
        let mut words = change.splitn(3, ' ');
        let mut next = || words.next().unwrap();
        let mut file = match next() {
            "sums" => sums(),
            "mean" => mean(),
            "slope" => slope(),
            _ => greatest(),
        };
        put(&mut file, next(), serde_json::from_str(next()).unwrap());
        let Ran { out, err, .. } = compute(&file, &[]).warns(2, ["error: -: ", expected]).stays_plain();
        assert!(out.is_empty() && err.lines().count() == 1, "{change}: {err}");
    }
    for file in [sums(), mean(), slope(), greatest()] {
        compute(&file, &[]).exits(0);
    }
    for word in ["inf", "-inf", "nan"] {
        let mut file = sums();
        put(&mut file, "/inputs/ATensor/data/0", json!(word));
        compute(&file, &[]).exits(0);
    }
}

#[test]
fn sizes_that_are_too_large_are_said_with_their_bytes() {
    let mut file = sums();
    for tensor in ["ATensor", "BTensor", "OutputTensor"] {
        file["desc"][tensor]["Sizes"] = json!([1, 1, 1, 4_294_967_295_u32]);
    }
    let expected =
        "desc: ATensor is larger than 1 GiB, or has more than 2^26 elements: 4294967295 elements in 17179869180 bytes";
    compute(&file, &[]).warns(2, [expected]);
    file.as_object_mut().unwrap().remove("inputs");
    compute(&file, &["--inputs", "Cargo.toml"]).warns(2, ["not a readable .npz archive"]);
}

#[test]
fn texts_that_are_no_file_say_where() {
    let deep = |open: &str| open.repeat(10_000);
    let nested = sums()
        .to_string()
        .replace("0.1", &format!("{}{}", "[".repeat(90), "]".repeat(90)));
    for (text, expected) in [
        (String::new(), "1:1: "),
        (" \n".to_owned(), "2:1: "),
        ("null".to_owned(), "expected an object, found null"),
        (deep("["), "1:128: recursion limit exceeded"),
        (deep("{\"a\":"), "recursion limit exceeded"),
        ("\u{feff}{}".to_owned(), "1:1: "),
        (
            "{\"operator\": 1, \"operator\": 2}".to_owned(),
            "duplicate key `operator`",
        ),
        (format!("{} x", sums()), "trailing characters"),
        (sums().to_string().replace("0.1", "NaN"), "expected value"),
        (sums().to_string().replace("0.1", "1e400"), "number out of range"),
        (nested, "inputs.ATensor.data[1]: expected a number of type FLOAT32"),
    ] {
        let Ran { err, .. } = run_with_input("compute -", text.as_bytes()).warns(2, ["error: -:", expected]);
        assert_eq!(err.lines().count(), 1, "{err}");
    }
    run_with_input("compute -", b"\xff\xfe\x00").warns(2, ["error: -:1:1: "]);
    run("compute conformance").warns(2, ["conformance: "]);
    run("compute --against Cargo.toml").warns(2, ["Cargo.toml: "]);
    let mut file = sums();
    file.as_object_mut().unwrap().remove("inputs");
    compute(&file, &["--inputs", "conformance"]).warns(2, ["conformance: not a readable .npz archive"]);
}

#[test]
fn archives_with_a_name_twice_are_refused() {
    let inputs = folder("compute twice").join("in.npz");
    let path = inputs.to_str().unwrap();
    let mut file = sums();
    file.as_object_mut().unwrap().remove("inputs");
    compute(&sums(), &["--npz", path]).exits(0);
    let mut bytes = fs::read(path).unwrap();
    let (from, to) = (b"OutputTensor.lo.npy", b"OutputTensor.hi.npy");
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    fs::write(path, bytes).unwrap();
    compute(&file, &["--inputs", path]).warns(2, ["in.npz: array `OutputTensor.hi` is there twice"]);
}
