//! MemoryBudget: memory that the workers of a run share, so that a few large cases do not lie in it all at a time.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::engine::Run;
use dml_case::{
    case::{Case, Mode},
    tensor::Shape,
};
use dml_judge::Expected;

/// Default limit for the bytes of cases in work, over all workers.
const USUAL: u64 = 256 << 20;

/// Bytes that an element takes while a case is judged, about: raw bits, what is accepted, and intermediates.
const ELEMENT: u64 = 136;

/// Bytes that evaluating a meaning takes for a block of points, whatever the size of the case.
const EVALUATION: u64 = 128 << 10;

/// What a case takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    /// Bytes of its buffers, which a batch holds all at a time.
    pub(super) buffers: u64,
    /// Bytes of what is expected of its outputs, which a batch holds as well.
    pub(super) expected: u64,
    /// Bytes that judging it takes besides, one case at a time.
    pub(super) judging: u64,
}

impl Weight {
    /// The weight of a case. One that only judges a descriptor has none.
    pub(super) fn of(run: &Run<'_>, case: &Case) -> Self {
        let Some((operator, _)) = run
            .suite
            .operator(case.id.operator())
            .filter(|_| case.mode == Mode::Execute)
        else {
            return Self::default();
        };
        let elements = |role| {
            let tensors = case.descriptor.tensors(operator, role);
            let shapes = tensors
                .into_iter()
                .filter_map(|tensor| Shape::of(&run.suite.catalog, tensor));
            shapes.fold(0, |sum: u64, shape| sum.saturating_add(shape.elements()))
        };
        let outputs = elements(dml_spec::model::Role::Output);
        let most = elements(dml_spec::model::Role::Input).max(outputs);
        let expected = outputs.saturating_mul(Expected::ELEMENT);
        Self {
            buffers: dml_case::poison::buffer_bytes(operator, case),
            expected,
            judging: most
                .saturating_mul(ELEMENT)
                .saturating_sub(expected)
                .saturating_add(EVALUATION),
        }
    }

    /// That of a batch with one more case.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            buffers: self.buffers.saturating_add(other.buffers),
            expected: self.expected.saturating_add(other.expected),
            judging: self.judging.max(other.judging),
        }
    }

    /// Bytes that are there as long as a batch is.
    pub(super) fn held(self) -> u64 {
        self.buffers.saturating_add(self.expected)
    }

    /// Bytes in all: inputs lie in the case as well as in its buffers.
    pub(super) fn bytes(self) -> u64 {
        let all = [self.buffers, self.buffers, self.expected, self.judging];
        all.into_iter().fold(0, u64::saturating_add)
    }
}

/// Memory that is shared.
#[derive(Debug)]
pub(super) struct MemoryBudget {
    size: u64,
    free: Mutex<u64>,
    changed: Condvar,
}

/// A part of the room, until it is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    room: &'a MemoryBudget,
    bytes: u64,
}

impl MemoryBudget {
    /// A budget of this many bytes, or the default one.
    pub(super) fn new(size: Option<u64>) -> Self {
        let size = size.unwrap_or(USUAL);
        Self {
            size,
            free: Mutex::new(size),
            changed: Condvar::new(),
        }
    }

    /// Waits until this many bytes are free, or the whole budget if they exceed it.
    pub(super) fn take(&self, bytes: u64) -> Taken<'_> {
        let bytes = bytes.min(self.size);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < bytes {
            free = self.changed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= bytes;
        Taken { room: self, bytes }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.room.free.lock().unwrap_or_else(PoisonError::into_inner) += self.bytes;
        self.room.changed.notify_all();
    }
}

/// Why a case that takes more than is allowed is skipped.
pub(super) fn too_large_reason(needed: u64, allowed: u64) -> String {
    format!(
        "{}: {} needed, {} allowed",
        dml_case::names::MEMORY,
        format_bytes(needed),
        format_bytes(allowed)
    )
}

