//! Writes files atomically.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;
use tempfile::NamedTempFile;

/// Fails if a file is to be written into a folder that is not there.
pub(super) fn require_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let missing = folder.filter(|folder| !folder.is_dir());
    missing.map_or(Ok(()), |folder| {
        anyhow::bail!(
            "{}: there is no folder {}; make it first",
            path.display(),
            folder.display()
        )
    })
}

/// A file beside the one that it is to become, with the rights of that one, else with those that new files have.
pub(super) fn create_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dml-cts");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if let Ok(known) = fs::metadata(path) {
        file.as_file().set_permissions(known.permissions())?;
    }
    Ok(file)
}

/// Moves the file to its place. If that is a link, its target is replaced.
pub(super) fn replace_file(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    file.persist(target)?;
    Ok(())
}

/// Fails if a file that is to be written is one of those that are read.
pub(super) fn require_other_file<'p>(out: &Path, inputs: impl IntoIterator<Item = &'p PathBuf>) -> anyhow::Result<()> {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_same = |input: &PathBuf| place(input) == place(out) || same_file::is_same_file(input, out).unwrap_or(false);
    match inputs.into_iter().find(|input| is_same(input)) {
        None => Ok(()),
        Some(input) => anyhow::bail!(
            "{} would be written over {}, which is read; write to another file",
            out.display(),
            input.display()
        ),
    }
}

/// Writes a file atomically.
pub(super) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    write_files(&[(path.to_owned(), text.to_owned())])
}

/// Writes several files so that none is ever half-written: all of them beside their places first.
pub(super) fn write_files(files: &[(PathBuf, String)]) -> anyhow::Result<()> {
    let mut ready = Vec::new();
    files.iter().try_for_each(|(path, _)| require_folder(path))?;
    for (path, text) in files {
        let context = || path.display().to_string();
        let mut file = create_beside(path).with_context(context)?;
        io::Write::write_all(&mut file, text.as_bytes()).with_context(context)?;
        ready.push((file, path));
    }
    ready
        .into_iter()
        .try_for_each(|(file, path)| replace_file(file, path).with_context(|| path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none").join("file");
        let why = write_file(&path, "").unwrap_err().to_string();
        assert!(why.ends_with("none; make it first"), "{why}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn files_are_whole_and_for_everybody_that_new_files_are_for() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, file) = (folder.path().join("plain"), folder.path().join("file"));
        fs::write(&plain, "").unwrap();
        fs::write(&file, "something longer before").unwrap();
        write_file(&file, "after").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        let rights = |path: &Path| fs::metadata(path).unwrap().permissions();
        assert_eq!(rights(&file), rights(&plain));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }
}
