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
    println!("cargo::rerun-if-changed=operators.tsv");
    code.push_str(
        "\n/// All operators of DirectML, a line each: name, value, and the feature level that introduced it.\n",
    );
    let _ = writeln!(
        code,
        "pub static OPERATORS: &str = {};",
        include("operators.tsv", "include_str")
    );
    fs::write(Path::new(&out).join("embedded.rs"), code)
}

fn include(name: &str, with: &str) -> String {
    format!(
        "{with}!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))",
        format!("/{name}")
    )
}
