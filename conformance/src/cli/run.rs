//! `run`: cases on backends, judged, reported.

use std::{
    fs::File,
    io::{BufWriter, Write},
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    str::FromStr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::Context;
use clap::ValueEnum;
use dml_ops::Backend;
use dml_spec::load;

use super::{
    args::{SelectArgs, SpecArgs, from_one},
    backends::BackendArg,
    save::Saver,
    source::{self, Loaded},
    subject::{JudgeArgs, StartArgs, again},
};
use crate::{
    backends::{self, Spec},
    id::CaseId,
    lock::Lock,
    nearest,
    report::{self, Collected, Ending, Facts, Progress, SavedCase, Terminal},
    results::Line,
    run::{Record, Resolved, Run, Selection, Settings, Sink, Totals},
};

/// Arguments of `run`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    select: SelectArgs,
    #[command(flatten)]
    spec: SpecArgs,
    /// What to test: `cpu`, `wgpu` or `exec:PROGRAM ARGS`, with an optional name for reports (repeatable); without it
    /// `cpu`
    #[arg(long = "backend", value_name = "[LABEL=]SPEC")]
    backends: Vec<BackendArg>,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    judging: JudgeArgs,
    /// Run in an order drawn with this seed
    #[arg(long, value_name = "N")]
    shuffle: Option<u64>,
    /// Worker threads; without it one a core
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    jobs: Option<NonZeroUsize>,
    /// Cases that are handed to a backend at a time; without it 64
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    batch: Option<NonZeroUsize>,
    /// Run a case that failed again, up to so many times; where it then does not fail, it is `flaky`
    #[arg(long, value_name = "N", default_value_t)]
    retries: u32,
    /// Run this case alone and without a limit of time, once Enter is pressed: the number of the process is printed for
    /// a debugger or a frame capture
    #[arg(long, value_name = "ID", conflicts_with_all = ["queries", "clauses", "cases", "rerun", "shard", "retries"])]
    debug: Option<CaseId>,
    /// Stop behind so many failures
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroU64>)]
    max_failures: Option<NonZeroU64>,
    /// Form of the report on standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Store the run in a file (repeatable); the extension names the form
    #[arg(long = "report", value_name = "FILE.jsonl")]
    reports: Vec<ReportFile>,
    /// For each kind of failure, make its smallest case smaller still and save it in this folder, for `repro`
    #[arg(long, value_name = "DIR")]
    save_failures: Option<PathBuf>,
    /// Measure every case, alone
    #[arg(long)]
    timings: bool,
    /// Skips for this reason leave the run complete (repeatable)
    #[arg(long = "allow-skip", value_name = "REASON")]
    allow_skip: Vec<String>,
    /// Print the result only
    #[arg(short, long)]
    quiet: bool,
    /// Print every group of failures and its ids
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

/// Longer than anyone debugs.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Form of the report on standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Human,
    /// One object (an array where there are several backends)
    Json,
}

/// A file for a stored run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ReportFile(PathBuf);

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let path = PathBuf::from(s);
        match path.extension().and_then(|e| e.to_str()) {
            Some("jsonl") => Ok(Self(path)),
            Some(other) => Err(format!("there is no report form `.{other}`; there is: .jsonl")),
            None => Err("the file's extension names the form of the report; there is: .jsonl".to_owned()),
        }
    }
}

