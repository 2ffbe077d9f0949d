//! Getting a library out of its Python wheel. Every file is checked before it is used, and nothing is left half done.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest as _, Sha256};

use super::Release;

/// Why a library could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There is no Python to ask.
    #[error("neither python3 nor python can be started; install Python with pip")]
    Python,
    /// Python or pip failed.
    #[error("{command} failed: {message}")]
    Failed {
        /// What was run.
        command: String,
        /// The last it said.
        message: String,
    },
    /// A file is another one than it should be.
    #[error("{path} has SHA-256 {found}, expected {expected}")]
    Hash {
        /// The file.
        path: PathBuf,
        /// Its hash.
        found: String,
        /// The hash that it should have.
        expected: &'static str,
    },
    /// The file system.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
}

/// What writes one member of an archive to a file.
const EXTRACT: &str = "import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive, archive.open(sys.argv[2]) as member, open(sys.argv[3], 'wb') as file:
    shutil.copyfileobj(member, file)";

/// Fetches a library into the folder; if it is there already, it is checked only. Its path, and whether it was
/// there.
///
/// # Errors
/// If pip does not get the wheel, or what comes is not what is expected.
pub fn fetch(release: &Release, cache: &Path) -> Result<(PathBuf, bool), FetchError> {
    let path = release.path(cache);
    if path.is_file() && require(&path, release.library_sha256).is_ok() {
        return Ok((path, true));
    }
    let folder = path.parent().unwrap_or(cache);
    fs::create_dir_all(folder).map_err(|error| FetchError::Io(folder.to_owned(), error))?;
    let scratch = tempfile::tempdir_in(folder).map_err(|error| FetchError::Io(folder.to_owned(), error))?;
    let wheel = download(release, scratch.path())?;
    require(&wheel, release.wheel_sha256)?;
    let library = scratch.path().join("library");
    python(&[
        "-c".as_ref(),
        EXTRACT.as_ref(),
        wheel.as_ref(),
        release.member.as_ref(),
        library.as_ref(),
    ])?;
    require(&library, release.library_sha256)?;
    fs::rename(&library, &path).map_err(|error| FetchError::Io(path.clone(), error))?;
    Ok((path, false))
}

/// The wheel, as pip downloads it.
fn download(release: &Release, folder: &Path) -> Result<PathBuf, FetchError> {
    let options = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary=:all:",
        "--implementation",
        "cp",
        "--python-version",
        release.python,
        "--platform",
        release.platform,
        "--dest",
    ];
    let mut arguments: Vec<&Path> = options.iter().map(Path::new).collect();
    arguments.extend([folder, Path::new(release.package)]);
    python(&arguments)?;
    let io = |error| FetchError::Io(folder.to_owned(), error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        found.extend(path.extension().is_some_and(|e| e == "whl").then_some(path));
    }
    found.pop().ok_or_else(|| FetchError::Failed {
        command: format!("pip download {}", release.package),
        message: "no wheel came".to_owned(),
    })
}

fn python(arguments: &[&Path]) -> Result<(), FetchError> {
    for program in ["python3", "python"] {
        let Ok(output) = Command::new(program).args(arguments).output() else {
            continue;
        };
        if output.status.success() {
            return Ok(());
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = errors.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(3)..];
        let shown = arguments.iter().map(|a| a.to_string_lossy()).find(|a| a.contains("=="));
        return Err(FetchError::Failed {
            command: shown.map_or(program.to_owned(), |package| format!("pip download {package}")),
            message: last.join(" | "),
        });
    }
    Err(FetchError::Python)
}

/// Fails if a file has another hash.
fn require(path: &Path, expected: &'static str) -> Result<(), FetchError> {
    let found = sha256(path).map_err(|error| FetchError::Io(path.to_owned(), error))?;
    if found == expected {
        return Ok(());
    }
    let path = path.to_owned();
    Err(FetchError::Hash { path, found, expected })
}

/// SHA-256 of a file, in hexadecimal.
pub(super) fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut fs::File::open(path)?, &mut Hashing(&mut hash))?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A hash that can be written to.
struct Hashing<'a>(&'a mut Sha256);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_hash_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "abc").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(require(&path, abc).is_ok());
        let error = require(&path, "00").unwrap_err().to_string();
        assert!(error.ends_with(&format!("has SHA-256 {abc}, expected 00")), "{error}");
    }
}
