//! Expected outputs that one backend's part of a run leaves for the next: oracles are asked once for as many cases as
//! there is room for.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use dml_case::digest::Digest;
use dml_judge::Expected;

/// Bytes that are kept at most.
const ROOM: u64 = 256 << 20;

/// Bytes of one case's expected outputs up to which they are kept: of larger ones few would fill the room.
const LARGE: u64 = 64 << 10;

/// Bytes that a case takes beside its elements.
const ENTRY: u64 = 256;

/// Expected outputs by the digests of their cases, which everything about a case goes into.
#[derive(Debug, Default)]
pub struct ExpectedCache(Mutex<Store>);

#[derive(Debug, Default)]
struct Store {
    known: HashMap<Digest, Expected>,
    bytes: u64,
}

impl ExpectedCache {
    /// What is expected of the case with this digest, if it was computed before.
    pub(super) fn expected(&self, digest: Digest) -> Option<Expected> {
        self.store().known.get(&digest).cloned()
    }

    /// Keeps what was computed, if there is space.
    pub(super) fn keep(&self, digest: Digest, expected: &Expected) {
        let Some(bytes) = expected.bytes().filter(|bytes| *bytes <= LARGE) else {
            return;
        };
        let mut store = self.store();
        let all = store.bytes + bytes + ENTRY;
        if all <= ROOM && !store.known.contains_key(&digest) {
            store.bytes = all;
            store.known.insert(digest, expected.clone());
        }
    }

    /// How many cases there are.
    #[cfg(test)]
    pub(super) fn cases(&self) -> usize {
        self.store().known.len()
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::expected_cache::*;

    #[test]
    fn what_was_computed_is_kept_while_there_is_room() {
        let suite = crate::embedded::suite();
        let id = "TOP_K1:3.1:examples:example=largest-two".parse().unwrap();
        let Ok(case) = dml_plan::build(suite, &id) else {
            panic!("{id}")
        };
        let (digest, cache) = (Digest::of_case(&case), ExpectedCache::default());
        // Nothing is kept of what nobody computed.
        cache.keep(digest, &Expected::default());
        assert!(cache.expected(digest).is_none());
        let expected = Expected::default();
        expected.compute_ahead(suite, &case);
        cache.keep(digest, &expected);
        assert!(cache.expected(digest).is_some_and(|kept| kept.bytes().is_some()));
        cache.store().bytes = ROOM;
        let other = Digest::of_text("another case");
        cache.keep(other, &expected);
        assert!(cache.expected(other).is_none());
    }
}
