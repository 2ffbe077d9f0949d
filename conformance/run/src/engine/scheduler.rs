//! Who works on what, and when: units are handed out in order, and their results go out in order.
//!
//! Results of later units wait for those of earlier ones, and waiting takes memory. So a worker that is ahead pauses
//! while too many wait; the one whose unit is being delivered never does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Hands out the numbers `0..total` of units, and keeps count of the results that wait.
pub(super) struct Scheduler {
    total: usize,
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: usize,
    /// The unit whose results are being delivered.
    current: usize,
    /// Results that were sent and not delivered.
    waiting: usize,
    closed: bool,
}

impl Scheduler {
    /// At most `most` results wait, beside those of the unit that is being delivered.
    pub(super) fn new(total: usize, most: usize) -> Self {
        Self {
            total,
            most,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The next unit; `None` when there is none left.
    pub(super) fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        if state.closed || state.next >= self.total {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    /// Waits until `results` more of this unit may be sent; false when nothing more is wanted.
    pub(super) fn send(&self, unit: usize, results: usize) -> bool {
        let mut state = self.lock();
        while !state.closed && unit != state.current && state.waiting + results > self.most {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting += results;
        !state.closed
    }

    /// So many results have been delivered.
    pub(super) fn delivered(&self, results: usize) {
        let mut state = self.lock();
        state.waiting = state.waiting.saturating_sub(results);
        self.changed.notify_all();
    }

    /// The unit that was being delivered is through.
    pub(super) fn finished(&self) {
        self.lock().current += 1;
        self.changed.notify_all();
    }

    /// Nothing more is handed out.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::scheduler::*;

    #[test]
    fn units_ahead_wait_and_the_current_one_does_not() {
        let scheduler = Scheduler::new(3, 10);
        assert_eq!((scheduler.next(), scheduler.next()), (Some(0), Some(1)));
        assert!(scheduler.send(1, 10));
        assert!(scheduler.send(0, 100), "the current unit never waits");
        std::thread::scope(|scope| {
            let ahead = scope.spawn(|| scheduler.send(1, 1));
            scheduler.delivered(100);
            scheduler.finished();
            assert!(ahead.join().unwrap(), "its turn has come");
            let ahead = scope.spawn(|| scheduler.send(2, 1));
            scheduler.delivered(10);
            assert!(ahead.join().unwrap(), "there is room again");
        });
        scheduler.close();
        assert_eq!((scheduler.next(), scheduler.send(2, 100)), (None, false));
    }
}
