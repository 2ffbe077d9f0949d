//! How many threads a kernel may use. Small tensors never use more than one.

use std::{
    cell::Cell,
    num::NonZeroUsize,
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

thread_local!(static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) });

/// Runs `work`, in which kernels that this thread calls use at most `limit` threads.
///
/// Without a limit they use as many as rayon's current pool has, so that [`rayon::ThreadPool::install`] decides as
/// well. A caller that runs kernels on several threads of its own limits each to one, as [`backend`](crate::backend)
/// does.
pub fn with_threads<R>(limit: NonZeroUsize, work: impl FnOnce() -> R) -> R {
    /// Restores the limit, also if `work` panics.
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let _before = Before(LIMIT.replace(limit.get()));
    work()
}

/// Elements that make another thread pay off, if each of them is processed.
const WORTH: usize = 1 << 15;

/// The same if they are merely scanned, at the speed of a cache. Tests divide less, so as to end earlier.
const WORTH_SCANNING: usize = if cfg!(test) { WORTH } else { 1 << 20 };

/// Threads for work on so many elements.
pub(super) fn for_elements(count: usize) -> usize {
    limited(count / WORTH)
}

/// Threads to scan this many contiguous elements.
pub(super) fn for_scan(count: usize) -> usize {
    limited(count / WORTH_SCANNING)
}

fn limited(wanted: usize) -> usize {
    let limit = LIMIT.get().min(wanted);
    if limit <= 1 {
        return 1;
    }
    limit.min(rayon::current_num_threads())
}

/// Parts for each thread: one that starts late, or is held up, does fewer of them.
const PARTS: usize = 4;

/// Divides parts `0..count` into ranges that begin at multiples of `unit`, calls `work` with each on any of this many
/// threads, the calling one among them, and returns the results in order.
pub(super) fn in_parts<R: Send>(
    threads: usize,
    count: usize,
    unit: usize,
    work: impl Fn(Range<usize>) -> R + Sync,
) -> Vec<R> {
    let units = count.div_ceil(unit);
    let parts = (threads * PARTS).min(units);
    let bound = |part: usize| count.min((units as u128 * part as u128 / parts as u128) as usize * unit);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(parts)));
    let work = || {
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            let result = work(bound(part)..bound(part + 1));
            done.lock().unwrap_or_else(PoisonError::into_inner).push((part, result));
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| work());
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(part, _)| *part);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(threads: usize) -> NonZeroUsize {
        NonZeroUsize::new(threads).unwrap()
    }

    #[test]
    fn limits_hold_inside_and_end_with_the_work() {
        let before = LIMIT.get();
        let (outer, inner) = with_threads(limit(1), || {
            let inner = with_threads(limit(2), || for_elements(usize::MAX).min(2));
            (for_elements(usize::MAX), inner)
        });
        assert_eq!(
            (outer, inner, LIMIT.get()),
            (1, 2.min(rayon::current_num_threads()), before)
        );
        let panicked = std::panic::catch_unwind(|| with_threads(limit(1), || panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(LIMIT.get(), before);
    }

    #[test]
    fn small_work_and_small_pools_have_one_thread() {
        assert_eq!(for_elements(WORTH - 1), 1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| for_elements(usize::MAX)), 1);
    }

    #[test]
    fn parts_cover_all_and_come_back_in_order() {
        for (threads, count, unit) in [
            (1, 5, 1),
            (2, 5, 1),
            (3, 3, 1),
            (4, 3, 1),
            (3, 100, 7),
            (2, 0, 1),
            (2, 3, 64),
        ] {
            let parts = in_parts(threads, count, unit, Iterator::collect::<Vec<_>>);
            assert!(
                parts
                    .iter()
                    .all(|part| part.first().is_some_and(|first| first % unit == 0))
            );
            assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>());
        }
    }
}
