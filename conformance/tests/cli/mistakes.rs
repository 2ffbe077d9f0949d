//! Mistakes in arguments: exit code 2, and what there is instead.

use std::{fs, path::Path};

use crate::common::{Ran, folder, planned_case, run};

#[test]
fn an_id_in_another_form_is_told_its_own() {
    let case = planned_case();
    let meant = format!("did you mean `{case}`");
    let (start, last) = case.rsplit_once(',').unwrap();
    let (parts, first) = start.split_at(start.rfind(':').unwrap() + 1);
    let permuted = format!("{parts}{last},{first}");
    let written = [",layout=packed", ",alias=none", ",seed=0"].map(|default| format!("{case}{default}"));
    let spelled = case.replace("dir=DECREASING", "dir=1");
    for id in [&[permuted.clone(), spelled.clone()][..], &written].concat() {
        run(&["show", &id]).warns(2, [&meant]);
        if id != permuted {
            run(&["run", &id]).warns(2, [&meant]);
        }
        let file = folder("another-form").join("order.json");
        let order = serde_json::json!({"format": "dml-cts-case", "version": 1, "order": [id]});
        fs::write(&file, order.to_string()).unwrap();
        run(&["repro", file.to_str().unwrap()]).warns(2, [&meant]);
    }
    // Queries have their keys in any order: this one finds the case by its own id.
    run(&["list", &permuted]).exits(0).out_is(&format!("{case}\n"));
}

#[test]
fn usage_errors_exit_with_2_and_say_what_there_is() {
    for (arguments, expected) in [
        ("run --backend gpu", "unknown backend `gpu`; expected cpu"),
        ("run --level 3.7", "unknown feature level 3.7"),
        ("run --level high", "invalid feature level `high`"),
        ("run --tier tiny", "possible values: smoke, standard, exhaustive"),
        ("run --report run.pdf", "expected .jsonl"),
        ("run --shard 3/2", "invalid shard `3/2`"),
        ("run --jobs 0", "a whole number from 1 on"),
        ("run --clause TOP_K1/axis-in-rang", "nearest:\n  TOP_K1/axis-in-range"),
        ("run --clause nope", "`dml-cts show OPERATOR`"),
        ("run --isolate --no-isolate", "cannot be used with"),
        ("run --adapter ''", "it is empty"),
        ("worker --backend wgpu --adapter ' '", "it is empty"),
        ("run --rerun no-such-file.jsonl", "no-such-file.jsonl"),
        ("run --baselin file", "unexpected argument"),
        ("run --expectations no-such-file.yaml", "no-such-file.yaml: "),
        ("run --spec no-such-folder", "is not a specification"),
        ("run --tier smoke --exclude TOP_K9", "matches no case"),
        ("run --backend cpu --backend cpu", "two backends are labelled cpu"),
        (
            "run --clause TENSOR/output-no-overlap",
            "is retired: see TENSOR/output-reach",
        ),
        ("spec coverage NOPE", "unknown operator `NOPE`; nearest: "),
        ("frobnicate", "unrecognized subcommand"),
        (
            "show TOP_K1:2.1:examples:example=largest-two --export json c",
            "unexpected argument 'c' found",
        ),
        (
            "list TOP_K2",
            "`TOP_K2:*:*` matches no case of any tier; nearest:\n  TOP_K1:*:*",
        ),
        ("list *:*:valus", "nearest:\n  *:*:values"),
        ("list *:*:*:colour=red", "unknown key `colour`; expected type, sizes"),
        (
            "list *:*:*:type=FLOT32",
            "no id has `type=FLOT32`; nearest:\n  type=FLOAT32",
        ),
        ("show TOP_K1/axis-in-rang", "TOP_K1/axis-in-range"),
        ("show BAR", "operators: "),
        ("show TOP_K1:2.1:values", "invalid case id"),
        ("validate no-such-file.json", "no-such-file.json"),
        ("spec expand TOP_K2", "nearest: TOP_K, TOP_K1"),
    ] {
        run(arguments).warns(2, [expected]);
    }
}

#[test]
fn a_file_without_a_run_is_refused_by_all_that_read_runs() {
    let folder = folder("no-run");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (good, empty, out, page) = (
        path("good.jsonl"),
        path("empty.jsonl"),
        path("out.jsonl"),
        path("page.html"),
    );
    run(&["run", "--report", &good, "TOP_K1:2.1:examples:*"]).exits(0);
    for blank in ["", "\n \n"] {
        fs::write(&empty, blank).unwrap();
        for arguments in [
            &["run", "--rerun", &empty][..],
            &["run", "--baseline", &empty, "TOP_K1:2.1:examples:*"],
            &["run", "--shard", "1/2", "--shard-times", &empty],
            &["gate", "--level", "2.1", "--from", &empty],
            &["report", "diff", &good, &empty],
            &["report", "diff", &empty, &good],
            &["report", "history", &good, &empty],
            &["report", "merge", "--out", &out, &good, &empty],
            &["report", "render", "--out", &page, &good, &empty],
            &["report", "conforms", &good, &empty],
            &["expect", "update", "--from", &good, &empty, "--out", &out],
        ] {
            run(arguments).warns(2, ["no stored run in this file"]);
            assert!(
                ![&out, &page].iter().any(|path| Path::new(path).exists()),
                "{arguments:?}"
            );
        }
    }
}

