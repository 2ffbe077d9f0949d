//! Selections: the first K elements of every sequence along an axis in an order of their values, and their indices.
//!
//! Elements are compared by keys and written as the input's own bytes, so the sign of zero and NaN payloads survive.

mod output;

use std::{ops::Range, sync::Mutex};

use dml_ops::{DataType, TensorDesc};

use self::output::{Gathered, Output, Sink, Start, TOGETHER};
use super::{
    KernelError,
    candidate::{COLUMNS, Candidate, Scratch, Spare},
    columns::{Columns, GROUPS},
    first_k::{self, FirstK},
    order::{self, Kind, Order, Word},
    scan::{self, GROUP},
    threads,
    view::{self, Layout, Walk, require_tensor},
};

/// The parameters of a selection, and its tensors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection<'a> {
    /// Elements to select from.
    pub(super) input: &'a Option<TensorDesc>,
    /// The selected elements.
    pub(super) values: &'a Option<TensorDesc>,
    /// Their indices.
    pub(super) indices: &'a Option<TensorDesc>,
    /// Dimension that the sequences run along.
    pub(super) axis: u32,
    /// How many elements are selected.
    pub(super) k: u32,
    /// Whether the largest elements come first.
    pub(super) largest: bool,
}

impl Selection<'_> {
    /// Selects from `inputs[0]` into `outputs[0]` (values) and `outputs[1]` (indices).
    ///
    /// # Errors
    /// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
    pub(super) fn execute(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
        let (kind, width) = order::kind(require_tensor(self.input)?)?;
        match (inputs, outputs) {
            ([input], [values, indices]) => match width {
                1 => run::<u8>(self, kind, input, values, indices),
                2 => run::<u16>(self, kind, input, values, indices),
                4 => run::<u32>(self, kind, input, values, indices),
                _ => run::<u64>(self, kind, input, values, indices),
            },
            (inputs, outputs) => Err(KernelError::buffers(inputs, outputs)),
        }
    }
}

/// Sequences up to this long are sorted as they are read.
const SHORT: usize = 32;

/// `execute` for elements that are words `T`.
fn run<T: Word>(
    selection: &Selection,
    kind: Kind,
    input: &[u8],
    values: &mut [u8],
    indices: &mut [u8],
) -> Result<(), KernelError> {
    let index_tensor = require_tensor(selection.indices)?;
    let index_width = match DataType(index_tensor.data_type) {
        DataType::UINT32 => 4,
        DataType::UINT64 => 8,
        DataType(other) => return Err(KernelError::DataType(other)),
    };
    let from = Layout::new(require_tensor(selection.input)?, T::WIDTH, input.len())?;
    let to = Layout::new(require_tensor(selection.values)?, T::WIDTH, values.len())?;
    let index_to = Layout::new(index_tensor, index_width, indices.len())?;

    let (axis, k) = (selection.axis as usize, selection.k as usize);
    let mut sequences = view::sequences([&from, &to, &index_to], axis)?;
    if k == 0 || k > from.size(axis) || k != to.size(axis) || k != index_to.size(axis) {
        return Err(KernelError::Sizes);
    }
    let source = Source::<T> {
        words: T::split(input),
        order: Order::new(kind, selection.largest),
        size: from.size(axis),
        stride: from.stride(axis),
        k,
    };
    let mut output = Output::<T> {
        words: source.words,
        stride: source.stride,
        values,
        value_stride: to.stride(axis),
        indices,
        index_stride: index_to.stride(axis),
        index_width,
    };
    source.run(&mut sequences, &mut output);
    Ok(())
}

/// The place of all sequences, and what to select from them.
#[derive(Clone, Copy, Debug)]
struct Source<'a, T: Word> {
    words: &'a [T::Bytes],
    order: Order<T>,
    /// Words of a sequence, and the distance between them.
    size: usize,
    stride: usize,
    k: usize,
}

