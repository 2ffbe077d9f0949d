//! Reads arrays of an archive that may come from anywhere: what is read is bounded by the tensor that it is read for,
//! whatever the archive says of itself.

use std::{
    collections::BTreeSet,
    io::{self, Read, Seek, SeekFrom},
};

use dml_case::{nearest::excerpt, tensor::Shape};
use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{descr, head::Head};

/// Most entries that an archive may have.
const ENTRIES: usize = 10_000;

/// Most bytes of an array's head.
const HEAD: usize = 1 << 16;

/// Why an archive does not give an array.
#[derive(Debug, thiserror::Error)]
pub enum NpzError {
    /// It is no archive, or a damaged one.
    #[error("not a readable .npz archive: {0}")]
    Archive(String),
    /// It has more entries than an archive of tensors.
    #[error("{0} entries in the archive, expected at most {ENTRIES}")]
    Entries(usize),
    /// It has two arrays of one name.
    #[error("array `{0}` is there twice")]
    Twice(String),
    /// It has no such array.
    #[error("array `{name}` is missing; the archive has {}", known(found))]
    Missing {
        /// The array.
        name: String,
        /// Names that are there.
        found: Vec<String>,
    },
    /// The array is not the tensor's.
    #[error("array `{name}`: {why}")]
    Array {
        /// The array.
        name: String,
        /// What was found and expected.
        why: String,
    },
}

/// The first names of an archive.
fn known(found: &[String]) -> String {
    const SHOWN: usize = 8;
    match found {
        [] => "no arrays".to_owned(),
        found => {
            let more = if found.len() > SHOWN { ", …" } else { "" };
            let names: Vec<String> = found.iter().take(SHOWN).map(|name| excerpt(name)).collect();
            names.join(", ") + more
        }
    }
}

/// An archive that is read array by array.
pub struct Reader<R>(ZipArchive<R>);

impl<R: Read + Seek> Reader<R> {
    /// Reads the list of an archive's arrays.
    ///
    /// # Errors
    /// If it is no archive, or has too many entries.
    pub fn open(source: R) -> Result<Self, NpzError> {
        let archive = ZipArchive::new(source).map_err(|e| NpzError::Archive(e.to_string()))?;
        if archive.len() > ENTRIES {
            return Err(NpzError::Entries(archive.len()));
        }
        let start = archive.central_directory_start();
        let mut source = archive.into_inner();
        if let Some(name) = first_twice(&mut source, start).map_err(|e| NpzError::Archive(e.to_string()))? {
            return Err(NpzError::Twice(excerpt(name.trim_end_matches(".npy"))));
        }
        let archive = ZipArchive::new(source).map_err(|e| NpzError::Archive(e.to_string()))?;
        Ok(Self(archive))
    }

    /// The elements of a tensor as raw bits, in row-major order: the array of its name, which has the tensor's data type
    /// and sizes.
    ///
    /// # Errors
    /// If there is no such array, or it is not the tensor's.
    pub fn elements(&mut self, name: &str, shape: &Shape) -> Result<Vec<u64>, NpzError> {
        let missing = |archive: &ZipArchive<R>| NpzError::Missing {
            name: name.to_owned(),
            found: names(archive),
        };
        let at = self.0.index_for_name(&format!("{name}.npy"));
        let at = at.ok_or_else(|| missing(&self.0))?;
        let wrong = |why: String| NpzError::Array {
            name: name.to_owned(),
            why,
        };
        let entry = self.0.by_index(at);
        let mut entry = entry.map_err(|error| wrong(unreadable(&error)))?;
        if entry.compression() != CompressionMethod::Stored {
            return Err(wrong("it is compressed; write the archive with numpy.savez".to_owned()));
        }
        read_array(&mut entry, shape).map_err(wrong)
    }
}

