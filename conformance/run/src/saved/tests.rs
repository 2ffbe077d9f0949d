use super::*;
use crate::embedded::suite;
use dml_plan::planner::Planner;

/// The case of an id, as it is saved if it is said to come from there.
pub(crate) fn saved(suite: &Planner, id: &str, from: &str) -> Saved {
    let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    Saved {
        what: What::Case(Box::new(case)),
        from: From {
            id: from.to_owned(),
            ..From::default()
        },
        found: None,
    }
}

fn text(suite: &Planner, id: &str) -> String {
    write(suite, &saved(suite, id, id)).unwrap()
}

pub(crate) fn case(saved: Saved) -> Case {
    match saved.what {
        What::Case(case) => *case,
        What::Order(_) => panic!("no case"),
    }
}

#[test]
fn every_kind_of_case_keeps_every_bit() {
    let suite = suite();
    for id in [
        "TOP_K1:2.1:examples:example=largest-two",
        "TOP_K1:2.1:values:type=FLOAT16,index=UINT32,sizes=1x1x1x65,axis=3,k=2,dir=DECREASING,values=nan-payloads",
        "TOP_K1:3.1:values:type=FLOAT32,index=UINT32,sizes=1x1x2x9,axis=3,k=5,dir=DECREASING,values=zeros",
        "TOP_K1:3.1:values:type=INT64,index=UINT32,sizes=1x1x1x5,axis=3,k=2,dir=DECREASING,values=limits",
        "TOP_K1:3.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x5,axis=3,k=2,dir=DECREASING,values=denormals",
        "TOP_K1:2.1:layout:type=INT8,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded",
        "TOP_K1:2.1:layout:type=INT8,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=slack-odd",
        "TOP_K1:2.1:sizes:type=INT8,index=UINT32,sizes=1x1x1x4097,axis=3,k=5,dir=DECREASING",
        "TOP_K1:2.1:faults:type=FLOAT32,index=UINT32,sizes=2x3x4x5,axis=3,k=4,dir=DECREASING,InputTensor.Sizes=null",
    ] {
        let origin = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
        let read = case(read(suite, text(suite, id).as_bytes()).unwrap());
        assert_eq!(read.descriptor, origin.descriptor, "{id}");
        assert_eq!((&read.verdict, read.mode), (&origin.verdict, origin.mode), "{id}");
        assert_eq!(read.inputs, origin.inputs, "{id}");
    }
}

#[test]
fn data_may_be_edited_by_hand() {
    let suite = suite();
    let text = text(
        suite,
        "TOP_K1:2.1:layout:type=INT8,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded",
    );
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let input = &mut file["inputs"]["InputTensor"];
    let first = input["data"][0].as_i64().unwrap();
    input["data"][0] = (-first).into();
    let differ = read(suite, file.to_string().as_bytes()).unwrap_err().to_string();
    assert!(differ.contains("`data` and `base64` differ"), "{differ}");
    file["inputs"]["InputTensor"]["base64"].take();
    let edited = case(read(suite, file.to_string().as_bytes()).unwrap());
    assert_eq!(edited.inputs[0][0] as i8, -first as i8);
}

#[test]
fn what_is_expected_follows_the_specification() {
    let suite = suite();
    let id = "TOP_K1:2.1:examples:example=largest-two";
    let origin = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text(suite, id)).unwrap();
    assert_eq!(file["expected"]["verdict"], "valid");
    file["expected"] = serde_json::json!({"verdict": "rejected", "clauses": ["TOP_K1/axis-in-range"]});
    let text = file.to_string();
    let read = case(read(suite, text.as_bytes()).unwrap());
    assert_eq!(
        differing(suite, text.as_bytes(), &read),
        ["expected.clauses", "expected.verdict"]
    );
    assert_eq!((read.verdict, read.given), (origin.verdict, None));
}

