//! `zoo` as its users run it.

use std::fs;

use super::common::{copied, fits, json, run};

#[test]
fn the_kill_matrix_is_printed_and_told_to_programs() {
    let (code, out, err) = run(&["zoo", "ACTIVATION_RELU", "--tier", "smoke"]);
    assert_eq!(code, 0, "{out}{err}");
    fits(&out);
    assert!(out.contains("signed-as-unsigned  signedness"), "{out}");
    let (code, out, _) = run(&["zoo", "ACTIVATION_RELU", "--tier", "smoke", "--format", "json"]);
    assert_eq!(code, 0);
    let faults = json(&out)["operators"]["ACTIVATION_RELU"].as_array().unwrap().clone();
    let strides = faults
        .iter()
        .find(|fault| fault["fault"] == "output-strides-ignored")
        .unwrap();
    assert_eq!(
        (&strides["fate"], &strides["class"]),
        (&"killed".into(), &"strides-ignored".into())
    );
    let case = strides["killed_by"]["layout"].as_str().unwrap();
    assert!(
        case.starts_with("ACTIVATION_RELU:") && case.contains("layout="),
        "{case}"
    );
}

#[test]
fn a_hole_in_the_plan_is_found() {
    let dir = copied("zoo", &[]);
    fs::write(dir.join("smoke.lock"), "# none\n").unwrap();
    let spec = dir.display().to_string();
    let (code, out, _) = run(&["zoo", "ACTIVATION_RELU", "--tier", "smoke", "--spec", &spec]);
    assert_eq!(code, 1);
    assert!(
        out.contains("over-256-unwritten  survived") && out.contains("no case shows it"),
        "{out}"
    );
    // What random cases show under a condition is named with one of them.
    assert!(
        out.contains("  no case where tensors have more than four dimensions, such as ACTIVATION_RELU:"),
        "{out}"
    );
}

#[test]
fn bad_input_is_told_with_its_place() {
    let (code, out, err) = run(&["zoo", "ACTIVATION_RELI"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("there is no operator `ACTIVATION_RELI`") && err.contains("ACTIVATION_RELU"),
        "{err}"
    );
    let dir = copied("zoo-list", &[]);
    fs::write(dir.join("smoke.lock"), "# list\nnonsense\n").unwrap();
    let spec = dir.display().to_string();
    let (code, out, err) = run(&["zoo", "ACTIVATION_RELU", "--spec", &spec]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("smoke.lock:2:1: ") && err.contains("zoo --lock"), "{err}");
    let (code, _, err) = run(&["list", "--tier", "smoke", "--count", "--spec", &spec]);
    assert!(code == 2 && err.contains("smoke.lock:2:1: "), "{err}");
}
