//! Selects the failing cases whose outputs are stored: enough of each kind to analyse, few enough for any run.

use std::collections::HashMap;

use dml_case::record::{CASE_BYTES, Record};

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
    /// Takes outputs from a failing case that are not to be stored. Shards of a run keep more than the whole does.
    pub fn limit(&mut self, record: &mut Record) {
        let decoded = |text: &String| {
            let padding = text.bytes().rev().take(2).filter(|byte| *byte == b'=').count();
            (text.len() / 4 * 3).saturating_sub(padding)
        };
        let size = record.outputs.values().map(decoded).sum();
        let class = record.class.as_deref().unwrap_or_default();
        if !self.has_room(record.id.as_str(), class, size) {
            record.outputs.clear();
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
