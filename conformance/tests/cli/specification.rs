//! `spec`, and runs from specifications with mistakes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::common::{Ran, folder, root, run};

/// A copy of the specification with one operator, so that all of its plan is quick; no lock.
fn small_spec(name: &str) -> PathBuf {
    let (folder, spec) = (folder(name), root().join("spec"));
    fs::create_dir_all(folder.join("operators")).unwrap();
    fs::copy(spec.join("directml.yaml"), folder.join("directml.yaml")).unwrap();
    fs::copy(spec.join("operators/top_k1.yaml"), folder.join("operators/top_k1.yaml")).unwrap();
    folder
}

fn edit(folder: &Path, from: &str, to: &str) {
    let path = folder.join("operators/top_k1.yaml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn coverage_counts_what_is_combined_and_says_why_not_the_rest() {
    let bits = run("spec coverage ELEMENT_WISE_BIT_COUNT");
    bits.prints(
        0,
        [
            " held; no row found of ",
            " without meaning",
            " % of ",
            "every clause and cell of ",
        ],
    );
    let steps = run("spec coverage CUMULATIVE_SUMMATION").exits(0).out;
    assert!(
        steps.contains("  without a row because of\n") == steps.contains(" against clauses"),
        "{steps}"
    );
}

#[test]
fn the_specification_has_no_mistakes_and_expands() {
    run("spec check").prints(0, ["no mistakes"]);
    run("spec expand TOP_K1").prints(0, ["pub struct TopK1"]);
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
    let Ran { out, .. } = run(&["spec", "check", "--spec", dir]).exits(2);
    let places = out
        .lines()
        .filter(|line| line.contains("top_k1.yaml:") && line.contains(": error[spec::"));
    assert!(places.count() >= 2, "{out}");
    assert!(out.contains("DimensionCoun") && out.contains("restraint"), "{out}");
    for arguments in [["run", "--spec", dir], ["list", "--spec", dir]] {
        run(&arguments).warns(2, ["spec::"]);
    }
}

#[test]
fn a_lock_that_is_missing_or_damaged_is_told() {
    let spec = small_spec("no lock");
    let (dir, lock) = (spec.to_str().unwrap(), spec.join("corpus.lock"));
    let check = || run(&["spec", "check", "--spec", dir]);
    check().warns(0, ["there is no corpus.lock", "dml-cts spec lock --spec"]);
    fs::write(&lock, "TOP_K1 nonsense\n").unwrap();
    check().warns(2, ["corpus.lock:1"]);
    fs::remove_file(&lock).unwrap();
    run(&["spec", "lock", "--spec", dir]).exits(0);
    let Ran { err, .. } = check().exits(0);
    assert!(!err.contains("corpus.lock"), "{err}");
}

#[test]
fn meanings_without_a_value_for_a_legal_descriptor_have_a_place() {
    let spec = small_spec("no value");
    // Right where the axis has more than two elements.
    edit(
        &spec,
        "InputTensor[o with [Axis] = ranked[o with [Axis] = 0][o[Axis]]]",
        "InputTensor[o with [Axis] = let first = max(1, 2 - o[Axis]) in ranked[o with [Axis] = 0][o[Axis]] + first - first]",
    );
    run(&["spec", "check", "--spec", spec.to_str().unwrap()]).exits(0);
    edit(
        &spec,
        "+ first - first]",
        "- (if InputTensor.Sizes[Axis] == 2 then 1 else 0)]",
    );
    let Ran { out, .. } = run(&["spec", "check", "--spec", spec.to_str().unwrap()]).exits(2);
    for part in [
        "top_k1.yaml:27:",
        "[spec::no-value]: the meaning has no value: index [",
        "with inputs of zeros, for this legal descriptor: {\"desc\"",
    ] {
        assert!(out.contains(part), "{out}");
    }
}

#[test]
fn mistakes_that_only_planning_shows_have_a_place_too() {
    let spec = small_spec("planned");
    edit(&spec, "data: [11, 10, 9, 8, 7, 6]", "data: [11, 10, 9, 8, 7, 5]");
    edit(&spec, "k: [\"1\", \"2\",", "k: [\"1\", \"Nothing\",");
    let dir = spec.to_str().unwrap();
    let Ran { out, .. } = run(&["spec", "check", "--spec", dir]).exits(2);
    let heads: Vec<&str> = out.lines().filter(|line| line.contains(": error[spec::")).collect();
    assert_eq!(heads.len(), 2, "{out}");
    assert!(
        heads[1].contains("top_k1.yaml:") && heads[1].contains("[spec::bad-parameter]"),
        "{out}"
    );
    assert!(
        heads[0].contains("[spec::wrong-example]: the example largest-two gives"),
        "{out}"
    );
    // Nobody blames a backend for what the specification has wrong.
    run(&["run", "--spec", dir]).warns(2, ["the specification has 2 mistakes"]);
}

#[test]
fn the_lock_follows_the_plan_and_a_run_notices_when_it_does_not() {
    let spec = small_spec("locked");
    let dir = spec.to_str().unwrap();
    let smoke = ["run", "--spec", dir, "--tier", "smoke", "TOP_K1:2.1"];
    run(&smoke).warns(3, ["missing corpus.lock; write it with `dml-cts spec lock --spec '"]);

    run(&["spec", "lock", "--spec", dir]).prints(0, [" -> "]);
    run(&["spec", "lock", "--check", "--spec", dir]).exits(0);
    run(&smoke).exits(0);
    // Of what tests a clause alone nothing is missing, whatever else there is.
    run(&[
        "run",
        "--spec",
        dir,
        "--tier",
        "smoke",
        "--clause",
        "TOP_K1/ties-ascend",
    ])
    .prints(0, ["cpu: conformant; "]);

    // Coupled clauses are worked out as well, so that a line which is not so goes away.
    let path = spec.join("corpus.lock");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n[coupled]\nTOP_K1/x with TOP_K1/y\n")).unwrap();

    edit(&spec, "k: [\"1\", \"2\",", "k: [\"1\", \"3\",");
    run(&smoke).prints(3, ["cpu: incomplete: lock mismatch; "]).warns(
        3,
        [
            "the plan differs from corpus.lock",
            &format!("if intended: dml-cts spec lock --spec '{dir}'"),
        ],
    );
    let Ran { out: json, .. } = run(&[&smoke[..], &["--format", "json"]].concat());
    let object: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&object["conformant"], &object["complete"]),
        (&false.into(), &false.into())
    );
    run(&["spec", "lock", "--check", "--spec", dir]).prints(3, ["TOP_K1 2.1 smoke: "]);
    run(&["spec", "lock", "--spec", dir]).exits(0);
    let good = fs::read(&path).unwrap();
    assert!(!String::from_utf8_lossy(&good).contains("TOP_K1/x"));
    run(&smoke).exits(0);

    // A broken lock stops what compares with it, and nothing else.
    for (bytes, place) in [
        (&b"version 2\n\xff"[..], "corpus.lock:2: byte 10"),
        (b"version 1\n", "corpus.lock:1: "),
    ] {
        fs::write(&path, bytes).unwrap();
        for arguments in [&smoke[..], &["spec", "lock", "--check", "--spec", dir]] {
            run(arguments).warns(2, [place, "rewrite it with `dml-cts spec lock`"]);
        }
        run(&["list", "--count", "--tier", "smoke", "--spec", dir]).exits(0);
        run(&["spec", "lock", "--spec", dir]).warns(0, [place]);
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
        run(arguments).warns(2, ["has no operator: missing operators/*.yaml"]);
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
    run(&["run", "--spec", dir, "--tier", "smoke", "TOP_K1:2.1:support"]).prints(
        1,
        [
            "not conformant",
            &format!("dml-cts run --backend cpu --spec {}", shell_words::quote(dir)),
        ],
    );
}
