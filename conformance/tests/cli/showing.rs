//! What shows something: lists, cases, clauses, operators, descriptors.

use crate::common::{CASE, Ran, copied, planned_case, run, run_with_input};

#[test]
fn lists_are_ids_and_counts() {
    let Ran { out, .. } = run("list --tier smoke TOP_K1:2.1:values").exits(0);
    assert!(out.lines().all(|line| line.starts_with("TOP_K1:2.1:values:")), "{out}");
    let case = planned_case();
    assert!(out.lines().any(|line| line == case), "{out}");
    run(&["list", "--tier", "smoke", &case])
        .exits(0)
        .out_is(&format!("{case}\n"));
    let Ran { out: count, .. } = run("list --tier smoke TOP_K1:2.1:values --count");
    assert_eq!(count, format!("{}\n", out.lines().count()));
    let kept = out.lines().filter(|line| !line.contains("dir=INCREASING")).count();
    assert!(0 < kept && kept < out.lines().count(), "{out}");
    let Ran { out: fewer, .. } = run("list --tier smoke TOP_K1:2.1:values --exclude *:*:*:dir=INCREASING --count");
    assert_eq!(fewer, format!("{kept}\n"));
}

#[test]
fn cases_come_from_files_too() {
    let input = format!("# one\n{CASE}\n\n");
    let ran = run_with_input("list --cases -", input.as_bytes());
    ran.exits(0).out_is(&format!("{CASE}\n"));
    run_with_input("list --cases -", b"\n a b\n").warns(2, ["-: line 2: invalid query `a b`"]);
}

#[test]
fn a_clause_selects_the_cases_that_test_it() {
    let Ran { out, .. } = run("list --tier smoke --clause TOP_K1/axis-in-range TOP_K1:2.1").exits(0);
    for id in out.lines() {
        // Cells of the tables are tested by what breaks this clause with them: fewer dimensions than the axis needs.
        if id.starts_with("TOP_K1:2.1:support:") {
            run(&["show", id]).prints(0, ["TOP_K1/axis-in-range"]);
        } else {
            assert!(id.starts_with("TOP_K1:2.1:faults:"), "{out}");
        }
    }
    assert!(out.contains("Axis=4"), "{out}");
    let Ran { out: cell, .. } = run("list --tier smoke --clause TOP_K1/2.1/OutputIndexTensor/UINT64");
    assert!(
        !cell.is_empty() && cell.lines().all(|id| id.starts_with("TOP_K1:2.1:")),
        "{cell}"
    );
}

#[test]
fn an_array_of_operators_is_a_key() {
    let Ran { out, .. } = run("list LSTM:1.0:sizes:d=BIDIRECTIONAL").exits(0);
    let id = out.lines().next().expect("a case");
    assert!(id.contains(",ad=s_t_t_t_s_t,"), "{id}");
    run(&["show", id]).prints(
        0,
        ["ActivationDescCount  6", "{ACTIVATION_SIGMOID {", "ACTIVATION_TANH"],
    );
    let wrong = id.replace("s_t_t_t_s_t", "s_t_t_t_s_u");
    run(&["show", &wrong]).warns(2, ["ad: unknown nested operator `u` of LSTM"]);
    // Faults have one more, none at all, and no array.
    let Ran { out: faults, .. } = run("list LSTM:1.0:faults").exits(0);
    for fault in [
        "ActivationDescs=s_t_t_t",
        "ActivationDescs=empty",
        "ActivationDescs=null",
    ] {
        assert!(faults.lines().any(|id| id.contains(fault)), "{fault}");
    }
}

#[test]
fn a_case_is_shown_in_full() {
    run("show TOP_K1:2.1:examples:example=largest-two").prints(
        0,
        [
            "AxisDirection",
            "DML_AXIS_DIRECTION_DECREASING",
            "0  1 10 11",
            "11 10",
            "dml-cts run 'TOP_K1:2.1:examples",
        ],
    );
}

#[test]
fn a_clause_is_shown_in_full() {
    run("show --tier smoke TOP_K1/k-below-axis-size").prints(
        0,
        [
            "disputed",
            "K < InputTensor.Sizes[Axis]",
            "ns-directml-dml_top_k1_operator_desc",
            "observed",
            "2.1",
        ],
    );
}

#[test]
fn an_operator_is_shown_at_a_glance() {
    run("show --tier smoke TOP_K1").prints(
        0,
        [
            "type 112, since level 2.1; tables at 2.1, 3.1, 5.0",
            "output, exact",
            "  OutputIndexTensor[o] =\n    ranked[o with [Axis] = 0][o[Axis]]\n",
            "1..8-D  FLOAT32",
            "families (cases of tier smoke by level)",
            "  examples                4        4        4\n",
            "TOP_K1/axis-in-range               constraint",
            "[disputed]",
        ],
    );
    run("show TOP_K2").warns(2, ["nearest:\n  TOP_K\n"]);
}

#[test]
fn silences_count_the_cases_where_they_apply() {
    run("show TOP_K1/nan-order")
        .prints(0, ["cases where it applies"])
        .omits(" negative");
    run("show FOLD/denormals").prints(0, ["none as a whole: it leaves single elements open"]);
}

#[test]
fn lines_fit_a_terminal() {
    // What all tensors obey, the cases of every operator show.
    let few = copied("show-few", &[]);
    for arguments in [
        "show --tier smoke TOP_K1",
        "show --tier smoke TOP_K1/k-below-axis-size",
        &format!("show --tier smoke TENSOR/padding-preserved --spec '{}'", few.display()),
        "show TOP_K1:2.1:examples:example=largest-two",
        "show TOP_K1:2.1:layout:type=FLOAT32,index=UINT32,sizes=2x3x4x5,axis=2,k=2,dir=DECREASING,layout=padded",
        "run --tier smoke TOP_K1:*:values TOP_K1:*:faults",
        "backends",
    ] {
        let Ran { out, err, .. } = run(arguments).exits(0);
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
    run_with_input("validate - --level 2.1", descriptor(4, 4).as_bytes())
        .prints(1, ["rejected", "TOP_K1/axis-in-range"]);
    run_with_input("validate -", descriptor(3, 4).as_bytes())
        .prints(0, ["valid, with notes", "TOP_K1/k-below-axis-size"]);
    run_with_input("validate -", b"{\"operator\":\"TOP_K1\",\n \"desc\":}").warns(2, ["-:2:9: expected value"]);
}

#[test]
fn backends_and_completions_are_printed() {
    run("backends").prints(0, ["cpu", "strict", "TOP_K1"]);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        run(&["completions", shell]).prints(0, ["dml-cts"]);
    }
}

#[test]
fn the_clause_of_the_introduction_can_be_shown() {
    run("show TOP_K1/introduced").prints(0, ["from feature level 2.1 on"]);
}

#[test]
fn a_retired_clause_is_shown_as_such_and_tested_by_nothing() {
    run("show TENSOR/output-no-overlap")
        .prints(0, ["status    retired: see TENSOR/output-reach", "  none\n"])
        .omits("every runtime measured agrees");
}
