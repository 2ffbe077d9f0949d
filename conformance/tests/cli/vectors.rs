//! `compute --against`: worked examples, and vectors in files.

use std::{
    collections::BTreeSet,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use dml_case::{case::Mode, lock::DEFAULT_SEED, tensor::named_tensors};
use dml_plan::planner::Planner;
use dml_run::saved::{self, From, Saved, What};
use dml_spec::model::{Role, Tier};
use serde_json::{Map, Value, json};

use crate::common::{Ran, folder, run};

/// Saved cases of every worked example, with the outputs of the page.
fn examples(folder: &Path) -> BTreeSet<String> {
    let suite = Planner::new(dml_conformance::spec::catalog().clone()).unwrap();
    let mut operators = BTreeSet::new();
    for bucket in dml_plan::buckets(&suite, Tier::Smoke) {
        let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Smoke, DEFAULT_SEED, &mut |case| {
            let id = case.id.to_string();
            let (Some(given), Mode::Execute, true) = (case.given.clone(), case.mode, id.contains(":examples:")) else {
                return ControlFlow::Continue(());
            };
            let operator = suite.catalog.operator(case.id.operator()).unwrap();
            operators.insert(operator.name.to_string());
            let outputs: Map<String, Value> = named_tensors(operator, &case.descriptor, Role::Output)
                .into_iter()
                .zip(given)
                .map(|((name, tensor), elements)| {
                    let ty = suite.catalog.data_type(tensor.data_type).unwrap();
                    (name, dml_run::json::write_elements(ty, &elements))
                })
                .collect();
            let saved = Saved {
                what: What::Case(Box::new(case)),
                from: From::default(),
                found: None,
            };
            let mut file: Value = serde_json::from_str(&saved::write(&suite, &saved).unwrap()).unwrap();
            file["expected"]["outputs"] = Value::Object(outputs);
            let name: String = id.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            fs::write(folder.join(name + ".json"), file.to_string()).unwrap();
            ControlFlow::Continue(())
        });
    }
    operators
}

#[test]
fn the_worked_examples_of_all_pages_agree() {
    let folder = folder("compute examples");
    let found = examples(&folder);
    let operators = dml_conformance::spec::catalog().operators.iter();
    let with_examples = operators.filter(|operator| !operator.examples.is_empty() && operator.is_computed());
    let expected: BTreeSet<String> = with_examples.map(|operator| operator.name.to_string()).collect();
    assert!(
        found == expected && found.len() >= 10,
        "{found:?}, expected {expected:?}"
    );
    for basis in ["text", "runtime"] {
        let Ran { out, .. } = run(&["compute", "--against", folder.to_str().unwrap(), "--basis", basis]).exits(0);
        let rows = out.lines().skip(1).filter(|line| !line.starts_with("not expressible"));
        for row in rows {
            let cells: Vec<&str> = row.split_whitespace().collect();
            // The text refuses some descriptors that runtimes take.
            let is_right = cells.len() == 5 && cells[3] == "0" && (basis == "text" || cells[4] == "0");
            assert!(is_right, "{out}");
        }
    }
}

/// A folder with one file of vectors.
fn vectors(name: &str, file: &str, text: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join(file), text).unwrap();
    folder
}

fn against(folder: &Path) -> Ran {
    run(&["compute", "--against", folder.to_str().unwrap()])
}

const VECTORS: &str = "operator: TOP_K1
judge: a person
cases:
- name: largest-two
  fields: {Axis: 3, K: 2, AxisDirection: DML_AXIS_DIRECTION_DECREASING}
  inputs:
    InputTensor: {type: FLOAT32, sizes: [1, 1, 1, 3], values: [1, .inf, 2]}
  outputs:
    OutputValueTensor: {type: FLOAT32, sizes: [1, 1, 1, 2], values: [.inf, 2]}
    OutputIndexTensor: {type: UINT32, sizes: [1, 1, 1, 2], values: [1, 2]}
";

