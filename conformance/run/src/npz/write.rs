//! Writes an archive.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

/// Bytes that the head of an array is a multiple of.
const ALIGNMENT: usize = 64;

/// An archive that is being written.
pub(crate) struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Default for Archive {
    fn default() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }
}

impl Archive {
    /// Adds an array of this NumPy type.
    pub(crate) fn array(&mut self, name: &str, descr: &str, sizes: &[u32], data: &[u8]) -> Result<(), String> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default());
        let written = self.0.start_file(format!("{name}.npy"), options);
        written.map_err(|e| e.to_string())?;
        let head = head(descr, sizes);
        let written = self.0.write_all(&head).and_then(|()| self.0.write_all(data));
        written.map_err(|e| e.to_string())
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> Result<(), String> {
        // NumPy has no texts without a character: they are one that is zero.
        let text = if text.is_empty() { "\0" } else { text };
        let points: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        self.array(name, &format!("<U{}", text.chars().count().max(1)), &[], &points)
    }

    /// The bytes of the archive.
    pub(crate) fn finish(self) -> Result<Vec<u8>, String> {
        self.0.finish().map(Cursor::into_inner).map_err(|e| e.to_string())
    }
}

/// What stands before the data of an array, format 1.0.
fn head(descr: &str, sizes: &[u32]) -> Vec<u8> {
    let sizes: String = sizes.iter().map(|n| format!("{n},")).collect();
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    let length = (head.len() + 2 + text.len() + 1).next_multiple_of(ALIGNMENT) - head.len() - 2;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    head.extend((length as u16).to_le_bytes());
    head.extend(text.into_bytes());
    head
}
