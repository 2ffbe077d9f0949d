//! Reading stored runs line by line: memory holds one line, whatever the file is.

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use super::Line;
use crate::nearest::harmless;

/// Longest line that is read, in bytes: a flaky case may name the thousands that came before it.
const LONGEST: usize = 64 << 20;

/// A line that cannot be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file, where it has a name.
    pub file: Option<String>,
    /// Line from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}: {}", self.line, self.why),
            None => write!(f, "line {}: {}", self.line, self.why),
        }
    }
}

impl std::error::Error for ReadError {}

/// The lines of a stored run (or several), one at a time. It ends behind the first error.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    file: Option<String>,
    number: usize,
    /// Whether a run has begun and not ended.
    inside: bool,
    is_over: bool,
    buffer: Vec<u8>,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self::named(
            BufReader::with_capacity(1 << 16, file),
            &path.display().to_string(),
        ))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads what has no name.
    pub fn new(input: R) -> Self {
        Self {
            input,
            file: None,
            number: 0,
            inside: false,
            is_over: false,
            buffer: Vec::new(),
        }
    }

    /// Reads what errors are to call by this name.
    pub fn named(input: R, file: &str) -> Self {
        let file = Some(file.to_owned());
        Self {
            file,
            ..Self::new(input)
        }
    }

    /// Number of the line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.number
    }

    /// The next line that is not empty, `None` at the end.
    fn advance(&mut self) -> Result<Option<Line>, String> {
        loop {
            self.number += 1;
            self.buffer.clear();
            let mut limited = io::Read::take(&mut self.input, LONGEST as u64 + 1);
            let read = limited.read_until(b'\n', &mut self.buffer).map_err(|e| e.to_string())?;
            if read == 0 {
                return Ok(None);
            }
            if read > LONGEST {
                return Err(format!("the line is longer than {} MiB", LONGEST >> 20));
            }
            let text = str::from_utf8(&self.buffer).map_err(|e| format!("it is no UTF-8: {e}"))?;
            if text.trim().is_empty() {
                continue;
            }
            // What serde quotes comes from the file.
            let line = Line::parse(text).map_err(|why| harmless(&why))?;
            if !self.inside && !matches!(line, Line::Header(_)) {
                return Err("expected a header, a run starts here".to_owned());
            }
            self.inside = !matches!(line, Line::Footer(_));
            return Ok(Some(line));
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Line, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.advance();
        self.is_over = !matches!(read, Ok(Some(_)));
        let explain = |why| ReadError {
            file: self.file.clone(),
            line: self.number,
            why,
        };
        read.map_err(explain).transpose()
    }
}

/// Reads a stored run (or several) at once.
///
/// # Errors
/// The first line that cannot be read, or one that stands outside a run.
pub fn read(input: impl BufRead) -> Result<Vec<Line>, ReadError> {
    Reader::new(input).collect()
}
