//! The descriptors around a valid one, and what each of them breaks.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

use dml_spec::{Descriptor, model::Family, program::Base};

use crate::{
    bucket::Bucket,
    build::BuiltDescriptor,
    builder::Builder,
    count_fields,
    overrides::{Override, list_overrides, neighbours_of, resize_text, with_zero},
    recipe::sets_sizes,
    scratch::Scratch,
    target::{Target, broken_targets},
};
use dml_case::id::CaseId;
use dml_spec::path::{MANY, Path, dims};

/// A descriptor near a base, and what it breaks.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its id.
    pub id: CaseId,
    /// What it breaks.
    pub broken: BTreeSet<Target>,
    pub(super) built: Arc<BuiltDescriptor>,
}

/// The neighbourhood of one base: a valid descriptor.
pub struct Neighbourhood<'a> {
    /// Builds descriptors.
    pub builder: &'a Builder<'a>,
    /// Level, family, data type.
    pub bucket: &'a Bucket,
    /// Keys of the base.
    pub base: Vec<Override>,
    /// The base's descriptor and what it breaks, once it was needed.
    center: OnceLock<Option<Base>>,
}

/// An override with the place that it names, for those that are tried in many pairs.
pub struct Step<'o> {
    given: &'o Override,
    path: Path,
    /// Another bucket may have what it leads to.
    leads_away: bool,
}

impl<'a> Neighbourhood<'a> {
    /// The neighbourhood of the base with these keys.
    pub fn new(builder: &'a Builder<'a>, bucket: &'a Bucket, base: Vec<Override>) -> Self {
        Self {
            builder,
            bucket,
            base,
            center: OnceLock::new(),
        }
    }

    /// The base's descriptor; `None` if it cannot be built.
    pub(super) fn descriptor(&self) -> Option<&Descriptor> {
        self.center().map(|center| &center.descriptor)
    }

    /// The base's descriptor and what it breaks; `None` if it cannot be built.
    pub(super) fn center(&self) -> Option<&Base> {
        let build = || {
            let descriptor = self.builder.before_overrides(&self.id(&[])).ok()?;
            let Builder {
                suite,
                program,
                operator,
                ..
            } = self.builder;
            Some(Base::new(
                program,
                &suite.catalog,
                operator,
                descriptor,
                self.bucket.level,
            ))
        };
        self.center.get_or_init(build).as_ref()
    }

    /// Id of the base with these overrides, put in canonical order.
    pub fn id(&self, overrides: &[Override]) -> CaseId {
        let mut overrides: Vec<(usize, &Override)> = overrides
            .iter()
            .map(|m| {
                (
                    Path::parse(self.builder.operator, &m.0).map_or(usize::MAX, |p| p.field()),
                    m,
                )
            })
            .collect();
        overrides.sort();
        let params = self.base.iter().chain(overrides.into_iter().map(|(_, m)| m));
        self.bucket
            .id(self.builder.operator, params.map(|(key, value)| (key, value)))
    }