#[test]
fn vectors_agree_or_differ() {
    against(&vectors("vectors right", "a.yaml", VECTORS))
        .prints(0, ["TOP_K1          1      1       0                0"]);
    let wrong = VECTORS.replace("values: [1, 2]", "values: [1, 0]");
    against(&vectors("vectors wrong", "a.yaml", &wrong)).prints(
        1,
        ["a.yaml: largest-two\n  OutputIndexTensor[0, 0, 0, 1]: found 0, expected 2\n"],
    );
    let spared = wrong.replace("values: [1, 0]", "values: [1, 0], undefined: [1]");
    against(&vectors("vectors spared", "a.yaml", &spared)).exits(0);
    let untold = VECTORS.replace(", values: [1, 2]}", "}");
    against(&vectors("vectors untold", "a.yaml", &untold)).exits(0);
    let invalid = VECTORS.replace("Axis: 3", "Axis: 4");
    against(&vectors("vectors invalid", "a.yaml", &invalid)).prints(3, ["TOP_K1/axis-in-range"]);
    let fields = json!({"Axis": 3, "K": 1, "AxisDirection": "INCREASING"});
    let tensor = |ty: &str, sizes: [u32; 4], values: Value| json!({"type": ty, "sizes": sizes, "values": values});
    let case = json!({"name": "nan", "fields": fields,
        "inputs": {"InputTensor": tensor("FLOAT16", [1, 1, 1, 2], json!(["-inf", "0x3c00"]))},
        "outputs": {"OutputValueTensor": tensor("FLOAT16", [1, 1, 1, 1], json!(["-inf"])),
                    "OutputIndexTensor": tensor("UINT32", [1, 1, 1, 1], json!([0]))}});
    let file = json!({"operator": "TOP_K1", "cases": [case]});
    against(&vectors("vectors json", "a.json", &file.to_string())).exits(0);
}

#[test]
fn a_vector_whose_elements_are_all_open_is_not_judged() {
    let text = VECTORS.replace("[1, .inf, 2]", "[.nan, .nan, .nan]");
    let reason = "not expressible, 1 vector: clauses leave every element open that it states";
    against(&vectors("vectors open", "a.yaml", &text)).prints(3, [reason]);
}

#[test]
fn saved_cases_without_expected_outputs_are_not_judged() {
    let Ran { out, .. } = run("show TOP_K1:2.1:examples:example=tied-values --export json").exits(0);
    let case = |name: &str, expected: Value| {
        let mut file: Value = serde_json::from_str(&out).unwrap();
        file["expected"] = expected;
        against(&vectors(name, "a.json", &file.to_string()))
    };
    case("vectors saved", json!({"verdict": "valid"})).prints(3, ["no outputs are expected of the case"]);
    case("vectors saved number", json!(3)).warns(2, ["a.json: expected: expected an object, found 3"]);
    case("vectors saved field", json!({"output": {}}))
        .warns(2, ["a.json: expected: unknown field `output`; did you mean"]);
    case("vectors saved none", json!({"outputs": {}})).warns(2, ["a.json: expected.outputs: no output states a value"]);
    case("vectors saved list", json!({"outputs": [1]})).warns(2, ["a.json: expected.outputs: expected an object"]);
}

#[test]
fn vectors_say_that_they_are_not_expressible() {
    let text = format!("{VECTORS}- name: smallest-float8\n  not_expressible: DirectML has no float8\n");
    let folder = vectors("vectors not expressible", "a.yaml", &text);
    let row = "TOP_K1          2      1       0                1";
    against(&folder).prints(0, [row, "not expressible, 1 vector: DirectML has no float8"]);
    let both = format!("{text}  fields: {{}}\n");
    let folder = vectors("vectors both", "a.yaml", &both);
    against(&folder).warns(
        2,
        ["a.yaml: cases[1]: unknown field `fields`; known are name, not_expressible"],
    );
    let untold = VECTORS.replace(", values: [1, .inf, 2]", "");
    let folder = vectors("vectors without input", "a.yaml", &untold);
    against(&folder).warns(2, ["a.yaml: cases[0]: an input without values"]);
}

