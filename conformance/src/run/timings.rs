//! Where the time of a run goes, measured only where somebody asks.
//!
//! A thread has a clock, and whoever ends a piece of work says what the time since the last piece went to. So nothing
//! is measured twice or not at all, and batches stay as they are.

use std::time::{Duration, Instant};

use super::Record;

/// Elements of the cases that are called small.
pub const SMALL: u64 = 64;

/// What takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Ids, descriptors, inputs, verdicts and digests.
    Planning,
    /// Expected outputs.
    Oracle,
    /// From handing cases over to their answers.
    Backend,
    /// Comparing outputs, and explaining failures.
    Judging,
    /// Counting and writing what came of the cases.
    Results,
    /// Waiting for memory, or until the results of earlier cases are written.
    Waiting,
}

impl Work {
    /// All of them, in the order of a case.
    pub const ALL: [Self; 6] = [
        Self::Planning,
        Self::Oracle,
        Self::Backend,
        Self::Judging,
        Self::Results,
        Self::Waiting,
    ];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Oracle => "oracle",
            Self::Backend => "backend",
            Self::Judging => "judging",
            Self::Results => "results",
            Self::Waiting => "waiting",
        }
    }

    /// What belongs to it.
    pub fn says(self) -> &'static str {
        match self {
            Self::Planning => "ids, descriptors, inputs, verdicts, digests",
            Self::Oracle => "expected outputs",
            Self::Backend => "from handing cases over to their answers",
            Self::Judging => "comparing outputs, explaining failures",
            Self::Results => "counting and writing what came of the cases",
            Self::Waiting => "for memory, or until earlier results are written",
        }
    }
}

/// Where the time of a run went, all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    shares: [Duration; Work::ALL.len()],
    /// Worker threads.
    pub workers: usize,
    /// Cases of at most [`SMALL`] elements.
    pub small: u64,
    /// What those took a worker.
    pub small_time: Duration,
}

impl Timings {
    /// What one kind of work took.
    pub fn of(&self, work: Work) -> Duration {
        self.shares.get(work as usize).copied().unwrap_or_default()
    }

    /// What everything took.
    pub fn total(&self) -> Duration {
        self.shares.iter().sum()
    }

    /// Small cases that all workers together do in a second; `None` where there were none.
    pub fn small_rate(&self) -> Option<f64> {
        let seconds = self.small_time.as_secs_f64();
        (seconds > 0.0).then(|| self.small as f64 * self.workers as f64 / seconds)
    }

    /// Takes a case in.
    pub(super) fn note(&mut self, record: &Record) {
        if let Some(time) = record.time.filter(|_| record.elements <= SMALL) {
            self.small += 1;
            self.small_time += time;
        }
    }

    /// Adds what another thread measured.
    pub(super) fn add(&mut self, clock: &Clock) {
        for (share, more) in self.shares.iter_mut().zip(&clock.shares) {
            *share += *more;
        }
    }
}

/// The clock of a thread; one that does not run says that everything takes no time.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    last: Option<Instant>,
    shares: [Duration; Work::ALL.len()],
}

impl Clock {
    /// A clock that runs from now on, or one that never does.
    pub(super) fn start(runs: bool) -> Self {
        Self {
            last: runs.then(Instant::now),
            shares: Default::default(),
        }
    }

    /// What this kind of work took until now.
    pub(super) fn of(&self, work: Work) -> Duration {
        self.shares.get(work as usize).copied().unwrap_or_default()
    }

    /// Whether it runs.
    pub(super) fn runs(&self) -> bool {
        self.last.is_some()
    }

    /// Says what the time since the last call went to; how long that was.
    pub(super) fn lap(&mut self, work: Work) -> Duration {
        let passed = self.skip();
        if let Some(share) = self.shares.get_mut(work as usize) {
            *share += passed;
        }
        passed
    }

    /// The time since the last call went to nothing that counts.
    pub(super) fn skip(&mut self) -> Duration {
        let Some(last) = &mut self.last else {
            return Duration::ZERO;
        };
        let now = Instant::now();
        let passed = now - *last;
        *last = now;
        passed
    }
}

/// Parts of a time that several cases took together, by their weights.
pub(super) fn divided(time: Duration, weights: &[u64]) -> impl Iterator<Item = Duration> {
    let all: u64 = weights.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
    let part = move |weight: &u64| time.mul_f64(*weight as f64 / all.max(1) as f64);
    weights.iter().map(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_clock_measures_adds_up() {
        let (mut clock, start) = (Clock::start(true), Instant::now());
        let laps: Duration = Work::ALL.into_iter().map(|work| clock.lap(work)).sum();
        clock.skip();
        let mut timings = Timings::default();
        timings.add(&clock);
        assert_eq!(timings.total(), laps);
        assert!(laps <= start.elapsed() + Duration::from_millis(1));
        let mut still = Clock::start(false);
        assert_eq!(
            (still.lap(Work::Oracle), still.shares),
            (Duration::ZERO, Default::default())
        );
    }

    #[test]
    fn a_time_is_divided_by_weight() {
        let parts: Vec<Duration> = divided(Duration::from_secs(12), &[1, 0, 5]).collect();
        assert_eq!(parts, [2, 0, 10].map(Duration::from_secs));
        assert_eq!(
            divided(Duration::from_secs(1), &[0, 0]).sum::<Duration>(),
            Duration::ZERO
        );
        assert_eq!(divided(Duration::from_secs(1), &[u64::MAX, u64::MAX]).count(), 2);
    }

    #[test]
    fn rates_are_those_of_all_workers() {
        let timings = Timings {
            workers: 2,
            small: 300,
            small_time: Duration::from_secs(3),
            ..Timings::default()
        };
        assert_eq!(timings.small_rate(), Some(200.0));
        assert_eq!(Timings::default().small_rate(), None);
    }
}
