//! Arguments of `run`, and what they set.

use std::{
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    str::FromStr,
    sync::Arc,
};

use crate::cli::{
    args::{Bytes, Format, SelectArgs, SpecArgs, from_one},
    atomic_write,
    backend_args::{JudgeArgs, StartArgs},
    backends::BackendArg,
};
use dml_case::id::CaseId;
use dml_report::results::HALF_PRECISION;
use dml_run::engine::{Selection, Settings};

/// Arguments of `run`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) spec: SpecArgs,
    /// Backend to test: `cpu`, `reference`, `wgpu`, `directml` or `exec:PROGRAM ARGS`, with an optional label for reports
    /// (repeatable); default: `cpu`
    #[arg(long = "backend", value_name = "[LABEL=]SPEC")]
    pub(crate) backends: Vec<BackendArg>,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    #[command(flatten)]
    pub(crate) judging: JudgeArgs,
    /// Shuffle the order of the cases with this seed
    #[arg(long, value_name = "N")]
    pub(crate) shuffle: Option<u64>,
    /// Worker threads; default: one per core
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Memory limit for the cases that run at a time, over all worker threads; a case that needs more is skipped.
    /// Without a limit, large cases wait for each other
    #[arg(long, value_name = "BYTES")]
    pub(crate) memory: Option<Bytes>,
    /// Number of cases per batch; default: 64
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub(crate) batch: Option<NonZeroUsize>,
    /// Retry a failed case up to N times; if it then passes, report `flaky`
    #[arg(long, value_name = "N", default_value_t)]
    pub(crate) retries: u32,
    /// Do not look for the condition under which cases fail: that takes at most 128 further small cases for an operator, which
    /// are outside the plan and its counts. Shards and cases that are named by whole ids never do
    #[arg(long)]
    pub(crate) no_follow_up: bool,
    /// Run this case alone without a time limit: print the process id for a debugger or a frame capture, and wait for
    /// Enter
    #[arg(long, value_name = "ID", conflicts_with_all = ["queries", "clauses", "cases", "rerun", "shard", "retries"])]
    pub(crate) debug: Option<CaseId>,
    /// Stop after N failures
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroU64>)]
    pub(crate) max_failures: Option<NonZeroU64>,
    /// Format of the report on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write a report (repeatable). The extension selects the format: .jsonl stores the run for other commands, .html
    /// is a page, .md a summary, .xml JUnit
    #[arg(long = "report", value_name = "FILE.{jsonl,html,md,xml}")]
    pub(crate) reports: Vec<ReportFile>,
    /// Shrink the smallest case of each kind of failure and save it in this folder, for `repro`
    #[arg(long, value_name = "DIR")]
    pub(crate) save_failures: Option<PathBuf>,
    /// File of known failures, a list of `{query, outcome, class, because, link, until, only}` (repeatable). They are
    /// `xfail` and do not fail the run; those that pass are `xpass` and fail it
    #[arg(long, value_name = "FILE")]
    pub(crate) expectations: Vec<PathBuf>,
    /// Compare with a stored run: regressions and new failures are listed after the result and fail the run; reports
    /// show them first
    #[arg(long, value_name = "RUN.jsonl")]
    pub(crate) baseline: Option<PathBuf>,
    /// With --baseline: new cases, and cases whose expectation changed, are not regressions
    #[arg(long, requires = "baseline")]
    pub(crate) allow_new: bool,
    /// Measure where the time goes (planning, oracle, backend, judging, results, waiting; all threads together) and the
    /// time of each case, which reports keep for --shard-times. The backend's time for a batch is divided among its
    /// cases by their bytes; --batch 1 measures each case alone
    #[arg(long)]
    pub(crate) timings: bool,
    /// Keep the run complete despite skips for this reason (repeatable)
    #[arg(long = "allow-skip", value_name = "REASON")]
    pub(crate) allow_skip: Vec<String>,
    /// Print only the result
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print every group of failures and its ids
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// Forms of reports.
const FORMS: &str = ".jsonl (the run, to be read again), .html, .md and .xml (JUnit)";

/// A file for a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportFile(pub(crate) PathBuf);

impl ReportFile {
    /// Whether it stores the run, line by line.
    pub(crate) fn is_stored(&self) -> bool {
        self.0.extension().is_some_and(|extension| extension == "jsonl")
    }
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let path = PathBuf::from(s);
        match path.extension().and_then(|e| e.to_str()) {
            Some("jsonl" | "html" | "md" | "xml") => Ok(Self(path)),
            Some(other) => Err(format!("unknown report format `.{other}`; expected {FORMS}")),
            None => Err(format!("unknown format of the file; expected {FORMS}")),
        }
    }
}

impl Args {
    /// Fails if a file that is to be written is one that is read, or is written twice.
    pub(crate) fn check_files(&self) -> anyhow::Result<()> {
        let select = &self.select;
        let read = [&self.baseline, &select.rerun, &select.cases, &select.shard_times];
        let read = read.into_iter().flatten().chain(&self.expectations);
        let mut written: Vec<&PathBuf> = self.start.trace.iter().collect();
        written.extend(self.reports.iter().map(|report| &report.0));
        for (number, out) in written.iter().enumerate() {
            atomic_write::require_other_file(out, read.clone())?;
            anyhow::ensure!(
                !written.iter().take(number).any(|other| other == out),
                "{} would be written twice; name another file",
                out.display()
            );
        }
        Ok(())
    }

    /// What decides on outcomes beside the basis, as on the command line.
    pub(crate) fn options(&self) -> Vec<String> {
        let strict = self.judging.strict_reasons.then(|| "--strict-reasons".to_owned());
        let half = self.judging.half_precision.then(|| HALF_PRECISION.to_owned());
        let retries = (self.retries > 0).then(|| format!("--retries {}", self.retries));
        let allowed = self.allow_skip.iter();
        let allowed = allowed.map(|reason| format!("--allow-skip {}", shell_words::quote(reason)));
        let create = self.judging.create_only.then(|| "--create-only".to_owned());
        strict
            .into_iter()
            .chain(half)
            .chain(create)
            .chain(retries)
            .chain(allowed)
            .collect()
    }

    /// How to run.
    pub(crate) fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            tier: self.select.tier.tier(),
            seed: self.select.seed,
            basis: self.judging.basis.basis(),
            // The process that was started first is the one to look at.
            jobs: self
                .jobs
                .map_or(default.jobs, usize::from)
                .min(if self.debug.is_some() { 1 } else { usize::MAX }),
            batch: self.batch.map_or(default.batch, usize::from),
            max_failures: self.max_failures.map(u64::from),
            shuffle: self.shuffle,
            strict_reasons: self.judging.strict_reasons,
            half_precision: self.judging.half_precision,
            create_only: self.judging.create_only,
            timings: self.timings,
            retries: self.retries,
            follow_up: !self.no_follow_up,
            memory: self.memory.map(|bytes| bytes.0),
            // What one backend's part computed the next need not.
            expected_cache: (self.backends.len() > 1).then(Arc::default),
            ..default
        }
    }

    /// What is to run: the case that is to be debugged alone.
    pub(crate) fn selection(&self, wanted: Selection) -> Selection {
        let wanted = Selection {
            memory: self.memory.map(|bytes| bytes.0),
            ..wanted
        };
        match &self.debug {
            None => wanted,
            // Ids are queries.
            Some(id) => Selection {
                queries: id.as_str().parse().into_iter().collect(),
                ..wanted
            },
        }
    }
}
