//! What shows something: lists, cases, clauses, operators, descriptors.

use crate::common::{CASE, run, run_with_input};

#[test]
fn lists_are_ids_and_counts() {
    let (code, out, _) = run(&["list", "--tier", "smoke", "TOP_K1:2.1:order"]);
    assert_eq!(code, 0);
    assert!(out.lines().any(|line| line == CASE), "{out}");
    let (_, count, _) = run(&["list", "--tier", "smoke", "TOP_K1:2.1:order", "--count"]);
    assert_eq!(count, format!("{}\n", out.lines().count()));
    let kept = out.lines().filter(|line| !line.contains("dir=INCREASING")).count();
    assert!(0 < kept && kept < out.lines().count(), "{out}");
    let (_, fewer, _) = run(&[
        "list",
        "--tier",
        "smoke",
        "TOP_K1:2.1:order",
        "--exclude",
        "*:*:*:dir=INCREASING",
        "--count",
    ]);
    assert_eq!(fewer, format!("{kept}\n"));
}

#[test]
fn cases_come_from_files_too() {
    let input = format!("# one\n{CASE}\n\n");
    let (code, out, err) = run_with_input(&["list", "--cases", "-"], input.as_bytes());
    assert_eq!((code, out.as_str()), (0, format!("{CASE}\n").as_str()), "{err}");
    let (code, _, err) = run_with_input(&["list", "--cases", "-"], b"\n a b\n");
    assert_eq!(code, 2);
    assert!(err.contains("-: line 2: invalid query `a b`"), "{err}");
}

#[test]
fn a_clause_selects_the_cases_that_test_it() {
    let (code, out, _) = run(&[
        "list",
        "--tier",
        "smoke",
        "--clause",
        "TOP_K1/axis-in-range",
        "TOP_K1:2.1",
    ]);
    assert_eq!(code, 0);
    assert!(out.lines().all(|id| id.starts_with("TOP_K1:2.1:faults:")), "{out}");
    assert!(out.contains("Axis=4"), "{out}");
    let (_, cell, _) = run(&[
        "list",
        "--tier",
        "smoke",
        "--clause",
        "TOP_K1/2.1/OutputIndexTensor/UINT64",
    ]);
    assert!(
        !cell.is_empty() && cell.lines().all(|id| id.starts_with("TOP_K1:2.1:")),
        "{cell}"
    );
}

#[test]
fn a_case_is_shown_in_full() {
    let (code, out, _) = run(&["show", "TOP_K1:2.1:examples:example=largest-two"]);
    assert_eq!(code, 0);
    for part in [
        "AxisDirection",
        "DML_AXIS_DIRECTION_DECREASING",
        "0  1 10 11",
        "11 10",
        "dml-cts run 'TOP_K1:2.1:examples",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn a_clause_is_shown_in_full() {
    let (code, out, _) = run(&["show", "--tier", "smoke", "TOP_K1/k-below-axis-size"]);
    assert_eq!(code, 0);
    for part in [
        "disputed",
        "K < InputTensor.Sizes[Axis]",
        "ns-directml-dml_top_k1_operator_desc",
        "observed",
        "2.1",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn an_operator_is_shown_at_a_glance() {
    let (code, out, err) = run(&["show", "--tier", "smoke", "TOP_K1"]);
    assert_eq!(code, 0, "{err}");
    for part in [
        "type 112, since level 2.1; tables at 2.1, 3.1, 5.0",
        "output, exact",
        "1..8-D  FLOAT32",
        "k-equals-size",
        "TOP_K1/axis-in-range               constraint",
        "[disputed]",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, _, err) = run(&["show", "TOP_K2"]);
    assert_eq!(code, 2);
    assert!(err.contains("nearest:\n  TOP_K\n"), "{err}");
}

#[test]
fn silences_count_the_cases_where_they_apply() {
    let (code, out, _) = run(&["show", "TOP_K1/nan-order"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("cases where it applies") && !out.contains("negative"),
        "{out}"
    );
}

#[test]
fn lines_fit_a_terminal() {
    for arguments in [
        &["show", "--tier", "smoke", "TOP_K1"][..],
        &["show", "--tier", "smoke", "TOP_K1/k-below-axis-size"],
        &["show", "--tier", "smoke", "TENSOR/padding-preserved"],
        &["show", "TOP_K1:2.1:examples:example=largest-two"],
        &[
            "show",
            "TOP_K1:2.1:layout:type=FLOAT32,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded",
        ],
        &["run", "--tier", "smoke", "TOP_K1:*:nan", "TOP_K1:*:faults"],
        &["backends"],
    ] {
        let (code, out, err) = run(arguments);
        assert_eq!(code, 0, "{err}");
        for line in out.lines().chain(err.lines()) {
            // Ids are one word, and commands are there to be copied.
            let whole = line.starts_with("TOP_K1:") || line.trim_start().starts_with("dml-cts run '");
            assert!(whole || line.chars().count() <= 100, "{arguments:?}: {line}");
        }
    }
}

const TENSOR: &str = r#"{"DataType":"FLOAT32","Sizes":[1,1,3,4],"TotalTensorSizeInBytes":48}"#;

fn descriptor(axis: u32, k: u32) -> String {
    let index = TENSOR.replace("FLOAT32", "UINT32");
    format!(
        r#"{{"operator":"TOP_K1","desc":{{"InputTensor":{TENSOR},"OutputValueTensor":{TENSOR},
        "OutputIndexTensor":{index},"Axis":{axis},"K":{k},"AxisDirection":"DML_AXIS_DIRECTION_DECREASING"}}}}"#
    )
}

#[test]
fn descriptors_are_validated() {
    let (code, out, _) = run_with_input(&["validate", "-", "--level", "2.1"], descriptor(4, 4).as_bytes());
    assert_eq!(code, 1);
    assert!(
        out.contains("rejected") && out.contains("TOP_K1/axis-in-range"),
        "{out}"
    );
    let (code, out, _) = run_with_input(&["validate", "-"], descriptor(3, 4).as_bytes());
    assert_eq!(code, 0);
    assert!(
        out.contains("valid, with notes") && out.contains("TOP_K1/k-below-axis-size"),
        "{out}"
    );
    let (code, _, err) = run_with_input(&["validate", "-"], b"{\"operator\":\"TOP_K1\",\n \"desc\":}");
    assert_eq!(code, 2);
    assert!(err.contains("-:2:9: expected value"), "{err}");
}

#[test]
fn backends_and_completions_are_printed() {
    let (code, out, _) = run(&["backends"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("cpu") && out.contains("strict") && out.contains("TOP_K1"),
        "{out}"
    );
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let (code, out, _) = run(&["completions", shell]);
        assert_eq!(code, 0);
        assert!(out.contains("dml-cts"), "{shell}");
    }
}

#[test]
fn the_clause_of_the_introduction_can_be_shown() {
    let (code, out, err) = run(&["show", "TOP_K1/introduced"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("from feature level 2.1 on"), "{out}");
}

#[test]
fn a_retired_clause_is_shown_as_such_and_tested_by_nothing() {
    let (code, out, err) = run(&["show", "TENSOR/output-no-overlap"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("status    retired: see TENSOR/output-reach"), "{out}");
    assert!(!out.contains("every runtime measured agrees"), "{out}");
    assert!(out.contains("  none\n"), "{out}");
}