#[test]
fn what_was_removed_names_what_to_use_instead() {
    for (arguments, expected) in [
        ("spec log TOP_K1/k-nonzero", "use `git log -p spec/`"),
        ("spec grep 1..8", "use `spec find`"),
        ("spec export --format c-header", "use `spec export --format json`"),
        (
            "show TOP_K1:2.1:examples:example=largest-two --export=c",
            "use `show ID --export json`",
        ),
        (
            "show TOP_K1:2.1:examples:example=largest-two --export onnx",
            "use `show ID --export npz`",
        ),
        ("spec verify --record x", "add the counts that `spec verify` prints"),
    ] {
        run(arguments).warns(2, ["was removed", expected]).out_is("");
    }
}

/// Every command that needs a backend, or an option of one, says how to build with it.
#[cfg(not(feature = "wgpu"))]
#[test]
fn a_backend_that_is_not_compiled_in_names_its_feature() {
    let expected = "backend wgpu is not compiled in; build with `cargo run --release --features wgpu -- …`";
    for arguments in [
        "run --backend wgpu",
        "run --backend cpu --adapter software",
        "gate --level 3.1 --backend wgpu",
        "fuzz --backend gpu=wgpu",
        "worker --backend wgpu",
    ] {
        run(arguments).warns(2, [expected]).out_is("");
    }
    let Ran { out, .. } = run("backends").exits(0);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("not available: {expected}")), "{out}");
}

/// The same for the backend that asks libraries.
#[cfg(not(feature = "directml"))]
#[test]
fn a_library_backend_that_is_not_compiled_in_names_its_feature() {
    let expected = "backend directml is not compiled in; build with `cargo run --release --features directml -- …`";
    for arguments in [
        "run --backend directml",
        "run --directml-lib /nowhere/libdirectml.so",
        "run --directml-device null",
        "spec verify --backend directml",
    ] {
        run(arguments).warns(2, [expected]).out_is("");
    }
}

/// A file that begins like a library for Linux on arm64.
#[cfg(feature = "directml")]
const FOREIGN: &[u8] = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\xb7\0";

#[test]
#[cfg(feature = "directml")]
fn libraries_that_are_none_have_a_sentence_each() {
    let folder = folder("no-libraries");
    let (text, foreign) = (folder.join("text.so"), folder.join("foreign.so"));
    fs::write(&text, "text").unwrap();
    fs::write(&foreign, FOREIGN).unwrap();
    for (file, expected) in [
        (folder.join("none.so"), "no DirectML library at"),
        (text, "is no library, this program needs"),
        (foreign, "is a Linux library for arm64, this program needs"),
    ] {
        let library = ["--directml-lib", file.to_str().unwrap()];
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Ran { out, .. } = run(&[&["backends"], &library[..]].concat()).exits(0);
        assert!(words(&out).contains(expected), "{expected}: {out}");
        let Ran { err, .. } =
            run(&[&["run", "--backend", "directml", "--tier", "smoke"], &library[..]].concat()).exits(3);
        assert!(words(&err).contains(expected), "{expected}: {err}");
        let Ran { err, .. } =
            run(&[&["spec", "verify", "--backend", "directml"], &library[..], &[TABLE]].concat()).exits(3);
        assert!(words(&err).contains(expected), "{expected}: {err}");
    }
}

/// A part of the plan that is soon made.
#[cfg(feature = "directml")]
const TABLE: &str = "TOP_K1:2.1:support";

#[test]
#[cfg(feature = "directml")]
fn only_what_there_is_can_be_verified() {
    let verify = |what: &str| run(&["spec", "verify", "--backend", "directml", what]);
    for (what, expected) in [
        ("TOP_K1/axis-in-rang", "nearest: TOP_K1/axis-in-range"),
        ("TOP_K2", "unknown operator `TOP_K2`"),
        (
            "TENSOR/output-no-overlap",
            "TENSOR/output-no-overlap is retired: see TENSOR/output-reach",
        ),
        ("TOP_K1:2.1:support:x=y=z", "x=y=z"),
    ] {
        verify(what).warns(2, [expected]).out_is("");
    }
}
