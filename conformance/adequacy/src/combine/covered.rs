//! A set of combinations.

use super::Traits;

/// Which combinations of two and of three values occur; a value that is rare is combined with one other only.
#[derive(Clone, Debug)]
pub struct Covered {
    values: usize,
    /// A bit for each triple, then one for each pair.
    bits: Vec<u64>,
}

/// The values of a combination: two, or three.
pub(super) type Combination = (usize, usize, Option<usize>);

impl Covered {
    /// None of combinations of so many values.
    pub fn new(values: usize) -> Self {
        let all = values * values * (values + 1);
        Self {
            values,
            bits: vec![0; all.div_ceil(64)],
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Those of both.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.bits
            .iter_mut()
            .zip(&other.bits)
            .for_each(|(own, other)| *own |= other);
        self
    }

    /// Adds those of a case.
    pub fn add(&mut self, traits: &Traits, values: &[usize]) {
        for combination in combinations(traits, values) {
            let place = self.place(combination);
            if let Some(word) = self.bits.get_mut(place / 64) {
                *word |= 1 << (place % 64);
            }
        }
    }

    /// Those of a case that are not there.
    pub fn lacking<'a>(&'a self, traits: &'a Traits, values: &'a [usize]) -> impl Iterator<Item = Combination> + 'a {
        combinations(traits, values).filter(|combination| !self.has(*combination))
    }

    fn has(&self, combination: Combination) -> bool {
        let place = self.place(combination);
        self.bits
            .get(place / 64)
            .is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    fn place(&self, (a, b, c): Combination) -> usize {
        let pair = a * self.values + b;
        match c {
            Some(c) => pair * self.values + c,
            None => self.values * self.values * self.values + pair,
        }
    }
}

/// All combinations of these values.
fn combinations<'a>(traits: &'a Traits, values: &'a [usize]) -> impl Iterator<Item = Combination> + 'a {
    let behind = |at: usize| values.get(at + 1..).unwrap_or_default().iter().enumerate();
    values.iter().enumerate().flat_map(move |(i, a)| {
        behind(i).flat_map(move |(j, b)| {
            let rare = traits.is_rare(*a) || traits.is_rare(*b);
            let thirds = behind(i + 1 + j).filter(move |(_, c)| !rare && !traits.is_rare(**c));
            let triples = thirds.map(move |(_, c)| (*a, *b, Some(*c)));
            std::iter::once((*a, *b, None)).chain(triples)
        })
    })
}
