//! Candidates: a key and an index as one integer, so that ties ascend by index and any sort gives one answer.

use std::{cell::Cell, fmt::Debug};

/// Maximum number of sequences that are processed together.
pub(super) const COLUMNS: usize = 64;

/// Key above, index below: ordered by key, then by index, and no two of a sequence are equal.
pub(super) trait Candidate: Copy + Ord + Debug + Send + 'static {
    /// None comes after it.
    const LAST: Self;

    /// Whether the second of its [halves](Self::halves) can be more than zero.
    const HAS_LOW: bool;

    /// Of a key of an element's width, zero-extended.
    fn new(key: u64, index: u32) -> Self;

    fn key(self) -> u64;

    fn index(self) -> u32;

    /// The same as integers that processors compare many of at once, the most significant one first.
    fn halves(self) -> [u64; 2];

    /// Lends vectors that earlier calls on this thread may have grown: most calls are too small to allocate their own.
    fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R;
}

/// Room to work in.
#[derive(Debug)]
pub(super) struct Scratch<C> {
    /// Results, a list for each of the sequences that are processed together.
    pub(super) lists: [Vec<C>; COLUMNS],
    pub(super) spare: Spare<C>,
}

/// Room for a sort.
#[derive(Debug)]
pub(super) struct Spare<C> {
    pub(super) candidates: Vec<C>,
    /// Some bits of their keys, and their places.
    pub(super) places: Vec<u64>,
}

impl<C> Spare<C> {
    pub(super) const fn new() -> Self {
        Self {
            candidates: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<C> Scratch<C> {
    const fn new() -> Self {
        Self {
            lists: [const { Vec::new() }; COLUMNS],
            spare: Spare::new(),
        }
    }

    fn forget(&mut self) {
        for list in self.lists.iter_mut().chain([&mut self.spare.candidates]) {
            list.clear();
            list.shrink_to(KEEP);
        }
        self.spare.places.clear();
        self.spare.places.shrink_to(KEEP);
    }
}

/// Candidates that each list of a thread keeps room for between calls.
const KEEP: usize = 1 << 14;

macro_rules! candidate {
    ($integer:ty, $has_low:literal, $halves:expr) => {
        impl Candidate for $integer {
            const LAST: Self = <$integer>::MAX;
            const HAS_LOW: bool = $has_low;

            #[inline(always)]
            fn new(key: u64, index: u32) -> Self {
                Self::from(key) << (Self::BITS / 2) | Self::from(index)
            }

            #[inline(always)]
            fn key(self) -> u64 {
                (self >> (Self::BITS / 2)) as u64
            }

            #[inline(always)]
            fn index(self) -> u32 {
                // The index is the low half; the upper bits are dropped on purpose.
                self as u32
            }

            #[inline(always)]
            fn halves(self) -> [u64; 2] {
                $halves(self)
            }

            fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R {
                thread_local!(static SCRATCH: Cell<Option<Box<Scratch<$integer>>>> = const { Cell::new(None) });
                let mut scratch = SCRATCH.take().unwrap_or_else(|| Box::new(const { Scratch::new() }));
                let result = work(&mut scratch);
                scratch.forget();
                SCRATCH.set(Some(scratch));
                result
            }
        }
    };
}

candidate!(u64, false, |whole| [whole, 0]); // keys of up to 32 bits
candidate!(u128, true, |whole: u128| [(whole >> 64) as u64, whole as u64]);
