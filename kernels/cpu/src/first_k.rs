//! The first K candidates of one sequence, whose words come in parts.
//!
//! If K is small, a bar is set that K elements are known to reach, and only those that pass it are kept: at first by
//! the least elements of many disjoint parts, of which K reach the K-th least, later by the K-th best so far. If K is a
//! large part of the sequence, everything is kept, and the first K are found by the bits of their keys.

use super::{
    candidate::{Candidate, Spare},
    counting_sort,
    order::{Interval, Order, Word},
    prefix_sort, radix_sort,
    scan::{self, BLOCK},
};

/// More candidates than these are sorted by the digits of their keys, if K is at least a quarter of them: comparing
/// was as fast or faster for fewer, and if most are dropped before anything is sorted. By the bytes of a key: each
/// takes a pass.
const fn radix_from(width: usize) -> usize {
    match width {
        1 => 1 << 7,
        2 => 1 << 8,
        _ => 1 << 15,
    }
}

/// At most this many candidates are sorted as a whole.
const SHORT: usize = 32;

/// Parts whose least elements set the first bar, if K is at most half of them.
const NARROW_SAMPLE: usize = BLOCK;
const WIDE_SAMPLE: usize = 256;

/// Words of a part that set the first bar.
const SAMPLED: usize = 32;

/// Finds the first `k` of the words passed to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstK<T> {
    order: Order<T>,
    k: usize,
    /// Whether all candidates are kept until the end.
    keeps_all: bool,
    /// The part of the next words that is kept; `None` if none can come before the present ones.
    bar: Option<Interval<T>>,
    is_begun: bool,
}

impl<T: Word> FirstK<T> {
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

    /// Processes the next words, the first of which has the index `base`, and keeps candidates in `list`.
    pub(super) fn feed(&mut self, words: &[T::Bytes], base: u32, list: &mut Vec<T::Candidate>) {
        if self.keeps_all {
            return scan::collect_all(words, base, self.order, list);
        }
        if !self.is_begun {
            self.is_begun = true;
            let (bar, lanes) = first_bar(words, self.order, self.k);
            self.bar = Some(bar);
            // Ties may leave many candidates, of which a cut leaves few.
            if let Some(lanes) = lanes.filter(|lanes| lanes.count_ones() as usize <= 2 * self.k) {
                return scan::collect_lanes(words, base, self.order, bar, lanes, list);
            }
        }
        let room = self.capacity();
        list.reserve(room);
        let mut done = 0;
        while let (Some(bar), Some(rest @ [_, ..])) = (self.bar, words.get(done..)) {
            done += scan::collect(rest, base + done as u32, self.order, bar, list, room);
            if list.len() + BLOCK > room {
                self.cut(list);
            }
        }
    }

    /// Whether [`begin`](Self::begin) pays off with this many parts.
    pub(super) fn begins_with(&self, parts: usize) -> bool {
        !self.keeps_all && enough::<T>(self.k) <= parts
    }

    /// Parts of which the least ranks set a good first bar.
    pub(super) fn parts(&self) -> usize {
        enough::<T>(self.k)
    }

    /// Sets the first bar by the least ranks of disjoint parts of the words.
    pub(super) fn begin(&mut self, least: &mut [T]) {
        self.is_begun = true;
        let rank = counting_sort::kth_least(least, enough::<T>(self.k), self.k);
        self.bar = Some(self.order.until(self.order.key_of_rank(rank)));
    }

    /// The last rank of words that may be kept; `None` if none may.
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
            if list.len() == self.capacity() {
                self.cut(list);
            }
        }
    }

    /// Maximum number of candidates kept: after a cut there is room for a block at least.
    fn capacity(&self) -> usize {
        (2 * self.k).max(BLOCK) + BLOCK
    }

    /// Leaves the first `k` of all words, in order.
    pub(super) fn finish(self, list: &mut Vec<T::Candidate>, spare: &mut Spare<T::Candidate>) {
        // Without a cut, candidates are still in the order of their indices, as sorting by digits needs, or by places.
        if self.keeps_all && list.len() > radix_from(T::WIDTH) && self.k >= list.len() / 4 {
            radix_sort::keep_first(list, &mut spare.candidates, T::WIDTH, self.k);
        } else if !(self.keeps_all && prefix_sort::keep_first(list, self.k, spare)) {
            keep_first(list, self.k);
        }
    }

    /// Leaves the first `k` so far. Later words have higher indices, so that they have to be better than the last of
    /// them.
    fn cut(&mut self, list: &mut Vec<T::Candidate>) {
        let (_, kth, _) = list.select_nth_unstable(self.k - 1);
        self.bar = self.order.before(T::from_u64(kth.key()));
        list.truncate(self.k);
    }
}

/// Whether all of this many candidates are kept until the end, rather than those that pass a bar.
pub(super) fn keeps_all(k: usize, length: usize) -> bool {
    length < 2 * NARROW_SAMPLE || k > length / 8
}

/// An interval that at least `k` of the words belong to, and all that come before them; and, if known, the lanes of
/// [`BLOCK`] that hold all those that are not in the rest after the last block.
fn first_bar<T: Word>(words: &[T::Bytes], order: Order<T>, k: usize) -> (Interval<T>, Option<u64>) {
    let until = |rank| order.until(order.key_of_rank(rank));
    if 2 * k <= NARROW_SAMPLE && words.len() >= 2 * NARROW_SAMPLE {
        let (least, rank) = sample::<T, NARROW_SAMPLE>(words, order, k);
        // The other zero has a rank of its own.
        let is_known = words.len() <= SAMPLED * NARROW_SAMPLE && !order.is_zero(order.key_of_rank(rank));
        (
            until(rank),
            is_known.then(|| scan::at_most(&least, &[rank; NARROW_SAMPLE])),
        )
    } else if 2 * k <= WIDE_SAMPLE && words.len() >= 2 * WIDE_SAMPLE {
        (until(sample::<T, WIDE_SAMPLE>(words, order, k).1), None)
    } else {
        (Interval::ALL, None)
    }
}

/// The least of each of so many lanes, and the rank that at least `k` words reach, after the same exclusive or.
fn sample<T: Word, const LANES: usize>(words: &[T::Bytes], order: Order<T>, k: usize) -> ([T; LANES], T) {
    let sample = words.get(..SAMPLED * LANES).unwrap_or(words);
    let look = |flip| {
        let least = scan::least_of_lanes::<T, LANES>(sample, flip);
        (least, counting_sort::kth_least(&mut { least }, enough::<T>(k), k))
    };
    let [first, other] = order.flips();
    let (least, rank) = look(first);
    if first == other || rank & T::SIGN == T::ZERO {
        return (least, rank);
    }
    // Fewer than `k` lanes have a word in the half that comes first, so that it is in the other. There words of the first
    // half come before all others still, in whatever order.
    look(other)
}

/// Parts of which the `k`-th least is a good bar: fewer are sorted faster, and let more words pass.
fn enough<T: Word>(k: usize) -> usize {
    let parts = if T::WIDTH < 8 { 2 * k } else { k + k / 2 };
    parts.next_power_of_two().max(16)
}

/// Leaves the first `k` of the candidates, in order.
pub(super) fn keep_first<C: Candidate>(list: &mut Vec<C>, k: usize) {
    if list.len() > k.max(SHORT) {
        list.select_nth_unstable(k - 1);
        list.truncate(k);
    }
    if list.len() <= counting_sort::MOST {
        counting_sort::sort(list);
    } else {
        list.sort_unstable();
    }
    list.truncate(k);
}
