//! Sequences as contiguous words. Contiguous sequences are used directly; others are copied tile by tile, neighbours
//! together, so that a cache line that is read serves all of them. If many neighbours lie side by side, groups of their
//! rows are reduced without any copy.

use super::{
    candidate::COLUMNS,
    order::{Order, Word},
    scan::{self, GROUP},
};

/// Rows that are processed together if all of those columns are present.
pub(super) const PANEL: usize = 1024;

/// Groups of rows in a panel.
pub(super) const GROUPS: usize = PANEL / GROUP;

/// Sequences that are copied together.
const COPIED: usize = 16;

/// Words of a sequence that are copied before they are processed.
const TILE: usize = 1024;

/// Rows and columns that are transposed at once.
const SQUARE: usize = 16;

/// The sequences that begin at `start` and at the `columns - 1` offsets after it, each of `size` words `stride` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns<'a, T: Word> {
    pub(super) words: &'a [T::Bytes],
    pub(super) start: usize,
    pub(super) columns: usize,
    pub(super) size: usize,
    pub(super) stride: usize,
}

impl<'a, T: Word> Columns<'a, T> {
    /// Calls `look` with the number of a sequence, words of it that follow one another, and how many came before them.
    pub(super) fn each_run(self, tile: &mut Vec<T::Bytes>, mut look: impl FnMut(usize, &[T::Bytes], usize)) {
        if self.stride == 1 {
            for column in 0..self.columns {
                let words = self.words.get(self.start + column..).unwrap_or_default();
                look(column, words.get(..self.size).unwrap_or(words), 0);
            }
            return;
        }
        for from in (0..self.columns).step_by(COPIED) {
            let part = Self {
                start: self.start + from,
                columns: COPIED.min(self.columns - from),
                ..self
            };
            for before in (0..self.size).step_by(TILE) {
                let rows = TILE.min(self.size - before);
                tile.resize(rows * part.columns, T::ZERO_BYTES);
                part.turn(before, rows, tile);
                for (column, words) in tile.chunks_exact(rows).enumerate() {
                    look(from + column, words, before);
                }
            }
        }
    }

    /// Calls `look` with panels of rows: the least rank of each of [`COLUMNS`] columns in every group of rows, and the
    /// number of the first row.
    pub(super) fn each_panel(self, order: Order<T>, mut look: impl FnMut(&[[T; COLUMNS]], usize)) {
        let mut groups = Vec::new();
        for before in (0..self.size).step_by(PANEL) {
            let words = self.words.get(self.start + before * self.stride..).unwrap_or_default();
            let rows = PANEL.min(self.size - before);
            scan::least_of_groups(words, self.stride, rows, order, &mut groups);
            look(&groups, before);
        }
    }

    /// The words of one column in a group of rows, each with its row.
    #[inline]
    pub(super) fn group(
        self,
        column: usize,
        first: usize,
    ) -> impl DoubleEndedIterator<Item = (usize, T::Bytes)> + use<'a, T> {
        let rows = first..self.size.min(first + GROUP);
        rows.filter_map(move |row| Some((row, *self.words.get(self.start + column + row * self.stride)?)))
    }

    /// Copies `rows` rows from the one numbered `first` on, so that columns are contiguous.
    fn turn(&self, first: usize, rows: usize, tile: &mut [T::Bytes]) {
        let whole = match self.columns == SQUARE {
            true => rows - rows % SQUARE,
            false => 0,
        };
        for at in (0..whole).step_by(SQUARE) {
            self.turn_square(first + at, at, rows, tile);
        }
        for row in whole..rows {
            let from = self.start + (first + row) * self.stride;
            let Some(words) = self.words.get(from..from + self.columns) else {
                return;
            };
            for (to, word) in tile.iter_mut().skip(row).step_by(rows).zip(words) {
                *to = *word;
            }
        }
    }

    fn turn_square(&self, first: usize, at: usize, rows: usize, tile: &mut [T::Bytes]) {
        let mut square = [[T::ZERO_BYTES; SQUARE]; SQUARE];
        for (row, to) in square.iter_mut().enumerate() {
            let from = self.start + (first + row) * self.stride;
            if let Some(words) = self.words.get(from..).and_then(<[_]>::first_chunk) {
                *to = *words;
            }
        }
        for (column, to) in tile.chunks_exact_mut(rows).enumerate().take(SQUARE) {
            if let Some(to) = to.get_mut(at..).and_then(<[_]>::first_chunk_mut::<SQUARE>) {
                *to = square.map(|row| row[column]);
            }
        }
    }
}
