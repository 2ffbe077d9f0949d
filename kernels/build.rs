//! Lists the kernels, so that adding one is adding a file: for every `src/cpu/operators/NAME.rs` writes its `mod` line
//! and its arm of the dispatch.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn Error>> {
    let operators = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/cpu/operators");
    // A folder is watched with all that is in it.
    println!("cargo:rerun-if-changed={}", operators.display());

    let mut files = Vec::new();
    for entry in fs::read_dir(&operators)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    let code = dispatch(&files)?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("cpu_operators.rs"), code)?;
    Ok(())
}

/// `mod` lines, the operators' names, and a function that runs the right kernel.
fn dispatch(files: &[PathBuf]) -> Result<String, Box<dyn Error>> {
    let (mut mods, mut names, mut arms) = (String::new(), String::new(), String::new());
    for file in files {
        let stem = file
            .file_stem()
            .and_then(|s| s.to_str())
            .ok_or("a kernel's file name is not UTF-8")?;
        let name = stem.to_uppercase();
        writeln!(mods, "#[path = {file:?}]\nmod {stem};")?;
        writeln!(names, "    {name:?},")?;
        writeln!(
            arms,
            "        {name:?} => {stem}::execute(&Operator::from_descriptor(descriptor)?, inputs, outputs),"
        )?;
    }
    Ok(format!(
        "{mods}
/// Operators with a kernel, in order of their name.
pub const OPERATORS: &[&str] = &[
{names}];

/// Runs the kernel of the descriptor's operator: reads one buffer an input tensor, writes one an output tensor, both in
/// struct order. The descriptor has to be valid for the result to mean anything.
///
/// # Errors
/// Where there is no kernel, or descriptor and buffers do not fit together.
pub fn execute(descriptor: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {{
    match descriptor.operator.as_ref() {{
{arms}        other => Err(KernelError::Operator(other.to_owned())),
    }}
}}
"
    ))
}
