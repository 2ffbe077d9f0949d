use std::{
    collections::BTreeSet,
    sync::{LazyLock, OnceLock},
};

use dml_case::case::Mode;
use dml_spec::{
    model::Tier,
    path::{GIVEN, NULL, Path, TensorPart},
};
use rayon::prelude::*;

use super::{
    combined::combined_in,
    cover::{self, Pair, pairs},
    maker::Maker,
    *,
};
use crate::{builder::Builder, count_fields::miscounted, embedded::suite, overrides::Override, planner::Planner};

/// Attempts at a row of a pair that the array lacks.
const ATTEMPTS: u64 = 3000;

/// Calls `visit` with what an array needs, for every operator.
fn for_each_operator(visit: impl Fn(&Builder<'_>, &[Parameter]) + Sync) {
    let suite = suite();
    (0..suite.catalog.operators.len()).into_par_iter().for_each(|at| {
        let builder = Builder::new(suite, at).unwrap();
        let parameters = parameters(&builder).unwrap();
        visit(&builder, &parameters);
    });
}

/// The rows of standard of an operator, made once for all tests.
fn standard(builder: &Builder<'_>, parameters: &[Parameter]) -> &'static Design {
    static KNOWN: LazyLock<Vec<OnceLock<Design>>> =
        LazyLock::new(|| vec![OnceLock::new(); suite().catalog.operators.len()]);
    let mut operators = suite().catalog.operators.iter();
    let at = operators.position(|of| of.name == builder.operator.name).unwrap();
    KNOWN[at].get_or_init(|| design(builder, parameters, Tier::Standard, 0))
}

/// The pairs that rows of a level and those before it hold, by what the rows say.
fn held(parameters: &[Parameter], rows: &[Row], level: dml_spec::FeatureLevel) -> BTreeSet<Pair> {
    let mut found = BTreeSet::new();
    for row in rows.iter().filter(|row| row.id.level() <= level) {
        let values = row.paired(parameters);
        for (at, first) in values.iter().enumerate() {
            found.extend(values[at + 1..].iter().map(|second| [*first, *second]));
        }
    }
    found
}

#[test]
fn every_pair_that_some_row_can_hold_is_held_at_every_level() {
    for_each_operator(|builder, parameters| {
        let found = standard(builder, parameters);
        let levels: Vec<_> = builder.operator.support.iter().map(|table| table.level).collect();
        let maker = Maker::new(builder, parameters, &levels);
        let mut never = BTreeSet::new();
        for level in levels.iter().rev() {
            let held = held(parameters, &found.rows, *level);
            for pair in pairs(parameters).into_iter().filter(|pair| !held.contains(pair)) {
                // Where the last level has no row of a pair, the first one is asked, for all between.
                if never.contains(&pair) && levels.first() != Some(level) {
                    continue;
                }
                never.insert(pair);
                // Of descriptors alone the planner's own number: a walk that breaks fewer rules at each step finds more with each.
                let attempts = match builder.is_computed() {
                    true => ATTEMPTS,
                    false => cover::ATTEMPTS,
                };
                let row = maker.row(*level, &pair, attempts);
                let names =
                    pair.map(|(at, value)| format!("{}={}", parameters[at].name, parameters[at].values[value].label));
                assert!(
                    row.is_none(),
                    "{} {level}: {}: {:?}",
                    builder.operator.name,
                    names.join(","),
                    row.map(|row| row.id)
                );
            }
        }
    });
}

#[test]
fn bases_of_descriptors_have_and_lack_what_may_be_absent() {
    let suite = suite();
    for name in ["LSTM", "MULTIHEAD_ATTENTION"] {
        let mut operators = suite.catalog.operators.iter();
        let at = operators.position(|of| of.name == name).unwrap();
        let builder = Builder::new(suite, at).unwrap();
        let parameters = parameters(&builder).unwrap();
        let bases = bases(&builder, &parameters, builder.operator.support[0].level);
        let keys = builder.recipe.keys.iter();
        let optional: Vec<_> = keys
            .filter(|(_, path)| matches!(path, Path::Tensor(_, None, TensorPart::Whole)))
            .collect();
        for (key, _) in &optional {
            for value in [GIVEN, NULL] {
                let has = |base: &Vec<Override>| base.contains(&(key.clone(), value.to_owned()));
                assert!(bases.iter().any(has), "{name}: no base with {key}={value}");
            }
        }
        assert!(bases.len() <= 2 * optional.len(), "{name}: {} bases", bases.len());
    }
}

#[test]
fn every_pair_is_held_or_has_a_reason() {
    for_each_operator(|builder, parameters| {
        if builder.operator.fields.len() > 8 {
            return;
        }
        let found = combined_in(builder, parameters, standard(builder, parameters));
        let lacking: usize = found.lacking.values().sum();
        let name = &builder.operator.name;
        assert_eq!(found.pairs + lacking, pairs(parameters).len(), "{name}");
        assert!(found.pairs > 0 && found.triples <= found.possible, "{name}: {found:?}");
        assert_eq!(
            found.clauses.is_empty(),
            !found.lacking.contains_key("against clauses"),
            "{name}"
        );
    });
}

#[test]
fn rows_are_cases_that_run_and_smoke_is_the_same_each_time() {
    for_each_operator(|builder, parameters| {
        let (found, again) = (
            standard(builder, parameters),
            design(builder, parameters, Tier::Smoke, 0),
        );
        let ids = |of: &Design| -> Vec<String> { of.rows.iter().map(|row| row.id.to_string()).collect() };
        assert_eq!(ids(found)[..found.smoke], ids(&again), "{}", builder.operator.name);
        assert!(
            found.smoke > 20 && found.rows.len() < 2000,
            "{} {}",
            found.smoke,
            found.rows.len()
        );
        for row in found
            .rows
            .iter()
            .filter(|row| row.id.params().all(|(_, value)| !value.contains("1100003")))
        {
            let id = &row.id;
            let case = crate::by_id::build(builder.suite, id).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(case.mode == Mode::Execute, builder.is_computed(), "{id}");
        }
    });
}

#[test]
fn a_value_less_moves_few_other_ids() {
    let suite = suite();
    for name in ["FOLD", "GEMM"] {
        let at = suite.catalog.operators.iter().position(|of| of.name == name).unwrap();
        let builder = Builder::new(suite, at).unwrap();
        let all = parameters(&builder).unwrap();
        let before = design(&builder, &all, Tier::Standard, 0);
        let mut shares = Vec::new();
        for (at, parameter) in all
            .iter()
            .enumerate()
            .filter(|(_, parameter)| parameter.values.len() >= 8)
        {
            for value in 0..parameter.values.len() {
                let mut fewer = all.clone();
                fewer[at].values.remove(value);
                let after = design(&builder, &fewer, Tier::Standard, 0);
                let after: BTreeSet<_> = after.rows.iter().map(|row| &row.id).collect();
                let others = before.rows.iter().filter(|row| row.values[at].0 != value);
                let others: BTreeSet<_> = others.map(|row| &row.id).collect();
                shares.push(others.difference(&after).count() * 1000 / others.len());
            }
        }
        shares.sort_unstable();
        let (median, most) = (shares[shares.len() / 2], shares[shares.len() - 1]);
        assert!(
            median <= 70 && most <= 150,
            "{name}: {median} and {most} of 1,000 ids move"
        );
    }
}

#[test]
fn lists_are_as_long_as_their_count_says() {
    // Three lists with one count; some values of two of them are longer.
    let mut catalog = suite().catalog.clone();
    let mut operators = catalog.operators.to_mut().iter_mut();
    let resample = operators.find(|of| of.name == "RESAMPLE2").unwrap();
    for parameter in resample.cases.parameters.to_mut() {
        if matches!(&*parameter.name, "s" | "ipo") {
            parameter.values.to_mut().push("1x1x1x1x1".into());
        }
    }
    let suite = &Planner::new(catalog).unwrap();
    let operators = (0..suite.catalog.operators.len()).into_par_iter();
    let wrong = operators.flat_map_iter(|at| {
        let buckets = crate::buckets_of(suite, at, Tier::Standard).into_iter();
        let ids = buckets.flat_map(|bucket| crate::ids_of(suite, &bucket, Tier::Standard, 0));
        let cases = ids.filter_map(|(id, _)| crate::build(suite, &id).ok());
        cases.filter_map(move |case| {
            let found = miscounted(&suite.catalog.operators[at], &case.descriptor)?;
            Some(format!("{}: {found:?}", case.id))
        })
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
