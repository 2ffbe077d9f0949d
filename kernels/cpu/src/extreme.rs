//! Extremes: the largest or smallest element of every set of a reduction, as itself or as its index.
//!
//! The least key of a part of a set is found first, and its place only in the part that has the least of all; which of
//! equal elements counts is a matter of whether a later part has to be better, and of the end that a search begins at.

use std::sync::{Mutex, PoisonError};

use dml_ops::{DataType, TensorDesc};

use super::{
    KernelError,
    candidate::COLUMNS,
    columns::Columns,
    order::{self, Kind, Order, Word},
    reduction::Reduction,
    scan::{self, GROUP},
    threads,
    view::{self, Layout, require_tensor},
};

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme<'a> {
    /// Elements to look through.
    pub(super) input: &'a Option<TensorDesc>,
    /// One element for each set.
    pub(super) output: &'a Option<TensorDesc>,
    /// The reduced axes.
    pub(super) axes: &'a [u32],
    /// Whether it is the largest element or the smallest.
    pub(super) largest: bool,
}

/// Whether the element or its index is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    /// A copy of the first such element.
    Element,
    /// The index of the first such element within its set.
    First,
    /// The index of the last such element within its set.
    Last,
}

impl Extreme<'_> {
    /// Reduces `inputs[0]` and writes to `outputs[0]`.
    ///
    /// # Errors
    /// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
    pub(super) fn execute(&self, tell: Tell, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
        let (kind, width) = order::kind(require_tensor(self.input)?)?;
        match (inputs, outputs) {
            ([input], [output]) => match width {
                1 => run::<u8>(self, kind, tell, input, output),
                2 => run::<u16>(self, kind, tell, input, output),
                4 => run::<u32>(self, kind, tell, input, output),
                _ => run::<u64>(self, kind, tell, input, output),
            },
            (inputs, outputs) => Err(KernelError::buffers(inputs, outputs)),
        }
    }
}

/// `execute` for elements that are words `T`.
fn run<T: Word>(extreme: &Extreme, kind: Kind, tell: Tell, input: &[u8], output: &mut [u8]) -> Result<(), KernelError> {
    let to = require_tensor(extreme.output)?;
    let width = match (tell, DataType(to.data_type)) {
        (Tell::Element, _) => T::WIDTH,
        (_, DataType::UINT32 | DataType::INT32) => 4,
        (_, DataType::UINT64 | DataType::INT64) => 8,
        (_, DataType(other)) => return Err(KernelError::DataType(other)),
    };
    let from = Layout::new(require_tensor(extreme.input)?, T::WIDTH, input.len())?;
    let to = Layout::new(to, width, output.len())?;
    let reduction = Reduction::new(&from, &to, extreme.axes)?;
    let (runs, size, stride) = reduction.layout().innermost();
    let source = Source::<T> {
        words: T::split(input),
        order: Order::new(kind, extreme.largest),
        tell,
        runs,
        size,
        stride,
    };
    let write = |at: usize, found: Found<T>| {
        let bits = match tell {
            Tell::Element => source.words.get(found.place).map_or(0, |word| T::load(*word).to_u64()),
            Tell::First | Tell::Last => found.index,
        };
        match width {
            1 => view::write::<1>(output, at, bits),
            2 => view::write::<2>(output, at, bits),
            4 => view::write::<4>(output, at, bits),
            _ => view::write::<8>(output, at, bits),
        }
    };
    source.run(&reduction, write);
    Ok(())
}

/// Words of a run that are searched before the best of them is placed.
const PART: usize = 1 << 14;

/// Results of a thread that are collected before they are written.
const TOGETHER: usize = 1 << 12;

/// Runs up to this long are searched one element after the other.
const SHORT: usize = 16;

/// An element that was found.
#[derive(Clone, Copy, Debug)]
struct Found<T> {
    key: T,
    /// Within its set.
    index: u64,
    /// In the input.
    place: usize,
}

/// The sets: each consists of runs, and each run of words that are equally far apart.
#[derive(Clone, Copy, Debug)]
struct Source<'a, T: Word> {
    words: &'a [T::Bytes],
    order: Order<T>,
    tell: Tell,
    runs: Layout,
    /// Words of a run, and the distance between them.
    size: usize,
    stride: usize,
}