    /// The base's descriptor, to be changed; `None` if it cannot be built.
    pub fn scratch(&self) -> Option<Scratch<'_>> {
        self.center().map(Scratch::new)
    }

    /// What the base with these overrides breaks; `None` if it cannot be built.
    pub fn try_overrides(&self, overrides: &[Override]) -> Option<Candidate> {
        self.candidate(self.id(overrides), self.descriptor()?.clone())
    }

    /// What the base with two overrides breaks, if that is little: fewer than `most`. Far faster than [`Self::try_overrides`].
    pub fn try_pair(
        &self,
        near: &mut Scratch<'_>,
        (one, other): (&Step<'_>, &Step<'_>),
        most: usize,
    ) -> Option<BTreeSet<Target>> {
        let mut pair = [one, other];
        pair.sort_by_key(|step| (step.path.field(), step.given));
        if pair.iter().any(|step| step.leads_away) {
            let found = self.try_overrides(&pair.map(|step| step.given.clone()))?;
            return Some(found.broken).filter(|broken| broken.len() < most);
        }
        let mut overrides = pair.map(|step| (step.given.0.as_str(), step.path.clone(), step.given.1.as_str()));
        let violations = self.builder.override_briefly(&mut overrides, near, most)?;
        Some(broken_targets(&violations))
    }

    /// An override, read; `None` if it names no place.
    pub fn step<'o>(&self, given: &'o Override) -> Option<Step<'o>> {
        let path = Path::parse(self.builder.operator, &given.0).ok()?;
        let key = self.builder.recipe.type_key();
        let key = key.and_then(|key| self.builder.recipe.keys.get(key));
        let bucket = || Bucket {
            data_type: given.1.clone(),
            ..self.bucket.clone()
        };
        let leads_away = key.is_some_and(|(_, key)| path == *key) && self.builder.is_forbidden_type(&bucket());
        Some(Step {
            given,
            path,
            leads_away,
        })
    }

    /// The candidate of an id whose descriptor is this one before anything is overridden.
    pub(super) fn candidate(&self, id: CaseId, descriptor: Descriptor) -> Option<Candidate> {
        let built = match self.center() {
            Some(center) => self.builder.override_near(&id, center, descriptor),
            None => self.builder.override_fields(&id, descriptor),
        };
        let built = built.ok()?;
        self.keep_in_bucket(id, built)
    }

    /// The candidate, if its lists agree with their counts and no other bucket has it.
    pub(super) fn keep_in_bucket(&self, id: CaseId, built: BuiltDescriptor) -> Option<Candidate> {
        let descriptor = &built.descriptor;
        if !count_fields::lists_match_counts(self.builder.operator, descriptor)
            || self.is_of_another_bucket(&id, descriptor)
        {
            return None;
        }
        Some(Candidate {
            id,
            broken: broken_targets(&built.violations),
            built: Arc::new(built),
        })
    }

    /// Whether an override of the data type that the type key sets has the same result as the key itself. If the table
    /// forbids that type, the bucket of that type holds the descriptor.
    fn is_of_another_bucket(&self, id: &CaseId, descriptor: &Descriptor) -> bool {
        let builder = self.builder;
        let Some((name, path)) = builder.recipe.type_key().and_then(|key| builder.recipe.keys.get(key)) else {
            return false;
        };
        let is_key = |key: &str| builder.recipe.keys.iter().any(|(name, _)| name == key);
        let overrides = |key: &str| Path::parse(builder.operator, key).is_ok_and(|other| other == *path);
        let Some((at, data_type)) = id.params().find(|(key, _)| !is_key(key) && overrides(key)) else {
            return false;
        };
        let bucket = Bucket {
            data_type: data_type.to_owned(),
            ..self.bucket.clone()
        };
        if !builder.is_forbidden_type(&bucket) {
            return false;
        }
        let params = id.params().filter(|(key, _)| *key != at);
        let params = params.map(|(key, value)| (key, if key == name { data_type } else { value }));
        let by_key = bucket.id(builder.operator, params);
        builder.descriptor(&by_key).is_ok_and(|other| other == *descriptor)
    }

    /// Every override that changes one field of the base.
    pub fn list_overrides(&self) -> Vec<Override> {
        let base = self.descriptor();
        base.map(|base| list_overrides(&self.builder.suite.catalog, self.builder.operator, base))
            .unwrap_or_default()
    }

    /// The base with another value of one key, which derived fields follow. For support: another number of dimensions,
    /// or another data type if a key other than the first sets it. For constraints: another number, nine dimensions, or a
    /// size of zero.
    pub(super) fn list_key_changes(&self, family: Family) -> Vec<CaseId> {
        let support = family == Family::Support;
        let mut found = Vec::new();
        for (at, (name, path)) in self.builder.recipe.keys.iter().enumerate() {
            let Some((_, value)) = self.base.get(at).filter(|(key, _)| key == name) else {
                continue;
            };
            let mut change = |text: String| {
                let mut base = self.base.clone();
                base[at].1 = text;
                found.push(self.bucket.id(self.builder.operator, base));
            };
            match (path, support) {
                (Path::Attribute(_), false) => {
                    let numbers = value.parse().map(neighbours_of).unwrap_or_default();
                    numbers.into_iter().for_each(|n| change(n.to_string()));
                }
                // All tensors follow: a backend that compares them alone does not see it.
                (path, false) if sets_sizes(path) => {
                    change(resize_text(value, 9));
                    for nth in 0..value.split(['x', MANY]).count() {
                        change(with_zero(value, nth));
                    }
                }
                (path, true) if sets_sizes(path) => {
                    let first = value.split(MANY).next().unwrap_or_default();
                    let rank = dims(first).ok().flatten().map_or(0, |sizes| sizes.len());
                    (1..=8)
                        .filter(|r| *r != rank)
                        .for_each(|r| change(resize_text(value, r)));
                }
                (path, true) if path.is_data_type() && self.builder.recipe.type_key() != Some(at) => {
                    let types = self.builder.suite.catalog.data_types.iter();
                    types
                        .filter(|t| t.name != *value)
                        .for_each(|t| change(t.name.to_string()));
                }
                _ => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        design::{bases, parameters},
        embedded::suite,
        faults::bucket_of,
        neighbourhood::*,
    };

    #[test]
    fn pairs_break_what_they_break_by_their_ids() {
        let mut compared = [0, 0];
        for name in ["TOP_K1", "GEMM", "JOIN"] {
            let mut operators = suite().catalog.operators.iter();
            let at = operators.position(|of| of.name == name).unwrap();
            let builder = Builder::new(suite(), at).unwrap();
            let level = builder.operator.support[0].level;
            let base = bases(&builder, &parameters(&builder).unwrap(), level).remove(0);
            let bucket = bucket_of(&builder, level, Family::Faults, &base);
            let around = Neighbourhood::new(&builder, &bucket, base);
            let all = around.list_overrides();
            let mut near = around.scratch().unwrap();
            for (n, one) in all.iter().enumerate().step_by(3) {
                for other in all.iter().skip(n + 1).step_by(5).filter(|other| other.0 != one.0) {
                    let slow = around.try_overrides(&[one.clone(), other.clone()]);
                    let slow = slow.map(|found| found.broken);
                    // Whichever is named first.
                    let (one, other) = (around.step(one).unwrap(), around.step(other).unwrap());
                    for most in [2, usize::MAX] {
                        let small = slow.clone().filter(|broken| broken.len() < most);
                        assert_eq!(around.try_pair(&mut near, (&other, &one), most), small);
                        compared[usize::from(small.is_some())] += 1;
                    }
                }
            }
        }
        assert!(compared.iter().all(|count| *count > 100), "{compared:?}");
    }
}