impl Args {
    fn settings(&self) -> Settings {
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
            timings: self.timings,
            retries: self.retries,
        }
    }

    /// What is to run: the case that is to be debugged alone.
    fn selection(&self, wanted: Selection) -> Selection {
        match &self.debug {
            None => wanted,
            // Ids are queries.
            Some(id) => Selection {
                queries: id.as_str().parse().into_iter().collect(),
                ..wanted
            },
        }
    }

    /// The backends that are asked for, each started and with a label of its own.
    fn subjects(&self, loaded: &Loaded) -> anyhow::Result<Vec<Subject>> {
        let wanted = match &self.backends[..] {
            [] => &[BackendArg::default()][..],
            wanted => wanted,
        };
        let is = |b: &BackendArg, name| matches!(&b.spec, Spec::BuiltIn(found) if found == name);
        if self.start.adapter.is_some() && !wanted.iter().any(|b| is(b, backends::WITH_ADAPTER)) {
            anyhow::bail!("--adapter is for the backend wgpu, which is not among those to run");
        }
        let mut watch = self.start.watch(loaded, self.start.open_trace()?);
        if self.debug.is_some() {
            watch.timeout = FOREVER;
            watch.started = Some(Arc::default());
        }
        let mut subjects: Vec<Subject> = Vec::new();
        for BackendArg { label, spec } in wanted {
            let backend = self.start.start(spec, &self.spec, self.select.level, &watch)?;
            let own = || nearest::excerpt(&backend.info().name);
            let label = label.clone().unwrap_or_else(own);
            anyhow::ensure!(
                subjects.iter().all(|other| other.label != label),
                "two backends are named {label}; tell them apart: --backend {}",
                shell_words::quote(&format!("other={spec}"))
            );
            let started = watch
                .started
                .as_ref()
                .map_or(0, |started| started.swap(0, Ordering::Relaxed));
            let spec = spec.clone();
            subjects.push(Subject {
                label,
                spec,
                backend,
                process: if started == 0 { std::process::id() } else { started },
            });
        }
        Ok(subjects)
    }
}

/// A backend to test.
struct Subject {
    label: String,
    spec: Spec,
    backend: Box<dyn Backend>,
    /// Number of the process that it runs in.
    process: u32,
}

/// Runs; the exit code.
pub(super) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    terminal.set_quiet(args.quiet);
    let loaded = source::load(&args.spec, terminal)?;
    let (lock, lock_remedy) = (loaded.texts.lock()?, loaded.texts.lock_remedy(&args.spec));
    let Some(selection) = args.select.selection(&loaded.suite.catalog)? else {
        terminal.note("nothing failed in the stored run, so there is nothing to run again");
        return Ok(Ending::Incomplete.code());
    };
    let selection = args.selection(selection).resolve(&loaded.suite)?;
    let mut files = open_all(&args.reports)?;
    let (mut objects, mut codes) = (Vec::new(), Vec::new());
    for subject in args.subjects(&loaded)? {
        let one = One {
            args,
            loaded: &loaded,
            lock: &lock,
            lock_remedy: &lock_remedy,
            selection: &selection,
            subject: &subject,
        };
        let (object, ending) = one.run(&mut files, terminal)?;
        objects.push(object);
        codes.push(ending.code());
    }
    if args.format == Format::Json {
        let value = if objects.len() == 1 {
            objects.remove(0)
        } else {
            objects.into()
        };
        terminal.line(format!("{value:#}"));
    }
    Ok(worst(&codes))
}

/// Not conformant weighs more than incomplete.
fn worst(codes: &[u8]) -> u8 {
    [1, 3].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}

type Files = Vec<(PathBuf, BufWriter<File>)>;

fn open_all(reports: &[ReportFile]) -> anyhow::Result<Files> {
    let open = |report: &ReportFile| {
        let file = File::create(&report.0).with_context(|| report.0.display().to_string())?;
        Ok((report.0.clone(), BufWriter::new(file)))
    };
    reports.iter().map(open).collect()
}

/// One backend's part of the run.
struct One<'a> {
    args: &'a Args,
    loaded: &'a Loaded,
    lock: &'a Lock,
    lock_remedy: &'a str,
    selection: &'a Resolved,
    subject: &'a Subject,
}

