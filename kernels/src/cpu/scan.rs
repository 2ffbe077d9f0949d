//! Loops over whole sequences, written so that the compiler turns them into vector instructions, and compiled for
//! several generations of processors; which of them runs is decided as the program does.

use multiversion::multiversion;

use super::{
    candidate::Candidate,
    order::{Equal, Interval, Order, Word},
};

/// Words that are looked at together: one bit each of a mask.
pub(super) const BLOCK: usize = 64;

/// Whether any word of a block belongs to the interval.
#[inline(always)]
fn any<T: Word>(block: &[T::Bytes; BLOCK], interval: Interval<T>) -> bool {
    let mut any = false;
    for word in block {
        any |= interval.holds(T::load(*word));
    }
    any
}

/// Which words of a block belong.
#[inline(always)]
fn mask<T: Word>(block: &[T::Bytes; BLOCK], belongs: impl Fn(T) -> bool) -> u64 {
    let mut mask = 0;
    for (place, word) in block.iter().enumerate() {
        mask |= u64::from(belongs(T::load(*word))) << place;
    }
    mask
}

/// Appends the candidates of the words that belong to the interval, until fewer than [`BLOCK`] more may come than `room`
/// allows. Returns how many words were looked at.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn collect<T: Word>(
    words: &[T::Bytes],
    base: u32,
    order: Order<T>,
    interval: Interval<T>,
    found: &mut Vec<T::Candidate>,
    room: usize,
) -> usize {
    let (blocks, rest) = words.as_chunks::<BLOCK>();
    let add = |found: &mut Vec<T::Candidate>, block: &[T::Bytes; BLOCK], mut mask: u64, index: u32| {
        while mask != 0 {
            let place = mask.trailing_zeros();
            mask &= mask - 1;
            let key = order.key(T::load(block[place as usize % BLOCK]));
            found.push(T::Candidate::new(key.to_u64(), index + place));
        }
    };
    let mut looked_at = 0;
    for block in blocks {
        if any(block, interval) {
            if found.len() + BLOCK > room {
                return looked_at;
            }
            add(
                found,
                block,
                mask(block, |bits: T| interval.holds(bits)),
                base + looked_at as u32,
            );
        }
        looked_at += BLOCK;
    }
    if rest.is_empty() {
        return looked_at;
    }
    if found.len() + BLOCK > room {
        return looked_at;
    }
    match words.last_chunk() {
        // What comes before the rest has been looked at.
        Some(block) => {
            let before = BLOCK - rest.len();
            let mask = mask(block, |bits: T| interval.holds(bits)) >> before << before;
            add(found, block, mask, base + (words.len() - BLOCK) as u32);
        }
        None => {
            for (word, index) in rest.iter().zip(base..) {
                let bits = T::load(*word);
                if interval.holds(bits) {
                    found.push(T::Candidate::new(order.key(bits).to_u64(), index));
                }
            }
        }
    }
    words.len()
}

/// Appends the candidates of all words.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn collect_all<T: Word>(words: &[T::Bytes], base: u32, order: Order<T>, found: &mut Vec<T::Candidate>) {
    found.extend(
        words
            .iter()
            .zip(base..)
            .map(|(word, index)| T::Candidate::new(order.key(T::load(*word)).to_u64(), index)),
    );
}

/// The least rank of every `LANES`-th word from the first, the second … on. Words at the
/// end that do not fill all lanes are left out.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn least_of_lanes<T: Word, const LANES: usize>(words: &[T::Bytes], order: Order<T>) -> [T; LANES] {
    let mut least = [T::ONES; LANES];
    let (rows, _) = words.as_chunks::<LANES>();
    for row in rows {
        for (least, word) in least.iter_mut().zip(row) {
            *least = (*least).min(order.rank(T::load(*word)));
        }
    }
    least
}

/// Rows that are a group together.
pub(super) const GROUP: usize = 8;

/// The least rank of each of `C` columns that lie side by side, in every group of rows. Rows are `stride` words apart.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn least_of_groups<T: Word, const C: usize>(
    words: &[T::Bytes],
    stride: usize,
    rows: usize,
    order: Order<T>,
    groups: &mut Vec<[T; C]>,
) {
    groups.clear();
    for first in (0..rows).step_by(GROUP) {
        let mut least = [T::ONES; C];
        for row in first..rows.min(first + GROUP) {
            if let Some(line) = words.get(row * stride..).and_then(|words| words.first_chunk::<C>()) {
                for (least, word) in least.iter_mut().zip(line) {
                    *least = (*least).min(order.rank(T::load(*word)));
                }
            }
        }
        groups.push(least);
    }
}

/// The least ranks of columns in groups, where groups that are `parts.len()` apart count as one. There they are added to
/// what `parts` holds.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn fold_groups<T: Word, const C: usize>(groups: &[[T; C]], parts: &mut [[T; C]]) {
    for groups in groups.chunks(parts.len().max(1)) {
        for (part, group) in parts.iter_mut().zip(groups) {
            for (part, rank) in part.iter_mut().zip(group) {
                *part = (*part).min(*rank);
            }
        }
    }
}

