//! The cases of the plan, bucket by bucket.

use std::{collections::HashSet, ops::ControlFlow};

use dml_spec::{
    FeatureLevel,
    model::{Generator, Tier},
};

use crate::{
    bucket::Bucket,
    builder::Builder,
    canonical, examples, faults,
    listed::Listed,
    planner::Planner,
    recipe::{CompiledSweep, Point},
    sweep::Walk,
};
use dml_case::{case::Case, digest::content_digest, id::CaseId};

/// All buckets in the order of the plan; every one may hold cases at some tier.
pub fn buckets(suite: &Planner) -> Vec<Bucket> {
    let operators = 0..suite.catalog.operators.len();
    operators.flat_map(|operator| buckets_of(suite, operator)).collect()
}

/// The buckets of the operator at this place of the catalog, in the order of the plan.
pub fn buckets_of(suite: &Planner, operator: usize) -> Vec<Bucket> {
    let mut found = Vec::new();
    let Some(builder) = Builder::new(suite, operator) else {
        return found;
    };
    for table in builder.operator.support.iter() {
        for family in 0..builder.recipe.families.len() {
            for data_type in data_types_of(&builder, family, table.level) {
                found.push(Bucket {
                    operator,
                    level: table.level,
                    family,
                    data_type,
                });
            }
        }
    }
    found
}

/// Whether a case of the operator at this place belongs to one of its buckets, so that a list can name it: a family may
/// have random cases of data types that none of its sweeps has.
pub fn bucketed(suite: &Planner, operator: usize) -> impl Fn(&CaseId) -> bool {
    let buckets: HashSet<Bucket> = buckets_of(suite, operator).into_iter().collect();
    let builder = Builder::new(suite, operator);
    move |case| {
        let place = builder.as_ref().and_then(|builder| {
            let cases = &builder.operator.cases;
            let family = cases.families.iter().position(|f| f.name == case.family())?;
            let key = cases.keys.get(builder.recipe.type_key()?)?;
            Some((family, case.get(&key.name)?.to_owned()))
        });
        place.is_some_and(|(family, data_type)| {
            buckets.contains(&Bucket {
                operator,
                level: case.level(),
                family,
                data_type,
            })
        })
    }
}

/// Data types of a family's cases at a level, in the catalog's order.
fn data_types_of(builder: &Builder<'_>, family: usize, level: FeatureLevel) -> Vec<String> {
    let family = &builder.recipe.families[family];
    let row_allows = |name: &str| {
        let bucket = Bucket {
            operator: 0,
            level,
            family: 0,
            data_type: name.to_owned(),
        };
        !builder.is_forbidden_type(&bucket)
    };
    let type_points = |sweep: &CompiledSweep, name: &str| {
        let points = builder.recipe.type_key().and_then(|key| sweep.points.get(key));
        points.into_iter().flatten().any(|point| match point {
            Point::Text(text) => text == name,
            _ => true,
        })
    };
    let has_cases = |name: &str| match family.generator {
        Generator::Examples => builder
            .operator
            .examples
            .iter()
            .any(|e| examples::example_type(e) == Some(name)),
        Generator::Support => true,
        Generator::Sweep | Generator::Faults => row_allows(name) && family.sweeps.iter().any(|s| type_points(s, name)),
    };
    builder
        .suite
        .catalog
        .data_types
        .iter()
        .filter(|t| has_cases(&t.name))
        .map(|t| t.name.to_string())
        .collect()
}

/// Builds the cases of a bucket in order, smoke first, each once; stops if `visit` breaks.
pub fn for_each_case(
    suite: &Planner,
    bucket: &Bucket,
    tier: Tier,
    seed: u64,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for_each_digested(suite, bucket, tier, seed, &mut |case, _| visit(case))
}