/// The first name that an archive lists twice, which the reader of archives passes over. The list starts at this byte.
fn first_twice(source: &mut (impl Read + Seek), start: u64) -> io::Result<Option<String>> {
    const MARK: &[u8; 4] = b"PK\x01\x02";
    let mut source = io::BufReader::new(source);
    source.seek(SeekFrom::Start(start))?;
    let mut seen = BTreeSet::new();
    let mut entry = [0; 46];
    while seen.len() <= ENTRIES && source.read_exact(&mut entry).is_ok() && entry.starts_with(MARK) {
        // Lengths of the name, of what is added to it, and of a comment.
        let [name, extra, comment] = [28, 30, 32].map(|at| u16::from_le_bytes([entry[at], entry[at + 1]]));
        let mut text = vec![0; name.into()];
        source.read_exact(&mut text)?;
        source.seek_relative(i64::from(extra) + i64::from(comment))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        if let Some(twice) = seen.replace(text) {
            return Ok(Some(twice));
        }
    }
    Ok(None)
}

/// Names of the arrays of an archive, as far as they are names.
fn names<R: Read + Seek>(archive: &ZipArchive<R>) -> Vec<String> {
    let names = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned()));
    names.map(|name| name.trim_end_matches(".npy").to_owned()).collect()
}

fn unreadable(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(_) => {
            "it is compressed or encrypted; write the archive with numpy.savez".to_owned()
        }
        other => other.to_string(),
    }
}

fn read_array(source: &mut impl Read, shape: &Shape) -> Result<Vec<u64>, String> {
    let head = read_head(source)?;
    let expected = descr(&shape.ty)?;
    if head.descr != expected {
        let (found, ty) = (excerpt(&head.descr), &shape.ty.name);
        return Err(format!("elements of type {found}, expected {expected} ({ty})"));
    }
    if !head
        .shape
        .iter()
        .copied()
        .eq(shape.sizes.iter().map(|size| u64::from(*size)))
    {
        return Err(format!("shape {:?}, expected {:?}", head.shape, shape.sizes));
    }
    if head.fortran && head.shape.iter().filter(|size| **size > 1).count() > 1 {
        return Err("it is in Fortran order; write numpy.ascontiguousarray of it".to_owned());
    }
    let (count, width) = (shape.elements(), shape.width());
    let length = count.saturating_mul(width as u64);
    let mut bytes = Vec::new();
    let read = source.take(length.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 != length {
        let found = if bytes.len() as u64 > length { "more" } else { "fewer" };
        return Err(format!("{found} bytes of data than the {length} of {count} elements"));
    }
    let element = |raw: &[u8]| raw.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    Ok(bytes.chunks_exact(width.max(1)).map(element).collect())
}

/// The head of an array: a mark, the version, its length, and a dictionary.
fn read_head(source: &mut impl Read) -> Result<Head, String> {
    let ended = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "its head is cut short".to_owned(),
        _ => error.to_string(),
    };
    let mut start = [0; 8];
    source.read_exact(&mut start).map_err(ended)?;
    if &start[..6] != b"\x93NUMPY" {
        return Err("not in NumPy's format .npy".to_owned());
    }
    let length = match start[6] {
        1 => {
            let mut length = [0; 2];
            source.read_exact(&mut length).map_err(ended)?;
            usize::from(u16::from_le_bytes(length))
        }
        2 | 3 => {
            let mut length = [0; 4];
            source.read_exact(&mut length).map_err(ended)?;
            usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX)
        }
        version => return Err(format!("version {version} of NumPy's format, expected 1 to 3")),
    };
    if length > HEAD {
        return Err(format!("a head of {length} bytes, expected at most {HEAD}"));
    }
    let mut text = vec![0; length];
    source.read_exact(&mut text).map_err(ended)?;
    let text = String::from_utf8(text).ok();
    let head = text.and_then(|text| Head::parse(&text));
    head.ok_or_else(|| "its head is not what NumPy writes for numbers".to_owned())
}
