//! Lines of bounded length.

use std::io::{self, BufRead, Read};

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

/// Reads the next line, of at most `limit` bytes.
///
/// # Errors
/// Where the stream cannot be read.
pub fn read_line(stream: &mut impl BufRead, limit: u64) -> io::Result<Line> {
    let mut line = Vec::new();
    stream.take(limit.saturating_add(1)).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        return Ok(Line::Whole(line));
    }
    Ok(match line.len() {
        0 => Line::End,
        length if length as u64 > limit => {
            line.truncate(START);
            Line::TooLong(line)
        }
        _ => Line::Partial(line),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_partial_or_too_long() {
        let mut stream = &b"one\r\ntwo\n\nabcdefgh\nend"[..];
        let mut next = || read_line(&mut stream, 5).unwrap();
        assert_eq!(next(), Line::Whole(b"one".to_vec()));
        assert_eq!(next(), Line::Whole(b"two".to_vec()));
        assert_eq!(next(), Line::Whole(Vec::new()));
        assert_eq!(next(), Line::TooLong(b"abcdef".to_vec()));
        assert_eq!(next(), Line::Whole(b"gh".to_vec()));
        assert_eq!(next(), Line::Partial(b"end".to_vec()));
        assert_eq!(next(), Line::End);
    }
}
