//! Proof that a clause is violated only with others: no descriptor near a base violates it with fewer.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::{FeatureLevel, model::Family};
use rayon::prelude::*;

use super::{Counts, Coupling};
use dml_plan::{
    builder::Builder,
    design::{bases, parameters},
    faults::bucket_of,
    neighbourhood::Neighbourhood,
    target::{Target, spell_target},
};

/// Bases of a level around which is searched.
const BASES: usize = 2;

/// Sets of clauses that descriptors violate, each once.
type Sets = BTreeSet<BTreeSet<Target>>;

/// Couplings by level and target.
pub(super) type Proofs = BTreeMap<(FeatureLevel, Target), Coupling>;

/// The coupling of a target at the level at which it is loosest: it counts as coupled only if it is at every level.
pub(super) fn coupling_of(target: &Target, counts: &Counts, proofs: &Proofs) -> Option<Coupling> {
    let of_target: Vec<_> = counts.smallest.iter().filter(|((_, t), _)| t == target).collect();
    let ((level, _), _) = of_target
        .iter()
        .min_by_key(|(_, sets)| sets.first().map_or(usize::MAX, BTreeSet::len))?;
    proofs.get(&(*level, target.clone())).cloned()
}
/// Searches, per level, for smaller sets around the bases of faults.
pub(super) fn proofs(builder: &Builder<'_>, counts: &Counts) -> Proofs {
    let is_coupled = |sets: &BTreeSet<BTreeSet<Target>>| sets.iter().all(|set| set.len() > 1);
    let coupled: Vec<_> = counts.smallest.iter().filter(|(_, sets)| is_coupled(sets)).collect();
    let levels: BTreeSet<FeatureLevel> = coupled.iter().map(|((level, _), _)| *level).collect();
    let searched: BTreeMap<FeatureLevel, (u64, Sets)> = levels
        .into_par_iter()
        .map(|level| (level, search(builder, level)))
        .collect();
    let mut proofs = BTreeMap::new();
    for ((level, target), sets) in coupled {
        let Some((searched, found)) = searched.get(level) else {
            continue;
        };
        let smaller_than = |set: &BTreeSet<Target>| {
            found
                .iter()
                .find(|f| f.contains(target) && f.is_subset(set) && f.len() < set.len())
        };
        // One minimal set is enough: what breaks beside another may only be hidden by it.
        let minimal = sets.iter().find(|set| smaller_than(set).is_none());
        let Some(set) = minimal.or(sets.first()) else {
            continue;
        };
        let smaller = smaller_than(set);
        let others = |set: &BTreeSet<Target>| set.iter().filter(|t| *t != target).map(spell_target).collect();
        let coupling = Coupling {
            with: others(set),
            searched: *searched,
            smaller: smaller.map(others),
        };
        proofs.insert((*level, target.clone()), coupling);
    }
    proofs
}

/// How many descriptors lie one or two steps from the first bases of a level, and everything that they violate.
fn search(builder: &Builder<'_>, level: FeatureLevel) -> (u64, Sets) {
    let (mut tried, mut found) = (0, BTreeSet::new());
    let parameters = parameters(builder).unwrap_or_default();
    for base in bases(builder, &parameters, level).into_iter().take(BASES) {
        let bucket = bucket_of(builder, level, Family::Faults, &base);
        let (steps, sets) = within_two_steps(&Neighbourhood::new(builder, &bucket, base));
        tried += steps;
        found.extend(sets);
    }
    (tried, found)
}

/// How many pairs and single steps there are, and what they break.
fn within_two_steps(around: &Neighbourhood<'_>) -> (u64, Sets) {
    let overrides = around.list_overrides();
    let sets: Vec<Sets> = (0..overrides.len())
        .into_par_iter()
        .map(|i| {
            let mut sets = BTreeSet::new();
            let mut keep = |steps: &[_]| sets.extend(around.try_overrides(steps).map(|c| c.broken));
            keep(&overrides[i..=i]);
            for other in overrides[i + 1..].iter().filter(|m| m.0 != overrides[i].0) {
                keep(&[overrides[i].clone(), other.clone()]);
            }
            sets
        })
        .collect();
    let n = overrides.len() as u64;
    (n * (n + 1) / 2, sets.into_iter().flatten().collect())
}
