//! Digests as they stand in the lock and in stored runs, and the canonical bytes that they are taken of: what a backend
//! sees of a case, the same on every machine.

use std::{borrow::Cow, fmt};

use dml_spec::{Descriptor, TensorDesc, Value};
use serde::{Deserialize, Serialize, de};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::case::{Case, Verdict};

/// A 128-bit digest; not cryptographic, for accidental changes only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// Digest of a text.
    pub fn of_text(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }

    /// Digest of a case as the lock holds it: id, what a backend sees, the verdict, and outputs that the page gives.
    pub fn of_case(case: &Case) -> Self {
        Self::of_content(case, content_digest(case))
    }

    /// The same, if the digest of what a backend sees ([`content_digest`]) is known already.
    pub fn of_content(case: &Case, content: u128) -> Self {
        let mut text = format!("{}\n{}\n", case.id, case.verdict.word());
        for clause in case.verdict.clauses() {
            text.push_str(&clause);
            text.push('\n');
        }
        // Whether the runtimes refuse the descriptor does not follow from the clauses.
        if matches!(case.verdict, Verdict::Observed { rejected: true, .. }) {
            text.push_str("refused\n");
        }
        let mut bytes = text.into_bytes();
        bytes.extend(content.to_le_bytes());
        for elements in case.given.iter().flatten() {
            bytes.extend(elements.iter().flat_map(|bits| bits.to_le_bytes()));
        }
        Self(xxh3_128(&bytes))
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

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom(format!("expected 32 hex digits, found `{text}`")))
    }
}

/// Digest of what a backend sees: descriptor, level, inputs, whether it runs, and what lies in place.
pub fn content_digest(case: &Case) -> u128 {
    let mut hash = Xxh3::new();
    let mut bytes = Vec::with_capacity(512);
    bytes.extend(case.id.level().0.to_le_bytes());
    bytes.push(case.mode as u8);
    descriptor_bytes(&case.descriptor, &mut bytes);
    hash.update(&bytes);
    for input in &case.inputs {
        hash.update(&(input.len() as u64).to_le_bytes());
        hash.update(input);
    }
    for alias in &case.aliases {
        hash.update(&(alias.output as u64).to_le_bytes());
        hash.update(&(alias.input as u64).to_le_bytes());
    }
    hash.digest128()
}

/// The canonical bytes of a descriptor: field by field, little-endian, lengths first, absence marked.
pub fn descriptor_bytes(descriptor: &Descriptor, out: &mut Vec<u8>) {
    bytes(descriptor.operator.as_bytes(), out);
    for value in &descriptor.fields {
        value_bytes(value, out);
    }
}

fn bytes(data: &[u8], out: &mut Vec<u8>) {
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
}

fn optional<T>(value: Option<T>, out: &mut Vec<u8>, write: impl FnOnce(T, &mut Vec<u8>)) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        write(value, out);
    }
}

/// The parts of a list.
fn parts<T>(items: Option<&[T]>, out: &mut Vec<u8>, part: impl Fn(&T, &mut Vec<u8>)) {
    optional(items, out, |items, out| {
        out.extend((items.len() as u32).to_le_bytes());
        items.iter().for_each(|item| part(item, out));
    });
}

fn value_bytes(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Tensor(tensor) => optional(tensor.as_ref(), out, tensor_bytes),
        Value::Tensors(tensors) => parts(tensors.as_deref(), out, tensor_bytes),
        Value::UInt(n) => out.extend(n.to_le_bytes()),
        Value::Int(n) => out.extend(n.to_le_bytes()),
        Value::Float(x) => out.extend(x.to_bits().to_le_bytes()),
        Value::UInts(items) => parts(items.as_deref(), out, |n, out| out.extend(n.to_le_bytes())),
        Value::Ints(items) => parts(items.as_deref(), out, |n, out| out.extend(n.to_le_bytes())),
        Value::Floats(items) => parts(items.as_deref(), out, |x, out| out.extend(x.to_bits().to_le_bytes())),
        Value::ScaleBias(pair) => optional(*pair, out, |(scale, bias), out| {
            out.extend(scale.to_bits().to_le_bytes());
            out.extend(bias.to_bits().to_le_bytes());
        }),
        Value::Size2D(width, height) => {
            out.extend(width.to_le_bytes());
            out.extend(height.to_le_bytes());
        }
        Value::Scalar(raw) => out.extend(raw),
        Value::Operator(nested) => optional(nested.as_deref(), out, descriptor_bytes),
        Value::Operators(nested) => parts(nested.as_deref(), out, descriptor_bytes),
    }
}

fn tensor_bytes(tensor: &TensorDesc, out: &mut Vec<u8>) {
    for n in [
        tensor.tensor_type,
        tensor.data_type,
        tensor.flags,
        tensor.guaranteed_base_offset_alignment,
    ] {
        out.extend(n.to_le_bytes());
    }
    out.extend(tensor.total_tensor_size_in_bytes.to_le_bytes());
    for dims in [&tensor.sizes, &tensor.strides] {
        parts(dims.as_deref(), out, |n, out| out.extend(n.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_in_hex() {
        let digest = Digest(0xabc);
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("+0000000000000000000000000000abc"), None);
        assert_eq!(Digest::parse("abc"), None);
    }
}
