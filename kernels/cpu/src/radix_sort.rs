//! Candidates sorted by the digits of their keys, without comparisons: pays off if there are very many.

use super::candidate::Candidate;

/// Values of a digit of 8 bits.
const VALUES: usize = 256;

/// Leaves the first `k` of candidates that are in order of their indices, sorted by their keys of `width` bytes.
pub(super) fn keep_first<C: Candidate>(list: &mut Vec<C>, spare: &mut Vec<C>, width: usize, k: usize) {
    match width {
        1 => keep_first_by::<C, 1>(list, spare, k),
        2 => keep_first_by::<C, 2>(list, spare, k),
        4 => keep_first_by::<C, 4>(list, spare, k),
        _ => keep_first_by::<C, 8>(list, spare, k),
    }
}

/// Sorts by this many digits, the lowest first.
fn keep_first_by<C: Candidate, const DIGITS: usize>(list: &mut Vec<C>, spare: &mut Vec<C>, k: usize) {
    let value = |candidate: C, digit: usize| usize::from((candidate.key() >> (8 * digit)) as u8);
    let mut counts = [[0u32; VALUES]; DIGITS];
    for candidate in &*list {
        for (digit, counts) in counts.iter_mut().enumerate() {
            counts[value(*candidate, digit)] += 1;
        }
    }
    let Some(any) = list.first().copied() else { return };
    // If all have the same digit, the pass is skipped.
    let all = list.len() as u32;
    let telling = |(digit, counts): &(usize, &mut [u32; VALUES])| counts[value(any, *digit)] != all;
    let mut digits = counts.iter_mut().enumerate().filter(telling).peekable();
    while let Some((digit, counts)) = digits.next() {
        // Only the first of the last pass are needed; the others share a place after them.
        let kept = if digits.peek().is_some() { list.len() } else { k };
        spare.resize(kept + 1, any);
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for candidate in &*list {
            let value = value(*candidate, digit);
            let at = counts[value];
            counts[value] = at + 1;
            if let Some(place) = spare.get_mut((at as usize).min(kept)) {
                *place = *candidate;
            }
        }
        spare.truncate(kept);
        std::mem::swap(list, spare);
    }
    list.truncate(k);
}
