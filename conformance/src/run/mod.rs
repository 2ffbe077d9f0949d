//! The engine: plans, runs and judges cases on worker threads, and hands the results over in the order of the plan.
//!
//! Memory stays flat: cases are built in batches, large ones wait for each other, and a worker pauses while many results
//! wait for earlier ones.

mod batch;
mod catch;
mod order;
mod remembered;
mod room;
mod select;
mod shard;
mod supervisor;
mod suspects;
mod timings;
mod units;
mod vitals;
mod worker;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use dml_ops::{Backend, Info, Unavailable};
use dml_spec::{FeatureLevel, model::Tier};

use crate::{
    case::{Case, Mode},
    digest::Digest,
    expectations::Expectations,
    id::CaseId,
    lock::{self, Change, Entries, Key, Lock},
    outcome::{Basis, Judged, Outcome},
    suite::Suite,
};

use timings::Clock;

pub use remembered::Remembered;
pub use select::{Named, Resolved, Selection, SelectionError, relation};
pub use shard::{Division, Shard, Times};
pub use timings::{SMALL, Timings, Work};
pub use units::{Source, Unit, units};

/// How to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Tier of the plan.
    pub tier: Tier,
    /// Seed of the plan.
    pub seed: u64,
    /// Whose word counts on observed and disputed clauses.
    pub basis: Basis,
    /// Worker threads.
    pub jobs: usize,
    /// Cases that are handed to a backend at a time.
    pub batch: usize,
    /// Stop behind so many failures.
    pub max_failures: Option<u64>,
    /// Run in an order drawn with this seed.
    pub shuffle: Option<u64>,
    /// Wrong clauses in a rejection fail the case.
    pub strict_reasons: bool,
    /// Measure where the time goes, and what every case takes.
    pub timings: bool,
    /// Run a case that failed again, up to so many times; where it then does not fail, it is flaky.
    pub retries: u32,
    /// Bytes of the cases that are in work at a time, all workers together; a case that takes more is skipped. Without
    /// it none is, and a large one waits until others are done.
    pub memory: Option<u64>,
    /// Failures that are known.
    pub expectations: Arc<Expectations>,
    /// Expected outputs that the next run needs again, and those that one before this left; `None` keeps none.
    pub remembered: Option<Arc<Remembered>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tier: Tier::Standard,
            seed: lock::DEFAULT_SEED,
            basis: Basis::Runtime,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            batch: 64,
            max_failures: None,
            shuffle: None,
            strict_reasons: false,
            timings: false,
            retries: 0,
            memory: None,
            expectations: Arc::default(),
            remembered: None,
        }
    }
}

/// Kind of the reasons of skips of cases that take more memory than is allowed: what they need follows behind a colon.
pub const MEMORY: &str = "memory";

/// Most results of later units that wait for those of earlier ones.
const WAITING: usize = 1 << 16;

/// One case and what became of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The case.
    pub id: CaseId,
    /// How far it goes.
    pub mode: Mode,
    /// What was expected, in one word.
    pub verdict: &'static str,
    /// Digest of everything about the case.
    pub expectation: Digest,
    /// Elements of all its tensors together: how small it is.
    pub elements: u64,
    /// What became of it.
    pub judged: Judged,
    /// How long it took, where that was measured: planning, expected outputs, its part of what the backend took for the
    /// cases that it was handed with it, judging.
    pub time: Option<Duration>,
    /// For a case that fails behind others only: the cases to run in order.
    pub order: Vec<CaseId>,
    /// For a case that fails, and whose outputs are small: what came back, by the names of the tensors.
    pub outputs: Vec<(String, Vec<u8>)>,
}

/// Where results go, in the order of the plan.
pub trait Sink {
    /// A case has an outcome.
    fn record(&mut self, record: &Record);

    /// `done` of `total` units are through.
    fn progress(&mut self, done: usize, total: usize) {
        let _ = (done, total);
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Cases that were planned and have an outcome.
    pub cases: u64,
    /// Cases by outcome, in words.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Skipped cases by reason, but for those that are known.
    pub skips: BTreeMap<String, u64>,
    /// Skipped cases that are known, by reason.
    pub known_skips: BTreeMap<String, u64>,
    /// Buckets in which the plan differs from the lock.
    pub lock_changes: Vec<Change>,
    /// Buckets that were planned in full and compared with the lock.
    pub compared: usize,
    /// The run stopped before its end.
    pub cut_short: bool,
    /// Cases that could not be planned, or turned out to be broken after they had been judged.
    pub problems: Vec<String>,
    /// The backend could not be opened.
    pub unavailable: Option<Unavailable>,
    /// Sum of the digests of all cases that ran.
    pub selection_digest: Digest,
    /// How long it took.
    pub elapsed: Duration,
    /// Where the time went, where that was measured.
    pub timings: Option<Timings>,
}

impl Totals {
    /// Cases with this outcome.
    pub fn count(&self, outcome: &str) -> u64 {
        self.outcomes.get(outcome).copied().unwrap_or(0)
    }

