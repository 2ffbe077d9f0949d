//! Stand-ins for `libdxcore.so` and `libd3d12.so`, which DirectML's library on Linux is linked against and which only
//! WSL has: shared objects of two pages, made here, whose symbols jump into this program.
//!
//! The loader uses a library that is already loaded if the name inside it is the required one.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

const PAGE: usize = 4096;
/// Bytes of an ELF header, of a program header and how many there are, of a symbol, and of a jump.
const HEADER: usize = 64;
const SEGMENT: usize = 56;
const SEGMENTS: usize = 4;
const SYMBOL: usize = 24;
const JUMP: usize = 16;

/// The version that DirectML's library requires of every symbol; the other one is for the library itself.
const VERSION: &str = "VER_1";

/// A shared object of this name, in which each symbol leads to an address of this process.
pub(crate) fn image(name: &str, symbols: &[(&str, usize)]) -> Vec<u8> {
    let mut strings = Strings(vec![0]);
    let (soname, version) = (strings.add(name), strings.add(VERSION));
    let names: Vec<u32> = symbols.iter().map(|(symbol, _)| strings.add(symbol)).collect();
    let code_at = HEADER + SEGMENTS * SEGMENT;

    let mut parts = Parts(Vec::new(), code_at);
    for (_, address) in symbols {
        parts.add(&jump(*address));
    }
    let table_at = parts.add(&[0; SYMBOL]);
    for (i, name) in names.into_iter().enumerate() {
        parts.add(&symbol(name, code_at + JUMP * i));
    }
    let hash_at = parts.add(&hash_table(symbols.len()));
    let versions_at = parts.add(&versions(soname, name, version));
    let strings_at = parts.add(&strings.0);
    let of_symbols: Vec<u8> = (0..=symbols.len() as u16)
        .flat_map(|i| (2 * i.min(1)).to_le_bytes())
        .collect();
    let of_symbols_at = parts.add(&of_symbols);

    let dynamic = dynamic(&[
        (14, u64::from(soname)),
        (4, hash_at),
        (5, strings_at),
        (6, table_at),
        (10, strings.0.len() as u64),
        (11, SYMBOL as u64),
        (0x6fff_fff0, of_symbols_at),
        (0x6fff_fffc, versions_at),
        (0x6fff_fffd, 2),
        (0, 0),
    ]);
    let mut file = header();
    file.extend(segment(1, 5, 0, PAGE)); // read and run: the first page
    file.extend(segment(1, 6, PAGE, dynamic.len())); // read and write: the second
    file.extend(segment(2, 6, PAGE, dynamic.len())); // what the loader reads
    file.extend(segment(0x6474_e551, 6, 0, 0)); // a stack that cannot be run
    file.extend(parts.0);
    file.resize(PAGE, 0);
    file.extend(dynamic);
    file
}

/// Parts of the file after its headers, and their offset.
struct Parts(Vec<u8>, usize);

impl Parts {
    /// Adds a part; returns its offset in the file.
    fn add(&mut self, bytes: &[u8]) -> u64 {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        let at = self.1 + self.0.len();
        self.0.extend_from_slice(bytes);
        at as u64
    }
}

/// Names, each ended by a zero.
struct Strings(Vec<u8>);

impl Strings {
    /// Adds a name; returns its offset.
    fn add(&mut self, text: &str) -> u32 {
        let at = self.0.len() as u32;
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
        at
    }
}

/// Code that jumps to an address: `mov rax, address; jmp rax`.
fn jump(address: usize) -> [u8; JUMP] {
    let mut code = [0; JUMP];
    code[..2].copy_from_slice(&[0x48, 0xb8]);
    code[2..10].copy_from_slice(&(address as u64).to_le_bytes());
    code[10..12].copy_from_slice(&[0xff, 0xe0]);
    code
}

/// A global function of the first section.
fn symbol(name: u32, at: usize) -> Vec<u8> {
    let mut bytes = name.to_le_bytes().to_vec();
    bytes.extend([0x12, 0, 1, 0]);
    bytes.extend([at as u64, JUMP as u64].map(u64::to_le_bytes).concat());
    bytes
}

/// The two versions that the library defines: itself, and that of its symbols.
fn versions(soname: u32, name: &str, version: u32) -> Vec<u8> {
    let entry = |flags: u16, index: u16, hash: u32, text: u32, next: u32| {
        let mut bytes = [1, flags, index, 1].map(u16::to_le_bytes).concat();
        bytes.extend([hash, 20, next, text, 0].map(u32::to_le_bytes).concat());
        bytes
    };
    let mut bytes = entry(1, 1, hash(name), soname, 28);
    bytes.extend(entry(0, 2, hash(VERSION), version, 0));
    bytes
}

