//! Selects the failing cases whose outputs are stored: enough of each kind to analyse, few enough for any run.

use std::collections::{BTreeMap, HashMap};

use base64::{Engine, engine::general_purpose::STANDARD};

/// Maximum bytes of the outputs of one case together.
pub const CASE_BYTES: usize = 4096;

/// Maximum number of cases of a kind: an operator, level, family and class.
const ALIKE: usize = 16;

/// Maximum bytes of all cases together, in base64.
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
        if !self.has_room(id, class, outputs.iter().map(|(_, bytes)| bytes.len()).sum()) {
            return BTreeMap::new();
        }
        let encoded = outputs
            .iter()
            .map(|(name, bytes)| (name.clone(), STANDARD.encode(bytes)));
        encoded.collect()
    }

    /// The same of a case that was stored with its outputs: the shards of a run keep more than the whole does.
    pub fn again(&mut self, id: &str, class: &str, outputs: BTreeMap<String, String>) -> BTreeMap<String, String> {
        let decoded = |text: &String| {
            let padding = text.bytes().rev().take(2).filter(|byte| *byte == b'=').count();
            (text.len() / 4 * 3).saturating_sub(padding)
        };
        match self.has_room(id, class, outputs.values().map(decoded).sum()) {
            true => outputs,
            false => BTreeMap::new(),
        }
    }

    /// Whether outputs of this size still fit, which then are counted.
    fn has_room(&mut self, id: &str, class: &str, size: usize) -> bool {
        if size == 0 || size > CASE_BYTES || self.bytes + size * 4 / 3 > ALL_BYTES {
            return false;
        }
        let family = id.match_indices(':').nth(2).map_or(id, |(at, _)| &id[..at]);
        let alike = self.alike.entry(format!("{family} {class}")).or_default();
        if *alike >= ALIKE {
            return false;
        }
        *alike += 1;
        self.bytes += size * 4 / 3;
        true
    }
}
