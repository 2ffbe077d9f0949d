//! Digests as in the lock and in stored runs.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize, de};
use xxhash_rust::xxh3::xxh3_128;

use crate::case::Case;

/// A 128-bit digest; not cryptographic, for accidental changes only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// Digest of a text.
    pub fn of_text(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }

    /// Digest of a case: id, what a backend sees, and the verdict.
    pub fn of_case(case: &Case) -> Self {
        Self(crate::content::case(case))
    }

    /// The same, if the digest of what a backend sees is known.
    pub fn of_content(case: &Case, content: u128) -> Self {
        Self(crate::content::case_of(case, content))
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
