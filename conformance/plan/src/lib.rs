//! The plan: which cases there are. A pure function of specification, tier and seed.

pub mod listed;
pub mod planner;
pub mod relock;

pub mod aliases;
pub mod build;
pub mod canonical;
pub mod counts;
pub mod eval;
pub mod examples;
pub mod faults;
pub mod free;
mod inputs;
pub mod layouts;
pub mod moves;
pub mod query;
pub mod recipe;
mod repairs;
pub mod sweep;
pub mod values;
pub mod verdict;

pub use dml_case::path;

use std::{collections::HashSet, ops::ControlFlow};

use dml_spec::{
    FeatureLevel,
    model::{Generator, Tier},
};

use crate::{build::Builder, recipe::Point, sweep::Walk};
use crate::{listed::Listed, planner::Planner};
use dml_case::{case::Case, digest, id::CaseId, lock::Key};

/// The unit of planning and of the lock: operator × table level × family × data type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// Index of the operator in the catalog.
    pub operator: usize,
    /// Table level.
    pub level: FeatureLevel,
    /// Index of the family in the operator.
    pub family: usize,
    /// Data type name of the first key that sets one.
    pub data_type: String,
}

impl Bucket {
    /// The id of a case in this bucket.
    pub fn id<K: AsRef<str>, V: AsRef<str>>(
        &self,
        builder: &Builder<'_>,
        params: impl IntoIterator<Item = (K, V)>,
    ) -> CaseId {
        let family = builder.operator.cases.families.get(self.family);
        let family = family.map_or("", |f| &f.name);
        CaseId::new(&builder.operator.name, self.level, family, params)
    }
}

/// The name of a bucket in the lock.
pub fn lock_key(suite: &Planner, bucket: &Bucket) -> Key {
    let operator = suite.catalog.operators.get(bucket.operator);
    let family = operator.and_then(|o| o.cases.families.get(bucket.family));
    Key {
        operator: operator.map(|o| o.name.to_string()).unwrap_or_default(),
        level: bucket.level.to_string(),
        family: family.map(|f| f.name.to_string()).unwrap_or_default(),
        data_type: bucket.data_type.clone(),
    }
}

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
            for data_type in data_types(&builder, family, table.level) {
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
/// have random cases of data types of which it has no sweep.
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
fn data_types(builder: &Builder<'_>, family: usize, level: FeatureLevel) -> Vec<String> {
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
    let type_points = |sweep: &recipe::CompiledSweep, name: &str| {
        let points = builder.recipe.type_key().and_then(|key| sweep.points.get(key));
        points.into_iter().flatten().any(|point| match point {
            Point::Text(text) => text == name,
            _ => true,
        })
    };
    let wanted = |name: &str| match family.generator {
        Generator::Examples => builder
            .operator
            .examples
            .iter()
            .any(|e| examples::data_type(e) == Some(name)),
        Generator::Support => true,
        Generator::Sweep | Generator::Faults => row_allows(name) && family.sweeps.iter().any(|s| type_points(s, name)),
    };
    builder
        .suite
        .catalog
        .data_types
        .iter()
        .filter(|t| wanted(&t.name))
        .map(|t| t.name.to_string())
        .collect()
}

/// Builds the cases of a bucket in order, smoke first; stops early when `visit` breaks. No case comes twice.
pub fn for_each_case(
    suite: &Planner,
    bucket: &Bucket,
    tier: Tier,
    seed: u64,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for_each_digested(suite, bucket, tier, seed, &mut |case, _| visit(case))
}

/// The same, with the digest of what a backend sees of each case ([`digest::content_digest`]): it tells here which cases are
/// the same, and need not be made again.
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
        let content = digest::content_digest(&case);
        if seen.insert(content) {
            visit(case, content)
        } else {
            ControlFlow::Continue(())
        }
    };
    if family.generator == Generator::Examples {
        return example_cases(&builder, bucket, &mut |case| emit(case, Tier::Smoke));
    }
    let (smoke, rest): (Vec<_>, Vec<_>) = family.sweeps.iter().partition(|sweep| sweep.tier == Tier::Smoke);
    let sweeps = |sweeps: Vec<&recipe::CompiledSweep>, emit: &mut dyn FnMut(Case, Tier) -> ControlFlow<()>| {
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
                of_sweep(&walk, emit)
            })
    };
    sweeps(smoke, &mut emit)?;
    listed(&builder, bucket, seed, &suite.smoke, &mut |case| {
        emit(case, Tier::Smoke)
    })?;
    sweeps(rest, &mut emit)?;
    if tier < Tier::Standard {
        return ControlFlow::Continue(());
    }
    listed(&builder, bucket, seed, &suite.combinations, &mut |case| {
        emit(case, Tier::Standard)
    })
}

