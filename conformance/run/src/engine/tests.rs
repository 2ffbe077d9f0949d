use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use dml_ops::{Answer, Backend, Info, Job, JobId, Session, Unavailable};

use crate::embedded::suite;
use crate::engine::*;

/// What goes wrong with an executing job, by how often the session was asked before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Nothing.
    None,
    /// Panics on jobs with this K.
    PanicOn(u32),
    /// Loses the device on jobs with this K.
    LoseOn(u32),
    /// Loses the device on the first batch of more than one job only.
    LoseInCompany,
    /// Never answers jobs with this K.
    ForgetOn(u32),
    /// Answers every job in reverse, one a poll.
    Reverse,
    /// Cannot be opened.
    Closed,
    /// Skips everything.
    SkipAll,
}

/// The CPU backend with a fault.
struct Faulty {
    inner: Box<dyn Backend>,
    fault: Fault,
    opened: Arc<AtomicUsize>,
}

struct FaultySession {
    inner: Box<dyn Session>,
    fault: Fault,
    answers: Vec<(JobId, Answer)>,
}

impl Backend for Faulty {
    fn info(&self) -> Info {
        self.inner.info()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        self.opened.fetch_add(1, Ordering::Relaxed);
        if self.fault == Fault::Closed {
            return Err(Unavailable {
                reason: "no device".to_owned(),
                remedy: "plug one in".to_owned(),
            });
        }
        Ok(Box::new(FaultySession {
            inner: self.inner.open()?,
            fault: self.fault,
            answers: Vec::new(),
        }))
    }
}

fn has_k(job: &Job, k: u32) -> bool {
    job.descriptor.fields.get(4) == Some(&dml_spec::Value::UInt(k))
}

impl Session for FaultySession {
    fn create(&mut self, job: &Job) -> Answer {
        match self.fault {
            Fault::SkipAll => Answer::Skipped {
                reason: "tired".to_owned(),
            },
            _ => self.inner.create(job),
        }
    }

    fn submit(&mut self, mut jobs: Vec<Job>) {
        let company = jobs.len() > 1;
        match self.fault {
            Fault::PanicOn(k) => assert!(!jobs.iter().any(|job| has_k(job, k)), "no {k}, please"),
            Fault::ForgetOn(k) => jobs.retain(|job| !has_k(job, k)),
            Fault::SkipAll => {
                let skipped = Answer::Skipped {
                    reason: "tired".to_owned(),
                };
                self.answers = jobs.drain(..).map(|job| (job.id, skipped.clone())).collect();
            }
            Fault::LoseOn(k) => {
                if let Some(at) = jobs.iter().position(|job| has_k(job, k)) {
                    let lost = Answer::DeviceLost {
                        message: "gone".to_owned(),
                    };
                    self.answers.push((jobs[at].id, lost));
                    jobs.truncate(at);
                }
            }
            Fault::LoseInCompany if company => {
                self.answers.push((
                    jobs[0].id,
                    Answer::DeviceLost {
                        message: "crowded".to_owned(),
                    },
                ));
                return;
            }
            _ => {}
        }
        self.inner.submit(jobs);
    }

    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        let mut fresh = self.inner.poll(timeout);
        if self.fault == Fault::Reverse {
            self.answers.extend(fresh);
            return self.answers.pop().into_iter().collect();
        }
        fresh.append(&mut self.answers);
        fresh
    }
}

