//! The first K candidates of one sequence, of which the words come piece by piece.
//!
//! Where K is small, a bar is set that K elements are known to reach, and only those that pass it are kept: at first by
//! the least elements of many disjoint parts, of which K reach the K-th least, later by the K-th best so far. Where K
//! is a large part of the sequence, everything is kept, and the first K are found by the bits of their keys.

use super::{
    candidate::Candidate,
    order::{Interval, Order, Word},
    radix,
    scan::{self, BLOCK},
};

/// More candidates than these are sorted by the digits of their keys, where K is at least a quarter of them: comparing
/// was as fast or faster for fewer, and where most are dropped before anything is sorted. By the bytes of a key: each
/// takes a pass.
const fn radix_from(width: usize) -> usize {
    match width {
        1 => 1 << 7,
        2 => 1 << 8,
        _ => 1 << 15,
    }
}

/// Up to so many candidates are sorted whole.
const SHORT: usize = 32;

/// Parts whose least elements set the first bar, where K is at most half of them.
const FEW: usize = 64;
const MANY: usize = 256;

/// Words of a part that set the first bar.
const SAMPLED: usize = 32;

/// Finds the first `k` of the words that it is fed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best<T> {
    order: Order<T>,
    k: usize,
    /// Whether all candidates are kept until the end.
    keeps_all: bool,
    /// What is kept of the words that come next; `None` where nothing can come before what there is.
    bar: Option<Interval<T>>,
    is_begun: bool,
}

impl<T: Word> Best<T> {
    /// For the first `k` of at most `length` words.
    pub(super) fn new(order: Order<T>, k: usize, length: usize) -> Self {
        Self {
            order,
            k,
            keeps_all: keeps_all(k, length),
            bar: Some(Interval::ALL),
            is_begun: false,
        }
    }

    /// Looks at the next words, the first of which has the index `base`, and keeps candidates in `list`.
    pub(super) fn feed(&mut self, words: &[T::Bytes], base: u32, list: &mut Vec<T::Candidate>) {
        if self.keeps_all {
            return scan::collect_all(words, base, self.order, list);
        }
        if !self.is_begun {
            self.is_begun = true;
            self.bar = Some(first_bar(words, self.order, self.k));
        }
        let room = self.room();
        list.reserve(room);
        let mut done = 0;
        while let (Some(bar), Some(rest @ [_, ..])) = (self.bar, words.get(done..)) {
            done += scan::collect(rest, base + done as u32, self.order, bar, list, room);
            if list.len() + BLOCK > room {
                self.cut(list);
            }
        }
    }

    /// Whether it is worth while to [`begin`](Self::begin) with so many parts.
    pub(super) fn begins_with(&self, parts: usize) -> bool {
        !self.keeps_all && enough(self.k) <= parts
    }

    /// Parts of which the least ranks set a good first bar.
    pub(super) fn parts(&self) -> usize {
        enough(self.k)
    }

    /// Sets the first bar by the least ranks of disjoint parts of the words.
    pub(super) fn begin(&mut self, least: &mut [T]) {
        self.is_begun = true;
        self.bar = Some(kth_least(least, self.order, self.k));
    }

    /// The last rank of words that may be kept; `None` where none may.
    #[inline]
    pub(super) fn last(&self) -> Option<T> {
        self.bar.map(Interval::last)
    }

    /// Looks at one word.
    #[inline]
    pub(super) fn offer(&mut self, word: T::Bytes, index: u32, list: &mut Vec<T::Candidate>) {
        let bits = T::load(word);
        if self.bar.is_some_and(|bar| bar.holds(bits)) {
            list.push(T::Candidate::new(self.order.key(bits).to_u64(), index));
            if list.len() == self.room() {
                self.cut(list);
            }
        }
    }

    /// Candidates that are kept at most: behind a cut there is room for a block at least.
    fn room(&self) -> usize {
        (2 * self.k).max(BLOCK) + BLOCK
    }

    /// Leaves the first `k` of all that was fed, in order.
    pub(super) fn finish(self, list: &mut Vec<T::Candidate>, spare: &mut Vec<T::Candidate>) {
        // What was never cut is still in order of its indices, as sorting by digits needs.
        if self.keeps_all && list.len() > radix_from(T::WIDTH) && self.k >= list.len() / 4 {
            radix::first(list, spare, T::WIDTH, self.k);
        } else {
            first(list, self.k);
        }
    }

    /// Leaves the first `k` so far. What comes next has higher indices, so that it has to be better than the last of them.
    fn cut(&mut self, list: &mut Vec<T::Candidate>) {
        let (_, kth, _) = list.select_nth_unstable(self.k - 1);
        self.bar = self.order.before(T::from_u64(kth.key()));
        list.truncate(self.k);
    }
}

/// Whether all of so many candidates are kept until the end, rather than those that pass a bar.
pub(super) fn keeps_all(k: usize, length: usize) -> bool {
    length < 2 * FEW || k > length / 8
}

/// An interval that at least `k` of the words belong to, and all that come before them.
fn first_bar<T: Word>(words: &[T::Bytes], order: Order<T>, k: usize) -> Interval<T> {
    let sample = |lanes: usize| words.get(..SAMPLED * lanes).unwrap_or(words);
    if 2 * k <= FEW && words.len() >= 2 * FEW {
        let mut least = scan::least_of_lanes::<T, FEW>(sample(FEW), order);
        kth_least(&mut least, order, k)
    } else if 2 * k <= MANY && words.len() >= 2 * MANY {
        let mut least = scan::least_of_lanes::<T, MANY>(sample(MANY), order);
        kth_least(&mut least, order, k)
    } else {
        Interval::ALL
    }
}

/// Parts of which the `k`-th least is a good bar.
fn enough(k: usize) -> usize {
    (k + k / 2).next_power_of_two().max(16)
}

/// The elements up to the `k`-th of the least ones of disjoint parts; fewer parts say as much and are sorted faster.
fn kth_least<T: Word>(least: &mut [T], order: Order<T>, k: usize) -> Interval<T> {
    let kth = scan::kth_least(least, enough(k), k);
    order.until(order.key_of_rank(kth))
}

/// Leaves the first `k` of the candidates, in order.
pub(super) fn first<C: Candidate>(list: &mut Vec<C>, k: usize) {
    if list.len() > k.max(SHORT) {
        list.select_nth_unstable(k - 1);
        list.truncate(k);
    }
    if list.len() <= scan::FEW {
        scan::sort_few(list);
    } else {
        list.sort_unstable();
    }
    list.truncate(k);
}
