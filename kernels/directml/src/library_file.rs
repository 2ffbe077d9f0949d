//! Files of libraries: whether they exist, whether they are for this system, and how to load those that others need.

#![allow(unsafe_code, reason = "libraries are loaded; each use says why it may be")]

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use libloading::Library;

/// Why a file is not a usable library.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WrongFile {
    /// There is none.
    Missing,
    /// It is for another system or processor.
    Foreign(String),
}

/// Whether a file exists: the loader looks for a bare name in its own folders only, and not in the current one.
pub(super) fn located(path: &Path) -> PathBuf {
    if path.components().count() < 2 && path.is_file() {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

/// Whether a library is named by its path, instead of a name for the loader to look for.
pub(super) fn is_path(path: &Path) -> bool {
    located(path).components().count() > 1
}

/// The loader's error, which is unclear or on some systems missing.
pub(super) fn check_file(path: &Path) -> Result<(), WrongFile> {
    if !is_path(path) {
        return Ok(());
    }
    let mut head = Vec::new();
    let file = File::open(path).map_err(|_| WrongFile::Missing)?;
    let _ = file.take(4096).read_to_end(&mut head);
    match kind_of(&head) {
        found if found == NEEDED => Ok(()),
        found => Err(WrongFile::Foreign(found)),
    }
}

#[cfg(all(windows, target_arch = "x86_64"))]
pub(super) const NEEDED: &str = "a Windows library for x86-64";
#[cfg(all(windows, not(target_arch = "x86_64")))]
pub(super) const NEEDED: &str = "a Windows library for arm64";
#[cfg(all(not(windows), target_arch = "x86_64"))]
pub(super) const NEEDED: &str = "a Linux library for x86-64";
#[cfg(all(not(windows), not(target_arch = "x86_64")))]
pub(super) const NEEDED: &str = "a Linux library for arm64";

/// What a file is, from its first bytes.
fn kind_of(head: &[u8]) -> String {
    let half = |at: usize| head.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]));
    let processor = |machine: Option<u16>| match machine {
        Some(62 | 0x8664) => "x86-64".to_owned(),
        Some(183 | 0xaa64) => "arm64".to_owned(),
        Some(3 | 0x14c) => "32-bit x86".to_owned(),
        Some(other) => format!("machine {other}"),
        None => "an unknown machine".to_owned(),
    };
    if head.starts_with(b"\x7fELF") {
        return format!("a Linux library for {}", processor(half(18)));
    }
    let at = half(0x3c).map_or(0, usize::from);
    if head.starts_with(b"MZ") && head.get(at..at + 4) == Some(b"PE\0\0") {
        return format!("a Windows library for {}", processor(half(at + 4)));
    }
    "no library".to_owned()
}

/// Loads a library whose symbols those loaded later may use: DirectML's library on Linux names `libd3d12.so` as one
/// that it needs. The loader takes what is loaded already for it, if the name *inside* the library (its SONAME) is
/// that; for another name there is a stand-in.
#[cfg(unix)]
pub(super) fn load_for_all(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{self, RTLD_GLOBAL, RTLD_LAZY};
    // SAFETY: what a library does as it is loaded is beyond anyone's control; this one was asked for by the user, or
    // is the system's.
    unsafe { unix::Library::open(Some(path), RTLD_LAZY | RTLD_GLOBAL) }.map(Into::into)
}

/// Loads a library; on Windows one that is loaded already is found by its file's name.
#[cfg(not(unix))]
pub(super) fn load_for_all(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: what a library does as it is loaded is beyond anyone's control; this one was asked for by the user, or
    // is the system's.
    unsafe { Library::new(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_are_the_loaders_unless_they_lie_here() {
        assert_eq!(located("libdirectml.so".as_ref()), Path::new("libdirectml.so"));
        assert_eq!(located("Cargo.toml".as_ref()), Path::new("./Cargo.toml"));
        assert_eq!(check_file("libdirectml.so".as_ref()), Ok(()));
    }

    #[test]
    fn files_are_told_apart_by_their_heads() {
        let mut elf = b"\x7fELF".to_vec();
        elf.resize(64, 0);
        elf[18] = 183;
        assert_eq!(kind_of(&elf), "a Linux library for arm64");
        let mut pe = b"MZ".to_vec();
        pe.resize(0x3c, 0);
        pe.extend(*b"\x40\0\0\0PE\0\0\x64\x86");
        assert_eq!(kind_of(&pe), "a Windows library for x86-64");
        assert_eq!(kind_of(b""), "no library");
    }
}
