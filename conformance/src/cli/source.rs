//! Where the specification comes from: compiled in, a folder that was named, or the source tree around.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{Catalog, Diagnostic};
use dml_spec_yaml::load::{self, Files};

use super::args::SpecArgs;
use crate::expectations::read_expectations;
use dml_adequacy::check;
use dml_case::lock::Lock;
use dml_case::text::counted;
use dml_plan::planner::Planner;
use dml_report::Terminal;
use dml_report::expectations::Expectations;

/// Name of the lock's file.
pub(super) const LOCK_FILE: &str = "corpus.lock";

/// A specification, ready to plan from.
pub(super) struct Loaded {
    /// The suite.
    pub suite: Planner,
    /// What it was made from.
    pub texts: Texts,
}

/// Files of a specification and its lock's text.
pub(super) struct Texts {
    /// The files.
    pub files: Files,
    /// The lock; empty if there is none.
    lock: Vec<u8>,
    /// Where the lock is.
    path: PathBuf,
}

impl Texts {
    /// The suite that these files make. Mistakes are shown on standard error.
    pub(super) fn suite(&self, terminal: &mut Terminal) -> anyhow::Result<Planner> {
        compile(&self.files, terminal)
    }

    /// The lock.
    ///
    /// # Errors
    /// The first line that makes no sense, with its place.
    pub(super) fn lock(&self) -> anyhow::Result<Lock> {
        Lock::from_bytes(&self.lock).map_err(|error| anyhow::anyhow!("{}:{error}", self.path.display()))
    }

    /// What is to be done about a lock that is not there; `None` if there is one.
    ///
    /// # Errors
    /// As [`Texts::lock`].
    pub(super) fn lack_of_lock(&self, args: &SpecArgs) -> anyhow::Result<Option<String>> {
        let command = lock_command(args);
        let message = format!("there is no {LOCK_FILE}, which says what levels require; write it with `{command}`");
        Ok(self.lock()?.tables.is_empty().then_some(message))
    }

    /// What brings plan and lock together again.
    pub(super) fn lock_remedy(&self, args: &SpecArgs) -> String {
        if args.dir.is_some() {
            let command = lock_command(args);
            return match self.lock.is_empty() {
                true => format!("write it with `{command}`"),
                false => format!("if intended: {command}"),
            };
        }
        let disk = folder(args).and_then(|folder| fs::read(folder.join(LOCK_FILE)).ok());
        rebuild(disk.as_deref(), &self.lock).to_owned()
    }
}

/// The command that writes the lock of a specification.
pub(super) fn lock_command(args: &SpecArgs) -> String {
    match &args.dir {
        Some(dir) => format!("dml-cts spec lock --spec '{}'", dir.display()),
        None => "dml-cts spec lock".to_owned(),
    }
}

/// What brings the plan and the lock that are compiled in together again, beside the file in the source tree.
fn rebuild(disk: Option<&[u8]>, compiled: &[u8]) -> &'static str {
    match disk.is_some_and(|disk| disk != compiled) {
        true => "the file was written after this program was built: cargo build --release",
        false => "if intended: dml-cts spec lock, then cargo build --release",
    }
}

/// The specification for running: the folder that was named, else the one compiled in.
pub(super) fn load(args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<Loaded> {
    let (suite, texts) = match &args.dir {
        Some(dir) => {
            let texts = read(dir)?;
            (texts.suite(terminal)?, texts)
        }
        None => (suite(crate::spec::catalog().clone())?, compiled()),
    };
    Ok(Loaded { suite, texts })
}

/// The texts that subcommands of `spec` work on: those of [`folder`], else those compiled in.
pub(super) fn read_texts(args: &SpecArgs) -> anyhow::Result<Texts> {
    folder(args).map_or_else(|| Ok(compiled()), |folder| read(&folder))
}

/// The texts that are compiled in.
pub(super) fn compiled() -> Texts {
    Texts {
        files: load::embedded(),
        lock: dml_spec::embedded::LOCK.to_vec(),
        path: Path::new("spec").join(LOCK_FILE),
    }
}

/// The texts of a folder.
pub(super) fn read(dir: &Path) -> anyhow::Result<Texts> {
    let files = load::read_dir(dir).with_context(|| {
        format!(
            "{} is not a specification (directml.yaml and operators/*.yaml)",
            dir.display()
        )
    })?;
    anyhow::ensure!(
        files.0.len() > 1,
        "{} has no operator: missing operators/*.yaml",
        dir.display()
    );
    let path = dir.join(LOCK_FILE);
    let lock = optional(&path)?;
    Ok(Texts { files, lock, path })
}

/// A file that need not be there.
fn optional(path: &Path) -> anyhow::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other.with_context(|| path.display().to_string()),
    }
}

