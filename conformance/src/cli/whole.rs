//! Files that are written at once or not at all.

use std::{io::Write, path::Path};

use tempfile::NamedTempFile;

/// A file beside the one that it is to become, with the rights that new files have.
pub(super) fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    #[cfg_attr(not(unix), expect(unused_mut, reason = "rights are Unix's"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// Writes a text.
pub(super) fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
