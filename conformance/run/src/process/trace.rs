//! The conversation with programs, kept in a file.

use std::{
    fs::File,
    io::{self, LineWriter, Write},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use dml_case::text::printable;

/// Where the lines of all programs go, in the order in which they were sent and came.
#[derive(Clone, Debug)]
pub struct Trace {
    file: Arc<Mutex<LineWriter<File>>>,
    started: Arc<AtomicUsize>,
}

impl Trace {
    /// Starts a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: Arc::new(Mutex::new(LineWriter::new(File::create(path)?))),
            started: Arc::default(),
        })
    }

    /// The next process's part in it.
    pub(super) fn of_process(&self) -> ProcessTrace {
        ProcessTrace {
            trace: self.clone(),
            process: self.started.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }
}

/// One process's part in a trace.
#[derive(Clone, Debug)]
pub(super) struct ProcessTrace {
    trace: Trace,
    process: usize,
}

impl ProcessTrace {
    /// Keeps lines that were sent.
    pub(super) fn sent(&self, text: &[u8]) {
        text.split_inclusive(|byte| *byte == b'\n')
            .for_each(|line| self.write("->", line));
    }

    /// Keeps a line that came.
    pub(super) fn came(&self, line: &[u8]) {
        self.write("<-", line);
    }

    /// Keeps how the process ended.
    pub(super) fn ended(&self, how: &str) {
        self.write("--", how.as_bytes());
    }

    fn write(&self, direction: &str, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = printable(text.trim_end_matches('\n'), usize::MAX);
        // A trace that cannot be written must not end the run.
        if let Ok(mut file) = self.trace.file.lock() {
            let _ = writeln!(file, "{} {direction} {text}", self.process);
        }
    }
}
