//! Where the specification comes from: compiled in, a folder that was named, or the source tree around.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec::{
    Catalog, Diagnostic,
    load::{self, Files},
};

use super::args::SpecArgs;
use crate::{check, lock::Lock, report, report::Terminal, suite::Suite};

/// Name of the lock's file.
pub(super) const LOCK_FILE: &str = "corpus.lock";

/// A specification, ready to plan from.
pub(super) struct Loaded {
    /// The suite.
    pub suite: Suite,
    /// The lock; empty where there is none.
    pub lock: Lock,
    /// Digest of the files.
    pub digest: String,
}

/// Files of a specification and its lock's text.
pub(super) struct Texts {
    /// The files.
    pub files: Files,
    /// The lock; empty where there is none.
    pub lock: String,
}

/// The specification for running: the folder that was named, else the one compiled in.
pub(super) fn load(args: &SpecArgs, terminal: &mut Terminal) -> anyhow::Result<Loaded> {
    match &args.dir {
        Some(dir) => compile(&read(dir)?, terminal),
        None => {
            let texts = compiled();
            finish(suite(crate::spec::catalog().clone())?, &texts)
        }
    }
}

/// The texts that are compiled in.
pub(super) fn compiled() -> Texts {
    Texts {
        files: load::embedded(),
        lock: dml_spec::embedded::LOCK.to_owned(),
    }
}

/// The texts of a folder.
pub(super) fn read(dir: &Path) -> anyhow::Result<Texts> {
    let files = load::read_dir(dir).with_context(|| {
        format!(
            "{} is no specification (directml.yaml and operators/*.yaml)",
            dir.display()
        )
    })?;
    let lock = match fs::read_to_string(dir.join(LOCK_FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other.with_context(|| dir.join(LOCK_FILE).display().to_string())?,
    };
    Ok(Texts { files, lock })
}

/// Turns texts into a suite. Mistakes are shown on standard error.
pub(super) fn compile(texts: &Texts, terminal: &mut Terminal) -> anyhow::Result<Loaded> {
    match examine(&texts.files)? {
        Ok(suite) => finish(suite, texts),
        Err(found) => {
            let colour = terminal.err_colour();
            terminal.note(report::diagnostics(&found, colour, &|path| texts.files.text(path)));
            anyhow::bail!(
                "the specification has {}; `dml-cts spec check` shows them",
                mistakes(found.len())
            );
        }
    }
}

/// The suite of a specification without mistakes, or all of them.
pub(super) fn examine(files: &Files) -> anyhow::Result<Result<Suite, Vec<Diagnostic>>> {
    let (catalog, found) = load::load(files);
    let Some(catalog) = catalog else {
        return Ok(Err(found));
    };
    let suite = suite(catalog)?;
    let found = check::check(&suite, files);
    Ok(if found.is_empty() { Ok(suite) } else { Err(found) })
}

fn suite(catalog: Catalog) -> anyhow::Result<Suite> {
    Suite::new(catalog).map_err(|errors| anyhow::anyhow!("{}", errors.join("\n")))
}

fn finish(suite: Suite, texts: &Texts) -> anyhow::Result<Loaded> {
    let lock = Lock::parse(&texts.lock).context(LOCK_FILE)?;
    Ok(Loaded {
        suite,
        lock,
        digest: load::digest(&texts.files),
    })
}

/// `1 mistake`, `2 mistakes`.
pub(super) fn mistakes(count: usize) -> String {
    if count == 1 {
        "1 mistake".to_owned()
    } else {
        format!("{count} mistakes")
    }
}

/// The folder that spec subcommands work on: the one that was named, else that of the source tree around.
pub(super) fn folder(args: &SpecArgs) -> Option<PathBuf> {
    args.dir.clone().or_else(|| {
        let here = env::current_dir().ok()?;
        let found = here.ancestors().find(|dir| dir.join("spec/directml.yaml").is_file())?;
        // Shown relative to where the user stands, where that is short.
        let spec = found.join("spec");
        Some(if found == here { PathBuf::from("spec") } else { spec })
    })
}