    /// Cases that were judged at all.
    pub fn judged(&self) -> u64 {
        self.cases - self.count("skip")
    }

    /// Cases that make the backend non-conformant.
    pub fn failures(&self) -> u64 {
        self.outcomes
            .iter()
            .filter(|(word, _)| crate::results::is_failure(word))
            .map(|(_, n)| n)
            .sum()
    }

    /// Every planned case of the selection has an outcome, and the lock agrees with the plan.
    pub fn complete(&self, allowed_skips: &[String]) -> bool {
        let whole = !self.cut_short && self.unavailable.is_none() && self.problems.is_empty();
        let skips_allowed = self.skips.keys().all(|reason| self.skip_allowed(reason, allowed_skips));
        whole && skips_allowed && self.lock_changes.is_empty() && self.judged() > 0
    }

    /// Whether skips for this reason leave the run complete.
    pub fn skip_allowed(&self, reason: &str, allowed: &[String]) -> bool {
        let kind = reason
            .split_once(": ")
            .map(|(kind, _)| kind)
            .filter(|kind| *kind == MEMORY);
        let named = |a: &String| a == reason || Some(a.as_str()) == kind;
        crate::names::HARNESS_SKIPS.contains(&reason) || allowed.iter().any(named)
    }

    fn end(&mut self, end: worker::End) {
        self.compared += usize::from(end.compared);
        self.lock_changes.extend(end.changes);
        self.problems.extend(end.problem);
    }

    fn add(&mut self, record: &Record, known_skip: bool) {
        self.cases += 1;
        *self.outcomes.entry(record.judged.outcome.word()).or_default() += 1;
        if let Outcome::Skip(reason) = &record.judged.outcome {
            let skips = if known_skip {
                &mut self.known_skips
            } else {
                &mut self.skips
            };
            *skips.entry(reason.clone()).or_default() += 1;
        }
        self.selection_digest.add(record.expectation);
    }
}

/// One run on one backend: what does not change while it lasts.
pub struct Run<'a> {
    /// The specification.
    pub suite: &'a Suite,
    /// What is tested.
    pub backend: &'a dyn Backend,
    /// Which cases.
    pub selection: &'a Resolved,
    /// How.
    pub settings: &'a Settings,
    /// What the plan should hold; `None` compares nothing.
    pub lock: Option<&'a Lock>,
}

/// State that the workers share.
struct Shared<'a> {
    run: &'a Run<'a>,
    info: Info,
    units: Vec<Unit>,
    turns: order::Turns,
    stop: AtomicBool,
    unavailable: Mutex<Option<Unavailable>>,
    /// A case that ran: whether the backend still does.
    canary: OnceLock<Case>,
    vitals: vitals::Vitals,
    /// Memory for cases in work.
    room: room::Room,
    /// What went wrong with cases that had been judged already.
    problems: Mutex<Vec<String>>,
    /// What all workers measured.
    timings: Mutex<Timings>,
    /// Losses are what is looked for, however many there are.
    expects_losses: bool,
}

impl Run<'_> {
    /// Highest feature level that is asked for: the backend's, or a lower one of the selection.
    pub fn level(&self) -> FeatureLevel {
        let highest = self.backend.info().feature_level;
        self.selection.level.map_or(highest, |level| level.min(highest))
    }

    /// Table levels of everything that may be selected, in ascending order.
    pub fn table_levels(&self) -> Vec<FeatureLevel> {
        let levels = units(self).into_iter().flat_map(|unit| match unit {
            Unit::Bucket(bucket) => vec![bucket.level],
            Unit::Cases(ids) => ids.into_iter().map(|named| named.id.level()).collect(),
            Unit::Made(..) => Vec::new(),
        });
        levels.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Runs everything that is selected.
    pub fn execute(&self, sink: &mut dyn Sink) -> Totals {
        let units = units(self);
        let gone = if self.selection.is_everything() {
            self.gone(&units)
        } else {
            Vec::new()
        };
        let mut totals = self.execute_units(units, sink);
        if !totals.cut_short {
            totals.lock_changes.extend(gone);
        }
        totals
    }

    /// Runs these units, in order.
    pub fn execute_units(&self, units: Vec<Unit>, sink: &mut dyn Sink) -> Totals {
        let start = Instant::now();
        let jobs = self.settings.jobs.max(1).min(units.len().max(1));
        let shared = self.shared(units);
        let (sender, receiver) = mpsc::sync_channel(jobs);
        let mut totals = Totals::default();
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || worker::work(shared, &sender));
            }
            drop(sender);
            shared.collect(receiver, sink, &mut totals);
        });
        totals.unavailable = shared.unavailable.lock().ok().and_then(|mut u| u.take());
        totals.problems.extend(shared.problems.into_inner().unwrap_or_default());
        let mut measured = shared.timings.into_inner().unwrap_or_default();
        measured.workers = jobs;
        totals.timings = self.settings.timings.then_some(measured);
        totals.elapsed = start.elapsed();
        totals
    }
}

