//! Pseudo-random numbers that never change: ids fix inputs permanently, so the generator is part of the format.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What SplitMix64 counts by.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of an id and a seed.
    pub fn new(id: &str, seed: u64) -> Self {
        Self(xxh3_64_with_seed(id.as_bytes(), seed))
    }

    /// The stream of a number.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let bits = word(self.0, 1);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// Fills bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.fill_behind(bytes, 0);
    }

    /// Fills bytes as [`Self::fill`] does, except for the first ones if they are all written otherwise.
    pub fn fill_behind(&mut self, bytes: &mut [u8], first: usize) {
        let words = (first / 8).min(bytes.len() / 8);
        self.0 = self.0.wrapping_add(STEP.wrapping_mul(words as u64));
        for chunk in bytes.chunks_mut(8).skip(words) {
            let bits = self.bits().to_le_bytes();
            chunk.copy_from_slice(&bits[..chunk.len()]);
        }
    }
}

/// A word of the stream of a number, without those before it.
pub fn word(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_mul(STEP));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_fixed() {
        let mut random = Random::new("TOP_K1:3.1:ties:k=1", 0);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        let mut again = Random::new("TOP_K1:3.1:ties:k=1", 0);
        assert_eq!(first, (0..3).map(|_| again.bits()).collect::<Vec<_>>());
        assert_ne!(first[0], Random::new("TOP_K1:3.1:ties:k=1", 1).bits());
        assert_eq!(
            Random(0).bits(),
            0xe220_a839_7b1d_cdaf,
            "the published first number of SplitMix64"
        );
        assert!((0..1000).all(|_| random.below(7) < 7));
    }

    #[test]
    fn what_is_left_out_changes_nothing_else() {
        let (mut whole, mut part) = ([0; 29], [0; 29]);
        for first in [0, 7, 8, 24, 28, 29, 100] {
            let (mut random, mut again) = (Random::of(3), Random::of(3));
            random.fill(&mut whole);
            again.fill_behind(&mut part, first);
            let from = first.min(29);
            assert_eq!(
                (&whole[from..], random.bits()),
                (&part[from..], again.bits()),
                "{first}"
            );
        }
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::of(7).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<u32>>());
        let mut again: Vec<u32> = (0..100).collect();
        Random::of(7).shuffle(&mut again);
        assert_eq!(items, again);
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<u32>>());
    }
}
