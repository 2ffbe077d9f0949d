//! Reads stored runs line by line: memory holds one line, and a number for each id, for files of any size.
//!
//! A run that is killed leaves a file without a footer, which may end within a line. That is no error of the file: the
//! run is incomplete, as is one whose lines differ from the counts in its footer. [`Reader::take_damage`] reports that.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use serde::de::IgnoredAny;
use xxhash_rust::xxh3::xxh3_64;

use super::{Footer, Line};
use dml_case::{
    digest::Digest,
    id::CaseId,
    nearest::{excerpt, harmless},
    outcome::Outcome,
    record::Record,
    sample::Sampled,
};

/// Longest line that is read, in bytes: a flaky case may name the thousands that came before it.
const LONGEST: usize = 64 << 20;

/// What is wrong with a file without a line.
const NO_RUN: &str = "no stored run in this file; make one with `dml-cts run --report FILE.jsonl`";

/// A line that cannot be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.why)
    }
}

impl std::error::Error for ReadError {}

/// The run that is being read.
#[derive(Debug)]
struct Open {
    label: String,
    counts: BTreeMap<String, u64>,
    /// A mark of each case, by the hash of its id.
    seen: HashMap<u64, u32>,
}

/// The lines of a stored run (or several), one at a time. It ends after the first error; that there is no run is one.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    file: String,
    number: usize,
    /// The run that has begun and not ended.
    open: Option<Open>,
    damage: Vec<String>,
    is_over: bool,
    /// Whether a run has begun so far.
    has_run: bool,
    buffer: Vec<u8>,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self::named(
            BufReader::with_capacity(1 << 16, file),
            &path.display().to_string(),
        ))
    }
}

impl<R: BufRead> Reader<R> {
    /// A reader of `input`; errors use `file` as its name.
    pub fn named(input: R, file: &str) -> Self {
        Self {
            input,
            file: file.to_owned(),
            number: 0,
            open: None,
            damage: Vec::new(),
            is_over: false,
            has_run: false,
            buffer: Vec::new(),
        }
    }

