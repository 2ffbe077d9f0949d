//! Counting: which clauses and cells the cases of a bucket break, rest on and exercise.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use dml_spec::{
    FeatureLevel, TensorDesc, Value,
    model::{ClauseKind, Tier, dimension_cell_id, type_cell_id},
};

use dml_case::{
    case::{Case, Verdict},
    context::Context,
    names::SYMPTOMS,
};
use dml_judge::MutantCache;
use dml_plan::{
    self, Bucket,
    builder::Builder,
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
    pub(super) smallest: BTreeMap<(FeatureLevel, Target), BTreeSet<Target>>,
    pub(super) allowed_cells: BTreeMap<String, u64>,
    pub(super) silences: BTreeMap<String, u64>,
    pub(super) examples: BTreeMap<String, u64>,
    /// Tensors that have several elements in some accepted case.
    pub(super) spread: BTreeSet<String>,
}

/// Counts the cases of a bucket.
pub(super) fn count(
    suite: &Planner,
    mutants: &MutantCache,
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
            let smallest = counts
                .smallest
                .entry((bucket.level, target.clone()))
                .or_insert_with(|| broken.clone());
            if broken.len() < smallest.len() {
                smallest.clone_from(&broken);
            }
        }
        if !case.verdict.is_rejection() {
            counts.accepted += 1;
            note_spread(builder, &case, &mut counts.spread);
            let clauses = suite
                .catalog
                .tensor_clauses
                .iter()
                .chain(builder.operator.clauses.iter());
            for clause in clauses.filter(|clause| clause.kind == ClauseKind::Guarantee) {
                // Kinds of mistakes cost an evaluation for each mutant: a few cases of a bucket are enough.
                let known = counts.guarantees.get(&*clause.id).copied().unwrap_or_default();
                let has_symptom = clause.class.iter().any(|class| SYMPTOMS.contains(&&**class));
                if (has_symptom || known < ENOUGH) && mutants.tests_guarantee(suite, &case, clause) {
                    *counts.guarantees.entry(clause.id.to_string()).or_default() += 1;
                }
            }
            for cell in allowed_cells(Context {
                suite,
                operator: builder.operator,
                case: &case,
            }) {
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

fn note_spread(builder: &Builder<'_>, case: &Case, spread: &mut BTreeSet<String>) {
    for (field, tensor) in tensors(&case.descriptor.fields) {
        let is_long = tensor.sizes().iter().any(|size| *size > 1);
        if let Some(field) = builder.operator.fields.get(field).filter(|_| is_long) {
            spread.insert(field.name.to_string());
        }
    }
}

/// The tensors of a descriptor, each with its field.
fn tensors(fields: &[Value]) -> impl Iterator<Item = (usize, &TensorDesc)> {
    fields.iter().enumerate().flat_map(|(field, value)| {
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        tensors.iter().map(move |tensor| (field, tensor))
    })
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
    for (key, set) in b.smallest {
        let smallest = a.smallest.entry(key).or_insert_with(|| set.clone());
        if set.len() < smallest.len() {
            *smallest = set;
        }
    }
    a
}

/// Cells of the tables that an accepted case rests on.
fn allowed_cells(context: Context) -> Vec<String> {
    let Context { suite, operator, case } = context;
    let mut cells = Vec::new();
    for (field, tensor) in tensors(&case.descriptor.fields) {
        let Some((table, row)) = suite.row(operator, &case.descriptor, case.id.level(), field) else {
            continue;
        };
        cells.push(dimension_cell_id(
            &operator.name,
            table.level,
            row,
            tensor.dimension_count(),
        ));
        if let Some(ty) = suite.catalog.data_type(tensor.data_type) {
            cells.push(type_cell_id(&operator.name, table.level, row, &ty.name));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases that test each guarantee of the operator and of all tensors, with only these families.
    fn guarantees(families: &[&str]) -> BTreeMap<String, u64> {
        let mut catalog = dml_spec_yaml::load::catalog().clone();
        for operator in catalog.operators.to_mut() {
            let kept = operator.cases.families.to_mut();
            kept.retain(|family| families.contains(&&*family.name));
        }
        // The sweeps alone: the added lists have cases of all kinds.
        let suite = Planner::new(catalog).unwrap().without_lists();
        let mut operators = suite.catalog.operators.iter();
        let at = operators.position(|operator| operator.name == "TOP_K1").unwrap();
        let builder = Builder::new(&suite, at).unwrap();
        let (buckets, mutants) = (dml_plan::buckets(&suite), MutantCache::default());
        let counts = buckets
            .iter()
            .filter(|bucket| bucket.operator == at)
            .map(|b| count(&suite, &mutants, &builder, b, Tier::Smoke));
        counts.fold(Counts::default(), merge).guarantees
    }

    #[test]
    fn cases_count_for_guarantees_that_they_can_break() {
        let order = guarantees(&["order"]);
        assert!(
            order["TOP_K1/sorted"] > 0 && order["TENSOR/no-stray-writes"] > 0,
            "{order:?}"
        );
        assert!(!order.contains_key("TENSOR/strides-followed"), "{order:?}");
        // All smoke sweeps of these families have K = 1.
        let first = guarantees(&["faults", "support"]);
        assert!(
            !first.contains_key("TOP_K1/ties-ascend"),
            "no case of these has equal elements: {first:?}"
        );
        assert!(
            !guarantees(&["faults"]).contains_key("TOP_K1/ties-at-boundary"),
            "nothing is run"
        );
        let ties = guarantees(&["ties"]);
        assert!(
            ties["TOP_K1/ties-ascend"] > 0 && ties["TOP_K1/ties-at-boundary"] > 0,
            "{ties:?}"
        );
        let nan = guarantees(&["nan"]);
        assert_eq!(nan.keys().collect::<Vec<_>>(), ["TENSOR/no-stray-writes"]);
        assert!(guarantees(&["layout"])["TENSOR/strides-followed"] > 0);
    }
}
