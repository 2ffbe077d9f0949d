//! Writes the results of a selection to the outputs, from one thread or from several that take turns.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::{candidate::Candidate, order::Word, view};

/// Sequences of which the results are written together hold about so many of them.
pub(super) const TOGETHER: usize = 1 << 14;

/// How many times as many may be collected while another thread writes.
const PATIENCE: usize = 4;

/// Where a sequence begins in the input, its values, and its indices.
pub(super) type Start = [usize; 3];

/// The places of results.
#[derive(Debug)]
pub(super) struct Output<'a, T: Word> {
    /// The input, from which values are copied.
    pub(super) words: &'a [T::Bytes],
    pub(super) stride: usize,
    pub(super) values: &'a mut [u8],
    pub(super) value_stride: usize,
    pub(super) indices: &'a mut [u8],
    pub(super) index_stride: usize,
    pub(super) index_width: usize,
}

impl<T: Word> Output<'_, T> {
    /// Writes contiguous results, with indices of 4 bytes.
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

/// Results of one of several threads, which are collected until taking a turn pays off.
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

    /// The same, unless another thread is writing and there is still room to wait.
    fn flush_soon(&mut self) {
        match self.output.try_lock() {
            Ok(output) => self.flush_to(output),
            Err(TryLockError::Poisoned(error)) => self.flush_to(error.into_inner()),
            Err(TryLockError::WouldBlock) if self.candidates.len() < PATIENCE * TOGETHER => {}
            Err(TryLockError::WouldBlock) => self.flush(),
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// Selects the single element of as many sequences as are written together.
    fn write(gathered: &mut Gathered<u8>) {
        for at in 0..TOGETHER {
            gathered.write(&[[at; 3]], [[Candidate::new(0, 0)].as_slice()]);
        }
    }

    /// Calls `work` with outputs for all that [`write`] writes, and returns the values, which are 7 if they were not
    /// written.
    fn with_output(work: impl for<'a> FnOnce(&'a Mutex<&'a mut Output<'_, u8>>)) -> Vec<u8> {
        let (words, mut values, mut indices) = ([[7]; TOGETHER], vec![0; TOGETHER], vec![0; 4 * TOGETHER]);
        let mut output = Output {
            words: &words,
            stride: 1,
            values: &mut values,
            value_stride: 1,
            indices: &mut indices,
            index_stride: 1,
            index_width: 4,
        };
        let output = Mutex::new(&mut output);
        work(&output);
        values
    }

    #[test]
    fn results_wait_while_another_thread_writes() {
        let values = with_output(|output| {
            let mut gathered = Gathered::new(output, 1);
            let other = output.lock().unwrap();
            write(&mut gathered);
            assert_eq!(gathered.candidates.len(), TOGETHER, "they wait");
            assert!(other.values.iter().all(|value| *value == 0));
            drop(other);
            gathered.flush_soon();
            assert!(gathered.candidates.is_empty() && gathered.starts.is_empty());
        });
        assert!(values.iter().all(|value| *value == 7));
    }

    #[test]
    fn where_a_thread_panicked_as_it_wrote_the_others_go_on() {
        let values = with_output(|output| {
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let _output = output.lock().unwrap();
                panic!("on purpose");
            }));
            assert!(panicked.is_err() && output.is_poisoned());
            write(&mut Gathered::new(output, 1));
        });
        assert!(values.iter().all(|value| *value == 7));
    }
}