#[test]
fn nested_operators_of_vectors_have_no_tensors() {
    let text = "operator: ELEMENT_WISE_ADD1
cases:
- name: linear
  fields: {FusedActivation: {operator: ACTIVATION_LINEAR, Alpha: 2, Beta: 1}}
  inputs:
    ATensor: {type: FLOAT32, sizes: [1, 1, 1, 1], values: [3]}
    BTensor: {type: FLOAT32, sizes: [1, 1, 1, 1], values: [-4]}
  outputs:
    OutputTensor: {type: FLOAT32, sizes: [1, 1, 1, 1], values: [-1]}
";
    against(&vectors("vectors nested", "a.yaml", text)).exits(0);
    let unknown = text.replace("ACTIVATION_LINEAR", "ACTIVATION_NOVEL");
    against(&vectors("vectors novel", "a.yaml", &unknown)).warns(
        2,
        ["a.yaml: cases[0].fields.FusedActivation.operator: unknown operator `ACTIVATION_NOVEL`"],
    );
}

#[test]
fn vectors_that_make_no_sense_say_so() {
    for (from, to, expected) in [
        (
            "[1, .inf, 2]",
            "[1, .inf]",
            "cases[0].inputs.InputTensor.values: 2 elements, expected 3",
        ),
        (
            "[1, .inf, 2]",
            "[1, .inf, x]",
            "InputTensor.values[2]: expected a number of type FLOAT32",
        ),
        (
            "sizes: [1, 1, 1, 3]",
            "sizes: [70000, 70000, 1, 3]",
            "larger than 1 GiB",
        ),
        ("type: UINT32", "type: UINT33", "`UINT33` is no constant of"),
        (
            "TOP_K1",
            "TOP_K2",
            "operator: unknown operator `TOP_K2`; nearest: TOP_K, TOP_K1",
        ),
        (
            "operator: TOP_K1",
            "operator: 7",
            "operator: expected a string, found 7",
        ),
        (
            "Axis: 3",
            "Axes: 3",
            "cases[0].fields: unknown field `Axes`; did you mean `Axis`?",
        ),
        (
            "outputs:",
            "outputs: {}\n  output:",
            "cases[0]: unknown field `output`; did you mean `outputs`?",
        ),
        (
            "    OutputValueTensor: {type: FLOAT32, sizes: [1, 1, 1, 2], values: [.inf, 2]}
    OutputIndexTensor: {type: UINT32, sizes: [1, 1, 1, 2], values: [1, 2]}",
            "    OutputValueTensor: {type: FLOAT32, sizes: [1, 1, 1, 2]}
    OutputIndexTensor: {type: UINT32, sizes: [1, 1, 1, 2], values: [1, 2], undefined: [1, 0, 1]}",
            "cases[0].outputs: no output states a value: there is nothing to compare",
        ),
        (
            "values: [1, 2]",
            "values: [1, -2]",
            "OutputIndexTensor.values[1]: expected a number of type UINT32",
        ),
        (
            "values: [1, 2]",
            "values: [1, 1.5]",
            "OutputIndexTensor.values[1]: expected a number of type UINT32",
        ),
        (
            "[.inf, 2]",
            "[1e39, 2]",
            "OutputValueTensor.values[0]: 1e+39 lies beyond FLOAT32",
        ),
        (
            "sizes: [1, 1, 1, 3]",
            "sizes: [1, 1, 4294967295, 4294967295]",
            "cases[0].inputs.InputTensor: its sizes are so large that a packed stride exceeds 32 bits",
        ),
        (
            "sizes: [1, 1, 1, 3]",
            "sizes: [1, 1, 0, 3]",
            "cases[0].inputs.InputTensor: its size in dimension 2 is 0",
        ),
        ("Axis: 3, ", "", "`Axis` is missing"),
        ("InputTensor:", "InTensor:", "unknown field `InTensor`"),
        ("cases:\n", "cases: []\nrest:\n", "unknown field `rest`"),
        ("judge: a person", "operator: again", "duplicate"),
        ("judge: a person", "judge: [", "a.yaml:"),
    ] {
        let text = VECTORS.replace(from, to);
        assert_ne!(text, VECTORS);
        against(&vectors("vectors senseless", "a.yaml", &text))
            .warns(2, ["a.yaml:", expected])
            .out_is("");
    }
    against(&vectors("vectors not json", "a.json", "{")).warns(2, ["a.json:1:"]);
    against(&vectors("vectors none", "a.txt", "")).warns(2, ["no vectors in this folder"]);
    run("compute --against no-such-folder").warns(2, ["no-such-folder: "]);
    run("compute a.json --against folder").warns(2, ["cannot be used with"]);
}
