//! Where the results of a run go: stored runs, what reports remember, the progress bar.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

use anyhow::Context;

use super::args::ReportFile;
use crate::{
    report::{self, Collected, Progress},
    results::{Kept, Line},
    run::{Record, Sink},
};

/// Stored runs with their paths.
pub(super) type Files = Vec<(PathBuf, BufWriter<File>)>;

/// Starts the files.
pub(super) fn open_all(reports: &[ReportFile]) -> anyhow::Result<Files> {
    let open = |report: &ReportFile| {
        let file = File::create(&report.0).with_context(|| report.0.display().to_string())?;
        Ok((report.0.clone(), BufWriter::new(file)))
    };
    reports.iter().map(open).collect()
}

/// Stored runs in the making.
pub(super) struct Out<'a> {
    files: &'a mut Files,
    error: Option<anyhow::Error>,
}

impl<'a> Out<'a> {
    /// Writes to these files.
    pub(super) fn new(files: &'a mut Files) -> Self {
        Self { files, error: None }
    }

    /// Writes a line to every file; the first mistake is kept.
    pub(super) fn write(&mut self, line: &Line) {
        if self.files.is_empty() || self.error.is_some() {
            return;
        }
        let written = line.to_json().map_err(anyhow::Error::from).and_then(|text| {
            self.files
                .iter_mut()
                .try_for_each(|(path, file)| writeln!(file, "{text}").with_context(|| path.display().to_string()))
        });
        self.error = written.err();
    }

    /// Hands everything to the system; what went wrong until then.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.error.map_or(Ok(()), Err)?;
        self.files
            .iter_mut()
            .try_for_each(|(path, file)| file.flush().with_context(|| path.display().to_string()))
    }
}

/// Takes results in as they come.
pub(super) struct RunSink<'a> {
    pub(super) out: Out<'a>,
    pub(super) collected: Collected,
    pub(super) progress: Progress,
    failed: u64,
    kept: Kept,
}

impl<'a> RunSink<'a> {
    /// A sink that has seen nothing yet.
    pub(super) fn new(out: Out<'a>, progress: Progress) -> Self {
        Self {
            out,
            collected: Collected::default(),
            progress,
            failed: 0,
            kept: Kept::default(),
        }
    }
}

impl Sink for RunSink<'_> {
    fn record(&mut self, record: &Record) {
        self.collected.add(record);
        self.failed += u64::from(record.judged.outcome.is_failure());
        if !self.out.files.is_empty() {
            let line = report::case_line(record, &mut self.kept);
            self.out.write(&line);
        }
    }

    fn progress(&mut self, done: usize, total: usize) {
        self.progress.set(done, total, format!("{} failed", self.failed));
    }
}