/// Bytes in words, rounded up, so that reasons are few.
fn format_bytes(bytes: u64) -> String {
    if bytes < 1 << 20 {
        format!("{} KiB", bytes.div_ceil(1 << 10))
    } else {
        format!("{} MiB", bytes.div_ceil(1 << 20))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        ops::ControlFlow,
        sync::{
            Arc,
            atomic::{AtomicU64, AtomicUsize, Ordering},
        },
        time::Duration,
    };

    use dml_ops::{Answer, Backend, Info, Job, JobId, Session, Unavailable};
    use dml_spec::model::Tier;

    use crate::engine::memory_budget::*;
    use crate::engine::{Resolved, Selection, Settings};
    use dml_case::record::{Record, Sink};
    use dml_plan::planner::Planner;

    #[test]
    fn a_room_is_never_fuller_than_it_is_large() {
        let (room, inside, most) = (MemoryBudget::new(Some(100)), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for bytes in [60, 30, 100, 7, 1000, 0].repeat(50) {
                        let taken = room.take(bytes);
                        let now = inside.fetch_add(taken.bytes, Ordering::SeqCst) + taken.bytes;
                        most.fetch_max(now, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(taken.bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 100, "what is larger than the room has it alone");
        assert_eq!(room.free.into_inner().unwrap(), 100);
    }

    #[test]
    fn a_batch_holds_all_buffers_and_judges_one_case() {
        let small = Weight {
            buffers: 3,
            expected: 2,
            judging: 5,
        };
        let large = Weight {
            buffers: 7,
            expected: 100,
            judging: 11,
        };
        let batch = small.with(large).with(small);
        assert_eq!((batch.held(), batch.bytes()), (13 + 104, 2 * 13 + 104 + 11));
        assert_eq!(
            large
                .with(Weight {
                    buffers: u64::MAX,
                    ..Weight::default()
                })
                .bytes(),
            u64::MAX
        );
    }

    #[test]
    fn reasons_name_both() {
        assert_eq!(
            too_large_reason((96 << 20) - 5, 64 << 20),
            "memory: 96 MiB needed, 64 MiB allowed"
        );
        assert_eq!(too_large_reason(1 << 20, 1025), "memory: 1 MiB needed, 2 KiB allowed");
    }

    /// The CPU backend, whose sessions give others time to start jobs besides, and count the jobs that are in work.
    struct Crowd {
        inner: Box<dyn Backend>,
        counts: Arc<Counts>,
    }

    #[derive(Default)]
    struct Counts {
        inside: AtomicUsize,
        most: AtomicUsize,
        all: AtomicUsize,
    }

    struct CrowdSession {
        inner: Box<dyn Session>,
        counts: Arc<Counts>,
    }

    impl Backend for Crowd {
        fn info(&self) -> Info {
            self.inner.info()
        }

        fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
            Ok(Box::new(CrowdSession {
                inner: self.inner.open()?,
                counts: Arc::clone(&self.counts),
            }))
        }
    }

    impl Session for CrowdSession {
        fn create(&mut self, job: &Job) -> Answer {
            self.inner.create(job)
        }

        fn submit(&mut self, jobs: Vec<Job>) {
            let counts = &self.counts;
            let inside = counts.inside.fetch_add(jobs.len(), Ordering::SeqCst) + jobs.len();
            counts.most.fetch_max(inside, Ordering::SeqCst);
            counts.all.fetch_add(jobs.len(), Ordering::SeqCst);
            for _ in 0..20 {
                if counts.inside.load(Ordering::SeqCst) > jobs.len() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            self.inner.submit(jobs);
        }

        fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
            let answers = self.inner.poll(timeout);
            self.counts.inside.fetch_sub(answers.len(), Ordering::SeqCst);
            answers
        }
    }

    struct Nowhere;

    impl Sink for Nowhere {
        fn record(&mut self, _: &Record) {}
    }

    fn run<'a>(
        suite: &'a Planner,
        backend: &'a dyn Backend,
        selection: &'a Resolved,
        settings: &'a Settings,
    ) -> Run<'a> {
        Run {
            suite,
            backend,
            selection,
            settings,
            lock: None,
        }
    }

    #[test]
    fn the_cases_in_work_take_no_more_than_is_allowed() {
        let suite = crate::embedded::suite();
        let counts = Arc::<Counts>::default();
        let backend = Crowd {
            inner: Box::new(dml_cpu::backend()),
            counts: Arc::clone(&counts),
        };
        let selection = Selection {
            queries: vec!["TOP_K1:*:values".parse().unwrap()],
            ..Selection::default()
        };
        let selection = selection.resolve(suite).unwrap();
        let settings = Settings {
            tier: Tier::Smoke,
            jobs: 4,
            batch: 1,
            ..Settings::default()
        };
        let mut weights = Vec::new();
        for bucket in dml_plan::buckets(suite, Tier::Smoke)
            .iter()
            .filter(|b| selection.wants_bucket(suite, b))
        {
            let _ = dml_plan::for_each_case(suite, bucket, Tier::Smoke, settings.seed, &mut |case| {
                weights.push(Weight::of(&run(suite, &backend, &selection, &settings), &case).bytes());
                ControlFlow::Continue(())
            });
        }
        // One has room, and two of them have not.
        let allowed = 2 * weights.iter().min().unwrap() - 1;
        let fit = weights.iter().filter(|weight| **weight <= allowed).count();
        assert!(fit > 4, "{weights:?}");
        let settings = Settings {
            memory: Some(allowed),
            ..settings
        };
        let totals = run(suite, &backend, &selection, &settings).execute(&mut Nowhere);
        assert_eq!(totals.judged(), fit as u64, "the others are skipped");
        assert_eq!(counts.all.load(Ordering::SeqCst), fit);
        assert_eq!(counts.most.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_case_weighs_its_buffers_and_what_judging_takes() {
        let suite = crate::embedded::suite();
        let (backend, selection, settings) = (Box::new(dml_cpu::backend()), Resolved::default(), Settings::default());
        let weight = |id: &str| {
            let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
            Weight::of(&run(suite, &*backend, &selection, &settings), &case)
        };
        let clip = "ELEMENT_WISE_CLIP:1.0:sizes:type=FLOAT32,sizes=1x1x10x100,bias=null,min=-0.5,max=0.5";
        let guards = 2 * 2 * dml_case::poison::GUARD as u64;
        let expected = Weight {
            buffers: 2 * 4000 + guards,
            expected: 1000 * Expected::ELEMENT,
            judging: 1000 * ELEMENT - 1000 * Expected::ELEMENT + EVALUATION,
        };
        assert_eq!(weight(clip), expected);
        assert_eq!(expected.bytes(), 2 * 8000 + 2 * guards + 1000 * ELEMENT + EVALUATION);
        let refused = format!("{clip},OutputTensor.DataType=INT8");
        assert_eq!(weight(&refused), Weight::default(), "it only judges a descriptor");
    }
}