#[derive(Default)]
struct Records(Vec<(String, &'static str)>);

impl Sink for Records {
    fn record(&mut self, record: &Record) {
        self.0.push((record.id.to_string(), record.outcome.word()));
    }
}

fn settings() -> Settings {
    Settings {
        tier: Tier::Smoke,
        jobs: 2,
        ..Settings::default()
    }
}

fn run(suite: &Planner, fault: Fault, query: &str, settings: &Settings) -> (Totals, Records, usize) {
    let opened = Arc::new(AtomicUsize::new(0));
    let backend = Faulty {
        inner: Box::new(dml_cpu::backend()),
        fault,
        opened: opened.clone(),
    };
    let queries = query.split_whitespace().map(|q| q.parse().unwrap()).collect();
    let selection = Selection {
        queries,
        ..Selection::default()
    }
    .resolve(suite)
    .unwrap();
    let run = Run {
        suite,
        backend: &backend,
        selection: &selection,
        settings,
        lock: None,
    };
    let mut records = Records::default();
    let totals = run.execute(&mut records);
    (totals, records, opened.load(Ordering::Relaxed))
}

fn counts(records: &Records) -> HashMap<&'static str, usize> {
    let mut counts = HashMap::new();
    records
        .0
        .iter()
        .for_each(|(_, word)| *counts.entry(*word).or_default() += 1);
    counts
}

const TIES: &str = "TOP_K1:2.1:values:k=2,type=FLOAT16";

/// What every case took.
#[derive(Default)]
struct Measured(Vec<Option<Duration>>);

impl Sink for Measured {
    fn record(&mut self, record: &Record) {
        self.0.push(record.time);
    }
}

#[test]
fn what_is_measured_adds_up_and_changes_no_batch() {
    let suite = suite();
    let selection = Selection {
        queries: vec![TIES.parse().unwrap()],
        ..Selection::default()
    };
    let selection = selection.resolve(suite).unwrap();
    for timings in [true, false] {
        // A case that runs in company loses the device, so nothing ran alone at first.
        let backend = Faulty {
            inner: Box::new(dml_cpu::backend()),
            fault: Fault::LoseInCompany,
            opened: Arc::default(),
        };
        let settings = Settings { timings, ..settings() };
        let run = Run {
            suite,
            backend: &backend,
            selection: &selection,
            settings: &settings,
            lock: None,
        };
        let mut measured = Measured::default();
        let totals = run.execute(&mut measured);
        assert_eq!(totals.count("flaky"), totals.cases, "{:?}", totals.outcomes);
        let Some(found) = totals.timings else {
            assert!(!timings && measured.0.iter().all(Option::is_none));
            continue;
        };
        assert!(timings && measured.0.iter().all(Option::is_some));
        let shares: Vec<Duration> = Work::ALL.into_iter().map(|work| found.of(work)).collect();
        assert!(
            found.of(Work::Planning) > Duration::ZERO && found.of(Work::Oracle) > Duration::ZERO,
            "{shares:?}"
        );
        assert_eq!(found.total(), shares.iter().sum());
        // Parts of a time are rounded.
        let cases: Duration = measured.0.iter().flatten().sum();
        assert!(cases <= found.total() + Duration::from_micros(1) * measured.0.len() as u32);
        assert_eq!(found.workers, settings.jobs.min(units(&run).len()));
        assert!(found.small <= totals.cases && found.small_time <= cases);
    }
}

#[test]
fn results_come_in_the_order_of_the_plan_whatever_the_workers_do() {
    let suite = suite();
    let planned: Vec<String> = dml_plan::buckets(suite, Tier::Smoke)
        .iter()
        .flat_map(|bucket| {
            let mut ids = Vec::new();
            let _ = dml_plan::for_each_case(suite, bucket, Tier::Smoke, 0, &mut |case| {
                ids.push(case.id.to_string());
                std::ops::ControlFlow::Continue(())
            });
            ids
        })
        .collect();
    for (jobs, batch, fault) in [(1, 64, Fault::None), (4, 3, Fault::None), (3, 64, Fault::Reverse)] {
        let settings = Settings {
            jobs,
            batch,
            ..settings()
        };
        let (totals, records, _) = run(suite, fault, "", &settings);
        let ids: Vec<&String> = records.0.iter().map(|(id, _)| id).collect();
        assert!(
            ids.iter().eq(&planned.iter().collect::<Vec<_>>()),
            "{jobs} jobs, batches of {batch}"
        );
        assert_eq!(totals.cases, planned.len() as u64);
        assert!(totals.complete(&[]) && totals.failures() == 0, "{:?}", totals.outcomes);
    }
}

#[test]
fn a_panic_costs_the_guilty_case_only() {
    let suite = suite();
    let (totals, records, opened) = run(suite, Fault::PanicOn(2), TIES, &settings());
    assert_eq!(counts(&records), HashMap::from([("crash", records.0.len())]));
    assert!(opened > records.0.len(), "a session is opened again behind every panic");
    assert_eq!(totals.failures(), totals.cases);

    let (_, records, _) = run(
        suite,
        Fault::PanicOn(2),
        "TOP_K1:2.1:values TOP_K1:2.1:sizes",
        &settings(),
    );
    let guilty = |id: &str| id.contains(",k=2,");
    assert!(records.0.iter().any(|(id, _)| guilty(id)) && records.0.iter().any(|(id, _)| !guilty(id)));
    for (id, word) in &records.0 {
        let right = if id.contains("values=nan") {
            "unspecified"
        } else {
            "pass"
        };
        assert_eq!(*word, if guilty(id) { "crash" } else { right }, "{id}");
    }
}

#[test]
fn a_lost_device_is_blamed_on_the_case_that_loses_it_alone() {
    let suite = suite();
    let query = "TOP_K1:2.1:values";
    let (_, records, _) = run(suite, Fault::LoseOn(2), query, &settings());
    let guilty: Vec<&str> = records
        .0
        .iter()
        .filter(|(_, w)| *w == "device-lost")
        .map(|(id, _)| id.as_str())
        .collect();
    assert!(
        !guilty.is_empty() && guilty.iter().all(|id| id.contains(",k=2,")),
        "{guilty:?}"
    );
    assert!(counts(&records)["pass"] > 0);
}

#[test]
fn what_fails_only_in_company_is_flaky() {
    let suite = suite();
    let (totals, records, _) = run(suite, Fault::LoseInCompany, TIES, &settings());
    assert_eq!(counts(&records), HashMap::from([("flaky", records.0.len())]));
    assert_eq!(totals.failures(), totals.cases);
}

#[test]
fn a_forgotten_case_is_a_harness_error() {
    let suite = suite();
    let (_, records, _) = run(suite, Fault::ForgetOn(2), TIES, &settings());
    assert_eq!(counts(&records), HashMap::from([("harness-error", records.0.len())]));
}

#[test]
fn a_backend_that_skips_everything_is_incomplete() {
    let suite = suite();
    let (totals, records, _) = run(suite, Fault::SkipAll, TIES, &settings());
    assert_eq!(totals.judged(), 0);
    assert_eq!(
        totals.skips,
        BTreeMap::from([("tired".to_owned(), records.0.len() as u64)])
    );
    assert!(!totals.complete(&[]) && !totals.complete(&["tired".to_owned()]));
}

#[test]
fn what_releases_are_erratic_on_is_sent_if_asked() {
    let suite = suite();
    let query = "ARGMAX:3.0:faults";
    let of = |erratic: bool| run(suite, Fault::None, query, &Settings { erratic, ..settings() });
    let ((spared, _, _), (sent, _, _)) = (of(false), of(true));
    let skipped = spared.skips.get("erratic").copied().unwrap_or(0);
    assert!(skipped > 0 && sent.skips.is_empty(), "{:?}", spared.skips);
    assert_eq!(spared.judged() + skipped, sent.judged());
    assert!(spared.complete(&[]));
}

#[test]
fn a_backend_that_cannot_be_opened_is_incomplete() {
    let suite = suite();
    let (totals, records, _) = run(suite, Fault::Closed, TIES, &settings());
    assert!(records.0.is_empty() && totals.unavailable.is_some() && !totals.complete(&[]));
}

#[test]
fn a_run_stops_behind_enough_failures() {
    let suite = suite();
    let settings = Settings {
        max_failures: Some(3),
        ..settings()
    };
    let (totals, records, _) = run(suite, Fault::PanicOn(1), "TOP_K1:*:values:k=1", &settings);
    assert_eq!((totals.failures(), records.0.len(), totals.cut_short), (3, 3, true));
}

#[test]
fn shards_add_up_and_a_shuffle_keeps_every_case() {
    let suite = suite();
    let backend = Box::new(dml_cpu::backend());
    let ids = |shard: Option<Shard>, shuffle: Option<u64>| {
        let operators = ["TOP_K1", "REDUCE", "GEMM", "CONVOLUTION", "CAST"];
        let selection = Selection {
            queries: operators.map(|operator| operator.parse().unwrap()).to_vec(),
            shard: shard.map(Division::from),
            ..Selection::default()
        }
        .resolve(suite)
        .unwrap();
        let settings = Settings { shuffle, ..settings() };
        let run = Run {
            suite,
            backend: &*backend,
            selection: &selection,
            settings: &settings,
            lock: None,
        };
        let mut records = Records::default();
        let digest = run.execute(&mut records).selection_digest;
        (records.0.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), digest)
    };
    let (all, digest) = ids(None, None);
    let (shuffled, shuffled_digest) = ids(None, Some(5));
    assert_eq!(digest, shuffled_digest);
    assert_ne!(all, shuffled);
    let mut sharded: Vec<String> = (1..=3)
        .flat_map(|index| ids(Some(Shard { index, of: 3 }), None).0)
        .collect();
    let (mut all, mut shuffled) = (all, shuffled);
    all.sort();
    sharded.sort();
    shuffled.sort();
    assert_eq!(all, sharded);
    assert_eq!(all, shuffled);
}

