//! Counting: which clauses and cells the cases of a bucket break, rest on and exercise.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use dml_spec::{
    FeatureLevel, Value,
    model::{Operator, Tier, dimension_cell_id, type_cell_id},
};

use crate::{
    case::{Case, Mode, Verdict},
    plan::{
        self, Bucket,
        build::Builder,
        faults::{Target, targets},
    },
    suite::Suite,
};

/// Counts per target.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) accepted: u64,
    pub(super) executed: u64,
    pub(super) broken: BTreeMap<Target, u64>,
    pub(super) smallest: BTreeMap<(FeatureLevel, Target), BTreeSet<Target>>,
    pub(super) allowed_cells: BTreeMap<String, u64>,
    pub(super) silences: BTreeMap<String, u64>,
    pub(super) examples: BTreeMap<String, u64>,
}

/// Counts the cases of a bucket.
pub(super) fn count(suite: &Suite, builder: &Builder<'_>, bucket: &Bucket, tier: Tier) -> Counts {
    let mut counts = Counts::default();
    let _ = plan::for_each_case(suite, bucket, tier, 0, &mut |case| {
        let violations = builder
            .program
            .evaluate(&suite.catalog, builder.operator, &case.descriptor, bucket.level);
        let broken = targets(&violations);
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
            counts.executed += u64::from(matches!(case.mode, Mode::Execute));
            for cell in allowed_cells(suite, builder.operator, &case) {
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
        if let Some(example) = case.id.get(plan::recipe::EXAMPLE_KEY) {
            *counts.examples.entry(example.to_owned()).or_default() += 1;
        }
        ControlFlow::Continue(())
    });
    counts
}

/// Two buckets' counts together.
pub(super) fn merge(mut a: Counts, b: Counts) -> Counts {
    a.accepted += b.accepted;
    a.executed += b.executed;
    let add = |into: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>| {
        from.into_iter().for_each(|(key, n)| *into.entry(key).or_default() += n);
    };
    b.broken
        .into_iter()
        .for_each(|(key, n)| *a.broken.entry(key).or_default() += n);
    add(&mut a.allowed_cells, b.allowed_cells);
    add(&mut a.silences, b.silences);
    add(&mut a.examples, b.examples);
    for (key, set) in b.smallest {
        let smallest = a.smallest.entry(key).or_insert_with(|| set.clone());
        if set.len() < smallest.len() {
            *smallest = set;
        }
    }
    a
}

/// Cells of the tables that an accepted case rests on.
fn allowed_cells(suite: &Suite, operator: &Operator, case: &Case) -> Vec<String> {
    let mut cells = Vec::new();
    let Some(table) = operator.table_at(case.id.level()) else {
        return cells;
    };
    for (field, value) in operator.fields.iter().zip(&case.descriptor.fields) {
        let tensors = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => continue,
        };
        for tensor in tensors {
            cells.push(dimension_cell_id(
                &operator.name,
                table.level,
                &field.name,
                tensor.dimension_count(),
            ));
            if let Some(ty) = suite.catalog.data_type(tensor.data_type) {
                cells.push(type_cell_id(&operator.name, table.level, &field.name, &ty.name));
            }
        }
    }
    cells
}
