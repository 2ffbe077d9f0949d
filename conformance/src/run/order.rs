//! Who works on what, and when: units are handed out in order, few ahead of what has been delivered.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Hands out the numbers `0..total`, at most `ahead` further than what has been delivered.
pub(super) struct Turns {
    total: usize,
    ahead: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: usize,
    delivered: usize,
    closed: bool,
}

impl Turns {
    /// Room for one unit a worker: what is finished early waits, and its results take memory.
    pub(super) fn new(total: usize, workers: usize) -> Self {
        Self {
            total,
            ahead: workers.max(1),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The next number, once there is room for it; `None` when there is none left.
    pub(super) fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        while !state.closed && state.next < self.total && state.next >= state.delivered + self.ahead {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed || state.next >= self.total {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    /// One more has been delivered.
    pub(super) fn delivered(&self) {
        self.lock().delivered += 1;
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

/// Puts the items into an order drawn with the seed: the same on every machine.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        let pick = split_mix(&mut state) % (last as u64 + 1);
        items.swap(last, usize::try_from(pick).unwrap_or(0));
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_wait_for_deliveries() {
        let turns = Turns::new(4, 2);
        assert_eq!((turns.next(), turns.next()), (Some(0), Some(1)));
        std::thread::scope(|scope| {
            let third = scope.spawn(|| turns.next());
            turns.delivered();
            assert_eq!(third.join().unwrap(), Some(2));
        });
        turns.close();
        assert_eq!(turns.next(), None);
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items, 7);
        assert_ne!(items, (0..100).collect::<Vec<u32>>());
        let mut again: Vec<u32> = (0..100).collect();
        shuffle(&mut again, 7);
        assert_eq!(items, again);
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<u32>>());
    }
}