#[test]
fn the_lock_shows_what_changed() {
    let suite = suite();
    let backend = Box::new(dml_cpu::backend());
    let selection = Selection {
        queries: vec!["TOP_K1:2.1".parse().unwrap()],
        ..Selection::default()
    }
    .resolve(suite)
    .unwrap();
    let mut lock = Lock::default();
    for bucket in dml_plan::buckets(suite, Tier::Smoke)
        .iter()
        .filter(|b| selection.wants_bucket(suite, b))
    {
        let mut entries = Entries::default();
        let _ = dml_plan::for_each_case(suite, bucket, Tier::Smoke, 0, &mut |case| {
            lock::count(&mut entries, &case);
            std::ops::ControlFlow::Continue(())
        });
        let key = dml_plan::relock::key_of(suite, bucket);
        match lock.tables.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => lock::merge(sum, &entries),
            None => lock.tables.push((key, entries)),
        }
    }
    let changes = |lock: &Lock, seed: u64| {
        let settings = Settings { seed, ..settings() };
        let run = Run {
            suite,
            backend: &*backend,
            selection: &selection,
            settings: &settings,
            lock: Some(lock),
        };
        run.execute(&mut Records::default()).lock_changes.len()
    };
    assert_eq!(changes(&lock, 0), 0);
    let full = lock
        .tables
        .iter_mut()
        .find(|(_, entries)| entries[0].cases > 0)
        .unwrap();
    full.1[0].cases += 1;
    assert_eq!(changes(&lock, 0), 1);
    assert_eq!(changes(&lock, 7), 0, "the lock speaks of the default seed only");
}

#[test]
fn what_one_run_leaves_changes_nothing_in_the_next() {
    let suite = suite();
    let queries = "TOP_K1:2.1:values REDUCE:5.0:support ELEMENT_WISE_CLIP:1.0";
    let cache = Arc::new(ExpectedCache::default());
    let sharing = Settings {
        expected_cache: Some(Arc::clone(&cache)),
        ..settings()
    };
    let mut kept = Vec::new();
    for fault in [Fault::None, Fault::Reverse] {
        let (_, alone, _) = run(suite, fault, queries, &settings());
        let (_, shared, _) = run(suite, fault, queries, &sharing);
        assert_eq!(alone.0, shared.0);
        assert!(counts(&shared)["pass"] > 100);
        kept.push(cache.cases());
    }
    // The second run needed nothing that the first had not left.
    assert!(kept[0] > 50 && kept[0] == kept[1], "{kept:?}");
}
