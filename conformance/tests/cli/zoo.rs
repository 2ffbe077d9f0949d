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
        out.contains("  no case where tensors have more than four dimensions, such as\n"),
        "{out}"
    );
}

#[test]
fn a_combination_that_no_case_has_is_found() {
    let dir = copied("zoo-combinations", &[]);
    fs::write(dir.join("combinations.lock"), "# none\n").unwrap();
    let spec = dir.display().to_string();
    let (code, out, _) = run(&["zoo", "ACTIVATION_IDENTITY", "--spec", &spec]);
    assert_eq!(code, 1);
    fits(&out);
    assert!(
        !out.contains("survived") && !out.contains(" 0 missed of those that random cases have"),
        "{out}"
    );
    assert!(
        out.contains(": no case, such as\n  ACTIVATION_IDENTITY:") && out.contains("next: dml-cts zoo --lock"),
        "{out}"
    );
    let (code, out, _) = run(&["zoo", "ACTIVATION_IDENTITY", "--format", "json"]);
    let told = &json(&out)["combinations"]["ACTIVATION_IDENTITY"];
    assert!(code == 0 && told["planned"].as_u64() > Some(1000), "{told}");
    assert!(told["missed"].as_array().unwrap().is_empty(), "{told}");
}

#[test]
fn lists_of_operators_that_are_not_asked_for_stay() {
    let dir = copied("zoo-lock", &[]);
    let spec = dir.display().to_string();
    fs::write(dir.join("smoke.lock"), "JOIN:1.0:variants:type=FLOAT32\n").unwrap();
    let whole = "../spec/combinations.lock";
    fs::copy(whole, dir.join("combinations.lock")).unwrap();
    let (code, out, err) = run(&["zoo", "--lock", "ACTIVATION_IDENTITY", "--spec", &spec]);
    assert_eq!(code, 0, "{out}{err}");
    let smoke = fs::read_to_string(dir.join("smoke.lock")).unwrap();
    assert!(smoke.contains("\nACTIVATION_IDENTITY:") && smoke.ends_with("\nJOIN:1.0:variants:type=FLOAT32\n"));
    let combinations = fs::read_to_string(dir.join("combinations.lock")).unwrap();
    // What is computed of this one is what is there.
    assert_eq!(combinations, fs::read_to_string(whole).unwrap());
}

#[test]
fn bad_input_is_told_with_its_place() {
    let (code, out, err) = run(&["zoo", "ACTIVATION_RELI"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("unknown operator `ACTIVATION_RELI`") && err.contains("ACTIVATION_RELU"),
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
    let id = "ACTIVATION_RELU:1.0:layout:type=FLOAT32,sizes=2x3,layout=padded";
    fs::write(dir.join("smoke.lock"), format!("{id},foo=1\n")).unwrap();
    let (code, out, err) = run(&["zoo", "ACTIVATION_RELU", "--spec", &spec]);
    assert!(
        (code, out.as_str()) == (2, "") && err.contains("smoke.lock:1:1: "),
        "{err}"
    );
    fs::write(dir.join("smoke.lock"), format!("{id}\n{id}\n")).unwrap();
    let (code, _, err) = run(&["zoo", "ACTIVATION_RELU", "--spec", &spec]);
    assert!(
        code == 2 && err.contains("smoke.lock:2:1: ") && err.contains("is already in line 1"),
        "{err}"
    );
    let dir = copied("zoo-lists", &[]);
    let spec = dir.display().to_string();
    fs::write(dir.join("combinations.lock"), "JOIN:1.0:variants:type\n").unwrap();
    let (code, _, err) = run(&["spec", "check", "--spec", &spec]);
    assert!(code == 2 && err.contains("combinations.lock:1:1: "), "{err}");
    fs::write(dir.join("combinations.lock"), "NO_OP:1.0:variants:type=FLOAT32\n").unwrap();
    let (code, _, err) = run(&["spec", "check", "--spec", &spec]);
    assert!(
        code == 2 && err.contains("combinations.lock:1:1: ") && err.contains("`NO_OP`"),
        "{err}"
    );
    fs::write(dir.join("combinations.lock"), "").unwrap();
    fs::write(dir.join("mutations.yaml"), "- clause: 7\n").unwrap();
    let (code, out, err) = run(&["spec", "check", "--spec", &spec]);
    assert!(code == 2 && out.contains("mutations.yaml:1:"), "{out}{err}");
}
