//! Buffers that reveal stray writes: outputs full of poison, guards around every buffer.
//!
//! The bytes follow from the case id, so that the judge needs no copy of them and a run can be repeated; a backend
//! never sees the id.

use dml_spec::answer::Buffer;
use dml_spec::model::{Operator, Role};
use xxhash_rust::xxh3::xxh3_64;

use crate::{case::Case, id::CaseId, random};

/// Bytes of guard on either side of a tensor.
pub const GUARD: usize = 64;

/// The seed of the poison of one output: the case and the output, counted among those present.
pub fn salt(id: &CaseId, output: usize) -> u64 {
    xxh3_64(format!("{id}#{output}").as_bytes())
}

/// A buffer of poison between guards. The caller has checked that the memory is available.
pub fn poisoned(total_bytes: u64, salt: u64) -> Buffer {
    let length = usize::try_from(total_bytes).unwrap_or(usize::MAX).min(usize::MAX / 4);
    surrounded(length, salt, |tensor| fill(tensor, salt, 0))
}

/// The bytes of an input between guards.
pub fn guarded(tensor: &[u8], salt: u64) -> Buffer {
    surrounded(tensor.len(), salt, |middle| middle.copy_from_slice(tensor))
}

/// A tensor of so many bytes between guards.
fn surrounded(length: usize, salt: u64, write: impl FnOnce(&mut [u8])) -> Buffer {
    let mut bytes = vec![0; length + 2 * GUARD];
    let (before, rest) = bytes.split_at_mut(GUARD);
    let (tensor, after) = rest.split_at_mut(length);
    fill(before, guard_stream(salt), 0);
    write(tensor);
    fill(after, guard_stream(salt), GUARD);
    Buffer::new(bytes, GUARD)
}

/// Inputs and poisoned outputs of an executing case, in struct order. An output in the place of an input holds the
/// input's bytes, and the output's poison between and after its elements.
pub fn buffers(operator: &Operator, case: &Case) -> (Vec<Buffer>, Vec<Buffer>) {
    let inputs = case
        .inputs
        .iter()
        .enumerate()
        .map(|(i, bytes)| guarded(bytes, !salt(&case.id, i)));
    let outputs = case.descriptor.tensors(operator, Role::Output);
    let outputs = outputs
        .iter()
        .enumerate()
        .map(|(i, t)| poisoned(t.total_tensor_size_in_bytes, salt(&case.id, i)));
    let (mut inputs, mut outputs): (Vec<Buffer>, Vec<Buffer>) = (inputs.collect(), outputs.collect());
    for alias in &case.aliases {
        if let (Some(input), Some(output)) = (inputs.get_mut(alias.input), outputs.get_mut(alias.output)) {
            if output.tensor().len() == input.tensor().len() {
                output.tensor_mut().copy_from_slice(input.tensor());
            }
            input.clone_from(output);
        }
    }
    (inputs, outputs)
}

/// Bytes that [`buffers`] takes for a case; the caller holds them against its limit first.
pub fn buffer_bytes(operator: &Operator, case: &Case) -> u64 {
    let outputs = case.descriptor.tensors(operator, Role::Output);
    let inputs = case.inputs.iter().map(|bytes| bytes.len() as u64);
    let tensors = inputs.chain(outputs.iter().map(|t| t.total_tensor_size_in_bytes));
    tensors.fold(0, |sum: u64, bytes| {
        sum.saturating_add(bytes).saturating_add(2 * GUARD as u64)
    })
}

/// What an output holds at first.
pub enum Initial<'a> {
    /// Poison.
    Poison(u64),
    /// The elements of the input in whose place it lies; poison elsewhere.
    Input(&'a [u8]),
}

impl Initial<'_> {
    /// The byte at an offset of the tensor; `None` after its end.
    pub fn byte(&self, at: usize) -> Option<u8> {
        match self {
            Self::Poison(salt) => Some(byte(*salt, at)),
            Self::Input(bytes) => bytes.get(at).copied(),
        }
    }
}

/// Initial contents of each output of a case.
pub fn initial(case: &Case, outputs: usize) -> Vec<Initial<'_>> {
    let of = |output: usize| {
        let alias = case.aliases.iter().find(|alias| alias.output == output);
        match alias.and_then(|alias| case.inputs.get(alias.input)) {
            Some(bytes) => Initial::Input(bytes),
            None => Initial::Poison(salt(&case.id, output)),
        }
    };
    (0..outputs).map(of).collect()
}

/// The poison at an offset of the tensor.
pub fn byte(salt: u64, at: usize) -> u8 {
    word(salt, at / 8).to_le_bytes()[at % 8]
}

/// First changed guard byte: its offset from the tensor's start, so negative before it.
pub fn touched_guard(buffer: &Buffer, salt: u64) -> Option<i64> {
    let whole = buffer.whole();
    let tensor = whole.len() - 2 * GUARD.min(whole.len() / 2);
    let (before, rest) = whole.split_at(GUARD.min(whole.len() / 2));
    let after = rest.get(tensor..)?;
    let differs = |part: &[u8], start: usize| {
        let stream = guard_stream(salt);
        // Eight bytes at a time, and byte by byte if they differ.
        let mut words = part.chunks(8).enumerate();
        let same = |(i, found): (usize, &[u8])| word(stream, start / 8 + i).to_le_bytes().starts_with(found);
        let first = words.position(|word| !same(word))? * 8;
        let mut bytes = part.iter().enumerate().skip(first);
        bytes.find_map(|(i, found)| (*found != byte(stream, start + i)).then_some(i))
    };
    let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    // Bytes after the tensor are checked first: one element too many is the usual mistake.
    differs(after, GUARD)
        .map(|i| signed(tensor + i))
        .or_else(|| differs(before, 0).map(|i| signed(i) - signed(GUARD)))
}

fn guard_stream(salt: u64) -> u64 {
    salt.rotate_left(32) ^ 0x5bd1_e995_9e37_79b9
}

fn fill(bytes: &mut [u8], stream: u64, start: usize) {
    for (i, chunk) in bytes.chunks_mut(8).enumerate() {
        let word = word(stream, start / 8 + i).to_le_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
    }
}

/// Eight bytes of a stream.
fn word(stream: u64, index: usize) -> u64 {
    random::word(stream, index as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poison_can_be_said_again_byte_by_byte() {
        let buffer = poisoned(21, 7);
        assert_eq!(buffer.guard(), GUARD);
        assert_eq!(buffer.tensor().len(), 21);
        assert!(buffer.tensor().iter().enumerate().all(|(i, b)| *b == byte(7, i)));
        assert_eq!(poisoned(21, 7), buffer);
        assert_ne!(poisoned(21, 8).tensor(), buffer.tensor());
    }

    #[test]
    fn a_touched_guard_is_found_on_either_side() {
        for length in [0, 5, 16] {
            let buffer = poisoned(length, 3);
            assert_eq!(touched_guard(&buffer, 3), None);
            for (at, offset) in [(0, -64), (63, -1), (64 + length as usize, length as i64)] {
                let mut touched = buffer.clone();
                touched.whole_mut()[at] ^= 1;
                assert_eq!(touched_guard(&touched, 3), Some(offset));
            }
        }
    }

    #[test]
    fn guards_surround_inputs_too() {
        let buffer = guarded(&[1, 2, 3], 9);
        assert_eq!(buffer.tensor(), [1, 2, 3]);
        assert_eq!(touched_guard(&buffer, 9), None);
    }
}