/// Turns files into a catalog, without a look at the cases that come of them. Mistakes are shown on standard error.
pub(super) fn catalog(files: &Files, terminal: &mut Terminal) -> anyhow::Result<Catalog> {
    match load::load(files) {
        (Some(catalog), found) if found.is_empty() => Ok(catalog),
        (_, found) => Err(shown(files, &found, terminal)),
    }
}

/// Turns files into a suite. Mistakes are shown on standard error.
pub(super) fn compile(files: &Files, terminal: &mut Terminal) -> anyhow::Result<Planner> {
    examine(files)?.map_err(|found| shown(files, &found, terminal))
}

fn shown(files: &Files, found: &[Diagnostic], terminal: &mut Terminal) -> anyhow::Error {
    let colour = terminal.err_colour();
    terminal.note(dml_report::diagnostics(found, colour, &|path| files.text(path)));
    let count = counted(found.len(), "mistake");
    anyhow::anyhow!("the specification has {count}; `dml-cts spec check` shows them")
}

/// The suite of a specification without mistakes, or all of them.
pub(super) fn examine(files: &Files) -> anyhow::Result<Result<Planner, Vec<Diagnostic>>> {
    let (catalog, found) = load::load(files);
    let Some(catalog) = catalog else {
        return Ok(Err(found));
    };
    let suite = suite(catalog)?;
    let found = check::check(&suite, files);
    Ok(if found.is_empty() { Ok(suite) } else { Err(found) })
}

/// Failures that are known, as files list them. Mistakes are shown on standard error.
pub(super) fn expectations(
    paths: &[PathBuf],
    suite: &Planner,
    terminal: &mut Terminal,
) -> anyhow::Result<Expectations> {
    let mut entries = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| name.clone())?;
        let found = read_expectations(suite, &name, &text);
        entries.extend(found.map_err(|found| wrong(&name, &text, &found, terminal))?.entries);
    }
    Ok(Expectations::new(entries))
}

/// Shows the mistakes of a file of the user's on standard error.
pub(super) fn wrong(name: &str, text: &str, found: &[Diagnostic], terminal: &mut Terminal) -> anyhow::Error {
    let shown = dml_report::diagnostics(found, terminal.err_colour(), &|_| Some(text));
    terminal.warn(shown);
    anyhow::anyhow!("{name} has {}", counted(found.len(), "mistake"))
}

/// The suite of a catalog.
pub(super) fn suite(catalog: Catalog) -> anyhow::Result<Planner> {
    Planner::new(catalog).map_err(|errors| anyhow::anyhow!("{}", errors.join("\n")))
}

/// The folder that spec subcommands work on: the one that was named, else that of the source tree around.
pub(super) fn folder(args: &SpecArgs) -> Option<PathBuf> {
    args.dir.clone().or_else(|| {
        let here = env::current_dir().ok()?;
        let found = here.ancestors().find(|dir| dir.join("spec/directml.yaml").is_file())?;
        // Shown relative to the current folder if that is short.
        let spec = found.join("spec");
        Some(if found == here { PathBuf::from("spec") } else { spec })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_newer_than_the_program_asks_for_a_build_only() {
        assert!(rebuild(Some(b"new"), b"old").starts_with("the file was written after"));
        for disk in [Some(&b"old"[..]), None] {
            let text = rebuild(disk, b"old");
            assert!(text.contains("dml-cts spec lock") && text.contains("cargo build --release"));
        }
    }
}
