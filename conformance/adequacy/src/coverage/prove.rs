//! Proof that a clause is violated only with others: no descriptor near a base violates it with fewer.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
type Proofs = BTreeMap<(FeatureLevel, Target), Coupling>;

/// The coupling of each target that is coupled at every level.
pub(super) type Couplings = BTreeMap<Target, Coupling>;

/// What is coupled, at the level at which it is loosest.
pub(super) fn couplings(builder: &Builder<'_>, counts: &Counts) -> Couplings {
    let proofs = proofs(builder, counts);
    let mut loosest: BTreeMap<&Target, (usize, FeatureLevel)> = BTreeMap::new();
    for ((level, target), sets) in &counts.smallest {
        let size = sets.first().map_or(usize::MAX, BTreeSet::len);
        let known = loosest.entry(target).or_insert((size, *level));
        *known = (*known).min((size, *level));
    }
    let coupled = loosest.into_iter().filter_map(|(target, (_, level))| {
        let proof = proofs.get(&(level, target.clone()))?;
        Some((target.clone(), proof.clone()))
    });
    coupled.collect()
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
fn proofs(builder: &Builder<'_>, counts: &Counts) -> Proofs {
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
    let with_target = by_target(&searched);
    let mut proofs = BTreeMap::new();
    for ((level, target), sets) in coupled {
        let Some((searched, _)) = searched.get(level) else {
            continue;
        };
        let found = with_target.get(&(*level, target)).map_or(&[][..], Vec::as_slice);
        let smaller_than = |set: &BTreeSet<Target>| {
            let mut smaller = found.iter().filter(|found| found.len() < set.len());
            smaller.find(|found| found.is_subset(set)).copied()
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

/// The sets that were found at each level, by each target that they hold.
fn by_target(
    searched: &BTreeMap<FeatureLevel, (u64, Sets)>,
) -> HashMap<(FeatureLevel, &Target), Vec<&BTreeSet<Target>>> {
    let mut all: HashMap<_, Vec<_>> = HashMap::new();
    for (level, (_, sets)) in searched {
        for (set, target) in sets.iter().flat_map(|set| set.iter().map(move |target| (set, target))) {
            all.entry((*level, target)).or_default().push(set);
        }
    }
    all
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
    let is_small = |broken: &BTreeSet<Target>| broken.len() < targets.size;
    let steps: Vec<_> = overrides.iter().map(|given| around.step(given)).collect();
    let singles: Vec<_> = (0..overrides.len())
        .into_par_iter()
        .filter_map(|i| Some((i, around.try_overrides(&overrides[i..=i])?.broken)))
        .filter(|(_, broken)| targets.are_in(broken))
        .collect();
    let breaks: BTreeSet<usize> = singles.iter().map(|(i, _)| *i).collect();
    let pairs: Vec<(u64, Sets)> = breaks
        .par_iter()
        .map(|&i| {
            let (mut tried, mut sets) = (0, BTreeSet::new());
            let mut near = around.scratch();
            // A pair of two such steps is tried once.
            let others = (0..overrides.len()).filter(|j| *j > i || !breaks.contains(j));
            for j in others.filter(|j| overrides[*j].0 != overrides[i].0) {
                tried += 1;
                if let (Some(one), Some(other), Some(near)) = (&steps[i], &steps[j], &mut near) {
                    let found = around.try_pair(near, (one, other), targets.size);
                    sets.extend(found.filter(|broken| targets.are_in(broken)));
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