    /// Number of the line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.number
    }

    /// Runs found incomplete since the last call: those that were cut short, and those whose lines differ from the
    /// counts in their footers. That a run was cut short is known after its last line.
    pub fn take_damage(&mut self) -> Vec<String> {
        std::mem::take(&mut self.damage)
    }

    /// The next line that is not empty, `None` at the end.
    fn advance(&mut self) -> Result<Option<Line>, String> {
        loop {
            self.number += 1;
            self.buffer.clear();
            let mut limited = io::Read::take(&mut self.input, LONGEST as u64 + 1);
            let read = limited.read_until(b'\n', &mut self.buffer).map_err(|e| e.to_string())?;
            if read == 0 {
                self.cut_short();
                return match self.has_run {
                    true => Ok(None),
                    false => Err(NO_RUN.to_owned()),
                };
            }
            if read > LONGEST {
                return Err(format!("the line is longer than {} MiB", LONGEST >> 20));
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            return match parse(&self.buffer) {
                Ok(line) => self.take(line).map(Some),
                Err(_) if is_cut(&self.buffer) && self.is_at_end() => {
                    if self.open.is_none() {
                        return Err("the run was cut short within its header; run it again".to_owned());
                    }
                    self.cut_short();
                    Ok(None)
                }
                Err(why) => Err(why),
            };
        }
    }

    fn is_at_end(&mut self) -> bool {
        self.input.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// Checks a line against those before.
    fn take(&mut self, mut line: Line) -> Result<Line, String> {
        if let Line::Header(header) = &line {
            self.cut_short();
            self.has_run = true;
            self.open = Some(Open {
                label: excerpt(&header.backend.label),
                counts: BTreeMap::new(),
                seen: HashMap::new(),
            });
            return Ok(line);
        }
        let Some(run) = &mut self.open else {
            return Err("expected a header, a run starts here".to_owned());
        };
        match &mut line {
            Line::Case(case) => run.case(case)?,
            Line::Footer(footer) => {
                let contradicts = |sampled: &&Sampled| run.contradicts(sampled, footer.complete);
                footer.contradicted = footer.samples.iter().find(contradicts).map(|of| of.id.clone());
                if let Some(doubt) = run.doubt(footer) {
                    footer.complete = false;
                    footer.incomplete.push(doubt.clone());
                    let label = run.label.clone();
                    self.damaged(&format!(
                        "the run of {label} is incomplete: {doubt}; restore the file, or run it again"
                    ));
                    footer.doubts.push(doubt);
                }
                self.open = None;
            }
            Line::Header(_) => {}
        }
        Ok(line)
    }

    /// The run that is open has no footer.
    fn cut_short(&mut self) {
        if let Some(run) = self.open.take() {
            self.damaged(&format!(
                "the run of {} was cut short, as it has no footer; run it again",
                run.label
            ));
        }
    }

    fn damaged(&mut self, what: &str) {
        self.damage.push(format!("{}: {what}", self.file));
    }
}

impl Open {
    fn case(&mut self, case: &Record) -> Result<(), String> {
        let known = self.seen.insert(hash(&case.id), mark(case.expectation, case.outcome));
        if known.is_some() {
            return Err(format!(
                "{} is in this run already; a case has one line",
                excerpt(case.id.as_str())
            ));
        }
        match self.counts.get_mut(case.outcome.word()) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(case.outcome.word().to_owned(), 1)),
        }
        Ok(())
    }

    /// Whether a sample is of another case than the line of its id, or failed where that passes. A run that was cut short may
    /// lack the line.
    fn contradicts(&self, sampled: &Sampled, is_complete: bool) -> bool {
        if sampled.follow_up {
            return false;
        }
        let outcomes: &[Outcome] = match sampled.failed {
            true => &[Outcome::Fail, Outcome::XFail],
            false => &[Outcome::Pass, Outcome::XPass],
        };
        let Some(known) = self.seen.get(&hash(&sampled.id)) else {
            return is_complete;
        };
        // It may have been judged once more: alone, or after the program was lost.
        let outcomes = outcomes.iter().chain(&AGAIN);
        let mut marks = outcomes.map(|outcome| mark(sampled.digest, *outcome));
        !marks.any(|mark| mark == *known)
    }

    /// The differences between the lines and the counts in the footer.
    fn doubt(&self, footer: &Footer) -> Option<String> {
        let words: BTreeSet<&String> = self.counts.keys().chain(footer.counts.keys()).collect();
        let of = |counts: &BTreeMap<String, u64>, word: &String| counts.get(word).copied().unwrap_or(0);
        let differing = words.into_iter().filter_map(|word| {
            let (message, found) = (of(&footer.counts, word), of(&self.counts, word));
            (message != found).then(|| format!("{found} {} of {message}", excerpt(word)))
        });
        let differing: Vec<String> = differing.collect();
        match differing.is_empty() {
            true => None,
            false => Some(format!(
                "its lines differ from the counts of its footer: {}",
                differing.join(", ")
            )),
        }
    }
}

/// Outcomes of cases that are judged more than once.
const AGAIN: [Outcome; 5] = [
    Outcome::Flaky,
    Outcome::Crash,
    Outcome::Timeout,
    Outcome::DeviceLost,
    Outcome::HarnessError,
];

/// Stands for a case and its outcome.
fn mark(digest: Digest, outcome: Outcome) -> u32 {
    let place = Outcome::ALL.iter().position(|of| *of == outcome);
    digest.0 as u32 ^ place.unwrap_or_default() as u32
}

/// Stands for an id.
fn hash(id: &CaseId) -> u64 {
    xxh3_64(id.as_str().as_bytes())
}

fn parse(line: &[u8]) -> Result<Line, String> {
    let text = str::from_utf8(line).map_err(|e| format!("invalid UTF-8: {e}"))?;
    // Text that serde quotes comes from the file.
    Line::parse(text).map_err(|why| harmless(&why))
}

/// Whether a line may be the start of one: it is invalid JSON only because its end is missing.
fn is_cut(line: &[u8]) -> bool {
    match serde_json::from_slice::<IgnoredAny>(line.trim_ascii_end()) {
        Ok(_) => false,
        Err(error) => error.is_eof() || !line.ends_with(b"\n"),
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
