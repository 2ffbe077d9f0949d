//! How many threads a kernel may use. Small tensors never use more than one.

use std::{cell::Cell, num::NonZeroUsize, ops::Range};

use rayon::prelude::*;

thread_local!(static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) });

/// Runs `work`, in which kernels that this thread calls use at most `limit` threads.
///
/// Without a limit they use as many as rayon's current pool has, so that [`rayon::ThreadPool::install`] decides as well.
/// Whoever runs kernels on several threads of its own limits each to one, as [`super::backend`] does.
pub fn with_threads<R>(limit: NonZeroUsize, work: impl FnOnce() -> R) -> R {
    /// Brings the limit back, also where `work` panics.
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let _before = Before(LIMIT.replace(limit.get()));
    work()
}

/// Elements that make another thread worth waking.
const WORTH: usize = 1 << 15;

/// Threads for work on so many elements.
pub(super) fn for_elements(count: usize) -> usize {
    let limit = LIMIT.get().min(count / WORTH);
    if limit <= 1 {
        return 1;
    }
    limit.min(rayon::current_num_threads())
}

/// Parts `0..count` in as many ranges as there are threads, calls `work` with each on a thread of its own, and hands
/// back what came of them in order.
pub(super) fn in_parts<R: Send>(threads: usize, count: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let bound = |part: usize| (count as u128 * part as u128 / threads as u128) as usize;
    (0..threads)
        .into_par_iter()
        .with_max_len(1)
        .map(|part| work(bound(part)..bound(part + 1)))
        .collect()
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
        for (threads, count) in [(1, 5), (2, 5), (3, 3), (4, 3), (3, 100)] {
            let parts: Vec<usize> = in_parts(threads, count, Iterator::collect::<Vec<_>>).concat();
            assert_eq!(parts, (0..count).collect::<Vec<_>>());
        }
    }
}
