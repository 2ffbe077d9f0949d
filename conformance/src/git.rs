//! What the git program tells of a folder: files of a revision, and the commits that changed some lines.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use dml_spec_yaml::load::{File, Files};

/// Why git did not answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("the program git cannot be started: {0}")]
    NoProgram(io::Error),
    /// The folder is in no repository.
    #[error("{0} lies in no git repository")]
    NoRepository(String),
    /// There is no such revision.
    #[error("`{0}` is no revision of the repository around {1}")]
    NoRevision(String, String),
    /// The revision has no specification.
    #[error("{0} has no specification (directml.yaml and operators/*.yaml) at {1}")]
    NoSpecification(String, String),
    /// Anything else.
    #[error("git {0}: {1}")]
    Failed(String, String),
}

/// A commit that changed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Short hash.
    pub hash: String,
    /// Day of its author, `YYYY-MM-DD`.
    pub date: String,
    /// Subject.
    pub subject: String,
}

/// Fails where the folder is in no repository.
///
/// # Errors
/// Why not.
pub fn require(folder: &Path) -> Result<(), GitError> {
    match git(folder, &["rev-parse", "--is-inside-work-tree"]) {
        Ok(_) => Ok(()),
        Err(GitError::Failed(..)) => Err(GitError::NoRepository(folder.display().to_string())),
        Err(other) => Err(other),
    }
}

/// The files of a specification as they were in a revision.
///
/// # Errors
/// Where there is no such revision, or no specification in it.
pub fn files_at(folder: &Path, revision: &str) -> Result<Files, GitError> {
    require(folder)?;
    let shown = folder.display().to_string();
    let commit = format!("{revision}^{{commit}}");
    let found = git(
        folder,
        &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit],
    );
    let found = found.map_err(|_| GitError::NoRevision(revision.to_owned(), shown.clone()))?;
    let commit = text(&found).trim().to_owned();
    let listed = git(
        folder,
        &["ls-tree", "--name-only", "-z", &commit, "directml.yaml", "operators/"],
    )?;
    let listed = text(&listed);
    let names: Vec<&str> = listed.split('\0').filter(|name| name.ends_with(".yaml")).collect();
    if !names.contains(&"directml.yaml") || names.len() < 2 {
        return Err(GitError::NoSpecification(revision.to_owned(), shown));
    }
    let read = |name: &&str| {
        let bytes = git(folder, &["show", &format!("{commit}:./{name}")])?;
        Ok(File::from_bytes(format!("{revision}:./{name}"), bytes))
    };
    names.iter().map(read).collect::<Result<_, GitError>>().map(Files)
}

/// The text of a file in the newest commit; `None` where that has none of this name.
///
/// # Errors
/// Where git cannot be asked.
pub fn committed(folder: &Path, name: &str) -> Result<Option<String>, GitError> {
    require(folder)?;
    match git(folder, &["show", &format!("HEAD:./{name}")]) {
        Ok(bytes) => Ok(Some(text(&bytes))),
        Err(GitError::Failed(..)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// The commits that changed some lines of a file, counted from 1 in the newest commit; the latest first.
///
/// # Errors
/// Where git cannot be asked.
pub fn changes(folder: &Path, name: &str, from: usize, to: usize) -> Result<Vec<Commit>, GitError> {
    let lines = format!("-L{from},{to}:{name}");
    let format = "--format=%x1e%h%x1f%ad%x1f%s%x1e";
    let told = git(folder, &["log", &lines, "--no-patch", "--date=short", format])?;
    let told = text(&told);
    let commit = |entry: &str| {
        let mut parts = entry.split('\u{1f}');
        let mut part = || parts.next().map(str::to_owned);
        Some(Commit {
            hash: part()?,
            date: part()?,
            subject: part()?,
        })
    };
    Ok(told.split('\u{1e}').filter_map(commit).collect())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs git in a folder, whatever repository a hook around speaks of.
fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null());
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command.output().map_err(GitError::NoProgram)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = text(&output.stderr);
    let first = said.lines().next().unwrap_or("no answer").trim().to_owned();
    Err(GitError::Failed(
        arguments.first().map(|a| (*a).to_owned()).unwrap_or_default(),
        first,
    ))
}
