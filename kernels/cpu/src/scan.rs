//! Loops over whole sequences, written so that the compiler turns them into vector instructions, and compiled for
//! several generations of processors; the program chooses one at run time.

use multiversion::multiversion;

use super::{
    candidate::Candidate,
    order::{Interval, Order, Word},
};

/// Words that are processed together: one bit each of a mask.
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
    if rest.is_empty() || found.len() + BLOCK > room {
        return looked_at;
    }
    collect_rest(words, rest.len(), base, order, interval, found);
    words.len()
}

/// Appends the candidates of words that belong to the interval, of which all but the last few stand in these lanes: in
/// every [`BLOCK`]-th word from there. There are fewer than 64 blocks.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn collect_lanes<T: Word>(
    words: &[T::Bytes],
    base: u32,
    order: Order<T>,
    interval: Interval<T>,
    mut lanes: u64,
    found: &mut Vec<T::Candidate>,
) {
    let (blocks, rest) = words.as_chunks::<BLOCK>();
    let (eights, few) = blocks.as_chunks::<8>();
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % BLOCK;
        lanes &= lanes - 1;
        let mut mask = rows_of_lane::<T>(few, lane, interval) << (8 * eights.len());
        for (number, eight) in eights.iter().enumerate() {
            mask |= rows_of_lane::<T>(eight, lane, interval) << (8 * number);
        }
        while mask != 0 {
            let row = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if let Some(block) = blocks.get(row) {
                let key = order.key(T::load(block[lane]));
                found.push(T::Candidate::new(key.to_u64(), base + (row * BLOCK + lane) as u32));
            }
        }
    }
    if !rest.is_empty() {
        collect_rest(words, rest.len(), base, order, interval, found);
    }
}

/// In which blocks this lane's word belongs to the interval.
#[inline(always)]
fn rows_of_lane<T: Word>(blocks: &[[T::Bytes; BLOCK]], lane: usize, interval: Interval<T>) -> u64 {
    let mut mask = 0;
    for (row, block) in blocks.iter().enumerate() {
        mask |= u64::from(interval.holds(T::load(block[lane]))) << row;
    }
    mask
}

/// Appends the candidates of the last `rest` words, fewer than a block.
#[inline(always)]
fn collect_rest<T: Word>(
    words: &[T::Bytes],
    rest: usize,
    base: u32,
    order: Order<T>,
    interval: Interval<T>,
    found: &mut Vec<T::Candidate>,
) {
    match words.last_chunk::<BLOCK>() {
        // What comes before the rest has been processed.
        Some(block) => {
            let before = BLOCK - rest;
            let mut mask = mask(block, |bits: T| interval.holds(bits)) >> before << before;
            while mask != 0 {
                let place = mask.trailing_zeros();
                mask &= mask - 1;
                let key = order.key(T::load(block[place as usize % BLOCK]));
                found.push(T::Candidate::new(
                    key.to_u64(),
                    base + (words.len() - BLOCK) as u32 + place,
                ));
            }
        }
        None => {
            for (word, index) in words.iter().zip(base..) {
                let bits = T::load(*word);
                if interval.holds(bits) {
                    found.push(T::Candidate::new(order.key(bits).to_u64(), index));
                }
            }
        }
    }
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

/// The least of every `LANES`-th word from the first, the second … on, after exclusive or with `flip`. Words at the end
/// that do not fill all lanes are left out.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn least_of_lanes<T: Word, const LANES: usize>(words: &[T::Bytes], flip: T) -> [T; LANES] {
    least_of_rows::<T, LANES>(words.as_chunks().0, flip)
}

