//! Time spent in each part of a run.

use std::time::Duration;

/// Elements of the cases that are called small.
pub const SMALL: u64 = 64;

/// What takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Ids, descriptors, inputs, verdicts and digests.
    Planning,
    /// Expected outputs.
    Oracle,
    /// From passing cases to the backend to their answers.
    Backend,
    /// Comparing outputs, and explaining failures.
    Judging,
    /// Counting and writing the results of the cases.
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

/// Time spent in each part of a run, all threads together.
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

    /// Small cases that all workers together do in a second; `None` if there were none.
    pub fn small_rate(&self) -> Option<f64> {
        let seconds = self.small_time.as_secs_f64();
        (seconds > 0.0).then(|| self.small as f64 * self.workers as f64 / seconds)
    }

    /// Takes a case in, of so many elements.
    pub fn note(&mut self, elements: u64, time: Duration) {
        if elements <= SMALL {
            self.small += 1;
            self.small_time += time;
        }
    }

    /// Adds what another thread measured.
    pub fn add(&mut self, measured: &[Duration; Work::ALL.len()]) {
        for (share, more) in self.shares.iter_mut().zip(measured) {
            *share += *more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
