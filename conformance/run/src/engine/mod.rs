//! The engine: plans, runs and judges cases on worker threads, and hands the results over in the order of the plan.
//!
//! Memory stays flat: cases are built in batches, large ones wait for each other, and a worker pauses while many results
//! wait for earlier ones.

mod backend_health;
mod batch;
mod blame;
mod catch;
mod clock;
mod expected_cache;
mod explain;
mod follow_up;
mod memory_budget;
mod reply;
mod scheduler;
mod select;
mod shard;
mod supervisor;
mod units;
mod worker;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Instant,
};

use dml_ops::{Backend, Info, Unavailable};
use dml_spec::{FeatureLevel, model::Tier};

use dml_case::{
    case::Case,
    lock::{self, Change, Entries, Key, Lock},
    outcome::Basis,
    record::{Record, Sink, Totals},
    timings::{Timings, Work},
};
use dml_plan::planner::Planner;

use clock::Clock;

pub use expected_cache::ExpectedCache;
pub use explain::{SharedSamples, explain};
pub use select::{Named, Resolved, Selection, SelectionError, relation};
pub use shard::{Division, Shard, Times};
pub(crate) use supervisor::job;
pub use units::{Source, Unit, units};

/// What is known of a backend's failures: turns the outcome of a known one, and says whether a skip is known.
#[derive(Clone, Default)]
pub struct Known(Option<Arc<ApplyKnown>>);

/// Turns the outcome of a known failure; whether the record is a known skip.
type ApplyKnown = dyn Fn(&mut Record) -> bool + Send + Sync;

impl Known {
    /// Asks `apply` about every record.
    pub fn new(apply: impl Fn(&mut Record) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(apply)))
    }

    fn apply(&self, record: &mut Record) -> bool {
        self.0.as_ref().is_some_and(|apply| apply(record))
    }
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Known").field(&self.0.is_some()).finish()
    }
}

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
    /// Stop after this many failures.
    pub max_failures: Option<u64>,
    /// Run in an order drawn with this seed.
    pub shuffle: Option<u64>,
    /// Wrong clauses in a rejection fail the case.
    pub strict_reasons: bool,
    /// FLOAT16 tensors may be computed in half precision: the request says so, and what that comes to is accepted.
    pub half_precision: bool,
    /// Nothing is run: cases that run an operator are skipped, as for a backend that runs none.
    pub create_only: bool,
    /// Descriptors on which releases of DirectML were seen to end the process, or to answer at random, are sent too.
    pub erratic: bool,
    /// Measure where the time goes, and what every case takes.
    pub timings: bool,
    /// Run a case that failed again, up to this many times; if it then passes, it is flaky.
    pub retries: u32,
    /// Bytes of the cases that are in work at a time, all workers together; a case that takes more is skipped. Without
    /// it none is, and a large one waits until others are done.
    pub memory: Option<u64>,
    /// Look with further cases for the condition under which others fail.
    pub follow_up: bool,
    /// Failures that are known.
    pub known: Known,
    /// Expected outputs that the next run needs again, and those that one before this left; `None` keeps none.
    pub expected_cache: Option<Arc<ExpectedCache>>,
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
            half_precision: false,
            create_only: false,
            erratic: true,
            timings: false,
            retries: 0,
            memory: None,
            follow_up: false,
            known: Known::default(),
            expected_cache: None,
        }
    }
}

/// Most results of later units that wait for those of earlier ones.
const WAITING: usize = 1 << 16;

/// One run on one backend: what does not change while it lasts.
pub struct Run<'a> {
    /// The specification.
    pub suite: &'a Planner,
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
    scheduler: scheduler::Scheduler,
    stop: AtomicBool,
    unavailable: Mutex<Option<Unavailable>>,
    /// A case that ran: whether the backend still does.
    canary: OnceLock<Case>,
    health: backend_health::BackendHealth,
    /// Memory for cases in work.
    memory: memory_budget::MemoryBudget,
    /// What went wrong with cases that had been judged already.
    problems: Mutex<Vec<String>>,
    /// What all workers measured.
    timings: Mutex<Timings>,
    /// What the backend gave, of some cases.
    samples: explain::SharedSamples,
    /// Losses are what is looked for, however many there are.
    expects_losses: bool,
}

