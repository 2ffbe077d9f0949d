//! Where the results of a selection go: into the outputs, from one thread or from several that take turns.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use super::super::{candidate::Candidate, order::Word, view};

/// Sequences of which the results are written together hold about so many of them.
pub(super) const TOGETHER: usize = 1 << 14;

/// How many times as many may gather while another thread writes.
const PATIENCE: usize = 4;

/// Where a sequence begins in the input, its values, and its indices.
pub(super) type Start = [usize; 3];

/// Where results go.
#[derive(Debug)]
pub(super) struct Output<'a, T: Word> {
    /// The input, which values are copies of.
    pub(super) words: &'a [T::Bytes],
    pub(super) stride: usize,
    pub(super) values: &'a mut [u8],
    pub(super) value_stride: usize,
    pub(super) indices: &'a mut [u8],
    pub(super) index_stride: usize,
    pub(super) index_width: usize,
}

impl<T: Word> Output<'_, T> {
    /// Writes results that follow one another, with indices of 4 bytes.
    fn write_packed(&mut self, [start, value_at, index_at]: Start, list: &[T::Candidate]) {
        let values = T::split_mut(self.values).get_mut(value_at..).unwrap_or_default();
        let indices = self.indices.as_chunks_mut().0.get_mut(index_at..).unwrap_or_default();
        for ((value, to), candidate) in values.iter_mut().zip(indices).zip(list) {
            let index = candidate.index();
            if let Some(word) = self.words.get(start + index as usize * self.stride) {
                *value = *word;
            }
            *to = index.to_le_bytes();
        }
    }
}

/// Takes results.
pub(super) trait Sink<T: Word> {
    /// Takes the results of sequences, a list for each.
    fn write<'a>(&mut self, starts: &[Start], lists: impl IntoIterator<Item = &'a [T::Candidate]>);
}

/// Results of one of several threads, which wait until it is worth while to take turns.
pub(super) struct Gathered<'a, 'o, T: Word> {
    output: &'a Mutex<&'a mut Output<'o, T>>,
    k: usize,
    starts: Vec<Start>,
    /// `k` for each of them.
    candidates: Vec<T::Candidate>,
}

impl<'a, 'o, T: Word> Gathered<'a, 'o, T> {
    pub(super) fn new(output: &'a Mutex<&'a mut Output<'o, T>>, k: usize) -> Self {
        Self {
            output,
            k,
            starts: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Writes what has gathered.
    pub(super) fn flush(&mut self) {
        self.flush_to(self.output.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The same, unless another thread writes just then and there is still room to wait.
    fn flush_soon(&mut self) {
        match self.output.try_lock() {
            Err(TryLockError::WouldBlock) if self.candidates.len() < PATIENCE * TOGETHER => {}
            Ok(output) => self.flush_to(output),
            Err(_) => self.flush(),
        }
    }

    fn flush_to(&mut self, mut output: MutexGuard<&'a mut Output<'o, T>>) {
        output.write(&self.starts, self.candidates.chunks_exact(self.k));
        self.starts.clear();
        self.candidates.clear();
    }
}

impl<T: Word> Sink<T> for Gathered<'_, '_, T> {
    fn write<'a>(&mut self, starts: &[Start], lists: impl IntoIterator<Item = &'a [T::Candidate]>) {
        self.starts.extend_from_slice(starts);
        lists
            .into_iter()
            .for_each(|list| self.candidates.extend_from_slice(list));
        if self.candidates.len() >= TOGETHER {
            self.flush_soon();
        }
    }
}

impl<T: Word> Sink<T> for Output<'_, T> {
    fn write<'a>(&mut self, starts: &[Start], lists: impl IntoIterator<Item = &'a [T::Candidate]>) {
        for (&[start, value_at, index_at], list) in starts.iter().zip(lists) {
            if [self.value_stride, self.index_stride, self.index_width] == [1, 1, 4] {
                self.write_packed([start, value_at, index_at], list);
                continue;
            }
            for (place, candidate) in list.iter().enumerate() {
                let index = candidate.index();
                if let Some(word) = self.words.get(start + index as usize * self.stride) {
                    T::store(self.values, value_at + place * self.value_stride, *word);
                }
                let index_at = index_at + place * self.index_stride;
                match self.index_width {
                    4 => view::write::<4>(self.indices, index_at, index.into()),
                    _ => view::write::<8>(self.indices, index_at, index.into()),
                }
            }
        }
    }
}
