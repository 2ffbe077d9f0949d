//! Lists the oracles, so that adding one is adding one file: `src/oracle/operators/top_k1.rs` is that of `TOP_K1`.

use std::{env, fmt::Write as _, fs, io, path::Path};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var(name).map_err(io::Error::other);
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("src/oracle/operators");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut stems = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if let (Some(stem), true) = (
            path.file_stem().and_then(|s| s.to_str()),
            path.extension().is_some_and(|e| e == "rs"),
        ) {
            stems.push(stem.to_owned());
        }
    }
    stems.sort();
    fs::write(
        Path::new(&variable("OUT_DIR")?).join("oracles.rs"),
        table(&folder, &stems),
    )
}

/// A `mod` line a file, and the table of operator name and oracle, sorted by name.
fn table(folder: &Path, stems: &[String]) -> String {
    let mut code = String::new();
    for stem in stems {
        let path = folder.join(format!("{stem}.rs"));
        let _ = writeln!(code, "#[path = {path:?}]\nmod {stem};");
    }
    code.push_str(
        "\n/// Operator names and their oracles, sorted by name.\nstatic ORACLES: &[(&str, &dyn Oracle)] = &[\n",
    );
    for stem in stems {
        let _ = writeln!(code, "    ({:?}, &{stem}::ORACLE),", stem.to_uppercase());
    }
    code.push_str("];\n");
    code
}
