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
