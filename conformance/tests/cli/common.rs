//! The program as a command, and what came of it.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A case of the smallest tier.
pub(crate) const CASE: &str =
    "TOP_K1:2.1:order:type=FLOAT32,index=UINT32,sizes=1x2x17x3,axis=2,k=5,dir=DECREASING,values=ascending";

pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dml-cts"));
    command.env("NO_COLOR", "1").current_dir(root());
    command
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the program: exit code, standard output, standard error.
pub(crate) fn run(arguments: &[&str]) -> (i32, String, String) {
    told(program().args(arguments).output().unwrap())
}

pub(crate) fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
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
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A copy of the specification, with what a test needs of it edited.
pub(crate) fn copied(name: &str, edits: &[(&str, &str)]) -> PathBuf {
    let (folder, spec) = (folder(name), root().join("spec"));
    fs::create_dir_all(folder.join("operators")).expect("a folder");
    fs::copy(spec.join("directml.yaml"), folder.join("directml.yaml")).expect("a copy");
    for entry in fs::read_dir(spec.join("operators")).expect("operators") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.join("operators").join(path.file_name().expect("a name"))).expect("a copy");
    }
    edit(&folder, edits);
    folder
}

pub(crate) fn yaml(folder: &Path) -> PathBuf {
    folder.join("operators/top_k1.yaml")
}

pub(crate) fn edit(folder: &Path, edits: &[(&str, &str)]) {
    let mut text = fs::read_to_string(yaml(folder)).expect("a file");
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    fs::write(yaml(folder), text).expect("written");
}

/// Runs a subcommand on a folder.
pub(crate) fn spec(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let dir = dir.to_str().expect("a path");
    run(&[&["spec"], arguments, &["--spec", dir]].concat())
}

/// Lines fit 100 columns, but for ids of cases: they stand whole, on a line of their own, so that they can be copied.
pub(crate) fn fits(text: &str) {
    let is_id = |line: &str| line.trim().split(':').count() > 3 && !line.trim().contains(' ');
    for line in text.lines().filter(|line| !is_id(line)) {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Writes a stored run that was changed by hand, so that footers count what stands before them.
pub(crate) fn store_run(path: impl AsRef<Path>, text: &str) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut out = String::new();
    for line in text.lines() {
        let outcome = line
            .split("\"outcome\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let kind = |kind: &str| line.starts_with(&format!("{{\"type\":\"{kind}\""));
        if kind("header") {
            counts.clear();
        }
        if let Some(outcome) = outcome.filter(|_| kind("case")) {
            *counts.entry(outcome.to_owned()).or_default() += 1;
        }
        if kind("footer") {
            let (front, rest) = line.split_once("\"counts\":{").expect("counts");
            let (_, rest) = rest.split_once('}').expect("an end");
            let counts = serde_json::to_string(&counts).expect("JSON");
            out.push_str(&format!("{front}\"counts\":{counts}{rest}\n"));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    fs::write(path, out).expect("written");
}
