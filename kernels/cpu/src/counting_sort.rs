//! Sorts up to 32 candidates, or finds the k-th of up to 64 ranks, by counting how many come before each: that takes no
//! branches, and processors count for many at once.

use multiversion::multiversion;

use super::{candidate::Candidate, order::Word};

/// The `k`-th of ranks of which each is the lesser of several, until no more than `enough` are left. Their number and
/// `enough` are powers of two.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn kth_least<T: Word>(mut ranks: &mut [T], enough: usize, k: usize) -> T {
    while ranks.len() > enough {
        let (kept, others) = ranks.split_at_mut(ranks.len() / 2);
        for (kept, other) in kept.iter_mut().zip(others) {
            *kept = (*kept).min(*other);
        }
        ranks = kept;
    }
    match ranks.len() {
        0..=16 => kth_padded::<T, 16>(ranks, k),
        17..=32 => kth_padded::<T, 32>(ranks, k),
        33..=64 => kth_padded::<T, 64>(ranks, k),
        _ => *ranks.select_nth_unstable(k - 1).1,
    }
}

/// The `k`-th of at most `N` ranks, by counting for each how many are no greater: that takes no branches. As many are
/// compared, so that the compiler knows how many there are; `k` and `N` are numbers of the ranks' type.
#[inline(always)]
fn kth_padded<T: Word, const N: usize>(ranks: &[T], k: usize) -> T {
    let (mut all, mut counts) = ([T::ONES; N], [T::ZERO; N]);
    for (to, rank) in all.iter_mut().zip(ranks) {
        *to = *rank;
    }
    for other in all {
        for (count, rank) in counts.iter_mut().zip(&all) {
            *count = count.minus(if other <= *rank { T::ONES } else { T::ZERO });
        }
    }
    let k = T::from_u64(k as u64);
    let mut kth = T::ONES;
    for (rank, count) in all.into_iter().zip(counts) {
        kth = kth.min(if count >= k { rank } else { T::ONES });
    }
    kth
}

/// Most candidates that [`sort`] sorts.
pub(super) const MOST: usize = 32;

/// Sorts at most [`MOST`] candidates, by counting how many of them come before each: that takes no branches.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn sort<C: Candidate>(list: &mut [C]) {
    match list.len() {
        0 | 1 => {}
        2..=8 => sort_padded::<C, 8>(list),
        9..=16 => sort_padded::<C, 16>(list),
        _ => sort_padded::<C, MOST>(list),
    }
}

/// Sorts at most `N` candidates; as many are compared, so that the compiler knows how many there are.
#[inline(always)]
fn sort_padded<C: Candidate, const N: usize>(list: &mut [C]) {
    let (mut high, mut low) = ([u64::MAX; N], [0; N]);
    for ((high, low), candidate) in high.iter_mut().zip(&mut low).zip(&*list) {
        [*high, *low] = candidate.halves();
    }
    let (mut sorted, mut before) = ([C::LAST; N], [0u64; N]);
    for other in &*list {
        let [first, second] = other.halves();
        for (before, (high, low)) in before.iter_mut().zip(high.iter().zip(&low)) {
            let ties = if C::HAS_LOW {
                u64::from(first == *high) & u64::from(second < *low)
            } else {
                0
            };
            *before += u64::from(first < *high) | ties;
        }
    }
    for (candidate, before) in list.iter().zip(before) {
        sorted[before as usize % N] = *candidate;
    }
    for (to, candidate) in list.iter_mut().zip(sorted) {
        *to = candidate;
    }
}
