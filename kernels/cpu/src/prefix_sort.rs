//! Candidates of more than 64 bits, sorted as numbers of 64 bits if few bits of their keys distinguish them: processors
//! compare those faster.

use super::candidate::{Candidate, Spare};

/// Fewer candidates are compared whole.
const MANY: usize = 64;

/// Bits of a key that are placed above the index.
const BITS: u32 = 32;

/// Leaves the first `k` of candidates that are in order of their indices, sorted. Leaves them as they are, and says so,
/// if they are few or of 64 bits, or if more bits would tell which of them are the first.
pub(super) fn keep_first<C: Candidate>(list: &mut Vec<C>, k: usize, spare: &mut Spare<C>) -> bool {
    let Some(any) = list.first().filter(|_| C::HAS_LOW && list.len() > MANY) else {
        return false;
    };
    let differing = list.iter().fold(0, |bits, other| bits | (other.key() ^ any.key()));
    let shift = (u64::BITS - differing.leading_zeros()).saturating_sub(BITS);
    let loses_any = differing.trailing_zeros() < shift;
    let places = &mut spare.places;
    places.clear();
    // Bits above those are the same in all.
    let short = |candidate: &C| u64::from((candidate.key() >> shift) as u32) << BITS;
    places.extend(list.iter().zip(0..).map(|(candidate, place)| short(candidate) | place));
    if k < places.len() {
        let (_, kth, behind) = places.select_nth_unstable(k - 1);
        if loses_any && behind.iter().any(|other| other >> BITS == *kth >> BITS) {
            return false;
        }
        places.truncate(k);
    }
    places.sort_unstable();
    let sorted = &mut spare.candidates;
    sorted.clear();
    sorted.extend(places.iter().filter_map(|place| list.get(*place as u32 as usize)));
    // Those with equal bits are adjacent.
    if loses_any && !sorted.is_sorted() {
        sorted.sort_unstable();
    }
    std::mem::swap(list, sorted);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_those_of_a_sort_whatever_bits_tell_them_apart() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state ^ (state >> 29)
        };
        // Masks of bits that differ: all, few high ones, few low ones, both ends, half of them, none.
        for mask in [u64::MAX, 0xf << 60, 0xff, 0xf << 60 | 0xf, 0xffff_ffff, 0] {
            for (n, k) in [(65, 1), (65, 65), (300, 150), (1000, 999)] {
                let base = random() & !mask;
                let whole: Vec<u128> = (0..n).map(|i| Candidate::new(base | random() & mask, i)).collect();
                let (mut list, mut spare) = (whole.clone(), Spare::new());
                let is_sorted = keep_first(&mut list, k, &mut spare);
                let mut expected = whole.clone();
                expected.sort_unstable();
                expected.truncate(k);
                match is_sorted {
                    true => assert_eq!(list, expected, "{mask:x} {n} {k}"),
                    // Only bits that do not fit between the first and the last leave it open.
                    false => assert_eq!((list, mask), (whole, 0xf << 60 | 0xf), "{n} {k}"),
                }
            }
        }
    }

    #[test]
    fn few_and_narrow_ones_are_left_to_others() {
        let mut few: Vec<u128> = (0..64).map(|i| Candidate::new(u64::from(64 - i), i)).collect();
        let before = few.clone();
        assert!(!keep_first(&mut few, 3, &mut Spare::new()));
        assert_eq!(few, before);
        let mut narrow: Vec<u64> = (0..100).map(|i| Candidate::new(u64::from(100 - i), i)).collect();
        assert!(!keep_first(&mut narrow, 3, &mut Spare::new()));
    }
}
