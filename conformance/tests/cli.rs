//! The program as its users meet it: output, errors, exit codes.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A case of the smallest tier.
const CASE: &str =
    "TOP_K1:2.1:order:type=FLOAT32,index=UINT32,sizes=1x2x17x3,axis=2,k=5,dir=DECREASING,values=ascending";

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dml-cts"));
    command.env("NO_COLOR", "1").current_dir(root());
    command
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the program: exit code, standard output, standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    told(program().args(arguments).output().unwrap())
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run_with_input(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    told(child.wait_with_output().unwrap())
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A copy of the specification with the first two families only, so that all of its plan is quick; no lock.
fn small_spec(name: &str) -> PathBuf {
    let (folder, spec) = (folder(name), root().join("spec"));
    fs::create_dir_all(folder.join("operators")).unwrap();
    fs::copy(spec.join("directml.yaml"), folder.join("directml.yaml")).unwrap();
    let text = fs::read_to_string(spec.join("operators/top_k1.yaml")).unwrap();
    let end = text.find("\n  sizes:\n    says:").unwrap();
    fs::write(folder.join("operators/top_k1.yaml"), &text[..=end]).unwrap();
    folder
}

fn edit(folder: &Path, from: &str, to: &str) {
    let path = folder.join("operators/top_k1.yaml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn one_case_runs_by_its_id() {
    let (code, out, err) = run(&["run", CASE]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("levels 2.1; tier standard") && out.ends_with("cpu: conformant; 1 cases, 1 pass\n"),
        "{out}"
    );
}

#[test]
fn an_isolated_backend_gives_the_same_results() {
    let results = |isolate: &str| {
        let (code, out, err) = run(&[
            "run",
            "--tier",
            "smoke",
            "--format",
            "json",
            isolate,
            "TOP_K1:*:faults",
            CASE,
        ]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let mut result: Value = serde_json::from_str(&out).unwrap();
        result["seconds"] = Value::Null;
        result
    };
    assert_eq!(results("--isolate"), results("--no-isolate"));
    for seconds in ["0", "-1", "x", "inf"] {
        let (code, _, err) = run(&["run", "--isolate", &format!("--timeout={seconds}"), CASE]);
        assert_eq!(code, 2);
        assert!(err.contains("expected seconds, more than 0"), "{err}");
    }
}

#[test]
fn a_worker_speaks_the_protocol_and_nothing_else() {
    let hello = b"{\"type\":\"hello\",\"protocol\":1}\n";
    let (code, out, err) = run_with_input(&["worker", "--backend", "cpu"], hello);
    assert_eq!((code, err.as_str()), (0, ""));
    let greeting: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&greeting["type"], &greeting["name"], &greeting["protocol"]),
        (&"hello".into(), &"cpu".into(), &1.into())
    );
    let (code, out, err) = run_with_input(&["worker", "--backend", "cpu"], b"hello?\n");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("no JSON") && err.contains("`hello?`"), "{err}");
    let (code, out, _) = run(&["worker", "--backend", "gpu9"]);
    assert_eq!((code, out.as_str()), (2, ""));
}

