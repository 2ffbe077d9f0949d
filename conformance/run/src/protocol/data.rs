//! Buffers in messages: base64, or a file that both sides see.

use std::{
    fs,
    io::{self, Read as _, Write},
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_ops::Buffer;
use serde_json::{Value as Json, json};
use tempfile::{Builder, TempDir, TempPath};

use crate::json::{Node, Read};

/// Buffers of more bytes than this go through files, if both sides can.
const LARGE: usize = 64 << 10;

/// The bytes of a buffer, as a message names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Base64.
    Text(String),
    /// The content of a file.
    File(PathBuf),
}

impl Data {
    /// Reads it out of a message.
    pub(super) fn read(node: &Node<'_>) -> Read<Self> {
        match (node.value, node.value.get("file")) {
            (Json::String(text), _) => Ok(Self::Text(text.clone())),
            (_, Some(Json::String(path))) => Ok(Self::File(path.into())),
            _ => node.expected("base64 or {\"file\": PATH}"),
        }
    }

    /// Base64 of these bytes.
    pub fn text(bytes: &[u8]) -> Self {
        Self::Text(STANDARD.encode(bytes))
    }

    pub(super) fn json(&self) -> Json {
        match self {
            Self::Text(text) => json!(text),
            Self::File(path) => json!({"file": path}),
        }
    }

    /// The bytes: exactly so many.
    ///
    /// # Errors
    /// If there are more or fewer, it is no base64, or the file cannot be read.
    pub fn bytes(&self, length: usize) -> Result<Vec<u8>, String> {
        let wrong = |found: String| format!("{found} bytes, expected {length}");
        match self {
            Self::Text(text) if text.len() / 4 > length.div_ceil(3) => {
                Err(wrong(format!("at least {}", text.len() / 4 * 3 - 2)))
            }
            Self::Text(text) => {
                let bytes = STANDARD.decode(text).map_err(|e| format!("no base64: {e}"))?;
                if bytes.len() == length {
                    Ok(bytes)
                } else {
                    Err(wrong(bytes.len().to_string()))
                }
            }
            Self::File(path) => read_file(path, length).map_err(|e| format!("{}: {e}", path.display())),
        }
    }
}

fn read_file(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let found = file.metadata()?.len();
    if found != length as u64 {
        return Err(io::Error::other(format!("{found} bytes, expected {length}")));
    }
    let mut bytes = Vec::with_capacity(length);
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A folder of its own for large buffers; it vanishes with this value.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Scratch {
    /// Makes the folder, among the system's temporary files.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new() -> io::Result<Self> {
        Ok(Self(Builder::new().prefix("dml-cts-").tempdir()?))
    }

    fn put(&self, bytes: &[u8]) -> io::Result<TempPath> {
        let mut file = Builder::new().tempfile_in(self.0.path())?;
        file.write_all(bytes)?;
        Ok(file.into_temp_path())
    }
}

/// Writes bytes into a message so that the other side finds them; the file, if they are in one. It vanishes with
/// this value.
pub(super) fn put(bytes: &[u8], scratch: Option<&Scratch>, text: &mut Vec<u8>) -> io::Result<Option<TempPath>> {
    let Some(scratch) = scratch.filter(|_| bytes.len() > LARGE) else {
        let start = text.len() + 1;
        let length = base64::encoded_len(bytes.len(), true).ok_or_else(|| io::Error::other("too many bytes"))?;
        text.push(b'"');
        text.resize(start + length, 0);
        STANDARD
            .encode_slice(bytes, &mut text[start..])
            .map_err(io::Error::other)?;
        text.push(b'"');
        return Ok(None);
    };
    let file = scratch.put(bytes)?;
    text.extend_from_slice(json!({"file": &*file}).to_string().as_bytes());
    Ok(Some(file))
}

/// Where an output goes when it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// The file that is to hold it; without one it goes into the message.
    pub file: Option<PathBuf>,
}

impl Place {
    /// Puts an output there; what the message says of it.
    pub(super) fn fill(&self, bytes: &[u8]) -> io::Result<Data> {
        match &self.file {
            None => Ok(Data::text(bytes)),
            Some(path) => {
                fs::write(path, bytes)?;
                Ok(Data::File(path.clone()))
            }
        }
    }
}

/// The bytes of a buffer that travel: all of it, or the tensor alone.
pub(super) fn travelling(buffer: &Buffer, guards: bool) -> &[u8] {
    if guards { buffer.whole() } else { buffer.tensor() }
}
