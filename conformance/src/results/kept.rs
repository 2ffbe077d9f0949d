//! Which failing cases store what the backend gave: enough of each kind to look at, few enough for any run.

use std::collections::{BTreeMap, HashMap};

use base64::{Engine, engine::general_purpose::STANDARD};

/// Most bytes that the outputs of one case may have together.
pub const CASE_BYTES: usize = 4096;

/// Most cases of a kind: an operator, level, family and class.
const ALIKE: usize = 16;

/// Most bytes of all cases together, in base64.
const ALL_BYTES: usize = 8 << 20;

/// What was kept until now.
#[derive(Debug, Default)]
pub struct Kept {
    alike: HashMap<String, usize>,
    bytes: usize,
}

impl Kept {
    /// The outputs of a failing case as they are stored, or none.
    pub fn take(&mut self, id: &str, class: &str, outputs: &[(String, Vec<u8>)]) -> BTreeMap<String, String> {
        let size = outputs.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        if size == 0 || size > CASE_BYTES || self.bytes + size * 4 / 3 > ALL_BYTES {
            return BTreeMap::new();
        }
        let family = id.match_indices(':').nth(2).map_or(id, |(at, _)| &id[..at]);
        let alike = self.alike.entry(format!("{family} {class}")).or_default();
        if *alike >= ALIKE {
            return BTreeMap::new();
        }
        *alike += 1;
        self.bytes += size * 4 / 3;
        let encoded = outputs
            .iter()
            .map(|(name, bytes)| (name.clone(), STANDARD.encode(bytes)));
        encoded.collect()
    }
}
