//! Lists the kernels, so that adding one is adding a file: for every `src/operators/NAME.rs` writes its `mod` line and its
//! arm of the dispatch, for every `src/shaders/activations/NAME.wgsl` its case in WGSL.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let out = env::var("OUT_DIR")?;
    let kernels = Kernels::of(&Path::new(&root).join("src/operators"))?;
    fs::write(Path::new(&out).join("operators.rs"), dispatch(&kernels))?;
    let (names, shader) = activations(&Path::new(&root).join("src/shaders/activations"))?;
    fs::write(Path::new(&out).join("activations.rs"), names)?;
    fs::write(Path::new(&out).join("activations.wgsl"), shader)?;
    Ok(())
}

/// `mod` lines, and for each kernel its operator's name and its module.
struct Kernels {
    mods: String,
    kernels: Vec<(String, String)>,
}

/// The files of a folder with this extension, and their stems, in order.
fn files(folder: &Path, extension: &str) -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    // A folder is watched with everything in it.
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            let stem = path
                .file_stem()
                .and_then(|s| s.to_str())
                .ok_or("a kernel's file name is not UTF-8")?;
            let stem = stem.to_owned();
            files.push((path, stem));
        }
    }
    files.sort();
    Ok(files)
}

impl Kernels {
    fn of(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut found = Self {
            mods: String::new(),
            kernels: Vec::new(),
        };
        for (file, stem) in files(folder, "rs")? {
            writeln!(found.mods, "#[path = {file:?}]\nmod {stem};")?;
            found.kernels.push((stem.to_uppercase(), stem));
        }
        Ok(found)
    }

    fn names(&self) -> String {
        self.kernels
            .iter()
            .map(|(name, _)| format!("    {name:?},\n"))
            .collect()
    }

    /// Arms of a match over operators' names: `call` follows the module.
    fn arms(&self, call: &str) -> String {
        self.kernels
            .iter()
            .map(|(name, module)| format!("        {name:?} => {module}::{call},\n"))
            .collect()
    }
}

fn dispatch(kernels: &Kernels) -> String {
    let (mods, names) = (&kernels.mods, kernels.names());
    let arms = kernels.arms("plan(&descriptor_of(descriptor)?, limits)");
    format!(
        "{mods}
/// Operators with a kernel, in order of their name.
pub(crate) const OPERATORS: &[&str] = &[
{names}];

/// The program of the descriptor's operator. The result is unspecified if the descriptor is invalid.
pub(crate) fn plan(descriptor: &Descriptor, limits: &Limits) -> Result<Program, Stopped> {{
    match descriptor.operator.as_ref() {{
{arms}        _ => Err(Stopped::Skipped(\"unsupported\".to_owned())),
    }}
}}
"
    )
}

/// The names of all activations that kernels in WGSL can fuse; and their functions, with one that chooses by the place
/// of the name.
fn activations(folder: &Path) -> Result<(String, String), Box<dyn Error>> {
    let (mut names, mut functions, mut cases) = (String::new(), String::new(), String::new());
    for (number, (file, stem)) in files(folder, "wgsl")?.iter().enumerate() {
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