/// The hash of names in ELF files.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0_u32, |hash, byte| {
        let hash = (hash << 4).wrapping_add(u32::from(byte));
        let high = hash & 0xf000_0000;
        (hash ^ (high >> 24)) & !high
    })
}

/// The list of tags from which the loader finds all parts.
fn dynamic(tags: &[(u64, u64)]) -> Vec<u8> {
    let bytes = |(tag, value): &(u64, u64)| [tag.to_le_bytes(), value.to_le_bytes()].concat();
    tags.iter().flat_map(bytes).collect()
}

/// The header of a shared object for x86-64 with its segments.
fn header() -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |n: u16| n.to_le_bytes();
    bytes.extend([half(3), half(62)].concat()); // a shared object, x86-64
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([0_u64, HEADER as u64, 0].map(u64::to_le_bytes).concat()); // entry, segments, sections
    bytes.extend(0_u32.to_le_bytes());
    let sizes = [HEADER as u16, SEGMENT as u16, SEGMENTS as u16, 64, 0, 0];
    bytes.extend(sizes.map(half).concat());
    bytes
}

/// A program header whose addresses are the offsets in the file.
fn segment(kind: u32, flags: u32, at: usize, bytes: usize) -> Vec<u8> {
    let mut header = [kind.to_le_bytes(), flags.to_le_bytes()].concat();
    let (at, bytes) = (at as u64, bytes as u64);
    header.extend([at, at, at, bytes, bytes, PAGE as u64].map(u64::to_le_bytes).concat());
    header
}

/// One bucket with all symbols in a chain: the first is number 1, the last leads nowhere.
fn hash_table(symbols: usize) -> Vec<u8> {
    let last = symbols as u32;
    let mut words = vec![1, last + 1, last.min(1), 0];
    words.extend((1..=last).map(|i| if i < last { i + 1 } else { 0 }));
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// A file that is gone when this is.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Loads a stand-in, for as long as this process lives.
///
/// # Errors
/// If its file cannot be written to the folder, or not be loaded from there.
#[allow(unsafe_code, reason = "a library is loaded")]
pub(crate) fn load(folder: &Path, name: &str, symbols: &[(&str, usize)]) -> io::Result<()> {
    let file = Scratch(folder.join(format!("dml-cts-{}-{name}", std::process::id())));
    fs::write(&file.0, image(name, symbols))?;
    // SAFETY: the library is the image above, which has no code that runs by itself.
    let library = unsafe { libloading::Library::new(&file.0) }.map_err(io::Error::other)?;
    std::mem::forget(library);
    Ok(())
}

/// Whether a library of this name is loaded, so that the loader uses it for all that need one.
#[allow(unsafe_code, reason = "a library is looked for")]
pub(crate) fn is_loaded(name: &str) -> bool {
    use libloading::os::unix::{Library, RTLD_LAZY};
    /// Looks, and loads nothing.
    const NO_LOAD: i32 = 4;
    // SAFETY: nothing is loaded, so that no code runs.
    unsafe { Library::open(Some(name), RTLD_LAZY | NO_LOAD) }.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn answer() -> u32 {
        42
    }

    extern "C" fn other() -> u32 {
        7
    }

    #[test]
    #[allow(unsafe_code, reason = "a library is loaded and called")]
    fn the_loader_finds_every_symbol_by_the_name_of_the_library() {
        let name = "libdml-cts-test.so";
        let symbols = [
            ("answer", answer as *const () as usize),
            ("other", other as *const () as usize),
        ];
        assert!(!is_loaded(name));
        load(&std::env::temp_dir(), name, &symbols).unwrap();
        assert!(is_loaded(name));
        // SAFETY: found by its name, this is the stand-in, and the symbols are the functions above.
        unsafe {
            let library = libloading::Library::new(name).unwrap();
            for (symbol, expected) in [("answer", 42), ("other", 7)] {
                let function: libloading::Symbol<'_, extern "C" fn() -> u32> = library.get(symbol.as_bytes()).unwrap();
                assert_eq!(function(), expected);
            }
            assert!(library.get::<extern "C" fn()>(b"missing").is_err());
        }
    }
}
