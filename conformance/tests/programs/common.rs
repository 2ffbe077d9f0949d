//! `dml-cts` as a command, programs with faults, and what came of them.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value as Json;

use crate::faulty;

pub(crate) fn python(code: &str) -> std::io::Result<Output> {
    Command::new("python3").args(["-c", code]).output()
}

/// Whether Python can import a module.
pub(crate) fn python_with(module: &str) -> Result<(), String> {
    let output = python(&format!("import {module}")).map_err(|error| format!("python3 cannot be started: {error}"))?;
    let missing = || format!("python3 has no module {module}");
    output.status.success().then_some(()).ok_or_else(missing)
}

/// Whether there is a C compiler.
pub(crate) fn compiler() -> Result<(), String> {
    let started = Command::new("cc").arg("--version").output();
    started
        .map(drop)
        .map_err(|error| format!("cc cannot be started: {error}"))
}

/// What came of `dml-cts` with these arguments.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn dml_cts(arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_dml-cts"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A path for one test.
pub(crate) fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// This program as a backend with a fault.
pub(crate) fn with_fault(fault: &str) -> String {
    let program = env::current_exe().unwrap();
    format!("exec:'{}' {} {fault}", program.display(), faulty::WORKER)
}

/// Outcome and message of every case of a stored run.
pub(crate) fn outcomes(path: &Path) -> BTreeMap<String, (String, String)> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let case = |line: Json| {
        let id = line["id"].as_str()?.to_owned();
        let message = line["message"].as_str().unwrap_or_default().to_owned();
        Some((id, (line["outcome"].as_str()?.to_owned(), message)))
    };
    lines.filter_map(case).collect()
}

/// Planned cases, none of K = 4 or K = 5, that time out if they are of `axis=2`, and two that do.
pub(crate) const SLOW: [&str; 3] = [
    "TOP_K1:3.1:values:type=INT16",
    "TOP_K1:3.1:values:type=INT16,index=UINT32,sizes=1x2x17x3,axis=2,k=3,dir=INCREASING,values=ascending",
    "TOP_K1:3.1:values:type=INT16,index=UINT32,sizes=1x2x17x3,axis=2,k=3,dir=DECREASING,values=shuffled",
];

/// Planned cases that are answered with garbage.
pub(crate) const GARBAGE: &str = "TOP_K1:3.1:values:type=UINT8";

/// Planned cases that are innocent.
pub(crate) const INNOCENT: &str = "TOP_K1:3.1:values:type=UINT32";

/// Cases that crash, by their ids: no planned case is of K = 7.
pub(crate) fn sevens() -> Vec<String> {
    let types = [
        "FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8",
    ];
    let id = |ty: &str, direction| {
        format!("TOP_K1:3.1:values:type={ty},index=UINT32,sizes=1x1x2x16,axis=3,k=7,dir={direction},values=limits")
    };
    let both = |ty| ["INCREASING", "DECREASING"].map(|direction| id(ty, direction));
    types.map(both).concat()
}

/// An innocent one, one that is fatal to the third, and that one: it dies behind the second only.
pub(crate) const ORDERED: [&str; 3] = [
    "TOP_K1:3.1:examples:example=largest-two",
    "TOP_K1:3.1:values:type=FLOAT32,index=UINT32,sizes=1x1x3x9,axis=3,k=4,dir=INCREASING,values=runs",
    "TOP_K1:3.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x6,axis=3,k=5,dir=DECREASING,values=runs",
];
