//! Lines of bounded length.

use std::io::{self, BufRead};

/// What stood on a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A whole line, without its end.
    Whole(Vec<u8>),
    /// The stream ended within a line.
    Partial(Vec<u8>),
    /// The line is longer than allowed; its start.
    TooLong(Vec<u8>),
    /// The stream ended.
    End,
}

/// Bytes that are kept of a line that is too long.
const START: usize = 256;

/// Reads the next line, of at most `limit` bytes. The limit is asked for as bytes come: what raises it while nothing comes
/// holds for the line that is waited for.
///
/// # Errors
/// If the stream cannot be read.
pub fn read_line(stream: &mut impl BufRead, limit: impl Fn() -> u64) -> io::Result<Line> {
    let mut line = Vec::new();
    loop {
        let found = match stream.fill_buf() {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if found.is_empty() {
            break;
        }
        let (end, is_whole) = match found.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (found.len(), false),
        };
        let room = (limit().saturating_add(1)).saturating_sub(line.len() as u64);
        let taken = usize::try_from(room).unwrap_or(usize::MAX).min(end);
        line.extend_from_slice(&found[..taken]);
        stream.consume(taken);
        if is_whole && taken == end {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Line::Whole(line));
        }
        if line.len() as u64 > limit() {
            line.truncate(START);
            return Ok(Line::TooLong(line));
        }
    }
    Ok(if line.is_empty() {
        Line::End
    } else {
        Line::Partial(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_partial_or_too_long() {
        let mut stream = &b"one\r\ntwo\n\nabcdefgh\nend"[..];
        let mut next = || read_line(&mut stream, || 5).unwrap();
        assert_eq!(next(), Line::Whole(b"one".to_vec()));
        assert_eq!(next(), Line::Whole(b"two".to_vec()));
        assert_eq!(next(), Line::Whole(Vec::new()));
        assert_eq!(next(), Line::TooLong(b"abcdef".to_vec()));
        assert_eq!(next(), Line::Whole(b"gh".to_vec()));
        assert_eq!(next(), Line::Partial(b"end".to_vec()));
        assert_eq!(next(), Line::End);
    }

    #[test]
    fn a_limit_that_rises_before_the_line_comes_holds_for_it() {
        use std::cell::Cell;

        /// Raises the limit before anything comes, as a request does on which the line is the answer.
        struct Raising<'a>(&'a [u8], &'a Cell<u64>);

        impl io::Read for Raising<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.1.set(20);
                self.0.read(into)
            }
        }

        let limit = Cell::new(5);
        let mut stream = io::BufReader::with_capacity(4, Raising(b"abcdefghijkl\n", &limit));
        assert_eq!(
            read_line(&mut stream, || limit.get()).unwrap(),
            Line::Whole(b"abcdefghijkl".to_vec())
        );
    }
}