/// As [`for_each_case`], with the digest of what a backend sees of each case ([`content_digest`]), which is computed
/// here anyway to drop duplicates.
pub fn for_each_digested(
    suite: &Planner,
    bucket: &Bucket,
    tier: Tier,
    seed: u64,
    visit: &mut dyn FnMut(Case, u128) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(builder) = Builder::new(suite, bucket.operator) else {
        return ControlFlow::Continue(());
    };
    let Some(family) = builder.recipe.families.get(bucket.family) else {
        return ControlFlow::Continue(());
    };
    let mut seen = HashSet::new();
    let mut emit = |mut case: Case, tier: Tier| {
        case.tier = tier;
        let content = content_digest(&case);
        if seen.insert(content) {
            visit(case, content)
        } else {
            ControlFlow::Continue(())
        }
    };
    if family.generator == Generator::Examples {
        return for_each_example(&builder, bucket, &mut |case| emit(case, Tier::Smoke));
    }
    let (smoke, rest): (Vec<_>, Vec<_>) = family.sweeps.iter().partition(|sweep| sweep.tier == Tier::Smoke);
    let sweeps = |sweeps: Vec<&CompiledSweep>, emit: &mut dyn FnMut(Case, Tier) -> ControlFlow<()>| {
        sweeps
            .into_iter()
            .filter(|sweep| sweep.tier <= tier)
            .try_for_each(|sweep| {
                let walk = Walk {
                    builder,
                    bucket,
                    sweep,
                    seed,
                };
                for_each_of_sweep(&walk, emit)
            })
    };
    sweeps(smoke, &mut emit)?;
    for_each_of_list(&builder, bucket, seed, &suite.smoke, &mut |case| {
        emit(case, Tier::Smoke)
    })?;
    sweeps(rest, &mut emit)?;
    if tier < Tier::Standard {
        return ControlFlow::Continue(());
    }
    for_each_of_list(&builder, bucket, seed, &suite.combinations, &mut |case| {
        emit(case, Tier::Standard)
    })
}

/// Builds the cases of one sweep.
fn for_each_of_sweep(walk: &Walk, emit: &mut dyn FnMut(Case, Tier) -> ControlFlow<()>) -> ControlFlow<()> {
    let (bucket, tier) = (walk.bucket, walk.sweep.tier);
    let name = &walk.builder.operator.cases.families[bucket.family].name;
    match walk.builder.recipe.families[bucket.family].generator {
        Generator::Faults => faults::for_each_fault(walk, name, Generator::Faults, &mut |case| emit(case, tier)),
        Generator::Support => {
            walk.cases(&mut |case| emit(case, tier))?;
            if walk.sweep.base {
                faults::for_each_fault(walk, name, Generator::Support, &mut |case| emit(case, tier))?;
            }
            ControlFlow::Continue(())
        }
        Generator::Sweep | Generator::Examples => walk.cases(&mut |case| emit(case, tier)),
    }
}

/// Builds the cases of a bucket that a list holds; skips those that this specification does not have.
fn for_each_of_list(
    builder: &Builder<'_>,
    bucket: &Bucket,
    seed: u64,
    list: &Listed,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let family = &builder.operator.cases.families[bucket.family].name;
    let key = builder.recipe.type_key();
    let Some(key) = key.and_then(|key| builder.operator.cases.keys.get(key)) else {
        return ControlFlow::Continue(());
    };
    let of_bucket = (&*key.name, bucket.data_type.as_str());
    for id in list.at(&builder.operator.name, bucket.level, family, of_bucket) {
        // A listed seed stands for the default seed: another seed of the run replaces it.
        let own = |key: &str| key == "seed" && seed != 0;
        let of_run = seed.to_string();
        let params = id.params().filter(|(key, _)| !own(key));
        let params = params.chain([("seed", of_run.as_str())]);
        let id = canonical::canonicalize_id(builder, &bucket.id(builder.operator, params), bucket.family);
        if let Ok(case) = builder.case(id, bucket.family) {
            visit(case)?;
        }
    }
    ControlFlow::Continue(())
}

/// Builds the examples of a bucket, at every table level that allows them.
fn for_each_example(
    builder: &Builder<'_>,
    bucket: &Bucket,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let name = &builder.operator.cases.families[bucket.family].name;
    for example in builder.operator.examples.iter() {
        if examples::example_type(example) != Some(&bucket.data_type) {
            continue;
        }
        let id = examples::example_id(builder, bucket.level, name, example);
        if let Ok(case) = builder.case(id, bucket.family)
            && !case.verdict.is_rejection()
        {
            visit(case)?;
        }
    }
    ControlFlow::Continue(())
}
