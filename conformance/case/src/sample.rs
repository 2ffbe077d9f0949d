//! The cases of a run that are compared with mistakes, and what the backend gave in them.
//!
//! Which cases these are rests on their digests alone: a run keeps the same whatever its workers do, and the samples of
//! its shards, put together, are the sample of the whole.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_spec::model::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{digest::Digest, id::CaseId};

/// Cases of a group that are kept.
pub const KEPT: usize = 64;

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
    /// The clause that its outputs violate first, which may be empty; `None` if it passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<Text>,
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

/// Cases that are compared with each other: of an operator those that pass, or those that violate one clause first.
type Group = (Text, Option<Text>);

/// The first cases of each group by their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples(BTreeMap<Group, BTreeMap<(Digest, CaseId), Vec<Vec<u8>>>>);

impl Samples {
    /// Whether a case would be kept.
    pub fn wants(&self, id: &CaseId, digest: Digest, clause: Option<&Text>) -> bool {
        let group = (Text::Owned(id.operator().to_owned()), clause.cloned());
        let Some(kept) = self.0.get(&group).filter(|kept| kept.len() >= KEPT) else {
            return true;
        };
        kept.last_key_value()
            .is_some_and(|((last, last_id), _)| (digest, id) < (*last, last_id))
    }

    /// Keeps a case, in the place of a later one if there are enough.
    pub fn keep(&mut self, sampled: Sampled) {
        let Sampled {
            id,
            digest,
            clause,
            outputs,
        } = sampled;
        let kept = self
            .0
            .entry((Text::Owned(id.operator().to_owned()), clause))
            .or_default();
        kept.insert((digest, id), outputs);
        if kept.len() > KEPT {
            kept.pop_last();
        }
    }

    /// The cases of an operator that violate a clause first, or that pass, in the order of their digests.
    pub fn of(&self, operator: &Text, clause: Option<&Text>) -> impl Iterator<Item = (&CaseId, &[Vec<u8>])> {
        let kept = self.0.get(&(operator.clone(), clause.cloned()));
        kept.into_iter()
            .flatten()
            .map(|((_, id), outputs)| (id, outputs.as_slice()))
    }

    /// Operators and clauses that cases violate first.
    pub fn failing(&self) -> impl Iterator<Item = (&Text, &Text)> {
        self.0
            .keys()
            .filter_map(|(operator, clause)| Some((operator, clause.as_ref()?)))
    }

    /// All cases, group by group.
    pub fn into_cases(self) -> impl Iterator<Item = Sampled> {
        self.0.into_iter().flat_map(|((_, clause), kept)| {
            kept.into_iter().map(move |((digest, id), outputs)| Sampled {
                id,
                digest,
                clause: clause.clone(),
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

    fn sampled(n: u128, clause: Option<&'static str>) -> Sampled {
        Sampled {
            id: format!("RELU:2.0:sizes:sizes={n}").parse().unwrap(),
            digest: Digest(n * 0x9e37_79b9_7f4a_7c15 % 1009),
            clause: clause.map(Text::Borrowed),
            outputs: vec![vec![n as u8, 0xff]],
        }
    }

    #[test]
    fn samples_of_shards_together_are_the_sample_of_the_whole() {
        let all: Vec<Sampled> = (1..300)
            .map(|n| sampled(n, [None, Some("RELU/activates"), Some("")][n as usize % 3]))
            .collect();
        let whole: Samples = all.iter().cloned().collect();
        let shard = |part: usize| -> Samples { all.iter().skip(part).step_by(4).cloned().collect() };
        let merged: Samples = (0..4).rev().flat_map(|part| shard(part).into_cases()).collect();
        assert_eq!(merged, whole);
        let operator = Text::Borrowed("RELU");
        for clause in [None, Some(&Text::Borrowed("RELU/activates")), Some(&Text::Borrowed(""))] {
            assert_eq!(whole.of(&operator, clause).count(), KEPT);
        }
        let backwards: Samples = all.into_iter().rev().collect();
        assert_eq!(backwards, whole);
    }

    #[test]
    fn a_case_is_wanted_if_it_would_be_kept() {
        let mut samples = Samples::default();
        for sampled in (1..400).map(|n| sampled(n, None)) {
            let wanted = samples.wants(&sampled.id, sampled.digest, None);
            let before = samples.clone();
            samples.keep(sampled);
            assert_eq!(samples != before, wanted);
        }
    }

    #[test]
    fn a_case_is_read_as_it_was_written() {
        for clause in [None, Some("RELU/activates"), Some("")] {
            let case = sampled(7, clause);
            let text = serde_json::to_string(&case).unwrap();
            assert_eq!(serde_json::from_str::<Sampled>(&text).unwrap(), case, "{text}");
        }
        assert!(serde_json::from_str::<Sampled>(r#"{"id":"RELU:2.0:sizes:sizes=7"}"#).is_err());
    }
}
