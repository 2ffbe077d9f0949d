use std::collections::{BTreeSet, HashSet};

use dml_case::id::CaseId;

use super::*;

fn fuzz(seed: u64, queries: &[&str]) -> Result<Fuzz, String> {
    fuzz_of("TOP_K1", seed, queries)
}

fn fuzz_of(operator: &str, seed: u64, queries: &[&str]) -> Result<Fuzz, String> {
    let suite = Arc::new(crate::embedded::suite().clone());
    let queries = queries.iter().map(|query| query.parse().unwrap()).collect();
    Fuzz::new(
        suite,
        queries,
        &[operator.to_owned()],
        FeatureLevel::new(6, 4),
        seed,
        Limit::Cases(100),
    )
}

#[test]
fn a_seed_fixes_every_case_and_an_id_is_enough() {
    let (one, again, other) = (fuzz(7, &[]).unwrap(), fuzz(7, &[]).unwrap(), fuzz(8, &[]).unwrap());
    let mut ids = HashSet::new();
    for number in (0..300).rev() {
        let case = one.case(number).unwrap();
        assert_eq!(again.case(number).unwrap().id, case.id);
        assert_ne!(other.case(number).unwrap().id, case.id);
        let built = dml_plan::build(&one.suite, &case.id).unwrap();
        assert_eq!(
            (&built.descriptor, &built.inputs, &built.verdict),
            (&case.descriptor, &case.inputs, &case.verdict)
        );
        ids.insert(case.id);
    }
    assert_eq!(ids.len(), 300);
}

#[test]
fn draws_reach_beyond_the_corpus() {
    let fuzz = fuzz(0, &[]).unwrap();
    let cases: Vec<Case> = (0..1000).map(|number| fuzz.case(number).unwrap()).collect();
    let distinct = |key: &str| {
        cases
            .iter()
            .filter_map(|case| case.id.get(key))
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert!(distinct("sizes") > 500 && distinct("type") >= 10 && distinct("axis") == 8);
    assert!(distinct("values") > 15 && distinct("layout") >= 12 && distinct("dir") == 2);
    let words: BTreeSet<&str> = cases.iter().map(|case| case.verdict.word()).collect();
    assert_eq!(Vec::from_iter(words), ["observed", "rejected", "unspecified", "valid"]);
}

#[test]
fn a_query_restricts_the_draw() {
    let queries = ["TOP_K1:3.1:*:type=INT8,k=7", "TOP_K1:5.0:faults"];
    let fuzz = fuzz(0, &queries).unwrap();
    let cases: Vec<Case> = (0..100).map(|number| fuzz.case(number).unwrap()).collect();
    let matches = |query: &str| {
        let query: Query = query.parse().unwrap();
        cases.iter().filter(|case| query.matches(&case.id)).count()
    };
    let (of_type, faults) = (matches(queries[0]), matches(queries[1]));
    assert!(
        of_type > 20 && faults > 5 && of_type + faults == 100,
        "{of_type} {faults}"
    );
}

#[test]
fn what_cannot_be_drawn_is_said() {
    assert!(fuzz(0, &["ARGMAX"]).unwrap_err().contains("match nothing"));
    assert!(fuzz(0, &["TOP_K1:2.1:*:type=FLOAT32,type=INT8"]).is_err() || fuzz(0, &["TOP_K1:2.1:*:k=0"]).is_err());
}

#[test]
fn every_operator_that_runs_has_random_data() {
    let suite = crate::embedded::suite();
    for operator in suite.catalog.operators.iter().filter(|of| of.is_computed()) {
        let fuzz = fuzz_of(&operator.name, 5, &[]).unwrap();
        let cases: Vec<Case> = (0..64).filter_map(|number| fuzz.case(number)).collect();
        let run = cases.iter().filter(|case| !case.inputs.is_empty()).count();
        let ids: HashSet<&CaseId> = cases.iter().map(|case| &case.id).collect();
        assert!(run > 20 && ids.len() > 56, "{}: {run} of {}", operator.name, ids.len());
    }
}

#[test]
fn a_limit_holds() {
    let fuzz = fuzz(0, &[]).unwrap();
    let drawn = (0..3).flat_map(|unit| (0..UNIT).map(move |place| (unit, place)));
    assert_eq!(
        drawn.filter(|(unit, place)| fuzz.next(*unit, *place).is_some()).count(),
        100
    );
}

#[test]
fn walks_start_from_the_plan_where_hardly_any_draw_is_valid() {
    let suite = crate::embedded::suite();
    let is_it = |of: &Operator| of.name == "CONVOLUTION";
    let at = suite.catalog.operators.iter().position(is_it).unwrap();
    let builder = Builder::new(suite, at).unwrap();
    let level = FeatureLevel::new(3, 0);
    let cases = walks(&builder, at, level, 100);
    let changed = |case: &Case| {
        let is_key = |key: &str| builder.recipe.keys.iter().any(|(name, _)| name == key);
        let changes = case.id.params().filter(|(key, _)| !is_key(key) && *key != "layout");
        changes
            .filter(|(key, _)| *key != "values" && *key != "seed" && *key != "alias")
            .count()
    };
    let near = cases.iter().filter(|case| (1..=2).contains(&changed(case))).count();
    let far = cases.iter().filter(|case| changed(case) > 2).count();
    assert_eq!(cases.len(), 100);
    assert!(near > 40 && far > 20, "{near} {far}");
    let again = walks(&builder, at, level, 100);
    assert!(cases.iter().zip(&again).all(|(case, again)| case.id == again.id));
}
