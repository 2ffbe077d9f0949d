//! Counting: which clauses and cells the cases of a bucket break, rest on and exercise.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use dml_spec::{
    FeatureLevel,
    model::{ClauseKind, Tier},
};

use dml_case::{
    case::{Case, Verdict},
    names::SYMPTOMS,
};
use dml_judge::MutantCache;
use dml_plan::{
    self, Bucket,
    builder::Builder,
    cells::{cells_of, tensors},
    planner::Planner,
    target::{Target, broken_targets},
};

/// Cases of a bucket that test a guarantee which names kinds of mistakes alone; more are not counted.
const ENOUGH: u64 = 5;

/// Counts per target.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) accepted: u64,
    pub(super) guarantees: BTreeMap<String, u64>,
    pub(super) broken: BTreeMap<Target, u64>,
    /// The smallest sets of what a case breaks with a target, all of one size.
    pub(super) smallest: BTreeMap<(FeatureLevel, Target), BTreeSet<BTreeSet<Target>>>,
    pub(super) allowed_cells: BTreeMap<String, u64>,
    pub(super) silences: BTreeMap<String, u64>,
    pub(super) examples: BTreeMap<String, u64>,
    /// Tensors that have several elements in some accepted case.
    pub(super) spread: BTreeSet<String>,
}

/// Counts the cases of a bucket; those that test a guarantee only with mutants.
pub(super) fn count(
    suite: &Planner,
    mutants: Option<&MutantCache>,
    builder: &Builder<'_>,
    bucket: &Bucket,
    tier: Tier,
) -> Counts {
    let mut counts = Counts::default();
    let _ = dml_plan::for_each_case(suite, bucket, tier, 0, &mut |case| {
        let violations = builder
            .program
            .evaluate(&suite.catalog, builder.operator, &case.descriptor, bucket.level);
        let broken = broken_targets(&violations);
        for target in &broken {
            let smallest = counts.smallest.entry((bucket.level, target.clone())).or_default();
            keep_smallest(smallest, Cow::Borrowed(&broken));
        }
        if !case.verdict.is_rejection() {
            counts.accepted += 1;
            note_spread(builder, &case, &mut counts.spread);
            if let Some(mutants) = mutants {
                count_guarantees(suite, mutants, (builder, &case), &mut counts.guarantees);
            }
            for cell in cells_of(suite, builder.operator, &case.descriptor, case.id.level()) {
                *counts.allowed_cells.entry(cell).or_default() += 1;
            }
        }
        for target in broken {
            *counts.broken.entry(target).or_default() += 1;
        }
        if let Verdict::Observed { clauses, .. } | Verdict::Unspecified(clauses) = &case.verdict {
            for clause in clauses {
                *counts.silences.entry(clause.to_string()).or_default() += 1;
            }
        }
        if let Some(example) = case.id.get(dml_plan::recipe::EXAMPLE_KEY) {
            *counts.examples.entry(example.to_owned()).or_default() += 1;
        }
        ControlFlow::Continue(())
    });
    counts
}

/// Counts a case for the guarantees that it tests.
fn count_guarantees(
    suite: &Planner,
    mutants: &MutantCache,
    (builder, case): (&Builder<'_>, &Case),
    counts: &mut BTreeMap<String, u64>,
) {
    let own = builder.operator.clauses.iter();
    let clauses = suite.catalog.tensor_clauses.iter().chain(own);
    for clause in clauses.filter(|clause| clause.kind == ClauseKind::Guarantee) {
        // Kinds of mistakes cost an evaluation for each mutant: a few cases of a bucket are enough.
        let known = counts.get(&*clause.id).copied().unwrap_or_default();
        let has_symptom = clause.class.iter().any(|class| SYMPTOMS.contains(&&**class));
        if (has_symptom || known < ENOUGH) && mutants.tests_guarantee(suite, case, clause) {
            *counts.entry(clause.id.to_string()).or_default() += 1;
        }
    }
}

fn note_spread(builder: &Builder<'_>, case: &Case, spread: &mut BTreeSet<String>) {
    for (field, tensor) in tensors(&case.descriptor) {
        let is_long = tensor.sizes().iter().any(|size| *size > 1);
        if let Some(field) = builder.operator.fields.get(field).filter(|_| is_long) {
            spread.insert(field.name.to_string());
        }
    }
}

/// Two buckets' counts together.
pub(super) fn merge(mut a: Counts, b: Counts) -> Counts {
    a.accepted += b.accepted;
    let add = |into: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>| {
        from.into_iter().for_each(|(key, n)| *into.entry(key).or_default() += n);
    };
    b.broken
        .into_iter()
        .for_each(|(key, n)| *a.broken.entry(key).or_default() += n);
    add(&mut a.allowed_cells, b.allowed_cells);
    add(&mut a.guarantees, b.guarantees);
    add(&mut a.silences, b.silences);
    add(&mut a.examples, b.examples);
    a.spread.extend(b.spread);
    for (key, sets) in b.smallest {
        let smallest = a.smallest.entry(key).or_default();
        sets.into_iter()
            .for_each(|set| keep_smallest(smallest, Cow::Owned(set)));
    }
    a
}

/// Keeps a set if no other is smaller, and no other that is greater.
fn keep_smallest(smallest: &mut BTreeSet<BTreeSet<Target>>, set: Cow<'_, BTreeSet<Target>>) {
    let least = smallest.first().map_or(usize::MAX, BTreeSet::len);
    if set.len() < least {
        smallest.clear();
    }
    if set.len() <= least && !smallest.contains(&*set) {
        smallest.insert(set.into_owned());
    }
}

#[cfg(test)]
mod tests {
    use dml_spec::model::Family;

    use super::*;

    /// Cases that test each guarantee of the operator and of all tensors, among those that are wanted.
    fn guarantees(wanted: impl Fn(&Bucket) -> bool) -> BTreeMap<String, u64> {
        let suite = crate::embedded::suite();
        let mut operators = suite.catalog.operators.iter();
        let at = operators.position(|operator| operator.name == "TOP_K1").unwrap();
        let builder = Builder::new(suite, at).unwrap();
        let mutants = MutantCache::default();
        let buckets = dml_plan::buckets_of(suite, at, Tier::Smoke);
        let wanted = buckets.iter().filter(|bucket| wanted(bucket));
        let counts = wanted.map(|bucket| count(suite, Some(&mutants), &builder, bucket, Tier::Smoke));
        counts.fold(Counts::default(), merge).guarantees
    }

    #[test]
    fn cases_count_for_guarantees_that_they_can_break() {
        let values = guarantees(|bucket| bucket.family == Family::Values);
        for clause in [
            "TOP_K1/sorted",
            "TOP_K1/ties-ascend",
            "TOP_K1/ties-at-boundary",
            "TENSOR/no-stray-writes",
        ] {
            assert!(values[clause] > 0, "{clause}: {values:?}");
        }
        assert!(!values.contains_key("TENSOR/strides-followed"), "{values:?}");
        let created = guarantees(|bucket| bucket.family == Family::Faults);
        assert!(
            !created.contains_key("TOP_K1/ties-at-boundary"),
            "nothing is run: {created:?}"
        );
        let sizes = guarantees(|bucket| bucket.family == Family::Sizes && bucket.data_type.starts_with("FLOAT"));
        assert!(
            !sizes.contains_key("TOP_K1/ties-ascend"),
            "no equal elements: {sizes:?}"
        );
        assert!(guarantees(|bucket| bucket.family == Family::Layout)["TENSOR/strides-followed"] > 0);
    }
}
