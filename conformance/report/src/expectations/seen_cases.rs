//! Which cases were known to fail when a file was written: 32 bits of a digest each, sorted, in base64.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use xxhash_rust::xxh3::xxh3_64;

/// A set of ids. A stranger is taken for one of them once in 2^32 / number of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenCases(Vec<u32>);

fn short(id: &str) -> u32 {
    (xxh3_64(id.as_bytes()) >> 32) as u32
}

impl<'a> FromIterator<&'a str> for SeenCases {
    fn from_iter<I: IntoIterator<Item = &'a str>>(ids: I) -> Self {
        let mut digests: Vec<u32> = ids.into_iter().map(short).collect();
        digests.sort_unstable();
        digests.dedup();
        Self(digests)
    }
}

impl SeenCases {
    /// Whether the id is in the set.
    pub fn contains(&self, id: &str) -> bool {
        self.0.binary_search(&short(id)).is_ok()
    }

    /// The same with those of `older` that stand for none of the ids that were `looked_at`.
    #[must_use]
    pub fn with<'a>(self, older: &Self, looked_at: impl IntoIterator<Item = &'a str>) -> Self {
        let looked_at: Self = looked_at.into_iter().collect();
        let left = older
            .0
            .iter()
            .filter(|digest| looked_at.0.binary_search(digest).is_err());
        let mut all = self.0;
        all.extend(left);
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads what [`Self::to_text`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        let (digests, rest) = bytes.as_chunks::<4>();
        let digests: Vec<u32> = digests.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        (rest.is_empty() && digests.is_sorted()).then_some(Self(digests))
    }

    /// The set on one line.
    pub fn to_text(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().flat_map(|digest| digest.to_le_bytes()).collect();
        STANDARD.encode(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_survive_the_round_trip() {
        let seen: SeenCases = ["b", "a", "c", "a"].into_iter().collect();
        let again = SeenCases::parse(&seen.to_text()).unwrap();
        assert_eq!(again, seen);
        assert!(again.contains("a") && again.contains("c") && !again.contains("d"));
        assert!(SeenCases::default().is_empty() && !seen.is_empty());
        for text in ["AAA=", "?", "AAAAAQAAAAA=", "AQAAAAAAAAA="] {
            assert_eq!(SeenCases::parse(text), None, "{text}");
        }
    }
}