impl<T: Word> Source<'_, T> {
    /// Selects from all sequences: parts of them on each thread, or of each if there are too few.
    fn run(&self, sequences: &mut Walk<3>, output: &mut Output<T>) {
        let count = sequences.total();
        let mut threads = threads::for_elements(count.saturating_mul(self.size));
        if threads > count && !first_k::keeps_all(self.k, self.size) {
            threads = threads::for_scan(self.size).max(count);
        }
        if threads == 1 {
            self.select(sequences, output);
        } else if threads <= count {
            let output = &Mutex::new(output);
            let unit = if self.stride == 1 { 1 } else { COLUMNS };
            threads::in_parts(threads, count, unit, |part| {
                let mut sequences = sequences.clone().from_place(part.start).take(part.len());
                let mut gathered = Gathered::new(output, self.k);
                self.select(&mut sequences, &mut gathered);
                gathered.flush();
            });
        } else {
            for start in sequences {
                let parts = threads::in_parts(threads, self.size, 1, |part| self.select_part(start[0], part));
                let mut best: Vec<_> = parts.concat();
                best.sort(); // the parts are sorted
                best.truncate(self.k);
                output.write(&[start], [best.as_slice()]);
            }
        }
    }

    /// Writes the first `k` candidates of each sequence, of several sequences at a time.
    fn select(&self, sequences: &mut impl Iterator<Item = Start>, sink: &mut impl Sink<T>) {
        if self.size <= SHORT {
            for start in sequences {
                let mut list = [T::Candidate::new(0, 0); SHORT];
                if let (Some(list), k) = (list.get_mut(..self.size), self.k) {
                    self.select_short(start[0], list);
                    sink.write(&[start], [list.get(..k).unwrap_or(list)]);
                }
            }
            return;
        }
        T::Candidate::with_scratch(|Scratch { lists, spare }| {
            let together = (TOGETHER / self.k).clamp(1, COLUMNS);
            let (mut tile, mut starts) = (Vec::new(), Vec::new());
            let mut sequences = sequences.peekable();
            while let Some(first) = sequences.next() {
                starts.clear();
                starts.push(first);
                // Words of neighbours that follow one another are read together.
                while let Some(next) = sequences
                    .next_if(|next| self.stride != 1 && starts.len() < together && next[0] == first[0] + starts.len())
                {
                    starts.push(next);
                }
                if let Some(lists) = lists.get_mut(..starts.len()) {
                    self.select_columns(first[0], &mut tile, lists, spare);
                    sink.write(&starts, lists.iter().map(Vec::as_slice));
                }
            }
        });
    }

    /// Sorts a sequence whole.
    fn select_short(&self, start: usize, list: &mut [T::Candidate]) {
        for (index, candidate) in list.iter_mut().enumerate() {
            if let Some(word) = self.words.get(start + index * self.stride) {
                *candidate = T::Candidate::new(self.order.key(T::load(*word)).to_u64(), index as u32);
            }
        }
        list.sort_unstable();
    }

    /// Selects from neighbours, one for each list.
    fn select_columns(
        &self,
        start: usize,
        tile: &mut Vec<T::Bytes>,
        lists: &mut [Vec<T::Candidate>],
        spare: &mut Spare<T::Candidate>,
    ) {
        lists.iter_mut().for_each(Vec::clear);
        let first = FirstK::new(self.order, self.k, self.size);
        let columns = Columns::<T> {
            words: self.words,
            start,
            columns: lists.len(),
            size: self.size,
            stride: self.stride,
        };
        if let [list] = lists {
            let mut best = first;
            columns.each_run(tile, |_, words, before| best.feed(words, before as u32, list));
            return best.finish(list, spare);
        }
        let mut best = [first; COLUMNS];
        if columns.columns == COLUMNS && first.begins_with(GROUPS.min(self.size / GROUP)) {
            select_panels(columns, self.order, &mut best, lists);
        } else {
            columns.each_run(tile, |column, words, before| {
                if let (Some(best), Some(list)) = (best.get_mut(column), lists.get_mut(column)) {
                    best.feed(words, before as u32, list);
                }
            });
        }
        for (best, list) in best.iter().zip(lists) {
            best.finish(list, spare);
        }
    }

    /// The first `k` candidates of a part of one sequence.
    fn select_part(&self, start: usize, part: Range<usize>) -> Vec<T::Candidate> {
        let (mut list, k) = (Vec::new(), self.k.min(part.len()));
        let mut best = FirstK::new(self.order, k, part.len());
        let words = Columns::<T> {
            words: self.words,
            start: start + part.start * self.stride,
            columns: 1,
            size: part.len(),
            stride: self.stride,
        };
        words.each_run(&mut Vec::new(), |_, words, before| {
            best.feed(words, (part.start + before) as u32, &mut list);
        });
        best.finish(&mut list, &mut Spare::new());
        list
    }
}

/// Processes the rows of [`COLUMNS`] columns, in each only those groups that may hold a candidate.
fn select_panels<T: Word>(
    columns: Columns<T>,
    order: Order<T>,
    best: &mut [FirstK<T>; COLUMNS],
    lists: &mut [Vec<T::Candidate>],
) {
    // Of each column the last rank of what is kept, and one bit: whether there is one.
    let (mut last, mut open) = ([T::ONES; COLUMNS], u64::MAX);
    columns.each_panel(order, |groups, before| {
        if before == 0 {
            begin(groups, best, &mut last);
        }
        for (first, least) in (before..).step_by(GROUP).zip(groups) {
            let mut mask = scan::at_most(least, &last) & open;
            while mask != 0 {
                let column = mask.trailing_zeros() as usize % COLUMNS;
                mask &= mask - 1;
                let (best, Some(list)) = (&mut best[column], lists.get_mut(column)) else {
                    continue;
                };
                for (row, word) in columns.group(column, first) {
                    best.offer(word, row as u32, list);
                }
                match best.last() {
                    Some(rank) => last[column] = rank,
                    None => open &= !(1 << column),
                }
            }
        }
    });
}

/// Sets the first bars of columns by the least ranks of their groups.
fn begin<T: Word>(groups: &[[T; COLUMNS]], best: &mut [FirstK<T>; COLUMNS], last: &mut [T; COLUMNS]) {
    let mut parts = vec![[T::ONES; COLUMNS]; best[0].parts().min(GROUPS)];
    scan::fold_groups(groups, &mut parts);
    let mut least = Vec::with_capacity(parts.len());
    for (column, (best, last)) in best.iter_mut().zip(last).enumerate() {
        least.clear();
        least.extend(parts.iter().map(|part| part[column % COLUMNS]));
        best.begin(&mut least);
        *last = best.last().unwrap_or(T::ZERO);
    }
}

#[cfg(test)]
pub(super) mod tests;
