//! Choosing D3D12's library and device for the backend directml, on a machine that need not have either.

#![cfg(feature = "directml")]
#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::{path::Path, process::Command};

/// A run of the backend: exit code and standard error, its lines joined.
fn run(arguments: &[&str], library: Option<&str>) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dml-cts"));
    command
        .args(["run", "--backend", "directml", "--tier", "smoke"])
        .args(arguments)
        .env("NO_COLOR", "1")
        .env_remove("DML_CTS_DIRECTML_LIB")
        .env_remove("DML_CTS_D3D12_LIB")
        .envs(library.map(|library| ("DML_CTS_D3D12_LIB", library)));
    let output = command.output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    let words: Vec<_> = words.split_whitespace().collect();
    (output.status.code().unwrap(), words.join(" "))
}

#[test]
fn a_library_that_is_missing_or_none_is_told_and_incomplete() {
    let (code, message) = run(&["--d3d12-lib", "/nowhere/libd3d12.so"], None);
    assert_eq!(code, 3, "{message}");
    assert!(
        message.contains("no D3D12 library at /nowhere/libd3d12.so"),
        "{message}"
    );
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let (code, message) = run(&["--directml-device", "hardware"], text.to_str());
    assert_eq!(code, 3, "{message}");
    assert!(
        message.contains("Cargo.toml is no library, this program needs"),
        "{message}"
    );
    assert!(message.contains("--d3d12-lib"), "{message}");
}

#[test]
fn a_named_library_is_left_alone_on_the_null_device() {
    let arguments = ["--directml-device", "null", "--directml-lib", "/nowhere/libdirectml.so"];
    let (code, message) = run(&arguments, Some("/nowhere/libd3d12.so"));
    assert_eq!(code, 3, "{message}");
    assert!(
        message.contains("no DirectML library at /nowhere/libdirectml.so"),
        "{message}"
    );
}

#[test]
fn devices_that_mean_nothing_are_a_mistake() {
    for device in ["", "null,x"] {
        let (code, message) = run(&["--directml-device", device], None);
        assert_eq!((code, message.contains("expected `")), (2, true), "{message}");
    }
}
