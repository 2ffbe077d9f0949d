//! What came of a line whose end did not come yet, for when it never comes.

use std::{
    io::{self, Read},
    sync::{Arc, Mutex, PoisonError},
};

/// Bytes that are kept.
const KEPT: usize = 256;

/// The start of the line that a stream stopped in.
#[derive(Clone, Debug, Default)]
pub(super) struct Unfinished(Arc<Mutex<Vec<u8>>>);

impl Unfinished {
    /// What is there; empty if the last line is whole.
    pub(super) fn start(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A stream whose last line is kept.
    pub(super) fn of<R>(&self, stream: R) -> Followed<R> {
        let unfinished = self.clone();
        Followed { stream, unfinished }
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                kept.clear();
                &bytes[end + 1..]
            }
            None => bytes,
        };
        let room = KEPT - kept.len();
        kept.extend_from_slice(&rest[..rest.len().min(room)]);
    }
}

/// A stream whose last line is kept.
pub(super) struct Followed<R> {
    stream: R,
    unfinished: Unfinished,
}

impl<R: Read> Read for Followed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.unfinished.add(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_no_end_is_kept() {
        let unfinished = Unfinished::default();
        for (bytes, left) in [
            (&b"one\ntw"[..], &b"tw"[..]),
            (b"o", b"two"),
            (b"\n", b""),
            (b"a\nb\nthree", b"three"),
        ] {
            let mut stream = unfinished.of(bytes);
            io::copy(&mut stream, &mut io::sink()).unwrap();
            assert_eq!(unfinished.start(), left);
        }
        unfinished.add(&[b'x'; 5000]);
        assert_eq!(unfinished.start().len(), KEPT);
    }
}