impl Run<'_> {
    fn shared(&self, units: Vec<Unit>) -> Shared<'_> {
        Shared {
            run: self,
            info: self.backend.info(),
            turns: order::Turns::new(units.len(), WAITING),
            units,
            stop: AtomicBool::new(false),
            unavailable: Mutex::new(None),
            canary: OnceLock::new(),
            vitals: vitals::Vitals::default(),
            room: room::Room::new(self.settings.memory),
            problems: Mutex::default(),
            timings: Mutex::default(),
            expects_losses: false,
        }
    }

    /// Hands over a session that runs cases beside the plan, judged and supervised as in a run.
    ///
    /// # Errors
    /// Where the backend cannot be opened.
    pub fn probe<T>(&self, work: impl FnOnce(&mut Probe<'_>) -> T) -> Result<T, Unavailable> {
        let shared = Shared {
            expects_losses: true,
            ..self.shared(Vec::new())
        };
        let bench = batch::Bench::open(&shared)?;
        Ok(work(&mut Probe { bench }))
    }

    /// Buckets of the lock that the plan no longer has.
    fn gone(&self, units: &[Unit]) -> Vec<Change> {
        let Some(lock) = self.lock.filter(|_| self.settings.seed == lock::DEFAULT_SEED) else {
            return Vec::new();
        };
        let planned: HashSet<Key> = units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Bucket(bucket) => Some(Key::of(self.suite, bucket)),
                Unit::Cases(_) | Unit::Made(..) => None,
            })
            .collect();
        let level = self.level();
        let asked = |key: &Key| key.level.parse::<FeatureLevel>().is_ok_and(|l| l <= level);
        let gone = lock
            .buckets
            .iter()
            .filter(|(key, _)| asked(key) && !planned.contains(key));
        gone.flat_map(|(key, old)| lock::changed(key, old, &Entries::default(), self.settings.tier))
            .collect()
    }
}

impl Shared<'_> {
    /// Hands results over in the order of the units; stops the workers when enough cases failed.
    fn collect(&self, receiver: mpsc::Receiver<worker::Piece>, sink: &mut dyn Sink, totals: &mut Totals) {
        let mut waiting: BTreeMap<usize, VecDeque<worker::Piece>> = BTreeMap::new();
        let mut next = 0;
        let mut clock = Clock::start(self.run.settings.timings);
        while let Ok(piece) = receiver.recv() {
            // Waiting for results is no work.
            clock.skip();
            waiting.entry(piece.unit).or_default().push_back(piece);
            while let Some(mut piece) = waiting.get_mut(&next).and_then(VecDeque::pop_front) {
                let more = self.deliver(&mut piece, sink, totals);
                clock.lap(Work::Results);
                if !more {
                    totals.cut_short = true;
                    self.halt();
                    return self.add(&clock);
                }
                if let Some(end) = piece.end {
                    totals.end(end);
                    waiting.remove(&next);
                    next += 1;
                    self.turns.finished();
                    sink.progress(next, self.units.len());
                }
            }
        }
        totals.cut_short |= next < self.units.len();
        self.add(&clock);
    }

    fn add(&self, clock: &Clock) {
        if let Ok(mut timings) = self.timings.lock() {
            timings.add(clock);
        }
    }

    /// Hands a piece over; false when the run is to stop here.
    fn deliver(&self, piece: &mut worker::Piece, sink: &mut dyn Sink, totals: &mut Totals) -> bool {
        let mut more = true;
        for record in &mut piece.records {
            let known_skip = self.run.settings.expectations.apply(record);
            totals.add(record, known_skip);
            sink.record(record);
            if self
                .run
                .settings
                .max_failures
                .is_some_and(|max| totals.failures() >= max)
            {
                more = false;
                break;
            }
        }
        if self.run.settings.timings
            && let Ok(mut timings) = self.timings.lock()
        {
            piece.records.iter().for_each(|record| timings.note(record));
        }
        if more {
            self.turns.delivered(piece.records.len());
        }
        more
    }

    /// Makes every worker stop soon.
    fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.turns.close();
    }
}

/// A session beside the plan.
pub struct Probe<'a> {
    bench: batch::Bench<'a>,
}

impl Probe<'_> {
    /// Runs cases in company; a record each, in order.
    ///
    /// # Errors
    /// Where the backend is gone for good.
    pub fn run(&mut self, cases: Vec<Case>) -> Result<Vec<Record>, Unavailable> {
        let mut records = Vec::with_capacity(cases.len());
        let before = cases.iter().map(batch::Before::of);
        self.bench.run(&cases, &before.collect::<Vec<_>>(), &mut records)?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests;
