//! Compiles the crate again if a kernel comes or goes, and writes for every `src/shaders/activations/NAME.wgsl` its case
//! in WGSL, so that adding one is adding a file.

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=src/operators");
    let (root, out) = (env::var("CARGO_MANIFEST_DIR")?, env::var("OUT_DIR")?);
    let (names, shader) = activations(&Path::new(&root).join("src/shaders/activations"))?;
    fs::write(Path::new(&out).join("activations.rs"), names)?;
    fs::write(Path::new(&out).join("activations.wgsl"), shader)?;
    Ok(())
}

/// The names of all activations that kernels in WGSL can fuse; and their functions, with one that chooses by the place
/// of the name.
fn activations(folder: &Path) -> Result<(String, String), Box<dyn Error>> {
    // A folder is watched with everything in it.
    println!("cargo:rerun-if-changed={}", folder.display());
    let (mut names, mut functions, mut cases) = (String::new(), String::new(), String::new());
    let files: Result<Vec<_>, _> = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect();
    let mut files = files?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "wgsl"));
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.ok_or("an activation's file name is not UTF-8")?;
        writeln!(names, "    {:?},", stem.to_uppercase())?;
        functions += &fs::read_to_string(file)?;
        writeln!(cases, "        case {number}u: {{ return {stem}(x, coefficients); }}")?;
    }
    let names = format!(
        "/// Operators that can be fused, by their number in WGSL.
const ACTIVATIONS: &[&str] = &[
{names}];
"
    );
    let shader = format!(
        "{functions}
fn activate(number: u32, x: f32, coefficients: vec2<f32>) -> f32 {{
    switch number {{
{cases}        default: {{ return x; }}
    }}
}}
"
    );
    Ok((names, shader))
}
