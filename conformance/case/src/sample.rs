//! The cases of a run that are compared with mistakes, and what the backend gave in them.
//!
//! Which cases these are rests on their digests alone: a run keeps the same whatever its workers do, and the samples of
//! its shards, put together, are the sample of the whole.

use std::collections::{BTreeMap, BTreeSet};

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
    /// It was made after the run, to find out under which condition others fail. Such cases are kept whatever their digests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow_up: bool,
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
        let decode = |text: &String| {
            let bytes = STANDARD.decode(text);
            bytes.map_err(|why| D::Error::custom(format_args!("outputs that are not base64: {why}")))
        };
        texts.iter().map(decode).collect()
    }
}

/// Cases by their digests, and what the backend gave in them.
type Kept = BTreeMap<Digest, (CaseId, Vec<Vec<u8>>)>;

/// The cases of each operator that come first by their digests: of those whose outputs are wrong, and of those that pass.
/// What was made after the run is kept as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// By operator and whether they failed.
    run: BTreeMap<(Text, bool), Kept>,
    follow_up: BTreeMap<(Text, bool), Kept>,
    /// Failing cases of an operator with more than [`ELEMENTS`] elements.
    large: BTreeMap<Text, BTreeSet<Digest>>,
    /// All cases of the run whose outputs are wrong, by digests of their ids.
    wrong: BTreeSet<Digest>,
}

impl Samples {
    /// Whether a case of the run would be kept.
    pub fn wants(&self, id: &CaseId, digest: Digest, failed: bool) -> bool {
        let known = self.run.get(&(Text::Owned(id.operator().to_owned()), failed));
        let Some(known) = known.filter(|known| known.len() >= kept(failed)) else {
            return true;
        };
        known.last_key_value().is_some_and(|(last, _)| digest < *last)
    }

    /// Keeps a case, in the place of a later one if there are enough.
    pub fn keep(&mut self, sampled: Sampled) {
        let place = (Text::Owned(sampled.id.operator().to_owned()), sampled.failed);
        let all = if sampled.follow_up {
            &mut self.follow_up
        } else {
            &mut self.run
        };
        let known = all.entry(place).or_default();
        known.insert(sampled.digest, (sampled.id, sampled.outputs));
        if !sampled.follow_up && known.len() > kept(sampled.failed) {
            known.pop_last();
        }
    }

    /// The cases of an operator that failed, or that passed, in the order of their digests; after them, marked, those that
    /// were made after the run.
    pub fn of(&self, operator: &Text, failed: bool) -> impl Iterator<Item = (Digest, &CaseId, &[Vec<u8>], bool)> {
        let place = (operator.clone(), failed);
        let run = self.run.get(&place);
        let is_new = move |digest: &Digest| run.is_none_or(|run| !run.contains_key(digest));
        let added = self.follow_up.get(&place).into_iter().flatten();
        let added = added.filter(move |(digest, _)| is_new(digest));
        let kept = run.into_iter().flatten().map(|kept| (kept, false));
        let kept = kept.chain(added.map(|kept| (kept, true)));
        kept.map(|((digest, (id, outputs)), made)| (*digest, id, outputs.as_slice(), made))
    }

    /// Notes that the outputs of a case are wrong, whether it is kept or not.
    pub fn note_wrong(&mut self, id: &CaseId) {
        self.wrong.insert(Digest::of_text(id.as_str()));
    }

    /// Whether it was noted that the outputs of a case are wrong.
    pub fn is_wrong(&self, id: &CaseId) -> bool {
        self.wrong.contains(&Digest::of_text(id.as_str()))
    }

    /// Counts a failing case that has too many elements to be kept.
    pub fn count_large(&mut self, id: &CaseId, digest: Digest) {
        let operator = Text::Owned(id.operator().to_owned());
        self.large.entry(operator).or_default().insert(digest);
    }

    /// How many failing cases of an operator have too many elements to be kept.
    pub fn large(&self, operator: &Text) -> usize {
        self.large.get(operator).map_or(0, BTreeSet::len)
    }

    /// The operators of which a case failed, kept or not.
    pub fn failing(&self) -> impl Iterator<Item = &Text> {
        let run = self.run.keys().filter(|(_, failed)| *failed);
        let all: BTreeSet<&Text> = run.map(|(operator, _)| operator).chain(self.large.keys()).collect();
        all.into_iter()
    }

    /// All cases, operator by operator, and those that were made after the run.
    pub fn into_cases(self) -> impl Iterator<Item = Sampled> {
        let all = self.run.into_iter().map(|kept| (kept, false));
        let all = all.chain(self.follow_up.into_iter().map(|kept| (kept, true)));
        all.flat_map(|(((_, failed), kept), follow_up)| {
            kept.into_iter().map(move |(digest, (id, outputs))| Sampled {
                id,
                digest,
                failed,
                follow_up,
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
            follow_up: false,
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
    fn outputs_that_are_not_base64_are_said_to_be_none() {
        let text = serde_json::to_string(&sampled(1)).unwrap();
        assert_eq!(serde_json::from_str::<Sampled>(&text).unwrap(), sampled(1));
        let error = serde_json::from_str::<Sampled>(&text.replace("Af8=", "%")).unwrap_err();
        assert!(error.to_string().contains("outputs that are not base64"), "{error}");
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
    fn what_was_made_after_the_run_is_kept_as_a_whole_and_once() {
        let run: Samples = (1..1200).map(sampled).collect();
        let operator = Text::Borrowed("RELU");
        let added = (1..1200).map(|n| Sampled {
            follow_up: true,
            ..sampled(n)
        });
        let both: Samples = run.clone().into_cases().chain(added).collect();
        assert_eq!(both.of(&operator, true).filter(|(.., made)| !made).count(), kept(true));
        // Those of the run come first, and none comes twice.
        assert_eq!(both.of(&operator, true).count(), 399);
        let first = both.of(&operator, true).zip(run.of(&operator, true));
        assert!(first.into_iter().all(|(both, run)| both == run));
        assert_eq!(both.clone().into_cases().collect::<Samples>(), both);
    }

    #[test]
    fn a_case_is_read_as_it_was_written() {
        let added = Sampled {
            follow_up: true,
            ..sampled(9)
        };
        for case in [sampled(3), sampled(7), added] {
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
