//! Lists the files of the specification, so that adding an operator is adding a file.

use std::{env, fmt::Write as _, fs, io, path::Path, process::ExitCode};

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error=cannot list the specification: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes `embedded.rs`: the table of (shown path, text) in the order `directml.yaml`, then operators by file name.
fn generate() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("CARGO_MANIFEST_DIR is not set"))?;
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    let root = Path::new(&root);
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("operators"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".yaml") {
            names.push(format!("operators/{name}"));
        }
    }
    names.sort();
    names.insert(0, "directml.yaml".to_owned());
    println!("cargo::rerun-if-changed=operators");
    println!("cargo::rerun-if-changed=build.rs");
    let mut code = String::from("/// The files of the specification: path as shown to users, and text.\n");
    code.push_str("pub static FILES: &[(&str, &str)] = &[\n");
    for name in &names {
        println!("cargo::rerun-if-changed={name}");
        let shown = format!("spec/{name}");
        let _ = writeln!(code, "    ({shown:?}, {}),", include(name, "include_str"));
    }
    code.push_str("];\n\n/// The corpus lock, in bytes, so that a broken one can still be written anew; empty where there is none yet.\n");
    // Watched even if it does not exist: cargo then runs this script every time, until it does.
    println!("cargo::rerun-if-changed=corpus.lock");
    let lock = root.join("corpus.lock").is_file();
    let _ = writeln!(
        code,
        "pub static LOCK: &[u8] = {};",
        if lock {
            include("corpus.lock", "include_bytes")
        } else {
            "&[]".to_owned()
        }
    );
    for (name, list, tier) in [
        ("SMOKE", "smoke.lock", "smoke"),
        ("COMBINATIONS", "combinations.lock", "standard"),
    ] {
        println!("cargo::rerun-if-changed={list}");
        let text = match root.join(list).is_file() {
            true => include(list, "include_str"),
            false => "\"\"".to_owned(),
        };
        let _ = write!(
            code,
            "\n/// Ids of the cases that {tier} holds beside those of its sweeps, one a line.\npub static {name}: &str = {text};\n"
        );
    }
    requirements(root, &mut code)?;
    fs::write(Path::new(&out).join("embedded.rs"), code)
}

/// The folder of what feature levels require.
fn requirements(root: &Path, code: &mut String) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("requirements"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".lock") {
            names.push(name);
        }
    }
    names.sort();
    println!("cargo::rerun-if-changed=requirements");
    code.push_str("\n/// What feature levels require: names of files, and their bytes.\n");
    code.push_str("pub static REQUIREMENTS: &[(&str, &[u8])] = &[\n");
    for name in &names {
        println!("cargo::rerun-if-changed=requirements/{name}");
        let bytes = include(&format!("requirements/{name}"), "include_bytes");
        let _ = writeln!(code, "    ({name:?}, {bytes}),");
    }
    code.push_str(
        "];\n\n/// All operators of DirectML, a line each: name, value, and the feature level that introduced it.\n",
    );
    let operators = include("requirements/operators.tsv", "include_str");
    let _ = writeln!(code, "pub static OPERATORS: &str = {operators};");
    Ok(())
}

fn include(name: &str, with: &str) -> String {
    format!(
        "{with}!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))",
        format!("/{name}")
    )
}