/// Takes in how a unit ended.
fn end_unit(totals: &mut Totals, counted: &mut BTreeMap<Key, (usize, Entries)>, end: worker::End) {
    if let Some((key, entries)) = end.counted {
        let (buckets, sum) = counted.entry(key).or_default();
        *buckets += 1;
        lock::merge(sum, &entries);
    }
    totals.problems.extend(end.problem);
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
        totals.samples = shared.samples.into_inner();
        if totals.failures() > 0 {
            totals.mistakes = explain::explain(self.suite, &totals.samples, self.settings.basis);
            self.follow_up(&mut totals);
        }
        totals.elapsed = start.elapsed();
        totals
    }
}

impl Run<'_> {
    fn shared(&self, units: Vec<Unit>) -> Shared<'_> {
        Shared {
            run: self,
            info: self.backend.info(),
            scheduler: scheduler::Scheduler::new(units.len(), WAITING),
            units,
            stop: AtomicBool::new(false),
            unavailable: Mutex::new(None),
            canary: OnceLock::new(),
            health: backend_health::BackendHealth::default(),
            memory: memory_budget::MemoryBudget::new(self.settings.memory),
            problems: Mutex::default(),
            timings: Mutex::default(),
            samples: explain::SharedSamples::default(),
            expects_losses: false,
        }
    }

    /// Hands over a session that runs cases beside the plan, judged and supervised as in a run.
    ///
    /// # Errors
    /// If the backend cannot be opened.
    pub fn probe<T>(&self, work: impl FnOnce(&mut Probe<'_>) -> T) -> Result<T, Unavailable> {
        let shared = Shared {
            expects_losses: true,
            ..self.shared(Vec::new())
        };
        let runner = batch::BatchRunner::open(&shared)?;
        Ok(work(&mut Probe { runner }))
    }

    /// Lines of the lock that the plan no longer has.
    fn gone(&self, units: &[Unit]) -> Vec<Change> {
        let Some(lock) = self.lock.filter(|_| self.settings.seed == lock::DEFAULT_SEED) else {
            return Vec::new();
        };
        let planned: HashSet<Key> = units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Bucket(bucket) => Some(dml_plan::relock::key_of(self.suite, bucket)),
                Unit::Cases(_) | Unit::Made(..) => None,
            })
            .collect();
        let level = self.level();
        let asked = |key: &Key| key.level.parse::<FeatureLevel>().is_ok_and(|l| l <= level);
        let gone = lock
            .tables
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
        let (mut next, mut counted) = (0, BTreeMap::new());
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
                    end_unit(totals, &mut counted, end);
                    waiting.remove(&next);
                    next += 1;
                    self.scheduler.finished();
                    sink.progress(next, self.units.len());
                }
            }
        }
        totals.cut_short |= next < self.units.len();
        self.compare(&counted, totals);
        self.add(&clock);
    }

    /// Compares what was planned with the lock, line by line; a line of which not everything was planned says nothing.
    fn compare(&self, counted: &BTreeMap<Key, (usize, Entries)>, totals: &mut Totals) {
        let Some(lock) = self.run.lock else { return };
        let (lines, known) = (units::lines(self.run, &self.units), lock.index());
        for (key, (buckets, new)) in counted
            .iter()
            .filter(|(key, (buckets, _))| lines.get(key) == Some(buckets))
        {
            debug_assert!(*buckets > 0);
            let old = known.get(key).map(|entries| **entries).unwrap_or_default();
            totals.compared += 1;
            totals
                .lock_changes
                .extend(lock::changed(key, &old, new, self.run.settings.tier));
        }
    }

    fn add(&self, clock: &Clock) {
        if let Ok(mut timings) = self.timings.lock() {
            timings.add(clock.shares());
        }
    }

    /// Hands a piece over; false when the run is to stop here.
    fn deliver(&self, piece: &mut worker::Piece, sink: &mut dyn Sink, totals: &mut Totals) -> bool {
        let mut more = true;
        for record in &mut piece.records {
            let known_skip = self.run.settings.known.apply(record);
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
            for record in &piece.records {
                timings.note(record.elements, record.time.unwrap_or_default());
            }
        }
        if more {
            self.scheduler.delivered(piece.records.len());
        }
        more
    }

    /// Makes every worker stop soon.
    fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.scheduler.close();
    }
}

/// A session beside the plan.
pub struct Probe<'a> {
    runner: batch::BatchRunner<'a>,
}

impl Probe<'_> {
    /// Runs cases in company; a record each, in order.
    ///
    /// # Errors
    /// If the backend is gone for good.
    pub fn run(&mut self, cases: Vec<Case>) -> Result<Vec<Record>, Unavailable> {
        let mut records = Vec::with_capacity(cases.len());
        let before = cases.iter().map(batch::Before::of);
        self.runner.run(&cases, &before.collect::<Vec<_>>(), &mut records)?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests;
