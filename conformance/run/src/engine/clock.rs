//! The clocks of worker threads, which run only if somebody asks where the time goes.
//!
//! A thread has a clock, and whoever ends a piece of work says what the time since the last piece went to. So nothing
//! is measured twice or not at all, and batches stay as they are.

use std::time::{Duration, Instant};

use dml_case::timings::Work;

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

    /// What it measured.
    pub(super) fn shares(&self) -> &[Duration; Work::ALL.len()] {
        &self.shares
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
    use crate::engine::clock::*;
    use dml_case::timings::Timings;

    #[test]
    fn what_a_clock_measures_adds_up() {
        let (mut clock, start) = (Clock::start(true), Instant::now());
        let laps: Duration = Work::ALL.into_iter().map(|work| clock.lap(work)).sum();
        clock.skip();
        let mut timings = Timings::default();
        timings.add(clock.shares());
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
}
