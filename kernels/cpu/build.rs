//! Lists the kernels, so that adding one is adding a file: for every `src/operators/NAME.rs` writes its `mod` line and its
//! arm of the dispatch.

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
    let arms = kernels.arms("execute(&Operator::from_descriptor(descriptor)?, inputs, outputs)");
    format!(
        "{mods}
/// Operators with a kernel, in order of their name.
pub const OPERATORS: &[&str] = &[
{names}];

/// Runs the kernel of the descriptor's operator: reads one buffer for each input tensor, writes one for each output
/// tensor, both in struct order. The result is unspecified if the descriptor is invalid.
///
/// # Errors
/// If there is no kernel, or descriptor and buffers do not fit together.
pub fn execute(descriptor: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {{
    match descriptor.operator.as_ref() {{
{arms}        other => Err(KernelError::Operator(other.to_owned())),
    }}
}}
"
    )
}
