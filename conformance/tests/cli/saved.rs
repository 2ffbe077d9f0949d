//! Saved cases and other forms of a case: what is printed of them, and what is wrong with them.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    common::{CASE, Ran, folder, program, run},
    needs,
};

/// A saved case in a file of its own, with something changed.
fn saved(name: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let path = folder(name).join("a case.json");
    let Ran { out, .. } = run(&["show", CASE, "--export", "json"]).exits(0);
    let mut file: Value = serde_json::from_str(&out).unwrap();
    change(&mut file);
    fs::write(&path, file.to_string()).unwrap();
    path
}

#[test]
fn a_saved_case_says_how_to_run_it_again() {
    let path = saved("again", |_| {}).display().to_string();
    let Ran { out, .. } = run(&["repro", &path, "--basis", "text"]).exits(0).err_is("");
    let command = out.lines().find_map(|line| line.strip_prefix("  dml-cts ")).unwrap();
    let words = shell_words::split(command).unwrap();
    assert_eq!(words, ["repro", &path, "--backend", "cpu", "--basis", "text"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run(&words).exits(0).out_is(&out);
}

#[test]
fn a_case_saved_in_half_precision_is_not_judged_otherwise_in_silence() {
    let found = json!({"backend": "mine", "outcome": "fail", "class": "precision", "half_precision": true});
    let path = saved("half", |file| file["found"] = found).display().to_string();
    run(&["repro", &path]).warns(
        0,
        ["the case was saved from a run with --half-precision; pass it to judge"],
    );
    let Ran { out, .. } = run(&["repro", &path, "--half-precision"])
        .exits(0)
        .omits("saved from a run");
    assert!(out.contains("--backend cpu --half-precision\n"), "{out}");
    let path = saved("whole", |file| {
        file["found"] = json!({"backend": "mine", "outcome": "fail", "class": "precision"});
    });
    run(&["repro", path.to_str().unwrap(), "--half-precision"])
        .warns(0, ["the case was saved from a run without --half-precision"]);
}

#[test]
fn what_is_edited_and_does_not_count_is_told() {
    let message = "warning: expected.verdict of the file differs from what the specification expects";
    let path = saved("edited", |file| file["expected"]["verdict"] = "rejected".into());
    run(&["repro", path.to_str().unwrap(), "-q"]).warns(0, [message]);
    let path = saved("edited data", |file| {
        file["expected"]["outputs"]["OutputIndexTensor"][0] = 3.into()
    });
    run(&["repro", path.to_str().unwrap()]).notes(["expected.outputs.OutputIndexTensor of the file differs"]);
}

#[test]
fn files_that_are_no_cases_say_so() {
    let folder = folder("no cases");
    let order = json!({"format": "dml-cts-case", "version": 1, "order": [CASE.replace("2.1", "9.9")]});
    let level = saved("level", |file| file["feature_level"] = "9.9".into());
    for (text, message) in [
        (
            "[]".to_owned(),
            "no saved case: expected an object with `\"format\": \"dml-cts-case\"`, found an array",
        ),
        ("7".to_owned(), "expected an object"),
        ("{}".to_owned(), "no saved case: expected `\"format\""),
        ("".to_owned(), ":1:1: no saved case"),
        (order.to_string(), "unknown feature level 9.9; expected 1.0, "),
        (
            fs::read_to_string(level).unwrap(),
            "feature_level: unknown feature level 9.9; expected 1.0, ",
        ),
    ] {
        let path = folder.join("file.json");
        fs::write(&path, &text).unwrap();
        run(&["repro", path.to_str().unwrap()])
            .warns(2, ["file.json:", message])
            .out_is("");
    }
}

#[test]
fn what_files_say_is_no_command_to_the_terminal() {
    const EVIL: &str = "\u{1b}[2J\u{9b}31m\r\u{7}";
    let found = json!({"backend": EVIL, "outcome": EVIL, "class": EVIL, "clauses": [EVIL], "message": EVIL});
    let shown = saved("evil", |file| {
        file["found"] = found;
        file["from"]["id"] = EVIL.into();
        file["from"]["spec_digest"] = EVIL.into();
        file["expected"][EVIL] = 1.into();
    });
    run(&["repro", shown.to_str().unwrap()])
        .stays_plain()
        .warns(0, ["\\u{1b}[2J", "saved for "]);
    for form in ["json", "dxdispatch"] {
        run(&["show", shown.to_str().unwrap(), "--export", form])
            .stays_plain()
            .exits(0);
    }
    for key in ["operator", "feature_level", "mode", EVIL] {
        let path = saved("evil key", |file| file[key] = EVIL.into());
        run(&["repro", path.to_str().unwrap()]).stays_plain().exits(2);
    }
    for key in ["Axis", "AxisDirection", "InputTensor", EVIL] {
        let path = saved("evil field", |file| file["desc"][key] = EVIL.into());
        run(&["repro", path.to_str().unwrap()]).stays_plain().exits(2);
    }
}

#[test]
fn what_expectations_say_is_no_command_to_the_terminal() {
    let path = folder("evil expectations").join("known.yaml");
    let evil = "\"\\e[2J\\x9b31m\\r\\a\\nx\"";
    for (entry, code) in [
        (
            format!("{{query: 'TOP_K1:2.1:values', because: {evil}, link: {evil}}}"),
            1,
        ),
        (format!("{{query: {evil}, because: x}}"), 2),
        (format!("{{query: 'TOP_K1:2.1:values', because: x, class: {evil}}}"), 2),
        (
            format!("{{query: 'TOP_K1:2.1:values', because: x, outcome: {evil}}}"),
            2,
        ),
        (format!("{{query: 'TOP_K1:2.1:values', because: x, {evil}: x}}"), 2),
        ("{query: 'TOP_K1:2.1:values', because: x, \u{1b}[2J: x}".to_owned(), 2),
        ("\u{1b}[2J".to_owned(), 2),
    ] {
        fs::write(&path, format!("- {entry}\n")).unwrap();
        let ran = run(&["run", "--expectations", path.to_str().unwrap(), CASE]);
        ran.stays_plain().exits(code);
    }
}

#[test]
fn forms_that_are_no_text_go_where_nobody_reads_them() {
    let path = folder("binary forms").join("npz");
    run(&["show", CASE, "--export", "npz", "-o", path.to_str().unwrap()]).exits(0);
    let output = program().args(["show", CASE, "--export", "npz"]).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty());
    assert_eq!(output.stdout, fs::read(path).unwrap());
}

/// `script` gives a program a terminal.
#[test]
#[cfg(target_os = "linux")]
fn forms_that_are_no_text_spare_the_terminal() {
    let command = format!("'{}' show '{CASE}' --export npz", env!("CARGO_BIN_EXE_dml-cts"));
    let output = std::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .output()
        .map_err(|error| format!("there is no `script` here ({error})"));
    let Some(output) = needs::found("forms_that_are_no_text_spare_the_terminal", output) else {
        return;
    };
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{out}");
    assert!(
        out.contains("name a file with --output FILE") && !out.contains("PK"),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn operators_that_nobody_knows_are_named() {
    let hello =
        r#"{"type":"hello","protocol":1,"name":"mine","operators":["RELU"],"feature_level":"6.4","can":["execute"]}"#;
    let program = format!("exec:sh -c 'read x; echo \"$1\"; cat > /dev/null' mine '{hello}'");
    let warning = "mine names operators that the specification does not know: RELU (nearest: ACTIVATION_RELU)";
    let skipped = run(&["run", "--backend", &program, "--jobs", "1", "TOP_K1:*:examples"]);
    skipped.warns(3, [warning, "no case was judged; `dml-cts list --tier standard"]);
}

#[test]
fn nothing_to_draw_is_explained() {
    for query in ["TOP_K1:*:*", "TOP_K1:*:examples"] {
        let expected =
            format!("error: `{query}`: the queries match nothing that can be drawn; the backend has the operators ");
        let level = if query.ends_with('*') { "1.0" } else { "5.0" };
        run(&["fuzz", "--cases=1", "--level", level, query]).warns(2, [&expected, ", TOP_K1\n"]);
    }
}