#[test]
fn what_is_edited_of_the_expected_outputs_is_noticed() {
    let suite = suite();
    for id in [
        "TOP_K1:2.1:examples:example=largest-two",
        "TOP_K1:3.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x5,axis=3,k=2,dir=DECREASING,values=denormals",
        "TOP_K1:3.1:values:type=FLOAT16,index=UINT32,sizes=1x1x2x9,axis=3,k=5,dir=DECREASING,values=zeros",
        "TOP_K1:5.0:values:type=INT64,index=UINT64,sizes=1x1x1x5,axis=3,k=2,dir=DECREASING,values=limits",
        "TOP_K1:2.1:faults:type=FLOAT32,index=UINT32,sizes=2x3x4x5,axis=3,k=4,dir=DECREASING,InputTensor.Sizes=null",
    ] {
        let text = text(suite, id);
        let kept = case(read(suite, text.as_bytes()).unwrap());
        assert_eq!(differing(suite, text.as_bytes(), &kept), [""; 0], "{id}");
        let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
        let Some(data) = file["expected"]["outputs"]["OutputIndexTensor"].as_array_mut() else {
            continue;
        };
        data[0] = 77.into();
        let found = differing(suite, file.to_string().as_bytes(), &kept);
        assert_eq!(found, ["expected.outputs.OutputIndexTensor"], "{id}");
        // What is not there is not edited.
        file.as_object_mut().unwrap().remove("expected");
        assert_eq!(differing(suite, file.to_string().as_bytes(), &kept), [""; 0]);
    }
}

#[test]
fn bytes_have_to_fill_the_buffer() {
    let suite = suite();
    let id = "TOP_K1:2.1:layout:type=INT8,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded";
    let mut file: serde_json::Value = serde_json::from_str(&text(suite, id)).unwrap();
    file["inputs"]["InputTensor"] = serde_json::json!({"base64": "AAAA"});
    let error = read(suite, file.to_string().as_bytes()).unwrap_err().to_string();
    assert!(
        error.contains("inputs.InputTensor.base64: 3 bytes, expected"),
        "{error}"
    );
}

#[test]
fn mistakes_say_what_and_where() {
    let suite = suite();
    let text = text(suite, "TOP_K1:2.1:examples:example=largest-two");
    let long = format!("[{}]", vec!["1"; 3000].join(","));
    for (from, to, message) in [
        ("dml-cts-case", "dog", "no saved case"),
        ("\"version\": 1", "\"version\": 2", "expected 1, found 2"),
        (
            "\"operator\": \"TOP_K1\"",
            "\"operator\": \"TOPK\"",
            "operator: unknown operator `TOPK`; nearest: TOP_K",
        ),
        (
            "\"feature_level\": \"2.1\"",
            "\"feature_level\": \"1.0\"",
            "no table at 1.0",
        ),
        (
            "\"feature_level\": \"2.1\"",
            "\"feature_level\": \"9.9\"",
            "feature_level: unknown feature level 9.9; expected 1.0",
        ),
        (
            "\"operator\": \"TOP_K1\"",
            "\"operator\": \"\\u001b[2J\"",
            "operator: unknown operator `\\u{1b}[2J`",
        ),
        (
            "\"mode\": \"execute\"",
            "\"mo\\u001bde\": \"run\"",
            "unknown field `mo\\u{1b}de`",
        ),
        (
            "\"mode\": \"execute\"",
            "\"mode\": \"run\"",
            "mode: expected create or execute, found \"run\"",
        ),
        ("\"K\": 2", "\"K\": -2", "desc.K"),
        ("\"data\": [", "\"data\": [[],", "inputs.InputTensor.data: "),
        (
            "\"data\": [",
            &format!("\"data\": {long}, \"base64\": \"!\", \"date\": ["),
            "unknown field `date`",
        ),
        (
            "\"InputTensor\": {\"data\"",
            "\"Input\": {\"data\"",
            "inputs: unknown field `Input`",
        ),
        (
            "\"TotalTensorSizeInBytes\": ",
            "\"TotalTensorSizeInBytes\": 999999999",
            "larger than 1 GiB",
        ),
        ("\"desc\": {", "\"order\": [], \"desc\": {", "holds one of them"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        let error = read(suite, wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message), "{from}: {error}");
    }
}
