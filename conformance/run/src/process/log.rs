//! The last of what a program writes to its standard error.

use std::{
    collections::VecDeque,
    io::Read,
    sync::{Arc, Mutex, PoisonError},
};

use dml_case::text::printable;

/// Bytes that are kept.
const KEPT: usize = 16 << 10;

/// Lines that go into a message, and characters of each.
const SHOWN: (usize, usize) = (8, 200);

/// Bytes of a stream, the last ones only.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Arc<Mutex<VecDeque<u8>>>);

impl Log {
    /// Reads a stream to its end.
    pub(super) fn follow(&self, mut stream: impl Read) {
        let mut bytes = [0; 4096];
        while let Ok(read @ 1..) = stream.read(&mut bytes) {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&bytes[..read]);
            let over = kept.len().saturating_sub(KEPT);
            kept.drain(..over);
        }
    }

    /// Everything that is kept.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The last lines on one line, fit to print: `; it wrote: …`. Empty if there are none.
    pub(super) fn tail(&self) -> String {
        let (lines, characters) = SHOWN;
        let text = self.text();
        let mut all: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        all.dedup();
        let last = all.iter().skip(all.len().saturating_sub(lines));
        let shown: Vec<String> = last.map(|line| printable(line, characters)).collect();
        if shown.is_empty() {
            String::new()
        } else {
            format!("; it wrote: {}", shown.join(" | "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_safe_to_print() {
        let log = Log::default();
        assert_eq!(log.tail(), "");
        log.follow(&b"one\n\none\n\x1b[31m\"two\"\xff\n"[..]);
        assert_eq!(log.tail(), "; it wrote: one | \\u{1b}[31m\"two\"\u{fffd}");
        log.follow(std::io::repeat(b'x').take(1 << 20));
        assert_eq!(log.text().len(), KEPT);
    }
}
