//! The cases of a run that are compared with mistakes, and what the backend gave in them.
//!
//! Which cases these are rests on their digests alone: a run keeps the same whatever its workers do, and the samples of
//! its shards, put together, are the sample of the whole.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_spec::model::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{digest::Digest, id::CaseId};

/// How many cases of an operator are kept, of those that failed and of those that pass. These are what refutes a condition
/// that does not hold: of an operator with many functions and types a hundred of them hardly meet each.
pub const fn kept(failed: bool) -> usize {
    if failed { 96 } else { 384 }
}

/// Most elements of a case that is compared, those of all its tensors together.
pub const ELEMENTS: u64 = 4096;

/// A case, and what the backend gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampled {
    /// The case.
    pub id: CaseId,
    /// Its digest: the cases that come first by it are kept.
    pub digest: Digest,
    /// Whether its outputs are wrong.
    pub failed: bool,
    /// The elements of each present output in row-major order: little-endian bytes, in base64.
    #[serde(with = "elements")]
    pub outputs: Vec<Vec<u8>>,
}

mod elements {
    use super::{Deserialize, Deserializer, Engine, STANDARD, Serialize, Serializer};
    use serde::de::Error;

    pub(super) fn serialize<S: Serializer>(outputs: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = outputs.iter().map(|bytes| STANDARD.encode(bytes)).collect();
        texts.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let bytes = texts.iter().map(|text| STANDARD.decode(text).map_err(D::Error::custom));
        bytes.collect()
    }
}

/// Cases by their digests, and what the backend gave in them.
type Kept = BTreeMap<Digest, (CaseId, Vec<Vec<u8>>)>;

/// The cases of each operator that come first by their digests: of those whose outputs are wrong, and of those that pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples(BTreeMap<(Text, bool), Kept>);

impl Samples {
    /// Whether a case would be kept.
    pub fn wants(&self, id: &CaseId, digest: Digest, failed: bool) -> bool {
        let known = self.0.get(&(Text::Owned(id.operator().to_owned()), failed));
        let Some(known) = known.filter(|known| known.len() >= kept(failed)) else {
            return true;
        };
        known.last_key_value().is_some_and(|(last, _)| digest < *last)
    }

    /// Keeps a case, in the place of a later one if there are enough.
    pub fn keep(&mut self, sampled: Sampled) {
        let operator = Text::Owned(sampled.id.operator().to_owned());
        let known = self.0.entry((operator, sampled.failed)).or_default();
        known.insert(sampled.digest, (sampled.id, sampled.outputs));
        if known.len() > kept(sampled.failed) {
            known.pop_last();
        }
    }

    /// The cases of an operator that failed, or that passed, in the order of their digests.
    pub fn of(&self, operator: &Text, failed: bool) -> impl Iterator<Item = (Digest, &CaseId, &[Vec<u8>])> {
        let kept = self.0.get(&(operator.clone(), failed));
        let kept = kept.into_iter().flatten();
        kept.map(|(digest, (id, outputs))| (*digest, id, outputs.as_slice()))
    }

    /// The operators of which a case failed.
    pub fn failing(&self) -> impl Iterator<Item = &Text> {
        self.0
            .keys()
            .filter(|(_, failed)| *failed)
            .map(|(operator, _)| operator)
    }

    /// All cases, operator by operator.
    pub fn into_cases(self) -> impl Iterator<Item = Sampled> {
        self.0.into_iter().flat_map(|((_, failed), kept)| {
            kept.into_iter().map(move |(digest, (id, outputs))| Sampled {
                id,
                digest,
                failed,
                outputs,
            })
        })
    }
}

impl FromIterator<Sampled> for Samples {
    fn from_iter<T: IntoIterator<Item = Sampled>>(cases: T) -> Self {
        let mut samples = Self::default();
        cases.into_iter().for_each(|sampled| samples.keep(sampled));
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(n: u128) -> Sampled {
        Sampled {
            id: format!("RELU:2.0:sizes:sizes={n}").parse().unwrap(),
            digest: Digest(n * 0x9e37_79b9_7f4a_7c15 % 1_000_003),
            failed: n.is_multiple_of(3),
            outputs: vec![vec![n as u8, 0xff]],
        }
    }

    #[test]
    fn samples_of_shards_together_are_the_sample_of_the_whole() {
        let all: Vec<Sampled> = (1..1200).map(sampled).collect();
        let whole: Samples = all.iter().cloned().collect();
        let shard = |part: usize| -> Samples { all.iter().skip(part).step_by(4).cloned().collect() };
        let merged: Samples = (0..4).rev().flat_map(|part| shard(part).into_cases()).collect();
        assert_eq!(merged, whole);
        let operator = Text::Borrowed("RELU");
        for failed in [true, false] {
            assert_eq!(whole.of(&operator, failed).count(), kept(failed));
        }
        assert_eq!(whole.failing().collect::<Vec<_>>(), [&operator]);
        let backwards: Samples = all.into_iter().rev().collect();
        assert_eq!(backwards, whole);
    }

    #[test]
    fn a_case_is_wanted_if_it_would_be_kept() {
        let mut samples = Samples::default();
        for sampled in (1..1200).map(sampled) {
            let wanted = samples.wants(&sampled.id, sampled.digest, sampled.failed);
            let before = samples.clone();
            samples.keep(sampled);
            assert_eq!(samples != before, wanted);
        }
    }

    #[test]
    fn a_case_is_read_as_it_was_written() {
        for case in [sampled(3), sampled(7)] {
            let text = serde_json::to_string(&case).unwrap();
            assert_eq!(serde_json::from_str::<Sampled>(&text).unwrap(), case, "{text}");
        }
        for wrong in [
            r#"{"id":"RELU:2.0:sizes:sizes=7"}"#,
            r#"{"id":"RELU:2.0:sizes:sizes=7","digest":"0","failed":true,"outputs":["!"]}"#,
        ] {
            assert!(serde_json::from_str::<Sampled>(wrong).is_err());
        }
    }
}
