//! Candidates sorted by the digits of their keys, without comparing: worth it where there are very many.

use super::candidate::Candidate;

/// Values of a digit of 8 bits.
const VALUES: usize = 256;

/// Most digits of a key.
const DIGITS: usize = 8;

/// Sorts candidates that are in order of their indices by their keys of `width` bytes, the lowest digit first.
pub(super) fn sort<C: Candidate>(list: &mut Vec<C>, spare: &mut Vec<C>, width: usize) {
    let mut counts = [[0u32; VALUES]; DIGITS];
    for candidate in &*list {
        for (counts, byte) in counts.iter_mut().zip(candidate.key().to_le_bytes()).take(width) {
            counts[usize::from(byte)] += 1;
        }
    }
    let Some(any) = list.first().copied() else { return };
    spare.clear();
    spare.resize(list.len(), any);
    for (digit, counts) in counts.iter_mut().enumerate().take(width) {
        let value = |candidate: C| usize::from((candidate.key() >> (8 * digit)) as u8);
        if counts[value(any)] as usize == list.len() {
            continue; // they all have this digit
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for candidate in &*list {
            let at = &mut counts[value(*candidate)];
            if let Some(place) = spare.get_mut(*at as usize) {
                *place = *candidate;
            }
            *at += 1;
        }
        std::mem::swap(list, spare);
    }
}
