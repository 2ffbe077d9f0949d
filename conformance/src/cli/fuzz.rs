//! `fuzz`: random cases on a backend, judged and reported as in a run.

use std::{
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use dml_spec::FeatureLevel;
use dml_spec_yaml::load;

use super::{
    args::{from_one, require_level},
    backend_args::TestedArgs,
    save::Saver,
    source,
};
use dml_adequacy::fuzz::{Fuzz, Limit};
use dml_case::{
    query::Query,
    record::{Record, Sink, Totals},
};
use dml_plan::planner::Planner;
use dml_report::{Collected, Facts, Progress, Terminal};
use dml_run::engine::{Run, Selection, Settings};

/// Failures after which a run ends by itself: more of them say nothing new.
const FAILURES: u64 = 10_000;

/// Cases from one look of the progress bar to the next.
const LOOK: u64 = 64;

/// Arguments of `fuzz`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Draw only cases that match: `OPERATOR:LEVEL:FAMILY:key=value,…`, or a prefix, with `*`; the family `faults`
    /// draws invalid descriptors
    #[arg(value_name = "QUERY")]
    queries: Vec<Query>,
    /// Time limit in minutes
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "cases")]
    minutes: Minutes,
    /// Run N cases instead; the same ones for the same seed
    #[arg(long, value_name = "N")]
    cases: Option<NonZeroU64>,
    /// Seed of the random cases
    #[arg(long, value_name = "N", default_value_t)]
    seed: u64,
    /// Test as a backend of this feature level: tables up to it
    #[arg(long, value_name = "LEVEL")]
    level: Option<FeatureLevel>,
    /// Worker threads; default: one per core
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    jobs: Option<NonZeroUsize>,
    /// Stop after N failures; default: 10000
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroU64>)]
    max_failures: Option<NonZeroU64>,
    /// Shrink the smallest case of each kind of failure and save it in this folder, for `repro`
    #[arg(long, value_name = "DIR")]
    save_failures: Option<PathBuf>,
    /// Keep the run complete despite skips for this reason (repeatable)
    #[arg(long = "allow-skip", value_name = "REASON")]
    allow_skip: Vec<String>,
    #[command(flatten)]
    tested: TestedArgs,
}

/// A length of time in minutes.
#[derive(Clone, Copy, Debug)]
struct Minutes(Duration);

impl std::str::FromStr for Minutes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const LONGEST: f64 = 7.0 * 24.0 * 60.0;
        let minutes = text.parse::<f64>().ok().filter(|m| *m > 0.0 && *m <= LONGEST);
        let minutes = minutes.map(|m| Self(Duration::from_secs_f64(m * 60.0)));
        minutes.ok_or_else(|| format!("expected minutes, more than 0 and at most {LONGEST}"))
    }
}

/// Runs; the exit code.
pub(super) fn fuzz(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let tested = &args.tested;
    terminal.set_quiet(tested.quiet);
    let loaded = source::load(&tested.spec, terminal)?;
    if let Some(level) = args.level {
        require_level(&loaded.suite.catalog, level)?;
    }
    let (backend, label) = tested.start(&loaded, args.level, terminal)?;
    let settings = Settings {
        erratic: tested.judging.sends_erratic(&backend.info()),
        ..settings(args)
    };
    let selection = Selection {
        level: args.level,
        ..Selection::default()
    };
    let run = Run {
        suite: &loaded.suite,
        backend: &*backend,
        selection: &selection.resolve(&loaded.suite)?,
        settings: &settings,
        lock: None,
    };
    let info = backend.info();
    let mut sink = FuzzSink {
        collected: Collected::default(),
        progress: Progress::counter(terminal, &label),
        cases: 0,
        failed: 0,
    };
    let totals = if info.operators.is_empty() {
        Totals::default()
    } else {
        run.execute_units(
            drawn(args, &loaded.suite, &info.operators, run.level())?.units(),
            &mut sink,
        )
    };
    let FuzzSink {
        collected, progress, ..
    } = sink;
    drop(progress);
    let spec_digest = load::digest(&loaded.texts.files);
    let backend_again = tested.again();
    let mut saved = Vec::new();
    if let Some(folder) = &args.save_failures {
        let saver = Saver {
            suite: &loaded.suite,
            folder,
            label: &label,
            spec_digest: &spec_digest,
            half_precision: tested.judging.half_precision,
            again: backend_again.clone(),
        };
        saved = saver.save(&run, &collected, terminal)?;
    }
    let levels = [format!("up to {}", run.level())];
    let facts = Facts {
        scope: None,
        shard: None,
        label: &label,
        tier: "fuzz",
        basis: args.tested.judging.basis.word(),
        half_precision: args.tested.judging.half_precision,
        levels: &levels,
        seed: args.seed,
        validator: info.validator.word(),
        spec_digest: &spec_digest,
        corpus_digest: "",
        has_lock: true,
        lock_remedy: "",
        allowed_skips: &args.allow_skip,
        totals: &totals,
    };
    if !tested.quiet {
        let command = format!("dml-cts run {backend_again}");
        dml_report::summary(terminal, &collected, &command, &saved, false);
        dml_report::failures(terminal, &loaded.suite, &command, &collected, &saved, false);
        terminal.line("");
    }
    dml_report::ending(terminal, &facts);
    Ok(facts.ending().code())
}

fn settings(args: &Args) -> Settings {
    let default = Settings::default();
    Settings {
        basis: args.tested.judging.basis.basis(),
        strict_reasons: args.tested.judging.strict_reasons,
        half_precision: args.tested.judging.half_precision,
        jobs: args.jobs.map_or(default.jobs, usize::from),
        max_failures: Some(args.max_failures.map_or(FAILURES, u64::from)),
        ..default
    }
}

fn drawn(args: &Args, suite: &Planner, operators: &[String], level: FeatureLevel) -> anyhow::Result<Fuzz> {
    let limit = args
        .cases
        .map_or(Limit::Time(args.minutes.0), |cases| Limit::Cases(cases.get()));
    // The draw outlives no run, but its workers share it.
    let suite = Planner::new(suite.catalog.clone()).map_err(|errors| anyhow::anyhow!(errors.join("\n")))?;
    let fuzz = Fuzz::new(
        Arc::new(suite),
        args.queries.clone(),
        operators,
        level,
        args.seed,
        limit,
    );
    let asked: Vec<String> = match &args.queries[..] {
        [] => vec![format!("--level {level}")],
        queries => queries.iter().map(|query| format!("`{query}`")).collect(),
    };
    fuzz.map_err(anyhow::Error::msg).with_context(|| asked.join(", "))
}

/// Takes results in as they come.
struct FuzzSink {
    collected: Collected,
    progress: Progress,
    cases: u64,
    failed: u64,
}

impl Sink for FuzzSink {
    fn record(&mut self, record: &Record) {
        self.collected.add(record);
        self.cases += 1;
        self.failed += u64::from(record.outcome.is_failure());
        if self.cases.is_multiple_of(LOOK) {
            self.progress.count(self.cases, || format!("{} failed", self.failed));
        }
    }
}
