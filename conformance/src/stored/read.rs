//! Stored runs line by line, so that a run of any length takes the memory of its longest line.

use std::io::{BufRead, Lines};

use crate::results::{Line, ReadError};

/// Reads the lines of a file of stored runs, each in its place.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    number: usize,
    inside: bool,
}

impl<R: BufRead> Reader<R> {
    /// A file from its beginning.
    pub fn new(input: R) -> Self {
        Self {
            lines: input.lines(),
            number: 0,
            inside: false,
        }
    }

    /// Number of the line that was read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    fn parse(&mut self, text: &str) -> Result<Line, String> {
        let line = Line::parse(text)?;
        match (&line, self.inside) {
            (Line::Header(_), _) => self.inside = true,
            (_, false) => return Err("expected a header, a run starts here".to_owned()),
            (Line::Footer(_), true) => self.inside = false,
            (Line::Case(_), true) => {}
        }
        Ok(line)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Line, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = self.lines.next()?;
            self.number += 1;
            let line = match text {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => self.parse(&text),
                Err(error) => Err(error.to_string()),
            };
            let number = self.number;
            return Some(line.map_err(|why| ReadError { line: number, why }));
        }
    }
}
