//! Writes files atomically.

use std::{
    fs,
    io::{self, Seek, Write},
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

/// What becomes a file when it is whole: it is written beside that file, and then takes its place. A device or a pipe is
/// none to be replaced: what is whole is written through it.
pub(super) struct Draft {
    file: NamedTempFile,
    path: PathBuf,
}

impl Draft {
    /// A draft of the file at this path, with the rights of that one, else with those that new files have.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".dml-cts");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let known = fs::metadata(path).ok();
        let file = if is_written_through(path) {
            builder.tempfile()?
        } else {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            builder.tempfile_in(folder.unwrap_or(Path::new(".")))?
        };
        if let Some(known) = known.filter(fs::Metadata::is_file) {
            file.as_file().set_permissions(known.permissions())?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Puts the whole file in its place. If that is a link, its target is replaced.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if is_written_through(&self.path) {
            self.file.as_file_mut().rewind()?;
            let mut out = fs::OpenOptions::new().write(true).open(&self.path)?;
            io::copy(&mut self.file, &mut out)?;
            return out.flush();
        }
        let target = fs::canonicalize(&self.path).unwrap_or(self.path);
        self.file.persist(target)?;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether a path leads to a device, a pipe or the like.
pub(super) fn is_written_through(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir())
}

/// Fails if a file that is to be written is one of those that are read.
pub(super) fn require_other_file<'p>(out: &Path, inputs: impl IntoIterator<Item = &'p PathBuf>) -> anyhow::Result<()> {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // To compare files they are opened, which waits at a pipe until somebody writes to it.
    let opens = |path: &Path| fs::metadata(path).is_ok_and(|known| known.is_file());
    let links = |input: &PathBuf| opens(input) && opens(out) && same_file::is_same_file(input, out).unwrap_or(false);
    let is_same = |input: &PathBuf| place(input) == place(out) || links(input);
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
        let mut draft = Draft::new(path).with_context(context)?;
        draft.write_all(text.as_bytes()).with_context(context)?;
        ready.push((draft, path));
    }
    ready
        .into_iter()
        .try_for_each(|(draft, path)| draft.finish().with_context(|| path.display().to_string()))
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

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_stays_what_it_is() {
        use std::os::unix::fs::FileTypeExt as _;

        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        require_other_file(&pipe, [&folder.path().join("run.jsonl")]).unwrap();
        write_file(&pipe, "what is whole").unwrap();
        assert_eq!(reader.join().unwrap(), "what is whole");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
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