/// The cases of one sweep.
fn of_sweep(walk: &Walk, emit: &mut dyn FnMut(Case, Tier) -> ControlFlow<()>) -> ControlFlow<()> {
    let (bucket, tier) = (walk.bucket, walk.sweep.tier);
    let name = &walk.builder.operator.cases.families[bucket.family].name;
    match walk.builder.recipe.families[bucket.family].generator {
        Generator::Faults => faults::cases(walk, name, Generator::Faults, &mut |case| emit(case, tier)),
        Generator::Support => {
            walk.cases(&mut |case| emit(case, tier))?;
            if walk.sweep.base {
                faults::cases(walk, name, Generator::Support, &mut |case| emit(case, tier))?;
            }
            ControlFlow::Continue(())
        }
        Generator::Sweep | Generator::Examples => walk.cases(&mut |case| emit(case, tier)),
    }
}

/// The cases of a bucket that a list holds. One that this specification does not have is passed over.
fn listed(
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
        // Some are listed with a seed of their own, which stands for the default one.
        let own = |key: &str| key == "seed" && seed != 0;
        let of_run = seed.to_string();
        let params = id.params().filter(|(key, _)| !own(key));
        let params = params.chain([("seed", of_run.as_str())]);
        let id = canonical::canonical(builder, &bucket.id(builder, params), bucket.family);
        if let Ok(case) = builder.case(id, bucket.family) {
            visit(case)?;
        }
    }
    ControlFlow::Continue(())
}

/// Examples stand at every table level that allows them.
fn example_cases(
    builder: &Builder<'_>,
    bucket: &Bucket,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let name = &builder.operator.cases.families[bucket.family].name;
    for example in builder.operator.examples.iter() {
        if examples::data_type(example) != Some(&bucket.data_type) {
            continue;
        }
        let id = examples::id(builder, bucket.level, name, example);
        if let Ok(case) = builder.case(id, bucket.family)
            && !case.verdict.is_rejection()
        {
            visit(case)?;
        }
    }
    ControlFlow::Continue(())
}

/// The case of an id.
///
/// # Errors
/// Where the id names no operator, level, family or key, or a value makes no sense: what and where. Where it has
/// another form than ids have: that form.
pub fn build(suite: &Planner, id: &CaseId) -> Result<Case, BuildError> {
    let fail = |why: String| BuildError(format!("{id}: {why}"));
    let index = suite.catalog.operators.iter().position(|o| o.name == id.operator());
    let index = index.ok_or_else(|| fail(format!("unknown operator `{}`", id.operator())))?;
    let builder = Builder::new(suite, index).ok_or_else(|| fail("the operator has no plan".to_owned()))?;
    if !builder.operator.support.iter().any(|t| t.level == id.level()) {
        let levels: Vec<String> = builder.operator.support.iter().map(|t| t.level.to_string()).collect();
        return Err(fail(format!(
            "{} has tables at {}, not at {}",
            id.operator(),
            levels.join(", "),
            id.level()
        )));
    }
    let families = &builder.operator.cases.families;
    let family = families.iter().position(|f| f.name == id.family());
    let family = family.ok_or_else(|| {
        let names: Vec<&str> = families.iter().map(|f| f.name.as_ref()).collect();
        fail(format!(
            "unknown family `{}`; expected {}",
            id.family(),
            names.join(", ")
        ))
    })?;
    let canonical = canonical::canonical(&builder, id, family);
    if canonical != *id && builder.case(canonical.clone(), family).is_ok() {
        let why = canonical::difference(id, &canonical);
        return Err(fail(format!("{why}; did you mean `{canonical}`")));
    }
    let mut case = builder.case(id.clone(), family)?;
    if canonical != *id {
        return Err(fail(canonical::difference(id, &canonical)));
    }
    case.tier = Tier::Exhaustive;
    Ok(case)
}

/// An id that leads to no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BuildError(pub String);
