//! Where the results of a run go: stored runs, what reports remember, the progress bar.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
    time::Instant,
};

use anyhow::Context;
use serde::Serialize;
use tempfile::TempPath;

use super::args::ReportFile;
use crate::cli::{atomic_write::is_written_through, render, source::Loaded};
use dml_case::{
    record::{Record, Sink},
    text::grouped,
};
use dml_report::results::{Header, Kept, Line};
use dml_report::{
    self, Collected, Progress,
    comparison::{Compared, Comparison},
    render::Before,
};

/// Where the lines of the run go.
pub(super) struct Files {
    /// Stored runs with their paths.
    stored: Vec<(PathBuf, BufWriter<File>)>,
    /// Documents, made of a stored run when the run is over.
    documents: Vec<PathBuf>,
    /// What they are made of; it goes with the run.
    draft: Option<TempPath>,
    news: News,
}

/// Of each backend that is compared with a run before: the ids of cases that fail and did not.
#[derive(Default)]
struct News(HashMap<String, HashSet<String>>);

impl Before for News {
    fn knows(&self, header: &Header) -> bool {
        self.0.contains_key(&header.backend.label)
    }

    fn is_news(&self, header: &Header, case: &Record) -> bool {
        let news = self.0.get(&header.backend.label);
        news.is_some_and(|news| news.contains(case.id.as_str()))
    }
}

impl Files {
    /// Starts the files. Fails now, not at the end of the run, if one cannot be written.
    pub(super) fn open(reports: &[ReportFile]) -> anyhow::Result<Self> {
        let (stored, documents): (Vec<_>, Vec<_>) = reports.iter().partition(|report| report.is_stored());
        let create = |report: &ReportFile| {
            let file = File::create(&report.0).with_context(|| report.0.display().to_string())?;
            Ok((report.0.clone(), BufWriter::new(file)))
        };
        let mut stored: Vec<_> = stored.into_iter().map(create).collect::<anyhow::Result<_>>()?;
        // To open a pipe and close it again is to end it.
        let mut files = documents.iter().filter(|report| !is_written_through(&report.0));
        files.try_for_each(|report| create(report).map(drop))?;
        let mut draft = None;
        if !documents.is_empty() {
            let (file, path) = tempfile::NamedTempFile::new().context("a temporary file")?.into_parts();
            stored.push((path.to_path_buf(), BufWriter::new(file)));
            draft = Some(path);
        }
        Ok(Self {
            stored,
            documents: documents.into_iter().map(|report| report.0.clone()).collect(),
            draft,
            news: News::default(),
        })
    }

    /// A backend was compared with a run before, and these cases are not what they were.
    pub(super) fn compared(&mut self, compared: &Compared) {
        let news = compared.items.iter().filter(|item| item.change.is_new_failure());
        let news = news.map(|item| item.id.clone()).collect();
        self.news.0.insert(compared.backend.clone(), news);
    }

    /// Writes the documents, once every run is over.
    pub(super) fn finish(self, loaded: &Loaded) -> anyhow::Result<()> {
        let Self {
            stored,
            documents,
            draft,
            news,
        } = self;
        drop(stored);
        match draft {
            Some(draft) => render::write(loaded, &[draft.to_path_buf()], &documents, &news).map(drop),
            None => Ok(()),
        }
    }
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
        match line {
            Line::Header(header) => self.write_json(header),
            Line::Case(record) => self.write_json(record),
            Line::Footer(footer) => self.write_json(footer),
        }
    }

    fn write_json(&mut self, line: &impl Serialize) {
        if self.files.stored.is_empty() || self.error.is_some() {
            return;
        }
        let written = serde_json::to_string(line)
            .map_err(anyhow::Error::from)
            .and_then(|text| {
                self.files
                    .stored
                    .iter_mut()
                    .try_for_each(|(path, file)| writeln!(file, "{text}").with_context(|| path.display().to_string()))
            });
        self.error = written.err();
    }

    /// Hands everything to the system; what went wrong until then.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.error.map_or(Ok(()), Err)?;
        self.files
            .stored
            .iter_mut()
            .try_for_each(|(path, file)| file.flush().with_context(|| path.display().to_string()))
    }
}

/// Takes results in as they come.
pub(super) struct RunSink<'a> {
    pub(super) out: Out<'a>,
    pub(super) collected: Collected,
    pub(super) progress: Progress,
    start: Instant,
    cases: u64,
    failed: u64,
    kept: Kept,
    /// The run before, if there is one to compare with.
    pub(super) comparison: Option<Comparison>,
}

impl<'a> RunSink<'a> {
    /// A sink that has seen nothing yet.
    pub(super) fn new(out: Out<'a>, progress: Progress) -> Self {
        Self {
            out,
            collected: Collected::default(),
            progress,
            start: Instant::now(),
            cases: 0,
            failed: 0,
            kept: Kept::default(),
            comparison: None,
        }
    }
}

impl Sink for RunSink<'_> {
    fn record(&mut self, record: &Record) {
        self.collected.add(record);
        self.cases += 1;
        self.failed += u64::from(record.outcome.is_failure());
        if self.out.files.stored.is_empty() && self.comparison.is_none() {
            return;
        }
        let line = dml_report::case_line(record, &mut self.kept);
        if let Some(comparison) = &mut self.comparison {
            comparison.case(&line);
        }
        self.out.write_json(&*line);
    }

    fn progress(&mut self, done: usize, total: usize) {
        let rate = self.cases as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        let message = format!(
            "{} cases, {rate:.0}/s, {} failed",
            grouped(self.cases),
            grouped(self.failed)
        );
        self.progress.set(done, total, message);
    }
}
