//! Digests of cases: what the lock compares and what stored runs carry.

use std::fmt;

use dml_spec::{Descriptor, TensorDesc, Value};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::case::Case;

/// A 128-bit digest; not cryptographic, it guards against accidents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// Digest of a text.
    pub fn of_text(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }

    /// Adds a digest to a sum that does not depend on the order.
    pub fn add(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Reads 32 hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        hex.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(Self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// What a backend gets to see of a case: level, descriptor, inputs. Two cases that agree in it are one too many.
pub fn content(case: &Case) -> Digest {
    let mut hash = Fields::new();
    hash.number(u64::from(case.id.level.0));
    hash.descriptor(&case.descriptor);
    hash.bytes_of(&case.inputs);
    hash.finish()
}

/// Everything about a case: id, descriptor, inputs, given outputs and verdict.
pub fn expectation(case: &Case) -> Digest {
    let mut hash = Fields::new();
    hash.text(&case.id.to_string());
    hash.descriptor(&case.descriptor);
    hash.bytes_of(&case.inputs);
    for output in case.given.iter().flatten() {
        hash.number(output.len() as u64);
        output.iter().for_each(|bits| hash.number(*bits));
    }
    hash.text(case.verdict.word());
    for clause in case.verdict.clauses() {
        hash.text(&clause);
    }
    hash.finish()
}

/// Feeds values in a form that tells any two sequences of them apart: lengths before contents, tags before values.
struct Fields(Box<Xxh3>);

impl Fields {
    fn new() -> Self {
        Self(Box::new(Xxh3::new()))
    }

    fn finish(&self) -> Digest {
        Digest(self.0.digest128())
    }

    fn number(&mut self, n: u64) {
        self.0.update(&n.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn bytes_of(&mut self, buffers: &[Vec<u8>]) {
        self.number(buffers.len() as u64);
        buffers.iter().for_each(|b| self.bytes(b));
    }

    fn list<T: Copy>(&mut self, list: Option<&[T]>, bits: impl Fn(T) -> u64) {
        self.number(list.map_or(u64::MAX, |l| l.len() as u64));
        list.unwrap_or(&[]).iter().for_each(|n| self.number(bits(*n)));
    }

    fn descriptor(&mut self, descriptor: &Descriptor) {
        self.text(&descriptor.operator);
        self.number(descriptor.fields.len() as u64);
        descriptor.fields.iter().for_each(|value| self.value(value));
    }

    fn tensor(&mut self, tensor: &TensorDesc) {
        for n in [tensor.tensor_type, tensor.data_type, tensor.flags, tensor.guaranteed_base_offset_alignment] {
            self.number(u64::from(n));
        }
        self.number(tensor.total_tensor_size_in_bytes);
        self.list(tensor.sizes.as_deref(), u64::from);
        self.list(tensor.strides.as_deref(), u64::from);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Tensor(tensor) => self.items(1, tensor.as_ref().map(std::slice::from_ref), Self::tensor),
            Value::Tensors(tensors) => self.items(2, tensors.as_deref(), Self::tensor),
            Value::UInt(n) => self.numbers(3, &[u64::from(*n)]),
            Value::Int(n) => self.numbers(4, &[u64::from(n.cast_unsigned())]),
            Value::Float(x) => self.numbers(5, &[u64::from(x.to_bits())]),
            Value::UInts(list) => {
                self.number(6);
                self.list(list.as_deref(), u64::from);
            }
            Value::Ints(list) => {
                self.number(7);
                self.list(list.as_deref(), |n| u64::from(n.cast_unsigned()));
            }
            Value::Floats(list) => {
                self.number(8);
                self.list(list.as_deref(), |x| u64::from(x.to_bits()));
            }
            Value::ScaleBias(None) => self.numbers(9, &[]),
            Value::ScaleBias(Some((a, b))) => self.numbers(10, &[u64::from(a.to_bits()), u64::from(b.to_bits())]),
            Value::Size2D(width, height) => self.numbers(11, &[u64::from(*width), u64::from(*height)]),
            Value::Scalar(bytes) => self.numbers(12, &[u64::from_le_bytes(*bytes)]),
            Value::Operator(inner) => {
                self.items(13, inner.as_deref().map(std::slice::from_ref), Self::descriptor);
            }
            Value::Operators(inner) => self.items(14, inner.as_deref(), Self::descriptor),
        }
    }

    fn numbers(&mut self, tag: u64, numbers: &[u64]) {
        self.number(tag);
        numbers.iter().for_each(|n| self.number(*n));
    }

    fn items<T>(&mut self, tag: u64, items: Option<&[T]>, feed: impl Fn(&mut Self, &T)) {
        self.number(tag);
        self.number(items.map_or(u64::MAX, |i| i.len() as u64));
        items.unwrap_or(&[]).iter().for_each(|item| feed(self, item));
    }
}

#[cfg(test)]
mod tests {
    use std::{borrow::Cow, sync::Arc};

    use dml_spec::{TensorDesc, model::Tier};

    use super::*;
    use crate::case::{Mode, Verdict};

    fn case() -> Case {
        let tensor = TensorDesc::packed(1, 32, &[2, 3]);
        let fields = vec![Value::Tensor(Some(tensor)), Value::Tensor(None), Value::UInt(1), Value::Float(0.0)];
        Case {
            id: "TOP_K1:2.1:ties:k=1".parse().unwrap(),
            tier: Tier::Smoke,
            mode: Mode::Execute,
            descriptor: Arc::new(Descriptor { operator: Cow::Borrowed("TOP_K1"), fields }),
            inputs: vec![vec![1, 2, 3]],
            given: None,
            verdict: Verdict::Valid,
            gate: None,
        }
    }

    fn with(change: impl FnOnce(&mut Case, &mut Descriptor)) -> Case {
        let mut case = case();
        let mut descriptor = (*case.descriptor).clone();
        change(&mut case, &mut descriptor);
        case.descriptor = Arc::new(descriptor);
        case
    }

    #[test]
    fn every_change_shows() {
        let changes = [
            with(|case, _| case.inputs[0][0] = 9),
            with(|case, _| case.inputs = vec![vec![1, 2], vec![3]]),
            with(|_, d| d.fields[1] = Value::Tensor(Some(TensorDesc::packed(1, 32, &[2, 3])))),
            with(|_, d| d.fields[2] = Value::Int(1)),
            with(|_, d| d.fields[3] = Value::Float(-0.0)),
            with(|_, d| d.fields[0] = Value::Tensor(Some(TensorDesc::packed(1, 32, &[3, 2])))),
        ];
        for (i, changed) in changes.iter().enumerate() {
            assert_ne!(content(&case()), content(changed), "{i}");
            assert_ne!(expectation(&case()), expectation(changed), "{i}");
        }
        assert_eq!(content(&case()), content(&case()));
    }

    #[test]
    fn the_expectation_counts_apart() {
        let rejected = with(|case, _| case.verdict = Verdict::Unspecified(vec![Cow::Borrowed("TOP_K1/nan-order")]));
        assert_eq!(content(&case()), content(&rejected));
        assert_ne!(expectation(&case()), expectation(&rejected));
    }

    #[test]
    fn digests_are_written_in_hex() {
        let digest = Digest(0xabc);
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("+0000000000000000000000000000abc"), None);
        assert_eq!(Digest::parse("abc"), None);
    }
}