/// In which places a rank is at most the other.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn at_most<T: Word>(ranks: &[T; BLOCK], last: &[T; BLOCK]) -> u64 {
    let mut mask = 0;
    for (place, (rank, last)) in ranks.iter().zip(last).enumerate() {
        mask |= u64::from(rank <= last) << place;
    }
    mask
}

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

/// Most candidates that [`sort_few`] sorts.
pub(super) const FEW: usize = 32;

/// Sorts at most [`FEW`] candidates, by counting how many of them come before each: that takes no branches.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn sort_few<C: Candidate>(list: &mut [C]) {
    match list.len() {
        0 | 1 => {}
        2..=8 => sort_padded::<C, 8>(list),
        9..=16 => sort_padded::<C, 16>(list),
        _ => sort_padded::<C, FEW>(list),
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

/// The key of the word that comes first in the order; that of the last rank where there is no word.
pub(super) fn least<T: Word>(words: &[T::Bytes], order: Order<T>) -> T {
    let [first, other] = order.flips();
    let rank = least_flipped::<T>(words, first);
    // Without a word in the half that comes first, all are in the other.
    if first != other && rank & T::SIGN != T::ZERO {
        order.key_of_rank(least_flipped::<T>(words, other))
    } else {
        order.key_of_rank(rank)
    }
}

/// The least of words after exclusive or with `flip`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
fn least_flipped<T: Word>(words: &[T::Bytes], flip: T) -> T {
    let mut least = [T::ONES; BLOCK];
    let (blocks, rest) = words.as_chunks::<BLOCK>();
    let mut lower = |block: &[T::Bytes; BLOCK]| {
        for (least, word) in least.iter_mut().zip(block) {
            *least = (*least).min(T::load(*word) ^ flip);
        }
    };
    for block in blocks {
        lower(block);
    }
    // Words may be looked at twice, so that the last block overlaps the one before it.
    if let Some(block) = words.last_chunk() {
        lower(block);
    }
    if blocks.is_empty() {
        for (least, word) in least.iter_mut().zip(rest) {
            *least = T::load(*word) ^ flip;
        }
    }
    least.into_iter().fold(T::ONES, T::min)
}

/// Words of which it is asked at first whether any is equal.
const WIDE: usize = 4 * BLOCK;

/// Whether any of some words is equal. The least distance takes no masks, of which processors do few at once.
#[inline(always)]
fn any_equal<T: Word, const N: usize>(words: &[T::Bytes; N], equal: Equal<T>) -> bool {
    let mut least = T::ONES;
    for word in words {
        least = least.min(equal.apart(T::load(*word)));
    }
    least == T::ZERO
}

/// Place of the first word that is equal.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn first<T: Word>(words: &[T::Bytes], equal: Equal<T>) -> Option<usize> {
    let (wide, _) = words.as_chunks::<WIDE>();
    let unequal = wide.iter().take_while(|words| !any_equal(words, equal)).count() * WIDE;
    let (blocks, rest) = words.get(unequal..).unwrap_or_default().as_chunks::<BLOCK>();
    if let Some(number) = blocks.iter().position(|block| any_equal(block, equal)) {
        let within = blocks
            .get(number)
            .map_or(0, |block| mask(block, |bits: T| equal.holds(bits)).trailing_zeros());
        return Some(unequal + number * BLOCK + within as usize);
    }
    // Where the end is no block of its own, it is looked at with words before it, none of which is equal.
    match words.last_chunk() {
        Some(block) => match mask(block, |bits: T| equal.holds(bits)) {
            0 => None,
            mask => Some(words.len() - BLOCK + mask.trailing_zeros() as usize),
        },
        None => rest.iter().position(|word| equal.holds(T::load(*word))),
    }
}

/// Place of the last word that is equal.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn last<T: Word>(words: &[T::Bytes], equal: Equal<T>) -> Option<usize> {
    let (_, wide) = words.as_rchunks::<WIDE>();
    let unequal = wide.iter().rev().take_while(|words| !any_equal(words, equal)).count() * WIDE;
    let (rest, blocks) = words
        .get(..words.len() - unequal)
        .unwrap_or_default()
        .as_rchunks::<BLOCK>();
    if let Some(number) = blocks.iter().rposition(|block| any_equal(block, equal)) {
        let within = blocks.get(number).map_or(0, |block| {
            mask(block, |bits: T| equal.holds(bits)).checked_ilog2().unwrap_or(0)
        });
        return Some(rest.len() + number * BLOCK + within as usize);
    }
    match words.first_chunk() {
        Some(block) => mask(block, |bits: T| equal.holds(bits))
            .checked_ilog2()
            .map(|place| place as usize),
        None => rest.iter().rposition(|word| equal.holds(T::load(*word))),
    }
}