impl<T: Word> Source<'_, T> {
    /// Searches all sets: parts of them on each thread, or parts of each if there are too few.
    fn run(&self, reduction: &Reduction, mut write: impl FnMut(usize, Found<T>) + Send) {
        let count = reduction.count();
        let mut threads = threads::for_elements(count.saturating_mul(self.runs.count()).saturating_mul(self.size));
        if threads > count {
            threads = threads::for_scan(self.size).max(count);
        }
        if threads == 1 {
            self.sets(reduction.sets(), write);
        } else if threads <= count {
            let write = Mutex::new(write);
            let unit = if self.stride == 1 { 1 } else { COLUMNS };
            threads::in_parts(threads, count, unit, |part| {
                let sets = reduction.sets().from_place(part.start).take(part.len());
                let mut gathered = Vec::new();
                let flush = |gathered: &mut Vec<_>| {
                    let mut write = write.lock().unwrap_or_else(PoisonError::into_inner);
                    gathered.drain(..).for_each(|(at, found)| write(at, found));
                };
                self.sets(sets, |at, found| {
                    gathered.push((at, found));
                    if gathered.len() == TOGETHER {
                        flush(&mut gathered);
                    }
                });
                flush(&mut gathered);
            });
        } else {
            for [start, at] in reduction.sets() {
                if let Some(found) = self.divided(start, threads) {
                    write(at, found);
                }
            }
        }
    }

    /// Searches sets of which neighbours with contiguous words are read together.
    fn sets(&self, sets: impl Iterator<Item = [usize; 2]>, mut write: impl FnMut(usize, Found<T>)) {
        if self.stride == 1 && self.size > SHORT && self.runs.count() == 1 {
            return self.plain_sets(sets, write);
        }
        let (mut tile, mut ends, mut best) = (Vec::new(), Vec::new(), Vec::new());
        let (mut sets, runs) = (sets.peekable(), self.runs.elements());
        while let Some([first, at]) = sets.next() {
            ends.clear();
            ends.push(at);
            while let Some([_, at]) = sets.next_if(|[start, _]| {
                self.size > SHORT && self.stride != 1 && ends.len() < COLUMNS && *start == first + ends.len()
            }) {
                ends.push(at);
            }
            best.clear();
            best.resize(ends.len(), None);
            for (run, [offset]) in (0..).zip(runs.clone()) {
                self.look(first + offset, run * self.size as u64, &mut tile, &mut best);
            }
            for (at, found) in ends.iter().zip(&best) {
                if let Some(found) = found {
                    write(*at, *found);
                }
            }
        }
    }

    /// Searches sets of one run each, with contiguous words.
    fn plain_sets(&self, sets: impl Iterator<Item = [usize; 2]>, mut write: impl FnMut(usize, Found<T>)) {
        for [start, at] in sets {
            let words = self.words.get(start..).unwrap_or_default();
            if let Some((key, index)) = self.place(words.get(..self.size).unwrap_or(words)) {
                let found = Found {
                    key,
                    index: index as u64,
                    place: start + index,
                };
                write(at, found);
            }
        }
    }

    /// Searches one set, parts of each run on each thread.
    fn divided(&self, start: usize, threads: usize) -> Option<Found<T>> {
        let mut best = None;
        for (run, [offset]) in (0u64..).zip(self.runs.elements()) {
            let parts = threads::in_parts(threads, self.size, 1, |part| {
                let (start, index) = (start + offset + part.start * self.stride, run * self.size as u64);
                let mut found = [None];
                let part_of = Self {
                    size: part.len(),
                    ..*self
                };
                part_of.look(start, index + part.start as u64, &mut Vec::new(), &mut found);
                found
            });
            for found in parts.into_iter().flatten().flatten() {
                self.keep(&mut best, found);
            }
        }
        best
    }

    /// Searches a run of each of the neighbouring sets; the first words have this index within their set.
    fn look(&self, start: usize, index: u64, tile: &mut Vec<T::Bytes>, best: &mut [Option<Found<T>>]) {
        let found = |key, column: usize, within: usize| Found {
            key,
            index: index + within as u64,
            place: start + column + within * self.stride,
        };
        if self.size <= SHORT {
            for within in 0..self.size {
                if let (Some(word), [best]) = (self.words.get(start + within * self.stride), &mut *best) {
                    self.keep(best, found(self.order.key(T::load(*word)), 0, within));
                }
            }
            return;
        }
        let columns = Columns::<T> {
            words: self.words,
            start,
            columns: best.len(),
            size: self.size,
            stride: self.stride,
        };
        if best.len() == COLUMNS {
            for (column, (best, (key, within))) in best.iter_mut().zip(self.panels(columns)).enumerate() {
                self.keep(best, found(key, column, within));
            }
            return;
        }
        columns.each_run(tile, |column, words, before| {
            if let (Some(best), Some((key, place))) = (best.get_mut(column), self.place(words)) {
                self.keep(best, found(key, column, before + place));
            }
        });
    }

    /// Key and row of the element that counts, of each of [`COLUMNS`] columns.
    fn panels(&self, columns: Columns<T>) -> [(T, usize); COLUMNS] {
        // Key and last rank of the best so far, and the first row of its group.
        let mut best = [None; COLUMNS];
        columns.each_panel(self.order, |groups, before| {
            for (first, least) in (before..).step_by(GROUP).zip(groups) {
                for (best, least) in best.iter_mut().zip(least) {
                    if best.is_some_and(|(_, rank, _)| *least > rank) {
                        continue;
                    }
                    let key = self.order.key_of_rank(*least);
                    if best.is_none_or(|(held, ..)| self.counts(key, held)) {
                        *best = Some((key, self.order.last_rank(key), first));
                    }
                }
            }
        });
        let mut column = 0..;
        best.map(|best| {
            let (key, _, first) = best.unwrap_or((T::ONES, T::ONES, 0));
            let is_equal = |(_, word): &(usize, T::Bytes)| self.order.key(T::load(*word)) == key;
            let mut group = columns.group(column.next().unwrap_or(0), first);
            let found = match self.tell {
                Tell::Last => group.rfind(is_equal),
                Tell::Element | Tell::First => group.find(is_equal),
            };
            (key, found.map_or(first, |(row, _)| row))
        })
    }

    /// Key and place of the element that counts, of contiguous words.
    fn place(&self, words: &[T::Bytes]) -> Option<(T, usize)> {
        let (mut best, mut in_best) = (None, words);
        for (number, part) in words.chunks(PART).enumerate().filter(|_| words.len() > PART) {
            let (key, _) = self.by_halves(|flip| Some((scan::least(part, flip), 0)))?;
            if best.is_none_or(|(held, _)| self.counts(key, held)) {
                (best, in_best) = (Some((key, number * PART)), part);
            }
        }
        let (key, place) = self.place_in(in_best)?;
        Some((key, best.map_or(0, |(_, before)| before) + place))
    }

    /// The same for no more than [`PART`] words.
    fn place_in(&self, words: &[T::Bytes]) -> Option<(T, usize)> {
        let is_last = self.tell == Tell::Last;
        let (key, place) = self.by_halves(|flip| scan::place(words, flip, is_last))?;
        if !self.order.is_zero(key) {
            return Some((key, place));
        }
        // The other zero is equal, and has a rank of its own.
        Some((key, scan::place_of_zero::<T>(words, is_last)?))
    }

    /// Key and place of what comes first, which `look` finds after exclusive or with what makes ranks of one half.
    fn by_halves(&self, look: impl Fn(T) -> Option<(T, usize)>) -> Option<(T, usize)> {
        let [first, other] = self.order.flips();
        let (mut rank, mut place) = look(first)?;
        // Without a word in the half that comes first, all are in the other.
        if first != other && rank & T::SIGN != T::ZERO {
            (rank, place) = look(other)?;
        }
        Some((self.order.key_of_rank(rank), place))
    }

    fn keep(&self, best: &mut Option<Found<T>>, found: Found<T>) {
        if best.is_none_or(|held| self.counts(found.key, held.key)) {
            *best = Some(found);
        }
    }

    /// Whether an element counts rather than one before it.
    fn counts(&self, key: T, held: T) -> bool {
        key < held || self.tell == Tell::Last && key == held
    }
}

#[cfg(test)]
mod tests;
