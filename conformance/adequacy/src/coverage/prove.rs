//! Proof that a clause is violated only with others: no descriptor near a base violates it with fewer.

use std::collections::{BTreeMap, BTreeSet, HashSet};

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
/// Targets that are coupled at a level.
#[derive(Default)]
struct Targets<'a> {
    all: HashSet<&'a Target>,
    /// The size of the largest of their smallest sets: of what is found, only smaller ones are of interest.
    size: usize,
}

impl Targets<'_> {
    fn are_in(&self, set: &BTreeSet<Target>) -> bool {
        set.iter().any(|target| self.all.contains(target))
    }
}

/// Searches, per level, for smaller sets around the bases of faults.
pub(super) fn proofs(builder: &Builder<'_>, counts: &Counts) -> Proofs {
    let is_coupled = |sets: &BTreeSet<BTreeSet<Target>>| sets.iter().all(|set| set.len() > 1);
    let coupled: Vec<_> = counts.smallest.iter().filter(|(_, sets)| is_coupled(sets)).collect();
    let mut targets: BTreeMap<FeatureLevel, Targets<'_>> = BTreeMap::new();
    for ((level, target), sets) in &coupled {
        let of_level = targets.entry(*level).or_default();
        of_level.all.insert(target);
        let size = sets.first().map_or(0, BTreeSet::len);
        of_level.size = of_level.size.max(size);
    }
    let searched: BTreeMap<FeatureLevel, (u64, Sets)> = targets
        .into_par_iter()
        .map(|(level, targets)| (level, search(builder, level, &targets)))
        .collect();
    let mut proofs = BTreeMap::new();
    for ((level, target), sets) in coupled {
        let Some((searched, found)) = searched.get(level) else {
            continue;
        };
        let smaller_than = |set: &BTreeSet<Target>| {
            found
                .iter()
                .find(|f| f.len() < set.len() && f.contains(target) && f.is_subset(set))
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

/// How many descriptors one or two steps from the first bases of a level were tried, and what those violate that violate a
/// target, if it is little enough.
fn search(builder: &Builder<'_>, level: FeatureLevel, targets: &Targets<'_>) -> (u64, Sets) {
    let (mut tried, mut found) = (0, BTreeSet::new());
    let parameters = parameters(builder).unwrap_or_default();
    for base in bases(builder, &parameters, level).into_iter().take(BASES) {
        let bucket = bucket_of(builder, level, Family::Faults, &base);
        let (steps, sets) = within_two_steps(&Neighbourhood::new(builder, &bucket, base), targets);
        tried += steps;
        found.extend(sets);
    }
    (tried, found)
}

/// All single steps, and all pairs of which one alone violates a target: how many, and what they violate.
fn within_two_steps(around: &Neighbourhood<'_>, targets: &Targets<'_>) -> (u64, Sets) {
    let overrides = around.list_overrides();
    let broken = |steps: &[_]| around.try_overrides(steps).map(|found| found.broken);
    let is_small = |broken: &BTreeSet<Target>| broken.len() < targets.size;
    let singles: Vec<_> = (0..overrides.len())
        .into_par_iter()
        .filter_map(|i| Some((i, broken(&overrides[i..=i])?)))
        .filter(|(_, broken)| targets.are_in(broken))
        .collect();
    let breaks: BTreeSet<usize> = singles.iter().map(|(i, _)| *i).collect();
    let pairs: Vec<(u64, Sets)> = breaks
        .par_iter()
        .map(|&i| {
            let (mut tried, mut sets) = (0, BTreeSet::new());
            // A pair of two such steps is tried once.
            let others = (0..overrides.len()).filter(|j| *j > i || !breaks.contains(j));
            for (one, other) in others.map(|j| (&overrides[i.min(j)], &overrides[i.max(j)])) {
                if one.0 != other.0 {
                    tried += 1;
                    let found = broken(&[one.clone(), other.clone()]);
                    sets.extend(found.filter(|broken| is_small(broken) && targets.are_in(broken)));
                }
            }
            (tried, sets)
        })
        .collect();
    let tried = overrides.len() as u64 + pairs.iter().map(|(tried, _)| tried).sum::<u64>();
    let singles = singles.into_iter().map(|(_, broken)| broken).filter(is_small);
    (
        tried,
        pairs.into_iter().flat_map(|(_, sets)| sets).chain(singles).collect(),
    )
}
