//! The ids of an operator's cases.

use std::{collections::BTreeMap, panic::resume_unwind, sync::Arc, thread};

use dml_spec::{
    FeatureLevel,
    model::{Family, Tier},
};

use crate::{
    bucket::{Bucket, Gathered, Planned, PlannedId},
    builder::Builder,
    design, examples, faults,
    planner::Planner,
    recipe::EXAMPLE_KEY,
};
use dml_case::id::CaseId;

/// Arrays of pairs that the exhaustive tier has beside that of standard.
const FURTHER: u64 = 2;

/// The ids of the cases of the operator at this place of the catalog, by bucket, in the order of the plan. They are made
/// the first time that somebody asks.
pub(crate) fn planned(planner: &Planner, operator: usize, tier: Tier) -> &[Planned] {
    let kept = planner.kept(operator, tier);
    kept.map_or(&[], |kept| kept.get_or_init(|| plan(planner, operator, tier)))
}

/// The cases of an operator up to a tier, by bucket.
fn plan(planner: &Planner, operator: usize, tier: Tier) -> Vec<Planned> {
    let Some(builder) = Builder::new(planner, operator).filter(|builder| !builder.recipe.keys.is_empty()) else {
        return Vec::new();
    };
    // `spec check` tells of what is wrong with parameters.
    let parameters = design::parameters(&builder).unwrap_or_default();
    let (rows, around) = beside(
        || rows_of(&builder, &parameters, tier),
        || {
            let kept = planner.around(operator);
            kept.map_or(&[][..], |kept| {
                kept.get_or_init(|| around_tables(&builder, &parameters))
            })
        },
    );
    let mut buckets: BTreeMap<(FeatureLevel, Family, usize), Planned> = BTreeMap::new();
    let mut all = Gathered::default();
    for (id, family, lowest) in around.iter().cloned().chain(rows.cases()) {
        // Where nothing is computed no data tell a row from an example, a cell, or the valid neighbour of a fault.
        let created = (!builder.is_computed()).then(|| match family {
            Family::Examples => builder.case(id.clone(), family).ok().map(|case| case.descriptor),
            _ => builder.descriptor(&id).ok().map(Arc::new),
        });
        match created.flatten() {
            Some(descriptor) => all.add_created(id, &descriptor, family, lowest),
            None => all.add(id, family, lowest),
        }
    }
    for (id, family, lowest) in all.cases().into_iter().filter(|(.., lowest)| *lowest <= tier) {
        let data_type = type_of(&builder, &id);
        let mut types = planner.catalog.data_types.iter();
        let place = types.position(|ty| ty.name == data_type).unwrap_or(usize::MAX);
        let bucket = Bucket {
            operator,
            level: id.level(),
            family,
            data_type,
        };
        let planned = buckets.entry((bucket.level, family, place)).or_insert_with(|| Planned {
            bucket,
            cases: Vec::new(),
        });
        planned.cases.push((id, lowest));
    }
    let mut found: Vec<Planned> = buckets.into_values().collect();
    for planned in &mut found {
        planned.cases.sort_by_key(|(_, tier)| *tier);
    }
    found
}

/// Does two things at once, the second one in a thread of its own if there can be one. It is none of the pool: one of
/// these that waits takes up other work, which may wait for the plan that is being made.
fn beside<A, B: Send>(one: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, &other);
        let one = one();
        let other = match started {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => other(),
        };
        (one, other)
    })
}

/// The cases that are the same ones at every tier: examples, cells of the tables, and faults.
fn around_tables(builder: &Builder<'_>, parameters: &[design::Parameter]) -> Vec<PlannedId> {
    let mut all = Gathered::default();
    for table in builder.operator.support.iter() {
        add_examples(builder, table.level, &mut all);
    }
    let levels = builder.operator.support.iter().map(|table| table.level);
    let bases: Vec<faults::Bases> = levels
        .map(|level| (level, design::bases(builder, parameters, level)))
        .collect();
    faults::add_cells(builder, parameters, &bases, &mut all);
    faults::add_faults(builder, &bases, &mut all);
    all.cases()
}

/// The data type of a case: that of its first tensor.
fn type_of(builder: &Builder<'_>, id: &CaseId) -> String {
    if let Some(name) = id.get(EXAMPLE_KEY) {
        let example = builder.operator.examples.iter().find(|example| example.name == name);
        return example.and_then(examples::example_type).unwrap_or_default().to_owned();
    }
    let key = builder.recipe.type_key().and_then(|key| builder.recipe.keys.get(key));
    key.and_then(|(name, _)| id.get(name)).unwrap_or_default().to_owned()
}

/// The examples that the table of a level allows.
fn add_examples(builder: &Builder<'_>, level: FeatureLevel, all: &mut Gathered) {
    for example in builder.operator.examples.iter() {
        let id = examples::example_id(builder, level, example);
        let case = builder.case(id.clone(), Family::Examples);
        if case.is_ok_and(|case| !case.verdict.is_rejection()) {
            all.add(id, Family::Examples, Tier::Smoke);
        }
    }
}

/// The rows of the covering array, and of further ones for the exhaustive tier.
fn rows_of(builder: &Builder<'_>, parameters: &[design::Parameter], tier: Tier) -> Gathered {
    let mut all = Gathered::default();
    let arrays = if tier == Tier::Exhaustive { FURTHER } else { 0 };
    for salt in 0..=arrays {
        let design = design::design(builder, parameters, tier.min(Tier::Standard), salt);
        for (at, row) in design.rows.iter().enumerate() {
            let lowest = match (salt, at < design.smoke) {
                (0, true) => Tier::Smoke,
                (0, false) => Tier::Standard,
                _ => Tier::Exhaustive,
            };
            all.add(row.id.clone(), row.family(), lowest);
        }
    }
    all
}
