//! `zoo` as its users run it.

use std::fs;

use super::common::{Ran, copied, json, run};

#[test]
fn the_kill_matrix_is_printed_and_told_to_programs() {
    run("zoo ACTIVATION_RELU --tier smoke")
        .exits(0)
        .shows(["signed-as-unsigned  signedness"])
        .fits();
    let Ran { out, .. } = run("zoo ACTIVATION_RELU --tier smoke --format json").exits(0);
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
    let Ran { out, .. } = run(&["zoo", "ACTIVATION_RELU", "--tier", "smoke", "--spec", &spec])
        .prints(1, ["over-256-unwritten  survived", "no case shows it"]);
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
    run(&["zoo", "ACTIVATION_IDENTITY", "--spec", &spec])
        .exits(1)
        .shows([": no case, such as\n  ACTIVATION_IDENTITY:", "next: dml-cts zoo --lock"])
        .fits()
        .omits("survived")
        .omits(" 0 missed of those that random cases have");
    let Ran { code, out, .. } = run("zoo ACTIVATION_IDENTITY --format json");
    let report = &json(&out)["combinations"]["ACTIVATION_IDENTITY"];
    assert!(code == 0 && report["planned"].as_u64() > Some(1000), "{report}");
    assert!(report["missed"].as_array().unwrap().is_empty(), "{report}");
}

#[test]
fn lists_of_operators_that_are_not_asked_for_stay() {
    let dir = copied("zoo-lock", &[]);
    let spec = dir.display().to_string();
    fs::write(dir.join("smoke.lock"), "JOIN:1.0:variants:type=FLOAT32\n").unwrap();
    let whole = "../spec/combinations.lock";
    fs::copy(whole, dir.join("combinations.lock")).unwrap();
    run(&["zoo", "--lock", "ACTIVATION_IDENTITY", "--spec", &spec]).exits(0);
    let smoke = fs::read_to_string(dir.join("smoke.lock")).unwrap();
    assert!(smoke.contains("\nACTIVATION_IDENTITY:") && smoke.ends_with("\nJOIN:1.0:variants:type=FLOAT32\n"));
    let combinations = fs::read_to_string(dir.join("combinations.lock")).unwrap();
    // What is computed of this one is what is there.
    assert_eq!(combinations, fs::read_to_string(whole).unwrap());
}

#[test]
fn bad_input_is_told_with_its_place() {
    run("zoo ACTIVATION_RELI")
        .warns(2, ["unknown operator `ACTIVATION_RELI`", "ACTIVATION_RELU"])
        .out_is("");
    let dir = copied("zoo-list", &[]);
    fs::write(dir.join("smoke.lock"), "# list\nnonsense\n").unwrap();
    let spec = dir.display().to_string();
    run(&["zoo", "ACTIVATION_RELU", "--spec", &spec])
        .warns(2, ["smoke.lock:2:1: ", "zoo --lock"])
        .out_is("");
    run(&["list", "--tier", "smoke", "--count", "--spec", &spec]).warns(2, ["smoke.lock:2:1: "]);
    let id = "ACTIVATION_RELU:1.0:layout:type=FLOAT32,sizes=2x3,layout=padded";
    fs::write(dir.join("smoke.lock"), format!("{id},foo=1\n")).unwrap();
    run(&["zoo", "ACTIVATION_RELU", "--spec", &spec])
        .warns(2, ["smoke.lock:1:1: "])
        .out_is("");
    fs::write(dir.join("smoke.lock"), format!("{id}\n{id}\n")).unwrap();
    run(&["zoo", "ACTIVATION_RELU", "--spec", &spec]).warns(2, ["smoke.lock:2:1: ", "is already in line 1"]);
    let dir = copied("zoo-lists", &[]);
    let spec = dir.display().to_string();
    fs::write(dir.join("combinations.lock"), "JOIN:1.0:variants:type\n").unwrap();
    run(&["spec", "check", "--spec", &spec]).warns(2, ["combinations.lock:1:1: "]);
    fs::write(dir.join("combinations.lock"), "NO_OP:1.0:variants:type=FLOAT32\n").unwrap();
    run(&["spec", "check", "--spec", &spec]).warns(2, ["combinations.lock:1:1: ", "`NO_OP`"]);
    fs::write(dir.join("combinations.lock"), "").unwrap();
    fs::write(dir.join("mutations.yaml"), "- clause: 7\n").unwrap();
    run(&["spec", "check", "--spec", &spec]).prints(2, ["mutations.yaml:1:"]);
}