impl One<'_> {
    fn run(&self, files: &mut Files, terminal: &mut Terminal) -> anyhow::Result<(serde_json::Value, Ending)> {
        let settings = self.args.settings();
        let run = Run {
            suite: &self.loaded.suite,
            backend: &*self.subject.backend,
            selection: self.selection,
            settings: &settings,
            lock: Some(self.lock),
        };
        let levels: Vec<String> = run.table_levels().iter().map(ToString::to_string).collect();
        let corpus_digest = self.lock.digest().to_string();
        let spec_digest = load::digest(&self.loaded.texts.files);
        let info = self.subject.backend.info();
        let none = Totals::default();
        let mut facts = Facts {
            label: &self.subject.label,
            tier: self.args.select.tier.word(),
            basis: self.args.judging.basis.word(),
            levels: &levels,
            seed: settings.seed,
            validator: report::validator(&info),
            spec_digest: &spec_digest,
            corpus_digest: &corpus_digest,
            lock_remedy: self.lock_remedy,
            has_lock: !self.lock.buckets.is_empty(),
            allowed_skips: &self.args.allow_skip,
            totals: &none,
        };
        let mut out = Out { files, error: None };
        out.write(&report::header(&facts, &info, std::env::args().collect()));
        let mut sink = RunSink {
            out,
            collected: Collected::default(),
            progress: Progress::new(terminal, &self.subject.label),
            failed: 0,
        };
        if self.args.debug.is_some() {
            wait(&self.subject.label, self.subject.process, terminal)?;
        }
        let totals = run.execute(&mut sink);
        facts.totals = &totals;
        let RunSink {
            mut out,
            collected,
            progress,
            ..
        } = sink;
        drop(progress);
        out.write(&report::footer(&facts));
        out.finish()?;
        let saved = self.save(&run, &collected, &spec_digest, terminal)?;
        if self.args.format == Format::Human {
            self.print(terminal, &facts, &collected, &saved);
        } else {
            report::incomplete(terminal, &facts);
        }
        Ok((report::object(&facts), facts.ending()))
    }

    /// What names the backend and how it is judged, in a command that runs a case again as it ran here.
    fn again(&self) -> String {
        let (spec, args) = (&self.subject.spec, self.args);
        again(spec, &args.spec, &args.judging)
    }

    /// Saves a case for each kind of failure, where that is wanted.
    fn save(
        &self,
        run: &Run<'_>,
        collected: &Collected,
        spec_digest: &str,
        terminal: &mut Terminal,
    ) -> anyhow::Result<Vec<SavedCase>> {
        let Some(folder) = &self.args.save_failures else {
            return Ok(Vec::new());
        };
        // Several backends have a folder each.
        let folder = match self.args.backends.len() {
            0 | 1 => folder.clone(),
            _ => folder.join(&self.subject.label),
        };
        let saver = Saver {
            suite: &self.loaded.suite,
            folder: &folder,
            label: &self.subject.label,
            spec_digest,
            again: self.again(),
        };
        saver.save(run, &collected.failures(), terminal)
    }

    fn print(&self, terminal: &mut Terminal, facts: &Facts<'_>, collected: &Collected, saved: &[SavedCase]) {
        if !self.args.quiet {
            report::summary(terminal, collected, self.args.verbose);
            report::failures(
                terminal,
                &self.loaded.suite,
                &format!("dml-cts run {}", self.again()),
                collected,
                saved,
                self.args.verbose,
            );
            terminal.line("");
        }
        report::ending(terminal, facts);
    }
}

/// Waits until someone has attached whatever is to be attached.
fn wait(label: &str, process: u32, terminal: &mut Terminal) -> anyhow::Result<()> {
    terminal.warn(format_args!(
        "{label} is process {process}; press Enter to send the case"
    ));
    std::io::stdin()
        .read_line(&mut String::new())
        .context("standard input")?;
    Ok(())
}

/// Stored runs in the making.
struct Out<'a> {
    files: &'a mut Files,
    error: Option<anyhow::Error>,
}

impl Out<'_> {
    /// Writes a line to every file; the first mistake is kept.
    fn write(&mut self, line: &Line) {
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

    fn finish(self) -> anyhow::Result<()> {
        self.error.map_or(Ok(()), Err)?;
        self.files
            .iter_mut()
            .try_for_each(|(path, file)| file.flush().with_context(|| path.display().to_string()))
    }
}

/// Takes results in as they come.
struct RunSink<'a> {
    out: Out<'a>,
    collected: Collected,
    progress: Progress,
    failed: u64,
}

impl Sink for RunSink<'_> {
    fn record(&mut self, record: &Record) {
        self.collected.add(record);
        self.failed += u64::from(record.judged.outcome.is_failure());
        if !self.out.files.is_empty() {
            self.out.write(&report::case_line(record));
        }
    }

    fn progress(&mut self, done: usize, total: usize) {
        self.progress.set(done, total, format!("{} failed", self.failed));
    }
}
