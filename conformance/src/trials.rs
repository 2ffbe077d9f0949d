//! The suite as tests: every bucket of the plan is one, on the backend that `DML_CTS_BACKEND` names.
//!
//! `DML_CTS_LEVEL` tests as a backend of that feature level, `DML_CTS_TIER` sets the tier, `DML_CTS_EXPECTATIONS` names
//! a file of known failures. A bucket is planned when its test runs, so that listing the tests is quick.

use std::{env, error::Error, fs, path::Path, process::ExitCode, str::FromStr, sync::Arc};

use dml_ops::Backend;
use dml_spec::{Diagnostic, FeatureLevel, model::Tier};
use libtest_mimic::{Arguments, Failed, Trial};
use rayon::prelude::*;

use crate::backends::{self, Choice, Spec, Watch};
use crate::{expectations::read_expectations, spec};
use dml_case::{
    lock::{Lock, TIERS, tier_word},
    record::{Record, Sink},
};
use dml_plan::{Bucket, planner::Planner};
use dml_report::expectations::{Expectations, Facts};
use dml_run::engine::{Known, Resolved, Run, Selection, Settings, Unit};

/// Failing cases that a test names.
const NAMED: usize = 20;

/// What every test needs.
struct Setup {
    suite: Planner,
    spec: Spec,
    backend: Box<dyn Backend>,
    level: Option<FeatureLevel>,
    tier: Tier,
    expectations: Arc<Expectations>,
}

/// Runs the tests that the arguments name, as every program of tests takes them.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match Setup::new() {
        Ok(setup) => libtest_mimic::run(&arguments, trials(&Arc::new(setup), &arguments)).exit_code(),
        #[expect(clippy::print_stderr, reason = "whoever started the tests reads nothing else")]
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

impl Setup {
    fn new() -> Result<Self, Box<dyn Error>> {
        let suite = Planner::new(spec::catalog().clone()).map_err(|errors| errors.join("\n"))?;
        let named = env::var("DML_CTS_BACKEND").ok();
        let spec: Spec = named.unwrap_or_else(backends::default_name).parse()?;
        let backend: Box<dyn Backend> = match &spec {
            Spec::BuiltIn(name) => {
                let specification = Some(Arc::new(suite.catalog.clone()));
                let choice = Choice {
                    specification,
                    ..Choice::default()
                };
                backends::chosen(name, &choice)?
            }
            Spec::Program(words) => backends::program(words, &Watch::new(Arc::new(suite.catalog.clone())))?,
        };
        let level = env::var("DML_CTS_LEVEL")
            .ok()
            .map(|text| FeatureLevel::from_str(&text))
            .transpose()?;
        if let Some(unknown) = level.filter(|l| suite.catalog.levels.iter().all(|known| known.level != *l)) {
            return Err(format!("unknown feature level {unknown}").into());
        }
        let tier = match env::var("DML_CTS_TIER") {
            Ok(word) => TIERS
                .into_iter()
                .find(|t| tier_word(*t) == word)
                .ok_or(format!("unknown tier `{word}`"))?,
            // Half a minute without optimisation, a few seconds with.
            Err(_) => Tier::Standard,
        };
        let lock = Lock::from_bytes(dml_spec::embedded::LOCK).map_err(|e| format!("corpus.lock:{e}"))?;
        let expectations = match env::var_os("DML_CTS_EXPECTATIONS") {
            Some(path) => {
                let info = backend.info();
                let here = Facts::of(&info, &info.name);
                Arc::new(known(&suite, Path::new(&path))?.holding(&here, lock.digest()))
            }
            None => Arc::default(),
        };
        Ok(Self {
            suite,
            spec,
            backend,
            level,
            tier,
            expectations,
        })
    }
}

/// The failures that a file lists.
fn known(suite: &Planner, path: &Path) -> Result<Expectations, Box<dyn Error>> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let list = |found: Vec<Diagnostic>| found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Ok(read_expectations(suite, &name, &text).map_err(list)?)
}

/// The tests; those of operators of which the arguments may ask for one.
fn trials(setup: &Arc<Setup>, arguments: &Arguments) -> Vec<Trial> {
    let highest = setup.backend.info().feature_level;
    let level = setup.level.map_or(highest, |level| level.min(highest));
    // Who runs each test in a process of its own plans one operator there, not all of them.
    let is_asked = |name: &str| match &arguments.filter {
        Some(filter) if arguments.exact => name == filter,
        Some(filter) => name.contains(filter),
        None => true,
    };
    let operators = (0..setup.suite.catalog.operators.len()).into_par_iter();
    let asked =
        operators.filter(|operator| dml_plan::bucket_names(&setup.suite, *operator).any(|name| is_asked(&name)));
    let planned: Vec<Bucket> = asked
        .flat_map_iter(|operator| dml_plan::buckets_of(&setup.suite, operator, setup.tier))
        .collect();
    let buckets = planned.into_iter().filter(|bucket| bucket.level <= level);
    buckets
        .map(|bucket| {
            let name = dml_plan::bucket_name(&setup.suite, &bucket);
            let setup = setup.clone();
            Trial::test(name, move || run(&setup, bucket))
        })
        .collect()
}

fn run(setup: &Setup, bucket: Bucket) -> Result<(), Failed> {
    let selection = Selection {
        level: setup.level,
        ..Selection::default()
    };
    let selection: Resolved = selection.resolve(&setup.suite)?;
    let settings = Settings {
        tier: setup.tier,
        jobs: 1,
        known: {
            let expectations = Arc::clone(&setup.expectations);
            Known::new(move |record| expectations.apply(record))
        },
        ..Settings::default()
    };
    let run = Run {
        suite: &setup.suite,
        backend: &*setup.backend,
        selection: &selection,
        settings: &settings,
        lock: None,
    };
    let mut failures = Failures {
        again: again(&setup.spec),
        count: 0,
        lines: Vec::new(),
    };
    let totals = run.execute_units(vec![Unit::Bucket(bucket)], &mut failures);
    let mut message = failures.lines;
    if failures.count > NAMED {
        message.push(format!("and {} more", failures.count - NAMED));
    }
    message.extend(totals.problems);
    message.extend(totals.unavailable.map(|why| why.to_string()));
    if message.is_empty() {
        Ok(())
    } else {
        Err(Failed::from(message.join("\n")))
    }
}

/// Failing cases, with the command that runs each again.
struct Failures {
    again: String,
    count: usize,
    lines: Vec<String>,
}

/// The command that runs a case again, up to its id.
fn again(spec: &Spec) -> String {
    let program = match backends::is_guest() {
        true => env::args().next().unwrap_or_default(),
        false => "cargo run --release --".to_owned(),
    };
    format!("{program} run --backend {}", shell_words::quote(&spec.to_string()))
}

impl Sink for Failures {
    fn record(&mut self, record: &Record) {
        if !record.outcome.is_failure() {
            return;
        }
        self.count += 1;
        if self.count <= NAMED {
            let (word, id) = (record.outcome.word(), &record.id);
            let message = record.message.as_deref().unwrap_or_default();
            let again = format!("{} '{id}'", self.again);
            self.lines.push(format!("{word}: {id}\n    {message}\n    {again}"));
        }
    }
}