/// The least of each column, after exclusive or with `flip`.
#[inline(always)]
fn least_of_rows<T: Word, const LANES: usize>(rows: &[[T::Bytes; LANES]], flip: T) -> [T; LANES] {
    let mut least = [T::ONES; LANES];
    for row in rows {
        for (least, word) in least.iter_mut().zip(row) {
            *least = (*least).min(T::load(*word) ^ flip);
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

/// The least ranks of columns in groups, if groups that are `parts.len()` apart count as one. There they are added to
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

/// The least of words after exclusive or with `flip`; all bits if there is no word.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn least<T: Word>(words: &[T::Bytes], flip: T) -> T {
    let (blocks, rest) = words.as_chunks::<BLOCK>();
    // Words may be looked at twice, so that the last block overlaps the one before it.
    match words.last_chunk::<BLOCK>() {
        Some(end) => {
            let (least, end) = (
                least_of_rows::<T, BLOCK>(blocks, flip),
                least_of_rows::<T, BLOCK>(&[*end], flip),
            );
            least.into_iter().chain(end).fold(T::ONES, T::min)
        }
        None => rest
            .iter()
            .fold(T::ONES, |least, word| least.min(T::load(*word) ^ flip)),
    }
}

/// The least of words after exclusive or with `flip`, and the place of the first of those, or the last.
///
/// One pass finds the least word of each of [`BLOCK`] lanes, so that it is looked for in one lane only, mostly.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn place<T: Word>(words: &[T::Bytes], flip: T, last: bool) -> Option<(T, usize)> {
    let Some(end) = words.last_chunk::<BLOCK>() else {
        let least = words.iter().map(|word| T::load(*word) ^ flip).min()?;
        let is_least = |word: &T::Bytes| T::load(*word) ^ flip == least;
        let place = if last {
            words.iter().rposition(is_least)
        } else {
            words.iter().position(is_least)
        };
        return Some((least, place?));
    };
    let (blocks, _) = words.as_chunks::<BLOCK>();
    let (lanes, ends) = (
        least_of_rows::<T, BLOCK>(blocks, flip),
        least_of_rows::<T, BLOCK>(&[*end], flip),
    );
    let mut least = T::ONES;
    for (lane, end) in lanes.iter().zip(&ends) {
        least = least.min((*lane).min(*end));
    }
    let (mut in_lanes, mut in_end) = (0, 0);
    for (place, (lane, end)) in lanes.iter().zip(&ends).enumerate() {
        in_lanes |= u64::from(*lane == least) << place;
        in_end |= u64::from(*end == least) << place;
    }
    // What stands in the end only is in no lane.
    let place = match (in_end.checked_ilog2(), in_lanes == 0) {
        (Some(place), _) if last => words.len() - BLOCK + place as usize,
        (Some(_), true) => words.len() - BLOCK + in_end.trailing_zeros() as usize,
        _ => place_in_lanes::<T>(blocks, in_lanes, least ^ flip, last)?,
    };
    Some((least, place))
}

/// Place of the first word with these bits, or the last, which stands in some of these lanes.
#[inline(always)]
fn place_in_lanes<T: Word>(blocks: &[[T::Bytes; BLOCK]], lanes: u64, bits: T, last: bool) -> Option<usize> {
    let lane = lanes.trailing_zeros() as usize % BLOCK;
    let is_here = |block: &[T::Bytes; BLOCK]| {
        if lanes.is_power_of_two() {
            T::load(block[lane]) == bits
        } else {
            let mut apart = T::ONES;
            for word in block {
                apart = apart.min(T::load(*word) ^ bits);
            }
            apart == T::ZERO
        }
    };
    let number = if last {
        blocks.iter().rposition(is_here)
    } else {
        blocks.iter().position(is_here)
    }?;
    let equal = mask(blocks.get(number)?, |word: T| word == bits);
    let within = if last {
        equal.checked_ilog2()?
    } else {
        equal.trailing_zeros()
    };
    Some(number * BLOCK + within as usize)
}

/// Place of the first of the two zeros of floating point, or the last.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
))]
pub(super) fn place_of_zero<T: Word>(words: &[T::Bytes], last: bool) -> Option<usize> {
    let magnitude = |word: &T::Bytes| T::load(*word) & (T::SIGN ^ T::ONES);
    let has_any = |(_, block): &(usize, &[T::Bytes])| {
        block.iter().fold(T::ONES, |least, word| least.min(magnitude(word))) == T::ZERO
    };
    let is_zero = |word: &T::Bytes| magnitude(word) == T::ZERO;
    let mut blocks = words.chunks(BLOCK).enumerate();
    let (number, within) = if last {
        let (number, block) = blocks.rfind(has_any)?;
        (number, block.iter().rposition(is_zero)?)
    } else {
        let (number, block) = blocks.find(has_any)?;
        (number, block.iter().position(is_zero)?)
    };
    Some(number * BLOCK + within)
}