#[test]
fn a_named_id_runs_whatever_its_tier_and_need_not_be_planned() {
    let exhaustive = CASE.replace("k=5", "k=11");
    let (code, out, err) = run(&["run", "--tier", "smoke", &exhaustive]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn the_json_form_has_the_documented_fields() {
    let (code, out, err) = run(&[
        "run", "--format", "json", "--level", "2_1", "--tier", "smoke", "*:*:ties",
    ]);
    assert_eq!(code, 0, "{err}");
    let object: Value = serde_json::from_str(&out).unwrap();
    for (key, value) in [
        ("backend", Value::from("cpu")),
        ("tier", "smoke".into()),
        ("basis", "runtime".into()),
        ("levels", vec!["2.1"].into()),
        ("cases", 16.into()),
        ("pass", 16.into()),
        ("complete", true.into()),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    for key in [
        "fail",
        "xfail",
        "xpass",
        "skip",
        "unspecified",
        "crash",
        "timeout",
        "flaky",
        "seconds",
    ] {
        assert!(object[key].is_number(), "{key}");
    }
    for key in ["spec_digest", "corpus_digest"] {
        assert!(object[key].as_str().is_some_and(|digest| digest.len() >= 32), "{key}");
    }
}

#[test]
fn several_backends_give_an_array_under_their_labels() {
    let (code, out, _) = run(&[
        "run",
        "--backend",
        "one=cpu",
        "--backend",
        "cpu",
        "--format",
        "json",
        CASE,
    ]);
    assert_eq!(code, 0);
    let array: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&array[0]["backend"], &array[1]["backend"]),
        (&"one".into(), &"cpu".into())
    );
}

#[test]
fn usage_errors_exit_with_2_and_say_what_there_is() {
    for (arguments, expected) in [
        (
            vec!["run", "--backend", "gpu"],
            "there is no backend `gpu`; there are: cpu",
        ),
        (vec!["run", "--level", "3.7"], "there is no feature level 3.7"),
        (vec!["run", "--level", "high"], "is no feature level"),
        (
            vec!["run", "--tier", "tiny"],
            "possible values: smoke, standard, exhaustive",
        ),
        (vec!["run", "--report", "run.xml"], "there is: .jsonl"),
        (vec!["run", "--shard", "3/2"], "is no shard"),
        (vec!["run", "--jobs", "0"], "--jobs"),
        (
            vec!["run", "--clause", "TOP_K1/axis-in-rang"],
            "nearest:\n  TOP_K1/axis-in-range",
        ),
        (vec!["run", "--clause", "nope"], "`dml-cts show OPERATOR`"),
        (vec!["run", "--isolate", "--no-isolate"], "cannot be used with"),
        (vec!["run", "--rerun", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (vec!["run", "--baseline", "file"], "unexpected argument"),
        (
            vec!["run", "--expectations", "no-such-file.yaml"],
            "no-such-file.yaml: ",
        ),
        (vec!["run", "--spec", "no-such-folder"], "is no specification"),
        (vec!["frobnicate"], "unrecognized subcommand"),
        (
            vec!["list", "TOP_K2"],
            "`TOP_K2:*:*` matches no case of any tier; nearest:\n  TOP_K1:*:*",
        ),
        (vec!["list", "*:*:tie"], "nearest:\n  *:*:ties"),
        (
            vec!["list", "*:*:*:colour=red"],
            "no id has the key `colour`; there are type, index",
        ),
        (
            vec!["list", "*:*:*:type=FLOT32"],
            "no id has `type=FLOT32`; nearest:\n  type=FLOAT32",
        ),
        (vec!["show", "TOP_K1/axis-in-rang"], "TOP_K1/axis-in-range"),
        (vec!["show", "FOO"], "operators: TOP_K1"),
        (vec!["show", "TOP_K1:2.1:ties"], "is no case id"),
        (vec!["validate", "no-such-file.json"], "no-such-file.json"),
        (vec!["spec", "expand", "TOP_K2"], "nearest: TOP_K1"),
    ] {
        let (code, _, err) = run(&arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

#[test]
fn nothing_judged_is_incomplete() {
    let (code, out, err) = run(&["run", "--level", "1.0"]);
    assert_eq!(code, 3, "{out}");
    assert!(err.contains("no case was judged"), "{err}");
    assert!(out.contains("no table level; tier"), "{out}");
    // The query matches in another tier, so it is no mistake.
    let (code, ..) = run(&["run", "--tier", "smoke", "TOP_K1:2.1:sizes:type=UINT64"]);
    assert_eq!(code, 2, "no table of that level has the type");
    let (code, ..) = run(&["run", "--tier", "smoke", "TOP_K1:5.0:sizes:type=UINT64"]);
    assert_eq!(code, 3);
}

#[test]
fn lists_are_ids_and_counts() {
    let (code, out, _) = run(&["list", "--tier", "smoke", "TOP_K1:2.1:order"]);
    assert_eq!(code, 0);
    assert_eq!(out.lines().count(), 8);
    assert!(out.lines().any(|line| line == CASE), "{out}");
    let (_, count, _) = run(&["list", "--tier", "smoke", "TOP_K1:2.1:order", "--count"]);
    assert_eq!(count, "8\n");
    let (_, fewer, _) = run(&[
        "list",
        "--tier",
        "smoke",
        "TOP_K1:2.1:order",
        "--exclude",
        "*:*:*:dir=INCREASING",
        "--count",
    ]);
    assert_eq!(fewer, "4\n");
}

#[test]
fn cases_come_from_files_too() {
    let input = format!("# one\n{CASE}\n\n");
    let (code, out, err) = run_with_input(&["list", "--cases", "-"], input.as_bytes());
    assert_eq!((code, out.as_str()), (0, format!("{CASE}\n").as_str()), "{err}");
    let (code, _, err) = run_with_input(&["list", "--cases", "-"], b"\n a b\n");
    assert_eq!(code, 2);
    assert!(err.contains("-: line 2: `a b` is no query"), "{err}");
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
    assert!(err.contains("nearest:\n  TOP_K1"), "{err}");
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

#[test]
fn stored_runs_are_the_same_bytes_for_any_number_of_workers() {
    let folder = folder("stored");
    let store = |name: &str, more: &[&str]| {
        let path = folder.join(name);
        let mut arguments = vec![
            "run",
            "--tier",
            "smoke",
            "TOP_K1:*:ties",
            "--report",
            path.to_str().unwrap(),
        ];
        arguments.extend(more);
        let (code, _, err) = run(&arguments);
        assert_eq!(code, 0, "{err}");
        fs::read_to_string(path).unwrap()
    };
    let (one, four) = (
        store("one.jsonl", &["--jobs", "1"]),
        store("four.jsonl", &["--jobs", "4", "--batch", "5"]),
    );
    let cases = |text: &str| {
        text.lines()
            .filter(|l| l.contains(r#""type":"case""#))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(cases(&one).len(), 48);
    assert_eq!(cases(&one), cases(&four));
    let first: Value = serde_json::from_str(one.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["type"], &first["format"], &first["tier"]),
        (&"header".into(), &1.into(), &"smoke".into())
    );
    let last: Value = serde_json::from_str(one.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["type"], &last["complete"], &last["counts"]["pass"]),
        (&"footer".into(), &true.into(), &48.into())
    );

    // Nothing failed, so that nothing is to run again; a failure, edited in, is.
    let path = folder.join("one.jsonl");
    let again = ["run", "--rerun", path.to_str().unwrap(), "--format", "json"];
    assert_eq!(run(&again).0, 3);
    fs::write(&path, one.replacen(r#""outcome":"pass""#, r#""outcome":"fail""#, 1)).unwrap();
    let (code, out, _) = run(&again);
    assert_eq!(
        (code, serde_json::from_str::<Value>(&out).unwrap()["cases"].clone()),
        (0, 1.into())
    );
    fs::write(&path, "{}\n").unwrap();
    let (code, _, err) = run(&again);
    assert_eq!(code, 2);
    assert!(err.contains("line 1: missing field `type`"), "{err}");
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
fn the_specification_has_no_mistakes_and_expands() {
    let (code, out, _) = run(&["spec", "check"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("no mistakes"), "{out}");
    let (code, out, _) = run(&["spec", "expand", "TOP_K1"]);
    assert_eq!(code, 0);
    assert!(out.contains("pub struct TopK1"), "{out}");
}

#[test]
fn every_mistake_of_a_specification_is_shown_with_its_place() {
    let spec = small_spec("broken");
    edit(
        &spec,
        "rule: Axis < InputTensor.DimensionCount",
        "rule: Axis < InputTensor.DimensionCoun",
    );
    edit(&spec, "kind: constraint", "kind: restraint");
    let dir = spec.to_str().unwrap();
    let (code, out, _) = run(&["spec", "check", "--spec", dir]);
    assert_eq!(code, 2);
    let places = out
        .lines()
        .filter(|line| line.contains("top_k1.yaml:") && line.contains(": error[spec::"));
    assert!(places.count() >= 2, "{out}");
    assert!(out.contains("DimensionCoun") && out.contains("restraint"), "{out}");
    for arguments in [["run", "--spec", dir], ["list", "--spec", dir]] {
        let (code, _, err) = run(&arguments);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("spec::"), "{err}");
    }
}

#[test]
fn mistakes_that_only_planning_shows_have_a_place_too() {
    let spec = small_spec("planned");
    edit(&spec, "data: [11, 10, 9, 8, 7, 6]", "data: [11, 10, 9, 8, 7, 5]");
    edit(
        &spec,
        "sizes: [2x3x4x5], axis: [\"0\"]",
        "sizes: [2x3x4x5], axis: [\"4\"]",
    );
    let dir = spec.to_str().unwrap();
    let (code, out, _) = run(&["spec", "check", "--spec", dir]);
    assert_eq!(code, 2);
    let heads: Vec<&str> = out.lines().filter(|line| line.contains(": error[spec::")).collect();
    assert_eq!(heads.len(), 2, "{out}");
    assert!(
        heads[1].contains("top_k1.yaml:") && heads[1].contains("[spec::broken-base]"),
        "{out}"
    );
    assert!(
        heads[0].contains("[spec::wrong-example]: the example largest-two gives"),
        "{out}"
    );
    // Nobody blames a backend for what the specification has wrong.
    let (code, _, err) = run(&["run", "--spec", dir]);
    assert_eq!(code, 2);
    assert!(err.contains("the specification has 2 mistakes"), "{err}");
}

#[test]
fn the_lock_follows_the_plan_and_a_run_notices_when_it_does_not() {
    let spec = small_spec("locked");
    let dir = spec.to_str().unwrap();
    let smoke = ["run", "--spec", dir, "--tier", "smoke", "TOP_K1:2.1"];
    let (code, _, err) = run(&smoke);
    assert_eq!(code, 3);
    assert!(err.contains("there is no corpus.lock"), "{err}");

    let (code, out, err) = run(&["spec", "lock", "--spec", dir]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains(" -> "), "{out}");
    assert_eq!(run(&["spec", "lock", "--check", "--spec", dir]).0, 0);
    let (code, out, err) = run(&smoke);
    assert_eq!(code, 0, "{out}{err}");

    // Coupled clauses are worked out as well, so that a line which is not so goes away.
    let path = spec.join("corpus.lock");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n[coupled]\nTOP_K1/x with TOP_K1/y\n")).unwrap();

    edit(
        &spec,
        "tier: smoke, base: true, type: [FLOAT32], index: [UINT32], sizes: [2x3x4x5]",
        "tier: smoke, base: true, type: [FLOAT32], index: [UINT32], sizes: [2x3x4x6]",
    );
    let (code, out, err) = run(&smoke);
    assert_eq!(code, 3);
    assert!(err.contains("the plan differs from corpus.lock"), "{err}");
    assert!(
        err.contains(&format!("if intended: dml-cts spec lock --spec '{dir}'")),
        "{err}"
    );
    assert!(out.contains("cpu: incomplete: lock mismatch; "), "{out}");
    let (_, json, _) = run(&[&smoke[..], &["--format", "json"]].concat());
    let object: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&object["conformant"], &object["complete"]),
        (&false.into(), &false.into())
    );
    let (code, out, err) = run(&["spec", "lock", "--check", "--spec", dir]);
    assert_eq!(code, 3, "{err}");
    assert!(out.contains("TOP_K1 2.1 support FLOAT32 smoke: "), "{out}");
    assert_eq!(run(&["spec", "lock", "--spec", dir]).0, 0);
    let good = fs::read(&path).unwrap();
    assert!(!String::from_utf8_lossy(&good).contains("TOP_K1/x"));
    assert_eq!(run(&smoke).0, 0);

    // A broken lock stops what compares with it, and nothing else.
    for (bytes, place) in [
        (&b"version 1\n\xff"[..], "corpus.lock:2: byte 10"),
        (b"version 2\n", "corpus.lock:1: "),
    ] {
        fs::write(&path, bytes).unwrap();
        for arguments in [&smoke[..], &["spec", "lock", "--check", "--spec", dir]] {
            let (code, _, err) = run(arguments);
            assert_eq!(code, 2, "{err}");
            assert!(err.contains(place) && err.contains("write it anew"), "{err}");
        }
        assert_eq!(run(&["list", "--count", "--tier", "smoke", "--spec", dir]).0, 0);
        let (code, _, err) = run(&["spec", "lock", "--spec", dir]);
        assert_eq!(code, 0, "{err}");
        assert!(err.contains(place), "{err}");
        assert_eq!(fs::read(&path).unwrap(), good);
    }
}

#[test]
fn a_specification_without_operators_is_a_mistake() {
    let folder = folder("no-operators");
    fs::create_dir_all(folder.join("operators")).unwrap();
    fs::copy(root().join("spec/directml.yaml"), folder.join("directml.yaml")).unwrap();
    let dir = folder.to_str().unwrap();
    for arguments in [["spec", "check", "--spec", dir].as_slice(), &["run", "--spec", dir]] {
        let (code, _, err) = run(arguments);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("describes no operator"), "{err}");
    }
}

#[test]
fn a_run_that_fails_exits_with_1_and_explains() {
    // A table that lost a type the backend still takes: the suite must call the backend wrong.
    let spec = small_spec("wrong");
    edit(
        &spec,
        "InputTensor: {dimensions: 4, types: [FLOAT32, FLOAT16,",
        "InputTensor: {dimensions: 4, types: [FLOAT32,",
    );
    let dir = spec.to_str().unwrap();
    let (code, out, err) = run(&["run", "--spec", dir, "--tier", "smoke", "TOP_K1:2.1:support"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("not conformant")
            && out.contains(&format!("dml-cts run --backend cpu --spec {}", shell_words::quote(dir))),
        "{out}"
    );
}

#[test]
fn output_that_nobody_reads_is_no_mistake() {
    let mut child = program()
        .args(["list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (code, _, err) = told(child.wait_with_output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_a_mistake() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = program().args(["list", "--count"]).stdout(full).output().unwrap();
    let (code, _, err) = told(output);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("standard output"), "{err}");
}

#[test]
fn what_names_nothing_is_never_passed_over() {
    let empty = folder("empty-rerun").join("run.jsonl");
    fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    for (arguments, told) in [
        (
            &["run", "--tier", "smoke", "--exclude", "TOP_K9"][..],
            "matches no case",
        ),
        (&["run", "--rerun", empty], "no stored run stands in it"),
        (
            &["run", "--backend", "cpu", "--backend", "cpu"],
            "two backends are named cpu",
        ),
        (&["run", "--backend", "x"], "there is no backend `x`"),
        (
            &["run", "--clause", "TENSOR/output-no-overlap"],
            "is retired: see TENSOR/output-reach",
        ),
        (&["run", "--jobs", "0"], "a whole number from 1 on"),
        (&["spec", "coverage", "NOPE"], "there are: TOP_K1"),
    ] {
        let (code, _, err) = run(arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains(told), "{arguments:?}: {err}");
    }
}

#[test]
fn the_clause_of_the_introduction_can_be_shown() {
    let (code, out, err) = run(&["show", "TOP_K1/introduced"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("from feature level 2.1 on"), "{out}");
}

/// A file that begins like a library for Linux on arm64.
const FOREIGN: &[u8] = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\xb7\0";

#[test]
#[cfg(feature = "directml")]
fn libraries_that_are_none_have_a_sentence_each() {
    let folder = folder("no-libraries");
    let (text, foreign) = (folder.join("text.so"), folder.join("foreign.so"));
    fs::write(&text, "text").unwrap();
    fs::write(&foreign, FOREIGN).unwrap();
    for (file, told) in [
        (folder.join("none.so"), "there is no DirectML library at"),
        (text, "is no library, this program needs"),
        (foreign, "is a Linux library for arm64, this program needs"),
    ] {
        let library = ["--directml-lib", file.to_str().unwrap()];
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (code, out, err) = run(&[&["backends"], &library[..]].concat());
        assert_eq!(code, 0, "{err}");
        assert!(words(&out).contains(told), "{told}: {out}");
        let (code, _, err) = run(&[&["run", "--backend", "directml", "--tier", "smoke"], &library[..]].concat());
        assert_eq!(code, 3, "{told}");
        assert!(words(&err).contains(told), "{told}: {err}");
        let (code, out, err) = run(&[&["spec", "verify", "--backend", "directml"], &library[..], &[TABLE]].concat());
        assert_eq!(code, 3, "{told}: {out}");
        assert!(words(&err).contains(told), "{told}: {err}");
    }
}

/// A part of the plan that is soon made.
const TABLE: &str = "TOP_K1:2.1:support";

#[test]
#[cfg(feature = "directml")]
fn only_what_there_is_can_be_verified() {
    let verify = |what: &str| run(&["spec", "verify", "--backend", "directml", what]);
    for (what, told) in [
        ("TOP_K1/axis-in-rang", "nearest: TOP_K1/axis-in-range"),
        ("TOP_K2", "there is no operator `TOP_K2`"),
        (
            "TENSOR/output-no-overlap",
            "TENSOR/output-no-overlap is retired: see TENSOR/output-reach",
        ),
        ("TOP_K1:2.1:support:x=y=z", "x=y=z"),
    ] {
        let (code, out, err) = verify(what);
        assert_eq!((code, out.as_str()), (2, ""), "{what}: {err}");
        assert!(err.contains(told), "{what}: {err}");
    }
}

#[test]
fn an_empty_variable_names_no_library() {
    let mut command = program();
    command.env("DML_CTS_DIRECTML_LIB", "").args(["run", CASE]);
    let (code, _, err) = told(command.output().unwrap());
    assert_eq!(code, 0, "{err}");
}

#[test]
fn a_retired_clause_is_shown_as_such_and_tested_by_nothing() {
    let (code, out, err) = run(&["show", "TENSOR/output-no-overlap"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("status    retired: see TENSOR/output-reach"), "{out}");
    assert!(!out.contains("every runtime measured agrees"), "{out}");
    assert!(out.contains("  none\n"), "{out}");
}
